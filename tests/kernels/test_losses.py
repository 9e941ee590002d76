"""Losses that are exported as scores."""

from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

PROBABILITY = {"low": 0.0, "high": 1.0}
EDGES = np.array([0, 1, 0, 1, 0.5], "float32"), np.array([0, 0, 1, 1, 0.25], "float32")

bce = OpTable("bce_loss")
for dtype in ("float32", "float64"):
    for shape in ((4, 3), (2, 3, 4), (5,)):
        labels = rand(*shape, dtype=dtype, **PROBABILITY)
        bce.case({"X": rand(*shape, dtype=dtype, **PROBABILITY), "Label": labels})
bce.case({"X": EDGES[0], "Label": EDGES[1]})
bce.error({"X": rand(3, low=1.5, high=2), "Label": rand(3)}, match="probabilities")
bce.error({"X": rand(3), "Label": rand(2)}, error="ShapeError", match="equal shapes")
bce.error({"X": rand(3), "Label": randint(3)}, error="DataTypeError", match="Label")
test_bce_loss = bce.tests()

log_loss = OpTable("log_loss")
for epsilon in (1e-4, 0.5):
    inputs = {"Predicted": rand(6, 1, **PROBABILITY), "Labels": rand(6, 1, **PROBABILITY)}
    log_loss.case(inputs, {"epsilon": epsilon})
log_loss.error({"Predicted": rand(3), "Labels": rand(2)}, error="ShapeError", match="Labels")
test_log_loss = log_loss.tests()

hinge = OpTable("hinge_loss")
hinge.case({"Logits": rand(8, 1, low=-3, high=3), "Labels": randint(8, 1, high=2, dtype="float32")})
hinge.error({"Logits": rand(3), "Labels": rand(2)}, error="ShapeError", match="Labels")
test_hinge_loss = hinge.tests()

huber = OpTable("huber_loss")
for dtype in ("float32", "float64"):
    for delta in (1.0, 0.3):
        inputs = {"X": rand(5, 3, dtype=dtype), "Y": 2 * rand(5, 3, dtype=dtype)}
        huber.case(inputs, {"delta": delta}, outputs={"Out": 1, "Residual": 1})
huber.case({"X": rand(4), "Y": rand(4)}, {"delta": 0.5})
huber.error({"X": rand(3), "Y": rand(2)}, {"delta": 0.5}, error="ShapeError", match="equal shapes")
test_huber_loss = huber.tests()


