"""An activation behind a convolution becomes its ``act_type``.

relu everywhere; relu6, leaky_relu and hard_swish on what real Paddle Lite's x86 kernels also
compute. hard_swish stays alone behind a depthwise convolution for ARM, whose kernels lack it.
"""

from __future__ import annotations

from lite.core.optimizer.fold import CONVS, is_linear_conv
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType


def _number(match: Match, name: str, default: float) -> Attr:
    return Attr(AttrType.FLOAT, match.nodes["act"].number(name, default))


def _relu(match: Match) -> Folded | None:
    return {} if is_linear_conv(match.nodes["conv"], match.value("%w")) else None


def _relu6(match: Match) -> Folded | None:
    if _relu(match) is None:
        return None
    return {"threshold": _number(match, "threshold", 6.0)}


def _leaky_relu(match: Match) -> Folded | None:
    return None if _relu(match) is None else {"alpha": _number(match, "alpha", 0.02)}


def _hard_swish(match: Match) -> Folded | None:
    conv, scale = match.nodes["conv"], match.nodes["act"].number("scale", 6.0)
    if _relu(match) is None or scale == 0:
        return None
    if conv.type == "depthwise_conv2d" and "arm" in match.graph.targets:
        return None
    return {
        "threshold": _number(match, "threshold", 6.0),
        "scale": _number(match, "scale", 6.0),
        "offset": _number(match, "offset", 3.0),
    }


def _rule(convs: str, act: str, attrs: str, fold: object) -> Rule:
    return Rule(
        f"""
        Output: [%c] = {convs}@conv(Input: [%x], Filter: [%w:param], Bias: [%b:param?])
        Out: [%out] = {act}@act(X: [%c])
        """,
        "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%b]) "
        f'{{with_act: bool true, act_type: string "{act}", {attrs}}}',
        fold,  # type: ignore[arg-type]
    )


register(
    Pass(
        "lite_conv_activation_fuse_pass",
        (
            _rule(CONVS, "relu", "fuse_relu: bool true", _relu),
            _rule(
                "conv2d/depthwise_conv2d", "relu6", "fuse_brelu_threshold: var %threshold", _relu6
            ),
            _rule(
                "conv2d/depthwise_conv2d", "leaky_relu", "leaky_relu_alpha: var %alpha", _leaky_relu
            ),
            _rule(
                "conv2d/depthwise_conv2d",
                "hard_swish",
                "hard_swish_threshold: var %threshold, hard_swish_scale: var %scale, "
                "hard_swish_offset: var %offset",
                _hard_swish,
            ),
        ),
    )
)
