"""Quantised models: stored exports and real `.nb` files against what Paddle made of them.

data/quantised is made by make_quantised.py. data/real_int8 are files of real Paddle Lite 2.13's opt
for arm: ``int8_kernels`` of three convolutions and a linear layer after post-training quantisation,
``weight_only`` of ``quantised.Convolutions`` with --quant_model true --quant_type QUANT_INT8; and
for huawei_ascend_npu and x86: ``subgraph`` of a quantisation-aware export.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import paddle_oracle
import pytest

import lite
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.core.optimizer import optimize
from lite.model.load import load_program
from lite.model.naive_buffer import write_nb_file
from lite.model.program import AttrType, Program
from lite.model.save import write_protobuf_dir

sys.path.insert(0, str(Path(__file__).parent))
DATA = Path(__file__).parent / "data" / "quantised"
REAL = Path(__file__).parent / "data" / "real_int8"
NAMES = sorted(path.name for path in DATA.iterdir())

if TYPE_CHECKING or paddle_oracle.available():
    import make_models
    import quantised


def close(got: np.ndarray, want: np.ndarray, tol: float = 1e-4) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    assert float(np.abs(got - want).max()) <= tol * float(np.abs(want).max())


@pytest.mark.parametrize("name", NAMES)
def test_stored_export(name: str, tmp_path: Path) -> None:
    folder = str(DATA / name)
    stored = np.load(DATA / name / "expected.npz")
    files = [
        Source(model_dir=folder, targets=(target,)).save_naive_buffer(str(tmp_path / target))
        for target in ("x86", "arm")
    ]
    for predictor in (lite.load(folder), *(lite.load(nb, threads=2) for nb in files)):
        for at in (0, 1, 0):
            close(next(iter(predictor.run([stored[f"in{at}"]]).values())), stored[f"out{at}"])


@pytest.mark.parametrize("name", [n for n in NAMES if n != "weight_only"])
def test_weights_stay_integers_behind_roundings(name: str) -> None:
    """In memory too, whatever their scales are: the runtime multiplies in int8 then."""
    program = Source(model_dir=str(DATA / name)).optimized()
    rounded = {
        name
        for op in program.root.ops
        if op.type == "fake_quantize_dequantize_moving_average_abs_max"
        for name in op.outputs["Out"]
    }
    found = 0
    for op in program.root.ops:
        slots = {"conv2d": ("Input", "Filter"), "fc": ("Input", "W"), "matmul_v2": ("X", "Y")}
        activation, weight = slots.get(op.type, ("", ""))
        if weight and op.inputs[activation][0] in rounded:
            array = program.params.get(op.inputs[weight][0])
            if array is not None:
                assert array.dtype == np.int8 and op.attr(op.inputs[weight][0] + "_quant_scale")
                found += 1
    assert found >= 2


@pytest.mark.parametrize("first", ["integers", "numbers"])
def test_a_weight_that_only_one_reader_multiplies_in_integers(first: str, tmp_path: Path) -> None:
    """The other one reads an activation that is not rounded: it needs the real numbers."""
    name = "ptq_convolutions_onnx_channels"
    source = Source(model_dir=str(DATA / name))
    stored = np.load(DATA / name / "expected.npz")
    program = load_program(source.save_naive_buffer(str(tmp_path / "model")))
    ops = program.root.ops
    at = next(i for i, op in enumerate(ops) if op.type == "conv2d")
    rounding = next(op for op in ops if op.outputs.get("Out") == ops[at].inputs["Input"])
    other = deepcopy(ops[at])
    other.inputs["Input"] = rounding.inputs["X"]
    if first == "integers":  # what follows reads the other one's output
        ops[at].outputs["Output"] = ["unread"]
        ops.insert(at + 1, other)
    else:
        other.outputs["Output"] = ["unread"]
        ops.insert(at, other)
    program.root.vars["unread"] = replace(program.root.vars[rounding.inputs["X"][0]], name="unread")
    path = str(tmp_path / "shared.nb")
    write_nb_file(program, path)
    got = next(iter(lite.load(path).run([stored["in0"]]).values()))
    close(got, stored["out0"], 0.02 if first == "integers" else 1e-4)


def test_files_for_arm_speak_int8(tmp_path: Path) -> None:
    """As real opt writes them: calib, int8 kernels, weights in integers; no fake operators."""
    source = Source(model_dir=str(DATA / "ptq_convolutions_onnx_channels"), targets=("arm",))
    program = load_program(source.save_naive_buffer(str(tmp_path / "arm")))
    assert not any("fake" in op.type or "linear" in op.type for op in program.root.ops)
    kernels = {op.type: op.attr("__@kernel_type_attr@__") for op in program.root.ops}
    assert kernels["conv2d"] == "conv2d/fp32_out/4/2/1"
    assert kernels["depthwise_conv2d"] == "depthwise_conv2d/fp32_out/4/2/1"
    assert kernels["fc"] == "fc/fp32out/4/2/1"
    for op in program.root.ops:
        if op.type in ("conv2d", "depthwise_conv2d"):
            assert op.attr("enable_int8") is True and len(op.attr("Input0_scale")) == 1
            weight = program.params[op.inputs["Filter"][0]]
            assert weight.dtype == np.int8 and len(op.attr("Filter0_scale")) == weight.shape[0]


@pytest.mark.parametrize("device", ["builtin_device", "python"])
def test_a_file_with_a_quantised_subgraph(device: str, tmp_path: Path) -> None:
    name = "qat_convolutions_fake_channels"
    stored = np.load(DATA / name / "expected.npz")
    source = Source(model_dir=str(DATA / name), devices=DeviceOptions(("builtin_device",)))
    nb = source.save_naive_buffer(str(tmp_path / "model"))
    program = load_program(nb)
    assert any(op.type == "subgraph" for op in program.root.ops)
    assert any(array.dtype == np.int8 for array in program.params.values())
    predictor = lite.load(nb, devices=[device])
    for at in (0, 1, 0):
        got = next(iter(predictor.run([stored[f"in{at}"]]).values()))
        close(got, stored[f"out{at}"], 0.04)


@pytest.mark.parametrize(("name", "tol"), [("int8_kernels", 1e-4), ("weight_only", 1e-2)])
def test_real_files(name: str, tol: float) -> None:
    stored = np.load(REAL / name / "expected.npz")
    predictor = lite.load(str(REAL / name / "model.nb"))
    for at in (0, 1, 0):
        got = next(iter(predictor.run([stored[f"in{at}"]]).values()))
        close(got, stored[f"out{at}"], tol)


@pytest.mark.parametrize("name", NAMES)
def test_on_a_device(name: str, tmp_path: Path) -> None:
    """builtin_device computes in int8: as exact as the scales of the results allow."""
    folder, stored = str(DATA / name), np.load(DATA / name / "expected.npz")
    predictor = lite.load(folder, devices=["builtin_device"])
    places = [
        op.place for op in predictor.placement().operators if op.type not in ("feed", "fetch")
    ]
    assert "cpu" not in places and len(predictor.placement().subgraphs) == 1
    tol = 1e-4 if name == "weight_only" else 0.04
    for at in (0, 1, 0):
        got = next(iter(predictor.run([stored[f"in{at}"]]).values()))
        close(got, stored[f"out{at}"], tol)
    whole = lite.load(folder)
    if name != "weight_only":
        cpu = next(iter(whole.run([stored["in0"]]).values()))
        device = next(iter(predictor.run([stored["in0"]]).values()))
        assert float(np.abs(cpu - device).max()) > 1e-6 * float(np.abs(cpu).max())


@pytest.mark.parametrize("config", ["conv2d", "matmul_v2", "conv2d\ndepthwise_conv2d"])
def test_partly_on_the_cpu(config: str) -> None:
    name = "ptq_convolutions_onnx_channels"
    stored = np.load(DATA / name / "expected.npz")
    options = DeviceOptions(("builtin_device",), partition_config=config)
    predictor = lite.load(str(DATA / name), devices=options)
    for at in (0, 1, 0):
        got = next(iter(predictor.run([stored[f"in{at}"]]).values()))
        close(got, stored[f"out{at}"], 0.04)


def test_a_real_subgraph() -> None:
    """Its operators compute in int8 on the CPU where no device takes them."""
    stored = np.load(REAL / "subgraph" / "expected.npz")
    predictor = lite.load(str(REAL / "subgraph" / "model.nb"), devices=["builtin_device"])
    for at in (0, 1, 0):
        got = next(iter(predictor.run([stored[f"in{at}"]]).values()))
        close(got, stored[f"out{at}"], 0.02)


@pytest.mark.parametrize("target", ["x86", "arm"])
@pytest.mark.parametrize("name", ["int8_kernels", "weight_only"])
def test_real_files_optimised_again(name: str, target: str, tmp_path: Path) -> None:
    stored = np.load(REAL / name / "expected.npz")
    source = Source(model_file=str(REAL / name / "model.nb"), targets=(target,))
    predictor = lite.load(source.save_naive_buffer(str(tmp_path / "again")))
    got = next(iter(predictor.run([stored["in0"]]).values()))
    close(got, stored["out0"], 1e-4 if name == "int8_kernels" else 1e-2)


def _damage(name: str, change: Callable[[Program], None], tmp_path: Path) -> str:
    program = load_program(str(REAL / name / "model.nb"))
    change(program)
    path = str(tmp_path / "damaged.nb")
    write_nb_file(program, path)
    return path


def _attr(op: str, name: str, value: list[float] | None) -> Callable[[Program], None]:
    def change(program: Program) -> None:
        found = next(o for o in program.root.ops if o.type == op)
        if value is None:
            del found.attrs[name]
        else:
            found.set_attr(name, AttrType.FLOATS, value)

    return change


def _scalar_weight(program: Program) -> None:
    program.params["conv2d_0.w_0"] = np.array(3, np.int8)


def _two_inputs(program: Program) -> None:
    found = next(o for o in program.root.ops if o.type == "conv2d")
    found.inputs["Input"] *= 2


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("int8_kernels", _attr("conv2d", "Filter0_scale", [1.0] * 5), "5 scales"),
        ("int8_kernels", _attr("conv2d", "Filter0_scale", None), "holds no scales"),
        ("int8_kernels", _attr("conv2d", "Input0_scale", None), "one positive number"),
        ("int8_kernels", _attr("conv2d", "Input0_scale", [0.0]), "one positive number"),
        ("int8_kernels", _attr("conv2d", "Output0_scale", [1.0, 2.0]), "one positive number"),
        ("int8_kernels", _scalar_weight, "of shape"),
        ("int8_kernels", _two_inputs, "one variable each"),
        ("weight_only", _attr("conv2d", "conv2d_0.w_0_quant_scale", [1.0] * 3), "3 scales"),
        ("weight_only", _attr("conv2d", "conv2d_0.w_0_quant_scale", []), "holds no scales"),
    ],
)
def test_damaged_files(
    name: str, change: Callable[[Program], None], said: str, tmp_path: Path
) -> None:
    path = _damage(name, change, tmp_path)
    with pytest.raises(lite.ModelFormatError, match=f"operator .*{said}"):
        lite.load(path)


@pytest.mark.parametrize(("bits", "tol"), [(8, 0.05), (16, 2e-4)])
def test_opt_stores_weights_in_integers(bits: int, tol: float, tmp_path: Path) -> None:
    """A float network, written with --quant_model true, is smaller and has nearly its numbers."""
    program = load_program(str(REAL / "weight_only" / "model.nb"))
    stored = np.load(REAL / "weight_only" / "expected.npz")
    whole = Source(model_file=_float_model(program, tmp_path / "float"))
    plain = whole.save_naive_buffer(str(tmp_path / "plain.nb"))
    small = replace(whole, weight_bits=bits).save_naive_buffer(str(tmp_path / "small.nb"))
    kinds = {str(a.dtype) for a in load_program(small).params.values()}
    assert kinds == {f"int{bits}", "float32"}
    assert Path(small).stat().st_size < Path(plain).stat().st_size
    want = next(iter(lite.load(plain).run([stored["in0"]]).values()))
    got = next(iter(lite.load(small).run([stored["in0"]]).values()))
    assert not np.array_equal(got, want)
    close(got, want, tol)


def _float_model(program: Program, folder: Path) -> str:
    """The network of a weight-only file as a protobuf model with numbers that are no steps."""
    floats = optimize(program, discarded=["post_quant_dynamic_pass"])
    for op in floats.root.ops:
        op.attrs.pop("quantize_weight_bits", None)
    noise = np.random.default_rng(2)
    for name, array in floats.params.items():
        floats.params[name] = array * noise.uniform(0.9, 1.1, array.shape).astype("float32")
    write_protobuf_dir(floats, str(folder))
    return str(folder / "model")


@pytest.mark.filterwarnings("error")
def test_a_channel_of_less_than_a_float_s_steps_is_zeros(tmp_path: Path) -> None:
    program = load_program(str(REAL / "weight_only" / "model.nb"))
    source = Source(model_file=_float_model(program, tmp_path / "float"), weight_bits=8)
    floats = source.read()
    for array in floats.params.values():
        array[...] *= np.float32(1e-45) / np.abs(array).max()
    write_protobuf_dir(floats, str(tmp_path / "float"))
    small = source.save_naive_buffer(str(tmp_path / "small.nb"))
    assert not any(a.any() for a in load_program(small).params.values() if a.dtype == np.int8)


def test_integers_of_a_weight_only_model_stay_in_the_file(tmp_path: Path) -> None:
    source = Source(model_dir=str(DATA / "weight_only"))
    nb = load_program(source.save_naive_buffer(str(tmp_path / "m.nb")))
    assert {str(a.dtype) for a in nb.params.values()} == {"int8", "float32"}
    before = source.read().params
    stored = {n: a for n, a in before.items() if a.dtype == np.int8}
    assert len(stored) >= 4
    for name, array in stored.items():
        np.testing.assert_array_equal(nb.params[name], array)


needs_paddle = pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6")


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("weights", ["channel_wise_abs_max", "abs_max"])
@pytest.mark.parametrize("net", ["Mobile", "Convolutions"])
def test_weight_only(net: str, weights: str, bits: int, tmp_path: Path) -> None:
    make = getattr(quantised, net)
    spec = quantised.PICTURE
    integers, numbers = quantised.weight_only(make, spec, weights, bits, str(tmp_path))
    feeds = quantised.pictures()
    expected = make_models.oracle(numbers, feeds)
    predictor = lite.load(integers)
    for feed, outputs in zip(feeds, expected, strict=True):
        (want, _), *_ = outputs.values()
        close(next(iter(predictor.run([feed["x"]]).values())), want)


@pytest.mark.paddle
@needs_paddle
def test_weight_only_without_scales_is_an_error(tmp_path: Path) -> None:
    integers, _ = quantised.weight_only(
        quantised.Mobile, quantised.PICTURE, "abs_max", 8, str(tmp_path), lost=True
    )
    with pytest.raises(lite.ModelFormatError, match="has lost them"):
        lite.load(integers)
