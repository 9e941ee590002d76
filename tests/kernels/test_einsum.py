from typing import Any

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("einsum")
BOTH = {"Out": 1, "InnerCache": 2, "XShape": 2}


def einsum(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    operands = inputs["Operands"]
    operands = operands if isinstance(operands, list) else [operands]
    out = np.einsum(attrs["equation"], *(operand.astype(np.float64) for operand in operands))
    return {"Out": np.asarray(out).astype(operands[0].dtype)}


for dtype in ("float32", "float64"):
    for equation, *shapes in (
        ("ij,jk->ik", (5, 7), (7, 6)),
        ("ij,kj->ki", (5, 7), (6, 7)),
        ("bij,bjk->bik", (2, 9, 5), (2, 5, 8)),
        ("bhid,bhjd->bhij", (2, 2, 5, 4), (2, 2, 6, 4)),
        ("bhij,bjhd->bihd", (2, 3, 4, 5), (2, 5, 3, 6)),
        ("bqnd,bknd->bnqk", (2, 3, 2, 4), (2, 5, 2, 4)),
        ("nkctv,kvw->nctw", (2, 3, 4, 2, 5), (3, 5, 5)),
        ("ij,j->i", (4, 5), (5,)),
        ("i,j->ij", (3,), (4,)),
        ("i,i->", (6,), (6,)),
        ("ij,ij->ij", (3, 4), (3, 4)),
        ("bc,bc->b", (3, 4), (3, 4)),
        ("ijk->kij", (2, 3, 4)),
        ("ijk->j", (2, 3, 4)),
        ("ij->", (2, 3)),
        ("ii->i", (3, 3)),
        ("ii->", (4, 4)),
        ("iji->j", (3, 2, 3)),
        ("ij->ijj", (2, 3)),
        ("...ij,...jk->...ik", (2, 1, 3, 2), (4, 2, 3)),
        ("b...c->...bc", (2, 3, 4, 5)),
        ("...i,i->...", (2, 3, 4), (4,)),
        ("->", ()),
    ):
        table.case({"Operands": [rand(*s, dtype=dtype) for s in shapes]}, {"equation": equation})
table.case(
    {"Operands": [rand(2, 3), rand(3, 4)]},
    {"equation": "ij,jk->ik"},
    outputs=BOTH,
    reference=einsum,
    unchecked=("InnerCache", "XShape"),
)
# What the operator of Paddle 2.6.2 refuses: its Python function rewrites some of it.
for equation, *shapes in (
    (" i j , j k -> i k ", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ba", (2, 3)),
    ("ii", (3, 3)),
    ("...i,i", (2, 3), (3,)),
    ("bA,cA->bc", (2, 3), (4, 3)),
    ("i,j,k->ijk", (2,), (3,), (4,)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
    ("ij,kj,lj->ikl", (2, 3), (3, 3), (4, 3)),
    ("a,ab,abc->abc", (2,), (2, 3), (2, 3, 4)),
    ("a,ab,abc->", (2,), (2, 3), (2, 3, 4)),
    ("ab,cd->", (2, 3), (4, 2)),
    ("ab,cd->ad", (2, 3), (4, 2)),
    ("bij,bjk->bik", (1, 3, 4), (5, 4, 3)),
    ("ij,j->ij", (2, 3), (1,)),
    ("...,...->...", (3, 1), (1, 4)),
    ("aab,bc->ac", (2, 2, 3), (3, 4)),
    ("i,i->i", (0,), (0,)),
    ("ij,jk->ik", (2, 0), (0, 3)),
    ("ij,jk->ik", (0, 2), (2, 3)),
    ("ij->i", (2, 0)),
    ("abcdefghi,ihgfedcba->", (1, 2, 1, 2, 1, 2, 1, 2, 2), (2, 2, 1, 2, 1, 2, 1, 2, 1)),
):
    arrays = [rand(*s) for s in shapes]
    table.case({"Operands": arrays}, {"equation": equation}, reference=einsum)
for dtype in ("int32", "int64"):
    table.case(
        {"Operands": [randint(3, 4, dtype=dtype), randint(4, 5, dtype=dtype)]},
        {"equation": "ij,jk->ki"},
        reference=einsum,
    )
for equation, *shapes in (
    ("ij,jk->ik", (2, 3)),
    ("ij->i", (2, 3), (3, 4)),
    ("ij,jk->ik", (2, 3), (4, 5)),
    ("ij->ik", (2, 3)),
    ("i->i", (2, 3)),
    ("ijk->i", (2, 3)),
    ("......->i", (2, 3)),
    ("i.j->i", (2, 3)),
    ("i1->i", (2, 3)),
    ("ij->i->j", (2, 3)),
    ("ij->i,j", (2, 3)),
    ("ij-", (2, 3)),
    ("ij.", (2, 3)),
    ("ii->i", (2, 3)),
    ("", (2,)),
    ("é" * 5000, (2,)),
    ("ij->" + "i" * 30, (2, 3)),
):
    arrays = [rand(*s) for s in shapes]
    match = "dimensions" if len(equation) == 34 else "equation"
    table.error({"Operands": arrays}, {"equation": equation}, error="ShapeError", match=match)
pair = [rand(2, 3), rand(3, 4, dtype="float64")]
table.error({"Operands": pair}, {"equation": "ij,jk->ik"}, error="DataTypeError", match="[1]")
table.error(
    {"Operands": [rand(2, 3) > 0]}, {"equation": "ij->i"}, error="DataTypeError", match="bool"
)
table.error({"Operands": rand(2)}, {}, error="ModelFormatError", match="equation")

test_einsum = table.tests()
