import numpy as np
from harness import OpTable, rand_complex
from reduce_cases import reduce_table


def of_complex(table: OpTable) -> None:
    for dtype in ("complex64", "complex128"):
        for dim in ([0], [1, 2], [0, 2]):
            table.case({"X": rand_complex(3, 4, 5, dtype=dtype)}, {"dim": dim}, tol=1e-6)


table = reduce_table("reduce_mean", np.mean, more_types=["bool"], more_cases=of_complex)
test_reduce_mean = table.tests()
