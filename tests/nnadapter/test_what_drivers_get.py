"""What drivers get is what Paddle Lite's public drivers count on, as drivers/strict.cc insists."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from probes import build

from lite import _core
from lite.api.build import make_core
from lite.api.devices import DeviceOptions
from lite.core.partition import partition
from lite.errors import DeviceError
from lite.model.program import Program
from lite.model.text import parse_program
from lite.nnadapter import capi
from lite.nnadapter.types import Lifetime, OperationType, Precision

DEVICE = "strict_npu"
Recorded = dict[str, Any]


@pytest.fixture(scope="session")
def strict_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("strict")
    build(folder, DEVICE, "strict.cc")
    return folder


@pytest.fixture
def record(strict_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the driver writes the models that it gets."""
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(strict_folder))
    monkeypatch.setenv("PROBE_RECORD", str(tmp_path / "models.json"))
    yield tmp_path / "models.json"


def models(record: Path) -> list[Recorded]:
    return [json.loads(line) for line in record.read_text().splitlines()]


def named(model: Recorded) -> list[tuple[str, list[Any], list[Any]]]:
    """The operations: name, input operands and output operands, None where they are null."""

    def of(indexes: list[int | None]) -> list[Any]:
        return [None if i is None else model["operands"][i] for i in indexes]

    return [
        (OperationType(op["type"]).name, of(op["inputs"]), of(op["outputs"]))
        for op in model["operations"]
    ]


def converted(
    record: Path,
    op: str,
    inputs: dict[str, Any],
    outputs: list[str],
    attrs: dict[str, Any],
    **options: Any,
) -> list[tuple[str, list[Any], list[Any]]]:
    """An operator's operations as the driver gets them."""
    slots = {
        slot: [(np.asarray(v), []) for v in (given if isinstance(given, list) else [given])]
        for slot, given in inputs.items()
    }
    counts = dict.fromkeys(outputs, 1)
    result = _core.nnadapter_convert_op(op, slots, counts, attrs, device=DEVICE, **options)
    assert "reason" not in result, result
    return named(models(record)[-1])


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize(
    ("op", "outputs", "attrs", "kind", "indexed"),
    [
        ("pool2d", ["Out"], {"pooling_type": "max", "ksize": [2, 2]}, "MAX_POOL_2D", False),
        ("max_pool2d_with_index", ["Out"], {"ksize": [2, 2]}, "MAX_POOL_2D", False),
        ("max_pool2d_with_index", ["Out", "Mask"], {"ksize": [2, 2]}, "MAX_POOL_2D", True),
        (
            *("max_pool2d_with_index", ["Out"], {"ksize": [2, 2], "adaptive": True}),
            *("ADAPTIVE_MAX_POOL_2D", False),
        ),
    ],
)
def test_max_pools_have_two_outputs(
    record: Path, op: str, outputs: list[str], attrs: dict[str, Any], kind: str, indexed: bool
) -> None:
    ((found, _, results),) = converted(record, op, {"X": floats(1, 3, 6, 8)}, outputs, attrs)
    assert found == kind and len(results) == 2
    assert (results[1] is not None) == indexed


def test_a_caller_of_the_c_api_may_leave_outputs_off(record: Path) -> None:
    model = capi.Model()
    x = model.tensor(np.float32, [1, 2, 4, 4])
    numbers: list[Any] = [0, [0, 0, 0, 0], [2, 2], [2, 2], False, False, 5, 0]
    operands = [model.constant(number) for number in numbers]
    (y,) = model.operation("MAX_POOL_2D", [x, *operands])
    capi.run(model.finish([x], [y]), [DEVICE], [floats(1, 2, 4, 4)])
    ((_, _, results),) = named(models(record)[-1])
    assert len(results) == 2 and results[1] is None


@pytest.mark.parametrize("given", [None, [], [1, 1]])
def test_transposed_convolutions_have_output_padding(record: Path, given: Any) -> None:
    attrs = {"strides": [2, 2]} | ({} if given is None else {"output_padding": given})
    inputs = {"Input": floats(1, 3, 5, 5), "Filter": floats(3, 4, 2, 2)}
    ((kind, operands, _),) = converted(
        record, "conv2d_transpose", inputs, ["Output"], attrs, params=["Filter"]
    )
    assert kind == "CONV_2D_TRANSPOSE"
    assert operands[8]["values"] == (given or [0, 0]) and operands[9] is None


