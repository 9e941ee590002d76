"""What users hand to an input, sensible and not."""

from __future__ import annotations

from typing import Any

import numpy as np

RNG = np.random.default_rng(7)
BASE = RNG.standard_normal((3, 4)).astype(np.float32)


class Subclass(np.ndarray):
    """An ndarray by another name."""


class WithArray:
    """Something that numpy can turn into an array."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        return BASE.astype(dtype or np.float32)


class BrokenArray:
    """Something that promises an array and fails."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        raise ValueError("no array after all")


class WrongArray:
    """Something that promises an array and gives none."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return "text"


class Endless:
    """A sequence that has no end and no length."""

    def __getitem__(self, index: int) -> float:
        return 0.5


def _read_only() -> np.ndarray[Any, Any]:
    array = BASE.copy()
    array.flags.writeable = False
    return array


def _unaligned() -> np.ndarray[Any, Any]:
    raw = np.zeros(BASE.nbytes + 1, np.uint8)
    raw[1:] = np.frombuffer(BASE.tobytes(), np.uint8)
    return raw[1:].view(np.float32).reshape(3, 4)


def _nested() -> list[Any]:
    nested: list[Any] = []
    nested.append(nested)
    return nested


def _deep() -> list[Any]:
    nested: list[Any] = [0.0]
    for _ in range(5000):
        nested = [nested]
    return nested


def _structured() -> np.ndarray[Any, Any]:
    return np.zeros((3, 4), [("a", "f4"), ("b", "i4")])


VALUES: dict[str, Any] = {
    "plain": BASE,
    "fortran": np.asfortranarray(BASE),
    "transposed": np.ascontiguousarray(BASE.T).T,
    "reversed": BASE[::-1],
    "reversed both": BASE[::-1, ::-1],
    "strided": np.repeat(BASE, 3, axis=1)[:, ::3],
    "broadcast": np.broadcast_to(BASE[0], (3, 4)),
    "read only": _read_only(),
    "unaligned": _unaligned(),
    "subclass": BASE.view(Subclass),
    "recarray": np.rec.fromarrays([BASE[:, 0], BASE[:, 1]]),
    "masked": np.ma.masked_array(BASE, BASE > 0),
    "structured": _structured(),
    "big endian": BASE.astype(">f4"),
    "little endian": BASE.astype("<f4"),
    "big endian int64": np.arange(12).reshape(3, 4).astype(">i8"),
    "NaN": np.full((3, 4), np.nan, np.float32),
    "infinity": np.full((3, 4), np.inf, np.float32),
    "denormal": np.full((3, 4), 1e-42, np.float32),
    "empty": np.zeros((0, 4), np.float32),
    "empty inner": np.zeros((3, 0), np.float32),
    "0-D": np.array(1.5, np.float32),
    "numpy scalar": np.float32(1.5),
    "float": 1.5,
    "int": 3,
    "bool": True,
    "list": BASE.tolist(),
    "list of ints": [[1, 2, 3, 4]],
    "list of bools": [[True, False, True, True]],
    "tuple": tuple(map(tuple, BASE.tolist())),
    "list of arrays": [BASE[0], BASE[1]],
    "empty list": [],
    "ragged list": [[1.0, 2.0], [3.0]],
    "nested in itself": _nested(),
    "nested 5000 deep": _deep(),
    "huge ints": [[2**70, 0, 0, 0]],
    "ints beyond int32": [[2**40, 0, 0, 0]],
    "floats beyond float32": [[1e300, 0.0, 0.0, 0.0]],
    "uint64 ints": [[2**63, 0, 0, 0]],
    "None": None,
    "str": "1.5",
    "bytes": b"\\0" * 48,
    "bytearray": bytearray(48),
    "memoryview": memoryview(BASE),
    "dict": {"x": 1.0},
    "set": {1.0, 2.0},
    "range": range(4),
    "generator": (value for value in (1.0, 2.0)),
    "object": object(),
    "type": float,
    "complex": BASE.astype(np.complex64),
    "float16": BASE.astype(np.float16),
    "float64": BASE.astype(np.float64),
    "longdouble": BASE.astype(np.longdouble),
    "int8": np.ones((3, 4), np.int8),
    "int16": np.ones((3, 4), np.int16),
    "int32": np.ones((3, 4), np.int32),
    "int64": np.ones((3, 4), np.int64),
    "uint8": np.ones((3, 4), np.uint8),
    "uint16": np.ones((3, 4), np.uint16),
    "uint32": np.ones((3, 4), np.uint32),
    "uint64": np.ones((3, 4), np.uint64),
    "bools": np.ones((3, 4), np.bool_),
    "datetime": np.zeros((3, 4), "M8[s]"),
    "timedelta": np.zeros((3, 4), "m8[s]"),
    "strings": np.array([["a", "b", "c", "d"]]),
    "byte strings": np.array([[b"a", b"b", b"c", b"d"]]),
    "objects": np.array([[1.0, None, "a", 2]], object),
    "object numbers": np.array([[1.0, 2.0, 3.0, 4.0]], object),
    "void": np.zeros((3, 4), "V4"),
    "rank 1": BASE[0],
    "rank 3": BASE[None],
    "rank 9": BASE.reshape(1, 1, 1, 1, 1, 1, 1, 3, 4),
    "rank 20": BASE.reshape((1,) * 18 + (3, 4)),
    "wrong inner": np.ones((3, 5), np.float32),
    "wider than memory": np.broadcast_to(np.float32(0), (1 << 40, 4)),
    "wider than memory by far": np.broadcast_to(np.float32(0), (1 << 58, 4)),
    "__array__": WithArray(),
    "broken __array__": BrokenArray(),
    "wrong __array__": WrongArray(),
    "endless sequence": Endless(),
    "pair without LoD": (BASE, None),
    "pair with LoD": (BASE, [[0, 1, 3]]),
    "pair with wrong LoD": (BASE, [[0, 9]]),
}
