"""Products, mask, softmax and weighted sum that the plan makes one node, against float64 numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness import OpTable, core, rand

from lite.model.naive_buffer import program_bytes
from lite.model.program import Attr, AttrType, OpDesc, Program, VarDesc

Array = np.ndarray
_TYPES = {bool: AttrType.BOOLEAN, int: AttrType.INT, float: AttrType.FLOAT}


def _attr(value: Any) -> Attr:
    return Attr(AttrType.INTS if isinstance(value, list) else _TYPES[type(value)], value)


class Network:
    """A program whose operators are given one by one; each returns its output's name."""

    def __init__(self, **fed: Array) -> None:
        self.fed = fed
        self.program = Program(params={})
        for column, name in enumerate(fed):
            self._add("feed", {"X": ["feed"]}, {"Out": [name]}, col=column)

    def _add(self, type: str, inputs: Any, outputs: dict[str, list[str]], **attrs: Any) -> None:
        op = OpDesc(type, inputs)
        op.outputs = outputs
        op.attrs = {name: _attr(value) for name, value in attrs.items()}
        self.program.root.ops.append(op)
        for name in (name for names in outputs.values() for name in names):
            self.program.root.vars[name] = VarDesc(name)

    def op(self, type: str, x: str, y: str | None = None, **attrs: Any) -> str:
        out = f"value{len(self.program.root.ops)}"
        slot = "Input" if type == "slice" else "X"
        inputs = {slot: [x]} if y is None else {slot: [x], "Y": [y]}
        outputs = {"Out": [out]}
        if type in ("reshape2", "transpose2"):
            outputs["XShape"] = [out + "_shape"]
        self._add(type, inputs, outputs, **attrs)
        return out

    def parts(self, type: str, x: str, count: int, **attrs: Any) -> list[str]:
        outputs = [f"part{len(self.program.root.ops)}_{i}" for i in range(count)]
        self._add(type, {"X": [x]}, {"Out": outputs}, **attrs)
        return outputs

    def run(self, *fetched: str, threads: int = 1) -> list[Array]:
        for column, name in enumerate(fetched):
            self._add("fetch", {"X": [name]}, {"Out": ["fetch"]}, col=column)
        predictor = core().Predictor.from_program(program_bytes(self.program), {})
        predictor.set_threads(threads)
        del self.program.root.ops[-len(fetched) :]
        for i, array in enumerate(self.fed.values()):
            predictor.set_input(i, array)
        predictor.run()
        return [np.array(predictor.copy_output(i)) for i in range(len(fetched))]


def attend(q: Array, k: Array, v: Array, scale: float = 1.0, mask: Any = 0.0) -> Array:
    q, k, v, mask = (np.asarray(x, "float64") for x in (q, k, v, mask))
    scores = q @ k.swapaxes(-1, -2) * scale + mask
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True) @ v


def check(network: Network, output: str, expected: Array) -> None:
    (result,) = network.run(output)
    assert result.shape == expected.shape
    finite = np.abs(expected[np.isfinite(expected)])
    np.testing.assert_allclose(
        result, expected, rtol=0, atol=1e-5 * finite.max(initial=1.0), equal_nan=True
    )
    for threads in (2, 3):
        np.testing.assert_array_equal(network.run(output, threads=threads)[0], result)


def heads(network: Network, x: str, count: int, perm: list[int]) -> str:
    width = network.fed[x].shape[2] // count
    return network.op(
        "transpose2", network.op("reshape2", x, shape=[0, 0, count, width]), axis=perm
    )


def split_heads(x: Array, count: int) -> Array:
    return x.reshape(*x.shape[:2], count, -1).swapaxes(1, 2)


def merged(x: Array) -> Array:
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


