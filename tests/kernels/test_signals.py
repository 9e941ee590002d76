"""Frames of signals, paths of tags, matches, and functions of numbers that stand for themselves."""

import itertools
from typing import Any

import numpy as np
from harness import OpTable, Values, lod, rand, randint

Slots = dict[str, Any]

frame = OpTable("frame")
overlap = OpTable("overlap_add")
for dtype in ("float32", "float64", "int32", "int64"):
    draw = randint if dtype.startswith("int") else rand
    for size, hop in ((4, 2), (3, 3), (2, 3), (9, 1)):
        attrs = {"frame_length": size, "hop_length": hop}
        frame.case({"X": draw(9, dtype=dtype)}, attrs)
        frame.case({"X": draw(2, 3, 9, dtype=dtype)}, attrs)
        frame.case({"X": draw(9, 2, dtype=dtype)}, attrs | {"axis": 0})
    for hop in (1, 3, 4):
        overlap.case({"X": draw(4, 3, dtype=dtype)}, {"hop_length": hop})
        overlap.case({"X": draw(2, 2, 4, 3, dtype=dtype)}, {"hop_length": hop})
        overlap.case({"X": draw(3, 4, 2, dtype=dtype)}, {"hop_length": hop, "axis": 0})
for size, hop, match in ((10, 1, "at most"), (0, 1, "frame_length"), (2, 0, "hop_length")):
    attrs = {"frame_length": size, "hop_length": hop}
    frame.error({"X": rand(9)}, attrs, error="ShapeError", match=match)
frame.error({"X": rand()}, {"frame_length": 1, "hop_length": 1}, error="ShapeError", match="0-D")
frame.error(
    {"X": rand(9, 2)},
    {"frame_length": 1, "hop_length": 1, "axis": 1},
    error="ShapeError",
    match="axis",
)
overlap.error({"X": rand(4)}, {"hop_length": 1}, error="ShapeError", match="rank 2")
overlap.error({"X": rand(4, 0)}, {"hop_length": 1}, error="ShapeError", match="elements")
overlap.error({"X": rand(4, 2)}, {"hop_length": 5}, error="ShapeError", match="at most the 4")
overlap.error({"X": rand(4, 2)}, {"hop_length": -1}, error="ShapeError", match="hop_length")
test_frame = frame.tests()
test_overlap_add = overlap.tests()


def number(value: float, dtype: str) -> np.ndarray:
    return np.array([value], dtype)


logspace = OpTable("logspace")
for dtype, code in (("float32", 5), ("float64", 6), ("int32", 2), ("int64", 3)):
    for count in (1, 4, 7):
        inputs = {
            "Start": number(0, dtype),
            "Stop": number(4 if code < 5 else 2.5, dtype),
            "Num": number(count, "int32"),
            "Base": number(2, dtype),
        }
        logspace.case(inputs, {"dtype": code}, params=("Num",))
POWERS = {
    "Start": number(0, "float32"),
    "Stop": number(1, "float32"),
    "Num": number(0, "int32"),
    "Base": number(2, "float32"),
}
logspace.error(POWERS, {"dtype": 5}, error="ShapeError", match="Num")
logspace.error(POWERS | {"Num": number(2, "int64")}, {"dtype": 0}, match="dtype")
logspace.error(
    POWERS | {"Num": number(2, "int64"), "Base": rand(2)}, {"dtype": 5}, match="Base has shape"
)
test_logspace = logspace.tests()


def sloped(inputs: Slots, attrs: Slots) -> Slots:
    mean = (attrs.get("lower", 0.125) + attrs.get("upper", 1 / 3)) / 2
    x = inputs["X"]
    slope = np.where(x < 0, mean, 1).astype(x.dtype)
    return {"Out": x * slope, "Noise": slope}


def drawn_slopes(x: Any) -> Any:
    def check(outputs: Values) -> None:
        slope, out = outputs["Noise"][0][0], outputs["Out"][0][0]
        np.testing.assert_array_equal(out, x * slope)
        assert (slope[x >= 0] == 1).all()
        below = slope[x < 0]
        assert (below >= 0.25).all() and (below <= 0.5).all() and len(set(below)) > 10

    return check


rrelu = OpTable("rrelu")
for dtype in ("float32", "float64"):
    rrelu.case({"X": rand(3, 4, dtype=dtype)}, {"is_test": True})
    for lower, upper in ((0.1, 0.3), (-0.5, 2.0)):
        attrs = {"is_test": True, "lower": lower, "upper": upper}
        rrelu.case(
            {"X": rand(3, 4, dtype=dtype)},
            attrs,
            outputs={"Out": 1, "Noise": 1},
            reference=sloped,
        )
