"""What ONNX Runtime's optimizer and tools make of several operators (domain com.microsoft).

Definitions: docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

from typing import Any

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators import attention as onnx_attention
from lite.model.onnx.reader.operators.matrix import gemm, layer_norm, matmul, rms_norm
from lite.model.onnx.reader.operators.pooling import pool
from lite.model.onnx.reader.operators.shapes import counted
from lite.model.onnx.reader.operators.windows import conv
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


def activated(b: Builder, x: Tensor, name: str | None, params: list[float]) -> Tensor:
    """An activation by ONNX's name, its attributes in ONNX's order."""
    attrs: dict[str, tuple[str, tuple[str, ...]]] = {
        "Relu": ("relu", ()),
        "Tanh": ("tanh", ()),
        "Sigmoid": ("sigmoid", ()),
        "LeakyRelu": ("leaky_relu", ("alpha",)),
        "Clip": ("clip", ("min", "max")),
        "HardSigmoid": ("hard_sigmoid", ("slope", "offset")),
    }
    if not name:
        return x
    type, names = attrs.get(name, ("", ()))
    if not type or len(names) != len(params):
        raise CannotRead(f"activation {name} with {len(params)} numbers")
    return b.emit(type, {"X": x}, **dict(zip(names, params, strict=True)))


@adapter
def fused_conv(
    b: Builder,
    call: Call,
    X: Tensor,
    W: Tensor,
    B: Tensor | None,
    Z: Tensor | None,
    activation: str | None,
    activation_params: list[float] | None,
    **window: Any,
) -> Tensor:
    """A convolution, a sum with another tensor and an activation."""
    made = conv(b, call, X, W, B, **window)
    made = made if Z is None else b.binary("elementwise_add", made, Z)
    return activated(b, made, activation, activation_params or [])


def to_nchw(b: Builder, x: Tensor) -> Tensor:
    """The channels of pixels, which lie side by side, in front of them."""
    return b.transpose(x, [0, x.rank - 1, *range(1, x.rank - 1)])


def to_nhwc(b: Builder, x: Tensor) -> Tensor:
    """The inverse."""
    return b.transpose(x, [0, *range(2, x.rank), 1])


@adapter
def nhwc_conv(
    b: Builder, call: Call, X: Tensor, W: Tensor, B: Tensor | None, Z: Tensor | None = None,
    activation: str | None = None, activation_params: list[float] | None = None, **window: Any
) -> Tensor:  # fmt: skip
    """FusedConv whose pixels have their channels side by side."""
    other = None if Z is None else to_nchw(b, Z)
    made = fused_conv(b, call, to_nchw(b, X), W, B, other, activation, activation_params, **window)
    return to_nhwc(b, made)


@adapter
def nhwc_max_pool(b: Builder, call: Call, x: Tensor, **window: Any) -> Tensor:
    """Maxima of windows of such pixels."""
    made = pool(b, call, to_nchw(b, x), **window, largest=True)
    assert isinstance(made, Tensor)
    return to_nhwc(b, made)


@adapter
def fused_gemm(b: Builder, call: Call, activation: str | None, **others: Any) -> Tensor:
    """A product and an activation with up to three numbers, of which alpha comes first."""
    kinds = {"LeakyRelu": ("alpha",), "HardSigmoid": ("alpha", "beta")}
    numbers = {name: others.pop(f"activation_{name}") for name in ("alpha", "beta", "gamma")}
    params = [
        numbers[name] for name in kinds.get(activation or "", ()) if numbers[name] is not None
    ]
    return activated(b, gemm(b, call, **others), activation, params)


@adapter
def fused_matmul(
    b: Builder,
    call: Call,
    A: Tensor,
    B: Tensor,
    alpha: float,
    transA: int,
    transB: int,
    transBatchA: int,
    transBatchB: int,
) -> Tensor:
    """A product of transposed matrices, times a number."""
    A, B = (
        b.transpose(x, [*range(1, x.rank - 1), 0, x.rank - 1]) if moved and x.rank > 2 else x
        for x, moved in ((A, transBatchA), (B, transBatchB))
    )
    if not transA and not transB:
        made = matmul(b, call, A, B)
    else:
        sides = {"trans_x": bool(transA), "trans_y": bool(transB)}
        made = b.emit("matmul_v2", {"X": A, "Y": B}, **sides)
    return b.emit("scale", {"X": made}, scale=alpha) if alpha != 1 else made


@adapter
def skip_norm(
    b: Builder,
    call: Call,
    input: Tensor,
    skip: Tensor,
    gamma: Tensor,
    beta: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-12,
) -> list[Tensor | None]:
    """Normalisation of a sum, which is the last output: of rows, or by their mean square alone."""
    total = b.binary("elementwise_add", input, skip)
    total = total if bias is None else b.binary("elementwise_add", total, bias)
    if any(map(call.wants, (1, 2))):
        raise CannotRead("outputs of training")
    if call.node.type == "SkipSimplifiedLayerNormalization":
        made = rms_norm(b, call, total, gamma, -1, epsilon, 1)
    else:
        made = _rows(b, call, total, gamma, beta, epsilon)
    return [made, None, None, total]


def _rows(
    b: Builder, call: Call, x: Tensor, gamma: Tensor, beta: Tensor | None, epsilon: float
) -> Tensor:
    made = layer_norm(b, call, x, gamma, beta, -1, epsilon, 1)[0]
    assert made is not None
    return made


@adapter
def embed_layer_norm(
    b: Builder,
    call: Call,
    input_ids: Tensor,
    segment_ids: Tensor | None,
    word_embedding: Tensor,
    position_embedding: Tensor,
    segment_embedding: Tensor | None,
    gamma: Tensor,
    beta: Tensor,
    mask: Tensor | None,
    position_ids: Tensor | None,
    epsilon: float,
    mask_index_type: int = 1,
) -> list[Tensor | None]:
    """The sum of a token's embeddings, normalised; the length of each row; the sum."""

    def rows(table: Tensor, ids: Tensor) -> Tensor:
        wide = b.cast(ids, DataType.INT64)
        return b.emit("lookup_table_v2", {"Ids": wide, "W": table}, padding_idx=-1)

    if position_ids is None:
        length = b.slice(b.shape_of(input_ids), 0, 1, 2)
        inputs = {"Input": position_embedding, "EndsTensor": b.int32(length)}
        places = b.emit("slice", inputs, axes=[0], starts=[0], ends=[-1])
        places.shape = (None, None)
        places = b.unsqueeze(places, [0])
    else:
        places = rows(position_embedding, position_ids)
    total = b.binary("elementwise_add", rows(word_embedding, input_ids), places)
    if segment_ids is not None and segment_embedding is not None:
        total = b.binary("elementwise_add", total, rows(segment_embedding, segment_ids))
    kept = None
    if call.wants(1):
        if mask is not None:
            kept = b.cast(b.reduce("sum", b.cast(mask, DataType.INT64), [1], False), DataType.INT32)
        else:
            batch = b.slice(b.shape_of(input_ids), 0, 0, 1)
            kept = b.full(batch, 0, DataType.INT32)
    return [_rows(b, call, total, gamma, beta, epsilon), kept, total]


