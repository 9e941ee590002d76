"""Every operation in every type that it takes, against numpy: on the CPU and on other devices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from .cases import all_cases
from .client import Network, NnapiError, Operand, run, supported
from .reference import OPERATIONS
from .rows import Case, differs
from .types import Type

MODES = ("constants", "inputs", "lists", "unknown", "rankless")
CPU = ("builtin_device",)


def _cases(operation: str) -> list[Case]:
    return [case for case in all_cases().values() if case.operation == operation]


def _complaint(case: Case, mode: str, devices: Sequence[str]) -> str:
    """Empty, or what is wrong with a case."""
    try:
        results = run(case.network(mode), devices)
    except NnapiError as error:
        return f"{case.name}: {error}"
    pairs = zip(case.expected, results, strict=True)
    wrong = [text for expected, got in pairs if (text := differs(expected, got))]
    return f"{case.name}: {'; '.join(wrong)}" if wrong else ""


def _check(cases: list[Case], mode: str, devices: Sequence[str]) -> None:
    complaints = [text for case in cases if (text := _complaint(case, mode, devices))]
    assert not complaints, "\n".join(complaints)


def test_table_is_complete() -> None:
    cases = all_cases()
    assert len(cases) > 900
    assert {case.operation for case in cases.values()} == set(OPERATIONS)
    assert len(OPERATIONS) == 93


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_on_cpu(operation: str, mode: str) -> None:
    """`constants` are weights and lists; `inputs`: no tensors are; `lists`: nor lists; `unknown`:
    dimensions are given when it runs."""
    cases = _cases(operation)
    if mode in ("lists", "unknown", "rankless"):
        cases = [case for case in cases if case.name.endswith(("f32", "u8", "bool"))]
    _check(cases, mode, CPU)


def _first_rows(operation: str) -> list[Case]:
    """The first row in each kind."""
    first: dict[str, Case] = {}
    for case in _cases(operation):
        first.setdefault(case.name.rsplit("-", 1)[1], case)
    return list(first.values())


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_on_numpy_device(operation: str) -> None:
    """The device `python` takes every operation as well."""
    _check(_first_rows(operation), "constants", ("python",))


@pytest.mark.long  # OpenVINO compiles 335 models
@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_on_openvino(operation: str) -> None:
    """What it takes is right."""
    pytest.importorskip("openvino")
    device = ("intel_openvino",)
    cases = _first_rows(operation)
    taken = [case for case in cases if all(supported(case.network("constants"), device))]
    _check(taken, "constants", device)


def test_device_that_takes_little() -> None:
    """Without a choice of devices, what it refuses runs on the CPU."""
    case = _cases("SIN")[0]
    assert supported(case.network("constants"), ["fake_device"]) == [False]
    with pytest.raises(NnapiError):
        run(case.network("constants"), ["fake_device"])
    assert _complaint(case, "constants", ()) == ""


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_is_said_to_be_supported(operation: str) -> None:
    assert supported(_cases(operation)[0].network("constants"), CPU) == [True]


@pytest.mark.parametrize("constant", [True, False])
def test_any_byte_but_zero_is_true(constant: bool) -> None:
    a, b = np.array([2, 1, 0, 255], np.uint8), np.array([1, 4, 8, 2], np.uint8)
    operands = [
        Operand(Type.TENSOR_BOOL8, (4,), value=a),
        Operand(Type.TENSOR_BOOL8, (4,), value=b, constant=constant),
        Operand(Type.TENSOR_BOOL8, (4,), value=a),
    ]
    inputs = [0] if constant else [0, 1]
    (result,) = run(Network(operands, [("LOGICAL_AND", [0, 1], [2])], inputs, [2]), CPU)
    assert result.astype(np.uint8).tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize("size", [0, -3, 2**31 - 1])
def test_sizes_that_no_image_has(size: int) -> None:
    def number(value: int | bool, type: Type, dtype: type[np.generic]) -> Operand:
        return Operand(type, value=np.array([value], dtype), constant=True)

    operands = [
        Operand(Type.TENSOR_FLOAT32, (1, 2, 2, 1), value=np.zeros((1, 2, 2, 1), np.float32)),
        *(number(size, Type.INT32, np.int32) for _ in range(2)),
        *(number(flag, Type.BOOL, np.uint8) for flag in (False, False, True)),
        Operand(Type.TENSOR_FLOAT32, (1, 4, 4, 1)),
    ]
    step = ("RESIZE_NEAREST_NEIGHBOR", [0, 1, 2, 3, 4, 5], [6])
    with pytest.raises(NnapiError):
        run(Network(operands, [step], [0], [6]), CPU)


@pytest.mark.parametrize(
    ("begin", "end", "stride", "masks", "taken"),
    [(0, 1, 1, (0, 0), 0), (-1, 2, 1, (0, 0), 1), (0, 2, 2, (0, 0), 0), (0, 2, 1, (0, 0), None),
     (1, 0, -1, (0, 0), None), (0, 1, 1, (0, 1), None), (1, 0, 1, (0, 1), 1), (7, 1, 1, (1, 0), 0),
     (-9, 9, 2, (1, 1), 0), (2, 3, 1, (0, 0), None)],
)  # fmt: skip
def test_an_axis_that_vanishes_has_one_element(
    begin: int, end: int, stride: int, masks: tuple[int, int], taken: int | None
) -> None:
    x = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    lists = [np.array(pair, np.int32) for pair in ((begin, 0), (end, 3), (stride, 1))]
    operands = [
        Operand(Type.TENSOR_FLOAT32, (2, 3), value=x),
        *(Operand(Type.TENSOR_INT32, (2,), value=pair, constant=True) for pair in lists),
        *(
            Operand(Type.INT32, (), value=np.array([mask], np.int32), constant=True)
            for mask in (*masks, 1)
        ),
        Operand(Type.TENSOR_FLOAT32, (3,), value=x[0]),
    ]
    network = Network(operands, [("STRIDED_SLICE", list(range(7)), [7])], [0], [7])
    assert supported(network, CPU) == [taken is not None]
    if taken is not None:
        np.testing.assert_array_equal(run(network, CPU)[0], x[taken])
        return
    with pytest.raises(NnapiError):
        run(network, CPU)


@pytest.mark.parametrize("constant", [True, False])
def test_integers_by_zero_are_no_error(constant: bool) -> None:
    a = np.array([7, -7, -(2**31), 9, 5], np.int32)
    b = np.array([2, 2, -1, 0, -2], np.int32)
    operands = [
        Operand(Type.TENSOR_INT32, (5,), value=a),
        Operand(Type.TENSOR_INT32, (5,), value=b, constant=constant),
        Operand(Type.INT32, (), value=np.zeros(1, np.int32), constant=True),
        Operand(Type.TENSOR_INT32, (5,), value=a),
    ]
    inputs = [0] if constant else [0, 1]
    (result,) = run(Network(operands, [("DIV", [0, 1, 2], [3])], inputs, [3]), CPU)
    assert result[[0, 1, 4]].tolist() == [3, -4, -3]


def _with_random_numbers() -> Network:
    """[2, 3] floats through TANH, then an operation that NNAdapter has not."""
    tanh, numbers = Operand(Type.TENSOR_FLOAT32, (2, 3)), Operand(Type.TENSOR_INT32, (2, 4))
    logits = Operand(Type.TENSOR_FLOAT32, (2, 3), value=np.zeros((2, 3), np.float32))
    count = Operand(Type.INT32, value=np.array([4], np.int32), constant=True)
    seeds = Operand(Type.TENSOR_INT32, (2,), value=np.array([1, 2], np.int32), constant=True)
    steps = [("TANH", [0], [3]), ("RANDOM_MULTINOMIAL", [3, 1, 2], [4])]
    return Network([logits, count, seeds, tanh, numbers], steps, [0], [4])


@pytest.mark.parametrize("devices", [CPU, ()])
def test_operation_without_counterpart(devices: Sequence[str]) -> None:
    """It is refused when asked and when compiled, not when it runs."""
    assert supported(_with_random_numbers(), CPU) == [True, False]
    with pytest.raises(NnapiError, match="Compilation_finish returned 4"):
        run(_with_random_numbers(), devices)


@pytest.mark.parametrize("dims", [(2**16, 2**15), (2**16, 2**16, 2**16, 2**16), (2**31 - 1, 3)])
def test_a_tensor_of_more_than_four_gigabytes_is_not_filled(dims: Sequence[int]) -> None:
    """It took minutes, or the product of its dimensions wrapped."""
    lengths = np.array(dims, np.int32)
    operands = [
        Operand(Type.TENSOR_INT32, (len(dims),), value=lengths, constant=True),
        Operand(Type.FLOAT32, (), value=np.ones(1, np.float32), constant=True),
        Operand(Type.TENSOR_FLOAT32, (0,) * len(dims)),
    ]
    assert supported(Network(operands, [("FILL", [0, 1], [2])], [], [2]), CPU) == [False]
