"""Mixtures of experts: MoE and QMoE of ONNX Runtime's domain, floats and integers in blocks."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest
from onnx_session.contrib import Case, check, integers, rand

import lite
import lite.onnxruntime as lrt
from lite.api.build import Source
from lite.errors import UnsupportedOperatorError
from lite.model.onnx import export_model

TOKENS, WIDTH, INNER, EXPERTS = 7, 64, 32, 5


def mixture(activation_type: str, *x: int, columns: int = INNER, **attrs: Any) -> Case:
    """x and the router's numbers are fed; attrs as ONNX Runtime has them."""
    shape = x or (TOKENS, WIDTH)
    inputs = [rand(*shape), rand(int(np.prod(shape[:-1])), EXPERTS, seed=1)]
    inputs += [rand(EXPERTS, columns, WIDTH, seed=2), rand(EXPERTS, columns, seed=3)]
    inputs += [rand(EXPERTS, WIDTH, INNER, seed=4), rand(EXPERTS, WIDTH, seed=5)]
    attrs = {"activation_type": activation_type, "k": 2, **attrs}
    return Case("MoE", inputs, attrs, constant=(2, 3, 4, 5))


def quantised(bits: int, block: int, zeros: bool, shares: bool, **attrs: Any) -> Case:
    """Products of a gate and values in turn; block 0 is a scale for each column."""

    def weights(columns: int, rows: int) -> tuple[Any, ...]:
        blocks = rows // block if block else 1
        shape = (EXPERTS, columns, blocks) if block else (EXPERTS, columns)
        packed = (EXPERTS, columns, -(-blocks * bits // 8))
        if not block:
            packed = (EXPERTS, -(-columns * bits // 8))  # type: ignore[assignment]
        return (
            integers(EXPERTS, columns, rows * bits // 8),
            0.1 * np.abs(rand(*shape)),
            rand(EXPERTS, columns),
            integers(*packed) if zeros else None,
        )

    (w1, s1, b1, z1), (w2, s2, b2, z2) = weights(2 * INNER, WIDTH), weights(WIDTH, INNER)
    inputs = [rand(TOKENS, WIDTH), rand(TOKENS, EXPERTS, seed=1), w1, s1, b1, w2, s2, b2]
    inputs += [None, None, None, z1, z2, None]
    inputs += [np.abs(rand(TOKENS, EXPERTS, seed=6))] if shares else []
    attrs = {"activation_type": "swiglu", "swiglu_fusion": 1, "k": 3, **attrs}
    attrs |= {"expert_weight_bits": bits} | ({"block_size": block} if block else {})
    constant = tuple(i for i, x in enumerate(inputs) if 2 <= i < 14 and x is not None)
    return Case("QMoE", inputs, attrs, constant=constant)


GATED = {"columns": 2 * INNER, "swiglu_fusion": 1}
FLOATS = [
    *(
        mixture(kind, normalize_routing_weights=n)
        for kind, n in product(("relu", "gelu", "silu", "identity"), (0, 1))
    ),
    mixture("relu", 2, 3, WIDTH),
    mixture("relu", 1, WIDTH, k=1),
    mixture("relu", k=EXPERTS, normalize_routing_weights=1),
    mixture("swiglu", **GATED),
    mixture("swiglu", activation_alpha=1.7, activation_beta=1.0, swiglu_limit=0.5, **GATED),
]
for made in FLOATS[:2]:
    made.constant = ()  # matrices that are not known before
INTEGERS = [
    quantised(bits, block, zeros, shares, normalize_routing_weights=n)
    for bits, block, zeros, (shares, n) in product(
        (2, 4, 8), (0, 16, 32), (False, True), ((False, 0), (True, 0), (True, 1))
    )
]
NARROW = [
    Case("MatMulNBits", [rand(3, 64), integers(6, 2, 8), 0.1 * rand(12), *zeros], attrs)
    for zeros in ([], [integers(6)])
    for attrs in ({"K": 64, "N": 6, "bits": 2, "block_size": 32},)
]
ROUNDED = [
    quantised(bits, 32, zeros, False, accuracy_level=4)
    for bits, zeros in product((4, 8), (False, True))
]
for made in NARROW:
    made.constant = tuple(range(1, len(made.inputs)))


@pytest.mark.parametrize("case", ROUNDED, ids=lambda case: str(case.attrs["expert_weight_bits"]))
def test_rounded_activations(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", [*FLOATS, *INTEGERS, *NARROW], ids=lambda case: case.type)
def test_against_onnxruntime(case: Case) -> None:
    check(case, feed_all=case.type == "QMoE")


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize(("fusion", "after"), [(0, 0), (2, 0), (1, 1)])
def test_gates_that_onnxruntime_leaves_to_devices(fusion: int, after: int) -> None:
    """A third matrix, halves of the first, and a limit behind the gate's activation."""
    attrs = {"swiglu_fusion": fusion, "swiglu_limit": 0.5, "swiglu_limit_after_activation": after}
    case = mixture("swiglu", columns=INNER * (2 if fusion else 1), k=1, **attrs)
    x, router, w1, b1, w2, b2 = case.inputs
    if not fusion:
        case.inputs += [rand(EXPERTS, INNER, WIDTH, seed=7), rand(EXPERTS, INNER, seed=8)]
        case.constant += (6, 7)
    data, feeds = case.model()
    best = router.argmax(1)
    hidden = np.einsum("tk,tnk->tn", x, w1[best]) + b1[best]
    if fusion == 2:
        gate, value = hidden[:, :INNER], hidden[:, INNER:]
    elif fusion == 1:
        gate, value = hidden[:, ::2], hidden[:, 1::2]
    else:
        w3, b3 = case.inputs[6:]
        gate, value = hidden, np.einsum("tk,tnk->tn", x, w3[best]) + b3[best]
    gate = gate if after else np.minimum(gate, 0.5)
    gate = gate * sigmoid(gate)
    gate = np.minimum(gate, 0.5) if after else gate
    made = gate * np.clip(value, -0.5, 0.5)
    made = np.einsum("tk,tnk->tn", made, w2[best]) + b2[best]
    share = np.exp(router - router.max(1, keepdims=True))
    made *= (share / share.sum(1, keepdims=True)).max(1, keepdims=True)
    (found,) = lrt.InferenceSession(data).run(None, feeds)
    np.testing.assert_allclose(found, made, atol=1e-4 * np.abs(made).max())


@pytest.mark.parametrize(
    ("attrs", "why"),
    [
        ({"use_sparse_mixer": 1}, "use_sparse_mixer"),
        ({"activation_type": "geglu"}, "geglu"),
        ({"quant_type": "fp4"}, "fp4"),
        ({"weights_prepacked": 1}, "packed for a device"),
        ({"fc1_expert_weight_bits": 3}, "3 bits"),
    ],
)
def test_refused_by_name(attrs: dict[str, Any], why: str) -> None:
    case = quantised(4, 32, False, False, **attrs)
    with pytest.raises(UnsupportedOperatorError, match=f"com.microsoft.QMoE.*{why}"):
        lrt.InferenceSession(case.model()[0])


@pytest.mark.parametrize("case", [FLOATS[-1], quantised(4, 32, True, False)], ids=["MoE", "QMoE"])
def test_files(case: Case, tmp_path: Path) -> None:
    """Integers stay so in a .nb, and ONNX has none of them; of floats it is written."""
    data, feeds = case.model()
    (wanted,) = ort.InferenceSession(data).run(None, feeds)
    (tmp_path / "m.onnx").write_bytes(data)
    opt = lite.Opt()
    opt.set_model_file(str(tmp_path / "m.onnx"))
    opt.set_optimize_out(str(tmp_path / "m"))
    opt.run()
    weights = EXPERTS * 3 * INNER * WIDTH * (4 if case.type == "MoE" else 0.75)
    assert (tmp_path / "m.nb").stat().st_size < weights + 20_000
    (found,) = lite.load(str(tmp_path / "m.nb")).run(feeds).values()
    np.testing.assert_allclose(found, wanted, atol=1e-4 * np.abs(wanted).max())
    program = Source(model_file=str(tmp_path / "m.onnx")).read()
    if case.type == "QMoE":
        with pytest.raises(UnsupportedOperatorError, match="expert_matmul"):
            export_model(program)
        return
    written = export_model(program).SerializeToString()
    (again,) = ort.InferenceSession(written).run(None, feeds)
    np.testing.assert_allclose(again, wanted, atol=1e-4 * np.abs(wanted).max())
