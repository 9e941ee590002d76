"""The optimizer: what to compute, in Paddle Lite's operators, before a `.nb` file is written."""

from lite.core.optimizer.optimize import TARGETS, optimize
from lite.core.optimizer.pass_list import PASS_LIST
from lite.core.optimizer.registry import Tracer

__all__ = ["PASS_LIST", "TARGETS", "Tracer", "optimize"]
