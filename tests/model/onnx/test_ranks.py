"""Numbers of dimensions that are not known as a model is read."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from model.onnx.reader_models import BOOL, FLOAT, INT64, X, info, model, node, run
from onnx import helper

import lite
from lite.errors import UnsupportedOperatorError

SIGNAL = np.random.default_rng(2).standard_normal((2, 600)).astype(np.float32)


@pytest.mark.parametrize("last", [1, 4])
def test_a_squeeze_that_torch_exports_as_a_branch(last: int) -> None:
    """Branches of two and of three dimensions, and an axis behind the last one of them."""
    taken = helper.make_graph([node("Squeeze", "x one", "t")], "taken", [], [info("t", shape=None)])
    other = helper.make_graph([node("Identity", "x", "o")], "other", [], [info("o", shape=None)])
    nodes = [
        node("Shape", "x", "sizes", start=2),
        node("Equal", "sizes single", "is_one"),
        node("If", "is_one", "branched", then_branch=taken, else_branch=other),
        node("Unsqueeze", "branched behind", "y"),
    ]
    constants = {"one": np.array([2]), "single": np.array([1]), "behind": np.array([-1])}
    run(model(nodes, constants=constants), {"x": X[:, :, :last]})


def test_a_size_that_is_known_among_others() -> None:
    """The branch is certain, so that the number of dimensions behind it is."""
    taken = helper.make_graph(
        [node("Squeeze", "flat one", "t")], "taken", [], [info("t", shape=None)]
    )
    other = helper.make_graph([node("Identity", "flat", "o")], "other", [], [info("o", shape=None)])
    nodes = [
        node("Reshape", "x sizes", "flat"),
        node("Shape", "flat", "dims"),
        node("Gather", "dims one", "size"),
        node("Equal", "size single", "is_one"),
        node("If", "is_one", "branched", then_branch=taken, else_branch=other),
        node("LayerNormalization", "branched scale", "y", axis=1),
    ]
    constants = {
        "sizes": np.array([-1, 1, 4]),
        "one": np.array([1]),
        "single": np.array([1]),
        "scale": np.float32([1, 2, 3, 4]),
    }
    assert run(model(nodes, constants=constants))["y"].shape == (6, 4)


def test_what_stands_for_nothing_before_the_first_turn() -> None:
    """A number becomes a matrix, as in loops that paddle2onnx writes."""
    body = helper.make_graph(
        [
            node("Add", "x made_before", "made"),
            node("Identity", "made", "handed_on"),
            node("Reshape", "going flat", "still"),
        ],
        "body",
        [info("i", INT64, []), info("going", BOOL, []), info("made_before", FLOAT, None)],
        [info("still", BOOL, None), info("handed_on", FLOAT, None)],
    )
    nodes = [node("Loop", "turns going nothing", "y", body=body)]
    constants = {
        "turns": np.array(3),
        "going": np.array(True),
        "nothing": np.float32(0),
        "flat": np.array([1]),
    }
    np.testing.assert_allclose(run(model(nodes, constants=constants))["y"], 3 * X, rtol=1e-5)


@pytest.mark.parametrize("parts", [[], [1]], ids=["numbers", "parts"])
def test_a_spectrogram(parts: list[int]) -> None:
    """A signal with and without an axis for the parts of its numbers."""
    nodes = [
        node("STFT", "x step window", "spectrum"),
        node("ReduceSumSquare", "spectrum", "power", axes=[-1], keepdims=0),
        node("MatMul", "power bank", "y"),
    ]
    constants = {
        "step": np.array(40),
        "window": np.hanning(128).astype(np.float32),
        "bank": np.random.default_rng(3).random((65, 8)).astype(np.float32),
    }
    inputs = [info("x", shape=["batch", "time", *parts])]
    run(model(nodes, inputs, constants=constants), {"x": SIGNAL.reshape(2, 600, *parts)})


@pytest.mark.parametrize("length", [40, 64, 100])
def test_a_transform_of_another_length(length: int) -> None:
    """Cut off or filled up with zeros; what follows needs to know the number of dimensions."""
    nodes = [
        node("Unsqueeze", "x parts", "signal"),
        node("DFT", "signal length", "spectrum", axis=-2, onesided=1),
        node("ReduceSumSquare", "spectrum", "y", axes=[-1], keepdims=0),
    ]
    constants = {"parts": np.array([-1]), "length": np.array(length)}
    made = model(nodes, [info("x", shape=["batch", 64])], constants=constants)
    x = SIGNAL[:, :64]
    found = lite.load(made.SerializeToString()).run({"x": x})["y"]
    expected = np.abs(np.fft.rfft(x.astype(np.float64), length)) ** 2  # ONNX Runtime is 1e-4 off
    np.testing.assert_allclose(found, expected, atol=1e-6 * expected.max())


def test_ranks_behind_padding_and_transposed_convolutions() -> None:
    """As tf2onnx writes networks over one and three axes: what follows asks for the rank."""
    pads, axes = np.array([0, 1, 0, 0, 0, 2], np.int64), np.array([1], np.int64)
    nodes = [node("Pad", "x pads", "padded"), node("Unsqueeze", "padded axes", "y")]
    assert run(model(nodes, constants={"pads": pads, "axes": axes}))["y"].shape == (2, 1, 4, 6)
    weight = np.ones((3, 2, 2, 2, 2), np.float32)
    volume = np.random.default_rng(1).standard_normal((1, 3, 2, 3, 4)).astype(np.float32)
    nodes = [node("ConvTranspose", "x w", "made", strides=[2] * 3)]
    nodes.append(node("GlobalAveragePool", "made", "y"))
    inputs = [info("x", shape=("n", 3, "d", "h", "w"))]
    run(model(nodes, inputs, constants={"w": weight}), {"x": volume})


def test_loops_in_loops_are_read_once() -> None:
    """Twice each would be a thousand million times for thirty."""

    def body(depth: int) -> onnx.GraphProto:
        inner = [node("Tanh", "v0", "n0")]
        if depth:
            call = f"turns going{depth} v{depth}"
            inner = [node("Loop", call, f"n{depth} all{depth}", body=body(depth - 1))]
        end = [node("Identity", f"going{depth}", f"still{depth}")]
        end.append(node("Identity", f"n{depth}", f"result{depth}"))
        inputs = [info(f"i{depth}", INT64, []), info(f"going{depth}", BOOL, [])]
        outputs = [info(f"still{depth}", BOOL, [])]
        outputs += [info(f"{name}{depth}", shape=None) for name in ("n", "result")]
        inputs.append(info(f"v{depth}", shape=None))
        return helper.make_graph([*inner, *end], f"b{depth}", inputs, outputs)

    constants = {"turns": np.array(1), "going": np.array(True)}
    outer = node("Loop", "turns going x", "y all", body=body(30))
    found = run(model([outer], constants=constants))
    np.testing.assert_allclose(found["y"], np.tanh(X), rtol=1e-5)


def test_einsum_of_any_batch() -> None:
    """The dots stand for as many dimensions as an operand has beside its letters."""
    nodes = [
        node("Einsum", "x w", "e", equation="...si,...id->...ds"),
        node("Squeeze", "e behind", "y"),
    ]
    weight = np.random.default_rng(1).standard_normal((1, 4, 1)).astype(np.float32)
    assert run(model(nodes, constants={"w": weight, "behind": np.array([-2])}))["y"].ndim == 2


def test_positions_in_a_list() -> None:
    """Where a mask of any rank has ones, as MI-GAN's pipeline finds its edges."""
    nodes = [
        node("Squeeze", "x", "flat"),
        node("ReduceMax", "flat", "rows", axes=[1], keepdims=0),
        node("NonZero", "rows", "found"),
        node("Transpose", "found", "places", perm=[1, 0]),
        node("GatherND", "numbers places", "y"),
    ]
    x = np.zeros((1, 1, 6, 4), np.float32)
    x[..., 2:5, 1] = 1
    made = model(nodes, [info("x", shape="abcd")], constants={"numbers": np.float32(range(6))})
    assert run(made, {"x": x})["y"].tolist() == [2, 3, 4]


@pytest.mark.parametrize(
    ("index", "batch_dims"), [((2, 5, 1), 1), ((2, 2), 1), ((2, 3, 4, 1), 2), ((2, 3, 1), 2)]
)
def test_positions_behind_shared_axes(index: tuple[int, ...], batch_dims: int) -> None:
    """Each row of the batch by its own positions, some of them counted from the end."""
    sizes = np.array(X.shape[batch_dims:])[: index[-1]]
    at = np.random.default_rng(3).integers(-sizes, sizes, index)
    inputs = [info("x"), info("at", INT64, [*"pqr"[: len(index) - 1], index[-1]])]
    made = model([node("GatherND", "x at", "y", batch_dims=batch_dims)], inputs)
    run(made, {"x": X, "at": at})


@pytest.mark.parametrize("batch_dims", [2, 2**40, -1])
def test_more_shared_axes_than_the_positions_have(batch_dims: int) -> None:
    inputs = [info("x"), info("at", INT64, ["p", 1])]
    made = model([node("GatherND", "x at", "y", batch_dims=batch_dims)], inputs)
    with pytest.raises(UnsupportedOperatorError, match=f"batch_dims is {batch_dims}"):
        lite.load(made.SerializeToString())
