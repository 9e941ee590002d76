"""Models of operations that fake_device has, to be compared on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from lite.model.program import AttrType, BlockDesc, DataType, OpDesc, Program, VarDesc, VarType
from lite.model.save import write_protobuf_dir

Array = np.ndarray[Any, Any]


class Builder:
    """Operators one behind the other; each method returns the name of its result."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.random = np.random.default_rng(11)
        self.block = BlockDesc()
        self.params: dict[str, Array] = {}
        for name, kind in (("feed", VarType.FEED_MINIBATCH), ("fetch", VarType.FETCH_LIST)):
            self.block.vars[name] = VarDesc(name, kind, None, persistable=True)
        self.shapes = {"x": shape}
        self.block.vars["x"] = VarDesc("x", dtype=DataType.FP32, shape=shape)
        self.op("feed", {"X": "feed"}, {"Out": "x"}, col=0)

    def op(self, kind: str, inputs: dict[str, str], outputs: dict[str, str], **attrs: Any) -> str:
        """Adds an operator."""
        op = OpDesc(kind, {k: [v] for k, v in inputs.items()}, {k: [v] for k, v in outputs.items()})
        for name, value in attrs.items():
            item = value[0] if isinstance(value, list) else value
            types = {bool: "BOOLEAN", int: "INT", float: "FLOAT", str: "STRING"}
            many = "S" if isinstance(value, list) else ""
            op.set_attr(name, AttrType[types[type(item)] + many], value)
        self.block.ops.append(op)
        return next(iter(outputs.values()))

    def shaped(self, name: str, *shape: int) -> str:
        """Declares a result."""
        self.shapes[name] = shape
        self.block.vars[name] = VarDesc(name, dtype=DataType.FP32, shape=shape)
        return name

    def new(self) -> str:
        """A name."""
        return f"t{len(self.block.ops)}"

    def weight(self, *shape: int) -> str:
        """A parameter."""
        name = f"w{len(self.params)}"
        scale = (2 / max(1, int(np.prod(shape[1:])))) ** 0.5
        self.params[name] = (self.random.standard_normal(shape) * scale).astype(np.float32)
        self.block.vars[name] = VarDesc(name, dtype=DataType.FP32, shape=shape, persistable=True)
        return name

    def conv(self, x: str, inputs: int, outputs: int) -> str:
        """A 3 x 3 convolution that keeps the size."""
        slots = {"Input": x, "Filter": self.weight(outputs, inputs, 3, 3)}
        attrs = {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}
        n, _, h, w = self.shapes[x]
        return self.shaped(
            self.op("conv2d", slots, {"Output": self.new()}, **attrs), n, outputs, h, w
        )

    def unary(self, kind: str, x: str, **attrs: Any) -> str:
        """An operator from X to Out."""
        return self.shaped(self.op(kind, {"X": x}, {"Out": self.new()}, **attrs), *self.shapes[x])

    def add(self, x: str, y: str, axis: int = -1) -> str:
        """A sum."""
        made = self.op("elementwise_add", {"X": x, "Y": y}, {"Out": self.new()}, axis=axis)
        return self.shaped(made, *self.shapes[x])

    def pool(self, x: str) -> str:
        """Averages of 2 x 2."""
        attrs = {"pooling_type": "avg", "ksize": [2, 2], "strides": [2, 2], "paddings": [0, 0]}
        n, c, h, w = self.shapes[x]
        made = self.unary("pool2d", x, global_pooling=False, exclusive=True, **attrs)
        return self.shaped(made, n, c, h // 2, w // 2)

    def flat(self, x: str) -> str:
        """All but the batch in one dimension."""
        n, *rest = self.shapes[x]
        made = self.unary("flatten_contiguous_range", x, start_axis=1, stop_axis=3)
        return self.shaped(made, n, int(np.prod(rest)))

    def dense(self, x: str, inputs: int, outputs: int) -> str:
        """A matrix product and a bias."""
        weight = self.weight(inputs, outputs)
        y = self.op("matmul_v2", {"X": x, "Y": weight}, {"Out": self.new()},
                    trans_x=False, trans_y=False)  # fmt: skip
        return self.add(self.shaped(y, self.shapes[x][0], outputs), self.weight(outputs))

    def finish(self, *results: str) -> Program:
        """The program."""
        for column, name in enumerate(results):
            self.op("fetch", {"X": name}, {"Out": "fetch"}, col=column)
        return Program([self.block], version=2006002, params=self.params)


def residual() -> Program:
    """conv2d#1 relu6#2 conv2d#3 elementwise_add#4 relu#5 pool2d#6 conv2d#7 relu#8 flatten#9
    matmul_v2#10 elementwise_add#11 softmax#12; x: [-1, 3, 8, 8]."""
    b = Builder((-1, 3, 8, 8))
    first = b.unary("relu6", b.conv("x", 3, 8), threshold=6.0)
    x = b.unary("relu", b.add(b.conv(first, 8, 8), first))
    x = b.unary("relu", b.conv(b.pool(x), 8, 12))
    return b.finish(b.unary("softmax", b.dense(b.flat(x), 192, 5), axis=-1))


def widening(layers: int = 24) -> Program:
    """Matrix products and biases of 5, 6, ... units, then softmax; x: [-1, 4]."""
    b = Builder((-1, 4))
    x = "x"
    for width in range(4, 4 + layers):
        x = b.dense(x, width, width + 1)
    return b.finish(b.unary("softmax", x, axis=-1))


def twins() -> Program:
    """Two convolutions with weights of one shape, tanh (on the CPU) behind; x: [-1, 4, 6, 6]."""
    b = Builder((-1, 4, 6, 6))
    x = b.unary("tanh", b.conv("x", 4, 4))
    y = b.unary("tanh", b.conv(x, 4, 4))
    return b.finish(b.add(x, y), b.unary("relu", y))


MODELS = {"residual": residual, "widening": widening, "twins": twins}
SHAPES = {"residual": (2, 3, 8, 8), "widening": (2, 4), "twins": (2, 4, 6, 6)}


def written(name: str, folder: Path) -> Path:
    """A model in a folder of its name."""
    path = folder / name
    if not path.exists():
        write_protobuf_dir(MODELS[name](), path)
    return path


def inputs(name: str) -> dict[str, Array]:
    """Its inputs."""
    return {"x": np.random.default_rng(3).standard_normal(SHAPES[name]).astype(np.float32)}
