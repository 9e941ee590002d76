"""Cases that calib and calib_once share."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

KERNEL = "__@kernel_type_attr@__"


def quantize(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x = inputs["Input"].astype("float64") / attrs["scale"]
    return {"Out": np.clip(np.sign(x) * np.floor(np.abs(x) + 0.5), -127, 127).astype("int8")}


def dequantize(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    return {"Out": (inputs["Input"] * np.float32(attrs["scale"])).astype("float32")}


def convert(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    words = {"fp32": "float32", "float": "float32", "fp16": "float16"}
    word = attrs[KERNEL].split("/")[1].split("_to_")[1]
    return {"Out": inputs["Input"].astype(words.get(word, word))}


def conversions(op: str) -> OpTable:
    """A table with every pair of element types."""
    table = OpTable(op)
    for scale in (0.01, 0.037, 1.0):
        name = {} if scale == 1.0 else {KERNEL: f"{op}/fp32_to_int8/4/2/1"}
        table.case(
            {"Input": rand(3, 50, low=-2, high=2)}, {"scale": scale, **name}, reference=quantize
        )
        table.case(
            {"Input": randint(3, 50, low=-128, high=128, dtype="int8")},
            {"scale": scale},
            reference=dequantize,
        )
    for source, alias in (
        ("int64", "int64_to_int32"),
        ("int32", "int32_to_int64"),
        ("int32", "int32_to_fp32"),
        ("int64", "int64_to_fp32"),
        ("float32", "fp32_to_int32"),
        ("float32", "fp32_to_int64"),
        ("float32", "fp32_to_fp16"),
        ("float16", "fp16_to_fp32"),
        ("bool", "bool_to_float"),
    ):
        x = rand(2, 9, low=-9, high=9) if "float" in source else randint(2, 9, low=-9)
        table.case({"Input": x.astype(source)}, {KERNEL: f"{op}/{alias}/2/1/1"}, reference=convert)
    table.case(
        {"Input": randint(3, dtype="int64")},
        reference=lambda i, a: {"Out": i["Input"].astype("int32")},
    )
    return table


def add_edges(table: OpTable) -> None:
    """Adds no elements, and scales that are refused."""
    table.case({"Input": np.empty((0, 2), "float32")}, {"scale": 1.0}, reference=quantize)
    for scale in (0.0, -1.0, float("inf"), float("nan")):
        table.error({"Input": rand(2)}, {"scale": scale}, error="ShapeError", match="scale")
