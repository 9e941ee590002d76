"""Executes a Program in plain numpy: the reference by which the optimizer's tests judge a rewrite.

Written from the operators' definitions and independent of the optimizer and the runtime. It knows
the operators that the tests use and raises KeyError for any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import erf
from typing import Any

import numpy as np
from quantised_operators import QUANTISED, Arrays, Operator, get, to_int8

from lite.model.program import OpDesc, Program

DTYPES = {0: "bool", 1: "int16", 2: "int32", 3: "int64", 4: "float16", 5: "float32", 6: "float64"}


def execute(program: Program, feeds: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """The fetched arrays, in the order of the fetch operators' ``col``."""
    scope: Arrays = dict(program.params)
    scope.update(feeds)
    fetched: dict[int, np.ndarray] = {}
    _run_block(program, 0, scope, fetched)
    return [fetched[col] for col in sorted(fetched)]


def _run_block(program: Program, index: int, scope: Arrays, fetched: dict[int, Any]) -> None:
    for op in program.blocks[index].ops:
        if op.type == "feed":
            assert op.outputs["Out"][0] in scope
        elif op.type == "fetch":
            fetched[op.attr("col", 0)] = np.array(scope[op.inputs["X"][0]])
        elif op.type == "while":
            while bool(np.all(scope[op.inputs["Condition"][0]])):
                _run_block(program, op.attr("sub_block"), scope, fetched)
        elif op.type == "subgraph":
            _run_subgraph(program, op, scope)
        elif op.type == "conditional_block":
            if bool(np.all(scope[op.inputs["Cond"][0]])):
                _run_block(program, op.attr("sub_block"), scope, fetched)
        else:
            result = _run_operator(op, scope)
            for slot, value in result.items():
                names = op.outputs.get(slot, [])
                if names:
                    values = value if isinstance(value, list) else [value]
                    scope.update(zip(names, values, strict=True))


def _run_subgraph(program: Program, op: OpDesc, scope: Arrays) -> None:
    """Runs the block as a device would: it has its data inputs and parameters, nothing else, and
    gives back its data outputs."""
    names = op.attr("input_data_names")
    assert all(name not in program.params for name in names)
    inner = {name: scope[name] for name in names}
    for name in op.inputs["Inputs"]:
        if name not in names:
            inner[name] = program.params[name]
    written: set[str] = set()
    for child in program.blocks[op.attr("sub_block")].ops:
        assert not written & set(child.output_names()), "a name is written twice"
        assert not inner.keys() & set(child.output_names()), "a name is read before it is written"
        written |= set(child.output_names())
    _run_block(program, op.attr("sub_block"), inner, {})
    for name in op.attr("output_data_names"):
        scope[name] = inner[name]


def _run_operator(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    """One operator; int8 operands stand for real numbers by their scales, the result too."""
    given = [(slot, i, name) for slot, names in op.inputs.items() for i, name in enumerate(names)]
    integers = [at for at in given if getattr(scope.get(at[2]), "dtype", None) == np.int8]
    if not integers or op.type in ("calib", "dequantize_linear"):
        return OPERATORS[op.type](op, scope)
    numbers = dict(scope)
    for slot, index, name in integers:
        of_weight = op.attrs.get(f"{name}_quant_scale")
        scales = np.asarray((of_weight or op.attrs[f"{slot}{index}_scale"]).value)
        rank, axis = scope[name].ndim, _channel_axis(op, scope[name].ndim)
        if scales.size > 1:
            scales = scales.reshape([-1 if i == axis else 1 for i in range(rank)])
        numbers[name] = (scope[name] * scales).astype(np.float32)
    result = OPERATORS[op.type](op, numbers)
    for slot, value in result.items():
        scales = op.attr(f"{slot}0_scale")
        if scales is not None:
            result[slot] = to_int8(value, scales[0])
    return result


def _channel_axis(op: OpDesc, rank: int) -> int:
    if op.type in ("conv2d_transpose", "depthwise_conv2d_transpose"):
        return 1
    if "conv" in op.type:
        return 0
    return rank - 2 if op.attr("trans_y", False) or op.attr("transpose_Y", False) else rank - 1


def _sigmoid(x: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))


