"""Parts that concat joins and split divides may lie in the memory of the whole: programs against
their operators one by one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness import core, rand

from lite.model.naive_buffer import program_bytes
from lite.model.program import Attr, AttrType, OpDesc, Program, VarDesc

Array = np.ndarray
_TYPES = {bool: AttrType.BOOLEAN, int: AttrType.INT, float: AttrType.FLOAT, str: AttrType.STRING}
_LISTS = {int: AttrType.INTS, float: AttrType.FLOATS}


def _attr(value: Any) -> Attr:
    return Attr(_LISTS[type(value[0])] if isinstance(value, list) else _TYPES[type(value)], value)


class Net:
    """Operators over values by name; methods add one and return the names of its results."""

    def __init__(self, **fed: Array) -> None:
        self.fed = fed
        self.params: dict[str, Array] = {}
        self.ops: list[tuple[str, dict[str, list[str]], dict[str, list[str]], dict[str, Any]]] = []
        self.shapes = {name: array.shape for name, array in fed.items()}
        self.outputs: list[str] = []

    def op(
        self,
        type: str,
        inputs: dict[str, list[str]],
        slot: str = "Out",
        count: int = 1,
        **attrs: Any,
    ) -> list[str]:
        names = [f"v{len(self.ops)}_{i}" for i in range(count)]
        self.ops.append((type, inputs, {slot: names}, attrs))
        values = {name: np.zeros(shape, "float32") for name, shape in self.shapes.items()}
        values.update(self.params)
        for name, array in zip(names, self._run(self.ops[-1], values), strict=True):
            self.shapes[name] = array.shape
        return names

    def param(self, *shape: int) -> str:
        name = f"p{len(self.params)}"
        self.params[name] = rand(*shape)
        return name

    def conv(self, x: str, oc: int, kernel: int = 1, groups: int = 1, **attrs: Any) -> str:
        ic = self.shapes[x][1]
        filter = self.param(oc, ic // groups, kernel, kernel)
        inputs = {"Input": [x], "Filter": [filter], "Bias": [self.param(oc)]}
        pads = attrs.pop("paddings", [kernel // 2, kernel // 2])
        type = "depthwise_conv2d" if groups == ic == oc else "conv2d"
        return self.op(type, inputs, "Output", paddings=pads, groups=groups, **attrs)[0]

    def concat(self, *parts: str, axis: int = 1) -> str:
        return self.op("concat", {"X": list(parts)}, axis=axis)[0]

    def split(self, x: str, *sections: int, axis: int = 1) -> list[str]:
        inputs = {"X": [x]}
        return self.op("split", inputs, count=len(sections), sections=list(sections), axis=axis)

    def unary(self, type: str, x: str, **attrs: Any) -> str:
        return self.op(type, {"X": [x]}, **attrs)[0]

    def binary(self, type: str, x: str, y: str, axis: int = -1) -> str:
        return self.op(type, {"X": [x], "Y": [y]}, axis=axis)[0]

    def pool(self, x: str, type: str, **attrs: Any) -> str:
        return self.unary("pool2d", x, pooling_type=type, **attrs)

    def shuffle(self, x: str, groups: int) -> str:
        _, c, h, w = self.shapes[x]
        parts = self.unary("reshape2", x, shape=[-1, groups, c // groups, h, w])
        turned = self.unary("transpose2", parts, axis=[0, 2, 1, 3, 4])
        return self.unary("reshape2", turned, shape=[-1, c, h, w])

    @staticmethod
    def _run(op: Any, values: dict[str, Array]) -> list[Array]:
        type, inputs, outputs, attrs = op
        arrays: dict[str, Any] = {
            slot: [(values[name], []) for name in names] for slot, names in inputs.items()
        }
        counts = {slot: len(names) for slot, names in outputs.items()}
        result = core().run_op(type, arrays, counts, attrs, dynamic=True)
        return [np.asarray(array) for slot in outputs for array, _ in result[slot]]

    def alone(self, fed: dict[str, Array]) -> list[Array]:
        """Every operator by its reference kernel."""
        values = {**fed, **self.params}
        for op in self.ops:
            names = [name for slot in op[2].values() for name in slot]
            values.update(zip(names, self._run(op, values), strict=True))
        return [values[name] for name in self.outputs]

    def program(self) -> Program:
        program = Program(params=dict(self.params))
        block = program.root
        for column, name in enumerate(self.fed):
            feed = OpDesc("feed", {"X": ["feed"]}, {"Out": [name]})
            feed.set_attr("col", AttrType.INT, column)
            block.ops.append(feed)
            block.vars[name] = VarDesc(name, shape=(-1,) * self.fed[name].ndim)
        for name, array in self.params.items():
            block.vars[name] = VarDesc(name, shape=array.shape, persistable=True)
        for type, inputs, outputs, attrs in self.ops:
            op = OpDesc(type, dict(inputs), dict(outputs))
            op.attrs = {name: _attr(value) for name, value in attrs.items()}
            block.ops.append(op)
            for names in outputs.values():
                block.vars.update({name: VarDesc(name) for name in names})
        for column, name in enumerate(self.outputs):
            fetch = OpDesc("fetch", {"X": [name]}, {"Out": ["fetch"]})
            fetch.set_attr("col", AttrType.INT, column)
            block.ops.append(fetch)
        return program

    def predictor(self, program: Program | None = None) -> Any:
        program = program or self.program()
        return core().Predictor.from_program(program_bytes(program), program.params)

    def check(self, *other_feeds: dict[str, Array], program: Program | None = None) -> Any:
        """Runs the program, or what became of it, on its inputs and the others, twice, with one
        thread and two."""
        predictor = self.predictor(program)
        for fed in (self.fed, *other_feeds, self.fed):
            expected = self.alone(fed)
            results = []
            for threads in (1, 2):
                predictor.set_threads(threads)
                for i, array in enumerate(fed.values()):
                    predictor.set_input(i, array)
                predictor.run()
                results.append([predictor.copy_output(i) for i in range(len(self.outputs))])
            for name, one, two, right in zip(self.outputs, *results, expected, strict=True):
                assert one.shape == right.shape, name
                np.testing.assert_array_equal(one, two, err_msg=name)
                tolerance = 2e-5 * max(1.0, float(np.abs(right).max()))
                np.testing.assert_allclose(one, right, rtol=0, atol=tolerance, err_msg=name)
        return predictor


def resized(net: Net, x: str, type: str, **attrs: Any) -> str:
    height, width = net.shapes[x][2:]
    return net.op(type, {"X": [x]}, out_h=height, out_w=width, **attrs)[0]


def wide(net: Net, x: str) -> str:
    """A sum over more than one block of K, with a step that may not be taken early."""
    grown = net.conv(x, 600)
    return net.unary("sigmoid", net.binary("elementwise_mul", net.conv(grown, 11), grown_gate(net)))


def grown_gate(net: Net) -> str:
    return net.param(1, 11, 1, 1)


def gated(net: Net, x: str) -> str:
    gate = net.unary("hard_sigmoid", net.pool(x, "avg", global_pooling=True))
    return net.binary("elementwise_mul", net.unary("relu", x), gate)


def residual(net: Net, x: str) -> str:
    channels = net.shapes[x][1]
    return net.unary("relu", net.binary("elementwise_add", net.conv(x, channels, 3), x))


# What reads a slice of 13 channels and writes one.
KINDS: dict[str, Callable[[Net, str], str]] = {
    "1x1": lambda net, x: net.conv(x, 7),
    "1x1 relu6": lambda net, x: net.conv(x, 33, with_act=True, act_type="relu6"),
    "1x1 tanh": lambda net, x: net.unary("tanh", net.conv(x, 5)),
    "3x3": lambda net, x: net.conv(x, 9, 3),
    "3x3 without padding": lambda net, x: net.conv(
        net.unary("pad2d", x, paddings=[1, 1, 1, 1], mode="constant", pad_value=0.5),
        9, 3, paddings=[0, 0],
    ),
    "3x3 dilated": lambda net, x: net.conv(x, 9, 3, paddings=[2, 2], dilations=[2, 2]),
    "3x3 of many channels": lambda net, x: net.conv(net.conv(x, 40, 3), 40, 3),
    "3x3 to few": lambda net, x: net.conv(x, 2, 3, with_act=True, act_type="relu"),
    "3x3 to one, gated": lambda net, x: net.unary(
        "tanh", net.binary("elementwise_mul", net.conv(x, 1, 3), net.conv(x, 1))
    ),
    "groups": lambda net, x: net.conv(x, 26, 3, groups=13),
    "wide": wide,
    "depthwise 3x3": lambda net, x: net.conv(x, 13, 3, groups=13),
    "depthwise 5x5": lambda net, x: net.unary("hard_swish", net.conv(x, 13, 5, groups=13)),
    "depthwise 7x7 tanh": lambda net, x: net.unary("tanh", net.conv(x, 13, 7, groups=13)),
    "max pool": lambda net, x: net.pool(x, "max", ksize=[3, 3], paddings=[1, 1]),
    "average pool": lambda net, x: net.pool(x, "avg", ksize=[3, 3], paddings=[1, 1]),
    "nearest": lambda net, x: resized(net, x, "nearest_interp_v2", interp_method="nearest"),
    "bilinear": lambda net, x: resized(net, x, "bilinear_interp_v2", interp_method="bilinear"),
    "nearest 2x": lambda net, x: net.binary(
        "elementwise_add",
        resized_twice(net, net.pool(x, "max", ksize=[2, 2], strides=[2, 2], ceil_mode=True), x), x,
    ),
    "gate": gated,
    "residual": residual,
    "chain": lambda net, x: net.unary("sigmoid", net.unary("relu", x)),
    "shuffle": lambda net, x: net.unary("shuffle_channel", net.conv(x, 12), group=3),
    "transposed": lambda net, x: transposed(net, x),
    "softmax": lambda net, x: net.unary("softmax", x, axis=1),
    "prelu": lambda net, x: net.unary("leaky_relu", x, alpha=0.3),
    "split again": lambda net, x: net.concat(*reversed(net.split(x, 4, 1, 8))),
}  # fmt: skip


def resized_twice(net: Net, small: str, x: str) -> str:
    height, width = net.shapes[x][2:]
    return net.op(
        "nearest_interp_v2", {"X": [small]}, out_h=height, out_w=width, interp_method="nearest"
    )[0]


def transposed(net: Net, x: str) -> str:
    inputs = {"Input": [x], "Filter": [net.param(net.shapes[x][1], 6, 3, 3)]}
    return net.op("conv2d_transpose", inputs, "Output", paddings=[1, 1])[0]


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str) -> None:
    net = Net(x=rand(2, 6, 9, 7))
    first, part, last = net.split(net.conv("x", 30), 7, 13, 10)
    made = KINDS[kind](net, part)
    joined = net.concat(net.conv(last, 5), made, first, net.conv(part, 3))
    net.outputs = [net.conv(joined, 4, 3)]
    net.check({"x": rand(1, 6, 9, 7)})


def test_nothing_is_copied() -> None:
    """Beside the whole there is the input in NHWC, no part."""
    net = Net(x=rand(1, 8, 16, 16))
    parts = [net.conv("x", 16), net.conv("x", 32, 3), net.conv("x", 16)]
    net.outputs = [net.conv(net.concat(*parts), 4)]
    assert net.check().arena_bytes() == 16 * 16 * (64 + 8) * 4


def test_results_that_are_outputs_and_have_several_readers() -> None:
    net = Net(x=rand(2, 8, 5, 3))
    a, b, c = net.conv("x", 5), net.conv("x", 3, 3), net.conv("x", 4)
    one, two = net.concat(a, b, c), net.concat(c, a, a)
    net.outputs = [one, net.conv(one, 6), b, net.conv(two, 3), net.unary("relu", a)]
    net.check()


def test_concat_of_concat() -> None:
    net = Net(x=rand(3, 8, 5, 7))
    inner = net.concat(net.conv("x", 5), net.conv("x", 3, 3))
    grown = net.conv(inner, 6, 3)
    outer = net.concat(inner, grown)
    again = net.concat(net.conv(outer, 2), outer, net.conv(outer, 9))
    net.outputs = [net.conv(again, 4)]
    net.check()


@pytest.mark.parametrize("axis", [0, 1, 2, 3])
@pytest.mark.parametrize("batch", [1, 2])
def test_other_axes(axis: int, batch: int) -> None:
    net = Net(x=rand(batch, 8, 6, 5))
    whole = net.concat(net.conv("x", 6), net.unary("relu", net.conv("x", 6)), axis=axis)
    parts = net.split(whole, net.shapes[whole][axis] - 1, 1, axis=axis)
    net.outputs = [net.unary("tanh", part) for part in parts]
    net.check()


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("rows", [1, 3])
def test_matrices(axis: int, rows: int) -> None:
    net = Net(x=rand(rows, 5))

    def fc(x: str, columns: int) -> str:
        weight = net.param(net.shapes[x][1], columns)
        return net.op("mul", {"X": [x], "Y": [weight]})[0]

    whole = net.concat(fc("x", 3), fc("x", 3), net.unary("relu", fc("x", 3)), axis=axis)
    cut = net.op("slice", {"Input": [whole]}, axes=[axis % 2], starts=[1], ends=[3])[0]
    only = net.op("slice", {"Input": [whole]}, axes=[0], starts=[0], ends=[1], decrease_axis=[0])[0]
    net.outputs = [fc(cut, 2), net.unary("exp", cut), net.unary("exp", only)]
    net.check({"x": rand(rows + 1, 5)})


@pytest.mark.parametrize("groups", [2, 3])
def test_shuffles(groups: int) -> None:
    net = Net(x=rand(2, 8, 5, 7))
    kept, worked = net.split(net.conv("x", 42), 21, 21)
    for _ in range(2):
        parts = [kept, *(net.conv(worked, 21, 3) for _ in range(groups - 1))]
        shuffled = net.shuffle(net.concat(*parts), groups)
        kept, worked, *_ = net.split(shuffled, *([21] * groups))
    net.outputs = [net.conv(net.concat(kept, worked), 3)]
    net.check({"x": rand(1, 8, 5, 7)})


def random_net(seed: int) -> Net:
    choose = random.Random(seed)
    net = Net(x=rand(choose.choice((1, 2)), 8, *choose.choice(((5, 7), (12, 9), (1, 1)))))
    values = [net.conv("x", choose.randint(2, 20)), net.conv("x", 12, 3)]

    def grow() -> list[str]:
        x = choose.choice(values)
        channels = net.shapes[x][1]
        kind = choose.randrange(9)
        if kind == 0:
            return [net.conv(x, choose.randint(1, 40), choose.choice((1, 3)))]
        if kind == 1:
            return [KINDS[choose.choice(("chain", "gate", "max pool", "nearest", "prelu"))](net, x)]
        if kind == 2 and channels > 1:
            return [net.conv(x, channels, 3, groups=channels)]
        if kind in (3, 4):
            return [net.concat(*(choose.choice(values) for _ in range(choose.randint(1, 4))))]
        if kind == 5 and channels > 2:
            first = choose.randint(1, channels - 2)
            return net.split(x, first, 1, channels - first - 1)
        if kind == 6:
            start = choose.randrange(channels)
            return net.op("slice", {"Input": [x]}, axes=[1], starts=[start], ends=[channels])
        same = [value for value in values if net.shapes[value] == net.shapes[x]]
        if kind == 7:
            return [net.binary("elementwise_add", x, choose.choice(same))]
        return [net.shuffle(x, 2)] if channels % 2 == 0 else []

    for _ in range(14):
        values += [value for value in grow() if net.shapes[value][1] < 200]
    net.outputs = [values[-1], *choose.sample(values[:-1], 2)]
    return net


@pytest.mark.parametrize("seed", range(60))
def test_random_nets(seed: int) -> None:
    net = random_net(seed)
    batch, *image = net.fed["x"].shape
    net.check({"x": rand(3 - batch, *image)})


@pytest.mark.parametrize("method", ["nearest", "bilinear"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_resized_image_is_added_to_a_chain(method: str, swapped: bool) -> None:
    net = Net(x=rand(2, 8, 10, 6), small=rand(2, 8, 5, 3))
    wide = net.conv("x", 11, 3)
    gate = net.unary("sigmoid", net.pool(wide, "avg", global_pooling=True))
    lateral = net.binary("elementwise_add", net.binary("elementwise_mul", wide, gate), wide)
    sizes: dict[str, Any] = {"out_h": 10, "out_w": 6, "interp_method": method}
    resized = net.op(f"{method}_interp_v2", {"X": [net.conv("small", 11)]}, **sizes)[0]
    pair = (resized, lateral) if swapped else (lateral, resized)
    net.outputs = [net.unary("relu", net.binary("elementwise_add", *pair)), gate]
    net.check({"x": rand(1, 8, 10, 6), "small": rand(1, 8, 4, 3)})
