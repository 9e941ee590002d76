"""Control flow: loops, branches and lists of tensors, from Python code and from static programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F  # noqa: N812
from paddle import nn
from recipes import ConvBN, Feed, jit, model, picture

X = {"x": ([None, 3, None, None], "float32")}
ROWS = {"x": ([None, 6], "float32")}
CONTROL_FLOW = ["while", "conditional_block", "select_input"]


def rows(*counts: int, scale: float = 1.0) -> Any:
    """Runs of one input [count, 6]."""
    return lambda: [
        {"x": (scale * np.random.RandomState(n).randn(n, 6)).astype("float32")} for n in counts
    ]


class Refine(nn.Layer):
    """The same convolution as often as an input says; a weight that the loop alone reads."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvBN(3, 8, 3, 2)
        self.block = ConvBN(8, 8, 3)
        self.head = nn.Linear(8, 5)

    def forward(self, x: Any, n: Any) -> Any:
        y = self.stem(x)
        i = paddle.zeros([1], "int64")
        while i < n:
            y = self.block(y) * 0.5 + y
            i = i + 1
        return self.head(paddle.mean(y, axis=[2, 3])), i


def refine_feeds() -> list[Feed]:
    return [
        {"x": picture((b, 3, h, 16), h), "n": np.array([n], "int64")}
        for b, h, n in ((1, 16, 3), (2, 9, 0), (1, 16, 1), (3, 12, 6))
    ]


model("while_refine", refine_feeds, needs=CONTROL_FLOW)(jit(Refine, {**X, "n": ([1], "int64")}))


class Route(nn.Layer):
    """One of two branches, with convolutions in them, by what the picture looks like."""

    def __init__(self) -> None:
        super().__init__()
        self.bright = ConvBN(3, 4, 3)
        self.dark = ConvBN(3, 4, 1, act="hardswish")
        self.head = nn.Linear(4, 3)

    def forward(self, x: Any) -> Any:
        y = self.bright(x) if paddle.mean(x) > 0 else self.dark(x) * 2
        flat = paddle.mean(y, axis=[2, 3])
        if paddle.max(flat) > 100.0:
            flat = flat * 0.0
        return self.head(flat)


def route_feeds() -> list[Feed]:
    base = picture((1, 3, 12, 20), 4)
    other = picture((2, 3, 7, 9), 1) - 2
    return [{"x": x} for x in (base + 1, base - 1, other, base + 900)]


model("cond_route", route_feeds, needs=CONTROL_FLOW)(jit(Route, X))


class Nested(nn.Layer):
    """A branch in a loop in a branch."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(6, 6), nn.Linear(6, 6)

    def forward(self, x: Any) -> Any:
        steps = paddle.zeros([1], "int32")
        if x.shape[0] > 1:
            while steps < 5:
                if paddle.sum(x) > 0:  # noqa: SIM108 (a branch, not an expression)
                    x = F.tanh(self.down(x)) - 0.2
                else:
                    x = F.tanh(self.up(x)) + 0.3
                steps = steps + 1
        return x, steps


model("while_nested", rows(2, 1, 5, 2), needs=CONTROL_FLOW)(jit(Nested, ROWS))


class Collect(nn.Layer):
    """A decoder that puts each step's result in a list."""

    def __init__(self, stack: bool) -> None:
        super().__init__()
        self.cell = nn.GRUCell(6, 6)
        self.out = nn.Linear(6, 4)
        self.stack = stack

    def forward(self, x: Any, n: Any) -> Any:
        state, results = paddle.zeros_like(x), []
        for _ in range(n):
            y, state = self.cell(x, state)
            x = y * 0.5 + x
            results.append(self.out(y))
        return paddle.stack(results, axis=1) if self.stack else paddle.concat(results, axis=0)


def collect_feeds() -> list[Feed]:
    return [
        {"x": np.random.RandomState(b).randn(b, 6).astype("float32"), "n": np.array([n], "int64")}
        for b, n in ((1, 3), (2, 1), (2, 7))
    ]


