"""ADD, DIV, FLOOR_DIV, CAST, CONCAT, ASSIGN, FLATTEN, GATHER and FILL on the numbers of a shape."""

import numpy as np
import pytest
from nnadapter.operations.test_folding import CANDIDATES, Builder

from lite.errors import DeviceError
from lite.nnadapter import capi

N, C, H, W = range(4)


def gathered(b, *axes):
    return b.op("GATHER", b.shape(), list(axes), 0)


def test_expand_to_gathered_dimensions():
    b = Builder()
    ones = b.op("FILL", gathered(b, N, -1), 1.0)
    y = b.op("EXPAND", ones, b.op("CONCAT", [4], gathered(b, N, W), 0))
    b.check(
        *(y, lambda x: np.ones((4, x.shape[0], x.shape[3]), np.float32)),
        *([4, -1, -1], [[4, 2, 5], [4, 1, 6]]),
    )


def test_fill_with_sums_and_quotients():
    b = Builder()
    more = b.op("ADD", b.part(2, 4), [2], 0)
    halves = b.op("DIV", b.op("ASSIGN", b.op("FLATTEN", b.part(1, 4), 0, 0)), [2], 0)
    y = b.op("FILL", b.op("CONCAT", more, halves, 0), [7])
    b.check(
        y,
        lambda x: np.full([x.shape[2] + 2, x.shape[3] + 2, *(s // 2 for s in x.shape[1:])], 7),
        [-1, -1, 1, -1, -1],
        [[6, 7, 1, 2, 2], [10, 8, 1, 4, 3]],
    )


def test_floor_division_by_a_negative_number():
    b = Builder()
    y = b.op("FILL", b.op("ADD", b.op("FLOOR_DIV", b.part(3, 4), [-2], 0), [5], 0), [1])
    b.check(y, lambda x: np.ones(-(-x.shape[3] // 2) * -1 + 5), [-1], [[2], [2]])


def test_division_by_zero_leaves_the_number_open():
    b = Builder()
    wanted = b.op("FLOOR_DIV", b.part(3, 4), b.op("ADD", b.part(1, 2), [-3], 0), 0)
    y = b.op("FILL", wanted, [1])
    assert y.type.shape == (-1,)
    model = b.model.finish([b.x], [y])
    with pytest.raises(DeviceError, match="divides an integer by zero"):
        capi.run(model, ["builtin_device"], [np.zeros(CANDIDATES[0], np.float32)])


def test_numbers_beyond_32_bits_are_open():
    b = Builder()
    big = b.op("ADD", b.part(3, 4), [2**31 - 1], 0)
    assert b.op("FILL", b.op("CAST", big, 7), [1]).type.shape == (-1,)


def test_transposed_convolution_to_the_size_of_another_image():
    b = Builder()
    weights = b.model.constant(np.ones((3, 2, 3, 3), np.float32))
    small = b.op("AVERAGE_POOL_2D", b.x, 0, [0, 0, 0, 0], [2, 2], [2, 2], True, False, 0)
    size = b.op("CAST", b.op("CAST", b.part(2, 4), 7), 5)
    y = b.op(
        *("CONV_2D_TRANSPOSE", small, weights, None, 0, [1, 1, 1, 1], [2, 2], 1, [1, 1]),
        *(None, size, 0),
    )
    assert [list(y.type.dimensions.dynamic_data[i][:4]) for i in range(2)] == [
        [2, 2, 4, 5],
        [1, 2, 8, 6],
    ]


def test_gather_beyond_the_rank_is_refused():
    b = Builder()
    with pytest.raises(DeviceError, match=r"indices has 4, expected numbers in \[-4, 4\)"):
        gathered(b, 4)