x = rand(10, 10)
rrelu.case(
    {"X": x},
    {"lower": 0.25, "upper": 0.5},
    outputs={"Out": 1, "Noise": 1},
    check=drawn_slopes(x),
)
rrelu.error({"X": rand(3)}, {"lower": 0.5, "upper": 0.1}, error="ShapeError", match="lower")
test_rrelu = rrelu.tests()


def probabilities(axis: int, hard: bool, dtype: str) -> Any:
    def check(outputs: Values) -> None:
        out = outputs["Out"][0][0]
        assert out.dtype == dtype
        np.testing.assert_allclose(out.sum(axis), 1, atol=1e-5)
        assert (out >= 0).all()
        assert set(np.unique(out)) <= {0, 1} if hard else len(np.unique(out)) > 20

    return check


gumbel = OpTable("gumbel_softmax")
for dtype in ("float32", "float64"):
    for axis in (-1, 0, 1):
        for hard in (False, True):
            gumbel.case(
                {"X": rand(5, 4, 3, dtype=dtype)},
                {"axis": axis, "hard": hard, "temperature": 0.7},
                check=probabilities(axis, hard, dtype),
            )


def frequent(outputs: Values) -> None:
    """Gumbel's noise makes the largest of logits what their softmax says."""
    shares = outputs["Out"][0][0].mean(0)
    np.testing.assert_allclose(shares, [0.7, 0.2, 0.1], atol=0.03)


logits = np.log(np.tile(np.array([0.7, 0.2, 0.1], "float32"), (20000, 1)))
gumbel.case({"X": logits}, {"hard": True}, check=frequent)
gumbel.error({"X": rand(3)}, {"temperature": 0.0}, error="ShapeError", match="temperature")
gumbel.error({"X": rand(3)}, {"axis": 1}, error="ShapeError", match="axis")
test_gumbel_softmax = gumbel.tests()

viterbi = OpTable("viterbi_decode")
for dtype in ("float32", "float64"):
    for bounded in (True, False):
        for lengths in ([5, 5, 5], [1, 3, 2], [4, 1, 5]):
            viterbi.case(
                {
                    "Input": rand(3, 5, 4, dtype=dtype),
                    "Transition": rand(4, 4, dtype=dtype),
                    "Length": np.array(lengths),
                },
                {"include_bos_eos_tag": bounded},
            )
TAGS = {"Input": rand(2, 5, 4), "Transition": rand(4, 4), "Length": np.array([1, 2])}
viterbi.case(
    TAGS | {"Length": np.array([0, 0])},
    reference=lambda i, a: {"Scores": np.zeros(2, "float32"), "Path": np.zeros((2, 0), "int64")},
)
viterbi.error(TAGS | {"Input": np.zeros((5, 4), "float32")}, error="ShapeError", match="sentences")
viterbi.error(TAGS | {"Length": np.array([1, 6])}, error="ShapeError", match="holds 6")
viterbi.error(TAGS | {"Length": np.array([1])}, error="ShapeError", match="Length")
viterbi.error(TAGS | {"Transition": rand(4, 3)}, error="ShapeError", match="Transition")
viterbi.error(TAGS | {"Transition": randint(4, 4)}, error="DataTypeError", match="Transition")
test_viterbi_decode = viterbi.tests()

position = OpTable("add_position_encoding")
for dtype in ("float32", "float64"):
    for alpha, beta in ((1.0, 1.0), (0.5, 2.0)):
        attrs = {"alpha": alpha, "beta": beta}
        position.case({"X": rand(2, 5, 6, dtype=dtype)}, attrs)
        position.case({"X": rand(2, 5, 2, dtype=dtype)}, attrs)
        position.case({"X": lod(rand(7, 4, dtype=dtype), [[0, 3, 7]])}, attrs)
position.error({"X": rand(2, 5, 3)}, error="ShapeError", match="even")
position.error({"X": rand(5, 4)}, error="ShapeError", match="rank 3")
test_add_position_encoding = position.tests()

match = OpTable("bipartite_match")
for dtype in ("float32", "float64"):
    for shape in ((3, 5), (5, 3), (1, 1), (20, 30)):
        for kind in ("bipartite", "per_prediction"):
            for threshold in (0.5, 0.8):
                match.case(
                    {"DistMat": rand(*shape, low=-0.2, dtype=dtype)},
                    {"match_type": kind, "dist_threshold": threshold},
                )
match.case({"DistMat": lod(rand(6, 4, low=0), [[0, 2, 6]])}, {"match_type": "per_prediction"})
match.error({"DistMat": np.full((1, 1), np.nan)}, match="NaN")
match.error({"DistMat": rand(2, 2)}, {"match_type": "all"}, match="match_type")
match.error({"DistMat": rand(2)}, error="ShapeError", match="DistMat")
test_bipartite_match = match.tests()

