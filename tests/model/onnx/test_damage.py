"""Attributes and shapes that no sound program has: a typed error, or a model, and no crash."""

from __future__ import annotations

import harness
import numpy as np
import pytest
from model.onnx.test_operators import expected_of, has_lod, one_operator, tables

from lite.errors import LiteError
from lite.model.onnx import export_model
from lite.model.program import Attr, AttrType, OpDesc, Program

VALUES = [
    Attr(AttrType.INT, -(2**31)),
    Attr(AttrType.INT, 2**31 - 1),
    Attr(AttrType.FLOAT, float("nan")),
    Attr(AttrType.FLOAT, 1e30),
    Attr(AttrType.STRING, "é\n"),
    Attr(AttrType.INTS, []),
    Attr(AttrType.INTS, [0]),
    Attr(AttrType.INTS, [-7, 2**31 - 1, 5, 3, 1, 1, 9]),
    Attr(AttrType.BOOLEAN, True),
]


def operator_of(program: Program) -> OpDesc:
    return next(op for op in program.root.ops if op.type not in ("feed", "fetch"))


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.op)
def test_damaged_attributes_and_shapes(table: harness.OpTable) -> None:
    rng = np.random.default_rng(len(table.cases))
    cases = [case for case in table.cases if not has_lod(case)]
    for _ in range(12):
        case = cases[rng.integers(len(cases))]
        program, _ = one_operator(table.op, case, expected_of(table, case), bool(rng.integers(2)))
        op = operator_of(program)
        names = [row[0] for row in table.info["attrs"]]
        for name in names:
            if rng.random() < 0.4:
                op.attrs[name] = VALUES[rng.integers(len(VALUES))]
        for var in program.root.vars.values():
            if rng.random() < 0.2 and var.name not in program.params:
                var.shape = tuple(int(d) for d in rng.choice([-1, 0, 1, 7, 2**40], 3))
        try:
            export_model(program)
        except LiteError as error:
            assert str(error)
