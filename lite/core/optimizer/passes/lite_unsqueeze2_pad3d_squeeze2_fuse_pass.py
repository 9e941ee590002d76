"""pad3d of images that were made volumes for it, as Paddle 3 writes F.pad, becomes pad2d."""

from __future__ import annotations

from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType, DataType

_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge"}


def _fold(match: Match) -> Folded | None:
    pad, paddings = match.nodes["pad"], match.nodes["pad"].integers("paddings")
    mode = _MODES.get(pad.string("mode", "constant"))
    if any(match.nodes[name].integers("axes") != [2] for name in ("unsqueeze", "squeeze")):
        return None
    if mode is None or pad.string("data_format", "NCDHW") != "NCDHW":
        return None
    if len(paddings) != 6 or min(paddings) < 0 or any(paddings[4:]):
        return None
    if match.value("%x").dtype != DataType.FP32:
        return None
    left, right, top, bottom = paddings[:4]
    return {
        "paddings": Attr(AttrType.INTS, [top, bottom, left, right]),
        "mode": Attr(AttrType.STRING, mode),
        "value": Attr(AttrType.FLOAT, pad.number("value", 0.0)),
    }


register(
    Pass(
        "lite_unsqueeze2_pad3d_squeeze2_fuse_pass",
        (
            Rule(
                """
                Out: [%volume], XShape: [%before:any?] = unsqueeze2@unsqueeze(X: [%x])
                Out: [%padded] = pad3d@pad(X: [%volume])
                Out: [%out], XShape: [%after:any?] = squeeze2@squeeze(X: [%padded])
                """,
                "Out: [%out] = pad2d(X: [%x]) {paddings: var %paddings, mode: var %mode, "
                'pad_value: var %value, data_format: string "NCHW"}',
                _fold,
            ),
        ),
    )
)