for stack in (False, True):
    model(f"list_{'stack' if stack else 'concat'}", collect_feeds, needs=CONTROL_FLOW)(
        jit(lambda stack=stack: Collect(stack), {**ROWS, "n": ([1], "int64")})
    )


class Greedy(nn.Layer):
    """Words until the end word: a tensor that grows, a condition of two parts, an early break."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(12, 6)
        self.cell = nn.LSTMCell(6, 6)
        self.out = nn.Linear(6, 12)

    def forward(self, x: Any) -> Any:
        hidden, memory = x, paddle.zeros_like(x)
        word = paddle.zeros([x.shape[0]], "int64")
        sentence = paddle.unsqueeze(word, 1)
        i = paddle.zeros([1], "int64")
        while i < 9:
            y, (hidden, memory) = self.cell(self.words(word), (hidden, memory))
            word = paddle.argmax(self.out(y), axis=-1)
            sentence = paddle.concat([sentence, paddle.unsqueeze(word, 1)], axis=1)
            if paddle.all(word == 3):
                break
            i += 1
        return sentence, i


model("while_greedy", rows(1, 3, 2, scale=2.0), needs=CONTROL_FLOW)(jit(Greedy, ROWS))


class EachRow(nn.Layer):
    """A loop over a tensor's rows, and a list that is read again."""

    def forward(self, x: Any) -> Any:
        total, parts = paddle.zeros([6]), []
        for row in x:
            total = total * 0.9 + row
            parts.append(total)
        last = parts[-1]
        return paddle.stack(parts), last, paddle.to_tensor(len(parts))


model("for_each_row", rows(3, 1, 5), needs=CONTROL_FLOW)(jit(EachRow, ROWS))


def static(make: Callable[[], tuple[list[Any], list[Any]]]) -> Callable[[str], None]:
    """Saves a static program; `make` returns what is fed and fetched."""

    def build(folder: str) -> None:
        main, startup = paddle.static.Program(), paddle.static.Program()
        main.random_seed = startup.random_seed = 1
        with (
            paddle.static.program_guard(main, startup),
            paddle.static.scope_guard(paddle.static.Scope()),
        ):
            fed, fetched = make()
            executor = paddle.static.Executor(paddle.CPUPlace())
            executor.run(startup)
            paddle.static.save_inference_model(folder + "/inference", fed, fetched, executor)

    return build


@model("static_while", rows(2, 4), needs=CONTROL_FLOW)
@static
def static_while() -> tuple[list[Any], list[Any]]:
    x = paddle.static.data("x", [-1, 6], "float32")
    i = paddle.full([1], 0, "int64")
    array = paddle.tensor.create_array("float32")

    def more(i: Any, y: Any) -> Any:
        return paddle.less_than(i, paddle.full([1], 4, "int64"))

    def step(i: Any, y: Any) -> list[Any]:
        paddle.tensor.array_write(y, i, array)
        return [i + 1, F.relu(y) * 0.7 - 0.1]

    i, y = paddle.static.nn.while_loop(more, step, [i, x])
    second = paddle.tensor.array_read(array, paddle.full([1], 2, "int64"))
    return [x], [y, second, paddle.tensor.array_length(array)]


@model("static_case", rows(1, 2, 3, 4, 5), needs=CONTROL_FLOW)
@static
def static_case() -> tuple[list[Any], list[Any]]:
    x = paddle.static.data("x", [-1, 6], "float32")
    size = paddle.shape(x)[0]
    y = paddle.static.nn.switch_case(
        size - 1,
        {0: lambda: x * 2, 1: lambda: F.softmax(x), 3: lambda: x - 1},
        default=lambda: paddle.zeros_like(x),
    )
    z = paddle.static.nn.case(
        [(paddle.mean(x) > 0.3, lambda: y + 1), (paddle.mean(x) < -0.3, lambda: y - 1)],
        default=lambda: y * 3,
    )
    return [x], [y, z]
