"""Paddle 1's StaticRNN and DynamicRNN, in the operators that its layers appended."""

from __future__ import annotations

from typing import Any

import numpy as np
from fluid import Fluid, fluid
from recipes import Feed, model


def static_feeds() -> list[Feed]:
    rng = np.random.RandomState(3)
    shapes = ((6, 3), (1, 2), (9, 4))
    return [
        {
            "x": rng.randn(steps, batch, 4).astype("float32"),
            "h": rng.randn(batch, 5).astype("float32"),
        }
        for steps, batch in shapes
    ]


def static_rnn(f: Fluid, x: str, h: str, reverse: bool) -> list[str]:
    """A cell whose two states change places with each step."""
    w, u = f.weight(4, 5), f.weight(5, 5)
    other = f.op("scale", {"X": h}, scale=-0.5, bias=0.25)
    with f.inner_block() as block:
        f.variable("LOD_TENSOR", -1, 4, name=x)
        left = f.variable("LOD_TENSOR", -1, 5, name=f"left_{reverse}")
        right = f.variable("LOD_TENSOR", -1, 5, name=f"right_{reverse}")
        word = f.op("mul", {"X": x, "Y": w}, x_num_col_dims=1, y_num_col_dims=1)
        past = f.op("mul", {"X": left, "Y": u}, x_num_col_dims=1, y_num_col_dims=1)
        both = f.op("elementwise_add", {"X": word, "Y": past}, axis=-1)
        made = f.op("tanh", {"X": both})
        total = f.op("elementwise_add", {"X": right, "Y": made}, axis=-1)
    for name in (made, total):
        f.variable("LOD_TENSOR", -1, -1, 5, name=name)
    f.op(
        "recurrent",
        {"inputs": x, "initial_states": [h, other], "parameters": [w, u]},
        {"outputs": [made, total], "step_scopes": f.variable("STEP_SCOPES")},
        has_states=True,
        ex_states=[left, right],
        states=[right, made],
        sub_block=block,
        reverse=reverse,
        is_train=False,
        skip_eager_deletion_vars=[],
    )
    return [made, total]


@model("static_rnn", static_feeds)
@fluid
def both_ways(f: Fluid) -> Any:
    x, h = f.data("x", [-1, -1, 4]), f.data("h", [-1, 5])
    there, back = static_rnn(f, x, h, False), static_rnn(f, x, h, True)
    return [*there, *back, f.op("elementwise_mul", {"X": there[0], "Y": back[1]}, axis=-1)]


def sentences(*batches: list[int]) -> Any:
    """Runs of words and of a vector for each sentence."""

    def feeds() -> list[Feed]:
        rng = np.random.RandomState(5)
        return [
            {
                "x": (
                    rng.randn(sum(lengths), 4).astype("float32"),
                    [[0, *np.cumsum(lengths).tolist()]],
                ),
                "h": rng.randn(len(lengths), 5).astype("float32"),
            }
            for lengths in batches
        ]

    return feeds


@model("dynamic_rnn", sentences([3, 5, 1, 5], [2], [1, 1, 7]))
@fluid
def dynamic(f: Fluid) -> Any:
    """Sentences of different lengths, without padding: a batch that shrinks with each step."""
    x, h = f.data("x", [-1, 4], lod=1), f.data("h", [-1, 5])
    w, u = f.weight(4, 5), f.weight(5, 5)
    number = {"shape": [1], "dtype": 3, "force_cpu": True}
    table = f.variable("LOD_RANK_TABLE")
    words, states, results = (f.variable("LOD_TENSOR_ARRAY") for _ in range(3))
    f.op("lod_rank_table", {"X": x}, {"Out": table}, level=0)
    longest = f.op("max_sequence_len", {"RankTable": table})
    f.op("lod_tensor_to_array", {"X": x, "RankTable": table}, {"Out": words})
    first = f.op("reorder_lod_tensor_by_rank", {"X": h, "RankTable": table})
    step = f.op("fill_constant", {}, value=0.0, **number)
    f.op("write_to_array", {"X": first, "I": step}, {"Out": states})
    going = f.variable("LOD_TENSOR", 1, dtype="bool")
    f.op("less_than", {"X": step, "Y": longest}, {"Out": going})
    with f.inner_block() as block:
        word = f.op("read_from_array", {"X": words, "I": step})
        before = f.op("read_from_array", {"X": states, "I": step})
        kept = f.op("shrink_rnn_memory", {"X": before, "I": step, "RankTable": table})
        a = f.op("mul", {"X": word, "Y": w}, x_num_col_dims=1, y_num_col_dims=1)
        b = f.op("mul", {"X": kept, "Y": u}, x_num_col_dims=1, y_num_col_dims=1)
        made = f.op("tanh", {"X": f.op("elementwise_add", {"X": a, "Y": b}, axis=-1)})
        f.op("write_to_array", {"X": made, "I": step}, {"Out": results})
        f.op("increment", {"X": step}, {"Out": step}, step=1.0)
        f.op("write_to_array", {"X": made, "I": step}, {"Out": states})
        f.op("less_than", {"X": step, "Y": longest}, {"Out": going})
    f.op(
        "while",
        {"X": [table, longest, words, states, results, step, w, u], "Condition": going},
        {"Out": [states, results, step, going], "StepScopes": f.variable("STEP_SCOPES")},
        sub_block=block,
        is_test=True,
    )
    out = f.op("array_to_lod_tensor", {"X": results, "RankTable": table})
    last, _ = f.op("sequence_pool", {"X": out}, "Out MaxIndex", pooltype="LAST")
    return [out, last]
