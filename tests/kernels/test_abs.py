import numpy as np
from elementwise_tables import large, unary
from harness import rand_complex

table = unary("abs", integers=("int32", "int64"))
large(table, (2, 8, 71, 67), None, np.abs)
for shape in ((), (2, 3, 4, 5)):
    table.case({"X": rand_complex(*shape)}, tol=1e-6)
table.case({"X": rand_complex(60, 700)}, reference=lambda i, _: {"Out": np.abs(i["X"])})
table.case({"X": rand_complex(3, 5, dtype="complex128")}, tol=1e-13)
corners = np.array([0, -1j, 3 + 4j, 1e30 + 1e30j, np.inf + 1j], "complex64")
table.case({"X": corners}, tol=1e-6)

test_abs = table.tests()
