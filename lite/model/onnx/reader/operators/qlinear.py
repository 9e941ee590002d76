"""Quantised operators of ONNX Runtime's own domain: numbers between two roundings.

Definitions: docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

from typing import Any

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.activations import softmax_of
from lite.model.onnx.reader.operators.arithmetic import chosen
from lite.model.onnx.reader.operators.fused import (
    attention_of,
    embed_layer_norm,
    to_nchw,
    to_nhwc,
)
from lite.model.onnx.reader.operators.matrix import gemm as float_gemm
from lite.model.onnx.reader.operators.pooling import pool
from lite.model.onnx.reader.operators.quantisation import (
    aligned,
    biases,
    matmul_integer_to_float,
    numbers,
    qlinear_conv,
    stepped,
    steps_of,
)
from lite.model.onnx.reader.rounding import rounded_numbers
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import Tensor
from lite.model.program import DataType


@adapter
def quantised_elements(
    b: Builder,
    call: Call,
    A: Tensor,
    A_scale: Tensor,
    A_zero_point: Tensor | None,
    B: Tensor,
    B_scale: Tensor,
    B_zero_point: Tensor | None,
    C_scale: Tensor,
    C_zero_point: Tensor | None,
) -> Tensor:
    """Sums and products of quantised tensors, as ONNX Runtime's tools write them."""
    type = {"QLinearAdd": "elementwise_add", "QLinearMul": "elementwise_mul"}[call.node.type]
    x = numbers(b, A, A_scale, A_zero_point)
    y = numbers(b, B, B_scale, B_zero_point)
    made = b.binary(type, x, y)
    dtype = A.dtype if C_zero_point is None else C_zero_point.dtype
    return stepped(b, made, C_scale, C_zero_point, dtype, 0, 0)


@adapter
def quantised_concat(b: Builder, call: Call, inputs: list[Tensor], axis: int) -> Tensor:
    """Quantised tensors as one, with a scale of its own."""
    scale, zero, *rest = inputs
    triples = zip(*(rest[i::3] for i in range(3)), strict=True)
    parts = [numbers(b, x, factor, point) for x, factor, point in triples]
    return stepped(b, b.concat(parts, axis), scale, zero, zero.dtype, 0, 0)


@adapter
def quantised_unary(
    b: Builder,
    call: Call,
    X: Tensor,
    X_scale: Tensor,
    X_zero_point: Tensor | None,
    Y_scale: Tensor,
    Y_zero_point: Tensor | None,
    **attrs: Any,
) -> Tensor:
    """Sigmoid, LeakyRelu, softmax, means and average pooling of quantised tensors."""
    kind = call.node.type.removeprefix("QLinear")
    x = numbers(b, X, X_scale, X_zero_point)
    last = bool(attrs.pop("channels_last", 0))
    x = to_nchw(b, x) if last else x
    if kind == "Sigmoid":
        made = b.emit("sigmoid", {"X": x})
    elif kind == "LeakyRelu":
        made = b.emit("leaky_relu", {"X": x}, alpha=attrs["alpha"])
    elif kind == "Softmax":
        made = softmax_of(b, x, attrs["axis"], flat=attrs["opset"] < 13)
    elif kind == "AveragePool":
        pooled = pool(b, call, x, **attrs)
        assert isinstance(pooled, Tensor)
        made = pooled
    else:
        made = b.reduce("mean", x, range(2, x.rank), True)
    made = to_nhwc(b, made) if last else made
    dtype = X.dtype if Y_zero_point is None else Y_zero_point.dtype
    return stepped(b, made, Y_scale, Y_zero_point, dtype, 0, 0)


@adapter
def quantised_where(
    b: Builder,
    call: Call,
    condition: Tensor,
    X: Tensor,
    x_scale: Tensor,
    x_zero_point: Tensor,
    Y: Tensor,
    y_scale: Tensor,
    y_zero_point: Tensor,
    z_scale: Tensor,
    z_zero_point: Tensor,
) -> Tensor:
    """One of two quantised tensors, element by element."""
    x, y = numbers(b, X, x_scale, x_zero_point), numbers(b, Y, y_scale, y_zero_point)
    return stepped(b, chosen(b, condition, x, y), z_scale, z_zero_point, z_zero_point.dtype, 0, 0)


