"""Eigenvalues, singular values, QR and LU: values against Paddle, vectors by what they make."""

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import OpTable, Values, rand, randint

SHAPES = ((3, 3), (2, 4, 4), (2, 1, 5, 5), (1, 1))
WIDE = ((4, 3), (3, 4), (2, 5, 2), (1, 6), (6, 1))
NAN = np.full((2, 2), np.nan, "float32")


def arrays(outputs: Values) -> dict[str, Any]:
    return {slot: values[0][0] for slot, values in outputs.items()}


def same(actual: Any, wanted: Any, tol: float = 1e-4) -> None:
    assert actual.shape == np.shape(wanted)
    np.testing.assert_allclose(actual, wanted, atol=tol * max(np.abs(wanted).max(initial=0), 1e-6))


def orthonormal(columns: Any) -> None:
    product = np.swapaxes(columns, -1, -2) @ columns
    same(product, np.broadcast_to(np.eye(product.shape[-1]), product.shape))


def eigen_check(x: Any, upper: bool) -> Callable[[Values], None]:
    def check(outputs: Values) -> None:
        half = np.triu(x) if upper else np.tril(x)
        diagonal = np.einsum("...ii->...i", x)[..., None] * np.eye(x.shape[-1])
        whole = half + np.swapaxes(half, -1, -2) - diagonal
        w, v = arrays(outputs)["Eigenvalues"], arrays(outputs)["Eigenvectors"]
        assert w.dtype == v.dtype == x.dtype
        same(w, np.linalg.eigvalsh(whole))
        same(v @ (w[..., None] * np.swapaxes(v, -1, -2)), whole)
        orthonormal(v)

    return check


eigh = OpTable("eigh")
eigvalsh = OpTable("eigvalsh")
BOTH = {"Eigenvalues": 1, "Eigenvectors": 1}
for dtype in ("float32", "float64"):
    for shape in (*SHAPES, (12, 12)):
        for uplo in "LU":
            x = rand(*shape, dtype=dtype)
            for table in (eigh, eigvalsh):
                table.case(
                    {"X": x}, {"UPLO": uplo}, outputs=BOTH, check=eigen_check(x, uplo == "U")
                )
for special in (np.zeros((3, 3)), np.eye(4), np.ones((5, 5)), np.diag([3.0, -1, 2])):
    x = special.astype("float32")
    eigh.case({"X": x}, outputs=BOTH, check=eigen_check(x, False))
for dtype in ("float32", "float64"):
    x = rand(2, 4, 4, dtype=dtype)
    eigvalsh.case({"X": x + np.swapaxes(x, -1, -2)}, {"UPLO": "U", "is_test": True})
for table in (eigh, eigvalsh):
    table.error({"X": NAN}, outputs=BOTH, match="matrix 0 holds nan")
    table.error({"X": rand(2, 3)}, outputs=BOTH, error="ShapeError", match="square")
    table.error({"X": rand(2, 2)}, {"UPLO": "X"}, outputs=BOTH, match="UPLO")
    table.error({"X": randint(2, 2)}, outputs=BOTH, error="DataTypeError", match="int64")
test_eigh = eigh.tests()
test_eigvalsh = eigvalsh.tests()


def svd_check(x: Any, full: bool) -> Callable[[Values], None]:
    def check(outputs: Values) -> None:
        made = arrays(outputs)
        u, s, vh = made["U"], made["S"], made["VH"]
        m, n = x.shape[-2:]
        k = min(m, n)
        assert u.shape[-2:] == (m, m if full else k) and vh.shape[-2:] == (n if full else k, n)
        same(s, np.linalg.svd(x, compute_uv=False))
        same(u[..., :k] @ (s[..., None] * vh[..., :k, :]), x)
        orthonormal(u)
        orthonormal(np.swapaxes(vh, -1, -2))

    return check


svd = OpTable("svd")
LOW_RANK = np.outer(np.arange(1, 5), np.arange(1, 4)).astype("float32")
for dtype in ("float32", "float64"):
    for shape in (*SHAPES, *WIDE, (20, 13)):
        for full in (False, True):
            x = rand(*shape, dtype=dtype)
            svd.case({"X": x}, {"full_matrices": full}, check=svd_check(x, full))
for x in (np.zeros((3, 2), "float32"), LOW_RANK, LOW_RANK.T.copy(), np.eye(3, dtype="float32")):
    for full in (False, True):
        svd.case({"X": x}, {"full_matrices": full}, check=svd_check(x, full))
svd.error({"X": NAN}, match="matrix 0 holds nan")
svd.error({"X": rand(0, 3)}, error="ShapeError", match="elements")
svd.error({"X": rand(3)}, error="ShapeError", match="matrices")
test_svd = svd.tests()

svdvals = OpTable("svdvals")
for dtype in ("float32", "float64"):
    for shape in (*SHAPES, *WIDE, (0, 3)):
        svdvals.case(
            {"x": rand(*shape, dtype=dtype)},
            reference=lambda i, a: {"s": np.linalg.svd(i["x"], compute_uv=False)},
        )
svdvals.error({"x": NAN}, match="nan")
svdvals.error({"x": rand(3)}, error="ShapeError", match="matrices")
test_svdvals = svdvals.tests()

