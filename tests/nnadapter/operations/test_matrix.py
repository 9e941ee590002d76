"""MAT_MUL, FULLY_CONNECTED, GRID_SAMPLE."""

import itertools

import numpy as np
from nnadapter.operations.tables import Const, Quantised, Table, const, quantised, rand, randint


def mat_mul(x, y, transpose_x, transpose_y):
    x = x.swapaxes(-1, -2) if transpose_x[0] and x.ndim > 1 else x
    y = y.swapaxes(-1, -2) if transpose_y[0] and y.ndim > 1 else y
    return np.matmul(x, y)


MAT_MUL = Table("MAT_MUL", mat_mul)
NO, YES = const(False), const(True)
for left, right in [
    ((3, 4), (4, 5)),
    ((2, 3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((5, 1, 3, 4), (2, 4, 6)),
    ((4,), (4, 5)),
    ((3, 4), (4,)),
    ((4,), (4,)),
    ((2, 3, 4), (4,)),
    ((0, 4), (4, 5)),
]:
    MAT_MUL.case(rand(*left), rand(*right), NO, NO)
    MAT_MUL.case(rand(*left), Const(rand(*right)), NO, NO)
for transpose_x, transpose_y in itertools.product((NO, YES), (NO, YES)):
    left = (2, 4, 3) if transpose_x is YES else (2, 3, 4)
    right = (5, 4) if transpose_y is YES else (4, 5)
    MAT_MUL.case(rand(*left), rand(*right), transpose_x, transpose_y)
    MAT_MUL.case(rand(*left), Const(rand(*right)), transpose_x, transpose_y)
MAT_MUL.case(rand(4), rand(4), YES, YES)
for dtype in (np.int32, np.int64, np.float64):
    MAT_MUL.case(randint(2, 3, dtype=dtype), randint(3, 4, dtype=dtype), NO, NO)
MAT_MUL.case(quantised(rand(3, 4)), quantised(rand(4, 5)), NO, NO, scale=0.1)
MAT_MUL.bad(rand(3, 4), rand(3, 4), NO, NO, match="multiplied over 4 and 3 elements")
MAT_MUL.bad(rand(2, 3, 4), rand(3, 4, 5), NO, NO, match="do not broadcast")
MAT_MUL.bad(rand(3, 4), randint(4, 5), NO, NO, match="one type")
MAT_MUL.bad(rand(), rand(4, 5), NO, NO, match="x has rank 0")
test_mat_mul, test_bad_mat_mul = MAT_MUL.tests(), MAT_MUL.bad_tests()


def fully_connected(x, w, bias, code):
    out = x.reshape(-1, w.shape[1]) @ w.T
    out = out if bias is None else out + bias
    return (np.maximum(out, 0) if code[0] == 1 else out).astype(x.dtype)


FULLY_CONNECTED = Table("FULLY_CONNECTED", fully_connected)
w = rand(5, 12)
for shape in [(3, 12), (2, 3, 12), (2, 3, 2, 6)]:
    for bias in (None, Const(rand(5))):
        for code in (0, 1):
            FULLY_CONNECTED.case(rand(*shape), Const(w), bias, const(code))
FULLY_CONNECTED.case(rand(3, 12), w, rand(5), const(0))
per_unit = tuple(map(float, np.abs(w).max(1) / 127))
qw = Quantised(np.round(w / np.reshape(per_unit, (-1, 1))).astype(np.int8), per_unit, 0, True)
qx = quantised(rand(3, 12))
biases = np.round(rand(5) / (qx.scales[0] * np.array(per_unit))).astype(np.int32)
qb = Quantised(biases, tuple(qx.scales[0] * s for s in per_unit), 0, True)
FULLY_CONNECTED.case(qx, qw, qb, const(1), scale=0.1)
FULLY_CONNECTED.case(rand(3, 12), qw, None, const(0))
FULLY_CONNECTED.bad(rand(12), w, None, const(0), match="rank 2 or more")
FULLY_CONNECTED.bad(rand(3, 11), w, None, const(0), match="columns is 11, expected 12")
FULLY_CONNECTED.bad(rand(3, 5, 5), w, None, const(0), match="rows of 12 elements")
FULLY_CONNECTED.bad(rand(3, 12), w[0], None, const(0), match="num_units, input_size")
FULLY_CONNECTED.bad(rand(3, 12), w, rand(4), const(0), match="expected 5 elements")
test_fully_connected = FULLY_CONNECTED.tests()
test_bad_fully_connected = FULLY_CONNECTED.bad_tests()


def reflect(at, low, high):
    """Mirrored at low and high until it is between."""
    if high <= low:
        return 0.0
    span = high - low
    away = abs(at - low) % (2 * span)
    return low + min(away, 2 * span - away)


def grid_sample(x, grid, corners, mode, pad_mode):
    corners, mode, pad_mode = bool(corners[0]), int(mode[0]), int(pad_mode[0])
    out = np.zeros((*x.shape[:2], *grid.shape[1:3]))

    def position(at, size):
        at = (at + 1) / 2 * (size - 1) if corners else ((at + 1) * size - 1) / 2
        if pad_mode == 2:
            at = reflect(at, 0, size - 1) if corners else reflect(at, -0.5, size - 0.5)
        return min(max(at, 0), size - 1) if pad_mode >= 2 else at

    def read(image, i, j):
        inside = 0 <= i < image.shape[1] and 0 <= j < image.shape[2]
        return image[:, i, j] if inside else np.zeros(len(image))

    for n, oy, ox in itertools.product(range(len(x)), *map(range, grid.shape[1:3])):
        w = position(float(grid[n, oy, ox, 0]), x.shape[3])
        h = position(float(grid[n, oy, ox, 1]), x.shape[2])
        if mode == 2:
            out[n, :, oy, ox] = read(x[n], int(np.floor(h + 0.5)), int(np.floor(w + 0.5)))
            continue
        top, left = int(np.floor(h)), int(np.floor(w))
        for i, j in itertools.product((top, top + 1), (left, left + 1)):
            out[n, :, oy, ox] += read(x[n], i, j) * (1 - abs(h - i)) * (1 - abs(w - j))
    return out.astype(x.dtype)


GRID_SAMPLE = Table("GRID_SAMPLE", grid_sample)
x, grid = rand(2, 3, 5, 6), rand(2, 4, 3, 2, low=-1.6, high=1.6)
for corners, mode, pad_mode in itertools.product((False, True), (1, 2), range(5)):
    GRID_SAMPLE.case(x, grid, const(corners), const(mode), const(pad_mode))
GRID_SAMPLE.case(quantised(x), grid, const(True), const(1), const(1), scale=0.02)
GRID_SAMPLE.bad(x, grid, const(True), const(0), const(1), match="mode is 0")
GRID_SAMPLE.bad(x, grid, const(True), const(1), const(5), match="pad_mode is 5")
GRID_SAMPLE.bad(x, rand(2, 4, 3, 3), const(True), const(1), const(1), match="coordinates is 3")
GRID_SAMPLE.bad(x, rand(1, 4, 3, 2), const(True), const(1), const(1), match="grids is 1")
GRID_SAMPLE.bad(x[0], grid, const(True), const(1), const(1), match="input has rank 3")
test_grid_sample, test_bad_grid_sample = GRID_SAMPLE.tests(), GRID_SAMPLE.bad_tests()
