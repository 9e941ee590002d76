"""Small models with the inputs and outputs that the examples expect of real ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from lite.model.naive_buffer import write_nb_file
from lite.model.program import Program
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program

CLASSES = 7

_FRAME = """
program version 2006002
block 0 parent -1 {
  var feed: feed_minibatch persistable
  var fetch: fetch_list persistable
%s}
"""

_CONV = """
  Output: [c] = conv2d(Input: [image], Filter: [w]) {strides: ints [%d, %d], paddings: ints [%d, %d], dilations: ints [1, 1], groups: int 1, data_format: string "NCHW"}
"""  # noqa: E501
_POOLED = """
  Out: [r] = relu(X: [c])
  Out: [p] = pool2d(X: [r]) {ksize: ints [1, 1], pooling_type: string "avg", adaptive: bool true, strides: ints [1, 1], paddings: ints [0, 0]}
  Out: [f] = reshape2(X: [p]) {shape: ints [0, 7]}
"""  # noqa: E501
_CLASSIFIER = _CONV % (4, 4, 1, 1) + _POOLED
_SOFTMAX = "  Out: [prob] = softmax(X: [f]) {axis: int -1}\n"

# A grid of 8 x 8 boxes, scored by the mean colour of what they cover.
_DETECTOR = """
  Out: [p] = pool2d(X: [image]) {ksize: ints [8, 8], pooling_type: string "avg", strides: ints [8, 8], paddings: ints [0, 0]}
  Out: [s] = reshape2(X: [p]) {shape: ints [0, 3, 64]}
  Out: [scores] = sigmoid(X: [s])
  Out: [h] = slice(Input: [scale_factor]) {axes: ints [1], starts: ints [0], ends: ints [1], decrease_axis: ints []}
  Out: [w] = slice(Input: [scale_factor]) {axes: ints [1], starts: ints [1], ends: ints [2], decrease_axis: ints []}
  Out: [whwh] = concat(X: [w, h, w, h]) {axis: int 1}
  Out: [boxes] = elementwise_div(X: [anchors], Y: [whwh]) {axis: int -1}
  Out: [o], Index: [i], NmsRoisNum: [n] = multiclass_nms3(BBoxes: [boxes], Scores: [scores]) {background_label: int -1, score_threshold: float 0.6, nms_top_k: int 40, nms_threshold: float 0.3, keep_top_k: int 6, normalized: bool true, nms_eta: float 1.0}
"""  # noqa: E501


def _program(
    inputs: Mapping[str, list[int]],
    operators: str,
    outputs: list[str],
    params: Mapping[str, np.ndarray],
    kind: str = "fp32",
) -> Program:
    lines = [
        *(
            f"  var {name}: lod_tensor {kind}[{','.join(map(str, shape))}]"
            for name, shape in inputs.items()
        ),
        *(
            f"  var {name}: lod_tensor fp32[{','.join(map(str, array.shape))}] persistable"
            for name, array in params.items()
        ),
        *(f"  Out: [{name}] = feed(X: [feed]) {{col: int {at}}}" for at, name in enumerate(inputs)),
        operators,
        *(
            f"  Out: [fetch] = fetch(X: [{name}]) {{col: int {at}}}"
            for at, name in enumerate(outputs)
        ),
    ]
    program = parse_program(_FRAME % "\n".join([*lines, ""]))
    program.params = dict(params)
    return program


def _normal(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32) / 4


def _filter() -> np.ndarray:
    return _normal(5, CLASSES, 3, 5, 5)


def classifier() -> Program:
    """f32[-1, 3, -1, -1] to the probabilities of seven classes."""
    params = {"w": _filter()}
    return _program({"image": [-1, 3, -1, -1]}, _CLASSIFIER + _SOFTMAX, ["prob"], params)


def wide(outputs: int, inputs: int) -> Program:
    """f32[-1, inputs, -1, -1] to sums with large weights, and a factor that stays as it is."""
    weights = np.ones((outputs, inputs, 1, 1), np.float32)
    operators = """
  Out: [p] = pool2d(X: [c]) {ksize: ints [1, 1], pooling_type: string "avg", adaptive: bool true, strides: ints [1, 1], paddings: ints [0, 0]}
  Out: [m] = elementwise_mul(X: [p], Y: [f]) {axis: int 1}
