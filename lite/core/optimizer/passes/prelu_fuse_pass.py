"""relu(x) - alpha relu(-x), as Keras writes it, becomes prelu."""

from __future__ import annotations

from lite.core.optimizer.broadcasting import aligned_shape
from lite.core.optimizer.fold import is_negation
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType, DataType

_PRELU = """
    Out: [%above] = relu(X: [%x])
    Out: [%minus] = scale@minus(X: [%x])
    Out: [%below] = relu(X: [%minus])
    Out: [%slope] = elementwise_mul@slope(X/Y: [%below], Y/X: [%alpha:param])
    Out: [%out] = elementwise_add(X/Y: [%above], Y/X: [%slope])
"""


def _fold(match: Match) -> Folded | None:
    """The slopes are minus ``alpha``: one, or one for each channel of a known rank."""
    x, alpha = match.value("%x"), match.array("%alpha")
    if x.dtype != DataType.FP32 or x.shape is None or not is_negation(match.nodes["minus"]):
        return None
    axis = match.nodes["slope"].integer("axis", -1)
    dims = aligned_shape(alpha.shape, len(x.shape), axis)
    if dims is None or alpha.size != (dims[1] if len(dims) > 1 else 1):
        return None
    if alpha.size != 1 and x.shape[1] not in (None, alpha.size):
        return None
    mode = "all" if alpha.size == 1 else "channel"
    return {"alpha": -alpha.reshape(-1), "mode": Attr(AttrType.STRING, mode)}


register(
    Pass(
        "prelu_fuse_pass",
        (
            Rule(
                _PRELU,
                "Out: [%out] = prelu(X: [%x], Alpha: [%alpha]) {mode: var %mode}",
                _fold,
            ),
        ),
    )
)
