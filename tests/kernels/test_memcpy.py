"""Cases of memcpy, memcpy_d2h and memcpy_h2d: Paddle's for the CPU has only the first."""

from __future__ import annotations

from typing import Any

from harness import OpTable, lod, rand, randint


def _copied(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    return {"Out": inputs["X"]}


def _table(op: str) -> OpTable:
    table = OpTable(op)
    for dtype in ("float32", "int64", "bool", "uint8"):
        table.case({"X": randint(2, 3, dtype=dtype)}, {"dst_place_type": 0}, reference=_copied)
    table.case({"X": rand(4)}, reference=_copied, params=["X"])
    return table


memcpy = OpTable("memcpy")
memcpy.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, {"dst_place_type": 0})
memcpy.case({"X": randint(2, 3)}, {"dst_place_type": 0}, params=["X"])
test_memcpy = memcpy.tests()
d2h = _table("memcpy_d2h")
test_memcpy_d2h = d2h.tests()
h2d = _table("memcpy_h2d")
test_memcpy_h2d = h2d.tests()
