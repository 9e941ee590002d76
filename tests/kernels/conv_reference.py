"""Convolutions and Paddle Lite's fused activations in numpy, for attributes that Paddle lacks."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray

ACTIVATIONS: list[dict[str, Any]] = [
    {"act_type": "relu"},
    {"act_type": "relu6"},
    {"act_type": "relu6", "fuse_brelu_threshold": 0.5},
    {"act_type": "leaky_relu", "leaky_relu_alpha": 0.3},
    {"act_type": "hard_swish"},
    {
        "act_type": "hard_swish",
        "hard_swish_threshold": 4.0,
        "hard_swish_scale": 5.0,
        "hard_swish_offset": 2.0,
    },
    {"act_type": "hard_sigmoid"},
    {"act_type": "hard_sigmoid", "slope": 0.4, "offset": 0.3},
    {"act_type": "sigmoid"},
    {"act_type": "swish"},
    {"act_type": "swish", "swish_scale": 1.5},
    {"act_type": "tanh"},
    {"act_type": "exp"},
    {"act_type": "abs"},
    {"with_act": False, "act_type": "relu"},
    {"with_act": False, "fuse_relu": True},
]


def activate(x: Array, attrs: dict[str, Any]) -> Array:
    kind = attrs.get("act_type", "") if attrs.get("with_act") else ""
    if not kind and attrs.get("fuse_relu"):
        kind = "relu"
    get = attrs.get
    sigmoid = 1 / (1 + np.exp(-x))
    if kind == "relu":
        return np.maximum(x, 0)
    if kind == "relu6":
        return np.clip(x, 0, get("fuse_brelu_threshold", 6.0))
    if kind == "leaky_relu":
        return np.where(x < 0, x * get("leaky_relu_alpha", 0.02), x)
    if kind == "hard_swish":
        limit = get("hard_swish_threshold", 6.0)
        gate = np.clip(x + get("hard_swish_offset", 3.0), 0, limit)
        return x * gate / get("hard_swish_scale", 6.0)
    if kind == "hard_sigmoid":
        return np.clip(x * get("slope", 0.2) + get("offset", 0.5), 0, 1)
    if kind == "swish":
        return x / (1 + np.exp(-get("swish_scale", 1.0) * x))
    return {"": x, "sigmoid": sigmoid, "tanh": np.tanh(x), "exp": np.exp(x), "abs": np.abs(x)}[kind]


def _shifted(inputs: dict[str, Any], attrs: dict[str, Any]) -> tuple[Any, ...]:
    x, w = inputs["Input"].astype(np.float64), inputs["Filter"].astype(np.float64)
    pads = attrs.get("paddings", [0, 0])
    pads = pads if len(pads) == 4 else [pads[0], pads[0], pads[1], pads[1]]
    return x, w, attrs.get("strides", [1, 1]), pads, attrs.get("dilations", [1, 1])


def conv2d(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Array]:
    """Explicit paddings; Bias, ResidualData and the activation in that order."""
    x, w, strides, pads, dilations = _shifted(inputs, attrs)
    groups = attrs.get("groups", 1)
    x = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[1]), (pads[2], pads[3])])
    out_h = (x.shape[2] - dilations[0] * (w.shape[2] - 1) - 1) // strides[0] + 1
    out_w = (x.shape[3] - dilations[1] * (w.shape[3] - 1) - 1) // strides[1] + 1
    y = np.zeros((x.shape[0], w.shape[0], out_h, out_w))
    per = w.shape[0] // groups
    for g in range(groups):
        image = x[:, g * w.shape[1] : (g + 1) * w.shape[1]]
        for ky in range(w.shape[2]):
            for kx in range(w.shape[3]):
                top, left = ky * dilations[0], kx * dilations[1]
                taken = image[:, :, top :: strides[0], left :: strides[1]][:, :, :out_h, :out_w]
                part = np.einsum("nchw,mc->nmhw", taken, w[g * per : (g + 1) * per, :, ky, kx])
                y[:, g * per : (g + 1) * per] += part
    return {"Output": _finish(y, inputs, attrs)}


def conv2d_transpose(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Array]:
    x, w, strides, pads, dilations = _shifted(inputs, attrs)
    groups = attrs.get("groups", 1)
    spans = [dilations[i] * (w.shape[i + 2] - 1) + 1 for i in range(2)]
    more = attrs.get("output_padding") or (0, 0)
    full = [(x.shape[i + 2] - 1) * strides[i] + spans[i] + more[i] for i in range(2)]
    y = np.zeros((x.shape[0], w.shape[1] * groups, *full))
    per = x.shape[1] // groups
    for g in range(groups):
        image = x[:, g * per : (g + 1) * per]
        for ky in range(w.shape[2]):
            for kx in range(w.shape[3]):
                part = np.einsum("nchw,cm->nmhw", image, w[g * per : (g + 1) * per, :, ky, kx])
                top, left = ky * dilations[0], kx * dilations[1]
                here = y[:, g * w.shape[1] : (g + 1) * w.shape[1], top:, left:]
                here = here[:, :, :: strides[0], :: strides[1]]
                here[:, :, : x.shape[2], : x.shape[3]] += part
    y = y[:, :, pads[0] : full[0] - pads[1], pads[2] : full[1] - pads[3]]
    return {"Output": _finish(y, inputs, attrs)}


def _finish(y: Array, inputs: dict[str, Any], attrs: dict[str, Any]) -> Array:
    if "Bias" in inputs:
        y = y + inputs["Bias"].reshape(1, -1, 1, 1)
    if "ResidualData" in inputs:
        y = y + inputs["ResidualData"]
    return activate(y, attrs).astype(inputs["Input"].dtype)
