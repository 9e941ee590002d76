"""Layers that Paddle's passes for the CPU made one operator of, as what they were made of."""

from __future__ import annotations

from collections.abc import Callable

from lite.errors import ModelFormatError
from lite.model.parts import Parts
from lite.model.program import OpDesc

LAYERS: dict[str, Callable[[Parts], list[OpDesc]]] = {}
"""By the operator's type."""

_Layer = Callable[[Parts], list[OpDesc]]


def _layer(name: str) -> Callable[[_Layer], _Layer]:
    def register(function: _Layer) -> _Layer:
        LAYERS[name] = function
        return function

    return register


def _product(p: Parts, x: str, w: str) -> str:
    """Rows of x by a matrix."""
    return p.add("mul", {"X": x, "Y": w}, x_num_col_dims=1, y_num_col_dims=1)


def _concat(p: Parts, parts: list[str]) -> str:
    made = p.add("concat", {"X": parts[0]}, axis=1)
    p.ops[-1].inputs["X"] = parts
    return made


@_layer("fusion_gru")
def fusion_gru(p: Parts) -> list[OpDesc]:
    """A product, then `gru`."""
    inputs = {
        "Input": _product(p, p.all("X")[0], p.all("WeightX")[0]),
        "H0": p.optional("H0"),
        "Weight": p.all("WeightH")[0],
        "Bias": p.optional("Bias"),
    }
    attrs = p.kept("activation", "gate_activation", "is_reverse", "origin_mode")
    made = p.add("gru", inputs, "Hidden", **attrs)
    p.write("BatchGate", "BatchResetHiddenPrev", "BatchHidden")
    return p.end(made)


@_layer("fusion_lstm")
def fusion_lstm(p: Parts) -> list[OpDesc]:
    """A product, then `lstm`."""
    inputs = {
        "Input": _product(p, p.all("X")[0], p.all("WeightX")[0]),
        "H0": p.optional("H0"),
        "C0": p.optional("C0"),
        "Weight": p.all("WeightH")[0],
        "Bias": p.all("Bias")[0],
    }
    names = ("use_peepholes", "is_reverse")
    activations = ("gate_activation", "cell_activation", "candidate_activation")
    made = p.add("lstm", inputs, "Hidden", **p.kept(*names, *activations))
    p.write("BatchGate", "BatchCellPreAct")
    p.ops[-1].outputs["Cell"] = [p.op.output("Cell") or f"{p.prefix}.cell"]
    return p.end(made)


@_layer("fusion_repeated_fc_relu")
def fusion_repeated_fc_relu(p: Parts) -> list[OpDesc]:
    """`fc` and relu, one layer behind the other."""
    weights, biases, x = p.all("W"), p.all("Bias"), p.all("X")[0]
    if len(weights) != len(biases):
        raise ModelFormatError(f"{p.op.type}: {len(weights)} W and {len(biases)} Bias")
    for w, bias in zip(weights, biases, strict=True):
        inputs = {"Input": x, "W": w, "Bias": bias}
        x = p.add("fc", inputs, in_num_col_dims=1, activation_type="relu")
    return p.end(x)


@_layer("fusion_squared_mat_sub")
def fusion_squared_mat_sub(p: Parts) -> list[OpDesc]:
    """((X Y)^2 - X^2 Y^2) by a scalar."""
    x, y, scalar = p.all("X")[0], p.all("Y")[0], p.take("scalar", 1.0)
    whole = p.add("square", {"X": _product(p, x, y)})
    parts = _product(p, p.add("square", {"X": x}), p.add("square", {"X": y}))
    both = p.add("elementwise_sub", {"X": whole, "Y": parts}, axis=-1)
    return p.end(p.add("scale", {"X": both}, scale=scalar))


@_layer("fusion_seqconv_eltadd_relu")
def fusion_seqconv_eltadd_relu(p: Parts) -> list[OpDesc]:
    """`sequence_conv`, a bias, relu."""
    inputs = {"X": p.all("X")[0], "Filter": p.all("Filter")[0]}
    attrs = p.kept("contextLength", "contextStart", "contextStride")
    made = p.add("sequence_conv", inputs, "Out", **attrs)
    made = p.add("elementwise_add", {"X": made, "Y": p.all("Bias")[0]}, axis=-1)
    return p.end(p.add("relu", {"X": made}))


def _pooled(p: Parts) -> list[str]:
    kind = p.take("pooltype", "SUM")
    return [p.add("sequence_pool", {"X": x}, pooltype=kind) for x in p.all("X")]


@_layer("fusion_seqpool_concat")
def fusion_seqpool_concat(p: Parts) -> list[OpDesc]:
    """Pools of sequences, side by side."""
    return p.end(_concat(p, _pooled(p)))


@_layer("fusion_seqpool_cvm_concat")
def fusion_seqpool_cvm_concat(p: Parts) -> list[OpDesc]:
    """Pools of sequences with their shows and clicks, side by side."""
    use = p.take("use_cvm", True)
    cvm = p.all("CVM")[0]
    parts = [p.add("cvm", {"X": x, "CVM": cvm}, "Y", use_cvm=use) for x in _pooled(p)]
    return p.end(_concat(p, parts))


@_layer("fusion_seqexpand_concat_fc")
def fusion_seqexpand_concat_fc(p: Parts) -> list[OpDesc]:
    """The rows of all but the first X for each word of its sequences, beside it, then `fc`."""
    first, *others = p.all("X")
    rows = [p.add("sequence_expand", {"X": x, "Y": first}, ref_level=0) for x in others]
    inputs = {
        "Input": _concat(p, [first, *rows]),
        "W": p.all("FCWeight")[0],
        "Bias": p.optional("FCBias"),
    }
    made = p.add("fc", inputs, in_num_col_dims=1)
    activation = p.take("fc_activation", "identity")
    if activation not in ("identity", "relu", "sigmoid", "tanh"):
        raise ModelFormatError(f"{p.op.type}: fc_activation is {activation!r}")
    return p.end(made if activation == "identity" else p.add(activation, {"X": made}))
