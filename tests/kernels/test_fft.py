"""Fourier transforms of every kind of length: powers, mixed radices, primes below and above 61."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, rand_complex
from numpy import fft

LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 27, 30, 35, 49, 61, 64, 67, 96, 121, 134, 211, 360]
LENGTHS += [400, 512, 1009, 1024]
NORMS = ("backward", "forward", "ortho")


def c2c(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, function = inputs["X"], fft.fftn if attrs["forward"] else fft.ifftn
    out = function(x, axes=attrs["axes"], norm=attrs["normalization"] or "backward")
    return {"Out": out.astype(x.dtype)}


def r2c(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, axes = inputs["X"].astype("float64"), attrs["axes"]
    whole = fft.fftn if attrs["forward"] else fft.ifftn
    out = whole(x, axes=axes, norm=attrs["normalization"] or "backward")
    if attrs["onesided"]:
        out = np.take(out, range(x.shape[axes[-1]] // 2 + 1), axes[-1])
    return {"Out": out.astype("complex64" if inputs["X"].dtype == "float32" else "complex128")}


def c2r(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, axes = inputs["X"], attrs["axes"]
    size = attrs.get("last_dim_size", 0) or 2 * (x.shape[axes[-1]] - 1)
    sizes = [x.shape[axis] for axis in axes[:-1]] + [size]
    scale = {"backward": "forward", "forward": "backward", "ortho": "ortho", "": "forward"}
    if attrs["forward"]:  # numpy's inverse, of the conjugate
        out = fft.irfftn(np.conj(x), sizes, axes, norm=scale[attrs["normalization"]])
    else:
        out = fft.irfftn(x, sizes, axes, norm=attrs["normalization"] or "backward")
    return {"Out": out.astype("float32" if x.dtype == "complex64" else "float64")}


def of_frames(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    n = attrs["n_fft"]
    frames = np.lib.stride_tricks.sliding_window_view(inputs["X"], n, 1)[:, :: attrs["hop_length"]]
    out = fft.fft(frames * inputs["Window"], norm="ortho" if attrs["normalized"] else "backward")
    kept = n // 2 + 1 if attrs["onesided"] else n
    return {"Out": out[..., :kept].swapaxes(1, 2).astype("complex64")}


table = OpTable("fft_c2c")
plain = {"axes": [0], "normalization": "backward", "forward": True}
for length in LENGTHS:
    table.case({"X": rand_complex(length)}, plain, tol=2e-6, reference=c2c)
    wide = rand_complex(length, dtype="complex128")
    table.case({"X": wide}, {**plain, "forward": False}, tol=1e-13, reference=c2c)
for name in NORMS:
    for forward in (True, False):
        for axes in ([1], [0, 2], [2, 1, 0]):
            attrs = {"axes": axes, "normalization": name, "forward": forward}
            table.case({"X": rand_complex(3, 5, 8)}, attrs, tol=1e-5)
            attrs = {**attrs, "axes": [axis - 3 for axis in axes]}  # Paddle reads beside the shape
            table.case({"X": rand_complex(3, 5, 8)}, attrs, tol=2e-6, reference=c2c)
table.case(
    {"X": rand_complex(40, 300)}, {**plain, "axes": [0, 1], "normalization": ""}, reference=c2c
)
table.case({"X": rand_complex(3, 70, dtype="complex128")}, {**plain, "axes": [1]}, tol=1e-12)
table.case({"X": rand_complex(2, 3)}, {**plain, "axes": []}, reference=lambda i, _: {"Out": i["X"]})
table.case(
    {"X": rand_complex(0, 3)}, {**plain, "axes": [1]}, reference=lambda i, _: {"Out": i["X"]}
)
table.case({"X": rand_complex(4, 6)}, {**plain, "axes": [1]}, params=["X"])
table.error({"X": rand(3)}, plain, error="DataTypeError", match="float32")
table.error({"X": rand_complex(3)}, {**plain, "axes": [1]}, error="ShapeError", match="axes")
table.error(
    {"X": rand_complex(3, 3)}, {**plain, "axes": [1, -1]}, error="ShapeError", match="twice"
)
table.error({"X": rand_complex(0)}, plain, error="ShapeError", match="nothing")
table.error({"X": rand_complex(3)}, {**plain, "normalization": "none"}, match="normalization")
test_fft_c2c = table.tests()

table = OpTable("fft_r2c")
real = {**plain, "onesided": True}
for length in LENGTHS:
    table.case({"X": rand(length)}, real, tol=2e-6, reference=r2c)
    attrs = {**real, "onesided": False, "forward": False}
    table.case({"X": rand(length, dtype="float64")}, attrs, tol=1e-13, reference=r2c)
for name in NORMS:
    for onesided in (True, False):
        for axes in ([1], [0, 2], [2, 1, 0]):
            attrs = {"axes": axes, "normalization": name, "forward": True, "onesided": onesided}
            table.case({"X": rand(3, 5, 8)}, attrs, tol=1e-5)
            attrs = {**attrs, "axes": [axis - 3 for axis in axes], "forward": False}
            table.case({"X": rand(3, 6, 7)}, attrs, tol=2e-6, reference=r2c)
table.case({"X": rand(60, 400)}, {**real, "axes": [1]}, reference=r2c)
table.case({"X": rand(0, 3)}, {**real, "axes": [1]}, reference=r2c)
table.case({"X": rand(4, 6)}, {**real, "axes": [1]}, params=["X"])
table.error({"X": rand_complex(3)}, real, error="DataTypeError", match="complex64")
table.error({"X": rand(3)}, {**real, "axes": []}, error="ShapeError", match="axes is empty")
table.error({"X": rand(3, 0)}, {**real, "axes": [1]}, error="ShapeError", match="nothing")
table.error({"X": rand(3)}, {**real, "normalization": "none"}, match="normalization")
test_fft_r2c = table.tests()

table = OpTable("fft_c2r")
inverse = {"axes": [0], "normalization": "backward", "forward": False}
for length in LENGTHS:
    attrs = {**inverse, "last_dim_size": length}
    table.case({"X": rand_complex(length // 2 + 1)}, attrs, tol=2e-6, reference=c2r)
    wide = rand_complex(length // 2 + 1, dtype="complex128")
    table.case({"X": wide}, {**attrs, "forward": True}, tol=1e-13, reference=c2r)
for name in NORMS:
    for size in (0, 13):
        for axes in ([2], [0, 2], [1, 0, 2]):
            attrs = {"axes": axes, "normalization": name, "forward": False, "last_dim_size": size}
            table.case({"X": rand_complex(3, 5, 7)}, attrs, tol=1e-5)
            attrs = {**attrs, "axes": [axis - 3 for axis in axes], "forward": True}
            table.case({"X": rand_complex(3, 4, 7)}, attrs, tol=2e-6, reference=c2r)
table.case(
    {"X": rand_complex(5, 4)}, {**inverse, "last_dim_size": 6}, reference=c2r
)  # bins left over
table.case({"X": rand_complex(60, 201)}, {**inverse, "axes": [1]}, reference=c2r)
table.case({"X": rand_complex(0, 3)}, {**inverse, "axes": [1]}, reference=c2r)
table.case({"X": rand_complex(4, 6)}, {**inverse, "axes": [1]}, params=["X"])
table.error({"X": rand(3)}, inverse, error="DataTypeError", match="float32")
table.error(
    {"X": rand_complex(3)}, {**inverse, "axes": []}, error="ShapeError", match="axes is empty"
)
table.error({"X": rand_complex(1)}, inverse, error="ShapeError", match="too small")
table.error(
    {"X": rand_complex(3)}, {**inverse, "last_dim_size": 6}, error="ShapeError", match="small"
)
test_fft_c2r = table.tests()

table = OpTable("stft")
frames = {"n_fft": 16, "hop_length": 4, "normalized": False, "onesided": True}
for attrs in (
    frames,
    {**frames, "n_fft": 15, "hop_length": 7},
    {**frames, "normalized": True},
    {**frames, "n_fft": 67, "hop_length": 1, "onesided": False},
    {**frames, "n_fft": 1},
    {**frames, "n_fft": 80, "onesided": False},
):
    reference = None if attrs["onesided"] else of_frames  # Paddle 2.6 fails
    inputs = {"X": rand(2, 80), "Window": rand(attrs["n_fft"])}
    table.case(inputs, attrs, tol=1e-5, reference=reference)
table.case({"X": rand(1, 40, dtype="float64"), "Window": rand(16, dtype="float64")}, frames)
table.case({"X": rand(2, 40), "Window": rand(16)}, frames, params=["Window"])
table.error({"X": rand(2, 8), "Window": rand(16)}, frames, error="ShapeError", match="n_fft")
table.error({"X": rand(80), "Window": rand(16)}, frames, error="ShapeError", match="batch")
table.error({"X": rand(2, 80), "Window": rand(8)}, frames, error="ShapeError", match="Window")
table.error(
    {"X": rand(2, 80), "Window": rand(16)},
    {**frames, "hop_length": 0},
    error="ShapeError",
    match="hop_length",
)
table.error(
    {"X": rand(2, 80), "Window": rand(16, dtype="float64")},
    frames,
    error="DataTypeError",
    match="Window",
)
test_stft = table.tests()