@adapter
def quantised_conv(b: Builder, call: Call, x: Tensor, channels_last: int, **others: Any) -> Tensor:
    """QLinearConv, perhaps of pixels whose channels lie side by side."""
    if not channels_last:
        return qlinear_conv(b, call, x, **others)
    return to_nhwc(b, qlinear_conv(b, call, to_nchw(b, x), **others))


@adapter
def quantised_attention(
    b: Builder,
    call: Call,
    input: Tensor,
    weight: Tensor,
    bias: Tensor,
    input_scale: Tensor,
    weight_scale: Tensor,
    mask_index: Tensor | None,
    input_zero_point: Tensor | None,
    weight_zero_point: Tensor | None,
    past: Tensor | None,
    **attrs: Any,
) -> list[Tensor | None]:
    """Attention whose queries, keys and values are one product of integers."""
    zeros = input_zero_point, weight_zero_point
    made = matmul_integer_to_float(b, call, input, weight, input_scale, weight_scale, *zeros, bias)
    width = weight.shape[1] if weight.shape is not None else None
    return attention_of(b, call, made, width, mask_index, past, None, **attrs)


@adapter
def quantised_embed_layer_norm(
    b: Builder,
    call: Call,
    input_ids: Tensor,
    segment_ids: Tensor | None,
    mask: Tensor | None,
    epsilon: float,
    **tables: Tensor | None,
) -> list[Tensor | None]:
    """The sum of a token's embeddings, normalised; the tables are quantised."""

    def table(name: str) -> Tensor | None:
        steps, scale, zero = (tables[name + part] for part in ("_quant", "_scale", "_zero_point"))
        return None if steps is None or scale is None else numbers(b, steps, scale, zero)

    word, place, gamma, beta = map(table, ("word_embedding", "position_embedding", "gamma", "beta"))
    assert word is not None and place is not None and gamma is not None and beta is not None
    segment = table("segment_embedding")
    return embed_layer_norm(
        b, call, input_ids, segment_ids, word, place, segment, gamma, beta, mask, None, epsilon
    )


@adapter
def quantised_gemm(
    b: Builder,
    call: Call,
    A: Tensor,
    a_scale: Tensor,
    a_zero_point: Tensor,
    B: Tensor,
    b_scale: Tensor,
    b_zero_point: Tensor,
    C: Tensor | None,
    y_scale: Tensor | None,
    y_zero_point: Tensor | None,
    alpha: float,
    transA: int,
    transB: int,
) -> Tensor:
    """alpha A B + C of quantised matrices; C is in steps of both scales."""
    left = rounded_numbers(b, A, a_scale, a_zero_point)
    if left is not None and B.known and not transA and alpha == 1:
        right = numbers(b, B, b_scale, b_zero_point, 0 if transB else 1)
        bias = None if C is None else biases(b, C, a_scale, b_scale)
        made = float_gemm(b, call, left, right, bias, 1.0, 1.0, 0, transB)
        return _quantised_gemm_result(b, made, A, y_scale, y_zero_point)
    x, y = steps_of(b, A, a_zero_point, 0), steps_of(b, B, b_zero_point, 0 if transB else 1)
    attrs = {"trans_x": bool(transA), "trans_y": bool(transB)}
    made = b.emit("matmul_v2", {"X": x, "Y": y}, **attrs)
    if C is not None:
        made = b.binary("elementwise_add", made, b.cast(C, DataType.FP32))
    for scale in (a_scale, b_scale):
        made = b.binary("elementwise_mul", made, aligned(b, scale, made, 1))
    made = b.emit("scale", {"X": made}, scale=alpha) if alpha != 1 else made
    return _quantised_gemm_result(b, made, A, y_scale, y_zero_point)


def _quantised_gemm_result(
    b: Builder, made: Tensor, like: Tensor, scale: Tensor | None, zero: Tensor | None
) -> Tensor:
    """Real numbers where there is no scale."""
    if scale is None:
        return made
    return stepped(b, made, scale, zero, like.dtype if zero is None else zero.dtype, 0, 1)