def with_log_target(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    loss = np.exp(inputs["Target"]) * (inputs["Target"] - inputs["X"])
    return {"Loss": loss if attrs["reduction"] == "none" else loss.mean(dtype=loss.dtype)}


kldiv = OpTable("kldiv_loss")
for dtype in ("float32", "float64"):
    for reduction in ("none", "mean", "sum", "batchmean"):
        target = rand(4, 5, dtype=dtype, low=-0.3)
        kldiv.case({"X": rand(4, 5, dtype=dtype), "Target": target}, {"reduction": reduction})
for reduction in ("none", "mean"):
    attrs = {"reduction": reduction, "log_target": True}
    kldiv.case({"X": rand(4, 5), "Target": rand(4, 5)}, attrs, reference=with_log_target)
kldiv.error({"X": rand(3), "Target": rand(2)}, error="ShapeError", match="Target")
kldiv.error(
    {"X": rand(3), "Target": rand(3)}, {"reduction": "max"}, error="ShapeError", match="max"
)
test_kldiv_loss = kldiv.tests()


def likelihood(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, label = inputs["X"], inputs["Label"]
    kept = label != attrs.get("ignore_index", -100)
    index = np.where(kept, label, 0)
    weight = inputs.get("Weight", np.ones(x.shape[1], x.dtype))[index] * kept
    out = -weight * np.take_along_axis(x, np.expand_dims(index, 1), 1).squeeze(1)
    if attrs["reduction"] == "none":
        return {"Out": out.astype(x.dtype), "Total_weight": np.zeros((), x.dtype)}
    total = weight.sum(dtype=x.dtype)
    out = out.sum(dtype=x.dtype)
    mean = attrs["reduction"] == "mean" and total != 0
    return {"Out": np.asarray(out / total if mean else out), "Total_weight": np.asarray(total)}


# Recording many of these from Paddle 2.6.2 ended its process once, so numpy says what is right.
nll = OpTable("nll_loss")
ALL = {"Out": 1, "Total_weight": 1}
for dtype in ("float32", "float64"):
    for reduction in ("none", "mean", "sum"):
        for shape in ((5, 4), (2, 4, 3, 2)):
            label = randint(shape[0], *shape[2:], high=4, dtype="int" + dtype[-2:])
            weights = {"Weight": rand(4, dtype=dtype)} if dtype == "float32" else {}
            nll.case(
                {"X": rand(*shape, dtype=dtype), "Label": label} | weights,
                {"reduction": reduction, "ignore_index": 2 if len(shape) == 2 else -100},
                outputs=ALL,
                reference=likelihood,
            )
nll.case(
    {"X": rand(3, 4), "Label": np.array([1, 1, 1])},
    {"ignore_index": 1, "reduction": "mean"},
    reference=lambda i, a: {"Out": likelihood(i, a)["Out"]},
)
nll.error({"X": rand(3, 4), "Label": np.array([0, 4, 1])}, match="element 1")
nll.error({"X": rand(3, 4), "Label": randint(2)}, error="ShapeError", match="Label")
nll.error({"X": rand(3), "Label": randint(3)}, error="ShapeError", match="[N, C]")
nll.error({"X": rand(3, 4), "Label": rand(3)}, match="Label")
nll.error(
    {"X": rand(3, 4), "Label": randint(3, high=4), "Weight": rand(3)},
    error="ShapeError",
    match="Weight",
)
nll.error(
    {"X": rand(3, 4), "Label": randint(3, high=4)},
    {"reduction": "x"},
    error="ShapeError",
    match="reduction",
)
test_nll_loss = nll.tests()

smooth = OpTable("label_smooth")
for dtype in ("float32", "float64"):
    smooth.case({"X": rand(3, 5, dtype=dtype)}, {"epsilon": 0.1})
    smooth.case(
        {"X": rand(3, 5, dtype=dtype), "PriorDist": rand(1, 5, dtype=dtype)}, {"epsilon": 0.2}
    )
smooth.case({"X": lod(rand(3, 5), [[0, 1, 3]])}, {"epsilon": 0.1})
smooth.error({"X": rand(3, 5), "PriorDist": rand(4)}, error="ShapeError", match="PriorDist")
test_label_smooth = smooth.tests()


def weighted_entropy(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, label = inputs["X"], inputs["Label"]
    out = (1 - label) * x + np.logaddexp(0, -x) * inputs["pos_weight"]
    counted = label != attrs.get("ignore_index", -100)
    return {"Out": out * counted / (counted.sum(dtype=x.dtype) if attrs.get("normalize") else 1)}


sigmoid = OpTable("sigmoid_cross_entropy_with_logits")
for dtype in ("float32", "float64"):
    for attrs in (
        {},
        {"normalize": True},
        {"ignore_index": 1},
        {"normalize": True, "ignore_index": 0},
    ):
        inputs = {
            "X": rand(4, 3, low=-9, high=9, dtype=dtype),
            "Label": randint(4, 3, high=2, dtype=dtype),
        }
        sigmoid.case(inputs, attrs)
inputs = {"X": rand(4, 3, low=-9, high=9), "Label": rand(4, 3, **PROBABILITY)}
sigmoid.case(inputs)
for dtype in ("float32", "float64"):
    weighted = {
        "X": rand(4, 3, low=-9, high=9, dtype=dtype),
        "Label": randint(4, 3, high=2, dtype=dtype),
        "pos_weight": rand(4, 3, low=0, high=3, dtype=dtype),
    }
    for attrs in ({}, {"normalize": True, "ignore_index": 0}):
        sigmoid.case(weighted, attrs, reference=weighted_entropy)
sigmoid.error(inputs | {"pos_weight": rand(3)}, error="ShapeError", match="pos_weight")
sigmoid.error(inputs | {"pos_weight": randint(4, 3)}, error="DataTypeError", match="pos_weight")
sigmoid.case({"X": np.array([-200, 200], "float32"), "Label": np.array([1, 0], "float32")})
sigmoid.error({"X": rand(3), "Label": rand(2)}, error="ShapeError", match="Label")
test_sigmoid_cross_entropy_with_logits = sigmoid.tests()

softmax = OpTable("softmax_with_cross_entropy")
BOTH = {"Softmax": 1, "Loss": 1}
for dtype in ("float32", "float64"):
    for axis, shape, label in (
        (-1, (4, 5), (4, 1)),
        (0, (4, 5), (1, 5)),
        (1, (2, 4, 3), (2, 1, 3)),
        (-1, (2, 3, 6), (2, 3, 1)),
    ):
        x = rand(*shape, low=-4, high=4, dtype=dtype)
        attrs = {"axis": axis}
        softmax.case({"Logits": x, "Label": randint(*label, high=4)}, attrs, outputs=BOTH)
        soft = rand(*shape, dtype=dtype, **PROBABILITY)
        softmax.case({"Logits": x, "Label": soft}, attrs | {"soft_label": True}, outputs=BOTH)
softmax.case({"Logits": rand(4, 5), "Label": randint(4, 1, high=4, dtype="int32")}, outputs=BOTH)
softmax.case(
    {"Logits": rand(4, 5), "Label": np.array([[1], [2], [1], [-7]])},
    {"ignore_index": -7},
    outputs=BOTH,
)
chances = rand(4, 5, low=0.1, high=1)
softmax.case(
    {"Logits": chances, "Label": randint(4, 1, high=4)}, {"use_softmax": False}, outputs=BOTH
)
softmax.case(
    {"Logits": rand(4, 5), "Label": randint(4, high=4)},
    outputs={"Loss": 1},
    reference=lambda i, a: {
        "Loss": (np.log(np.exp(i["Logits"]).sum(1)) - i["Logits"][range(4), i["Label"]])[:, None]
    },
)
softmax.error({"Logits": rand(2, 3), "Label": np.array([[1], [3]])}, match="element 1")
softmax.error({"Logits": rand(2, 3), "Label": randint(3, 1)}, error="ShapeError", match="Label")
softmax.error({"Logits": rand(2, 3), "Label": rand(2, 1)}, match="Label")
softmax.error(
    {"Logits": rand(2, 3), "Label": rand(2, 1)},
    {"soft_label": True},
    error="ShapeError",
    match="soft_label",
)
softmax.error({"Logits": rand(), "Label": randint()}, error="ShapeError", match="0-D")
softmax.error(
    {"Logits": rand(2, 3), "Label": randint(2, 1)}, {"axis": 2}, error="ShapeError", match="axis"
)
test_softmax_with_cross_entropy = softmax.tests()
