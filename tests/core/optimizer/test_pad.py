"""pad3d of images that unsqueeze2 made volumes of."""

from __future__ import annotations

import pytest
from checking import check, program, rand, types

from lite.model.program import Program

PASS = "lite_unsqueeze2_pad3d_squeeze2_fuse_pass"
LIFTED = ["unsqueeze2", "pad3d", "squeeze2"]


def padded(
    mode: str = "constant",
    paddings: str = "1, 0, 2, 3, 0, 0",
    axes: tuple[int, int] = (2, 2),
    more: str = "",
    outputs: str = "y",
) -> Program:
    body = f"""
  Out: [u] = unsqueeze2(X: [x]) {{axes: ints [{axes[0]}]}}
  Out: [p] = pad3d(X: [u]) {{mode: string "{mode}", value: float 0.5, paddings: ints [{paddings}]}}
  Out: [y] = squeeze2(X: [p]) {{axes: ints [{axes[1]}]}}
{more}"""
    return program(body, {"x": (-1, 1, -1, -1)}, outputs.split())


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate"])
@pytest.mark.parametrize("passes", [(), (PASS,)])
def test_planes_are_padded_as_planes(mode: str, passes: tuple[str, ...]) -> None:
    after = check(padded(mode), {"x": rand(2, 1, 4, 5)}, *passes)
    assert types(after) == ["pad2d"]
    assert list(after.root.ops[1].attr("paddings")) == [2, 3, 1, 0]


@pytest.mark.parametrize(
    "before",
    [
        padded(paddings="1, 0, 2, 3, 0, 1", axes=(2, 1)),
        padded(axes=(1, 1)),
        padded(axes=(2, 1)),
        padded(more="  Out: [z] = relu(X: [p])", outputs="y z"),
        padded(outputs="y u"),
        padded("circular"),
    ],
    ids=["depth", "other axes", "another axis", "read elsewhere", "fetched", "circular"],
)
def test_others_stay(before: Program) -> None:
    after = check(before, {"x": rand(2, 1, 4, 5)}, PASS)
    assert types(after)[:3] == LIFTED