@pytest.mark.parametrize(
    ("op", "attrs", "kind"),
    [
        ("pool2d", {"pooling_type": "avg"}, "AVERAGE_POOL_2D"),
        ("max_pool2d_with_index", {}, "MAX_POOL_2D"),
    ],
)
def test_adaptive_pooling_to_one_element_is_global(
    record: Path, op: str, attrs: dict[str, Any], kind: str
) -> None:
    attrs = {**attrs, "ksize": [1, 1], "adaptive": True, "strides": [3, 2], "paddings": [1, 1]}
    ((found, operands, _),) = converted(record, op, {"X": floats(2, 3, 6, 8)}, ["Out"], attrs)
    assert found == kind
    pads, kernel, strides = (operands[i]["values"] for i in (2, 3, 4))
    assert (pads, kernel, strides) == ([0, 0, 0, 0], [6, 8], [1, 1])


@pytest.mark.parametrize(
    ("shape", "axis", "expected"),
    [
        ([3], 1, [1, 3, 1, 1]),
        ([5], -1, [1, 1, 1, 5]),
        ([3, 4], 1, [1, 3, 4, 1]),
        ([3, 1, 1], 1, [1, 3, 1, 1]),
        ([1], -1, [1, 1, 1, 1]),
        ([], -1, [1, 1, 1, 1]),
    ],
)
def test_constants_of_lower_rank_are_reshaped(
    record: Path, shape: list[int], axis: int, expected: list[int]
) -> None:
    inputs = {"X": floats(2, 3, 4, 5), "Y": floats(*shape)}
    ((kind, operands, _),) = converted(
        record, "elementwise_add", inputs, ["Out"], {"axis": axis}, params=["Y"]
    )
    assert kind == "ADD" and operands[1]["dims"] == expected
    assert operands[1]["lifetime"] in (Lifetime.CONSTANT_COPY, Lifetime.CONSTANT_REFERENCE)
    swapped = {"X": inputs["Y"], "Y": inputs["X"]}
    ((kind, operands, _),) = converted(
        record, "elementwise_sub", swapped, ["Out"], {"axis": axis}, params=["X"]
    )
    assert kind == "SUB" and operands[0]["dims"] == expected


def test_variables_of_lower_rank_are_unsqueezed(record: Path) -> None:
    inputs = {"X": floats(2, 3, 4, 5), "Y": floats(4, 5)}
    first, second = converted(record, "elementwise_mul", inputs, ["Out"], {"axis": -1})
    assert first[0] == "UNSQUEEZE" and first[1][1]["values"] == [0, 1]
    assert second[0] == "MUL" and second[1][1]["dims"] == [1, 1, 4, 5]


@pytest.mark.parametrize(
    ("op", "inputs", "outputs", "attrs", "params"),
    [
        (
            *("prelu", {"X": floats(2, 3, 4, 5), "Alpha": floats(1, 3, 1, 1)}, ["Out"]),
            *({"mode": "channel"}, ["Alpha"]),
        ),
        (
            *("fc", {"Input": floats(2, 3), "W": floats(3, 4), "Bias": floats(1, 4)}, ["Out"]),
            *({"in_num_col_dims": 1}, ["W", "Bias"]),
        ),
        (
            *("mul", {"X": floats(2, 6), "Y": floats(2, 3, 4)}, ["Out"]),
            *({"y_num_col_dims": 2}, ["Y"]),
        ),
    ],
)
def test_no_operation_reshapes_a_constant(
    record: Path,
    op: str,
    inputs: dict[str, Any],
    outputs: list[str],
    attrs: dict[str, Any],
    params: list[str],
) -> None:
    operations = converted(record, op, inputs, outputs, attrs, params=params)
    assert not {kind for kind, _, _ in operations} & {"RESHAPE", "UNSQUEEZE"}


@pytest.mark.parametrize(("scales", "per_channel"), [([0.5, 0.5], False), ([0.5, 0.25], True)])
def test_equal_scales_are_one(record: Path, scales: list[float], per_channel: bool) -> None:
    rng = np.random.default_rng(5)
    inputs = {
        "Input": rng.integers(-100, 100, (1, 3, 5, 5), np.int8),
        "Filter": rng.integers(-100, 100, (2, 3, 3, 3), np.int8),
        "Bias": floats(2),
    }
    attrs = {"Input0_scale": [0.1], "Filter0_scale": scales, "Output0_scale": [0.2]}
    ((kind, operands, _),) = converted(
        *(record, "conv2d", inputs, ["Output"], attrs),
        params=["Filter", "Bias"],
        scales={"Input": 0.1},
    )
    eight, thirty_two = (
        (Precision.QUANT_INT8_SYMM_PER_CHANNEL, Precision.QUANT_INT32_SYMM_PER_CHANNEL)
        if per_channel
        else (Precision.QUANT_INT8_SYMM_PER_LAYER, Precision.QUANT_INT32_SYMM_PER_LAYER)
    )
    assert kind == "CONV_2D"
    assert [operands[i]["precision"] for i in (1, 2)] == [eight, thirty_two]


