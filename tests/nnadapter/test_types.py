"""The Python view's numbers and layouts are those of nnadapter.h."""

from __future__ import annotations

import ctypes
import re
from enum import IntEnum
from pathlib import Path

import pytest

from lite.nnadapter import abi, types

HEADER = (Path(__file__).parents[2] / "lite/nnadapter/include/nnadapter/nnadapter.h").read_text()
PREFIXES = {"FuseCode": "FUSED_", "AutoPad": "AUTO_PAD_", "PadMode": "PAD_MODE_"}
PREFIXES["InterpolateMode"] = "INTERPOLATE_MODE_"
ENUMS = {
    "ResultCode": "NNAdapterResultCode",
    "Precision": "NNAdapterOperandPrecisionCode",
    "Layout": "NNAdapterOperandLayoutCode",
    "Lifetime": "NNAdapterOperandLifetimeCode",
    "DeviceType": "NNAdapterDeviceCode",
    "FuseCode": "NNAdapterFuseCode",
    "AutoPad": "NNAdapterAutoPadCode",
    "PadMode": "NNAdapterPadModeCode",
    "InterpolateMode": "NNAdapterInterpolateModeCode",
    "OperationType": "NNAdapterOperationCode",
}


@pytest.mark.parametrize("name", ENUMS)
def test_enumerations_are_those_of_the_header(name: str) -> None:
    found = re.search(r"typedef enum \{([^{}]*)\} " + ENUMS[name] + ";", HEADER, re.S)
    assert found is not None
    pairs = re.findall(r"NNADAPTER_(\w+) = (-?\d+)", found[1])
    expected = {word.removeprefix(PREFIXES.get(name, "")): int(value) for word, value in pairs}
    enumeration: type[IntEnum] = getattr(types, name)
    assert {member.name: member.value for member in enumeration} == expected


def test_structures_have_the_sizes_and_offsets_of_the_abi() -> None:
    assert ctypes.sizeof(abi.Dimensions) == 296
    assert abi.Dimensions.data.offset == 4
    assert abi.Dimensions.dynamic_count.offset == 36
    assert abi.Dimensions.dynamic_data.offset == 40
    assert ctypes.sizeof(abi.OperandType) == 328
    assert abi.OperandType.dimensions.offset == 12
    assert abi.OperandType.symm_per_layer_params.offset == 312
    assert ctypes.sizeof(abi.SymmPerChannel) == 16
    assert ctypes.sizeof(abi.AsymmPerLayer) == 8


def test_every_function_of_the_header_is_declared() -> None:
    names = set(re.findall(r"\b(NNAdapter\w*_\w+)\(", HEADER))
    declared = set(abi.SIGNATURES) | {f"NNAdapter{name}" for name in abi.RELEASES}
    declared |= {"NNAdapter_getLastErrorMessage", "NNAdapter_getLastErrorCode"}
    assert names == declared - {"NNAdapterModel_getRefusal"}  # runtime/refusal.h
