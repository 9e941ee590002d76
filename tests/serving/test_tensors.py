"""Tensors of the protocol: every type there and back, and values that are none."""

from __future__ import annotations

import numpy as np
import pytest

from lite.errors import DataTypeError, ShapeError
from lite.serving.tensors import array_of, datatype, raw_of

TYPES = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64".split()


@pytest.mark.parametrize("name", TYPES)
def test_there_and_back(name: str) -> None:
    x = np.array([[0, 1, 1], [1, 0, 1]]).astype(name)
    kind = datatype(name)
    for data in (x.ravel().tolist(), x.tolist(), [raw_of(x)], [memoryview(raw_of(x))]):
        found = array_of("x", kind, [2, 3], data)
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found, x)


def test_nothing_and_scalars() -> None:
    assert array_of("x", "FP32", [0, 4], []).shape == (0, 4)
    assert array_of("x", "INT64", [], [7]) == 7
    assert array_of("x", "INT64", [2], [1.0, True]).tolist() == [1, 1]
    assert array_of("x", "UINT64", [2], [1, 2**64 - 1]).tolist() == [1, 2**64 - 1]


@pytest.mark.parametrize(
    ("kind", "shape", "data", "error", "part"),
    [
        ("BYTES", [1], ["text"], DataTypeError, "BYTES, expected one of BOOL"),
        ("FP32", [2], [1.0], ShapeError, r"1 values, which its shape \[2\]"),
        ("FP32", [-1], [1.0], ShapeError, "1 values"),
        ("FP32", [2**62, 4], [1.0], ShapeError, "1 values"),
        ("FP32", [1], [b"123"], ShapeError, "3 bytes of FP32"),
        ("FP32", [2], [b"1234"], ShapeError, "1 values"),
        ("FP32", [1], ["text"], DataTypeError, "no FP32"),
        ("FP32", [2], [[1.5], [None]], DataTypeError, "no FP32: one is None"),
        ("FP64", [2], [1, "1.5"], DataTypeError, "no FP64: one is '1.5'"),
        ("INT64", [2], [1, 1.7], DataTypeError, "no INT64: one is 1.7"),
        ("BOOL", [2], [True, 2], DataTypeError, "no BOOL: one is 2"),
        ("FP32", [2], [[1.0], [2.0, 3.0]], DataTypeError, "no FP32"),
        ("UINT8", [1], [300], DataTypeError, "no UINT8"),
        ("INT64", [1], [None], DataTypeError, "no INT64"),
    ],
)
def test_what_is_no_tensor(
    kind: str, shape: list[int], data: list[object], error: type[Exception], part: str
) -> None:
    with pytest.raises(error, match=part):
        array_of("x", kind, shape, data)