# batch, queries, keys, heads, elements of a key and of a value
SIZES = [
    (1, 128, 128, 12, 26, 26),
    (2, 13, 13, 3, 5, 5),
    (2, 7, 40, 2, 16, 9),
    (1, 1, 1, 1, 1, 1),
    (3, 1, 19, 4, 8, 8),
    (1, 130, 700, 1, 33, 17),
    (1, 5, 9000, 2, 4, 4),
]
MASKS: dict[str, Callable[[int, int, int, int], tuple[int, ...]] | None] = {
    "no mask": None,
    "keys of a batch": lambda b, h, q, k: (b, 1, 1, k),
    "whole": lambda b, h, q, k: (b, h, q, k),
    "heads": lambda b, h, q, k: (1, h, q, k),
    "matrix": lambda b, h, q, k: (q, k),
    "row": lambda b, h, q, k: (k,),
    "queries": lambda b, h, q, k: (b, 1, q, 1),
}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_encoder(sizes: tuple[int, ...], mask: str) -> None:
    """Heads split by transposes, keys transposed by the product."""
    batch, queries, keys, count, dim, value = sizes
    fed = {
        "q": rand(batch, queries, count * dim),
        "k": rand(batch, keys, count * dim),
        "v": rand(batch, keys, count * value),
    }
    shape = MASKS[mask]
    if shape is not None:
        fed["mask"] = rand(*shape(batch, count, queries, keys))
    n = Network(**fed)
    q, k, v = (heads(n, x, count, [0, 2, 1, 3]) for x in "qkv")
    x = n.op("scale", n.op("matmul_v2", q, k, trans_y=True), scale=0.25)
    if shape is not None:
        x = n.op("elementwise_add", x, "mask", axis=-1)
    x = n.op("matmul_v2", n.op("softmax", x, axis=-1), v)
    x = n.op("transpose2", x, axis=[0, 2, 1, 3])
    x = n.op("reshape2", x, shape=[0, 0, count * value])
    arrays = [split_heads(fed[name], count) for name in "qkv"]
    check(n, x, merged(attend(*arrays, 0.25, fed.get("mask", 0.0))))


@pytest.mark.parametrize("way", ["slice", "unbind", "split"])
def test_packed_projections(way: str) -> None:
    """Q, K and V out of one tensor, as vision transformers write it."""
    batch, length, count, dim = 2, 17, 3, 10
    packed = rand(batch, length, 3 * count * dim)
    n = Network(x=packed)
    if way == "split":
        parts = n.parts("split", "x", 3, axis=-1, num=3)
        parts = [n.op("reshape2", p, shape=[0, 0, count, dim]) for p in parts]
        q, k, v = (n.op("transpose2", p, axis=[0, 2, 1, 3]) for p in parts)
    else:
        x = n.op("reshape2", "x", shape=[0, 0, 3, count, dim])
        x = n.op("transpose2", x, axis=[2, 0, 3, 1, 4])
        if way == "unbind":
            q, k, v = n.parts("unbind", x, 3, axis=0)
        else:
            q, k, v = (
                n.op("slice", x, axes=[0], starts=[i - 3], ends=[i + 1], decrease_axis=[0])
                for i in range(3)
            )
    x = n.op("matmul_v2", q, n.op("transpose2", k, axis=[0, 1, 3, 2]))
    x = n.op("matmul_v2", n.op("softmax", x, axis=3), v)
    x = n.op("transpose2", x, axis=[0, 2, 1, 3])
    arrays = packed.reshape(batch, length, 3, count, dim).transpose(2, 0, 3, 1, 4)
    check(n, x, attend(*arrays).swapaxes(1, 2))


def test_of_three_dimensions() -> None:
    q, k, v = rand(2, 6, 20), rand(2, 11, 20), rand(2, 11, 7)
    n = Network(q=q, k=k, v=v)
    x = n.op("bmm", "q", n.op("transpose2", "k", axis=[0, 2, 1]))
    check(n, n.op("bmm", n.op("softmax", x, axis=-1), "v"), attend(q, k, v))


def test_of_planes() -> None:
    """Queries and values that lie column by column, as in attention over an image."""
    x = rand(2, 8, 5, 6)
    n = Network(x=x)
    flat = n.op("reshape2", "x", shape=[0, 8, 30])
    y = n.op("matmul", flat, flat, transpose_X=True, alpha=0.3)
    y = n.op("matmul_v2", n.op("softmax", y, axis=-1), flat, trans_y=True)
    columns = x.reshape(2, 8, 30).swapaxes(1, 2)
    check(n, y, attend(columns, columns, columns, 0.3))


def test_shared_keys() -> None:
    """Batch dims of one broadcast; the sum stays as it is made."""
    q, k, v = rand(2, 3, 9, 4), rand(3, 8, 4), rand(2, 1, 8, 6)
    n = Network(q=q, k=k, v=v)
    x = n.op("matmul_v2", "q", "k", trans_y=True)
    check(n, n.op("matmul_v2", n.op("softmax", x, axis=-1), "v"), attend(q, k, v))


