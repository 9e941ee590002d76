"""relu(x) - alpha relu(-x), as Keras writes it, becomes prelu."""

from __future__ import annotations

from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType, DataType

_PRELU = """
    Out: [%above] = relu(X: [%x])
    Out: [%minus] = scale(X: [%x]) {scale: float -1.0, bias/absent: float 0.0}
    Out: [%below] = relu(X: [%minus])
    Out: [%slope] = elementwise_mul(X/Y: [%below], Y/X: [%alpha:param])
    Out: [%out] = elementwise_add(X/Y: [%above], Y/X: [%slope])
"""


def _fold(match: Match) -> Folded | None:
    """The slopes are minus ``alpha``: one, or one for each channel of a known rank."""
    x, alpha = match.value("%x"), match.array("%alpha")
    if x.dtype != DataType.FP32 or x.rank is None or alpha.ndim > x.rank:
        return None
    dims = (1,) * (x.rank - alpha.ndim) + alpha.shape
    channels = dims[1] if x.rank > 1 else 1
    if alpha.size != channels:
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
