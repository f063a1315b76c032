"""Wilson's score interval for a proportion, which stays within 0 and 1 and is right for few topics.

Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
"""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054


def interval(successes: float, n: int, z: float = Z95) -> tuple[float, float]:
    """Lower and upper bound for `successes` of `n`; `z` is the normal quantile. Raises ValueError for n = 0."""
    if n <= 0 or not 0 <= successes <= n:
        raise ValueError("a proportion needs 0 <= successes <= n and n > 0")
    share = successes / n
    centre = share + z * z / (2 * n)
    spread = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At the ends the bound is exact; rounding would put it beside.
    lower = 0.0 if successes == 0 else (centre - spread) / scale
    upper = 1.0 if successes == n else (centre + spread) / scale
    return lower, upper
