"""intel_openvino: a fork, integers beyond its 32 bits, what its library does otherwise."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from nnadapter.devices import close, refusal

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.conformance.case import Case, const

pytest.importorskip("openvino")
DEVICE = "intel_openvino"


@pytest.fixture(autouse=True)
def device() -> Iterator[None]:
    nna.ensure_devices([DEVICE])
    yield


def test_fork_is_refused_with_a_reason() -> None:
    script = """
import os, numpy as np, lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi
nna.ensure_devices(["intel_openvino"])
model = capi.Model()
x = model.tensor(np.float32, [4])
(y,) = model.operation("RELU", [x])
model.finish([x], [y])
context = capi.Context(["intel_openvino"])
execution = capi.Execution(capi.Compilation(model, context).finish())
execution.run([np.zeros(4, np.float32)])
child = os.fork()
if not child:
    try:
        execution.run([np.zeros(4, np.float32)])
    except DeviceError as error:
        os._exit(7 if "fork" in str(error) else 8)
    os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "7", done.stderr


def test_int64_beyond_32_bits_is_never_cut_off() -> None:
    """OpenVINO computes int64 in 32 bits: sums are refused, large inputs are an error."""
    large = np.array([2**33, 1], np.int64)
    reason = refusal(Case("ADD", [large, large, const(0)]).build(), DEVICE)
    assert reason is not None and "32 bits" in reason
    model = Case("ASSIGN", [large]).build()
    with pytest.raises(DeviceError, match="beyond 32 bits"):
        capi.run(model, [DEVICE], [large])
    (result,) = capi.run(model, [DEVICE], [np.array([5, -6], np.int64)])
    np.testing.assert_array_equal(result, [5, -6])


def test_large_weights_are_shared_and_right() -> None:
    """Constants that OpenVINO does not copy, which are as read-only as any."""
    rng = np.random.default_rng(3)
    x, weight = (rng.standard_normal(shape).astype(np.float32) for shape in ((4, 300), (300, 50)))
    model = capi.Model()
    given = model.tensor(np.float32, x.shape)
    (y,) = model.operation(
        "MAT_MUL", [given, model.constant(weight), model.constant(False), model.constant(False)]
    )
    model.finish([given], [y])
    assert refusal(model, DEVICE) is None
    close(capi.run(model, [DEVICE], [x]), [x @ weight], 1e-5)


def _boxes(images: int, **numbers: float) -> Case:
    """NON_MAX_SUPPRESSION of random boxes of three classes."""
    random = np.random.default_rng(7)
    corner = random.uniform(0, 10, (images, 40, 2))
    boxes = np.concatenate([corner, corner + random.uniform(0.5, 6, corner.shape)], 2)
    scores = random.permutation(images * 120).reshape(images, 3, 40) / (images * 120)
    at = {"label": -1, "score": 0.1, "top": -1, "overlap": 0.3, "eta": 1.0, "keep": -1, **numbers}
    normalized = bool(numbers.get("normalized", True))
    operands = [boxes.astype(np.float32), scores.astype(np.float32), None]
    for name in ("label", "score", "top", "overlap", "eta", "keep"):
        integer = name in ("label", "top", "keep")
        operands.append(const(int(at[name]) if integer else float(at[name])))
    return Case("NON_MAX_SUPPRESSION", [*operands, const(normalized), const(True)])


@pytest.mark.parametrize(
    "numbers",
    [
        {},
        {"label": 0},
        {"top": 10, "keep": 12},
        {"keep": 200},
        {"score": 0.5, "overlap": 0.7},
        {"overlap": 0.0},
        {"score": 2.0},
        {"score": 0.25},  # some box has just this score
    ],
)
@pytest.mark.parametrize("images", [1, 3])
def test_non_max_suppression(images: int, numbers: dict[str, float]) -> None:
    case = _boxes(images, **numbers)
    model = case.build()
    assert refusal(model, DEVICE) is None
    results = capi.run(model, [DEVICE], case.variables)
    close(results, capi.run(model, ["builtin_device"], case.variables), 1e-6)


@pytest.mark.parametrize(
    "options", [{"normalized": False}, {"eta": 0.9}, {"top": 0}, {"keep": 0}], ids=str
)
def test_non_max_suppression_that_openvino_does_otherwise(options: dict[str, float]) -> None:
    reason = refusal(_boxes(1, **options).build(), DEVICE)
    assert reason is not None and "is for normalized boxes" in reason


@pytest.mark.parametrize("kind", ["REDUCE_SUM", "REDUCE_MEAN", "REDUCE_MAX"])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("keep", [True, False])
def test_a_bias_after_a_reduction(kind: str, axis: int, keep: bool) -> None:
    """OpenVINO's CPU joins both, along a wrong axis where there are three."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((2, 4, 5)).astype(np.float32)
    expected = getattr(np, kind.removeprefix("REDUCE_").lower())(x, axis=axis, keepdims=keep)
    for along, length in enumerate(expected.shape):
        bias = rng.standard_normal([length if i == along else 1 for i in range(expected.ndim)])
        model = capi.Model()
        given = model.tensor(np.float32, x.shape)
        (reduced,) = model.operation(kind, [given, model.constant(axis), model.constant(keep)])
        constant = model.constant(bias.astype(np.float32))
        (y,) = model.operation("ADD", [reduced, constant, model.constant(0)])
        model.finish([given], [y])
        close(capi.run(model, [DEVICE], [x]), [expected + bias.astype(np.float32)], 1e-5)
