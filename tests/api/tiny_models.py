"""Models small enough to be made by hand, with their results in numpy."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from lite.model.naive_buffer import write_nb
from lite.model.program import AttrType, BlockDesc, DataType, OpDesc, Program, VarDesc, VarType

Array = np.ndarray[Any, Any]

DTYPES = {
    "bool": DataType.BOOL,
    "uint8": DataType.UINT8,
    "int8": DataType.INT8,
    "int32": DataType.INT32,
    "int64": DataType.INT64,
    "float32": DataType.FP32,
    "float64": DataType.FP64,
}

WEIGHT = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
BIAS = np.array([0.5, -0.25, 0.125], np.float32)
TABLE = np.arange(20, dtype=np.float32).reshape(5, 4)


def _op(kind: str, inputs: dict[str, str], out: str, **attrs: Any) -> OpDesc:
    op = OpDesc(kind, {k: [v] for k, v in inputs.items()}, {"Out": [out]})
    for name, value in attrs.items():
        kinds = {
            bool: AttrType.BOOLEAN,
            int: AttrType.INT,
            float: AttrType.FLOAT,
            list: AttrType.INTS,
        }
        op.set_attr(name, kinds.get(type(value), AttrType.STRING), value)
    return op


def _program(
    feeds: dict[str, tuple[str, tuple[int, ...]]],
    ops: list[OpDesc],
    fetches: list[str],
    params: dict[str, Array] | None = None,
) -> Program:
    block = BlockDesc()
    block.vars["feed"] = VarDesc("feed", VarType.FEED_MINIBATCH, None, persistable=True)
    block.vars["fetch"] = VarDesc("fetch", VarType.FETCH_LIST, None, persistable=True)
    for column, (name, (dtype, shape)) in enumerate(feeds.items()):
        block.vars[name] = VarDesc(name, dtype=DTYPES[dtype], shape=shape)
        block.ops.append(_op("feed", {"X": "feed"}, name, col=column))
    for op in ops:
        for name in op.output_names():
            block.vars[name] = VarDesc(name)
        block.ops.append(op)
    for column, name in enumerate(fetches):
        block.ops.append(_op("fetch", {"X": name}, "fetch", col=column))
    for name, array in (params or {}).items():
        dtype = DTYPES[array.dtype.name]
        block.vars[name] = VarDesc(name, dtype=dtype, shape=array.shape, persistable=True)
    return Program([block], version=2006002, params=dict(params or {}))


def dense() -> Program:
    """y = softmax(x @ WEIGHT + BIAS); x: float32 [-1, 4]."""
    return _program(
        {"x": ("float32", (-1, 4))},
        [
            _op("mul", {"X": "x", "Y": "w"}, "xw", x_num_col_dims=1, y_num_col_dims=1),
            _op("elementwise_add", {"X": "xw", "Y": "b"}, "z", axis=1),
            _op("softmax", {"X": "z"}, "y", axis=-1),
        ],
        ["y"],
        {"w": WEIGHT, "b": BIAS},
    )


def dense_result(x: Array) -> Array:
    """What ``dense`` computes."""
    z = x.astype(np.float64) @ WEIGHT + BIAS
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def mixed() -> Program:
    """sum = x + TABLE[ids], twice = 2 * ids; x: float32 [-1, 4], ids: int64 [-1]."""
    return _program(
        {"x": ("float32", (-1, 4)), "ids": ("int64", (-1,))},
        [
            _op("lookup_table_v2", {"W": "table", "Ids": "ids"}, "rows", padding_idx=-1),
            _op("elementwise_add", {"X": "x", "Y": "rows"}, "sum", axis=-1),
            _op("scale", {"X": "ids"}, "twice", scale=2.0, bias=0.0, bias_after_scale=True),
        ],
        ["sum", "twice"],
        {"table": TABLE},
    )


def pooled() -> Program:
    """y = the sum of each sequence of x; x: float32 [-1, 2] with LoD."""
    op = _op("sequence_pool", {"X": "x"}, "y", pooltype="SUM", pad_value=0.0, is_test=True)
    return _program({"x": ("float32", (-1, 2))}, [op], ["y"])


def beyond_paddle_lite() -> Program:
    """y = cosh(gelu(gelu(x))), gelu by tanh: what real Paddle Lite cannot; x: float32 [-1, 4]."""
    ops = [
        _op("gelu", {"X": "x"}, "a", approximate=True),
        _op("gelu", {"X": "a"}, "b", approximate=True),
        _op("cosh", {"X": "b"}, "y"),
    ]
    return _program({"x": ("float32", (-1, 4))}, ops, ["y"])


def typed(dtype: str) -> Program:
    """y = x as float32; x: ``dtype`` [-1, 4]."""
    op = _op("cast", {"X": "x"}, "y", in_dtype=int(DTYPES[dtype]), out_dtype=int(DataType.FP32))
    return _program({"x": (dtype, (-1, 4))}, [op], ["y"])


def passed_on() -> Program:
    """x, reshaped to [-1, 2], and relu(x), written over x; x: float32 [-1, 4]."""
    ops = [_op("reshape", {"X": "x"}, "v", shape=[-1, 2]), _op("relu", {"X": "x"}, "x")]
    return _program({"x": ("float32", (-1, 4))}, ops, ["v", "x"])


def looked_up() -> Program:
    """y = TABLE[x]; x: int64 [-1, 1]."""
    op = _op("lookup_table_v2", {"W": "table", "Ids": "x"}, "y", padding_idx=-1)
    return _program({"x": ("int64", (-1, 1))}, [op], ["y"], {"table": TABLE})


def convolved(width: int) -> Program:
    """y = three convolutions of x, pooled; x: float32 [-1, 3, 64, 64]."""
    ops, params, name, channels = [], {}, "x", 3
    for layer in range(3):
        filters = np.random.default_rng(layer).standard_normal((width, channels, 3, 3))
        params[f"w{layer}"] = (filters / channels).astype(np.float32)
        op = _op(
            "conv2d", {"Input": name, "Filter": f"w{layer}"}, f"c{layer}", strides=[1, 1],
            paddings=[1, 1], dilations=[1, 1], groups=1, data_format="NCHW",
        )  # fmt: skip
        op.outputs = {"Output": op.outputs["Out"]}
        ops.append(op)
        name, channels = f"c{layer}", width
    ops.append(_op("reduce_mean", {"X": name}, "y", dim=[2, 3], keep_dim=False, reduce_all=False))
    return _program({"x": ("float32", (-1, 3, 64, 64))}, ops, ["y"], params)


def total() -> Program:
    """y = the sum of all of x, of shape [1]; x: float32 [-1, 4]."""
    op = _op("reduce_sum", {"X": "x"}, "y", dim=[0, 1], keep_dim=False, reduce_all=True)
    return _program({"x": ("float32", (-1, 4))}, [op], ["y"])


def centred() -> Program:
    """y = x without the mean of its rows; x: float32 [-1, 4]."""
    ops = [
        _op("reduce_mean", {"X": "x"}, "mean", dim=[0], keep_dim=True, reduce_all=False),
        _op("elementwise_sub", {"X": "x", "Y": "mean"}, "y", axis=-1),
    ]
    return _program({"x": ("float32", (-1, 4))}, ops, ["y"])


def positions() -> Program:
    """y = where x is not 0, a row each; x: float32 [-1, 4]."""
    op = _op("where_index", {"Condition": "x"}, "y")
    return _program({"x": ("float32", (-1, 4))}, [op], ["y"])


def nb_bytes(program: Program) -> bytes:
    """The program, optimised, as the bytes of a `.nb` file."""
    from lite.core.optimizer import optimize

    file = io.BytesIO()
    write_nb(optimize(program), file)
    return file.getvalue()
