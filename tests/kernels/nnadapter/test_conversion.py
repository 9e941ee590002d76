"""Every operator's case table, converted by its rule and computed by builtin_device: the numbers of
the table, or a reason. Accepted without knowing the shapes means accepted with them."""

from __future__ import annotations

import importlib
from typing import Any

import harness
import numpy as np
import pytest
from harness import Case, OpTable, core, rand, randint
from nnadapter_cases import check_reason, constants, convert, table_of

from lite.errors import DeviceError

OPERATORS = core().nnadapter_operators()


def is_half(case: Case, result: dict[str, Any]) -> bool:
    """float16 takes part, which no CPU operator computes."""
    half = int(importlib.import_module("lite.nnadapter.types").Precision.FLOAT16)
    inputs = [a for values in case.inputs.values() for a, _ in values]
    return any(a.dtype == np.float16 for a in inputs) or any(
        precision == half for precision, _ in result["types"].values()
    )


def check_numbers(table: OpTable, case: Case, result: dict[str, Any]) -> None:
    outputs = result["outputs"]
    if case.check is not None:
        return case.check(outputs)
    stored = None if case.reference is not None else table.stored(case)
    expected = stored if stored is not None else table.expected(case)
    # NNAdapter has no LoD: the engine gives outputs that of the inputs.
    wanted = {
        slot: [(array, []) for array, _ in values]
        for slot, values in expected.items()
        if slot in outputs and slot not in case.unchecked | case.cpu_only
    }
    assert wanted, f"{table.op}: no output was computed"
    harness.compare({s: outputs[s] for s in wanted}, wanted, case.tol, f"{table.op} (converted)")


@pytest.mark.parametrize("op", OPERATORS)
def test_cases(op: str) -> None:
    table = table_of(op)
    accepted = 0
    reasons: dict[str, int] = {}
    for case in table.cases:
        for params in constants(case):
            result = convert(case, op, params)
            if "reason" in result:
                check_reason(op, result["reason"])
                reasons[result["reason"]] = reasons.get(result["reason"], 0) + 1
                continue
            try:
                computed = convert(case, op, params, device="builtin_device")
            except DeviceError:
                assert is_half(case, result)
                continue
            check_numbers(table, case, computed)
            accepted += 1
    for reason, count in sorted(reasons.items()):
        print(f"{op}: {count} cases stay on the CPU: {reason}")
    assert accepted, f"{op}: no case was converted: {reasons}"


def is_odd(table: OpTable, case: Case, reason: str) -> bool:
    """Shapes that only a run can show: nothing goes in or comes out, or a window is larger than
    the padded input, where Paddle still computes one element."""
    if "window" in reason and "does not fit" in reason:
        return True
    if any(array.size == 0 for tensors in case.inputs.values() for array, _ in tensors):
        return True
    expected = table.expected(case).values()
    return any(array.size == 0 for tensors in expected for array, _ in tensors)


@pytest.mark.parametrize("op", OPERATORS)
def test_unknown_shapes(op: str) -> None:
    """What is accepted before shapes are known is accepted when they are, unless all is empty."""
    table = table_of(op)
    for case in table.cases:
        for params in constants(case):
            blind = convert(case, op, params, unknown=True)
            if "reason" in blind:
                check_reason(op, blind["reason"])
                continue
            seeing = convert(case, op, params)
            if "reason" in seeing:
                assert is_odd(table, case, seeing["reason"]), f"{case.name()}: {seeing['reason']}"


@pytest.mark.parametrize("op", OPERATORS)
def test_mistakes_are_reasons(op: str) -> None:
    """Operators that the CPU refuses: a reason, never a crash or another error."""
    for case in table_of(op).errors:
        try:
            result = core().nnadapter_convert_op(
                op, case.inputs, case.outputs, case.attrs, params=case.params
            )
        except DeviceError as error:
            assert "reads" not in str(error)
            continue
        if "reason" in result:
            check_reason(op, result["reason"])


def run(op: str, inputs: dict[str, Any], attrs: dict[str, Any], **options: Any) -> dict[str, Any]:
    named = {slot: [(np.asarray(value), [])] for slot, value in inputs.items()}
    outputs = {
        name: 1 for name, optional, _ in harness.operator_info(op)["outputs"] if not optional
    }
    return dict(core().nnadapter_convert_op(op, named, outputs, attrs, **options))


def test_roi_align_of_one_image() -> None:
    image, regions = rand(1, 3, 8, 8), np.array([[0, 0, 4, 4], [1, 2, 7, 6]], "float32")
    attrs = {"pooled_height": 2, "pooled_width": 2, "sampling_ratio": 2, "aligned": True}
    inputs = {"X": [(image, [])], "ROIs": [(regions, [[0, 2]])]}
    want = core().run_op("roi_align", inputs, {"Out": 1}, attrs)["Out"][0][0]
    for unknown in (False, True):
        if unknown:
            inputs["X"] = [(image, [])]
        got = core().nnadapter_convert_op(
            "roi_align", inputs, {"Out": 1}, attrs, device="builtin_device"
        )
        np.testing.assert_allclose(got["outputs"]["Out"][0][0], want, rtol=1e-5, atol=1e-6)


def test_identity_needs_no_operation() -> None:
    x = rand(2, 3)
    attrs = {"dropout_implementation": "upscale_in_train"}
    result = run("dropout", {"X": x}, attrs, device="builtin_device")
    assert len(result["operations"]) == 1  # ASSIGN: the output is the model's
    np.testing.assert_array_equal(result["outputs"]["Out"][0][0], x)


def test_versions() -> None:
    x = rand(2, 3)
    assert "reason" not in run("relu", {"X": x}, {}, op_version=7, driver_version=3)
    assert "it has no conversion" not in run("relu", {"X": x}, {}, op_version=0).get("reason", "")


def test_sequences_have_no_batch() -> None:
    attrs = {"shape": [-1, 2], "input_dim_idx": 0, "output_dim_idx": 0}
    inputs = {"Input": [(rand(5, 2), [[0, 2, 5]])]}
    result = core().nnadapter_convert_op("fill_constant_batch_size_like", inputs, {"Out": 1}, attrs)
    assert "sequences" in result["reason"]


def test_large_indexes() -> None:
    x = randint(2, 5, dtype="float32")
    attrs = {"axes": [1], "starts": [-3], "ends": [2**31 - 1]}
    got = run("slice", {"Input": x}, attrs, device="builtin_device")
    np.testing.assert_array_equal(got["outputs"]["Out"][0][0], x[:, -3:])
