"""What newer language models' files have of ONNX Runtime's domain besides attention and experts."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import onnx
import pytest
from onnx_session.contrib import ANGLES, Case, check, rand

import lite.onnxruntime as lrt
from lite.errors import UnsupportedOperatorError

PLACES = np.random.default_rng(0).integers(0, 20, (3, 2, 5))
ROTARY = [
    Case("MRotaryEmbedding", [x, PLACES, *ANGLES], {"mrope_section": section, **attrs})
    for section in ([8, 0, 0], [2, 3, 3], [4, 2, 2])
    for layout, turned in product((0, 1), (0, 1))
    for attrs in ({"mrope_layout": layout, "interleaved": turned, "num_heads": 2},)
    for x in (rand(2, 5, 32), rand(2, 2, 5, 16))
]
ROTARY += [
    Case(
        "MRotaryEmbedding",
        [rand(2, 5, 40), PLACES, *ANGLES],
        {"mrope_section": [2, 3, 3], "num_heads": 2, "rotary_embedding_dim": 16},
    )
]

X, Y = rand(2, 3, 12), rand(2, 3, 12, seed=1)
STREAMS = rand(2, 3, 4, 6)
FLAT = STREAMS.reshape(2, 3, 24)
BRANCHES = {"num_branches": 4}
GATES = [
    Case("GatedAdd", [X, Y, rand(2, 3, 1)]),
    Case("ScaledSiLU", [X], {"alpha": 0.7}),
    Case("ScaledSiLU", [X, np.float32(0.3)], constant=(1,)),
    Case("LinearAttentionGate", [X, rand(12), rand(12, seed=2), Y], outputs=2),
    Case("LinearAttentionGate", [X, rand(12), rand(12, seed=2)]),
    *(
        Case(
            "GatedRMSNorm",
            [X, rand(width), Y],
            {"activation": kind, "epsilon": 1e-3},
            constant=(1,),
        )
        for kind in ("silu", "swish", "sigmoid")
        for width in (12, 4)
    ),
    Case("GatedRMSNorm", [X, rand(12), Y], constant=(1,)),
    Case("BranchwiseRMSNorm", [STREAMS], {"epsilon": 1e-3}),
    Case("BranchwiseRMSNorm", [STREAMS, rand(6)], constant=(1,)),
    Case("BranchwiseRMSNorm", [STREAMS, rand(4, 6)], constant=(1,)),
    Case("BranchwiseRMSNorm", [FLAT, rand(24)], BRANCHES, constant=(1,)),
    Case("BranchwiseRMSNorm", [FLAT], BRANCHES),
    *(
        Case("HyperConnectionPreMix", [x, mix], {"reduction_scale": 0.5, **attrs})
        for x, attrs in ((STREAMS, {}), (FLAT, BRANCHES))
        for mix in (rand(2, 3, 4), rand(2, 3, 4, 1), rand(2, 3, 4, 6))
    ),
    Case("HyperConnectionPreMix", [FLAT, rand(2, 3, 24, seed=3)], BRANCHES),
    *(
        Case("HyperConnectionPostMix", [x, rand(2, 3, 6), mix, *more], attrs)
        for x, attrs in ((STREAMS, {}), (FLAT, BRANCHES))
        for mix in (rand(2, 3, 4), rand(2, 3, 4, 1), rand(2, 3, 4, 6))
        for more in ([], [rand(2, 3, 4, 4)])
    ),
]
ROUTERS = [
    Case("MoEGroupRouter", [rand(7, 12), rand(12)], {"top_k": 3, **attrs}, constant=(1,))
    for attrs in (
        {},
        {"n_group": 4, "topk_group": 2},
        {"n_group": 3, "topk_group": 1, "group_topk": 1, "router_sentinel": -50.0},
        {"n_group": 2, "topk_group": 2},
    )
]
ROUTERS += [Case("MoEGroupRouter", [rand(2, 5, 12), rand(12)], {"top_k": 2}, constant=(1,))]


def delta(*lead: int, heads: int = 2, groups: int = 1, wide: bool = False, **attrs: Any) -> Case:
    """Keys of 6 numbers and values of 5; ``groups`` heads of values share a head of keys."""
    all_heads, rank = heads * groups, len(lead) + 2
    keys = [rand(*lead, heads, 6, seed=i) for i in (0, 1)]
    keys = [k / np.sqrt((k**2).sum(-1, keepdims=True)) for k in keys]
    rule = attrs.get("update_rule", "gated_delta")
    inputs = [*keys, rand(*lead, all_heads, 5, seed=3), None, None, None]
    if "gated" in rule:
        inputs[4] = -np.abs(rand(*lead, all_heads, *([6] if wide else []), seed=2))
    if "delta" in rule:
        inputs[5] = np.abs(rand(*lead, all_heads, seed=5)) / 2
    inputs += [rand(2, all_heads, 5, 6, seed=4)]
    if attrs.get("gate_activation", "none") != "none":
        inputs += [rand(all_heads, seed=6), rand(all_heads, *([6] if wide else []), seed=7)]
    case = Case("GatedDeltaNet", inputs, attrs, outputs=2)
    case.constant = (6,) if rank == 3 else ()
    return case


DELTA = [
    delta(2, 5),
    delta(10),
    delta(10, groups=2),
    delta(2, 5, groups=3, wide=True),
    delta(2, 5, scale=0.3, qk_l2_norm=1, beta_activation="sigmoid"),
    *(
        delta(2, 5, wide=wide, gate_activation=kind, gate_lower_bound=-3.0)
        for kind in ("softplus", "sigmoid", "kda", "qwen")
        for wide in (False, True)
    ),
    *(delta(2, 5, update_rule=rule) for rule in ("linear", "gated", "delta")),
]


@pytest.mark.parametrize("case", [*ROTARY, *GATES, *ROUTERS, *DELTA], ids=lambda case: case.type)
def test_against_onnxruntime(case: Case) -> None:
    check(case)


def test_all_scores_of_a_router() -> None:
    case = Case("MoEGroupRouter", [rand(7, 12), rand(12)], {"top_k": 3}, constant=(1,), outputs=3)
    data, feeds = case.model()
    model = onnx.load_from_string(data)
    model.graph.node[0].output[0] = ""
    del model.graph.output[0]
    wanted = 1 / (1 + np.exp(-feeds["x0"]))
    biased, shares = lrt.InferenceSession(model.SerializeToString()).run(["y1", "y2"], feeds)
    np.testing.assert_allclose(shares, wanted, atol=1e-6)
    np.testing.assert_allclose(biased, wanted + case.inputs[1], atol=1e-6)


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (Case("GatedAdd", [X, Y, rand(2, 3, 5), rand(5, 1)]), "gate_weight"),
        (delta(2, 5, state_update_capacity=2), "state_update_capacity"),
        (Case("MRotaryEmbedding", [X, PLACES, *ANGLES], {"mrope_section": [8]}), "mrope_section"),
    ],
)
def test_refused_by_name(case: Case, why: str) -> None:
    with pytest.raises(UnsupportedOperatorError, match=f"com.microsoft.{case.type}.*{why}"):
        lrt.InferenceSession(case.model()[0])
