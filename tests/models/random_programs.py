"""Random programs of the operators that vision models use: wiring that nobody thought of.

`python random_programs.py COUNT [SEED]` compares that many with Paddle and prints what differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from fluid import Fluid
from recipes import Feed, picture


@dataclass(frozen=True)
class Map:
    """A variable [N, c, H, W]; those of one `grid` have the same H and W."""

    name: str
    c: int
    grid: int


class Maker:
    """Appends operators at random to a program of one picture."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.RandomState(seed)
        self.f = Fluid(seed)
        self.grids = 1
        self.maps = [Map(self.f.data("x", [-1, 3, -1, -1]), 3, 0)]
        self.halvings = {0: 0}
        self.fetched: list[str] = []
        self.others: list[str] = []
        self.last: Map = self.maps[0]

    def pick(self, *items: Any) -> Any:
        return items[self.rng.randint(len(items))]

    def chance(self, p: float) -> bool:
        return bool(self.rng.rand() < p)

    def source(self) -> Map:
        """Mostly the last value, so that chains form that passes look for."""
        if self.chance(0.65):
            return self.last
        return self.maps[self.rng.randint(len(self.maps))]

    def put(self, name: str, c: int, grid: int) -> Map:
        self.last = Map(name, c, grid)
        if all(m.name != name for m in self.maps):
            self.maps.append(self.last)
        if self.chance(0.08):
            self.fetched.append(name)
        return self.last

    def target(self, x: Map, slot: str = "Out") -> Any:
        """Where an operator that keeps the shape writes: often a new name, at times its input."""
        if x.name != "x" and x.name not in self.fetched and self.chance(0.15):
            return {slot: x.name}
        return slot

    def grid(self, x: Map, halve: int) -> int:
        self.grids += 1
        self.halvings[self.grids] = self.halvings[x.grid] + halve
        return self.grids

    def conv(self) -> None:
        x = self.source()
        stride = 2 if self.halvings[x.grid] < 2 and self.chance(0.3) else 1
        kind = self.pick("plain", "plain", "depthwise", "groups")
        groups = {"plain": 1, "depthwise": x.c, "groups": 2 if x.c % 2 == 0 else 1}[kind]
        cout = x.c if kind == "depthwise" else int(self.pick(2, 4, 6, 8, 16, 17))
        cout += cout % groups
        k, dilation = int(self.pick(1, 1, 3, 3, 5)), int(self.pick(1, 1, 1, 2))
        pad = dilation * (k // 2)
        attrs: dict[str, Any] = {
            "strides": [stride] * 2, "dilations": [dilation] * 2, "groups": groups,
            "paddings": [pad] * 2 if self.chance(0.8) else [pad] * 4,
        }  # fmt: skip
        if self.chance(0.1):
            attrs |= {"padding_algorithm": "SAME", "dilations": [1, 1]}
        weight = self.f.weight(cout, x.c // groups, k, k)
        op = "depthwise_conv2d" if kind == "depthwise" and self.chance(0.7) else "conv2d"
        y = self.f.op(op, {"Input": x.name, "Filter": weight}, "Output", **attrs)
        out = self.put(y, cout, self.grid(x, 1) if stride == 2 else x.grid)
        if self.chance(0.5):
            self.bias(out)
        if self.chance(0.5):
            self.norm()
        if self.chance(0.6):
            self.unary()

    def transposed(self) -> None:
        x = self.source()
        if self.halvings[x.grid] < 1:
            return
        cout = int(self.pick(2, 4, 5))
        weight = self.f.weight(x.c, cout, 4, 4)
        y = self.f.op("conv2d_transpose", {"Input": x.name, "Filter": weight}, "Output",
                      strides=[2, 2], paddings=[1, 1], dilations=[1, 1], groups=1)  # fmt: skip
        out = self.put(y, cout, self.grid(x, -1))
        if self.chance(0.5):
            self.bias(out)
        if self.chance(0.5):
            self.norm()

    def bias(self, x: Map | None = None) -> None:
        x = x or self.source()
        b = self.f.weight(x.c)
        axis = 1
        if self.chance(0.4):
            b = self.f.op("reshape2", {"X": b}, "Out XShape", shape=[1, x.c, 1, 1])[0]
            axis = -1
        kind = self.pick("elementwise_add", "elementwise_add", "elementwise_sub", "elementwise_mul")
        self.put(self.f.op(kind, {"X": x.name, "Y": b}, self.target(x), axis=axis), x.c, x.grid)

    def norm(self) -> None:
        x, f = self.source(), self.f
        stats = {"Scale": f.weight(x.c), "Bias": f.weight(x.c), "Mean": f.weight(x.c)}
        values = self.rng.uniform(0.5, 2, x.c).astype("float32")
        stats["Variance"] = f.value(f"var_{f.count}", values)
        n = f.count
        slots = {"Y": f"bn_{n}.y", "MeanOut": stats["Mean"], "VarianceOut": stats["Variance"],
                 "SavedMean": f"bn_{n}.m", "SavedVariance": f"bn_{n}.v"}  # fmt: skip
        y = f.op("batch_norm", {"X": x.name, **stats}, slots, is_test=True, epsilon=1e-5)[0]
        self.put(y, x.c, x.grid)

    def unary(self) -> None:
        x = self.source()
        kind, attrs = self.pick(
            ("relu", {}), ("relu6", {"threshold": 6.0}), ("sigmoid", {}), ("tanh", {}),
            ("hard_swish", {"threshold": 6.0, "scale": 6.0, "offset": 3.0}), ("abs", {}),
            ("hard_sigmoid", {"slope": 0.2, "offset": 0.5}), ("swish", {"beta": 1.0}),
            ("leaky_relu", {"alpha": 0.1}), ("gelu", {"approximate": False}), ("assign", {}),
            ("scale", {"scale": 1.7, "bias": 0.3, "bias_after_scale": self.chance(0.5)}),
            ("scale", {"scale": 1.0, "bias": 0.0}), ("scale", {"scale": -0.5, "bias": 0.0}),
            ("softmax", {"axis": 1}),
        )  # fmt: skip
        # Paddle itself computes gelu wrongly in place.
        slots = "Out" if kind in ("gelu", "softmax") else self.target(x)
        self.put(self.f.op(kind, {"X": x.name}, slots, **attrs), x.c, x.grid)

    def dropout(self) -> None:
        x = self.source()
        attrs: dict[str, Any] = {"dropout_prob": 0.3, "is_test": True}
        kind = self.pick("upscale_in_train", "downgrade_in_infer", "")
        if kind:
            attrs["dropout_implementation"] = kind
        self.put(self.f.op("dropout", {"X": x.name}, "Out Mask", **attrs)[0], x.c, x.grid)

    def pool(self) -> None:
        x = self.source()
        kind = self.pick("max", "avg")
        if self.halvings[x.grid] < 2 and self.chance(0.5):
            y = self.f.op("pool2d", {"X": x.name}, pooling_type=kind, ksize=[3, 3], strides=[2, 2],
                          paddings=[1, 1], exclusive=self.chance(0.5))  # fmt: skip
            self.put(y, x.c, self.grid(x, 1))
            return
        y = self.f.op("pool2d", {"X": x.name}, pooling_type=kind, ksize=[3, 3], strides=[1, 1],
                      paddings=[1, 1], exclusive=self.chance(0.5))  # fmt: skip
        self.put(y, x.c, x.grid)

    def gate(self) -> None:
        """Squeeze and excite, the gate on either side."""
        x, f = self.source(), self.f
        g = f.op("pool2d", {"X": x.name}, pooling_type="avg", ksize=[1, 1],
                 **self.pick({"adaptive": True}, {"global_pooling": True}))  # fmt: skip
        if self.chance(0.5):
            w = f.weight(x.c, x.c, 1, 1)
            g = f.op("conv2d", {"Input": g, "Filter": w}, "Output", strides=[1, 1],
                     paddings=[0, 0], dilations=[1, 1], groups=1)  # fmt: skip
            if self.chance(0.7):
                g = f.op("elementwise_add", {"X": g, "Y": f.weight(x.c)}, axis=1)
        else:
            g = f.op("squeeze2", {"X": g}, "Out XShape", axes=[2, 3])[0]
            w = f.weight(x.c, x.c)
            g = f.op(*self.pick(("mul", {"X": g, "Y": w}), ("matmul_v2", {"X": g, "Y": w})))
            g = f.op("elementwise_add", {"X": g, "Y": f.weight(x.c)}, axis=-1)
            if self.chance(0.5):
                g = f.op("unsqueeze2", {"X": g}, "Out XShape", axes=[2, 3])[0]
            else:
                g = f.op("reshape2", {"X": g}, "Out XShape", shape=[-1, x.c, 1, 1])[0]
        g = f.op(self.pick("sigmoid", "hard_sigmoid", "tanh"), {"X": g})
        kind = self.pick("elementwise_mul", "elementwise_mul", "elementwise_add")
        pair = {"X": x.name, "Y": g} if self.chance(0.8) else {"X": g, "Y": x.name}
        self.put(f.op(kind, pair, axis=-1), x.c, x.grid)
        if self.chance(0.2):
            self.fetched.append(g)

    def binary(self) -> None:
        x = self.source()
        same = [m for m in self.maps if m.c == x.c and m.grid == x.grid]
        y = same[self.rng.randint(len(same))]
        kind = self.pick("elementwise_add", "elementwise_add", "elementwise_mul", "elementwise_sub")
        pair = {"X": x.name, "Y": y.name} if self.chance(0.5) else {"X": y.name, "Y": x.name}
        self.put(self.f.op(kind, pair, self.target(x), axis=-1), x.c, x.grid)

    def scalar(self) -> None:
        x = self.source()
        s = self.f.weight(1) if self.chance(0.5) else self.f.op(
            "fill_constant", {}, shape=[1], value=1.3, dtype=5)  # fmt: skip
        kind = self.pick("elementwise_add", "elementwise_mul")
        pair = {"X": x.name, "Y": s} if self.chance(0.7) else {"X": s, "Y": x.name}
        self.put(self.f.op(kind, pair, axis=-1), x.c, x.grid)

    def concat(self) -> None:
        x = self.source()
        same = [m for m in self.maps if m.grid == x.grid]
        parts = [x, *(same[self.rng.randint(len(same))] for _ in range(self.rng.randint(1, 3)))]
        if sum(m.c for m in parts) > 64:
            return
        y = self.f.op("concat", {"X": [m.name for m in parts]}, axis=1)
        self.put(y, sum(m.c for m in parts), x.grid)

    def split(self) -> None:
        x, f = self.source(), self.f
        if x.c < 2:
            return
        f.count += 1
        names, first = [f"sp_{f.count}.a", f"sp_{f.count}.b"], int(self.rng.randint(1, x.c))
        if self.chance(0.5):
            f.op("split", {"X": x.name}, {"Out": names}, sections=[first, x.c - first], axis=1)
        else:
            for name, start, end in zip(names, (0, first), (first, x.c), strict=True):
                f.op(
                    "slice", {"Input": x.name}, {"Out": name}, axes=[1], starts=[start], ends=[end]
                )
        self.put(names[0], first, x.grid)
        self.put(names[1], x.c - first, x.grid)

    def shuffle(self) -> None:
        x, f = self.source(), self.f
        if x.c % 2:
            return
        y = f.op("flatten_contiguous_range", {"X": x.name}, "Out XShape", start_axis=2,
                 stop_axis=3)[0]  # fmt: skip
        y = f.op("reshape2", {"X": y}, "Out XShape", shape=[0, 2, x.c // 2, -1])[0]
        y = f.op("transpose2", {"X": y}, "Out XShape", axis=[0, 2, 1, 3])[0]
        self.back(x, f.op("reshape2", {"X": y}, "Out XShape", shape=[0, x.c, -1])[0])

    def back(self, x: Map, tokens: str) -> None:
        """[N, c, H*W] to x's shape: computed from it."""
        shape = self.f.op("shape", {"Input": x.name})
        if self.chance(0.5):
            inputs: dict[str, Any] = {"X": tokens, "Shape": shape}
        else:
            sizes = [
                self.f.op("slice", {"Input": shape}, axes=[0], starts=[i], ends=[i + 1])
                for i in range(4)
            ]
            inputs = {"X": tokens, "ShapeTensor": sizes}
        y = self.f.op("reshape2", inputs, "Out XShape", shape=[0, x.c, 1, -1])[0]
        self.put(y, x.c, x.grid)

    def attention(self) -> None:
        x, f = self.source(), self.f
        t = f.op("flatten_contiguous_range", {"X": x.name}, "Out XShape", start_axis=2,
                 stop_axis=3)[0]  # fmt: skip
        t = f.op("transpose2", {"X": t}, "Out XShape", axis=[0, 2, 1])[0]
        slots = {"Y": f"{t}.ln", "Mean": f"{t}.m", "Variance": f"{t}.v"}
        n = f.op("layer_norm", {"X": t, "Scale": f.weight(x.c), "Bias": f.weight(x.c)}, slots,
                 begin_norm_axis=2, epsilon=1e-5)[0]  # fmt: skip
        q = f.op("matmul_v2", {"X": n, "Y": f.weight(x.c, x.c)})
        q = f.op("elementwise_add", {"X": q, "Y": f.weight(x.c)}, axis=-1)
        q = f.op("scale", {"X": q}, scale=0.4, bias=0.0)
        a = f.op("softmax", {"X": f.op("matmul_v2", {"X": q, "Y": n}, trans_y=True)}, axis=-1)
        o = f.op("elementwise_add", {"X": f.op("matmul_v2", {"X": a, "Y": n}), "Y": t}, axis=-1)
        self.back(x, f.op("transpose2", {"X": o}, "Out XShape", axis=[0, 2, 1])[0])

    def resize(self) -> None:
        x = self.source()
        like = self.maps[self.rng.randint(len(self.maps))]
        shape = self.f.op("shape", {"Input": like.name})
        size = self.f.op("slice", {"Input": shape}, axes=[0], starts=[2], ends=[4])
        inputs: dict[str, Any] = {"X": x.name, "OutSize": size}
        if self.chance(0.4):
            parts = [
                self.f.op("slice", {"Input": shape}, axes=[0], starts=[i], ends=[i + 1])
                for i in (2, 3)
            ]
            inputs = {"X": x.name, "SizeTensor": parts}
        kind = self.pick("nearest", "bilinear")
        y = self.f.op(
            kind + "_interp_v2",
            inputs,
            interp_method=kind,
            out_h=-1,
            out_w=-1,
            align_corners=kind == "bilinear" and self.chance(0.5),
            align_mode=0,
        )
        self.put(y, x.c, like.grid)

    def head(self) -> None:
        """Pooled, flattened, classified: fetched."""
        x, f = self.source(), self.f
        g = f.op("pool2d", {"X": x.name}, pooling_type="avg", ksize=[1, 1], adaptive=True)
        g = f.op("flatten_contiguous_range", {"X": g}, "Out XShape", start_axis=1, stop_axis=-1)[0]
        act = self.pick("", "relu", "tanh")
        y = f.fc(g, 5, x.c, act)
        self.others.append(f.op("softmax", {"X": y}, axis=-1))
        if not act:  # those saturate, and rounding decides among equals
            self.others.append(f.op("arg_max", {"X": y}, axis=-1, dtype=3))


STEPS: list[tuple[str, int]] = [
    ("conv", 6), ("transposed", 1), ("bias", 2), ("norm", 2), ("unary", 5), ("dropout", 1),
    ("pool", 1), ("gate", 2), ("binary", 4), ("scalar", 1), ("concat", 2), ("split", 1),
    ("shuffle", 1), ("attention", 1), ("resize", 2), ("head", 1),
]  # fmt: skip


def random_program(seed: int, steps: int = 14) -> tuple[Callable[[str], None], list[Feed]]:
    """A way to save the program of this seed, and its runs."""

    def build(folder: str) -> None:
        maker = Maker(seed)
        kinds = [name for name, weight in STEPS for _ in range(weight)]
        for _ in range(steps):
            getattr(maker, kinds[maker.rng.randint(len(kinds))])()
        fetched = list(dict.fromkeys([*maker.fetched, *maker.others, maker.last.name]))
        maker.f.save(folder, fetched, scaled=maker.chance(0.5))

    rng = np.random.RandomState(seed)
    shapes = [(1, 3, 12, 16), (2, 3, 8, 8), (int(rng.randint(1, 4)), 3, *rng.randint(7, 23, 2))]
    return build, [{"x": picture(shape, i + seed)} for i, shape in enumerate(shapes)]


def main(count: int, seed: int) -> None:
    import tempfile
    import traceback

    from recipes import Recipe
    from test_models import compare

    for number in range(seed, seed + count):
        build, feeds = random_program(number)
        recipe = Recipe(f"random_{number}", build, lambda feeds=feeds: feeds)
        with tempfile.TemporaryDirectory() as root:
            try:
                compare(recipe, root)
            except Exception:
                print(recipe.name, traceback.format_exc()[-1200:], flush=True)


if __name__ == "__main__":
    import sys

    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
