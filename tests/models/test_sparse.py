"""Sparse convolutions and half precision: files of real opt for arm, and ours of the same model.

data/real_sparse is a network of 1 x 1 convolutions with 65, 73 and 33 percent of zeros; the `.nb`
files are what Paddle Lite 2.13's opt makes of it with --sparse_model true and --sparse_threshold
0.6 and 0.2; half.nb is 2.14's with --enable_fp16 true; expected.npz is what Paddle computes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lite
from lite.model.load import load_program
from lite.model.program import Program

REAL = Path(__file__).parent / "data" / "real_sparse"
SLOTS = ("NonZeroWeights", "OcNonZeros", "Diffs")


def _sparse(program: Program) -> list[list[object]]:
    """first_ic and the arrays of each sparse convolution."""
    return [
        [op.attr("first_ic"), *(program.params[op.inputs[slot][0]].tolist() for slot in SLOTS)]
        for op in program.root.ops
        if op.type == "sparse_conv2d"
    ]


def _convert(target: str, folder: Path, threshold: float | None = None, half: bool = False) -> str:
    opt = lite.Opt()
    opt.set_model_file(str(REAL / "inference.pdmodel"))
    opt.set_param_file(str(REAL / "inference.pdiparams"))
    opt.set_valid_places(target)
    opt.set_optimize_out(str(folder / "out"))
    opt.set_sparse_model(not half)
    if half:
        opt.enable_fp16()
    if threshold is not None:
        opt.set_sparse_threshold(threshold)
    opt.run()
    return str(folder / "out.nb")


def _check(path: str, threads: int = 1) -> None:
    stored = np.load(REAL / "expected.npz")
    predictor = lite.load(path, threads=threads)
    for _ in range(2):
        got = next(iter(predictor.run([stored["in0"]]).values()))
        np.testing.assert_allclose(got, stored["out0"], rtol=0, atol=1e-6)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["60_percent", "20_percent", "half"])
def test_real_files(name: str, threads: int) -> None:
    _check(str(REAL / f"{name}.nb"), threads)


@pytest.mark.parametrize(("name", "threshold"), [("60_percent", None), ("20_percent", 0.2)])
def test_ours_hold_what_real_ones_hold(name: str, threshold: float | None, tmp_path: Path) -> None:
    made = _convert("arm", tmp_path, threshold)
    real = load_program(str(REAL / f"{name}.nb"))
    found = load_program(made)
    assert len(_sparse(real)) == (2 if threshold is None else 3)
    assert _sparse(found) == _sparse(real)
    kernels = {op.attr("__@kernel_type_attr@__") for op in found.root.ops if "sparse" in op.type}
    assert kernels == {"sparse_conv2d/def/4/1/1"}
    _check(made)


def test_not_for_x86(tmp_path: Path) -> None:
    made = _convert("x86", tmp_path, None)
    assert _sparse(load_program(made)) == []
    _check(made)


def test_another_input_size_is_an_error() -> None:
    predictor = lite.load(str(REAL / "60_percent.nb"))
    with pytest.raises(lite.LiteError, match="another input size"):
        predictor.run([np.zeros((1, 3, 40, 32), "float32")])


def _half(program: Program) -> list[object]:
    """The kernels in order, each with the number of weights that are marked."""
    return [
        (op.attr("__@kernel_type_attr@__"), sum(name.endswith("_fp16") for name in op.attrs))
        for op in program.root.ops
        if op.type not in ("reshape2", "calib")
    ]


def test_half_precision_is_named_as_in_real_files(tmp_path: Path) -> None:
    """Ours folds biases into convolutions, which real opt leaves beside them in this model."""
    made = _convert("arm", tmp_path, half=True)
    found, real = load_program(made), load_program(str(REAL / "half.nb"))
    named = {kernel for kernel, _ in _half(found)}
    assert named <= {kernel for kernel, _ in _half(real)} | {"conv2d/def/4/5/1"}
    assert {"conv2d/def/4/5/1", "fc/def/4/5/1", "reduce_mean/def/4/1/1"} <= named
    calibs = [op for op in found.root.ops if op.type == "calib"]
    assert [op.attr("__@kernel_type_attr@__").split("/")[1] for op in calibs] == [
        "fp32_to_fp16",
        "fp16_to_fp32",
        "fp32_to_fp16",
        "fp16_to_fp32",
    ]
    for op in found.root.ops:
        if op.type in ("conv2d", "fc"):
            weights = [n for names in op.inputs.values() for n in names if n in found.params]
            assert weights and all(op.attr(n + "_fp16") == "fp16" for n in weights)
    assert {array.dtype.name for array in found.params.values()} == {"float32"}
    _check(made)


def test_half_precision_not_for_x86(tmp_path: Path) -> None:
    made = _convert("x86", tmp_path, half=True)
    assert not any("/5/1" in str(kernel) for kernel, _ in _half(load_program(made)))
    _check(made)
