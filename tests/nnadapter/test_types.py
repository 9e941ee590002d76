"""The Python view's layouts and functions are those of nnadapter.h."""

from __future__ import annotations

import ctypes
import re

from nnadapter.compiling import INCLUDE

from lite.nnadapter import abi

HEADER = (INCLUDE / "nnadapter" / "nnadapter.h").read_text()


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