"""  # noqa: E501
    operators = _CONV % (1, 1, 0, 0) + operators
    params = {"w": weights, "f": np.ones(outputs, np.float32)}
    return _program({"image": [-1, inputs, -1, -1]}, operators, ["m"], params)


def features() -> Program:
    """f32[-1, 3, -1, -1] to vectors of seven numbers."""
    return _program({"image": [-1, 3, -1, -1]}, _CLASSIFIER, ["f"], {"w": _filter()})


def integers() -> Program:
    """f32[-1] rounded down to int64, to int32 and to uint8."""
    operators = "\n".join(
        f"  Out: [{name}] = cast(X: [x]) {{in_dtype: int 5, out_dtype: int {number}}}"
        for name, number in {"long": 3, "int": 2, "byte": 20}.items()
    )
    return _program({"x": [-1]}, operators, ["long", "int", "byte"], {})


def words() -> Program:
    """int64[-1, 1] of 0 to 19, with offsets, to one number for each word: f32[-1, 1]."""
    operators = "  Out: [y] = lookup_table(W: [table], Ids: [x]) {padding_idx: long -1}"
    table = np.random.default_rng(6).standard_normal((20, 1)).astype(np.float32)
    return _program({"x": [-1, 1]}, operators, ["y"], {"table": table}, "int64")


def sounds() -> Program:
    """int64[-1] of 0 to 19 to f32[-1, 8]."""
    operators = "  Out: [y] = lookup_table_v2(W: [table], Ids: [x]) {padding_idx: long -1}"
    table = np.random.default_rng(7).standard_normal((20, 8)).astype(np.float32)
    return _program({"x": [-1]}, operators, ["y"], {"table": table}, "int64")


def wave() -> Program:
    """f32[-1, 8] to f32[-1, 1]."""
    operators = """
  Out: [m] = matmul_v2(X: [x], Y: [w]) {trans_x: bool false, trans_y: bool false}
  Out: [t] = tanh(X: [m])
  Out: [y] = reshape2(X: [t]) {shape: ints [-1, 1]}
"""
    weights = np.random.default_rng(8).standard_normal((8, 5)).astype(np.float32)
    return _program({"x": [-1, 8]}, operators, ["y"], {"w": weights})


def detector() -> Program:
    """f32[1, 3, 64, 64] and the scale f32[1, 2] to boxes and their number."""
    y, x = np.meshgrid(np.arange(8), np.arange(8), indexing="ij")
    corners = np.stack([x - 0.5, y - 0.5, x + 1.5, y + 1.5], axis=-1)
    anchors = (corners * 8).reshape(1, 64, 4).astype(np.float32)
    inputs = {"image": [1, 3, 64, 64], "scale_factor": [1, 2]}
    return _program(inputs, _DETECTOR, ["o", "n"], {"anchors": anchors})


def _maps(maps: int, kernel: int, stride: int, rest: str, output: str) -> Program:
    """f32[-1, 3, -1, -1] through a convolution and `rest`, which goes on with c."""
    padding = kernel // 2 if stride == 1 else 0
    operators = _CONV % (stride, stride, padding, padding) + rest
    weights = _normal(maps, maps, 3, kernel, kernel)
    return _program({"image": [-1, 3, -1, -1]}, operators, [output], {"w": weights})


def segmenter() -> Program:
    """f32[-1, 3, -1, -1] to the class of each pixel, of four: int64[-1, -1, -1]."""
    rest = "  Out: [y] = arg_max(X: [c]) {axis: long 1, keepdims: bool false, dtype: int 3}\n"
    return _maps(4, 3, 1, rest, "y")


def heatmaps() -> Program:
    """f32[-1, 3, -1, -1] to five maps of a quarter of the size."""
    return _maps(5, 4, 4, "  Out: [y] = sigmoid(X: [c])\n", "y")


def style() -> Program:
    """f32[-1, 3, -1, -1] to a picture of that size, -1 to 1."""
    return _maps(3, 5, 1, "  Out: [y] = tanh(X: [c])\n", "y")


def grid() -> Program:
    """f32[-1, 3, -1, -1] to 14 maps of an eighth: x, y, w, h, certainty, two classes; twice."""
    return _maps(14, 8, 8, "", "c")


def chunks() -> Program:
    """f32[-1, 4] and the state f32[1, 8] to f32[1, 3] and the next state."""
    operators = """
  Out: [a] = reduce_mean(X: [chunk]) {dim: ints [0], keep_dim: bool true, reduce_all: bool false}
  Out: [b] = matmul_v2(X: [a], Y: [w]) {trans_x: bool false, trans_y: bool false}
  Out: [d] = matmul_v2(X: [state], Y: [u]) {trans_x: bool false, trans_y: bool false}
  Out: [e] = elementwise_add(X: [b], Y: [d]) {axis: int -1}
  Out: [next] = tanh(X: [e])
  Out: [y] = matmul_v2(X: [next], Y: [v]) {trans_x: bool false, trans_y: bool false}