l1_norm = OpTable("l1_norm")
for dtype in ("float32", "float64"):
    for shape in ((3, 4), (5,), (), (0, 2)):
        l1_norm.case(
            {"X": rand(*shape, dtype=dtype)},
            reference=lambda i, a: {"Out": np.abs(i["X"]).sum(dtype=i["X"].dtype)},
        )
l1_norm.error({"X": randint(3)}, error="DataTypeError", match="int64")
test_l1_norm = l1_norm.tests()


def cut(size: int, count: int, kernel: int, random: float) -> list[tuple[int, int]]:
    """The windows along an axis, from the definition in single precision."""
    f = np.float32
    alpha = f(size - kernel) / f(max(count - (kernel > 0), 1))
    u = f(random)
    if not kernel:
        base = size // count
        most = min(f(base + 2) / alpha - f(1), f(size + 1 - base) / alpha - f(count - 1))
        u = u * most
    places = [int((f(i) + u) * alpha) - int(u * alpha) for i in range(count + 1)]
    if kernel:
        return [(at, min(at + kernel, size)) for at in places[:-1]]
    return [(a, min(b, size)) for a, b in itertools.pairwise(places)]


def fractional(inputs: Slots, attrs: Slots) -> Slots:
    x, sizes = inputs["x"], attrs["output_size"]
    kernel = attrs.get("kernel_size", [0] * len(sizes))
    windows = [
        cut(size, count, k, attrs["random_u"])
        for size, count, k in zip(x.shape[2:], sizes, kernel, strict=True)
    ]
    out = np.zeros((*x.shape[:2], *sizes), x.dtype)
    mask = np.zeros(out.shape, "int32")
    places = np.arange(np.prod(x.shape[2:])).reshape(x.shape[2:])
    for at in np.ndindex(*sizes):
        box = tuple(slice(*windows[d][i]) for d, i in enumerate(at))
        part = x[(slice(None), slice(None), *box)].reshape(*x.shape[:2], -1)
        out[(slice(None), slice(None), *at)] = part.max(-1)
        mask[(slice(None), slice(None), *at)] = places[box].ravel()[part.argmax(-1)]
    return {"out": out, "mask": mask}


def of_picture(x: Any) -> Any:
    """Whatever is drawn: maxima of the picture, the last place always among them."""

    def check(outputs: Values) -> None:
        out = outputs["out"][0][0]
        assert out.shape == (1, 2, 3, 3) and np.isin(out, x).all()
        assert out.max() == x.max()

    return check


pools = {}
pools["2d"] = OpTable("fractional_max_pool2d")
pools["3d"] = OpTable("fractional_max_pool3d")
for name, shape, sizes, kernels in (
    ("2d", (2, 3, 7, 9), ([3, 4], [7, 9], [1, 1], [5, 2]), ([2, 3], [1, 1], [7, 9], [3, 8])),
    ("3d", (1, 2, 5, 7, 6), ([2, 3, 4], [5, 1, 6]), ([3, 2, 3], [1, 7, 1])),
):
    pool = pools[name]
    both = {"out": 1, "mask": 1}
    for size, kernel in zip(sizes, kernels, strict=True):
        for u in (0.3, 0.9):
            for dtype in ("float32", "float64"):
                x = rand(*shape, dtype=dtype)
                attrs = {"output_size": size, "random_u": u}
                pool.case({"x": x}, attrs, outputs=both, reference=fractional)
                attrs |= {"kernel_size": kernel}
                pool.case({"x": x}, attrs, outputs=both, reference=fractional)
    rank = len(sizes[0])
    x = rand(*shape)
    pool.case(
        {"x": x},
        {"output_size": sizes[0], "random_u": 0.5},
        reference=lambda i, a: {"out": fractional(i, a)["out"]},
    )
    pool.error({"x": x}, {"output_size": [10] * rank}, error="ShapeError", match="fit")
    pool.error({"x": x}, {"output_size": [0] * rank}, error="ShapeError", match="positive")
    pool.error({"x": x}, {"output_size": [2] * rank, "random_u": 1.0}, match="random_u")
    pool.error({"x": rand(2, 3)}, {"output_size": [1] * rank}, error="ShapeError", match="rank")
    if name == "2d":
        picture = rand(1, 2, 6, 6)
        pool.case({"x": picture}, {"output_size": [3, 3]}, check=of_picture(picture))
        test_fractional_max_pool2d = pool.tests()
    else:
        test_fractional_max_pool3d = pool.tests()
