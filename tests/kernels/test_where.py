import numpy as np
from harness import OpTable, lod, rand, rand_complex, randint

table = OpTable("where")
for dtype in ("float32", "float64", "int32", "int64"):
    for shape in ((), (3,), (2, 3, 4, 5)):
        x, y = randint(*shape, dtype=dtype), randint(*shape, dtype=dtype)
        table.case({"Condition": rand(*shape) > 0, "X": x, "Y": y})
lods = [[0, 3, 5]]
table.case({"Condition": rand(5) > 0, "X": lod(rand(5), lods), "Y": rand(5)})
yes = rand(3) > 0
for dtype in ("bool", "int16", "int8", "uint8"):
    table.case(
        {"Condition": yes, "X": randint(3, dtype=dtype), "Y": randint(3, dtype=dtype)},
        reference=lambda i, _: {"Out": np.where(i["Condition"], i["X"], i["Y"])},
    )
for shapes in (((2, 1), (1, 3), (1,)), ((4,), (3, 1), (2, 3, 4)), ((2, 3), (2, 3), (2, 3))):
    condition, x, y = (rand(*shape) for shape in shapes)
    table.case(
        {"Condition": condition > 0, "X": x, "Y": y},
        {"broadcast": True},
        reference=lambda i, _: {"Out": np.where(i["Condition"], i["X"], i["Y"])},
    )
table.error({"Condition": yes, "X": rand(3), "Y": rand(2)}, {"broadcast": True}, error="ShapeError")
table.error({"Condition": yes, "X": rand(3), "Y": rand(1)}, error="ShapeError", match="equal")
table.error(
    {"Condition": yes, "X": rand(3), "Y": randint(3)}, error="DataTypeError", match="one type"
)
table.error({"Condition": rand(3), "X": rand(3), "Y": rand(3)}, error="DataTypeError", match="bool")
for dtype in ("complex64", "complex128"):
    table.case(
        {"Condition": yes, "X": rand_complex(3, dtype=dtype), "Y": rand_complex(3, dtype=dtype)},
        reference=lambda i, _: {"Out": np.where(i["Condition"], i["X"], i["Y"])},
    )
for dtype in ("float32", "int64", "int16", "bool"):  # one element for more than a block of them
    for x_shape, y_shape in (((13, 100), (1, 1)), ((), (13, 100)), ((1,), ())):
        table.case(
            {
                "Condition": rand(13, 100) > 0,
                "X": randint(*x_shape, dtype=dtype),
                "Y": randint(*y_shape, dtype=dtype),
            },
            {"broadcast": True},
            reference=lambda i, _: {"Out": np.where(i["Condition"], i["X"], i["Y"])},
        )

test_where = table.tests()
