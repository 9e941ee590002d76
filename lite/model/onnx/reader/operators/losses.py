"""Losses."""

from __future__ import annotations

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


def _reduced(b: Builder, losses: Tensor, weights: Tensor | None, reduction: str) -> Tensor:
    if reduction == "none":
        return losses
    total = b.reduce("sum", losses, None, False)
    if reduction == "sum":
        return total
    if reduction != "mean":
        raise CannotRead(f"reduction {reduction!r}")
    if weights is None:
        return b.reduce("mean", losses, None, False)
    return b.binary("elementwise_div", total, b.reduce("sum", weights, None, False))


def _likelihood(
    b: Builder,
    x: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int | None,
) -> Tensor:
    """The negative of what each element has at its target."""
    labels = b.cast(target, DataType.INT64)
    kept: Tensor | None = None
    if ignore_index is not None:
        counts = b.binary("not_equal", labels, b.like(ignore_index, labels))
        labels = b.binary("elementwise_mul", labels, b.cast(counts, DataType.INT64))
        kept = b.cast(counts, x.dtype)
    at = b.unsqueeze(labels, [1])
    found = b.emit("take_along_axis", {"Input": x, "Index": at}, Axis=1)
    found.shape = None if at.shape is None else at.shape
    losses = b.emit("scale", {"X": b.emit("squeeze2", {"X": found}, axes=[1])}, scale=-1.0)
    losses.shape = target.shape
    weights = kept
    if weight is not None:
        flat = b.emit("gather", {"X": weight, "Index": b.flat(labels)}, axis=0)
        sizes = b.int32(b.shape_of(labels))
        own = b.emit("reshape2", {"X": flat, "Shape": sizes})
        own.shape = target.shape
        weights = own if kept is None else b.binary("elementwise_mul", own, kept)
    if weights is not None:
        losses = b.binary("elementwise_mul", losses, weights)
    return _reduced(b, losses, weights, reduction)


@adapter
def likelihood_loss(
    b: Builder,
    call: Call,
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int | None,
) -> Tensor:
    """Of logarithms of probabilities."""
    return _likelihood(b, input, target, weight, reduction, ignore_index)


@adapter
def entropy_loss(
    b: Builder,
    call: Call,
    scores: Tensor,
    labels: Tensor,
    weights: Tensor | None,
    reduction: str,
    ignore_index: int | None,
) -> list[Tensor]:
    """Of scores, with the logarithms of their probabilities."""
    logarithms = b.emit("log_softmax", {"X": scores}, axis=1)
    loss = _likelihood(b, logarithms, labels, weights, reduction, ignore_index)
    return [loss, logarithms]
