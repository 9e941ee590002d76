"""What jax2onnx writes and others do not, beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest
from model.onnx.reader_models import BOOL, INT64, X, info, model, node, run

import lite
from lite.errors import LiteError


def test_a_cell_whose_output_is_its_state() -> None:
    made = model([node("Tanh", "x", "h")], outputs=[info("h"), info("h")])
    predictor = lite.load(made.SerializeToString())
    assert [found.name for found in predictor.outputs] == ["h", "h"]
    np.testing.assert_allclose(predictor.run({"x": X})["h"], np.tanh(X), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("deterministic", [True, False])
def test_training_as_an_input(deterministic: bool) -> None:
    nodes = [node("Not", "deterministic", "training"), node("Dropout", "x ratio training", "y")]
    inputs = [info("x"), info("deterministic", BOOL, [])]
    made = model(nodes, inputs, constants={"ratio": np.array(0.5, np.float32)})
    predictor = lite.load(made.SerializeToString())
    fed = {"x": X, "deterministic": np.array(deterministic)}
    if deterministic:
        np.testing.assert_array_equal(predictor.run(fed)["y"], X)
        return
    with pytest.raises(LiteError, match="Dropout is asked for training"):
        predictor.run(fed)


def test_positions_in_a_list_of_computed_length() -> None:
    """A window's positions: how many there are is computed, that each has two is not."""
    nodes = [
        node("Shape", "counts", "some"),
        node("Concat", "some two", "sizes", axis=0),
        node("Reshape", "counts sizes", "wide"),
        node("Expand", "wide ones", "at"),
        node("Reshape", "at last", "listed"),
        node("ScatterND", "x listed new", "y"),
    ]
    constants = {
        "two": np.array([1]),
        "ones": np.array([1, 2]),
        "last": np.array([-1, 2]),
    }
    inputs = [info("x", shape=("a", "b")), info("counts", INT64, ["n"]), info("new", shape=["n"])]
    x, counts = np.ones((4, 5), np.float32), np.array([1, 3, 0])
    run(model(nodes, inputs, constants=constants), {"x": x, "counts": counts, "new": x[0, :3] * 7})
    nodes[4] = node("Reshape", "at pairs", "listed")
    nodes.insert(4, node("Concat", "some pair", "pairs", axis=0))
    constants["pair"] = constants.pop("last")[1:]
    run(model(nodes, inputs, constants=constants), {"x": x, "counts": counts, "new": x[0, :3] * 7})
