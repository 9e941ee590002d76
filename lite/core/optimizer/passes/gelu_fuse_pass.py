"""x (1 + erf(x / sqrt 2)) / 2 as exporters write it, in whichever order, becomes gelu."""

from __future__ import annotations

from math import isclose, sqrt

from lite.core.optimizer.fold import is_negation
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import DataType

_CLOSE = 1e-4
"""Exporters write the root of two with four digits and more."""

_CURVE = """
    Out: [%d] = elementwise_div/elementwise_mul@inner(X: [%x], Y: [%root:param])
    Out: [%e] = erf(X: [%d])
    Out: [%a] = elementwise_add(X/Y: [%e], Y/X: [%one:param])
"""

_COMPLEMENT = """
    Out: [%f] = scale@first(X: [%x])
    Out: [%g] = elementwise_mul@inner(X/Y: [%f], Y/X: [%root:param])
    Out: [%d] = scale@second(X: [%g])
    Out: [%e] = erf(X: [%d])
    Out: [%a] = elementwise_add(X/Y: [%e], Y/X: [%one:param])
"""
"""The complementary error function of -x / sqrt 2, as Keras writes it."""

_ORDERS = (
    """
    Out: [%m] = elementwise_mul(X/Y: [%x], Y/X: [%a])
    Out: [%out] = elementwise_mul(X/Y: [%m], Y/X: [%half:param])
    """,
    """
    Out: [%m] = elementwise_mul(X/Y: [%x], Y/X: [%half:param])
    Out: [%out] = elementwise_mul(X/Y: [%m], Y/X: [%a])
    """,
    """
    Out: [%m] = elementwise_mul(X/Y: [%a], Y/X: [%half:param])
    Out: [%out] = elementwise_mul(X/Y: [%x], Y/X: [%m])
    """,
)


def number(match: Match, name: str) -> float | None:
    """A parameter's only element; None where it has several."""
    array = match.array(name)
    return float(array.reshape(-1)[0]) if array.size == 1 and array.ndim <= 1 else None


def _fold(match: Match) -> Folded | None:
    root, one, half = (number(match, name) for name in ("%root", "%one", "%half"))
    if match.value("%x").dtype != DataType.FP32 or root is None or one != 1 or half != 0.5:
        return None
    turns = [match.nodes[name] for name in ("first", "second") if name in match.nodes]
    if not all(map(is_negation, turns)):
        return None
    wanted = sqrt(2) if match.nodes["inner"].type == "elementwise_div" else 1 / sqrt(2)
    return {} if isclose(root, wanted, rel_tol=_CLOSE) else None


register(
    Pass(
        "gelu_fuse_pass",
        tuple(
            Rule(curve + order, "Out: [%out] = gelu(X: [%x]) {approximate: bool false}", _fold)
            for curve in (_CURVE, _COMPLEMENT)
            for order in _ORDERS
        ),
    )
)
