"""Student's t distribution, by the incomplete beta function's continued fraction.

Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.5.8 and 26.7.1; the fraction is
evaluated by Lentz's method (Press et al., "Numerical Recipes", 6.4).
"""

from __future__ import annotations

from functools import cache
from math import exp, lgamma, log

_TINY = 1e-300
_CLOSE = 1e-15
_ROUNDS = 10_000


def upper_tail(t: float, degrees: float) -> float:
    """P(T > t) with so many degrees of freedom."""
    if degrees <= 0:
        raise ValueError("degrees of freedom are above 0")
    tail = 0.5 * _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))
    return tail if t >= 0 else 1.0 - tail


@cache
def quantile(share: float, degrees: float) -> float:
    """The t below which lies `share` of the distribution, 0.5 <= share < 1, by bisection to the last digits."""
    if not 0.5 <= share < 1:
        raise ValueError("the share lies between 0.5 and 1")
    low, high = 0.0, 1.0
    while upper_tail(high, degrees) > 1 - share:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if upper_tail(middle, degrees) > 1 - share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, _ROUNDS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = 1 + term / c
            c = c if abs(c) > _TINY else _TINY
            value *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return value
