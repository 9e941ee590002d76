"""A small text recogniser: three strided convolutions, a sequence of columns, a wide head."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from lite.model.program import Program
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program

CLASSES = 18385
_CONV = (
    "groups: int 1, dilations: ints [1, 1], paddings: ints [1, 1], "
    'padding_algorithm: string "EXPLICIT", data_format: string "NCHW"'
)


def recogniser(classes: int = CLASSES) -> Program:
    """softmax over the classes for each of the 20 columns of x, float32 [1, 3, 48, 160]."""
    channels = (3, 8, 16, 24)
    shapes = {f"conv{i}.w": (channels[i + 1], channels[i], 3, 3) for i in range(3)}
    shapes.update({"head.w": (24, classes), "head.b": (classes,)})
    random = np.random.default_rng(0)
    params = {
        name: (random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]) or 1)).astype(np.float32)
        for name, shape in shapes.items()
    }
    tensor = "lod_tensor fp32"
    lines = ["program version 2006002", "block 0 parent -1 {"]
    lines += ["  var feed: feed_minibatch persistable", "  var fetch: fetch_list persistable"]
    lines.append(f"  var x: {tensor}[1,3,48,160]")
    ops = ["Out: [x] = feed(X: [feed]) {col: int 0}"]
    value = "x"
    for i in range(3):
        ops += [
            f"Output: [conv{i}.out] = conv2d(Input: [{value}], Filter: [conv{i}.w]) "
            f"{{strides: ints [2, 2], {_CONV}}}",
            f"Out: [relu{i}.out] = relu(X: [conv{i}.out])",
        ]
        value = f"relu{i}.out"
    ops += [
        f'Out: [pool.out] = pool2d(X: [{value}]) {{pooling_type: string "avg", '
        "ksize: ints [6, 1], strides: ints [6, 1], paddings: ints [0, 0]}",
        "Out: [columns] = squeeze2(X: [pool.out]) {axes: ints [2]}",
        "Out: [sequence] = transpose2(X: [columns]) {axis: ints [0, 2, 1]}",
        "Out: [head.matmul] = matmul_v2(X: [sequence], Y: [head.w]) "
        "{trans_x: bool false, trans_y: bool false}",
        "Out: [head.out] = elementwise_add(X: [head.matmul], Y: [head.b]) {axis: int -1}",
        "Out: [classes] = softmax(X: [head.out]) {axis: int -1}",
        "Out: [fetch] = fetch(X: [classes]) {col: int 0}",
    ]
    known = _shapes(classes)
    lines += [f"  var {name}: {tensor}[{known[name]}]" for name in known]
    for name, array in params.items():
        shape = ",".join(map(str, array.shape))
        lines.append(f"  var {name}: {tensor}[{shape}] persistable")
    return parse_program("\n".join([*lines, *(f"  {op}" for op in ops), "}", ""]), params)


def _shapes(classes: int) -> dict[str, str]:
    shapes = {}
    for i, (channels, h, w) in enumerate([(8, 24, 80), (16, 12, 40), (24, 6, 20)]):
        shapes[f"conv{i}.out"] = shapes[f"relu{i}.out"] = f"1,{channels},{h},{w}"
    shapes.update({"pool.out": "1,24,1,20", "columns": "1,24,20", "sequence": "1,20,24"})
    return {**shapes, **dict.fromkeys(("head.matmul", "head.out", "classes"), f"1,20,{classes}")}


if __name__ == "__main__":
    write_protobuf_dir(recogniser(), Path(sys.argv[1]))
