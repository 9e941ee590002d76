"""(x - mean) / sqrt(variance + epsilon) * scale + bias over the last axis becomes layer_norm."""

from __future__ import annotations

from lite.core.optimizer.passes.gelu_fuse_pass import number
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType, DataType

_SQUARES = (
    "Out: [%p] = elementwise_pow(X: [%c], Y: [%two:param])",
    "Out: [%p] = pow@power(X: [%c])",
    "Out: [%p] = elementwise_mul(X: [%c], Y: [%c])",
    "Out: [%p] = square(X: [%c])",
)

_PATTERN = """
    Out: [%mean] = reduce_mean@first(X: [%x])
    Out: [%c] = elementwise_sub(X: [%x], Y: [%mean])
    {square}
    Out: [%v] = reduce_mean@second(X: [%p])
    Out: [%w] = elementwise_add(X/Y: [%v], Y/X: [%epsilon:param])
    Out: [%s] = sqrt(X: [%w])
    Out: [%n] = elementwise_div(X: [%c], Y: [%s])
    Out: [%m] = elementwise_mul(X/Y: [%n], Y/X: [%scale:param])
    Out: [%out] = elementwise_add(X/Y: [%m], Y/X: [%bias:param])
"""


def _fold(match: Match) -> Folded | None:
    x, scale, bias = match.value("%x"), match.array("%scale"), match.array("%bias")
    epsilon = number(match, "%epsilon")
    if x.dtype != DataType.FP32 or x.rank is None or epsilon is None or epsilon <= 0:
        return None
    # More than one element tells how long the last axis is.
    if scale.ndim != 1 or scale.size < 2 or bias.shape != scale.shape:
        return None
    for label in ("first", "second"):
        node = match.nodes[label]
        dims = node.integers("dim", (0,))
        if node.flag("reduce_all") or not node.flag("keep_dim") or len(dims) != 1:
            return None
        if dims[0] not in (-1, x.rank - 1):
            return None
    power = match.nodes.get("power")
    if power is not None and power.number("factor", 1.0) != 2:
        return None
    if "%two" in match.values and number(match, "%two") != 2:
        return None
    return {
        "axis": Attr(AttrType.INT, x.rank - 1),
        "epsilon": Attr(AttrType.FLOAT, epsilon),
    }


register(
    Pass(
        "layer_norm_fuse_pass",
        tuple(
            Rule(
                _PATTERN.format(square=square),
                "Y: [%out], Mean: [%means], Variance: [%variances] = "
                "layer_norm(X: [%x], Scale: [%scale], Bias: [%bias]) "
                "{begin_norm_axis: var %axis, epsilon: var %epsilon}",
                _fold,
            )
            for square in _SQUARES
        ),
    )
)
