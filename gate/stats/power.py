"""What a slice can show: the losses that the joint test sees, and how many topics it takes.

Binomial tails of the number of topics that a change hits; Casella and Berger, "Statistical
Inference", 3.2.
"""

from __future__ import annotations

from math import exp, fsum, lgamma, log, log1p, sqrt

CERTAIN = 7  # losses, none gained, that are significant at 0.01 one-sided: 2**-7 < 0.01 < 2**-6
SURE = 1.6448536269514722  # the normal quantile of 0.95
# T of the least that is significant: seven lost and nothing else. A table in which too little moved for any
# reshuffle to come so far has a lower critical statistic, which a loss would raise with the first topics it moves.
LEAST_CRITICAL = sqrt(CERTAIN)


def power(topics: int, loss: float, needed: int = CERTAIN) -> float:
    """The chance that at least `needed` of `topics` are lost when each is with probability `loss`."""
    if not 0 <= loss <= 1:
        raise ValueError("a loss is a share of the topics")
    if loss in (0, 1):
        return float(topics * loss >= needed)
    return max(0.0, 1.0 - fsum(_exactly(k, topics, loss) for k in range(min(needed, topics + 1))))


def _exactly(lost: int, topics: int, loss: float) -> float:
    """The binomial probability of so many, by logarithms: the coefficients of large slices are beyond any float."""
    ways = lgamma(topics + 1) - lgamma(lost + 1) - lgamma(topics - lost + 1)
    return exp(ways + lost * log(loss) + (topics - lost) * log1p(-loss))


def topics_needed(loss: float, chance: float, needed: int = CERTAIN) -> int:
    """The fewest topics on which a loss is seen with that chance. Raises ValueError for a loss of 0."""
    if not 0 < loss <= 1 or not 0 < chance < 1:
        raise ValueError("a loss and a chance are shares above 0")
    topics = needed
    while power(topics, loss, needed) < chance:
        topics += 1
    return topics


def smallest_seen(churn: float, critical: float, quantile: float = 0.0) -> float:
    """The smallest loss, in topics, that passes `critical` beside harmless churn.

    `churn` is Q, the harmless sum of squared differences. A loss of L whole topics, each in a cluster of its
    own that did not move otherwise, adds -L to the sum of differences and L to the sum of their squares:
    S = H - L and V = Q + L, where H, the sum of the churn, is as often above 0 as below and has the standard
    deviation sqrt(Q). So T = -S / sqrt(V) = (L - H) / sqrt(Q + L), and where the churn comes out even, H = 0,
    T = z gives L**2 - z**2 L - z**2 Q = 0 and L = (z**2 + sqrt(z**4 + 4 z**2 Q)) / 2: seen about every
    second time. With H = q sqrt(Q), q being the normal `quantile` of how often it is to be seen, the same
    goes for w = sqrt(Q + L): w**2 - z w - (Q + q sqrt(Q)) = 0, and L = w**2 - Q.

    Clusters of s topics that are lost whole add s to the sum and s**2 to the squares: measured in clusters
    it is the same with Q / s**2. A loss of parts of topics adds less to the squares, and is seen sooner.
    """
    root = (critical + sqrt(critical * critical + 4 * (churn + quantile * sqrt(churn)))) / 2
    return root * root - churn