@adapter
def packed_attention(
    b: Builder,
    call: Call,
    input: Tensor,
    weights: Tensor,
    bias: Tensor | None,
    mask_index: Tensor | None,
    past: Tensor | None,
    attention_bias: Tensor | None,
    past_sequence_length: Tensor | None,
    num_heads: int,
    scale: float | None,
    unidirectional: int,
    qkv_hidden_sizes: list[int] | None,
    mask_filter_value: float,
    do_rotary: int,
    **others: Any,
) -> list[Tensor | None]:
    """Attention whose queries, keys and values are one product."""
    if past_sequence_length is not None:
        raise CannotRead("a past in a buffer that is larger")
    made = b.emit("matmul_v2", {"X": input, "Y": weights})
    made = made if bias is None else b.binary("elementwise_add", made, bias)
    whole = weights.shape[1] if weights.shape is not None else None
    return attention_of(
        b, call, made, whole, mask_index, past, attention_bias, num_heads, scale, unidirectional,
        mask_filter_value, do_rotary, qkv_hidden_sizes,
    )  # fmt: skip


def attention_of(
    b: Builder,
    call: Call,
    made: Tensor,
    whole: int | None,
    mask_index: Tensor | None,
    past: Tensor | None,
    attention_bias: Tensor | None,
    num_heads: int,
    scale: float | None,
    unidirectional: int,
    mask_filter_value: float,
    do_rotary: int = 0,
    qkv_hidden_sizes: list[int] | None = None,
    **others: Any,
) -> list[Tensor | None]:
    """Attention of queries, keys and values side by side, ``whole`` columns."""
    if do_rotary:
        raise CannotRead("do_rotary")
    if whole is None and not qkv_hidden_sizes:
        raise CannotRead("sizes of queries, keys and values that are not known")
    sizes = qkv_hidden_sizes or [(whole or 0) // 3] * 3
    q, k, v = b.emit_all("split", {"X": made}, {"Out": 3}, sections=sizes, axis=2)
    for part, size in zip((q, k, v), sizes, strict=True):
        part.shape = (None, None, size)
    earlier: list[Tensor | None] = [None, None]
    if past is not None:
        earlier = [b.slice(past, 0, i, i + 1, drop=True) for i in (0, 1)]
    mask = _float_mask(
        b, mask_index, attention_bias, mask_filter_value, q, k if past is None else None
    )
    out, keys, values, _ = onnx_attention.attention(
        b, call, q, k, v, mask, earlier[0], earlier[1], None,
        bool(unidirectional), num_heads, num_heads, scale,
    )  # fmt: skip
    present = None
    if call.wants(1):
        assert keys is not None and values is not None
        present = b.emit("stack", {"X": [keys, values]}, axis=0)
    return [out, present]


@adapter
def multi_head_attention(
    b: Builder,
    call: Call,
    query: Tensor,
    key: Tensor | None,
    value: Tensor | None,
    bias: Tensor | None,
    key_padding_mask: Tensor | None,
    attention_bias: Tensor | None,
    past_key: Tensor | None,
    past_value: Tensor | None,
    past_sequence_length: Tensor | None,
    num_heads: int,
    scale: float | None,
    unidirectional: int,
    mask_filter_value: float,
    **others: Any,
) -> list[Tensor | None]:
    """Attention over queries, keys and values [batch, length, hidden]."""
    if key is None or value is None or any(x.rank != 3 for x in (query, key, value)):
        raise CannotRead("packed queries, or keys of four dimensions")
    if past_sequence_length is not None:
        raise CannotRead("a past in a buffer that is larger")
    q, k, v = query, key, value
    if bias is not None:
        width, of_value = (x.shape[2] if x.shape is not None else None for x in (query, value))
        if width is None or of_value is None:
            raise CannotRead("a bias for sizes that are not known")
        parts = b.emit_all(
            "split", {"X": bias}, {"Out": 3}, sections=[width, width, of_value], axis=0
        )
        q, k, v = (b.binary("elementwise_add", x, p) for x, p in zip((q, k, v), parts, strict=True))
    mask = _float_mask(
        b, key_padding_mask, attention_bias, mask_filter_value, q, k if past_key is None else None
    )
    out, keys, values, _ = onnx_attention.attention(
        b, call, q, k, v, mask, past_key, past_value, None,
        bool(unidirectional), num_heads, num_heads, scale,
    )  # fmt: skip
    return [out, keys, values]


def _float_mask(
    b: Builder,
    mask: Tensor | None,
    bias: Tensor | None,
    lowest: float,
    like: Tensor,
    keys: Tensor | None,
) -> Tensor | None:
    """What is added to scores: a bias, and ``lowest`` where a mask of 1 and 0 has 0."""
    if mask is None:
        return bias
    if mask.rank == 1:  # how many keys are there
        if keys is None:
            raise CannotRead("lengths of a batch beside a past")
        sizes = b.shape_of(keys)
        columns, column = (
            counted(b, b.slice(sizes, 0, 1, 2)),
            [b.slice(sizes, 0, 0, 1), b.ints([1])],
        )
        # One for each of the batch: other lists have other meanings.
        lengths = b.emit("reshape2", {"X": mask, "Shape": b.int32(b.concat(column, 0))})
        mask = b.binary("less_than", columns, b.cast(lengths, DataType.INT64))
        mask = b.cast(mask, DataType.INT32)
    if mask.rank not in (2, 3):
        raise CannotRead(f"a mask of {mask.rank} dimensions")
    wide = b.unsqueeze(mask, [1, 2] if mask.rank == 2 else [1])
    left_out = b.cast(b.binary("less_equal", wide, b.like(0, wide)), like.dtype)
    made = b.emit("scale", {"X": left_out}, scale=lowest)
    return made if bias is None else b.binary("elementwise_add", made, bias)


@adapter
def fused_gelu(b: Builder, call: Call, X: Tensor, bias: Tensor | None = None) -> Tensor:
    """Gelu, FastGelu and BiasGelu."""
    x = X if bias is None else b.binary("elementwise_add", X, bias)
    return b.emit("gelu", {"X": x}, approximate=call.node.type == "FastGelu")
