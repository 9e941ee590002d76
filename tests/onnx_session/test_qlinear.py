"""Quantised operators of ONNX Runtime's own domain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx_session.contrib import Case, check, integers, rand

B, S, H, N = 2, 5, 12, 3
LENGTHS = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)
IDS = np.array([[3, 1, 0, 5, 2], [4, 4, 6, 1, 0]], np.int32)
QKV_BIAS = rand(3 * H)


def quantised(*shape: int, kind: str = "uint8") -> list[Any]:
    """A tensor in integers, its scale and zero point."""
    zero = np.array(120 if kind == "uint8" else 3, kind)
    return [integers(*shape).astype(kind), np.array(0.05, np.float32), zero]


def weights_of_7_bits(*shape: int) -> Any:
    """Without VNNI, ONNX Runtime's sums of larger ones saturate."""
    return integers(*shape).astype(np.int8) // 2


def quantised_cases(kind: str) -> list[Case]:
    """Between two roundings; the last step may differ where halves meet."""
    x, y = quantised(2, 4, 6, 6, kind=kind), quantised(2, 4, 6, 6, kind=kind)
    out = [np.array(0.07, np.float32), np.array(100 if kind == "uint8" else -4, kind)]
    fixed = (1, 2, 3, 4)
    window = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    small = [np.array(1 / 256, np.float32), np.array(0 if kind == "uint8" else -128, kind)]
    weights = [weights_of_7_bits(5, 4, 3, 3), LEVELS[0][0], np.array(0, np.int8)]
    pixels = {"pads": [1, 0, 1, 0], "channels_last": 1}
    made = [
        Case("QLinearAveragePool", [*x, *out], window, constant=fixed),
        Case("QLinearAveragePool", [*x, *out], {**window, "channels_last": 1}, constant=fixed),
        Case("QLinearGlobalAveragePool", [*x, *out], {"channels_last": 1}, constant=fixed),
        Case("QLinearSoftmax", [*x, *small], {"axis": 1, "opset": 13}, constant=fixed),
        Case("QLinearSoftmax", [*x, *small], {"axis": 2, "opset": 11}, constant=fixed),
        Case("QLinearWhere", [rand(2, 4, 6, 6) > 0, *x, *y, *out], constant=(2, 3, 5, 6, 7, 8)),
        Case(
            "QLinearConv",
            [x[0].transpose(0, 2, 3, 1).copy(), *x[1:], *weights, *out],
            pixels,
            constant=(1, 2, 3, 4, 5, 6, 7),
        ),
        Case("NhwcMaxPool", [x[0]], {**window, "dilations": [1, 1]}),
    ]
    return made


HEADS = {"num_heads": N}
LEVELS = [np.array([0.02], np.float32), np.array([0.01], np.float32)]
ZEROS = [np.array([117], np.uint8), np.array([0], np.int8)]
BYTES = [integers(B, S, H), weights_of_7_bits(H, 3 * H)]
BERT = [
    Case(
        "QAttention", [*BYTES, QKV_BIAS, *LEVELS, None, *ZEROS], HEADS, constant=(1, 2, 3, 4, 6, 7)
    ),
    Case("QAttention", [*BYTES, QKV_BIAS, *LEVELS, LENGTHS, *ZEROS], HEADS, constant=(1, 2, 3, 4)),
    Case(
        "QEmbedLayerNormalization",
        [
            *(
                IDS,
                IDS % 2,
                integers(7, H),
                integers(8, H),
                integers(2, H),
                integers(H),
                integers(H),
            ),
            LENGTHS,
            *[np.float32([0.01 * i]) for i in (1, 2, 3, 4, 5)],
            *[np.array([i], np.uint8) for i in (128, 120, 110, 0, 130)],
        ],
        outputs=2,
        constant=tuple(i for i in range(2, 18) if i != 7),
    ),
]


CASES = [*BERT, *quantised_cases("uint8"), *quantised_cases("int8")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.type)
def test_against_onnxruntime(case: Case) -> None:
    check(case)
