"""Sizes that are computed as a model runs: what is known of them, and sizes of one and of none."""

from __future__ import annotations

import numpy as np
import pytest
from model.onnx.reader_models import BOOL, FLOAT, INT64, X, info, model, node, run

import lite
from lite.errors import UnsupportedOperatorError


def test_lists_of_sizes_of_known_length() -> None:
    """torch.onnx puts together the shapes of reshapes, and Softmax asks for the rank."""
    constants = {
        "none": np.array([0]),
        "rest": np.array([-1]),
        "two": np.array(2),
        "at": np.array(1),
        "front": np.array([0]),
    }
    nodes = [
        node("Shape", "x", "sizes"),
        node("Slice", "sizes none none", "nothing"),
        node("Gather", "sizes at", "rows", axis=0),
        node("Div", "rows two", "half"),
        node("Mul", "half two", "even"),
        node("Unsqueeze", "even front", "listed"),
        node("Concat", "nothing listed rest", "wanted", axis=0),
        node("Reshape", "x wanted", "flat"),
        node("Softmax", "flat", "y", axis=-1),
    ]
    x = np.concatenate([X, X[:, :1]], 1)
    found = run(model(nodes, constants=constants), {"x": x})
    assert found["y"].shape == (4, 8)


@pytest.mark.parametrize("steps", [[1, 1, 2], [-1, 1, 1], [-2, -1, 1]])
def test_known_steps_from_computed_starts(steps: list[int]) -> None:
    """TensorFlow's strided slices in a loop."""
    constants = {
        "two": np.array([2, 2, 2]),
        "far": np.array([-1000 if step < 0 else 1000 for step in steps]),
        "axes": np.array([0, 1, 2]),
        "steps": np.array(steps),
    }
    nodes = [
        node("Shape", "x", "sizes"),
        node("Sub", "sizes two", "starts"),
        node("Slice", "x starts far axes steps", "y"),
    ]
    found = run(model(nodes, constants=constants), {"x": np.tile(X, (2, 3, 1))})
    assert found["y"].size


def test_the_rank_behind_range_tile_and_positions() -> None:
    constants = {"zero": np.array(0), "one": np.array(1), "last": np.array([-1])}
    nodes = [
        node("NonZero", "x", "places"),
        node("Transpose", "places", "rows", perm=[1, 0]),
        node("Shape", "rows", "sizes"),
        node("Tile", "rows sizes", "tiled"),
        node("Flatten", "tiled", "flat", axis=-1),
        node("GatherND", "x rows", "found"),
        node("Size", "found", "count"),
        node("Range", "zero count one", "numbers"),
        node("Unsqueeze", "numbers last", "column"),
        node("Flatten", "column", "y", axis=-1),
    ]
    run(model(nodes, outputs=[info("y", INT64, None)], constants=constants))
    run(model(nodes[:5], outputs=[info("flat", INT64, None)], constants=constants))


def test_the_largest_of_none() -> None:
    """As detectors ask that found nothing."""
    constants = {"limit": np.array(100, np.float32), "rest": np.array([-1])}
    nodes = [
        node("Reshape", "x rest", "all"),
        node("Greater", "all limit", "above"),
        node("Compress", "all above", "some", axis=0),
        node("Shape", "some", "count"),
        node("TopK", "some count", "y places"),
    ]
    outputs = [info("y", FLOAT, ["n"]), info("places", INT64, ["n"])]
    found = run(model(nodes, outputs=outputs, constants=constants))
    assert found["y"].shape == found["places"].shape == (0,)