def test_mask_that_is_first_and_a_view() -> None:
    q, mask = rand(2, 3, 9, 4), rand(9, 2, 9)
    n = Network(q=q, mask=mask)
    x = n.op("matmul_v2", "q", "q", trans_y=True)
    view = n.op("reshape2", n.op("transpose2", "mask", axis=[1, 0, 2]), shape=[2, 1, 9, 9])
    x = n.op("elementwise_add", view, n.op("elementwise_add", x, x, axis=-1), axis=-1)
    expected = attend(q, q, q, 2.0, mask.swapaxes(0, 1)[:, None])
    check(n, n.op("matmul_v2", n.op("softmax", x, axis=-1), "q"), expected)


@pytest.mark.parametrize("kind", ["causal", "hidden row", "nan", "inf", "lowest"])
def test_masks_that_hide(kind: str) -> None:
    """-inf hides, all of -inf is NaN as in softmax; what is hidden may be as large as it likes."""
    length = 21
    q = rand(2, 2, length, 6)
    v = q.copy()
    mask = np.where(np.tri(length, dtype=bool), 0, -np.inf).astype("float32")
    if kind == "hidden row":
        mask[4] = -np.inf
    elif kind == "nan":
        mask[4, 2] = np.nan
    elif kind == "inf":
        mask[4, 2] = np.inf
    elif kind == "lowest":
        mask = np.where(mask == 0, 0, np.finfo("float32").min).astype("float32")
        v[:, :, -1] = 1e30
    n = Network(q=q, v=v, mask=mask)
    x = n.op("elementwise_add", n.op("matmul_v2", "q", "q", trans_y=True), "mask", axis=-1)
    out = n.op("matmul_v2", n.op("softmax", x, axis=-1), "v")
    expected = attend(q, q, v, 1.0, mask)
    if kind == "lowest":
        (result,) = n.run(out)
        np.testing.assert_allclose(result[:, :, :-1], expected[:, :, :-1], atol=1e-5)
    else:
        check(n, out, expected)


def test_weights_that_are_wanted() -> None:
    """What else reads the weights still gets them."""
    q = rand(1, 2, 9, 4)
    n = Network(q=q)
    weights = n.op("softmax", n.op("matmul_v2", "q", "q", trans_y=True), axis=-1)
    out, also = n.run(n.op("matmul_v2", weights, "q"), weights)
    np.testing.assert_allclose(out, attend(q, q, q), atol=1e-5)
    np.testing.assert_allclose(also.sum(-1), 1, atol=1e-5)


@pytest.mark.parametrize("shape", [(0, 2, 5, 4), (1, 2, 0, 4), (1, 2, 5, 0)], ids=str)
def test_no_elements(shape: tuple[int, ...]) -> None:
    n = Network(q=rand(*shape))
    x = n.op("softmax", n.op("matmul_v2", "q", "q", trans_y=True), axis=-1)
    assert n.run(n.op("matmul_v2", x, "q"))[0].shape == shape


def reference(i: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    out = attend(i["Q"], i["K"], i["V"], a.get("scale", 1.0), i.get("Mask", 0.0))
    return {"Out": out.transpose(a["order"]).astype("float32")}


OPERANDS = {"Q": rand(5, 4), "K": rand(7, 4), "V": rand(7, 3)}
SAME: dict[str, Any] = {"batch": [], "sizes": [5, 7, 4, 3], "order": [0, 1], "scale": 0.5}
SAME |= {"q": [0, 4, 1], "k": [0, 4, 1], "v": [0, 3, 1]}
table = OpTable("attention_of_views")
table.case(OPERANDS, SAME, reference=reference)
table.case(
    {"Q": rand(2, 6, 4), "K": rand(2, 9, 4), "V": rand(2, 9, 8), "Mask": rand(2, 1, 9)},
    {"batch": [2], "sizes": [6, 9, 4, 8], "order": [1, 0, 2], "q": [0, 4, 1, 24]}
    | {"k": [0, 4, 1, 36], "v": [0, 8, 1, 72], "mask": [0, 0, 1, 9]},
    reference=reference,
)
for wrong, match in [
    ({"q": [1, 4, 1]}, "leads out of input Q"),
    ({"k": [-1, 4, 1]}, "leads out of input K"),
    ({"v": [0, 1 << 62, 1]}, "leads out of input V"),
    ({"k": [0, 2, 3]}, "expected a 1"),
    ({"q": [0, 4]}, "expected 3"),
    ({"sizes": [5, 7, 4]}, "expected 4"),
    ({"sizes": [5, -7, 4, 3]}, "no negative"),
    ({"order": [1, 0]}, "last dim last"),
    ({"order": [1, 1]}, "permutation"),
]:
    table.error(OPERANDS, {**SAME, **wrong}, error="ShapeError", match=match)
test_attention_of_views = table.tests()
