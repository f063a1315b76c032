"""Collapse: a slice that lost a fifth of itself has lost it, whatever a test can show on so few topics.

A plain rule and no test. Topics of one cluster count once: a single broken template is no collapse.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import fsum

SHARE = 0.20
CLUSTERS = 5.0
NOISE = 1e-9


def collapsed(differences: Mapping[str, float], clusters: Mapping[str, str]) -> bool:
    """Whether the mean loss is at least SHARE, and the net loss at least CLUSTERS clusters.

    `differences[topic]` is head - base; `clusters[topic]` names its cluster. The net loss sums
    the mean loss of each cluster.
    """
    if not differences:
        return False
    by_cluster: dict[str, list[float]] = defaultdict(list)
    for topic, difference in differences.items():
        by_cluster[clusters[topic]].append(difference)
    mean_loss = -fsum(differences.values()) / len(differences)
    net_loss = -fsum(fsum(some) / len(some) for some in by_cluster.values())
    return mean_loss >= SHARE - NOISE and net_loss >= CLUSTERS - NOISE