rank = OpTable("matrix_rank")
DIAGONAL = np.diag([4.0, 2, -1, 0.1])
for dtype in ("float32", "float64"):
    x = np.stack([DIAGONAL, np.ones((4, 4))]).astype(dtype)
    rank.case({"X": LOW_RANK.astype(dtype)})
    for hermitian in (False, True):
        rank.case({"X": x}, {"hermitian": hermitian})
        for tol in (0.5, 1.5):
            attrs = {"tol": tol, "use_default_tol": False, "hermitian": hermitian}
            rank.case({"X": x}, attrs)
        for by_default in (True, False):
            rank.case(
                {"X": x, "TolTensor": np.array([1.5, 0.5], dtype)},
                {"use_default_tol": by_default, "hermitian": hermitian},
            )
for absolute, relative, expected in ((0, 0.3, [2, 1]), (1.5, 0.1, [2, 1]), (5, 0, [0, 0])):
    rank.case(
        {
            "X": np.stack([DIAGONAL, np.ones((4, 4))]),
            "TolTensor": np.array(absolute, "float64"),
            "RtolTensor": np.array([relative] * 2, "float64"),
        },
        {"out_dtype": 3},
        reference=lambda i, a, expected=expected: {"Out": np.array(expected)},
    )
rank.case({"X": rand(2, 0, 3)}, reference=lambda i, a: {"Out": np.zeros(2, "int32")})
rank.error({"X": rand(2, 3)}, {"out_dtype": 5}, error="DataTypeError", match="out_dtype")
rank.error({"X": NAN}, match="nan")
rank.error({"X": rand(2, 3)}, {"hermitian": True}, error="ShapeError", match="square")
rank.error({"X": rand(2, 3), "TolTensor": rand(2)}, error="ShapeError", match="TolTensor")
rank.error({"X": rand(2, 3), "TolTensor": randint(1)}, error="DataTypeError", match="TolTensor")
test_matrix_rank = rank.tests()

qr = OpTable("qr")
for dtype in ("float32", "float64"):
    for shape in (*SHAPES, *WIDE):
        for mode in ("reduced", "complete"):
            qr.case({"X": rand(*shape, dtype=dtype)}, {"mode": mode}, outputs={"Q": 1, "R": 1})
        qr.case({"X": rand(*shape, dtype=dtype)}, {"mode": "r"}, outputs={"R": 1})
qr.case(
    {"X": rand(3, 2)},
    {"mode": "r"},
    outputs={"Q": 1, "R": 1},
    reference=lambda i, a: {
        "Q": np.zeros(0, "float32"),
        "R": np.linalg.qr(i["X"], "r"),
    },
)
for x in (np.diag([1.0, -2, 3]), np.zeros((2, 3)), np.triu(np.ones((3, 3)))):
    qr.case({"X": x}, outputs={"Q": 1, "R": 1})
qr.error({"X": NAN}, match="nan")
qr.error({"X": rand(2, 2)}, {"mode": "raw"}, match="raw")
qr.error({"X": rand(2)}, error="ShapeError", match="matrices")
test_qr = qr.tests()

lu = OpTable("lu")
ALL = {"Out": 1, "Pivots": 1, "Infos": 1}
for dtype in ("float32", "float64"):
    for shape in (*SHAPES[1:3], (1, 4, 3), (2, 3, 4)):
        lu.case({"X": rand(*shape, dtype=dtype)}, outputs=ALL)
    lu.case({"X": rand(5, 5, dtype=dtype)}, outputs={"Out": 1, "Pivots": 1})
lu.case(
    {"X": np.array([[0.0, 1], [0, 2]])},
    outputs=ALL,
    reference=lambda i, a: {
        "Out": i["X"],
        "Pivots": np.array([1, 2], "int32"),
        "Infos": np.array(1, "int32"),
    },
)
lu.exempt("pivots", "false is refused")
lu.error({"X": rand(2, 2)}, {"pivots": False}, error="ShapeError", match="partial pivoting")
lu.error({"X": rand(2)}, error="ShapeError", match="matrices")
test_lu = lu.tests()

unpack = OpTable("lu_unpack")
PIVOTS = {3: [3, 3, 3], 4: [2, 4, 4, 4]}
for dtype in ("float32", "float64"):
    for m, n in ((3, 3), (4, 3), (3, 4)):
        k = min(m, n)
        pivots = np.array([PIVOTS[m][:k], list(range(1, k + 1))], "int32")
        unpack.case({"X": rand(2, m, n, dtype=dtype), "Pivots": pivots})
unpack.case({"X": rand(3, 3), "Pivots": np.array([2, 3, 3], "int32")})
for name in ("unpack_ludata", "unpack_pivots"):
    unpack.exempt(name, "false is refused")
    unpack.error(
        {"X": rand(1, 1), "Pivots": np.ones(1, "int32")},
        {name: False},
        error="ShapeError",
        match=name,
    )
unpack.error({"X": rand(2, 2), "Pivots": np.array([1, 3], "int32")}, match="holds 3")
unpack.error({"X": rand(2, 2), "Pivots": np.ones(3, "int32")}, error="ShapeError", match="Pivots")
unpack.error({"X": rand(2, 2), "Pivots": np.ones(2)}, error="DataTypeError", match="Pivots")
test_lu_unpack = unpack.tests()
