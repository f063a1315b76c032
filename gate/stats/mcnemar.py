"""McNemar's test, exact: are topics lost and topics gained as likely as each other?

McNemar, "Note on the sampling error of the difference between correlated proportions",
Psychometrika 12, 1947; the exact form is the sign test on the discordant pairs.
"""

from __future__ import annotations

from math import comb, exp, fsum, lgamma, log

_EXACT = 1_000  # beyond that, sums of whole numbers take seconds, and logarithms err in the ninth digit


def two_sided(lost: int, gained: int) -> float:
    """The p-value of a difference either way. Counts of topics; 1 where nothing moved."""
    _check(lost, gained)
    return min(1.0, 2 * _upper_tail(max(lost, gained), lost + gained))


def one_sided(lost: int, gained: int) -> float:
    """The p-value of a loss. Counts of topics; 1 where nothing moved."""
    _check(lost, gained)
    return _upper_tail(lost, lost + gained)


def smallest_loss(gained: int, level: float) -> int:
    """The fewest topics lost that are significant, one-sided, beside so many gained."""
    lost = gained
    while one_sided(lost, gained) > level:
        lost += 1
    return lost


def _upper_tail(at_least: int, n: int) -> float:
    """P(X >= at_least) for X binomial with n trials of one half, from whole numbers while those are short."""
    if n <= _EXACT:
        return float(sum(comb(n, k) for k in range(at_least, n + 1)) / 2**n)
    whole = lgamma(n + 1) - n * log(2)
    return min(1.0, fsum(exp(whole - lgamma(k + 1) - lgamma(n - k + 1)) for k in range(at_least, n + 1)))


def _check(lost: int, gained: int) -> None:
    if lost < 0 or gained < 0:
        raise ValueError("topics lost and gained are counts")
