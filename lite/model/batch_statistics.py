"""`batch_norm` of `trainable_statistics`: the batch normalises itself, also at inference.

Paddle's networks of pix2pix' kind ask for it. Paddle's executors do so; its predictor forgets it
where it puts the normalisation into a convolution.
"""

from __future__ import annotations

from lite.errors import ModelFormatError
from lite.model.parts import Parts
from lite.model.program import OpDesc


def uses_batch_statistics(op: OpDesc) -> bool:
    """Whether stored statistics have no part in an operator's result."""
    if op.type not in ("batch_norm", "sync_batch_norm") or op.attr("use_global_stats", False):
        return False
    return bool(op.attr("trainable_statistics", False))


def normalise_by_batch(p: Parts) -> list[OpDesc]:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias of each channel, of plain operators."""
    x = p.all("X")[0]
    known = p.block.vars.get(x)
    rank = 0 if known is None else len(known.shape)
    if rank < 2:
        raise ModelFormatError(f"{p.op.type}: its X has {rank} dims, expected 2 or more")
    channel = rank - 1 if p.take("data_layout", "NCHW") == "NHWC" else 1
    others = [axis for axis in range(rank) if axis != channel]

    def mean(of: str) -> str:
        return p.add("reduce_mean", {"X": of}, dim=others, keep_dim=False)

    def by_channel(type: str, of: str, value: str) -> str:
        return p.add(type, {"X": of, "Y": value}, axis=channel)

    apart = by_channel("elementwise_sub", x, mean(x))
    epsilon = p.take("epsilon", 1e-5)
    spread = p.add("scale", {"X": mean(p.add("square", {"X": apart}))}, bias=epsilon)
    made = by_channel("elementwise_mul", apart, p.add("rsqrt", {"X": spread}))
    if scale := p.optional("Scale"):
        made = by_channel("elementwise_mul", made, scale)
    if bias := p.optional("Bias"):
        made = by_channel("elementwise_add", made, bias)
    return p.end(made)
