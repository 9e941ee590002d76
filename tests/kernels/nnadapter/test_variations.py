"""One change at a time to cases that can be converted: another type, rank, attribute, constants or
unknown shapes. What is accepted has the CPU's numbers; every condition of every rule is met."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest
from harness import Case, core
from nnadapter_cases import check_reason, constants, convert, table_of

from lite.errors import DeviceError, LiteError
from lite.kernels.nnadapter import generate

FOLDER = Path(__file__).parents[3] / "lite" / "kernels" / "nnadapter"
RULES = {rule.op: rule for rule in generate.read([FOLDER / "operators.yaml"], FOLDER / "converter")}
BASES = 4
ODD: dict[str, list[Any]] = {
    "bool": [True, False],
    "int": [-1, 0, 1, 2, 3, 20, 100000, 99],
    "long": [-1, 0, 1, 2, 99],
    "float": [0.0, -1.0, 0.5, 1.0, 2.0, 3.3e38, 1e16],
    "str": ["no_such", "", "NHWC", "relu", "hard_swish", "SAME", "VALID", "max", "avg", "reflect"],
    "int[]": [[], [0], [1], [-1], [0, 0], [1, 1], [-1, -1], [2, 2], [0, 1, 0, 1], [1] * 9, [99]],
    "long[]": [[], [0], [1], [2, 3], [-1]],
    "float[]": [[], [0.5], [2.0, 2.0]],
}
OP_ATTRS: dict[str, list[dict[str, Any]]] = {
    "mul": [{"x_num_col_dims": 2}],
    "fill_constant_batch_size_like": [{"dtype": 2, "value": 1e16}],
    "conv2d": [{"with_act": True, "act_type": a} for a in ("no_such", "swish", "gelu", "abs")],
}
for _op in ("conv2d", "depthwise_conv2d", "conv2d_transpose"):
    OP_ATTRS[_op] = [
        *OP_ATTRS.get(_op, []),
        {"with_act": True, "act_type": "no_such"},
        {"with_act": True, "act_type": "hard_swish", "hard_swish_threshold": 0.0},
    ]


def changed(case: Case, slot: str, change: Any) -> Case:
    values = [(np.ascontiguousarray(change(array)), lod) for array, lod in case.inputs[slot]]
    return replace(case, inputs={**case.inputs, slot: values})


def variations(op: str, case: Case) -> Iterator[tuple[Case, dict[str, Any]]]:
    for params in constants(case):
        yield replace(case, params=params), {}
        yield replace(case, params=params), {"unknown": True}
    yield replace(case, params=[]), {}
    for slot in case.inputs:
        for dtype in ("float64", "int64", "int32", "float32", "bool"):
            yield changed(case, slot, lambda a, t=dtype: a.astype(t)), {}
        yield changed(case, slot, lambda a: a[None]), {}
        yield (
            changed(case, slot, lambda a: a.reshape(a.shape[1:]) if a.shape[:1] == (1,) else a),
            {},
        )
        yield changed(case, slot, lambda a: a.reshape(-1)), {}
        yield changed(case, slot, lambda a: a.reshape(a.shape + (1,) * (8 - a.ndim))), {}
        if len(case.inputs[slot]) > 1:
            first, *others = case.inputs[slot]
            mixed = [(first[0].astype("int64"), first[1]), *others]
            yield replace(case, inputs={**case.inputs, slot: mixed}), {}
            many = (case.inputs[slot] * 9)[:9]
            outputs = {s: 9 if n > 1 else n for s, n in case.outputs.items()}
            yield replace(case, inputs={**case.inputs, slot: many}, outputs=outputs), {}
        yield changed(case, slot, lambda a: (a * 10).astype("int8")), {"scales": {slot: 0.1}}
    for absent in RULES[op].inputs:
        if absent.optional and absent.name not in case.inputs:
            added = {**case.inputs, absent.name: [(np.array([4, 4], "int32"), [])]}
            yield replace(case, inputs=added), {}
    for attr in RULES[op].attrs:
        for value in ODD.get(attr.type, []):
            yield replace(case, attrs={**case.attrs, attr.name: value}), {}
    for attrs in OP_ATTRS.get(op, []):
        yield replace(case, attrs={**case.attrs, **attrs}), {}
        yield replace(case, attrs={**case.attrs, **attrs}), {"unknown": True}


@cache
def bases(op: str) -> tuple[Case, ...]:
    found = []
    for case in table_of(op).cases:
        small = all(a.size < 20000 for values in case.inputs.values() for a, _ in values)
        if small and "reason" not in convert(case, op, case.params):
            found.append(case)
    spread = max(1, len(found) // BASES)
    return tuple(found[::spread][: BASES + 1]) or tuple(table_of(op).cases[:BASES])


def on_cpu(op: str, case: Case) -> harness.Values | None:
    try:
        values: harness.Values = core().run_op(
            op, case.inputs, case.outputs, case.attrs, params=case.params
        )
        return values
    except LiteError:
        return None


def try_one(op: str, case: Case, options: dict[str, Any]) -> str:
    """The reason, or nothing; compares the numbers with the CPU's."""
    try:
        result = convert(case, op, case.params, **options)
        if "reason" in result:
            check_reason(op, result["reason"])
            return str(result["reason"])
        if options:
            return ""
        result = convert(case, op, case.params, device="builtin_device")
    except DeviceError:
        return ""  # the device says no
    expected = on_cpu(op, case)
    if expected is None or case.check is not None:
        return ""
    got = result["outputs"]
    # A variation has ties where its base has none.
    left_out = case.unchecked.union(*(one.cpu_only for one in table_of(op).cases))
    wanted = {
        slot: [(array, []) for array, _ in values]
        for slot, values in expected.items()
        if slot in got and slot not in left_out
    }
    harness.compare({s: got[s] for s in wanted}, wanted, 1e-4, f"{op} {case.attrs} {case.name()}")
    return ""


@cache
def reasons(op: str) -> frozenset[str]:
    found = set()
    table = table_of(op)
    for case in table.cases:
        for params in constants(case):
            found.add(try_one(op, replace(case, params=params), {"unknown": False}))
            found.add(try_one(op, replace(case, params=params), {"unknown": True}))
    for error in table.errors:
        options = {"params": error.params}
        try:
            result = core().nnadapter_convert_op(
                op, error.inputs, error.outputs, error.attrs, **options
            )
        except DeviceError:
            continue
        found.add(result.get("reason", ""))
    with np.errstate(all="ignore"):
        for case in bases(op):
            for varied, options in variations(op, case):
                found.add(try_one(op, varied, options))
    return frozenset(found)


@pytest.mark.parametrize("op", sorted(RULES))
def test_accepted_means_right(op: str) -> None:
    assert reasons(op)


# Conditions that only programs with several operators, or quantised ones, can meet; test_quantized
# and test_custom have those.
ELSEWHERE = {
    "it is quantised and has {groups} groups",
    "it is quantised and its weights are not constants",
}


@pytest.mark.parametrize("op", sorted(RULES))
def test_every_condition_is_met(op: str) -> None:
    texts = reasons(op)
    for when, reason in RULES[op].unsupported:
        if reason in ELSEWHERE or (op == "elementwise_pow" and "dtype(X) !=" in when):
            continue  # of one type only
        parts = (re.escape(part) for part in re.split(r"\{[^}]*\}", reason))
        pattern = re.compile("(shapes that decide this are not known: )?" + ".*".join(parts))
        assert any(pattern.fullmatch(text) for text in texts), f"{when}: {reason}"
