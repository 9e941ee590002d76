"""Operators of `onednn_op` in PIR programs; tests/models/pir/rewritten.py has whole programs."""

from __future__ import annotations

import numpy as np
import pytest
from pir_documents import document, feed, fetch, op, tensor

import lite
from lite.errors import UnsupportedOperatorError
from lite.model.pir import read_pir

X = feed(1, "x", -1, 3)
T = tensor(-1, 3)


def rewritten(name: str, *, kind: str = "float32", **attributes: object) -> bytes:
    """A program with one operator of oneDNN's, of x."""
    made = op(f"onednn_op.{name}", [1], {2: T}, onednn_data_type=kind, **attributes)
    return document(X, made, fetch(3, 2))


def test_plain_operators_of_onednn() -> None:
    x = np.float32([[-1, 2, -3]])
    for name, expected in (
        ("relu", np.maximum(x, 0)),
        ("relu_", np.maximum(x, 0)),
        ("abs", abs(x)),
    ):
        made = lite.load(rewritten(name, is_test=True)).run({"x": x})["fetch_name_0"]
        np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize(
    ("data", "error", "text"),
    [
        (
            rewritten("relu", kind="int8"),
            UnsupportedOperatorError,
            "rewrote this operator for int8",
        ),
        (rewritten("fused_softplus", kind="bfloat16"), UnsupportedOperatorError, "for bfloat16"),
        (rewritten("relu", shininess=2), UnsupportedOperatorError, "shininess"),
        (
            rewritten("quantize"),
            UnsupportedOperatorError,
            r"onednn_op.quantize \(1x\).*was made of",
        ),
    ],
)
def test_operators_of_onednn_that_are_refused(
    data: bytes, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        read_pir(data)
