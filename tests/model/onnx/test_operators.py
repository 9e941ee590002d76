"""Every case of tests/kernels whose operator has an exporter, as a program of that one operator.

It runs twice in onnxruntime, with the inputs' dimensions declared and with all of them free; what
ONNX cannot say must be refused with UnsupportedOperatorError.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest

from lite.errors import UnsupportedOperatorError
from lite.model.onnx import operators
from lite.model.params import DATA_TYPES
from lite.model.program import Attr, AttrType, DataType, OpDesc, Program, VarDesc

sys.path.insert(0, str(Path(__file__).parent))

from onnx_runs import NoKernel, export_and_run, worst_difference

KERNELS = Path(__file__).parents[2] / "kernels"


OF_TRAINING = {
    *("Mean", "MeanOut", "SavedMean", "Variance", "VarianceOut", "SavedVariance", "ReserveSpace"),
    *("XShape", "MidOut", "DropoutState", "Reserve"),
}
"""Outputs that no program reads when it is run, only when it is trained."""


def tables() -> list[harness.OpTable]:
    """The tables of the operators that the exporter knows."""
    for path in sorted(KERNELS.glob("test_*.py")):
        if path.stem != "test_every_operator":
            importlib.import_module(path.stem)
    return [table for op, table in sorted(harness.TABLES.items()) if op in operators()]


def attribute(value: Any) -> Attr:
    """An attribute of the type that a value's Python type suggests."""
    if isinstance(value, (list, tuple)):
        kinds = {bool: AttrType.BOOLEANS, int: AttrType.INTS, float: AttrType.FLOATS}
        first = next((v for v in value if isinstance(v, float)), value[0] if value else 0)
        if isinstance(first, str):
            return Attr(AttrType.STRINGS, list(value))
        return Attr(kinds[type(first)], [type(first)(v) for v in value])
    value = value.item() if isinstance(value, np.generic) else value
    kinds = {
        bool: AttrType.BOOLEAN,
        int: AttrType.INT,
        float: AttrType.FLOAT,
        str: AttrType.STRING,
    }
    return Attr(kinds[type(value)], value)


def one_operator(
    op: str, case: harness.Case, expected: harness.Values, free: bool
) -> tuple[Program, dict[str, np.ndarray]]:
    """A program of one case and what it is fed with."""
    program, feeds = Program(version=2006002), {}
    root = program.root
    inputs: dict[str, list[str]] = {}
    for slot, values in case.inputs.items():
        names = inputs[slot] = [f"{slot}_{i}" for i in range(len(values))]
        for name, (array, _) in zip(names, values, strict=True):
            dtype = DATA_TYPES[array.dtype]
            if slot in case.params:
                program.params[name] = array
                root.vars[name] = VarDesc(name, dtype=dtype, shape=array.shape, persistable=True)
                continue
            shape = (-1,) * array.ndim if free else array.shape
            root.vars[name] = VarDesc(name, dtype=dtype, shape=shape)
            column = {"col": Attr(AttrType.INT, len(feeds))}
            root.ops.append(OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, column))
            feeds[name] = array
    outputs = {s: [f"{s}_out{i}" for i in range(n)] for s, n in case.outputs.items()}
    attrs = {name: attribute(value) for name, value in case.attrs.items()}
    root.ops.append(OpDesc(op, inputs, outputs, attrs))
    fetched = [(slot, i) for slot, values in expected.items() for i in range(len(values))]
    for column, (slot, i) in enumerate(fetched):
        name, want = outputs[slot][i], expected[slot][i][0]
        shape = (-1,) * want.ndim if free else want.shape
        root.vars[name] = VarDesc(name, dtype=DATA_TYPES[want.dtype], shape=shape)
        at = {"col": Attr(AttrType.INT, column)}
        root.ops.append(OpDesc("fetch", {"X": [name]}, {"Out": ["fetch"]}, at))
    root.vars.setdefault("feed", VarDesc("feed", dtype=DataType.FP32))
    return program, feeds


def expected_of(table: harness.OpTable, case: harness.Case) -> harness.Values:
    """What lite's kernel computes, which tests/kernels compares with Paddle."""
    values = table.run(case, "reference")
    left_out = case.unchecked | OF_TRAINING
    return {slot: v for slot, v in values.items() if slot not in left_out}


def has_lod(case: harness.Case) -> bool:
    return any(offsets for values in case.inputs.values() for _, offsets in values)


@pytest.mark.parametrize("free", [False, True], ids=["static", "free"])
@pytest.mark.parametrize("table", tables(), ids=lambda table: table.op)
def test_operator(table: harness.OpTable, free: bool) -> None:
    outcomes: Counter[str] = Counter()
    failures = []
    for case in table.cases:
        if has_lod(case):
            continue
        expected = expected_of(table, case)
        program, feeds = one_operator(table.op, case, expected, free)
        try:
            actual = export_and_run(program, feeds)
            wanted = [array for values in expected.values() for array, _ in values]
            worst = worst_difference(actual, wanted)
            assert worst <= max(case.tol, 1e-4), f"differs by {worst:.3g}"
            outcomes["right"] += 1
        except UnsupportedOperatorError as refused:
            assert table.op in str(refused)
            outcomes["refused"] += 1
        except NoKernel:
            outcomes["no kernel in onnxruntime"] += 1
        except Exception as error:
            failures.append(f"{case.name()}: {str(error).strip()[:300]}")
    assert not failures, f"{dict(outcomes)}, wrong: " + "\n".join(failures)
    assert outcomes["right"] or free, f"no case is right: {dict(outcomes)}"
