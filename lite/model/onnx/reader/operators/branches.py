"""Gates and sums between a network's branches, as newer language models have them.

Definitions: docs/ContribOperators.md of ONNX Runtime. All is computed in float32.
"""

from __future__ import annotations

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.matrix import rms_norm
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType

_FP32 = DataType.FP32


@adapter
def gated_add(
    b: Builder, call: Call, X: Tensor, Y: Tensor, gate: Tensor, gate_weight: Tensor | None
) -> Tensor:
    """x + y gate of the row."""
    if gate_weight is not None:
        raise CannotRead("gate_weight: a product that is rounded to bfloat16")
    return b.binary("elementwise_add", X, b.binary("elementwise_mul", Y, gate))


@adapter
def scaled_silu(b: Builder, call: Call, X: Tensor, scale: Tensor | None, alpha: float) -> Tensor:
    """z sigmoid(z) of z = scale x."""
    x = b.cast(X, _FP32)
    if scale is None:
        x = b.emit("scale", {"X": x}, scale=alpha)
    else:
        x = b.binary("elementwise_mul", x, b.reshape(b.cast(scale, _FP32), [1]))
    made = b.emit("swish", {"X": x}, beta=1.0)
    made.shape = X.shape
    return b.cast(made, X.dtype)


@adapter
def branch_norm(
    b: Builder, call: Call, X: Tensor, scale: Tensor | None, epsilon: float, num_branches: int
) -> Tensor:
    """Each branch over the root of its mean square."""
    x = _grouped(b, b.cast(X, _FP32), num_branches)
    if scale is None:
        scale = b.like(1, x)
    elif scale.rank == 1 and num_branches != 1:
        width = scale.shape[0] if scale.shape is not None else None
        size = x.shape[-1] if x.shape is not None else None
        if width is None or size is None:
            raise CannotRead("a scale of an unknown size")
        scale = scale if width == size else b.reshape(scale, [-1, size])
    made = rms_norm(b, call, x, b.cast(scale, _FP32), -1, epsilon, 1)
    return b.cast(_as(b, made, X), X.dtype)


@adapter
def gated_norm(
    b: Builder, call: Call, X: Tensor, scale: Tensor, gate: Tensor, activation: str, epsilon: float
) -> Tensor:
    """Groups as long as scale, over the root of their mean square, times a gate's activation."""
    kinds = {"silu": "swish", "swish": "swish", "sigmoid": "sigmoid"}
    if activation not in kinds:
        raise CannotRead(f"activation {activation!r}")
    size = scale.shape[0] if scale.shape is not None else None
    if size is None:
        raise CannotRead("a scale of an unknown size")
    x = b.reshape(b.cast(X, _FP32), [*[0] * (X.rank - 1), -1, size])
    made = _as(b, rms_norm(b, call, x, b.cast(scale, _FP32), -1, epsilon, 1), X)
    gate = b.emit(kinds[activation], {"X": b.cast(gate, _FP32)})
    made = b.binary("elementwise_mul", made, gate)
    made.shape = X.shape
    return b.cast(made, X.dtype)


@adapter
def mix_of_streams(
    b: Builder,
    call: Call,
    streams: Tensor,
    pre_mix: Tensor,
    num_branches: int,
    reduction_scale: float,
) -> Tensor:
    """The sum of all streams, each by its gate."""
    x = _grouped(b, b.cast(streams, _FP32), num_branches)
    mix = _gates(b, pre_mix, x)
    made = b.reduce("sum", b.binary("elementwise_mul", x, mix), [x.rank - 2], False)
    made = b.emit("scale", {"X": made}, scale=reduction_scale)
    return b.cast(made, streams.dtype)


@adapter
def mix_into_streams(
    b: Builder,
    call: Call,
    streams: Tensor,
    block_output: Tensor,
    post_mix: Tensor,
    stream_mix: Tensor | None,
    num_branches: int,
) -> Tensor:
    """Streams as sums of all, and a block's output by a gate of each."""
    x = _grouped(b, b.cast(streams, _FP32), num_branches)
    mix = _gates(b, post_mix, x)
    added = b.unsqueeze(b.cast(block_output, _FP32), [x.rank - 2])
    if stream_mix is not None:
        inputs = {"X": b.cast(stream_mix, _FP32), "Y": x}
        x = b.emit("matmul_v2", inputs, trans_x=True)
    made = b.binary("elementwise_add", x, b.binary("elementwise_mul", added, mix))
    return b.cast(_as(b, made, streams), streams.dtype)


def _grouped(b: Builder, x: Tensor, branches: int) -> Tensor:
    """[..., branches, size], of that or of one dimension for both."""
    if not branches:
        return x
    width = x.shape[-1] if x.shape is not None else None
    size = width // branches if width is not None else -1
    return b.reshape(x, [*[0] * (x.rank - 1), branches, size])


def _gates(b: Builder, mix: Tensor, x: Tensor) -> Tensor:
    """Gates for streams [..., branches, size]: a number for each branch, or for each element."""
    mix = b.cast(mix, _FP32)
    if mix.rank == x.rank:
        return mix
    width = mix.shape[-1] if mix.shape is not None else None
    branches = x.shape[-2] if x.shape is not None else None
    if width is None or branches is None:
        raise CannotRead("gates or streams of a free size")
    if width == branches:
        return b.unsqueeze(mix, [mix.rank])
    return b.reshape(mix, [*[0] * (mix.rank - 1), branches, -1])


def _as(b: Builder, x: Tensor, like: Tensor) -> Tensor:
    """In the shape of what it was made of."""
    if x.rank != like.rank:
        x = b.reshape(x, [*[0] * (like.rank - 1), -1])
    x.shape = like.shape
    return x