@pytest.mark.parametrize(
    ("mode", "position"),
    [
        ("linear", "half_pixel"),
        ("linear", "pytorch_half_pixel"),
        ("linear", "align_corners"),
        ("cubic", "half_pixel"),
        ("cubic", "align_corners"),
    ],
)
def test_pictures_of_one_pixel(mode: str, position: str) -> None:
    attributes = {"coordinate_transformation_mode": position, "cubic_coeff_a": -0.75}
    nodes = [node("Resize", "x none none sizes", "y", mode=mode, **attributes)]
    nodes[0].input[1] = nodes[0].input[2] = ""
    inputs = [info("x", FLOAT, ["n", "c", "h", "w"]), info("sizes", INT64, [4])]
    made = model(nodes, inputs)
    x = np.random.default_rng(1).standard_normal((1, 2, 6, 5)).astype(np.float32)
    for height, width in ((1, 7), (3, 1), (1, 1), (12, 10)):
        run(made, {"x": x, "sizes": np.array([1, 2, height, width])})


def test_a_condition_of_the_input_s_shape() -> None:
    """As paddle2onnx writes masked_select."""
    nodes = [node("Greater", "x limit", "above"), node("Compress", "x above", "y")]
    outputs = [info("y", FLOAT, ["n"])]
    found = run(model(nodes, outputs=outputs, constants={"limit": np.array(0, np.float32)}))
    assert np.array_equal(found["y"], X[X > 0])


def test_nothing_is_scattered() -> None:
    constants = {"at": np.zeros((0, 1), np.int64), "new": np.zeros((0, 3, 4), np.float32)}
    found = run(
        model([node("ScatterND", "x at new", "z"), node("Neg", "z", "y")], constants=constants)
    )
    assert np.array_equal(found["y"], -X)


@pytest.mark.parametrize(("shape", "depth"), [((0, 4), 1), ((0, 4), 2), ((0, 3, 2), 2)])
def test_nothing_is_scattered_into_nothing(shape: tuple[int, ...], depth: int) -> None:
    """As YOLO's end in ONNX where nothing was detected."""
    nodes = [
        node("Slice", "x begin end", "nothing"),
        node("ScatterND", "nothing at new", "z"),
        node("Neg", "z", "y"),
    ]
    at, new = np.zeros((0, depth), np.int64), np.zeros((0, *shape[depth:]), np.float32)
    inputs = [
        info("x", FLOAT, [None] * len(shape)),
        info("end", INT64, [len(shape)]),
        info("at", INT64, ["n", depth]),
        info("new", FLOAT, ["n", *shape[depth:]]),
    ]
    made = model(nodes, inputs, constants={"begin": np.zeros(len(shape), np.int64)})
    x = np.ones([max(size, 1) for size in shape], np.float32)
    found = run(made, {"x": x, "end": np.array(shape), "at": at, "new": new})
    assert found["y"].shape == shape


def test_an_end_beyond_32_bits_beside_a_computed_one() -> None:
    """As VITS cuts its relative positions."""
    nodes = [
        node("Shape", "x", "size", start=0, end=1),
        node("Concat", "size all", "ends", axis=0),
        node("Slice", "x begins ends", "y"),
    ]
    constants = {"all": np.array([2**63 - 1]), "begins": np.array([1, 2])}
    x = np.arange(20, dtype=np.float32).reshape(4, 5)
    made = model(nodes, [info("x", FLOAT, ["a", "b"])], constants=constants)
    assert np.array_equal(run(made, {"x": x})["y"], x[1:, 2:])


@pytest.mark.parametrize("momentum", [0.9, 0.25])
def test_a_batch_that_normalises_itself(momentum: float) -> None:
    """As NFNets scale their weights."""
    parts = {name: np.array([1, 2, 3], np.float32) + i for i, name in enumerate("sbmv")}
    attributes = {"training_mode": 1, "momentum": momentum, "epsilon": 1e-3}
    nodes = [node("BatchNormalization", "x s b m v", "y mean var", **attributes)]
    outputs = [info(name, FLOAT, None) for name in ("y", "mean", "var")]
    found = run(model(nodes, outputs=outputs, constants=parts))
    assert np.isfinite(found["y"]).all()


def test_computed_paddings_that_cut() -> None:
    """As VITS fits its relative positions to short texts."""
    nodes = [
        node("Shape", "x", "sizes", start=2),
        node("Sub", "sizes three", "more"),
        node("Concat", "none none more none none more", "rows", axis=0),
        node("Neg", "rows", "pads"),
        node("Pad", "x pads", "y"),
    ]
    constants = {"three": np.array([3]), "none": np.array([0])}
    assert run(model(nodes, constants=constants))["y"].shape == (2, 3, 2)