@pytest.mark.parametrize("end", [2**31 - 1, 100, 8, -1])
def test_ends_of_slices_are_within_the_dimension(record: Path, end: int) -> None:
    attrs = {"axes": [3], "starts": [1], "ends": [end]}
    ((kind, operands, results),) = converted(
        record, "slice", {"Input": floats(1, 3, 6, 8)}, ["Out"], attrs
    )
    expected = 8 if end > 0 else 7
    assert kind == "SLICE" and operands[3]["values"] == [expected]
    assert results[0]["dims"] == [1, 3, 6, expected - 1]


BEYOND, BEFORE = 2**31 - 1, -(2**31)


@pytest.mark.parametrize(
    ("starts", "ends", "steps", "expected"),
    [
        ([0, BEFORE], [BEYOND, BEYOND], [1, 1], ([0, -8], [6, 8])),
        ([-2, 1], [BEYOND, 7], [1, 2], ([-2, 1], [6, 7])),
        ([0, BEYOND], [BEYOND, BEFORE], [1, -1], ([0, 7], [6, -9])),
        ([-100, 0], [BEYOND, 3], [2, 1], ([-6, 0], [6, 3])),
    ],
)
def test_places_of_a_callers_slices_are_within_the_dimension(
    record: Path, starts: Any, ends: Any, steps: Any, expected: Any
) -> None:
    """The caller's operands, which another operation reads as well, stay as they are."""
    model = capi.Model()
    x = model.tensor(np.float32, [6, 8])
    lists = [model.constant(np.array(v, np.int32)) for v in ([0, 1], starts, ends, steps)]
    (y,) = model.operation("SLICE", [x, *lists])
    (z,) = model.operation("SLICE", [model.constant(floats(9, 12)), *lists])
    model.finish([x], [y, z])
    for result, given in zip(
        capi.run(model, ["python"], [floats(6, 8)]), [floats(6, 8), floats(9, 12)], strict=True
    ):
        rows, columns = (slice(*places) for places in zip(starts, ends, steps, strict=True))
        np.testing.assert_array_equal(result, given[rows, columns])
    capi.run(model, [DEVICE], [floats(6, 8)])
    operands = named(models(record)[-1])[0][1]
    assert (operands[2]["values"], operands[3]["values"]) == expected


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_arithmetic_of_known_dimensions_is_constant(record: Path, dtype: Any) -> None:
    code = Precision.INT32 if dtype is np.int32 else Precision.INT64
    model = capi.Model()
    x = model.tensor(np.float32, [2, 3, 4])

    def op(kind: str, *inputs: Any) -> capi.Operand:
        operands = [
            i if isinstance(i, capi.Operand) else model.constant(np.atleast_1d(np.int32(i)))
            for i in inputs
        ]
        return model.operation(kind, operands)[0]

    shape = op("SHAPE", x, int(code))
    batch = op("SLICE", shape, [0], [0], [1], [1])
    rest = op("MUL", batch, model.constant(np.array([6], dtype)), 0)
    wanted = op("CONCAT", batch, rest, 0)
    y = op("RESHAPE", x, wanted)
    model.finish([x], [y])
    with capi.Context([DEVICE]) as context:
        assert model.supported(context) == [True] * 5
    capi.run(model, [DEVICE], [floats(2, 3, 4)])
    ((kind, operands, _),) = named(models(record)[-1])
    assert kind == "RESHAPE" and operands[1]["values"] == [2, 12]
    assert operands[1]["precision"] == code and operands[1]["lifetime"] == Lifetime.CONSTANT_COPY


def test_what_is_known_of_a_dynamic_shape_is_constant(record: Path) -> None:
    model = capi.Model()
    x = model.tensor(np.float32, [-1, 6, 4], [[1, 6, 4], [3, 6, 4]])
    (shape,) = model.operation("SHAPE", [x, model.constant(5)])
    numbers = [model.constant(np.int32([n])) for n in (0, 1, 2, 1)]
    (middle,) = model.operation("SLICE", [shape, *numbers])
    parts = [model.constant(np.int32([-1])), middle, model.constant(np.int32([2, 2]))]
    (wanted,) = model.operation("CONCAT", [*parts, model.constant(0)])
    (y,) = model.operation("RESHAPE", [x, wanted])
    model.finish([x], [y])
    with capi.Context([DEVICE]) as context:
        capi.Compilation(model, context)
    (result,) = capi.run(model, ["builtin_device"], [floats(3, 6, 4)])
    np.testing.assert_array_equal(result, floats(3, 6, 4).reshape(-1, 6, 2, 2))


