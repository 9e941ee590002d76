"""Which operator of a model is wrong on a device: compare shows all, bisect finds it fast.

Devices run in child processes: one that crashes or hangs is a result, not the end.
"""

from lite.api.compare.bisect import Bisection, Culprit, bisect
from lite.api.compare.compare import Comparison, compare
from lite.api.compare.data import Column, ComparedOperator
from lite.api.compare.difference import Difference
from lite.api.compare.workbench import Settings

__all__ = [
    "Bisection",
    "Column",
    "ComparedOperator",
    "Comparison",
    "Culprit",
    "Difference",
    "Settings",
    "bisect",
    "compare",
]
