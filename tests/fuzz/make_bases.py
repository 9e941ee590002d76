"""Writes the `.nb` files that the fuzzer damages: one for some cases of every operator test.

    python tests/fuzz/make_bases.py FOLDER [--each 4]

Needs the built module, for the operators' declarations; a new operator's cases join by themselves.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np

KERNEL_TESTS = Path(__file__).resolve().parents[1] / "kernels"
sys.path[:0] = [str(KERNEL_TESTS), str(KERNEL_TESTS.parent)]

import harness  # noqa: E402
import zoo  # noqa: E402

from lite.model.naive_buffer import write_nb_file  # noqa: E402
from lite.model.program import (  # noqa: E402
    Attr,
    AttrType,
    DataType,
    OpDesc,
    Program,
    VarDesc,
    VarType,
)

MOST_BYTES = 64 << 10
"""Larger ones make fewer mutants a second, not better ones."""

DTYPES = {
    "bool": DataType.BOOL,
    "int16": DataType.INT16,
    "int32": DataType.INT32,
    "int64": DataType.INT64,
    "float16": DataType.FP16,
    "float32": DataType.FP32,
    "float64": DataType.FP64,
    "uint8": DataType.UINT8,
    "int8": DataType.INT8,
}


def attr_of(value: Any) -> Attr | None:
    """The attribute as exporters write it; None for values that `.nb` files do not hold."""
    if isinstance(value, (bool, np.bool_)):
        return Attr(AttrType.BOOLEAN, bool(value))
    if isinstance(value, (int, np.integer)):
        small = -(2**31) <= value < 2**31
        return Attr(AttrType.INT if small else AttrType.LONG, int(value))
    if isinstance(value, float):
        return Attr(AttrType.FLOAT, float(np.float32(value)))
    if isinstance(value, str):
        return Attr(AttrType.STRING, value)
    if isinstance(value, (list, tuple)):
        kinds = {type(item) for item in value}
        if kinds <= {bool}:
            return Attr(AttrType.BOOLEANS if kinds else AttrType.INTS, list(value))
        if kinds <= {int}:
            small = all(-(2**31) <= item < 2**31 for item in value)
            return Attr(AttrType.INTS if small else AttrType.LONGS, list(value))
        if kinds <= {int, float}:
            return Attr(AttrType.FLOATS, [float(np.float32(item)) for item in value])
        if kinds <= {str}:
            return Attr(AttrType.STRINGS, list(value))
    return None


def program_of(op: str, case: harness.Case) -> Program | None:
    """feed, the operator, fetch; None where a `.nb` file cannot hold the case."""
    program = Program(version=2006002)
    root = program.root
    for name, type in (("feed", VarType.FEED_MINIBATCH), ("fetch", VarType.FETCH_LIST)):
        root.vars[name] = VarDesc(name, type, persistable=True)
    desc = OpDesc(op)
    feeds = 0
    for slot, values in case.inputs.items():
        names = [f"{slot}_{i}" for i in range(len(values))]
        desc.inputs[slot] = names
        for name, (array, offsets) in zip(names, values, strict=True):
            dtype = DTYPES.get(str(array.dtype))
            if dtype is None:
                return None
            var = VarDesc(name, VarType.LOD_TENSOR, dtype, array.shape, len(offsets))
            root.vars[name] = var
            if slot in case.params:
                var.persistable = True
                program.params[name] = array
                continue
            feed = {"col": Attr(AttrType.INT, feeds)}
            root.ops.append(OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, feed))
            feeds += 1
    for name, value in case.attrs.items():
        attr = attr_of(value)
        if attr is None:
            return None
        desc.attrs[name] = attr
    root.ops.append(desc)
    fetches = 0
    for slot, count in case.outputs.items():
        desc.outputs[slot] = [f"{slot}_out_{i}" for i in range(count)]
        for name in desc.outputs[slot]:
            root.vars[name] = VarDesc(name)
            fetch = {"col": Attr(AttrType.INT, fetches)}
            root.ops.append(OpDesc("fetch", {"X": [name]}, {"Out": ["fetch"]}, fetch))
            fetches += 1
    return program


def size_of(case: harness.Case) -> int:
    """Bytes of the case's inputs."""
    return sum(array.nbytes for values in case.inputs.values() for array, _ in values)


def tables() -> list[harness.OpTable]:
    """Those of every operator test."""
    for file in sorted(KERNEL_TESTS.glob("test_*.py")):
        importlib.import_module(file.stem)
    return list(harness.TABLES.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=4, help="files of one operator")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for table in tables():
        cases = [case for case in table.cases if size_of(case) <= MOST_BYTES]
        step = max(1, len(cases) // arguments.each)
        for number, case in enumerate(cases[::step][: arguments.each]):
            program = program_of(table.op, case)
            if program is not None:
                write_nb_file(program, arguments.folder / f"{table.op}_{number}.nb")
                total += 1
    if total == 0:
        raise SystemExit("no operator test was found")
    for name in ("loop", "conv"):  # several blocks; one that runs through all of the plan
        write_nb_file(zoo.build(name), arguments.folder / f"zoo_{name}.nb")
    print(f"{total} files in {arguments.folder}")


if __name__ == "__main__":
    main()
