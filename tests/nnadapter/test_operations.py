"""The table of operations: public ABI, documented, and what the build makes of it."""

from __future__ import annotations

import ctypes
import runpy
import zlib
from typing import Any

import pytest
from nnadapter.compiling import INCLUDE, ROOT, compiled

from lite.nnadapter import table
from lite.nnadapter.capi import Model, library
from lite.nnadapter.operations import operations
from lite.nnadapter.types import OperationType, Precision

MADE = runpy.run_path(str(ROOT / "lite/nnadapter/include/generate.py"))


def crc(lines: list[str]) -> int:
    return zlib.crc32("\n".join(lines).encode())


def test_what_is_public_stays() -> None:
    """Clients and HALs of others were compiled with these numbers and orders; more may follow."""
    known = list(OperationType)[: OperationType.YOLO_BOX + 1]
    lines = [
        f"{int(o)} {o.name} {' '.join(p.name + '*' * p.repeated for p in o.inputs)} -> "
        f"{' '.join(p.name + '*' * p.repeated for p in o.outputs)}"
        for o in known
    ]
    assert crc(lines) == 0x70EF9616
    codes = [
        f"{prefix}{member.name} {int(member)}"
        for kind, prefix in table.ENUMERATIONS.values()
        if kind is not OperationType
        for member in kind
    ]
    assert crc(codes) == 0x95FC69FB


def test_codes_count_up_and_the_view_is_the_table() -> None:
    assert list(operations()) == [o.name for o in OperationType]
    assert [int(o.type) for o in operations().values()] == list(range(len(OperationType)))


def test_every_operation_and_operand_is_documented() -> None:
    for info in operations().values():
        assert info.doc.endswith("."), info.name
        for operand in (*info.inputs, *info.outputs):
            assert operand.doc and "NNADAPTER_TENSOR" not in operand.doc, (info.name, operand.name)
        assert set(info.devices) <= set(table.DEVICES), info.name


@pytest.mark.parametrize("name", OperationType.__members__)
def test_at_most_one_operand_a_side_is_repeated_and_precisions_fit_the_kind(name: str) -> None:
    info = operations()[name]
    index = {Precision.INT32, Precision.INT64}
    for side in (info.inputs, info.outputs):
        assert sum(o.repeated for o in side) <= 1
        for operand in side:
            assert operand.precisions
            if operand.kind in ("int", "ints", "shape"):
                assert set(operand.precisions) == index
            assert not (operand.optional and operand.repeated)


def test_nothing_but_the_listed_codes_is_an_operation() -> None:
    model = Model()
    handles = (ctypes.c_void_p * 1)(model.tensor("float32", [1]).handle)
    result = (ctypes.c_void_p * 1)(model.infer().handle)
    for code in (len(OperationType), 2**31 - 1):
        operation = ctypes.c_void_p()
        arguments = (model.handle, code, 1, handles, 1, result, ctypes.byref(operation))
        assert library().NNAdapterModel_addOperation(*arguments) == 3
        text = library().NNAdapter_getLastErrorMessage().decode()
        assert f"no operation with code {code}" in text


def test_headers_are_made_of_the_table() -> None:
    for name, text in MADE["headers"]().items():
        assert (INCLUDE / name).read_text() == text, f"{name}: build again"


def test_positions_and_names_are_those_of_the_table(tmp_path: Any) -> None:
    """All of them, as a HAL's compiler sees them."""
    lines = ['#include "nnadapter/hal/hal.h"', "namespace h = nnadapter::hal;"]
    camel, position = MADE["camel"], MADE["position"]
    checks = []
    for o in OperationType:
        places = {p.name: position(o, p.name) for p in o.inputs if not p.repeated}
        for name, place in places.items():
            lines.append(f"static_assert(h::{camel(o.name)}::k{camel(name)} == {place});")
        for at, p in enumerate(o.outputs if len(o.outputs) > 1 else ()):
            lines.append(f"static_assert(h::{camel(o.name)}::Out::k{camel(p.name)} == {at});")
        checks.append(f'h::OperationName(NNADAPTER_{o.name}) == "{o.name}"')
        checks.append(f"h::FuseCodePosition({int(o)}) == {places.get('fuse_code', -1)}")
    for p in Precision:
        checks.append(f'h::PrecisionName(NNADAPTER_{p.name}) == "{p.name}"')
        checks.append(f"h::DescribePrecision({int(p)}).size == {p.size}")
    checks.append(f'h::OperationName({len(OperationType)}) == "operation {len(OperationType)}"')
    source = tmp_path / "positions.cc"
    source.write_text("\n".join([*lines, f"bool All() {{ return {' && '.join(checks)}; }}"]))
    output = compiled(source, tmp_path / "positions.so", ["-I", str(INCLUDE), "-shared", "-fPIC"])
    assert ctypes.CDLL(str(output))["_Z3Allv"]()


def test_the_page_has_every_operand() -> None:
    sections = MADE["page"]().split("\n## ")[1:]
    assert len(sections) == len(operations())
    for section, info in zip(sections, operations().values(), strict=True):
        assert section.startswith(f"{info.name}\n\nCode {int(info.type)}. ")
        rows = [line for line in section.splitlines() if line.startswith(("| in ", "| out "))]
        names = [row.split("|")[2].split()[0] for row in rows]
        assert names == [operand.name for operand in (*info.inputs, *info.outputs)]
        assert all(row.rstrip(" |").count("|") >= 3 for row in rows), section


def test_places_around_a_repeated_operand() -> None:
    section = next(s for s in MADE["page"]().split("\n## ") if s.startswith("CONCAT"))
    assert "| in 0 .. n - 1 | input |" in section
    assert "| in n | axis | int |" in section
