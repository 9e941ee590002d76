from harness import OpTable, rand

table = OpTable("spectral_norm")


def arrays(*shape: int, dim: int = 0, dtype: str = "float32") -> dict:
    width = 1
    for i, size in enumerate(shape):
        width *= size if i != dim else 1
    return {
        "Weight": rand(*shape, dtype=dtype),
        "U": rand(shape[dim], dtype=dtype),
        "V": rand(width, dtype=dtype),
    }


for dim in (0, 1):
    for attrs in ({}, {"power_iters": 3}, {"eps": 0.1}, {"power_iters": 0}):
        table.case(arrays(3, 4, dim=dim), {"dim": dim, **attrs})
        table.case(arrays(2, 3, 2, 2, dim=dim), {"dim": dim, **attrs})
table.case(arrays(3, 2, 2, dtype="float64"))
GOOD = arrays(3, 4)
for slot in ("U", "V"):
    table.error({**GOOD, slot: rand(7)}, error="ShapeError", match=f"input {slot}")
    table.error({**GOOD, slot: GOOD[slot].astype("float64")}, error="DataTypeError", match=slot)
table.error({**GOOD, "Weight": rand(3)}, error="ShapeError", match="Weight")
table.error(GOOD, {"dim": 2}, error="ShapeError", match="dim")
table.error(GOOD, {"power_iters": -1}, error="ShapeError", match="power_iters")
test_spectral_norm = table.tests()