"""
    params = {"w": _normal(1, 4, 8), "u": _normal(2, 8, 8), "v": _normal(3, 8, 3)}
    return _program({"chunk": [-1, 4], "state": [1, 8]}, operators, ["y", "next"], params)


def encoder() -> Program:
    """int64[-1] of 0 to 19 to f32[1, 8]."""
    operators = """
  Out: [e] = lookup_table_v2(W: [table], Ids: [x]) {padding_idx: long -1}
  Out: [y] = reduce_mean(X: [e]) {dim: ints [0], keep_dim: bool true, reduce_all: bool false}
"""
    return _program({"x": [-1]}, operators, ["y"], {"table": 4 * _normal(4, 20, 8)}, "int64")


def decoder() -> Program:
    """The sentence f32[1, 8] and the words so far f32[1, 20], to marks of the 20 words."""
    operators = """
  Out: [a] = matmul_v2(X: [sentence], Y: [w]) {trans_x: bool false, trans_y: bool false}
  Out: [y] = elementwise_sub(X: [a], Y: [said]) {axis: int -1}
"""
    inputs = {"sentence": [1, 8], "said": [1, 20]}
    return _program(inputs, operators, ["y"], {"w": _normal(5, 8, 20)})


def ranker() -> Program:
    """int64[-1, 1] twice, with offsets: what a user saw and what is offered, to f32[-1, 1]."""
    lines = [
        f"  Out: [{x}e] = lookup_table(W: [table], Ids: [{x}]) {{padding_idx: long -1}}\n"
        f'  Out: [{x}s], MaxIndex: [{x}i] = sequence_pool(X: [{x}e]) {{pooltype: string "SUM"}}\n'
        for x in ("seen", "offered")
    ]
    lines.append("  Out: [m] = elementwise_mul(X: [seens], Y: [offereds]) {axis: int -1}\n")
    sums = "{dim: ints [1], keep_dim: bool true, reduce_all: bool false}"
    lines.append(f"  Out: [s] = reduce_sum(X: [m]) {sums}\n  Out: [y] = sigmoid(X: [s])")
    inputs, table = {"seen": [-1, 1], "offered": [-1, 1]}, {"table": 4 * _normal(6, 20, 8)}
    return _program(inputs, "".join(lines), ["y"], table, "int64")


def pixels() -> Program:
    """uint8[1, -1, -1, 3] to the mean of each channel: f32[1, 3]."""
    operators = """
  Out: [f] = cast(X: [x]) {in_dtype: int 20, out_dtype: int 5}
  Out: [y] = reduce_mean(X: [f]) {dim: ints [1, 2], keep_dim: bool false, reduce_all: bool false}
"""
    return _program({"x": [1, -1, -1, 3]}, operators, ["y"], {}, "uint8")


def houses() -> Program:
    """f32[-1, 13] to f32[-1, 1]."""
    operators = """
  Out: [m] = matmul_v2(X: [x], Y: [w]) {trans_x: bool false, trans_y: bool false}
  Out: [y] = elementwise_add(X: [m], Y: [b]) {axis: int -1}
"""
    params = {"w": _normal(7, 13, 1), "b": np.float32([22.5])}
    return _program({"x": [-1, 13]}, operators, ["y"], params)


def save_nb(program: Program, path: Path) -> Path:
    """A .nb file of the program as it is."""
    write_nb_file(program, path)
    return path


def save_folder(program: Program, path: Path) -> Path:
    """A Paddle model of the program."""
    write_protobuf_dir(program, str(path))
    return path
