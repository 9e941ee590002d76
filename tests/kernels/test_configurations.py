"""Operators as Paddle Lite's own tests configure them, against Paddle 2.6.2's executor.

Each configuration is a program of one operator or a few; both run the same file. The largest run
where LITE_TEST_ALL_CONFIGURATIONS is 1 (.ci/nightly). make_configurations.py made the file.
"""

from __future__ import annotations

import io
import json
import lzma
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import harness
import numpy as np
import paddle_oracle
import pytest
from breadth import EVERYTHING
from configuration_inputs import Value, value

import lite
from lite.errors import LiteError
from lite.model.params import DATA_TYPES
from lite.model.pdmodel import write_pdmodel
from lite.model.program import Attr, AttrType, OpDesc, Program, VarDesc
from lite.model.save import write_params

Configuration = list[Any]
Outputs = dict[str, Value]
Arrays = dict[str, np.ndarray]

FILE = Path(__file__).with_name("configurations.json.xz")
MOST = 60_000
"""So many elements may the tensors of a configuration have together, unless all are run."""


@cache
def configurations() -> list[Configuration]:
    found: list[Configuration] = json.loads(lzma.decompress(FILE.read_bytes()))
    return found


def size(configuration: Configuration) -> int:
    return sum(int(np.prod(shape)) for _, shape, _ in configuration[1].values())


def types(configuration: Configuration) -> list[str]:
    return [op[0] for op in configuration[0]]


def chosen() -> list[Any]:
    """Those that are run, with a name of types and a number."""
    params, numbers = [], Counter[str]()
    for configuration in configurations():
        name = "+".join(types(configuration))
        numbers[name] += 1
        if EVERYTHING or size(configuration) <= MOST:
            params.append(pytest.param(configuration, id=f"{name}-{numbers[name]}"))
    return params


def tensors_of(configuration: Configuration) -> Outputs:
    """Values for its inputs and parameters, the same each time."""
    ops, tensors, _ = configuration
    random = np.random.default_rng(zlib.crc32(json.dumps(configuration).encode()))
    made: Outputs = {}
    for type, inputs, _, attrs in ops:
        shapes = {s: tensors[names[0]][1] for s, names in inputs.items() if names[0] in tensors}
        for slot, names in inputs.items():
            for name in names:
                if name in tensors and name not in made:
                    dtype, shape, _ = tensors[name]
                    made[name] = value(type, slot, (dtype, shape), shapes, attrs, random)
    return made


def attribute(item: Any) -> Attr:
    if isinstance(item, list):
        first = next((v for v in item if isinstance(v, float)), item[0] if item else 0)
        kinds = {bool: AttrType.BOOLEANS, int: AttrType.INTS, float: AttrType.FLOATS}
        kinds[str] = AttrType.STRINGS
        return Attr(kinds[type(first)], item)
    kinds = {bool: AttrType.BOOLEAN, int: AttrType.INT, float: AttrType.FLOAT}
    kinds[str] = AttrType.STRING
    return Attr(kinds[type(item)], item)


def program_of(configuration: Configuration, values: Outputs) -> Program:
    ops, tensors, outputs = configuration
    program = Program(version=2006002)
    root = program.root
    for name, (array, lod) in values.items():
        parameter = tensors[name][2]
        dtype = DATA_TYPES[array.dtype]
        var = VarDesc(name, dtype=dtype, shape=array.shape, lod_level=len(lod))
        root.vars[name] = var
        if parameter:
            var.persistable, program.params[name] = True, array
        else:
            column = {"col": Attr(AttrType.INT, len(root.ops))}
            root.ops.append(OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, column))
    for type, inputs, made, attrs in ops:
        typed = {name: attribute(item) for name, item in attrs.items()}
        root.ops.append(OpDesc(type, inputs, made, typed))
    for column, name in enumerate(outputs):
        at = {"col": Attr(AttrType.INT, column)}
        root.ops.append(OpDesc("fetch", {"X": [name]}, {"Out": ["fetch"]}, at))
    return program


def run_lite(configuration: Configuration, values: Outputs) -> Outputs:
    program = program_of(configuration, values)
    params = io.BytesIO()
    write_params(program.params, params)
    model, weights = write_pdmodel(program), params.getvalue()
    config = lite.CxxConfig()
    config.set_model_buffer(model, len(model), weights, len(weights))
    predictor = lite.create_paddle_predictor(config)
    for index, name in enumerate(program.feed_names()):
        array, lod = values[name]
        predictor.get_input(index).from_numpy(array)
        if lod:
            predictor.get_input(index).set_lod(lod)
    predictor.run()
    found = [predictor.get_output(index) for index in range(len(configuration[2]))]
    names = configuration[2]
    return {
        name: (np.array(tensor.numpy()), [list(level) for level in tensor.lod()])
        for name, tensor in zip(names, found, strict=True)
    }


def pad2d(arrays: Arrays, attrs: dict[str, Any]) -> np.ndarray:
    modes = {"constant": "constant", "reflect": "reflect", "edge": "edge"}
    top, bottom, left, right = attrs["paddings"]
    behind = attrs.get("data_format") == "NHWC"
    pads = [(0, 0), (top, bottom), (left, right)]
    pads.insert(3 if behind else 1, (0, 0))
    mode = modes[attrs["mode"]]
    numbers = {"constant_values": attrs["pad_value"]} if mode == "constant" else {}
    return np.pad(arrays["X"], pads, mode, **numbers)  # type: ignore[call-overload]


