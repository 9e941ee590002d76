"""scale behind scale becomes one scale (floating point only: integers round in between)."""

from __future__ import annotations

import math

from lite.core.optimizer.fold import affine_scale
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType, DataType

_FLT_MAX = 3.4028234e38


def _fold(match: Match) -> Folded | None:
    first, second = affine_scale(match.nodes["first"]), affine_scale(match.nodes["second"])
    if first is None or second is None or match.value("%x").dtype != DataType.FP32:
        return None
    scale, bias = first[0] * second[0], first[1] * second[0] + second[1]
    if not all(math.isfinite(v) and abs(v) <= _FLT_MAX for v in (scale, bias)):
        return None
    return {"scale": Attr(AttrType.FLOAT, scale), "bias": Attr(AttrType.FLOAT, bias)}


register(
    Pass(
        "lite_scales_fuse_pass",
        (
            Rule(
                "Out: [%m] = scale@first(X: [%x])\nOut: [%out] = scale@second(X: [%m])",
                "Out: [%out] = scale(X: [%x]) "
                "{scale: var %scale, bias: var %bias, bias_after_scale: bool true}",
                _fold,
            ),
        ),
    )
)
