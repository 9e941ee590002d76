"""Branches, loops and lists of tensors, in forms that the exporter turns into if and while."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
from cases import add, f, i
from paddle import nn
from paddle.autograd import PyLayer


def if_sum(x: Any) -> Any:
    if x.sum() > 0:
        y = x + 1
        x = x - 3
    else:
        y = x * 2
    return y + x


add(if_sum, {"x": f(2, 3) + 3}, {"x": f(4, 3) - 3})


class IfNested(nn.Layer):
    """Nested branches with layers inside, captured values, several results."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)

    def forward(self, x: Any) -> Any:
        y = self.a(x)
        m = x.mean()
        if m > 0:
            if m > 1:
                z = y * 2
                k = self.b(x)
            else:
                z = y - x
                k = y
        else:
            z = self.b(y)
            k = x * m
        return z, k, y


add(IfNested, {"x": f(2, 3) + 3}, {"x": f(3, 3) * 0.1 + 0.5}, {"x": f(4, 3) - 3})


def while_counter(x: Any, n: Any) -> Any:
    k = paddle.zeros([], "int64")
    while k < n:
        x = x * 1.5 + k.astype("float32")
        k = k + 1
    return x, k


add(while_counter, {"x": f(2, 3), "n": np.array(3)}, {"x": f(1, 3), "n": np.array(0)})


def while_cache(x: Any) -> Any:
    """A value that grows from turn to turn."""
    cache = x
    k = paddle.to_tensor(0)
    while k < 4:
        cache = paddle.concat([cache, cache[:, -1:] * 0.5], 1)
        k += 1
    return cache


add(while_cache, {"x": f(2, 3)}, {"x": f(1, 5)}, dynamic={"x": [1]})


def list_append(x: Any) -> Any:
    """A list that is filled in a loop: a tensor array."""
    rows = []
    for k in range(x.shape[0]):
        rows.append(x[k] * 2)
    return paddle.stack(rows)


add(list_append, {"x": f(3, 4)}, {"x": f(5, 4)})


def loop_break(x: Any) -> Any:
    total = paddle.zeros([1])
    for k in range(x.shape[0]):
        total = total + x[k]
        if total > 3:
            break
    return total


add(loop_break, {"x": f(6, 1) + 2}, {"x": f(4, 1) - 2})


def early_return(x: Any) -> Any:
    if x.max() > 1.5:
        return x - x.max()
    y = x * 3
    if y.min() < -3:
        return y + 10
    return y


add(early_return, {"x": f(8, 3)}, {"x": f(2, 3) * 0.1}, {"x": -f(3, 3).clip(0) - 1})


class GreedyDecode(nn.Layer):
    """An autoregressive decoder: the loop carries ids, a state and a flag."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(10, 6)
        self.cell = nn.GRUCell(6, 6)
        self.head = nn.Linear(6, 10)

    def forward(self, state: Any) -> Any:
        ids = paddle.zeros([state.shape[0], 1], "int64")
        step = paddle.zeros([1], "int64")
        done = paddle.zeros([1], "bool")
        while step < 6 and not done:
            y, state = self.cell(self.table(ids[:, -1]), state)
            best = self.head(y).argmax(-1, keepdim=True)
            ids = paddle.concat([ids, best], 1)
            done = (best == 9).all().reshape([1])
            step += 1
        return ids, state


add(GreedyDecode, {"state": f(1, 6)}, {"state": f(3, 6)})


def nested_while(x: Any) -> Any:
    a = paddle.zeros([], "int64")
    total = paddle.zeros([])
    while a < x.shape[0]:
        c = paddle.zeros([], "int64")
        while c < x.shape[1]:
            if x[a, c] > 0:
                total = total + x[a, c]
            c += 1
        a += 1
    return total


add(nested_while, {"x": f(2, 3)}, {"x": f(3, 4)})


def while_api(x: Any) -> Any:
    k = paddle.full([1], 0, "int64")
    out = paddle.static.nn.while_loop(
        lambda k, y: k < 3, lambda k, y: [k + 1, paddle.tanh(y) + x], [k, x * 1]
    )
    return out[1]


add(while_api, {"x": f(2, 3)}, {"x": f(4, 3)})


def cond_api(x: Any, flag: Any) -> Any:
    return paddle.static.nn.cond(flag, lambda: (x + 1, x), lambda: (x, x - 1))


add(cond_api, {"x": f(2, 3), "flag": np.array(True)}, {"x": f(3, 3), "flag": np.array(False)})


def switch_case(x: Any, k: Any) -> Any:
    return paddle.static.nn.switch_case(
        k, {0: lambda: x + 1, 2: lambda: x * 2}, default=lambda: x - 5
    )


add(switch_case, *({"x": f(2, 3), "k": np.array([k], "int32")} for k in (0, 2, 7)))


def while_never(x: Any, n: Any) -> Any:
    """Values that pass a loop unchanged, two that swap."""
    a, c = x, x * 2
    while n > 0:
        a, c = c, a
        n = n - 1
    return a, c


add(while_never, {"x": f(2, 3), "n": np.array(3)}, {"x": f(1, 3), "n": np.array(0)})


def ternary(x: Any, ids: Any) -> Any:
    y = x if ids.sum() > 3 else -x
    return y, ids.max() if x.sum() > 0 else ids.min()


add(ternary, {"x": f(2, 3), "ids": i(5, 4)}, {"x": f(3, 3), "ids": i(1, 4)})


class Rounded(PyLayer):
    """One output, which its gradient passes by."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return paddle.round(x)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad


class Scaled(PyLayer):
    """A branch in the function, an output that is the input, a number."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any, factor: float) -> tuple[Any, Any]:
        made = x * y if x.sum() > 0 else x - y
        return made * factor, x

    @staticmethod
    def backward(ctx: Any, grad: Any, other: Any) -> tuple[Any, Any]:
        return grad, other


class PyLayers(nn.Layer):
    """Functions with gradients of their own, in a loop as well."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: Any, n: Any) -> Any:
        y = Rounded.apply(self.linear(x) * 8) / 8
        while n > 0:
            y = Rounded.apply(y * 1.5)
            n = n - 1
        made, same = Scaled.apply(y, x, 3.0)
        return made, same, Rounded.apply(x)


add(PyLayers, {"x": f(2, 3), "n": np.array(3)}, {"x": -f(4, 3), "n": np.array(0)})
