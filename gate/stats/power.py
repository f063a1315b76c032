"""What a slice can show: the losses that the joint test sees, and how many topics it takes.

Binomial tails of the number of topics that a change hits; Casella and Berger, "Statistical
Inference", 3.2.
"""

from __future__ import annotations

from math import exp, fsum, lgamma, log, log1p, sqrt

CERTAIN = 7  # losses, none gained, that are significant at 0.01 one-sided: 2**-7 < 0.01 < 2**-6


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


def smallest_seen(churn: float, critical: float) -> float:
    """The smallest loss, in topics, that passes `critical` beside harmless churn.

    `churn` is the sum of the squared harmless differences Q; from T = L / sqrt(Q + L) = z
    follows L = (z**2 + sqrt(z**4 + 4 z**2 Q)) / 2.
    """
    square = critical * critical
    return (square + sqrt(square * square + 4 * square * churn)) / 2
