"""Programs with odd wiring, where wrong numbers would go unnoticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from fluid import Fluid, fluid
from recipes import Feed, images, model


def rows(*shapes: tuple[int, ...], name: str = "x") -> Callable[[], list[Feed]]:
    return lambda: [
        {name: np.random.RandomState(i).randn(*shape).astype("float32")}
        for i, shape in enumerate(shapes)
    ]


SMALL = rows((2, 4), (1, 4), (3, 4))


def conv(f: Fluid, x: str, cin: int, cout: int, k: int = 3, **attrs: Any) -> str:
    settings = {"strides": [1, 1], "paddings": [k // 2, k // 2], "dilations": [1, 1], "groups": 1}
    settings.update(attrs)
    weight = f.weight(cout, cin // settings["groups"], k, k)
    return f.op("conv2d", {"Input": x, "Filter": weight}, "Output", **settings)


def bias(f: Fluid, x: str, c: int) -> str:
    return f.op("elementwise_add", {"X": x, "Y": f.weight(c)}, axis=1)


def norm(f: Fluid, x: str, c: int) -> str:
    stats = {"Scale": f.weight(c), "Bias": f.weight(c), "Mean": f.weight(c)}
    stats["Variance"] = f.value(f"var_{f.count}", f.rng.uniform(0.5, 2, c).astype("float32"))
    slots = {
        "Y": f"bn_{f.count}.y",
        "MeanOut": stats["Mean"],
        "VarianceOut": stats["Variance"],
        "SavedMean": f"bn_{f.count}.m",
        "SavedVariance": f"bn_{f.count}.v",
    }
    return str(f.op("batch_norm", {"X": x, **stats}, slots, is_test=True, epsilon=1e-5)[0])


@model("edge_feed_fetched", SMALL)
@fluid
def feed_fetched(f: Fluid) -> Any:
    x = f.data("x", [-1, 4])
    return {"fetch": [x, f.op("relu", {"X": x})], "scaled": False}


@model("edge_only_feed", SMALL)
@fluid
def only_feed(f: Fluid) -> Any:
    return {"fetch": [f.data("x", [-1, 4])], "scaled": False}


@model("edge_fetched_twice", SMALL)
@fluid
def fetched_twice(f: Fluid) -> Any:
    y = f.fc(f.data("x", [-1, 4]), 3, 4, "relu")
    return {"fetch": [y, f.op("tanh", {"X": y}), y], "scaled": False}


@model("edge_intermediates", images((1, 3, 6, 6), (2, 3, 5, 7)))
@fluid
def intermediates(f: Fluid) -> Any:
    """Every value between the steps that fuse is fetched too."""
    x = f.data("x", [-1, 3, -1, -1])
    a = conv(f, x, 3, 4)
    b = bias(f, a, 4)
    c = norm(f, b, 4)
    d = f.op("relu", {"X": c})
    e = f.op("elementwise_add", {"X": d, "Y": a}, axis=-1)
    return {"fetch": [d, e, c, b, a], "scaled": False}


@model("edge_col_order", SMALL)
@fluid
def col_order(f: Fluid) -> Any:
    x = f.data("x", [-1, 4])
    outs = [f.fc(x, n, 4) for n in (2, 3, 5)]
    return {"fetch": outs, "cols": [2, 0, 1]}


def two_feeds() -> list[Feed]:
    rng = np.random.RandomState(3)
    return [
        {"b": rng.randn(n, 4).astype("float32"), "a": rng.randn(n, 4).astype("float32")}
        for n in (2, 1, 5)
    ]


@model("edge_feed_order", two_feeds)
@fluid
def feed_order(f: Fluid) -> Any:
    b, a = f.data("b", [-1, 4]), f.data("a", [-1, 4])
    out = f.op("elementwise_div", {"X": a, "Y": f.op("sigmoid", {"X": b})}, axis=-1)
    return {"fetch": [out], "feed_order": ["a", "b"]}


@model("edge_unused_feed", two_feeds)
@fluid
def unused_feed(f: Fluid) -> Any:
    f.data("b", [-1, 4])
    return [f.op("relu", {"X": f.data("a", [-1, 4])})]


@model("edge_written_twice", SMALL)
@fluid
def written_twice(f: Fluid) -> Any:
    """One name, three values; the second is read between."""
    x = f.data("x", [-1, 4])
    f.op("relu", {"X": x}, {"Out": "v"})
    a = f.op("scale", {"X": "v"}, scale=2.0, bias=1.0)
    f.op("tanh", {"X": x}, {"Out": "v"})
    b = f.op("elementwise_add", {"X": a, "Y": "v"}, axis=-1)
    f.op("elementwise_add", {"X": "v", "Y": b}, {"Out": "v"}, axis=-1)
    return {"fetch": ["v", a, b], "scaled": False}


@model("edge_in_place", images((1, 4, 5, 5), (2, 4, 3, 8)))
@fluid
def in_place(f: Fluid) -> Any:
    """Operators that write what they read, over a value that another branch still needs."""
    x = f.data("x", [-1, 4, -1, -1])
    y = conv(f, x, 4, 4)
    keep = f.op("sigmoid", {"X": y})
    f.op("relu", {"X": y}, {"Out": y})
    f.op("elementwise_add", {"X": y, "Y": x}, {"Out": y}, axis=-1)
    f.op("scale", {"X": y}, {"Out": y}, scale=0.5, bias=0.1)
    return {"fetch": [f.op("elementwise_mul", {"X": y, "Y": keep}, axis=-1), y], "scaled": False}


@model("edge_feed_overwritten", SMALL)
@fluid
def feed_overwritten(f: Fluid) -> Any:
    x = f.data("x", [-1, 4])
    a = f.op("tanh", {"X": x})
    f.op("relu", {"X": x}, {"Out": x})
    return {"fetch": [x, a, f.op("elementwise_add", {"X": x, "Y": a}, axis=-1)], "scaled": False}


@model("edge_reshape_in_place", images((1, 4, 4, 4), (2, 4, 2, 6)))
@fluid
def reshape_in_place(f: Fluid) -> Any:
    x = f.data("x", [-1, 4, -1, -1])
    y = f.op("relu", {"X": x})
    f.op("reshape2", {"X": y}, {"Out": y, "XShape": "xs"}, shape=[0, 2, -1])
    f.op("transpose2", {"X": y}, {"Out": "t", "XShape": "xt"}, axis=[0, 2, 1])
    f.op("relu", {"X": "t"}, {"Out": "t"})
    return {"fetch": ["t", y], "scaled": False}


@model("edge_parameter_fetched", SMALL)
@fluid
def parameter_fetched(f: Fluid) -> Any:
    x, w = f.data("x", [-1, 4]), f.weight(4, 3)
    out = f.op("mul", {"X": x, "Y": w}, x_num_col_dims=1, y_num_col_dims=1)
    return {"fetch": [w, out], "scaled": False}


@model("edge_constants_fetched", SMALL)
@fluid
def constants_fetched(f: Fluid) -> Any:
    """What folds to constants is fetched, through assigns and scales."""
    x, w = f.data("x", [-1, 4]), f.weight(4)
    a = f.op("assign", {"X": f.op("sqrt", {"X": f.op("abs", {"X": w})})})
    filled = f.op("fill_constant", {}, shape=[2, 3], value=2.5, dtype=5)
    counts = f.op("fill_constant", {}, shape=[3], value=7.0, dtype=3)
    out = f.op("elementwise_add", {"X": x, "Y": a}, axis=-1)
    return [a, filled, counts, out]


@model("edge_assign_chain", SMALL)
@fluid
def assign_chain(f: Fluid) -> Any:
    x = f.data("x", [-1, 4])
    a = f.op("assign", {"X": f.op("assign", {"X": x})})
    b = f.op("relu", {"X": f.op("assign", {"X": a})})
    c = f.op("scale", {"X": f.op("assign", {"X": b})}, scale=1.0, bias=0.0)
    return {"fetch": [f.op("assign", {"X": c}), a, b], "scaled": False}


@model("edge_same_weight", images((1, 4, 5, 5), (2, 4, 3, 8)))
@fluid
def same_weight(f: Fluid) -> Any:
    """One filter used by two convolutions whose batch norms differ; one bias used twice."""
    x = f.data("x", [-1, 4, -1, -1])
    w, b = f.weight(4, 4, 3, 3), f.weight(4)
    settings = {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}
    outs = []
    for _ in range(2):
        y = f.op("conv2d", {"Input": x, "Filter": w}, "Output", **settings)
        y = norm(f, f.op("elementwise_add", {"X": y, "Y": b}, axis=1), 4)
        x = f.op("relu", {"X": y})
        outs.append(x)
    plain = f.op("conv2d", {"Input": x, "Filter": w}, "Output", **settings)
    return [*outs, plain, f.op("elementwise_mul", {"X": plain, "Y": b}, axis=1)]


@model("edge_shared_output", images((1, 4, 5, 5), (2, 4, 3, 8)))
@fluid
def shared_output(f: Fluid) -> Any:
    """A convolution's output read twice: nothing may fold into it."""
    x = f.data("x", [-1, 4, -1, -1])
    y = conv(f, x, 4, 6)
    a = norm(f, y, 6)
    b = f.op("hard_swish", {"X": y}, threshold=6.0, scale=6.0, offset=3.0)
    g = f.op("pool2d", {"X": y}, pooling_type="avg", ksize=[1, 1], global_pooling=True)
    gate = f.op("hard_sigmoid", {"X": g}, slope=0.2, offset=0.5)
    out = f.op("elementwise_mul", {"X": a, "Y": gate}, axis=-1)
    return [out, f.op("elementwise_add", {"X": b, "Y": b}, axis=-1), g]


@model("edge_self_operands", SMALL)
@fluid
def self_operands(f: Fluid) -> Any:
    x = f.data("x", [-1, 4])
    a = f.op("elementwise_mul", {"X": x, "Y": x}, axis=-1)
    b = f.op("concat", {"X": [a, x, a, a]}, axis=1)
    c = f.op("matmul_v2", {"X": a, "Y": a}, trans_x=False, trans_y=True)
    return [b, c, f.op("elementwise_div", {"X": a, "Y": a}, axis=-1)]


@model("edge_integers", lambda: [{"x": np.arange(n * 3).reshape(n, 3) - 4} for n in (2, 1, 3)])
@fluid
def integers(f: Fluid) -> Any:
    """int64 through scale, add and assign, declared float32."""
    x = f.data("x", [-1, 3], "int64")
    a = f.op("scale", {"X": x}, scale=3.0, bias=-2.0)
    b = f.op("elementwise_add", {"X": a, "Y": x}, axis=-1)
    big = f.op("scale", {"X": x}, scale=1.0, bias=float(2**40))
    return [a, b, big, f.op("cast", {"X": b}, in_dtype=3, out_dtype=5)]
