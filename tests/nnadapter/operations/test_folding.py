"""Shapes that are computed from shapes are known when the model is built."""

import numpy as np
import pytest

from lite.nnadapter import capi
from lite.nnadapter.capi import Model
from lite.nnadapter.types import UNKNOWN

CANDIDATES = [[2, 3, 4, 5], [1, 3, 8, 6]]


class Builder:
    """A model whose input is [?, 3, ?, ?] with two candidates."""

    def __init__(self):
        self.model = Model()
        self.x = self.model.tensor(np.float32, [-1, 3, -1, -1], CANDIDATES)

    def op(self, kind, *inputs, outputs=1):
        operands = [self.as_operand(i) for i in inputs]
        results = self.model.operation(kind, operands, outputs)
        return results[0] if outputs == 1 else results

    def as_operand(self, given):
        if given is None or isinstance(given, capi.Operand):
            return given
        if isinstance(given, bool | float):
            return self.model.constant(given)
        return self.model.constant(np.atleast_1d(np.asarray(given, np.int32)))

    def shape(self):
        return self.op("SHAPE", self.x, 5)

    def part(self, start, end):
        return self.op("SLICE", self.shape(), [0], [start], [end], [1])

    def check(self, y, function, first, candidates, inputs=CANDIDATES):
        """The inferred shape and those of the candidates, then a run with each."""
        kind = y.type
        assert kind.shape == tuple(first)
        dims = kind.dimensions
        found = [list(dims.dynamic_data[i][: dims.count]) for i in range(dims.dynamic_count)]
        assert [[-1 if d == UNKNOWN else d for d in row] for row in found] == candidates
        model = self.model.finish([self.x], [y])
        for shape in inputs:
            x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
            (got,) = capi.run(model, ["builtin_device"], [x])
            np.testing.assert_array_equal(got, function(x))


def test_reshape_by_slice_and_concat_of_shape():
    b = Builder()
    shape = b.op("CONCAT", b.part(0, 1), [-1], 0)
    y = b.op("RESHAPE", b.x, shape)
    b.check(y, lambda x: x.reshape(len(x), -1), [-1, -1], [[2, 60], [1, 144]])


def test_reshape_to_the_product_of_dimensions():
    b = Builder()
    height, width = b.part(2, 3), b.part(3, 4)
    area = b.op("MUL", height, width, 0)
    shape = b.op("CONCAT", b.part(0, 2), area, 0)
    y = b.op("RESHAPE", b.x, shape)
    b.check(y, lambda x: x.reshape(*x.shape[:2], -1), [-1, 3, -1], [[2, 3, 20], [1, 3, 48]])


@pytest.mark.parametrize("kind", ["RESIZE_NEAREST", "RESIZE_LINEAR"])
def test_resize_to_twice_the_size(kind):
    b = Builder()
    size = b.op("MUL", b.part(2, 4), [2], 0)
    rest = [1] if kind == "RESIZE_LINEAR" else []
    y = b.op(kind, b.x, size, None, True, *rest)
    kind = y.type
    assert kind.shape == (-1, 3, -1, -1)
    dims = kind.dimensions
    assert [list(dims.dynamic_data[i][:4]) for i in range(2)] == [[2, 3, 8, 10], [1, 3, 16, 12]]
    model = b.model.finish([b.x], [y])
    (got,) = capi.run(model, ["builtin_device"], [np.ones((1, 3, 2, 3), np.float32)])
    assert got.shape == (1, 3, 4, 6) and np.allclose(got, 1)


@pytest.mark.parametrize(
    ("kind", "number", "expected"),
    [
        ("SUB", 1, [3, 7]),
        ("MAX", 6, [6, 8]),
        ("MIN", 6, [4, 6]),
        ("POW", 2, [16, 64]),
    ],
)
def test_arithmetic_folds(kind, number, expected):
    b = Builder()
    y = b.op("TILE", [[7]], b.op(kind, b.part(2, 3), [number], 0))
    b.check(
        *(y, lambda x: np.full([1, expected[CANDIDATES.index(list(x.shape))]], 7)),
        *([1, -1], [[1, n] for n in expected]),
    )


def test_scalars_are_stacked():
    b = Builder()
    first = b.op("SQUEEZE", b.part(0, 1), [0])
    last = b.op("SQUEEZE", b.part(3, 4), [0])
    seven = b.op("STACK", first, b.op("SQUEEZE", [-1], [0]), last, 0)
    y = b.op("RESHAPE", b.x, seven)
    b.check(
        *(y, lambda x: x.reshape(x.shape[0], -1, x.shape[3])),
        *([-1, -1, -1], [[2, 12, 5], [1, 24, 6]]),
    )


def test_split_and_reduce_fold():
    b = Builder()
    n, channels, _height, _width = b.op("SPLIT", b.shape(), 0, [1, 1, 1, 1], outputs=4)
    total = b.op("REDUCE_SUM", b.op("CONCAT", n, channels, 0), [0], True)
    y = b.op("TILE", [[7]], total)
    # The unused parts are outputs of the model, as a model may not leave them over.
    assert y.type.shape == (1, -1)
    dims = y.type.dimensions
    assert [list(dims.dynamic_data[i][:2]) for i in range(2)] == [[1, 5], [1, 4]]


def test_unsqueeze_range_and_transpose_fold():
    b = Builder()
    batch = b.op("UNSQUEEZE", b.op("SQUEEZE", b.part(0, 1), [0]), [0])
    y = b.op("RANGE", [0], batch, [1])
    b.check(y, lambda x: np.arange(len(x)), [-1], [[2], [1]])


def test_numbers_that_leave_int32_are_unknown():
    b = Builder()
    big = b.op("MUL", b.part(2, 3), [2**31 - 1], 0)
    y = b.op("TILE", [[7]], big)
    dims = y.type.dimensions
    assert y.type.shape == (1, -1)
    assert [list(dims.dynamic_data[i][:2]) for i in range(2)] == [[1, UNKNOWN]] * 2
