"""Operations of PIR that are more than a line of the table says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pir_documents import INT64, document, dtype, feed, fetch, ints, op, region, tensor

import lite
from lite.errors import LiteError, ModelFormatError
from lite.model.pir import read_pir

X = feed(1, "x", -1, 3)
T = tensor(-1, 3)


def run(data: bytes, **inputs: Any) -> list[np.ndarray]:
    return list(lite.load(data).run(inputs).values())


@pytest.mark.parametrize("decimals", [0, 1])
@pytest.mark.parametrize("version", [0, 1, 2, 4])
def test_halves_are_rounded_as_the_files_version_does(version: int, decimals: int) -> None:
    data = document(X, op("1.round", [1], {2: T}, decimals=decimals), fetch(3, 2), version=version)
    x = np.array([[0.5, 1.5, 2.5], [-0.5, -1.5, -2.5]], "float32")
    wanted = np.copysign(np.floor(abs(x) + 0.5), x) if version <= 1 else np.rint(x)
    scale = 10.0**-decimals
    np.testing.assert_allclose(run(data, x=x * np.float32(scale))[0], wanted * scale, rtol=1e-6)


@pytest.mark.parametrize(
    ("regions", "message"),
    [
        ([], "0 regions, expected one"),
        ([region(op("1.relu", [1], {2: T}))], "does not end with cf.yield"),
        ([region()], "does not end with cf.yield"),
        ([region(op("2.yield", [1, 1]))], "2 operands, expected 1"),
        ([region(op("2.yield", [7]))], "7 is not defined"),
    ],
)
def test_functions_that_are_none(regions: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ModelFormatError, match=message):
        read_pir(document(X, op("1.pylayer", [1], {3: T}, regions), fetch(4, 3)))


def test_a_function_without_results_is_not_cut_short() -> None:
    inside = region(op("1.relu", [1], {2: T}))
    program = read_pir(document(X, op("1.pylayer", [1], {}, [inside]), fetch(4, 1)))
    assert "relu" in [item.type for item in program.root.ops]


ATTENTION = {
    "flash_attn": op(
        "1.flash_attn",
        [1, 2, 3, 0, 0],
        {4: tensor(-1, 4, 1, 2), 5: tensor(), 6: tensor(), 7: tensor(dtype=INT64)},
        dropout=0.0,
        causal=False,
        return_softmax=False,
        is_test=True,
        rng_name="",
    ),
    "memory_efficient_attention": op(
        "1.memory_efficient_attention",
        [1, 2, 3, 0, 0, 0, 0, 0, 8, 8],
        {4: tensor(-1, 4, 1, 2), 5: tensor(), 6: tensor(dtype=INT64)},
        causal=False,
        dropout_p={"#": "0.a_f64", "D": 0.0},
        scale=-1.0,
        is_test=True,
    ),
}


@pytest.mark.parametrize("name", ATTENTION)
def test_attention_as_one_operator(name: str) -> None:
    inputs = [feed(id, slot, -1, 4, 1, 2) for id, slot in ((1, "q"), (2, "k"), (3, "v"))]
    length = op("1.full", [], {8: tensor()}, shape=ints(), value=4.0, dtype=dtype("float32"))
    q, k, v = np.random.default_rng(0).standard_normal((3, 2, 4, 1, 2)).astype("float32")
    scores = np.exp(q[:, :, 0] @ k[:, :, 0].swapaxes(1, 2) / np.sqrt(2))
    wanted = scores / scores.sum(-1, keepdims=True) @ v[:, :, 0]
    made = run(document(*inputs, length, ATTENTION[name], fetch(9, 4)), q=q, k=k, v=v)[0]
    np.testing.assert_allclose(made[:, :, 0], wanted, rtol=1e-5)
    with pytest.raises(LiteError, match=r"softmax|logsumexp"):
        read_pir(document(*inputs, length, ATTENTION[name], fetch(9, 5)))
