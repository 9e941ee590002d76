"""Exports the tiny models of this folder: run with paddlepaddle 2.6.2 as make_models.py FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import paddle
from paddle import nn
from paddle.base.proto import framework_pb2
from paddle.static import InputSpec


class Loop(nn.Layer):
    """A while loop, a tensor array, and a branch."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        count = paddle.zeros([1], dtype="int64")
        limit = paddle.full([1], 3, dtype="int64")
        kept = paddle.tensor.create_array(dtype="float32")
        while count < limit:
            x = self.linear(x)
            kept = paddle.tensor.array_write(x, count, kept)
            count += 1
        if x.mean() > 0:  # noqa: SIM108 (becomes conditional_block)
            x = x * 2
        else:
            x = x - 1
        return x + paddle.tensor.array_read(kept, count - 1)


class Conv(nn.Layer):
    """A convolution with batch normalisation, activations and a softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2D(8)
        self.linear = nn.Linear(8, 5)

    def forward(self, x):
        x = nn.functional.hardswish(self.norm(self.conv(x)))
        x = nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)
        return nn.functional.softmax(self.linear(x))


class Dtypes(nn.Layer):
    """Parameters of several element types."""

    def __init__(self) -> None:
        super().__init__()
        self.table = self.create_parameter([6, 4])
        for name in ("int32", "int64", "float64", "bool"):
            values = paddle.to_tensor(np.arange(6).reshape(2, 3) % 2).astype(name)
            self.register_buffer(f"of_{name}", values)

    def forward(self, x):
        x = nn.functional.embedding(x, self.table)
        extra = self.of_int32.astype("float32").sum() + self.of_int64.astype("float32").sum()
        extra = extra + self.of_float64.astype("float32").sum()
        mask = self.of_bool.astype("float32").sum()
        return paddle.clip(x * 0.1, -1.5, 2.5) + extra * mask


MODELS = {
    "loop": (Loop, InputSpec([-1, 4], "float32", "x")),
    "conv": (Conv, InputSpec([-1, 3, 8, 8], "float32", "x")),
    "dtypes": (Dtypes, InputSpec([-1, 2], "int64", "x")),
}


def _strip_call_stacks(path: Path) -> None:
    """Takes the paths of the exporting machine out."""
    program = framework_pb2.ProgramDesc()
    program.ParseFromString(path.read_bytes())
    for block in program.blocks:
        for op in block.ops:
            kept = [attr for attr in op.attrs if attr.name != "op_callstack"]
            del op.attrs[:]
            op.attrs.extend(kept)
    path.write_bytes(program.SerializeToString())


def main() -> None:
    folder = Path(sys.argv[1])
    paddle.seed(7)
    for name, (layer, spec) in MODELS.items():
        net = layer()
        net.eval()
        paddle.jit.save(net, str(folder / name), [spec])
        (folder / f"{name}.pdiparams.info").unlink(missing_ok=True)
        _strip_call_stacks(folder / f"{name}.pdmodel")


if __name__ == "__main__":
    main()
