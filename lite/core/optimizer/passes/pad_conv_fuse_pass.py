"""Zeros that pad an image in front of a convolution are the convolution's own padding."""

from __future__ import annotations

from lite.core.optimizer.fold import conv_paddings, is_nchw_conv, is_quantized
from lite.core.optimizer.graph import Node
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType


def _rows_and_columns(pad: Node) -> list[int] | None:
    """Zeros above, below, left and right; None where the operator does anything else."""
    given = pad.integers("paddings")
    if pad.type == "pad":
        if len(given) != 8 or any(given[:4]):
            return None
        given = given[4:]
    elif pad.string("data_format", "NCHW") != "NCHW":
        return None
    zeros = pad.string("mode", "constant") == "constant" and pad.number("pad_value", 0.0) == 0.0
    return given if zeros and len(given) == 4 and min(given) >= 0 else None


def _fold(match: Match) -> Folded | None:
    pad, conv = match.nodes["pad"], match.nodes["conv"]
    added, own = _rows_and_columns(pad), conv_paddings(conv)
    if added is None or own is None:
        return None
    if not is_nchw_conv(conv, match.value("%w")) or is_quantized(conv):
        return None
    sums = [mine + more for mine, more in zip(own, added, strict=True)]
    return {
        "paddings": Attr(AttrType.INTS, sums),
        "explicit": Attr(AttrType.STRING, "EXPLICIT"),
    }


register(
    Pass(
        "pad_conv_fuse_pass",
        (
            Rule(
                """
                Out: [%p] = pad/pad2d@pad(X: [%x])
                Output: [%out] = conv2d/depthwise_conv2d@conv(
                    Input: [%p], Filter: [%w:param], Bias: [%b:any?])
                """,
                "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%b]) "
                "{paddings: var %paddings, padding_algorithm: var %explicit}",
                _fold,
            ),
        ),
    )
)
