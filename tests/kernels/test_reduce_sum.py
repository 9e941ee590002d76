import numpy as np
from harness import OpTable, rand, rand_complex, randint
from reduce_cases import reduce_table

TYPES = (("int32", 5), ("float32", 3), ("int64", 2), ("bool", 5), ("float64", 5))


def of_another_type(table: OpTable) -> None:
    for source, out_dtype in TYPES:
        attrs = {"dim": [1], "out_dtype": out_dtype}
        table.case({"X": randint(3, 4, low=0, high=2, dtype=source)}, attrs)
    for dtype in ("complex64", "complex128"):
        for dim in ([0], [1, 2], [0, 2]):
            table.case({"X": rand_complex(3, 4, 5, dtype=dtype)}, {"dim": dim}, tol=1e-6)
    table.error({"X": rand_complex(3)}, {"out_dtype": 5}, error="DataTypeError", match="complex64")
    for out_dtype in (0, 4, 22, 23, 1000):
        table.error(
            {"X": rand(3)}, {"out_dtype": out_dtype}, error="DataTypeError", match="out_dtype"
        )


table = reduce_table(
    "reduce_sum",
    np.sum,
    more_types=["int16", "uint8", "bool"],
    of_nothing=True,
    more_cases=of_another_type,
)
test_reduce_sum = table.tests()
