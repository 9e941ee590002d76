from typing import Any

import numpy as np
from harness import OpTable, rand, randint

KERNEL = "__@kernel_type_attr@__"

table = OpTable("calib")


def quantize(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x = inputs["Input"].astype("float64") / attrs["scale"]
    return {"Out": np.clip(np.sign(x) * np.floor(np.abs(x) + 0.5), -127, 127).astype("int8")}


def dequantize(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    return {"Out": (inputs["Input"] * np.float32(attrs["scale"])).astype("float32")}


def convert(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    words = {"fp32": "float32", "float": "float32", "fp16": "float16"}
    word = attrs[KERNEL].split("/")[1].split("_to_")[1]
    return {"Out": inputs["Input"].astype(words.get(word, word))}


for scale in (0.01, 0.037, 1.0):
    name = {} if scale == 1.0 else {KERNEL: "calib/fp32_to_int8/4/2/1"}
    table.case({"Input": rand(3, 50, low=-2, high=2)}, {"scale": scale, **name}, reference=quantize)
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
    table.case({"Input": x.astype(source)}, {KERNEL: f"calib/{alias}/2/1/1"}, reference=convert)
table.case(
    {"Input": randint(3, dtype="int64")}, reference=lambda i, a: {"Out": i["Input"].astype("int32")}
)


def by_threshold(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, limit = inputs["Input"], attrs["threshold"]
    if x.dtype == np.int8:
        return {"Out": (x * np.float64(limit) / 127).astype("float32")}
    if attrs["round_type"] == 0:
        return {"Out": np.clip(np.rint(x / limit * 127), -128, 127).astype("int8")}
    steps = np.clip(x, -limit, limit).astype("float64") / limit * 127
    return {"Out": (np.sign(steps) * np.floor(np.abs(steps) + 0.5)).astype("int8")}


for rounding in (0, 1):
    attrs = {"scale": 0.5 / 127, "threshold": 0.5, "round_type": rounding}
    table.case({"Input": rand(3, 300, low=-0.7, high=0.7)}, attrs, reference=by_threshold)
    codes = randint(3, 50, low=-128, high=128, dtype="int8")
    table.case({"Input": codes}, attrs, reference=by_threshold)
for bad in (-1.0, float("nan")):
    table.error({"Input": rand(2)}, {"threshold": bad}, error="ShapeError", match="threshold")
table.error({"Input": rand(2)}, {"round_type": 2}, error="ShapeError", match="round_type")
table.case({"Input": np.empty((0, 2), "float32")}, {"scale": 1.0}, reference=quantize)
for scale in (0.0, -1.0, float("inf"), float("nan")):
    table.error({"Input": rand(2)}, {"scale": scale}, error="ShapeError", match="scale")

test_calib = table.tests()
