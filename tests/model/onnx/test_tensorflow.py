"""What tf2onnx writes and others do not, beside ONNX Runtime."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from model.onnx.reader_models import BOOL, INT64, info, model, node, run
from onnx import helper

import lite

PICTURE = np.random.default_rng(3).standard_normal((4, 6, 8, 2)).astype(np.float32)
ANY = ("a", "b", "c", "d")


@pytest.mark.parametrize("known", [True, False])
def test_space_to_batch(known: bool) -> None:
    """A dilated convolution's pixels become a batch, whose size is not known."""
    nodes = [
        node("Transpose", "x", "turned", perm=[3, 0, 1, 2]),
        node("SpaceToDepth", "turned", "deep", blocksize=2),
        node("Relu", "deep", "changed"),
        node("DepthToSpace", "changed", "wide", blocksize=2),
        node("Transpose", "wide", "y", perm=[1, 2, 3, 0]),
    ]
    run(model(nodes, [info("x", shape=PICTURE.shape if known else ANY)]), {"x": PICTURE})


@pytest.mark.parametrize("opset", [17, 18])
def test_sizes_that_are_split(opset: int) -> None:
    """A mirrored padding that repeats the border: parts of a shape have one element each."""
    nodes = [
        node("Shape", "x", "sizes"),
        node("Split", "sizes", "n h w c", **({"num_outputs": 4} if opset == 18 else {})),
        node("ConstantOfShape", "h", "kept", value=helper.make_tensor("v", BOOL, [1], [True])),
        node("ScatterElements", "kept dropped no", "some"),
        node("Compress", "x some", "y", axis=1),
    ]
    constants = {"dropped": np.array([1, -2]), "no": np.array([False, False])}
    made = model(nodes, [info("x", shape=ANY)], constants=constants, opset=opset)
    assert run(made, {"x": PICTURE})["y"].shape == (4, 4, 8, 2)


def test_a_turn_s_number_in_a_list() -> None:
    """The body of crop_and_resize declares one dimension for it."""
    body = helper.make_graph(
        [
            node("Identity", "going", "still"),
            node("Add", "i one", "end"),
            node("Slice", "x i end zero", "row"),
            node("Squeeze", "row zero", "picture"),
        ],
        "body",
        [info("i", INT64, [1]), info("going", BOOL, [])],
        [info("still", BOOL, []), info("picture", shape=None)],
    )
    constants = {
        "turns": np.array(3),
        "true": np.array(True),
        "one": np.array([1]),
        "zero": np.array([0]),
    }
    made = model(
        [node("Loop", "turns true", "y", body=body)], [info("x", shape=ANY)], constants=constants
    )
    np.testing.assert_array_equal(run(made, {"x": PICTURE})["y"], PICTURE[:3])


@pytest.mark.parametrize("computed", [True, False])
@pytest.mark.parametrize("height", [3, 5, 12])
def test_nearest_pixels(height: int, computed: bool) -> None:
    way = {
        "mode": "nearest",
        "nearest_mode": "floor",
        "coordinate_transformation_mode": "tf_half_pixel_for_nn",
    }
    resize = node("Resize", "x", "y", **way)
    resize.input.extend(["", "", "sizes"])
    sizes = np.array([4, height, 16, 2])
    if computed:
        made = model([resize], [info("x", shape=ANY), info("sizes", INT64, [4])])
        run(made, {"x": PICTURE, "sizes": sizes})
    else:
        made = model([resize], [info("x", shape=PICTURE.shape)], constants={"sizes": sizes})
        run(made, {"x": PICTURE})


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_different_elements_as_they_come(axis: int | None) -> None:
    numbers = np.float32([[3, 1, 3, 1], [2, 2, 2, 2], [3, 1, 3, 1], [0, 1, 0, 1]])
    attributes = {"sorted": 0} if axis is None else {"sorted": 0, "axis": axis}
    nodes = [node("Unique", "x", "found first inverse counts", **attributes)]
    outputs = [info("found", shape=None)]
    outputs += [info(name, INT64, None) for name in ("first", "inverse", "counts")]
    run(model(nodes, [info("x", shape=("a", "b"))], outputs), {"x": numbers})


def test_counted_categories() -> None:
    """Rows of pairs, some of which are dropped, still are pairs."""
    nodes = [
        node("Unique", "x", "pairs", axis=0),
        node("Compress", "pairs kept", "some", axis=0),
        node("ScatterND", "data some new", "y"),
    ]
    constants = {
        "kept": np.array([True, False, True]),
        "data": np.zeros((3, 4), np.float32),
        "new": np.ones(2, np.float32),
    }
    pairs = np.array([[1, 2], [0, 3], [1, 2], [2, 0]])
    made = model(nodes, [info("x", INT64, ("a", 2))], constants=constants)
    assert run(made, {"x": pairs})["y"].sum() == 2


@pytest.mark.parametrize(
    ("name", "reference"), [("Erfc", np.vectorize(math.erfc)), ("Expm1", np.expm1)]
)
def test_functions_that_stay_tensorflow_s(name: str, reference: Any) -> None:
    """ONNX Runtime refuses them."""
    predictor = lite.load(model([node(name, "x", "y")], [info("x", shape=ANY)]).SerializeToString())
    found = predictor.run({"x": PICTURE})["y"]
    np.testing.assert_allclose(found, reference(PICTURE), rtol=1e-5, atol=1e-6)


def test_gelu_by_the_complementary_function() -> None:
    nodes = [
        node("Neg", "x", "n"),
        node("Mul", "n root", "m"),
        node("Erfc", "m", "e"),
        node("Mul", "half x", "h"),
        node("Mul", "h e", "y"),
    ]
    constants = {"root": np.array(math.sqrt(0.5), np.float32), "half": np.array(0.5, np.float32)}
    made = model(nodes, [info("x", shape=ANY)], constants=constants).SerializeToString()
    predictor = lite.load(made)
    found = predictor.run({"x": PICTURE})["y"]
    right = PICTURE * (1 + np.vectorize(math.erf)(PICTURE / math.sqrt(2))) / 2
    np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-6)
    assert [op.type for op in predictor.profile({"x": PICTURE}).operators] == ["gelu"]
