"""What Paddle Lite prints about its subgraphs, where ``GLOG_v`` is 5 or more."""

from __future__ import annotations

import os

from lite.core.partition.config_text import subgraph_operators
from lite.report.dot import dot
from lite.report.places import Places


def log_text(placement: Places) -> str:
    """The number of clusters, the graph, and the operators of the subgraphs as config lines."""
    count = f"subgraph clusters: {len(placement.subgraphs)}\n"
    return count + dot(placement) + subgraph_operators(placement)


def print_at_level_5(placement: Places) -> None:
    """Prints it to stdout, as Paddle Lite does."""
    level = os.environ.get("GLOG_v", "0").strip()
    if level.isdigit() and int(level) >= 5:
        print(log_text(placement), end="", flush=True)
