"""(x - mean) / sqrt(variance + epsilon) * scale + bias over the last axis becomes layer_norm."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.fold import is_negation
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

_DEVIATION = """
    Out: [%mean] = reduce_mean@first(X: [%x])
    Out: [%c] = elementwise_sub(X: [%x], Y: [%mean])
    {square}
    Out: [%v] = reduce_mean@second(X: [%p])
    Out: [%w] = elementwise_add(X/Y: [%v], Y/X: [%epsilon:param])
    Out: [%s] = sqrt(X: [%w])
"""

_NORMALISED = """
    Out: [%n] = elementwise_div(X: [%c], Y: [%s])
    Out: [%m] = elementwise_mul(X/Y: [%n], Y/X: [%scale:param])
    Out: [%out] = elementwise_add(X/Y: [%m], Y/X: [%bias:param])
"""

_FACTORED = """
    Out: [%r] = reciprocal(X: [%s])
    Out: [%g] = elementwise_mul(X/Y: [%r], Y/X: [%scale:param])
    Out: [%m] = elementwise_mul(X/Y: [%x], Y/X: [%g])
    {rest}
    Out: [%out] = elementwise_add(X/Y: [%m], Y/X: [%b])
"""
"""x * g + (bias - mean * g), as TensorFlow and Keras compute it."""

_NEGATED = """
    Out: [%negative] = scale@negative(X: [%mean])
    Out: [{0}] = elementwise_mul(X/Y: [%negative], Y/X: [%g])
"""
_RESTS = (
    """
    Out: [%t] = elementwise_mul(X/Y: [%mean], Y/X: [%g])
    Out: [%b] = elementwise_sub(X: [%bias:param], Y: [%t])
    """,
    _NEGATED.format("%b"),
    _NEGATED.format("%t") + "Out: [%b] = elementwise_add(X/Y: [%t], Y/X: [%bias:param])",
)

_PATTERNS = (
    *(_DEVIATION.format(square=square) + _NORMALISED for square in _SQUARES),
    *(_DEVIATION.format(square=_SQUARES[2]) + _FACTORED.format(rest=rest) for rest in _RESTS),
)


def _vector(array: np.ndarray, rank: int) -> np.ndarray | None:
    """Of one dimension; those in front of it may be ones."""
    known = array.ndim <= rank and array.shape[-1:] == (array.size,)
    return array.reshape(-1) if known else None


def _fold(match: Match) -> Folded | None:
    x, epsilon = match.value("%x"), number(match, "%epsilon")
    if x.dtype != DataType.FP32 or x.rank is None or epsilon is None or epsilon <= 0:
        return None
    scale = _vector(match.array("%scale"), x.rank)
    given = match.optional_array("%bias")
    bias = scale if given is None else _vector(given, x.rank)
    # More than one element tells how long the last axis is.
    if scale is None or bias is None or scale.size < 2 or bias.shape != scale.shape:
        return None
    for label in ("first", "second"):
        node = match.nodes[label]
        dims = node.integers("dim", (0,))
        if node.flag("reduce_all") or not node.flag("keep_dim") or len(dims) != 1:
            return None
        if dims[0] not in (-1, x.rank - 1):
            return None
    negative = match.nodes.get("negative")
    if negative is not None and not is_negation(negative):
        return None
    power = match.nodes.get("power")
    if power is not None and power.number("factor", 1.0) != 2:
        return None
    if "%two" in match.values and number(match, "%two") != 2:
        return None
    return {
        "scale": scale,
        "bias": bias if given is not None else np.zeros_like(scale),
        "axis": Attr(AttrType.INT, x.rank - 1),
        "epsilon": Attr(AttrType.FLOAT, epsilon),
    }


register(
    Pass(
        "layer_norm_fuse_pass",
        tuple(
            Rule(
                pattern,
                "Y: [%out], Mean: [%means], Variance: [%variances] = "
                "layer_norm(X: [%x], Scale: [%scale], Bias: [%bias]) "
                "{begin_norm_axis: var %axis, epsilon: var %epsilon}",
                _fold,
            )
            for pattern in _PATTERNS
        ),
    )
)
