"""hal/positions.h and hal/names.h say what the runtime's declarations of operations say."""

from __future__ import annotations

import re

import pytest
from nnadapter.compiling import INCLUDE

from lite.nnadapter.operations import operations

POSITIONS = (INCLUDE / "nnadapter/hal/positions.h").read_text()
NAMES = (INCLUDE / "nnadapter/hal/names.h").read_text()
OPERAND = (INCLUDE / "nnadapter/hal/operand.h").read_text()


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_")).replace("2d", "2D")


def values(enumeration: str) -> dict[str, int]:
    """Names and values of the first enum in a text; C's rule of counting on."""
    found = re.search(r"enum \{(.*?)\}", enumeration, re.S)
    result: dict[str, int] = {}
    for item in found[1].split(",") if found else []:
        name, _, value = (part.strip() for part in item.partition("="))
        result[name] = int(value) if value else max(result.values()) + 1
    return result


@pytest.mark.parametrize("name", operations())
def test_positions_are_those_of_the_declaration(name: str) -> None:
    info = operations()[name]
    body = re.search(rf"^struct {camel(name)} \{{\n(.*?)^\}};$", POSITIONS, re.S | re.M)
    assert body is not None
    inputs, _, outputs = body[1].partition("struct Out")
    expected, repeated = {}, False
    for index, operand in enumerate(info.inputs):
        repeated = repeated or operand.repeated
        if not operand.repeated:
            place = index - len(info.inputs) if repeated else index
            expected[f"k{camel(operand.name)}"] = place
    assert values(inputs) == expected
    if len(info.outputs) > 1:
        wanted = {f"k{camel(o.name)}": i for i, o in enumerate(info.outputs)}
        assert values(outputs) == wanted


def test_names_stand_in_the_order_of_the_codes() -> None:
    table = re.search(r"names\[\] = \{(.*?)\}", NAMES, re.S)
    assert table is not None
    expected = sorted(operations(), key=lambda name: operations()[name].type)
    assert re.findall(r'"(\w+)"', table[1]) == expected


def test_every_fused_activation_is_known() -> None:
    function = OPERAND[OPERAND.index("FuseCodePosition") :]
    known = set(re.findall(r"case NNADAPTER_(\w+):", function[: function.index("default:")]))
    declared = {n for n, o in operations().items() if "fuse_code" in [i.name for i in o.inputs]}
    assert known == declared
