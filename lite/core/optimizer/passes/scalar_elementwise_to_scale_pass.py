"""Multiplication and addition of one constant number become ``scale``, which fuses further."""

from __future__ import annotations

from lite.core.optimizer.fold import is_float, same_float
from lite.core.optimizer.graph import Node, Value
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType


def _scalar(node: Node, x: Value, operand: Value) -> float | None:
    """The operand's only number, where broadcasting it leaves shape, dtype and LoD of x alone.

    LoD comes from X; a tensor that has one has not four dimensions.
    """
    array = operand.array
    if array is None or array.size != 1 or not is_float(operand) or array.dtype != "float32":
        return None
    if x.rank is None or x.rank < array.ndim or not same_float(x, operand):
        return None
    if node.input("X") is operand and x.rank < 4:
        return None
    number = float(array.reshape(-1)[0])
    return number if number - number == 0 else None


def _multiply(match: Match) -> Folded | None:
    number = _scalar(match.nodes["mul"], match.value("%x"), match.value("%a"))
    return None if number is None else {"scale": Attr(AttrType.FLOAT, number)}


def _multiply_add(match: Match) -> Folded | None:
    factor = _scalar(match.nodes["mul"], match.value("%x"), match.value("%a"))
    shift = _scalar(match.nodes["add"], match.value("%x"), match.value("%b"))
    if factor is None or shift is None:
        return None
    return {"scale": Attr(AttrType.FLOAT, factor), "bias": Attr(AttrType.FLOAT, shift)}


register(
    Pass(
        "scalar_elementwise_to_scale_pass",
        (
            Rule(
                """
                Out: [%m] = elementwise_mul@mul(X/Y: [%x], Y/X: [%a:param])
                Out: [%out] = elementwise_add@add(X/Y: [%m], Y/X: [%b:param])
                """,
                "Out: [%out] = scale(X: [%x]) "
                "{scale: var %scale, bias: var %bias, bias_after_scale: bool true}",
                _multiply_add,
            ),
            Rule(
                "Out: [%out] = elementwise_mul@mul(X/Y: [%x], Y/X: [%a:param])",
                "Out: [%out] = scale(X: [%x]) "
                "{scale: var %scale, bias: float 0.0, bias_after_scale: bool true}",
                _multiply,
            ),
        ),
    )
)
