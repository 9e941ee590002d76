"""x clip(x + 3, 0, 6) / 6 as exporters write it becomes hard_swish."""

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


register(
    Pass(
        "hard_swish_fuse_pass",
        tuple(
            Rule(
                _LINE + order,
                "Out: [%out] = hard_swish(X: [%x]) "
                "{threshold: float 6.0, scale: float 6.0, offset: float 3.0}",
                _fold,
            )
            for order in _ORDERS
        ),
    )
)