def test_random_numbers() -> None:
    """As voices of VITS ask for: there is no other engine to compare with."""
    nodes = [node("RandomNormalLike", "x", "y", mean=5.0, scale=2.0)]
    predictor = lite.load(model(nodes).SerializeToString())
    x = np.zeros((20, 30, 40), np.float32)
    first, second = (predictor.run({"x": x})["y"] for _ in range(2))
    assert first.shape == x.shape and first.dtype == np.float32
    assert not np.array_equal(first, second)
    assert abs(first.mean() - 5) < 0.1 and abs(first.std() - 2) < 0.1
    for type in ("RandomNormal", "RandomUniform"):
        fixed = model([node(type, "", "y", shape=[3, 5], seed=7.0)], inputs=[])
        one, other = (lite.load(fixed.SerializeToString()).run({})["y"] for _ in range(2))
        assert np.array_equal(one, other) and one.shape == (3, 5)


def test_random_choices() -> None:
    """Where a masked autoencoder hides its patches, and where a dropout does."""
    nodes = [
        node("RandomUniformLike", "x", "u", low=-2.0, high=4.0),
        node("Bernoulli", "x", "y", dtype=BOOL),
    ]
    outputs = [info("u", FLOAT, None), info("y", BOOL, None)]
    x = np.full((20, 30, 40), 0.25, np.float32)
    found = lite.load(model(nodes, outputs=outputs).SerializeToString()).run({"x": x})
    assert found["u"].min() >= -2 and found["u"].max() <= 4 and abs(found["u"].mean() - 1) < 0.1
    assert found["y"].dtype == np.bool_ and abs(found["y"].mean() - 0.25) < 0.02


def test_classes_that_are_drawn() -> None:
    made = model([node("Multinomial", "x", "y", sample_size=5000, dtype=INT64)], [info("x")])
    odds = np.log(np.array([[1, 3, 4], [0.1, 0.8, 0.1]], np.float32))
    found = lite.load(made.SerializeToString()).run({"x": odds})["y"]
    assert found.shape == (2, 5000) and found.dtype == np.int64
    shares = [np.bincount(row, minlength=3) / 5000 for row in found]
    np.testing.assert_allclose(shares, np.exp(odds) / np.exp(odds).sum(1, keepdims=True), atol=0.05)


@pytest.mark.parametrize("auto_pad", ["SAME_LOWER", "SAME_UPPER"])
@pytest.mark.parametrize("size", [7, 8])
def test_as_many_positions_as_the_input_has(auto_pad: str, size: int) -> None:
    """Padding that depends on the input's size: what is odd comes first, or last."""
    weight = np.random.default_rng(4).standard_normal((2, 3, 4, 3)).astype(np.float32)
    x = np.random.default_rng(5).standard_normal((1, 3, size, 9)).astype(np.float32)
    window = {"auto_pad": auto_pad, "strides": [2, 3]}
    nodes = [
        node("Conv", "x w", "c", **window),
        node("MaxPool", "x", "m", kernel_shape=[3, 4], **window),
        node("AveragePool", "x", "a", kernel_shape=[3, 4], **window),
        node("AveragePool", "x", "p", kernel_shape=[3, 4], count_include_pad=1, **window),
    ]
    outputs = [info(name, shape=None) for name in "cmap"]
    made = model(nodes, [info("x", shape=[1, 3, size, 9])], outputs, {"w": weight})
    run(made, {"x": x})


def test_padding_for_a_free_size_is_refused() -> None:
    nodes = [node("MaxPool", "x", "y", kernel_shape=[3], strides=[2], auto_pad="SAME_LOWER")]
    with pytest.raises(UnsupportedOperatorError, match="with dilations, of a free size"):
        lite.load(model(nodes).SerializeToString())
