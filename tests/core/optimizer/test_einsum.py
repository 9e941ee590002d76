"""Einsums that are products of matrices become them."""

from __future__ import annotations

import numpy as np
import pytest
from checking import program, rand, types

from lite.api.build import make_core
from lite.core.optimizer import optimize

Dims = tuple[int, ...]
M, R, T = "matmul_v2", "reshape2", "transpose2"
COMPUTED: list[tuple[str, Dims, Dims, list[str]]] = [
    ("bqhd,bkhd->bhqk", (2, 5, 3, 4), (2, 6, 3, 4), [T, T, M]),
    ("BHQK,BKHD->BQHD", (2, 3, 5, 6), (2, 6, 3, 4), [T, M, T]),
    ("...hqk,...khd->...qhd", (2, 3, 5, 6), (2, 6, 3, 4), [T, M, T]),
    ("aecd,abcd->acbe", (2, 5, 3, 4), (2, 6, 3, 4), [T, T, M]),
    ("ij,jk->ik", (5, 6), (6, 4), [M]),
    ("ij,kj->ki", (5, 6), (4, 6), [M]),
    ("abij,abjk->abik", (2, 1, 5, 6), (2, 3, 6, 4), [M]),  # batches broadcast
    ("ab,ab->", (3, 4), (3, 4), ["einsum"]),
    ("abc,bcd->ad", (2, 3, 4), (3, 4, 5), ["einsum"]),
    ("ab,ab->ab", (3, 4), (3, 4), ["einsum"]),
    ("aab,bc->ac", (3, 3, 4), (4, 5), ["einsum"]),
]
CONSTANT: list[tuple[str, Dims, Dims, list[str]]] = [
    ("abc,cde->abde", (2, 3, 4), (4, 5, 6), [M, R]),
    ("abcd,cde->abe", (2, 3, 4, 5), (4, 5, 6), [R, M]),
    ("nta,hab->nthb", (2, 3, 4), (5, 4, 6), [M, R]),
    ("fi,fij->j", (3, 2), (3, 2, 7), [R, M, R]),
    ("ab,b->a", (3, 4), (4,), [M, R]),
    ("a,ab->b", (4,), (4, 3), [R, M, R]),
    ("...c,cd->...d", (2, 3, 4), (4, 5), [M]),
    ("cab,cd->dab", (4, 2, 3), (4, 5), [T, M, T]),
    ("cd,abc->abd", (2, 3, 4), (4, 5), [M]),  # the constant comes first
    ("btgi,gih->btgh", (2, 3, 4, 5), (4, 5, 6), ["einsum"]),
    ("ab,b->a", (3, 4), (1,), ["einsum"]),
]


def check(equation: str, x: Dims, y: Dims, wanted: list[str], constant: bool, free: bool) -> None:
    arrays = {"x": rand(*x), "y": rand(*y)}
    names = "y, x" if constant and equation.startswith("cd,abc") else "x, y"
    body = f'Out: [o] = einsum(Operands: [{names}]) {{equation: string "{equation}"}}'
    fed = {name: (-1, *a.shape[1:]) if free else a.shape for name, a in arrays.items()}
    params = {"y": arrays["y"]} if constant else {}
    feeds = {name: fed[name] for name in fed if name not in params}
    before = program(body, feeds, ["o"], params)
    after = optimize(before, ["x86"], passes=["einsum_matmul_pass"])
    assert types(after) == wanted
    expected = np.einsum(equation, *(arrays[name] for name in names.split(", ")))
    for made in (after, optimize(before, ["x86"])):
        found = make_core(made).run_with([(arrays[name], []) for name in feeds])[0][0]
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize(("equation", "x", "y", "wanted"), COMPUTED)
def test_two_computed_operands(equation: str, x: Dims, y: Dims, wanted: list[str]) -> None:
    check(equation, x, y, wanted, constant=False, free=False)


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize(("equation", "x", "y", "wanted"), CONSTANT)
def test_weights(equation: str, x: Dims, y: Dims, wanted: list[str], free: bool) -> None:
    check(equation, x, y, wanted, constant=True, free=free)


def test_a_free_batch() -> None:
    check("bqhd,bkhd->bhqk", (2, 5, 3, 4), (2, 6, 3, 4), [T, T, M], constant=False, free=True)
