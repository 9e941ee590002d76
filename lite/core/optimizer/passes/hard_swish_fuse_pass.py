"""x clip(x + 3, 0, 6) / 6 and x hard_sigmoid(x), as exporters write it, become hard_swish."""

from __future__ import annotations

from math import isclose

from lite.core.optimizer.passes.gelu_fuse_pass import number
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import DataType

_LINE = """
    Out: [%a] = elementwise_add(X/Y: [%x], Y/X: [%three:param])
    Out: [%c] = clip/relu6@held(X: [%a])
"""

_ORDERS = (
    """
    Out: [%m] = elementwise_mul(X/Y: [%x], Y/X: [%c])
    Out: [%out] = elementwise_div/elementwise_mul@last(X: [%m], Y: [%six:param])
    """,
    """
    Out: [%m] = elementwise_div/elementwise_mul@last(X: [%c], Y: [%six:param])
    Out: [%out] = elementwise_mul(X/Y: [%x], Y/X: [%m])
    """,
)

_GATE = """
    Out: [%s] = hard_sigmoid@gate(X: [%x])
    Out: [%out] = elementwise_mul(X/Y: [%x], Y/X: [%s])
"""


def _fold(match: Match) -> Folded | None:
    three, six, held = number(match, "%three"), number(match, "%six"), match.nodes["held"]
    if match.value("%x").dtype != DataType.FP32 or three != 3 or six is None:
        return None
    if held.type == "clip":
        bounds = held.number("min", -1.0), held.number("max", -1.0)
    else:
        bounds = 0.0, held.number("threshold", 6.0)
    factor = 1 / six if match.nodes["last"].type == "elementwise_div" else six
    return {} if bounds == (0, 6) and isclose(factor, 1 / 6, rel_tol=1e-4) else None


def _fold_gate(match: Match) -> Folded | None:
    gate = match.nodes["gate"]
    slope, offset = gate.number("slope", 0.2), gate.number("offset", 0.5)
    known = isclose(slope, 1 / 6, rel_tol=1e-6) and offset == 0.5
    return {} if known and match.value("%x").dtype == DataType.FP32 else None


_SWISH = (
    "Out: [%out] = hard_swish(X: [%x]) {threshold: float 6.0, scale: float 6.0, offset: float 3.0}"
)

register(
    Pass(
        "hard_swish_fuse_pass",
        (
            *(Rule(_LINE + order, _SWISH, _fold) for order in _ORDERS),
            Rule(_GATE, _SWISH, _fold_gate),
        ),
    )
)