def squeeze(arrays: Arrays, attrs: dict[str, Any]) -> np.ndarray:
    x = arrays["X"]
    axes = [axis % x.ndim for axis in attrs["axes"]] or range(x.ndim)
    return x.reshape([d for i, d in enumerate(x.shape) if d != 1 or i not in axes])


def unsqueeze(arrays: Arrays, attrs: dict[str, Any]) -> np.ndarray:
    x = arrays["X"]
    for axis in attrs["axes"]:
        x = np.expand_dims(x, axis)
    return x


def flatten(arrays: Arrays, attrs: dict[str, Any]) -> np.ndarray:
    x, axis = arrays["X"], attrs["axis"]
    sides = int(np.prod(x.shape[:axis])), int(np.prod(x.shape[axis:]))
    return x.reshape(sides if x.ndim else 1)


def one_hot(arrays: Arrays, attrs: dict[str, Any]) -> np.ndarray:
    depth = int(arrays["depth_tensor"][0]) if "depth_tensor" in arrays else attrs["depth"]
    types = {kind.value: dtype for dtype, kind in DATA_TYPES.items()}
    return (arrays["X"] == np.arange(depth)).astype(types[attrs.get("dtype", 5)])


def cos_sim(arrays: Arrays, attrs: dict[str, Any]) -> list[np.ndarray]:
    x, y = (arrays[slot].reshape(len(arrays[slot]), -1) for slot in ("X", "Y"))
    norms = [np.sqrt((a * a).sum(1, keepdims=True)) for a in (x, y)]
    return [(x * y).sum(1, keepdims=True) / norms[0] / norms[1], *norms]


REFERENCES: dict[str, Callable[[Arrays, dict[str, Any]], np.ndarray | list[np.ndarray]]] = {
    "cos_sim": cos_sim,
    "expand_as": lambda a, _: np.tile(
        a["X"], [n // m for n, m in zip(a["target_tensor"].shape, a["X"].shape, strict=True)]
    ),
    "flatten": flatten,
    "index_select": lambda a, attrs: a["X"].take(a["Index"], attrs["dim"]),
    "one_hot": one_hot,
    "pad2d": pad2d,
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
}
"""Of operators, or their element types, that Paddle 2.6 does not have."""

REFUSED = {
    "fc": "padding_weights is true",
    "meshgrid": "expected one dimension",
    "sequence_topk_avg_pooling": "sequence_topk_avg_pooling",
    "var_conv_2d": "var_conv_2d",
    "tensor_array_to_tensor": "axis is 3, expected",
}
"""What the error says where a configuration is refused. Paddle refuses those of meshgrid and
tensor_array_to_tensor too; the operators of text matching have no kernel, and neither have weights
that were padded for one library."""

BY_ATTRIBUTES = {"hard_swish": "Paddle takes 6, 6 and 3 whatever the attributes are"}
"""Operators of which Paddle ignores attributes; their own tables have references."""

UNWRITTEN = {
    *(("batch_norm", "SavedMean"), ("batch_norm", "SavedVariance")),
    *(("tensor_array_to_tensor", "OutIndex"), ("merge_lod_tensor", "Out")),
    *(("empty", "Out"), ("gaussian_random", "Out"), ("uniform_random", "Out")),
}
"""Outputs whose elements do not count: of training, random, and what Paddle leaves unwritten."""


def expected(configuration: Configuration, values: Outputs) -> Outputs:
    """Paddle's outputs, or a reference's."""
    ops, _, outputs = configuration
    type, inputs, _, attrs = ops[0]
    known = type == "index_select" and values[inputs["X"][0]][0].dtype.itemsize > 2
    if type in REFERENCES and not known:
        arrays = {slot: values[names[0]][0] for slot, names in inputs.items()}
        found = REFERENCES[type](arrays, attrs)
        listed = found if isinstance(found, list) else [found]
        return {name: (array, []) for name, array in zip(outputs, listed, strict=True)}
    return paddle_oracle.run_operators([tuple(op) for op in ops], values, outputs)


@pytest.mark.paddle
@pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6")
@pytest.mark.parametrize("configuration", chosen())
def test_configuration(configuration: Configuration) -> None:
    values = tensors_of(configuration)
    ops = configuration[0]
    refused = next((REFUSED[op[0]] for op in ops if op[0] in REFUSED), "")
    try:
        got = run_lite(configuration, values)
    except LiteError as error:
        assert refused and refused in str(error)
        return
    want = expected(configuration, values)
    if any(op[0] in BY_ATTRIBUTES for op in ops):
        return
    free = {
        name
        for type, _, outputs, _ in ops
        for slot, names in outputs.items()
        for name in names
        if (type, slot) in UNWRITTEN
    }
    for name in sorted(free & want.keys()):
        shapes = got.pop(name)[0].shape, want.pop(name)[0].shape
        assert shapes[0] == shapes[1] or 0 in shapes[1]
    one, other = ({name: [tensor] for name, tensor in side.items()} for side in (got, want))
    harness.compare(one, other, 1e-4, "+".join(types(configuration)))
