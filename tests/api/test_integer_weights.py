"""Weights that a model holds in int8 stay so in memory, as the floats that they stand for."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from api.pack_models import WIDTHS, deep
from api.tiny_models import Array

import lite
from lite.core.optimizer import optimize
from lite.model.naive_buffer import write_nb_file
from lite.model.program import Attr, AttrType, BlockDesc, OpDesc, Program, VarDesc
from lite.model.save import write_protobuf_dir


def as_floats(integers: Program) -> Program:
    """The same model with the numbers that its integers stand for."""
    floats = deepcopy(integers)
    for op in floats.root.ops:
        for name in [n for n in op.attrs if n.endswith("_quant_scale")]:
            weight = name.removesuffix("_quant_scale")
            scales = np.asarray(op.attrs.pop(name).value, np.float32)
            if op.type == "conv2d":
                scales = scales.reshape(-1, 1, 1, 1)
            floats.params[weight] = floats.params[weight].astype(np.float32) * scales
        op.attrs.pop("quantize_weight_bits", None)
    return floats


@pytest.fixture(scope="module")
def integers() -> Program:
    program = optimize(deep(), weight_bits=8)
    assert all(array.dtype == np.int8 for array in program.params.values())
    return program


def x(rows: int) -> Array:
    return np.random.default_rng(rows).normal(size=(rows, WIDTHS[0])).astype(np.float32)


def kernels(predictor: lite.Predictor) -> set[str]:
    profile = predictor.profile([x(2)], runs=1)
    return {op.algorithm for op in profile.operators if op.algorithm}


@pytest.mark.parametrize("rows", [1, 5, 40])
@pytest.mark.parametrize("precision", ["fp32", "bf16", "fp16"])
def test_bits_of_the_floats(integers: Program, tmp_path: Path, rows: int, precision: str) -> None:
    paths = [str(tmp_path / name) for name in ("integers.nb", "floats.nb")]
    for program, path in zip((integers, as_floats(integers)), paths, strict=True):
        write_nb_file(program, path)
    ours, floats = (lite.load(path, precision=precision) for path in paths)
    result, expected = ours.run(x(rows))["y2"], floats.run(x(rows))["y2"]
    assert kernels(ours) == {"int8_weights" if precision == "fp32" else precision}
    if "tiles" in kernels(floats):  # where there is AMX, floats are multiplied there
        np.testing.assert_allclose(result, expected, rtol=0, atol=1e-5)
        return
    np.testing.assert_array_equal(result, expected)
    assert kernels(floats) == {"packed" if precision == "fp32" else precision}


def test_a_model_that_is_optimised_as_it_is_loaded(integers: Program, tmp_path: Path) -> None:
    floats = as_floats(integers)
    write_nb_file(floats, str(tmp_path / "floats.nb"))
    write_protobuf_dir(integers, str(tmp_path / "model"))
    predictor = lite.load(str(tmp_path / "model"))
    expected = lite.load(str(tmp_path / "floats.nb")).run(x(3))["y2"]
    apart = np.abs(next(iter(predictor.run(x(3)).values())) - expected).max()
    assert apart <= 2e-6 * np.abs(expected).max()
    assert kernels(predictor) == {"int8_weights"}


def test_packed_files(integers: Program, tmp_path: Path) -> None:
    path = str(tmp_path / "integers.nb")
    write_nb_file(integers, path)
    expected = lite.load(path).run(x(3))["y2"]
    packed = Path(lite.pack(path, x(3)))
    assert packed.stat().st_size < 1.2 * Path(path).stat().st_size
    np.testing.assert_array_equal(lite.load(path).run(x(3))["y2"], expected)


def test_one_weight_with_two_sets_of_scales(integers: Program, tmp_path: Path) -> None:
    program = deepcopy(integers)
    last = program.root.ops[-2]
    assert last.type in ("matmul_v2", "fc", "mul"), last.type
    twin = deepcopy(last)
    (scales,) = (attr for name, attr in twin.attrs.items() if name.endswith("_quant_scale"))
    scales.value = [2 * s for s in scales.value]
    twin.outputs = {slot: ["twice"] for slot in twin.outputs}
    program.root.vars["twice"] = deepcopy(program.root.vars[last.outputs["Out"][0]])
    program.root.vars["twice"].name = "twice"
    fetch = deepcopy(program.root.ops[-1])
    fetch.inputs = {"X": ["twice"]}
    fetch.attrs["col"].value = 1
    program.root.ops[-1:-1] = [twin]
    program.root.ops.append(fetch)
    path = str(tmp_path / "two.nb")
    write_nb_file(program, path)
    results = lite.load(path).run(x(3))
    np.testing.assert_array_equal(results["twice"], 2 * results["y2"])


# Filters, channels of a group, kernel; of an image's first convolution, of one that Winograd is
# faster for, of one in groups and of a plain product.
FILTERS = {
    "first": (72, 3, 5),
    "winograd": (80, 72, 3),
    "groups": (40, 40, 3),
    "point": (70, 40, 1),
}


@pytest.fixture(scope="module")
def convolutions() -> Program:
    """One after the other; the third has two groups."""
    rng = np.random.RandomState(0)
    program = Program([BlockDesc()])
    block = program.root
    col = {"col": Attr(AttrType.INT, 0)}
    block.ops = [OpDesc("feed", {}, {"Out": ["x"]}, col)]
    last = "x"
    for name, (filters, channels, size) in FILTERS.items():
        shape = (filters, channels, size, size)
        program.params[name] = rng.normal(size=shape).astype(np.float32)
        pads = {"paddings": Attr(AttrType.INTS, [size // 2] * 2)}
        pads["groups"] = Attr(AttrType.INT, 2 if name == "groups" else 1)
        slots = {"Input": [last], "Filter": [name]}
        last = f"{name}_out"
        block.ops.append(OpDesc("conv2d", slots, {"Output": [last]}, pads))
    block.ops.append(OpDesc("fetch", {"X": [last]}, {}, col))
    block.vars = {name: VarDesc(name) for op in block.ops for name in op.output_names()}
    block.vars["x"] = VarDesc("x", shape=(-1, 3, 20, 20))
    optimized = optimize(program, weight_bits=8)
    assert all(array.dtype == np.int8 for array in optimized.params.values())
    return optimized


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_convolutions(convolutions: Program, tmp_path: Path, precision: str) -> None:
    paths = [str(tmp_path / name) for name in ("integers.nb", "floats.nb")]
    for program, path in zip((convolutions, as_floats(convolutions)), paths, strict=True):
        write_nb_file(program, path)
    ours, floats = (lite.load(path, precision=precision) for path in paths)
    image = np.random.default_rng(0).normal(size=(2, 3, 20, 20)).astype(np.float32)
    (expected,) = floats.run([image]).values()
    (result,) = ours.run([image]).values()
    # Winograd's weights are rounded in another order, which bf16 magnifies.
    limit = 1e-5 if precision == "fp32" else 4e-3
    assert np.abs(result - expected).max() <= limit * np.abs(expected).max()
    profile = ours.profile([image], runs=1)
    algorithms = [op.algorithm for op in profile.operators if op.algorithm]
    if precision == "fp32":
        assert algorithms == ["planes", "winograd_4", "direct", "int8_weights"]
    lite.pack(paths[0], image, precision=precision)
    packed = lite.load(paths[0], precision=precision).run([image])
    np.testing.assert_array_equal(next(iter(packed.values())), result)


def test_convolutions_that_came_in_integers(convolutions: Program, tmp_path: Path) -> None:
    write_protobuf_dir(convolutions, str(tmp_path / "model"))
    predictor = lite.load(str(tmp_path / "model"))
    image = np.random.default_rng(0).normal(size=(1, 3, 20, 20)).astype(np.float32)
    algorithms = [op.algorithm for op in predictor.profile([image], runs=1).operators]
    assert "int8_weights" in algorithms