def activation(kind: str, x: np.ndarray, op: OpDesc, prefix: str = "") -> np.ndarray:
    """An activation by its operator type; attributes read as ``prefix`` + name."""
    if kind == "relu":
        return np.maximum(x, 0)
    if kind == "relu6":
        limit = op.attr("fuse_brelu_threshold" if prefix else "threshold", 6.0)
        return np.minimum(np.maximum(x, 0), limit)
    if kind == "leaky_relu":
        alpha = op.attr("leaky_relu_alpha" if prefix else "alpha", 0.02)
        return np.where(x > 0, x, x * np.float32(alpha))
    if kind == "hard_swish":
        t, s, o = (
            np.float32(op.attr(f"{prefix}{name}", default))
            for name, default in (("threshold", 6.0), ("scale", 6.0), ("offset", 3.0))
        )
        return x * np.minimum(np.maximum(x + o, 0), t) / s
    if kind == "sigmoid":
        return _sigmoid(x)
    if kind == "swish":
        return x * _sigmoid(np.float32(op.attr("beta", 1.0)) * x)
    if kind == "tanh":
        return np.tanh(x)
    raise KeyError(kind)


def _conv_paddings(op: OpDesc, size: tuple[int, ...], kernel: tuple[int, ...]) -> list[int]:
    strides, dilations = op.attr("strides", [1, 1]), op.attr("dilations", [1, 1])
    pads = list(op.attr("paddings", [0, 0]))
    algorithm = op.attr("padding_algorithm", "EXPLICIT")
    if algorithm == "VALID":
        return [0, 0, 0, 0]
    if algorithm == "SAME":
        found = []
        for n, k, s in zip(size, kernel, strides, strict=True):
            total = max((-(-n // s) - 1) * s + k - n, 0)
            found += [total // 2, total - total // 2]
        return found
    assert all(d >= 1 for d in dilations)
    return [pads[0], pads[0], pads[1], pads[1]] if len(pads) == 2 else pads


def conv2d(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x, w = (
        get(op, scope, "Input").astype(np.float64),
        get(op, scope, "Filter").astype(np.float64),
    )
    n, _, height, width = x.shape
    cout, cin, kh, kw = w.shape
    groups = op.attr("groups", 1)
    (sh, sw), (dh, dw) = op.attr("strides", [1, 1]), op.attr("dilations", [1, 1])
    top, bottom, left, right = _conv_paddings(op, (height, width), (kh, kw))
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))
    oh = (x.shape[2] - dh * (kh - 1) - 1) // sh + 1
    ow = (x.shape[3] - dw * (kw - 1) - 1) // sw + 1
    out = np.zeros((n, cout, oh, ow))
    per_group = cout // groups
    for g in range(groups):
        part = x[:, g * cin : (g + 1) * cin]
        filters = w[g * per_group : (g + 1) * per_group]
        for i in range(kh):
            for j in range(kw):
                window = part[:, :, i * dh :: sh, j * dw :: sw][:, :, :oh, :ow]
                out[:, g * per_group : (g + 1) * per_group] += np.einsum(
                    "nchw,oc->nohw", window, filters[:, :, i, j]
                )
    return {"Output": _finish_conv(op, scope, out)}


def conv2d_transpose(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x, w = (
        get(op, scope, "Input").astype(np.float64),
        get(op, scope, "Filter").astype(np.float64),
    )
    n, cin, height, width = x.shape
    _, per_group, kh, kw = w.shape
    groups = op.attr("groups", 1)
    (sh, sw), (ph, pw) = op.attr("strides", [1, 1]), op.attr("paddings", [0, 0])
    full = np.zeros((n, per_group * groups, (height - 1) * sh + kh, (width - 1) * sw + kw))
    step = cin // groups
    for g in range(groups):
        part, filters = x[:, g * step : (g + 1) * step], w[g * step : (g + 1) * step]
        for i in range(height):
            for j in range(width):
                full[
                    :,
                    g * per_group : (g + 1) * per_group,
                    i * sh : i * sh + kh,
                    j * sw : j * sw + kw,
                ] += np.einsum("nc,cohw->nohw", part[:, :, i, j], filters)
    out = full[:, :, ph : full.shape[2] - ph, pw : full.shape[3] - pw]
    return {"Output": _finish_conv(op, scope, out)}


def conv3d(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    """Of one group, without dilations."""
    x, w = (get(op, scope, slot).astype(np.float64) for slot in ("Input", "Filter"))
    x = np.pad(x, [(0, 0)] * 2 + [(pad, pad) for pad in op.attr("paddings")])
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3, 4))
    steps = tuple(slice(None, None, stride) for stride in op.attr("strides"))
    out = np.einsum("nczyxijk,ocijk->nozyx", windows[(slice(None), slice(None), *steps)], w)
    return {"Output": _finish_conv(op, scope, out)}


def conv3d_transpose(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    """Of one group, without dilations."""
    x, w = (get(op, scope, slot).astype(np.float64) for slot in ("Input", "Filter"))
    strides, pads, taps = op.attr("strides"), op.attr("paddings"), w.shape[2:]
    sizes = [(n - 1) * s + k for n, s, k in zip(x.shape[2:], strides, taps, strict=True)]
    full = np.zeros((x.shape[0], w.shape[1], *sizes))
    for at in np.ndindex(*taps):
        places = tuple(
            slice(i, i + (n - 1) * s + 1, s)
            for i, n, s in zip(at, x.shape[2:], strides, strict=True)
        )
        full[(..., *places)] += np.einsum("nczyx,co->nozyx", x, w[(..., *at)])
    kept = tuple(slice(pad, size - pad) for pad, size in zip(pads, sizes, strict=True))
    return {"Output": _finish_conv(op, scope, full[(..., *kept)])}


def _finish_conv(op: OpDesc, scope: Arrays, out: np.ndarray) -> np.ndarray:
    bias = get(op, scope, "Bias")
    if bias is not None:
        out = out + bias.astype(np.float64).reshape(-1, *[1] * (out.ndim - 2))
    if op.attr("with_act", False):
        out = activation(op.attr("act_type"), out, op, f"{op.attr('act_type')}_")
    return out.astype(get(op, scope, "Input").dtype)


def _aligned(op: OpDesc, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both operands with as many dimensions, by the old ``axis`` attribute."""
    axis = op.attr("axis", -1)
    small, large = (x, y) if x.ndim < y.ndim else (y, x)
    start = large.ndim - small.ndim if axis == -1 else axis
    shape = list(small.shape)
    while shape and start + len(shape) > large.ndim and shape[-1] == 1:
        shape.pop()
    assert start + len(shape) <= large.ndim or not shape
    if shape:
        full = [1] * start + shape + [1] * (large.ndim - start - len(shape))
        small = small.reshape(full)
    else:
        small = small.reshape([1] * large.ndim)
    return (small, large) if x.ndim < y.ndim else (large, small)


def _elementwise(function: Callable[[Any, Any], Any]) -> Operator:
    def run(op: OpDesc, scope: Arrays) -> dict[str, Any]:
        x, y = _aligned(op, get(op, scope, "X"), get(op, scope, "Y"))
        out = function(x, y)
        kind = op.attr("act_type") if op.type.startswith("fusion_") else ""
        return {"Out": activation(kind, out, op) if kind else out}

    return run


def batch_norm(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    axis = 1 if op.attr("data_layout", "NCHW") in ("NCHW", "NCDHW") else x.ndim - 1
    shape = [1] * x.ndim
    shape[axis] = -1
    scale, bias, mean, var = (
        get(op, scope, slot).astype(np.float64).reshape(shape)
        for slot in ("Scale", "Bias", "Mean", "Variance")
    )
    if not op.attr("is_test", False):
        others = tuple(i for i in range(x.ndim) if i != axis)
        mean, var = x.mean(others, keepdims=True), x.var(others, keepdims=True)
    out = (x - mean) / np.sqrt(var + op.attr("epsilon", 1e-5)) * scale + bias
    return {"Y": out.astype(x.dtype)}


def scale(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    a, b = op.attr("scale", 1.0), op.attr("bias", 0.0)
    if x.dtype.kind == "i":
        a, b = int(a), int(b)
    out = x * a + b if op.attr("bias_after_scale", True) else (x + b) * a
    return {"Out": np.asarray(out).astype(x.dtype)}


def dropout(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    assert op.attr("is_test", False)
    if op.attr("dropout_implementation", "downgrade_in_infer") != "upscale_in_train":
        x = (x * (1 - op.attr("dropout_prob", 0.5))).astype(x.dtype)
    return {"Out": x}


def _swap(x: np.ndarray, wanted: bool) -> np.ndarray:
    return np.swapaxes(x, -1, -2) if wanted and x.ndim > 1 else x


def matmul(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    old = op.type == "matmul"
    x = _swap(get(op, scope, "X"), op.attr("transpose_X" if old else "trans_x", False))
    y = _swap(get(op, scope, "Y"), op.attr("transpose_Y" if old else "trans_y", False))
    return {"Out": (np.matmul(x, y) * np.float32(op.attr("alpha", 1.0))).astype(x.dtype)}


def _flat(x: np.ndarray, columns: int) -> np.ndarray:
    rows = int(np.prod(x.shape[:columns]))
    return x.reshape(rows, -1)


def mul(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x, y = get(op, scope, "X"), get(op, scope, "Y")
    a, b = op.attr("x_num_col_dims", 1), op.attr("y_num_col_dims", 1)
    out = _flat(x, a) @ _flat(y, b)
    return {"Out": out.reshape(*x.shape[:a], *y.shape[b:])}


def fc(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x, w, bias = (get(op, scope, slot) for slot in ("Input", "W", "Bias"))
    columns = op.attr("in_num_col_dims", 1)
    if op.attr("op_type") in ("matmul", "matmul_v2"):
        assert columns == x.ndim - 1
    out = _flat(x, columns) @ w
    if bias is not None:
        out = out + bias.reshape(-1)
    out = out.reshape(*x.shape[:columns], w.shape[1])
    kind = op.attr("activation_type", "")
    return {"Out": activation(kind, out, op) if kind else out}


def reshape(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    shape = [x.shape[i] if d == 0 else d for i, d in enumerate(op.attr("shape"))]
    return {"Out": x.reshape(shape)}


def squeeze(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    axes = [a % x.ndim for a in op.attr("axes", [])] or range(x.ndim)
    return {"Out": x.squeeze(tuple(a for a in axes if x.shape[a] == 1))}


def unsqueeze(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    for axis in op.attr("axes"):
        x = np.expand_dims(x, axis)
    return {"Out": x}


def flatten_range(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    start, stop = op.attr("start_axis", 1) % x.ndim, op.attr("stop_axis", 1) % x.ndim
    return {"Out": x.reshape(*x.shape[:start], -1, *x.shape[stop + 1 :])}


def softmax(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    x = get(op, scope, "X")
    e = np.exp(x - x.max(op.attr("axis", -1), keepdims=True))
    return {"Out": e / e.sum(op.attr("axis", -1), keepdims=True)}


def fill_constant(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    text = op.attr("str_value", "")
    value = float(text) if text else op.attr("value", 0.0)
    return {"Out": np.full(op.attr("shape", []), value, DTYPES[op.attr("dtype", 5)])}


def pool2d_global(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    assert op.attr("global_pooling") and op.attr("pooling_type") == "avg"
    return {"Out": get(op, scope, "X").mean((2, 3), keepdims=True)}


def pad(op: OpDesc, scope: Arrays) -> dict[str, Any]:
    """pad2d: top, bottom, left, right; pad3d: from the last axis on, two each."""
    pairs = np.reshape(op.attr("paddings"), (-1, 2)).tolist()
    if op.type == "pad3d":
        pairs.reverse()
    mode = {"replicate": "edge", "circular": "wrap"}.get(op.attr("mode"), op.attr("mode"))
    value = op.attr("value" if op.type == "pad3d" else "pad_value", 0.0)
    more = {"constant_values": value} if mode == "constant" else {}
    return {"Out": np.pad(get(op, scope, "X"), [(0, 0), (0, 0), *pairs], mode, **more)}


def _unary(function: Callable[[Any], Any]) -> Operator:
    return lambda op, scope: {"Out": function(get(op, scope, "X"))}


def _act(kind: str) -> Operator:
    return lambda op, scope: {"Out": activation(kind, get(op, scope, "X"), op)}


OPERATORS: dict[str, Operator] = {
    "conv2d": conv2d,
    "depthwise_conv2d": conv2d,
    "conv2d_transpose": conv2d_transpose,
    "conv3d": conv3d,
    "conv3d_transpose": conv3d_transpose,
    "batch_norm": batch_norm,
    "scale": scale,
    "dropout": dropout,
    "matmul": matmul,
    "matmul_v2": matmul,
    "mul": mul,
    "fc": fc,
    "reshape": reshape,
    "reshape2": reshape,
    "pad2d": pad,
    "pad3d": pad,
    "squeeze2": squeeze,
    "unsqueeze2": unsqueeze,
    "unsqueeze": unsqueeze,
    "flatten_contiguous_range": flatten_range,
    "transpose2": lambda op, s: {"Out": get(op, s, "X").transpose(op.attr("axis"))},
    "softmax": softmax,
    "fill_constant": fill_constant,
    "assign_value": lambda op, s: {
        "Out": np.array(
            op.attr("fp32_values") or op.attr("int64_values"), DTYPES[op.attr("dtype")]
        ).reshape(op.attr("shape"))
    },
    "range": lambda op, s: {
        "Out": np.arange(
            *(np.asarray(get(op, s, n)).item() for n in ("Start", "End", "Step"))
        ).astype(get(op, s, "Start").dtype)
    },
    "pool2d": pool2d_global,
    "cast": lambda op, s: {"Out": get(op, s, "X").astype(DTYPES[op.attr("out_dtype")])},
    "assign": _unary(np.array),
    "shape": lambda op, s: {"Out": np.array(get(op, s, "Input").shape, np.int32)},
    "increment": lambda op, s: {
        "Out": get(op, s, "X") + np.asarray(op.attr("step", 1.0), get(op, s, "X").dtype)
    },
    "less_than": _elementwise(np.less),
    "logical_not": _unary(np.logical_not),
    "concat": lambda op, s: {
        "Out": np.concatenate([s[n] for n in op.inputs["X"]], op.attr("axis", 0))
    },
    "stack": lambda op, s: {"Y": np.stack([s[n] for n in op.inputs["X"]], op.attr("axis", 0))},
    "split": lambda op, s: {"Out": np.split(get(op, s, "X"), op.attr("num"), op.attr("axis", 0))},
    "p_norm": lambda op, s: {
        "Out": (np.abs(get(op, s, "X")) ** op.attr("porder", 2.0)).sum(
            op.attr("axis", -1), keepdims=op.attr("keepdim", False)
        )
        ** (1 / op.attr("porder", 2.0))
    },
    "norm": lambda op, s: {
        "Out": get(op, s, "X")
        / np.sqrt((get(op, s, "X") ** 2).sum(op.attr("axis"), keepdims=True) + op.attr("epsilon"))
    },
    **QUANTISED,
    "elementwise_add": _elementwise(np.add),
    "elementwise_sub": _elementwise(np.subtract),
    "elementwise_mul": _elementwise(np.multiply),
    "elementwise_div": _elementwise(np.divide),
    "elementwise_max": _elementwise(np.maximum),
    "elementwise_min": _elementwise(np.minimum),
    "elementwise_pow": _elementwise(np.power),
    "abs": _unary(np.abs),
    "sqrt": _unary(np.sqrt),
    "exp": _unary(np.exp),
    "square": _unary(np.square),
    "gelu": _unary(np.vectorize(lambda v: 0.5 * v * (1 + erf(v / 2**0.5)), otypes=["float32"])),
}
OPERATORS |= {
    kind: _act(kind)
    for kind in ("relu", "relu6", "leaky_relu", "hard_swish", "sigmoid", "swish", "tanh")
}
OPERATORS |= {
    f"fusion_{name}_activation": run
    for name, run in OPERATORS.copy().items()
    if name.startswith("elementwise_")
}