SHAPES = """program version 2006002
block 0 parent -1 {
  var feed: feed_minibatch
  var fetch: fetch_list
  var x: lod_tensor fp32[-1,3,-1,-1]
  Out: [x] = feed(X: [feed]) {col: int 0}
  Out: [a] = relu(X: [x])
  Out: [s] = shape(Input: [a])
  Out: [n] = slice(Input: [s]) {axes: ints [0], starts: ints [0], ends: ints [1], DROP}
  Out: [h] = slice(Input: [s]) {axes: ints [0], starts: ints [2], ends: ints [3], DROP}
  Out: [d] = scale(X: [h]) {scale: float 3.0, bias: float 0.0, bias_after_scale: bool true}
  Out: [e] = cast(X: [d]) {in_dtype: int 2, out_dtype: int 3}
  Out: [f] = cast(X: [e]) {in_dtype: int 3, out_dtype: int 2}
  Out: [y] = reshape2(X: [a], ShapeTensor: [n, f, rest]) {shape: ints [-1, -1, -1]}
  Y: [w] = stack(X: [n, f, rest]) {axis: int 0}
  Out: [v] = reshape2(X: [y], Shape: [w]) {shape: ints [-1, -1, -1]}
  Out: [z] = sigmoid(X: [v])
  Out: [fetch] = fetch(X: [z]) {col: int 0}
}
"""


def shape_program(dropped: bool) -> Program:
    """Shape arithmetic with 0-dim numbers, as Paddle has it since 2.6, or with lists of one."""
    text = SHAPES.replace("DROP", f"decrease_axis: ints {[0] if dropped else []}")
    if not dropped:
        text = text.replace("Y: [w] = stack(", "Out: [w] = concat(")
    return parse_program(text, {"rest": np.full([] if dropped else [1], -1, np.int32)})


def run_on(device: str, program: Program, x: np.ndarray) -> tuple[np.ndarray, Any]:
    request = DeviceOptions((device,)).request()
    divided, placement = partition(program, request)
    core = make_core(divided, DeviceOptions((device,)).core_settings())
    ((result, _),) = core.run_with([(x, [])])
    return result, placement


@pytest.mark.parametrize("dropped", [False, True])
def test_shape_arithmetic_divides_no_subgraph(record: Path, dropped: bool) -> None:
    x = floats(2, 3, 4, 5)
    expected = 1 / (1 + np.exp(-np.maximum(x, 0).reshape(2, 12, 5)))
    result, placement = run_on("builtin_device", shape_program(dropped), x)
    assert len(placement.subgraphs) == 1 and len(placement.on_device()) == 11
    np.testing.assert_allclose(result, expected, rtol=1e-5)
    result, placement = run_on(DEVICE, shape_program(dropped), x)
    assert len(placement.subgraphs) == 1 and result.shape == expected.shape
    kinds = [kind for kind, _, _ in named(models(record)[-1])]
    assert kinds == ["RELU", "RESHAPE", "RESHAPE", "SIGMOID"]


def test_constants_that_are_not_copied_are_references() -> None:
    model = capi.Model()
    for count in (1, 1000):
        values = np.arange(count, dtype=np.float32)
        assert model.constant(values).type.lifetime == Lifetime.CONSTANT_COPY
        assert model.constant(values, copy=False).type.lifetime == Lifetime.CONSTANT_REFERENCE
        operand = model.tensor(np.float32, [count])
        address = ctypes.c_void_p(values.ctypes.data)
        capi.call("Model_shareOperandValue", operand.handle, address, values.nbytes)
        assert operand.type.lifetime == Lifetime.CONSTANT_REFERENCE


def test_drivers_never_see_operands_that_nothing_touches(record: Path) -> None:
    model = capi.Model()
    model.tensor(np.float32, [3])
    model.infer()
    model.constant(np.float32([1, 2]))
    x = model.tensor(np.float32, [2, 3])
    (y,) = model.operation("RELU", [x])
    capi.run(model.finish([x], [y]), [DEVICE], [floats(2, 3)])
    assert len(models(record)[-1]["operands"]) == 2


def test_the_driver_insists(record: Path) -> None:
    """Else the tests above would show nothing."""
    model = capi.Model()
    constant = model.constant(floats(3))
    (reshaped,) = model.operation("UNSQUEEZE", [constant, model.constant(np.int32([0]))])
    x = model.tensor(np.float32, [2, 3])
    (y,) = model.operation("ADD", [x, reshaped, model.constant(0)])
    with pytest.raises(DeviceError, match="operation 90: a constant that is reshaped"):
        capi.run(model.finish([x], [y]), [DEVICE], [floats(2, 3)])
