import numpy as np
from harness import OpTable, lod, rand, rand_complex, randint
from int8_cases import add_int8

table = OpTable("matmul_v2")
SHAPES = [
    ((3,), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((2, 3), (3, 4)),
    ((1, 64), (64, 33)),
    ((7, 65), (65, 130)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((5, 2, 3), (1, 3, 4)),
    ((2, 4, 5, 6), (2, 4, 6, 3)),
    ((2, 4, 5, 6), (4, 6, 3)),
    ((2, 1, 5, 6), (4, 6, 3)),
    ((2, 4, 5, 6), (2, 1, 6, 3)),
    ((2, 3, 4, 5, 6), (3, 1, 6, 2)),
    ((1, 8, 40, 15), (1, 8, 15, 40)),
]


def turned(array: np.ndarray) -> np.ndarray:
    return array if array.ndim == 1 else np.ascontiguousarray(array.swapaxes(-1, -2))


def product(inputs: dict, attrs: dict) -> dict:
    x = turned(inputs["X"]) if attrs.get("trans_x") else inputs["X"]
    y = turned(inputs["Y"]) if attrs.get("trans_y") else inputs["Y"]
    return {"Out": np.matmul(x, y)}


for x_shape, y_shape in SHAPES:
    for trans_x in (False, True):
        for trans_y in (False, True):
            x, y = rand(*x_shape), rand(*y_shape)
            arrays = {"X": turned(x) if trans_x else x, "Y": turned(y) if trans_y else y}
            attrs = {"trans_x": trans_x, "trans_y": trans_y}
            if x.size < 200:
                table.case(arrays, attrs)
            else:
                table.case(arrays, attrs, reference=product)
            table.case(arrays, attrs, params=["Y"], reference=product)
for dtype in ("float64", "int32", "int64"):
    table.case({"X": rand(3, 4, dtype=dtype), "Y": rand(4, 5, dtype=dtype)})
    table.case(
        {"X": randint(2, 3, 4, dtype=dtype), "Y": randint(3, 5, 4, dtype=dtype)[:2]},
        {"trans_y": True},
    )
table.case({"X": lod(rand(3, 4), [[0, 1, 3]]), "Y": rand(4, 5)})
for x_shape, y_shape in [((0, 3), (3, 4)), ((2, 0), (0, 4)), ((2, 3), (3, 0)), ((0, 2, 3), (3, 4))]:
    for params in ([], ["Y"]):
        arrays = {"X": rand(*x_shape), "Y": rand(*y_shape)}
        table.case(arrays, params=params, reference=product)

table.error({"X": rand(2, 3), "Y": rand(4, 3)}, match="multiplied over 3 and 4")
table.error({"X": rand(2, 3), "Y": rand(3, 4)}, {"trans_y": True}, match="multiplied")
table.error({"X": rand(2, 2, 3), "Y": rand(3, 3, 4)}, match="batch sizes 2 and 3")
table.error({"X": rand(), "Y": rand(3, 4)}, match="at least one dimension")
table.error({"X": rand(2, 3), "Y": rand(3, 4, dtype="float64")}, error="DataTypeError")
table.error({"X": rand(2, 3).astype(bool), "Y": rand(3, 4).astype(bool)}, error="DataTypeError")

add_int8(table, ("X", "Y"), [((2, 3, 70), (70, 33), {}), ((1, 9), (9, 3), {})], 1, product)
for dtype in ("complex64", "complex128"):
    x, y = rand_complex(2, 3, 4, dtype=dtype), rand_complex(4, 5, dtype=dtype)
    table.case({"X": x, "Y": y}, tol=1e-5)
    table.case({"X": x, "Y": turned(y)}, {"trans_y": True}, params=["Y"], tol=1e-5)
table.error({"X": rand(2, 3), "Y": rand_complex(3, 4)}, error="DataTypeError", match="complex64")

# Widths around those of the tiles of fp64.
for m, n, k in [(1, 9, 7), (2, 16, 5), (4, 17, 1), (5, 33, 300), (9, 3, 40), (8, 32, 64)]:
    for trans_x, trans_y in [(False, False), (True, False), (False, True), (True, True)]:
        x = rand(3, *((k, m) if trans_x else (m, k)), dtype="float64")
        y = rand(3, *((n, k) if trans_y else (k, n)), dtype="float64")
        attrs = {"trans_x": trans_x, "trans_y": trans_y}
        table.case({"X": x, "Y": y}, attrs, reference=product, tol=1e-14)

test_matmul_v2 = table.tests()
