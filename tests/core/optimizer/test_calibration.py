"""Quantised programs on devices: scales spread, removed, and calib where integers meet floats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from checking import count, positive, program, rand, types
from interpreter import execute

from lite.core.optimizer.quantization.propagation import level_of, thresholds_of
from lite.core.partition import PartitionConfig, PartitionRequest, Placement, partition
from lite.errors import ConfigError
from lite.model.program import DataType, OpDesc, Program

ROUND = "fake_quantize_dequantize_moving_average_abs_max"
CONV = "strides: ints [1, 1], paddings: ints [1, 1], dilations: ints [1, 1], groups: int 1"
BODY = f"""
    Out: [q] = {ROUND}(X: [x], InScale: [s0]) {{is_test: bool true}}
    Out: [v] = fake_channel_wise_quantize_dequantize_abs_max(X: [w]) {{quant_axis: int 0}}
    Output: [c] = conv2d(Input: [q], Filter: [v]) {{{CONV}, out_threshold: float 9.0}}
    Out: [b] = elementwise_add(X: [c], Y: [bias]) {{axis: int 1, out_threshold: float 9.0}}
    Out: [r] = relu(X: [b]) {{out_threshold: float 9.0}}
    Out: [t] = {ROUND}(X: [r], InScale: [s1]) {{is_test: bool true}}
    Out: [f], XShape: [g] = reshape2(X: [r]) {{shape: ints [0, -1]}}
    Out: [k] = {ROUND}(X: [f], InScale: [s1]) {{is_test: bool true}}
    Out: [m] = fake_quantize_dequantize_abs_max(X: [n])
    Out: [d] = matmul_v2(X: [k], Y: [m]) {{out_threshold: float 6.0}}
    Out: [e] = abs(X: [t])
    Out: [h] = sigmoid(X: [d]) {{out_threshold: float 1.0}}
    Out: [y] = scale(X: [h]) {{scale: float 0.5}}
    """


def picture(largest: float = 2.4) -> dict[str, np.ndarray]:
    """An input within the range for which the program was quantised."""
    x = np.random.default_rng(11).standard_normal((2, 3, 6, 6)).astype("float32")
    return {"x": np.clip(x, -largest, largest)}


def quantised() -> Program:
    random = np.random.default_rng(7)
    params = {
        "s0": np.array([2.5], "float32"),
        "s1": np.array([8.0], "float32"),
        "w": random.standard_normal((4, 3, 3, 3)).astype("float32") * np.float32(0.4),
        "bias": random.standard_normal(4).astype("float32"),
        "n": random.standard_normal((4 * 36, 5)).astype("float32") * np.float32(0.1),
    }
    return program(BODY, {"x": (2, 3, 6, 6)}, ["y", "e", "r"], params)


def partitioned(
    before: Program, refused: set[str] = frozenset(), mixed: str = "", strict: bool = False
) -> Program:
    def check(of: Program, block: int, clusters: list[list[int]]) -> Mapping[int, str]:
        ops = of.blocks[block].ops
        return {at: "no" for c in clusters for at in c if ops[at].type in refused}

    request = PartitionRequest(("npu",), check, strict=strict)
    if mixed:
        config = PartitionConfig(mixed, "the mixed-precision config")
        request = replace(request, mixed_precision=config)
    return partition(before, request)[0]


def inner(of: Program, kind: str) -> OpDesc:
    (found,) = (op for block in of.blocks[1:] for op in block.ops if op.type == kind)
    return found


def test_everything_on_the_device() -> None:
    after = partitioned(quantised())
    assert types(after)[0] == "calib" and "subgraph" in types(after)
    conv = inner(after, "conv2d")
    assert conv.inputs == {"Input": ["x/quant"], "Filter": ["w"], "Bias": ["c.bias"]}
    np.testing.assert_array_equal(after.params["c.bias"], quantised().params["bias"])
    assert conv.attr("enable_int8") is True
    np.testing.assert_allclose(conv.attr("Input0_scale"), [2.5 / 127], rtol=1e-6)
    # What the ReLU behind it cuts off needs no steps.
    np.testing.assert_allclose(conv.attr("Output0_scale"), [8 / 127], rtol=1e-6)
    assert after.params["w"].dtype == np.int8
    assert not any(n.endswith("_simulation") for b in after.blocks for o in b.ops for n in o.attrs)
    made = next(op for op in after.blocks[0].ops if op.type == "subgraph")
    names = made.inputs["Inputs"]
    np.testing.assert_allclose(
        made.attr(f"Inputs{names.index('x/quant')}_scale"), [2.5 / 127], rtol=1e-6
    )
    assert len(made.attr(f"Inputs{names.index('w')}_scale")) == 4


def test_constants_of_elementwise_operators_get_the_scale_that_they_fill() -> None:
    body = f"""
        Out: [q] = {ROUND}(X: [x], InScale: [s]) {{is_test: bool true}}
        Out: [y] = elementwise_mul(X: [q], Y: [n]) {{axis: int 1, out_threshold: float 4.0}}
        """
    params = {"s": np.float32([2.5]), "n": np.float32([0.1, -0.5, 0.3])}
    after = partitioned(program(body, {"x": (2, 3, 6, 6)}, ["y"], params))
    mul = inner(after, "elementwise_mul")
    np.testing.assert_allclose(mul.attr("Y0_scale"), [0.5 / 127], rtol=1e-6)
    np.testing.assert_array_equal(after.params["n"], np.int8([25, -127, 76]))


OPERATORS = [
    "conv2d",
    "elementwise_add",
    "relu",
    "matmul_v2",
    "sigmoid",
    "abs",
    "reshape2",
    "scale",
]


@pytest.mark.parametrize(
    "refused",
    [set(some) for n in range(3) for some in combinations(OPERATORS, n)],
    ids=lambda refused: "+".join(sorted(refused)) or "none",
)
def test_any_support_gives_the_numbers(refused: set[str]) -> None:
    before, feeds = quantised(), picture()
    after = partitioned(before, refused)
    for kind in refused:
        assert not any(op.type == kind for block in after.blocks[1:] for op in block.ops)
    assert after.fetch_names() == before.fetch_names()
    for want, got in zip(execute(before, feeds), execute(after, feeds), strict=True):
        assert want.shape == got.shape and want.dtype == got.dtype
        assert float(np.abs(want - got).max()) <= 0.06 * float(np.abs(want).max())


def test_without_scales_of_results_nothing_computes_in_integers() -> None:
    body = f"""
        Out: [q] = {ROUND}(X: [x], InScale: [s]) {{is_test: bool true}}
        Out: [m] = fake_quantize_dequantize_abs_max(X: [n])
        Out: [d] = matmul_v2(X: [q], Y: [m])
        Out: [y] = exp(X: [d])
        """
    before = program(body, {"x": (2, 4)}, ["y"], {"s": positive(1), "n": rand(4, 5)})
    after = partitioned(before)
    assert count(after)["calib"] == 0 and after.params["n"].dtype == np.float32


def test_a_float_program_is_left_alone() -> None:
    body = "Out: [a] = relu(X: [x]) {out_threshold: float 3.0}\nOut: [y] = exp(X: [a])"
    after = partitioned(program(body, {"x": (2, 4)}, ["y"]))
    assert count(after)["calib"] == 0
    assert not any(n.endswith("_scale") for b in after.blocks for op in b.ops for n in op.attrs)


def test_two_subgraphs_hand_each_other_integers() -> None:
    after = partitioned(quantised(), {"reshape2"})
    assert count(after)["subgraph"] == 2
    feeds = picture()
    execute(after, feeds)


# -- The mixed-precision config


@pytest.mark.parametrize("line", ["conv2d", "conv2d:x:c", "conv2d::c", "# all\n conv2d \r\n"])
def test_named_operators_compute_in_floats(line: str) -> None:
    before, feeds = quantised(), picture()
    after = partitioned(before, mixed=line)
    conv = inner(after, "conv2d")
    assert conv.inputs["Input"] == ["x"] and after.params["w"].dtype == np.float32
    assert not any(name.endswith("_scale") for name in conv.attrs)
    assert conv.attr("enable_int8") is None
    for want, got in zip(execute(before, feeds), execute(after, feeds), strict=True):
        assert float(np.abs(want - got).max()) <= 0.06 * float(np.abs(want).max())


def test_a_line_that_names_nothing_is_said() -> None:
    with pytest.warns(UserWarning, match=r"mixed-precision config: line 1.*conv3d"):
        partitioned(quantised(), mixed="conv3d")
    with pytest.raises(ConfigError, match=r"line 1.*conv3d"):
        partitioned(quantised(), mixed="conv3d", strict=True)


# -- How scales spread

SPREAD = f"""
    Out: [q] = {ROUND}(X: [x], InScale: [s]) {{is_test: bool true}}
    Out: [m] = fake_quantize_dequantize_abs_max(X: [n])
    Out: [d] = matmul_v2(X: [q], Y: [m])
    Out: [a] = relu(X: [d])
    Out: [b], XShape: [z] = reshape2(X: [a]) {{shape: ints [0, -1]}}
    Out: [y] = sigmoid(X: [b])
    """


def spread(monkeypatch: pytest.MonkeyPatch, level: str, config: str = "") -> dict[str, list[str]]:
    monkeypatch.setenv("QUANT_AUTO_COMPLETE_SCALE_LEVEL", level)
    monkeypatch.setenv("QUANT_AUTO_COMPLETE_SCALE_CONFIG_BUFFER", config)
    before = program(SPREAD, {"x": (2, 4)}, ["y"], {"s": positive(1), "n": rand(4, 5)})
    after = partitioned(before)
    assert len(after.blocks) == 2
    return {
        op.type: sorted(n[:-6] for n in op.attrs if n.endswith("_scale"))
        for op in after.blocks[1].ops
        if op.type != "calib"
    }


def test_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    assert spread(monkeypatch, "0")["matmul_v2"] == []
    config = "d:3.5"
    assert spread(monkeypatch, "0", config)["matmul_v2"] == ["Out0", "X0", "Y0"]
    assert spread(monkeypatch, "1", config)["relu"] == []
    second = spread(monkeypatch, "2", config)
    assert second["relu"] == second["reshape2"] == ["Out0", "X0"] and second["sigmoid"] == []
    assert spread(monkeypatch, "3", config)["sigmoid"] == ["Out0", "X0"]


@pytest.mark.parametrize(
    "text", ["a:1,b-c:0.5", "a:1.0\nb-c:5e-1\r\n# x:y\n", "a:1-b-c:0.5", " a : 1 , b-c : .5 "]
)
def test_thresholds(text: str, tmp_path: Path) -> None:
    assert thresholds_of({"QUANT_AUTO_COMPLETE_SCALE_CONFIG_BUFFER": text}) == {"a": 1, "b-c": 0.5}
    file = tmp_path / "scales"
    file.write_text(text)
    values = {"QUANT_AUTO_COMPLETE_SCALE_CONFIG_FILE": str(file)}
    assert thresholds_of(values) == {"a": 1, "b-c": 0.5}


@pytest.mark.parametrize("text", ["a", "a:", ":1", "a:x", "a:0", "a:1,b", "a:1e999", "a:-1", ","])
def test_bad_thresholds(text: str) -> None:
    with pytest.raises(ConfigError, match="line 1"):
        thresholds_of({"QUANT_AUTO_COMPLETE_SCALE_CONFIG_BUFFER": text})


def test_bad_settings(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        thresholds_of({"QUANT_AUTO_COMPLETE_SCALE_CONFIG_FILE": str(tmp_path / "none")})
    with pytest.raises(ConfigError, match="LEVEL is 'two'"):
        level_of({"QUANT_AUTO_COMPLETE_SCALE_LEVEL": "two"})
    assert level_of({}) == 0 and thresholds_of({}) == {}


# -- What devices are asked


def test_devices_are_asked_about_the_calib_operators_too() -> None:
    seen: list[str] = []

    def check(of: Program, block: int, clusters: list[list[int]]) -> Mapping[int, str]:
        ops = of.blocks[block].ops
        seen.extend(ops[at].type for cluster in clusters for at in cluster)
        for cluster in clusters:
            for at in cluster:
                if ops[at].type == "conv2d":
                    assert ops[at].input("Input") == "x/quant"
                    assert of.root.vars["x/quant"].dtype is DataType.INT8
        return {}

    request = PartitionRequest(("npu",), check)
    partition(quantised(), request)
    assert "calib" in seen


def asked(refuse: Callable[[OpDesc], bool]) -> tuple[Program, Placement]:
    def check(of: Program, block: int, clusters: list[list[int]]) -> Mapping[int, str]:
        ops = of.blocks[block].ops
        return {at: "no" for c in clusters for at in c if refuse(ops[at])}

    request = PartitionRequest(("npu",), check)
    return partition(quantised(), request)


def test_what_a_device_takes_in_floats_only_goes_there_in_floats() -> None:
    after, _ = asked(lambda op: op.type == "relu" and op.attr("Out0_scale") is not None)
    relu = inner(after, "relu")
    assert relu.inputs["X"] == ["b/dequant"] and relu.attr("Out0_scale") is None
    feeds = picture()
    for want, got in zip(execute(quantised(), feeds), execute(after, feeds), strict=True):
        assert float(np.abs(want - got).max()) <= 0.06 * float(np.abs(want).max())


class FloatBorders:
    """A device that wants no integers from outside."""

    float_borders = True

    def __call__(self, of: Program, block: int, clusters: list[list[int]], /) -> Mapping[int, str]:
        for cluster in clusters:
            ops = [of.blocks[block].ops[at] for at in cluster]
            made = {name for op in ops for name in op.output_names()}
            for op in ops:
                for name in op.input_names():
                    if name in of.root.vars and name not in made and name not in of.params:
                        assert of.root.vars[name].dtype is not DataType.INT8
        return {}


def test_integers_that_may_not_cross_a_border_are_made_inside() -> None:
    after, _ = partition(quantised(), PartitionRequest(("npu",), FloatBorders()))
    assert types(after) == ["subgraph"]
    (made,) = (op for op in after.root.ops if op.type == "subgraph")
    assert not any("/quant" in name or "/int8" in name for name in made.input_names())
    kinds = [op.type for op in after.blocks[1].ops]
    assert kinds[0] == "calib" and kinds.count("calib") >= 3
    feeds = picture()
    for want, got in zip(execute(quantised(), feeds), execute(after, feeds), strict=True):
        assert float(np.abs(want - got).max()) <= 0.06 * float(np.abs(want).max())


def test_a_device_without_conversions_computes_in_floats() -> None:
    after, placement = asked(lambda op: op.type == "calib")
    assert not any(op.type == "calib" for block in after.blocks[1:] for op in block.ops)
    assert not any(op.place == "cpu" and not op.is_io for op in placement.operators)
    feeds = picture()
    for want, got in zip(execute(quantised(), feeds), execute(after, feeds), strict=True):
        assert float(np.abs(want - got).max()) <= 0.06 * float(np.abs(want).max())
