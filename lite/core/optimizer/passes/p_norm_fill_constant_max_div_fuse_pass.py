"""x / max(p_norm(x, 2), eps) becomes ``norm``, whose x / sqrt(sum x^2 + eps^2) is the same.

The two differ only for vectors whose length is about eps: eps up to 1e-10 is taken.
"""

from __future__ import annotations

from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType, DataType

_MAX_EPSILON = 1e-10
_MIN_EPSILON = 1e-18
_P_NORM_EPSILON = 1e-10


def _fold(match: Match) -> Folded | None:
    norm, x = match.nodes["norm"], match.value("%x")
    bound = match.array("%eps")
    if x.dtype != DataType.FP32 or x.rank is None or bound.size != 1 or bound.ndim > x.rank:
        return None
    if norm.number("porder", 2.0) != 2.0 or not norm.flag("keepdim") or norm.flag("asvector"):
        return None
    if norm.number("epsilon", 1e-12) > _P_NORM_EPSILON:
        return None
    epsilon = float(bound.reshape(-1)[0])
    if not _MIN_EPSILON <= epsilon <= _MAX_EPSILON:
        return None
    axis = norm.integer("axis", -1)
    return {
        "axis": Attr(AttrType.INT, axis),
        "epsilon": Attr(AttrType.FLOAT, epsilon * epsilon),
    }


register(
    Pass(
        "p_norm_fill_constant_max_div_fuse_pass",
        (
            Rule(
                """
                Out: [%n] = p_norm@norm(X: [%x])
                Out: [%m] = elementwise_max(X: [%n], Y: [%eps:param])
                Out: [%out] = elementwise_div(X: [%x], Y: [%m]) {axis/absent: int -1}
                """,
                "Out: [%out], Norm: [%length] = norm(X: [%x]) "
                "{axis: var %axis, epsilon: var %epsilon}",
                _fold,
            ),
        ),
    )
)
