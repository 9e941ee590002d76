"""MAX_POOL_2D, RESIZE_NEAREST, RESIZE_LINEAR, QUANTIZE."""

import itertools

import numpy as np
import pytest
from nnadapter.operations.tables import Table, const, quantised, rand, randint

from lite.nnadapter import capi
from lite.nnadapter.capi import Model, Quantisation
from lite.nnadapter.types import Precision


def windows(size, kernel, stride, before, after, ceil):
    """The elements that each window covers."""
    room = size + before + after - kernel
    count = (-(-room // stride) if ceil else room // stride) + 1
    starts = [i * stride - before for i in range(count)]
    return [range(max(s, 0), min(s + kernel, size)) for s in starts]


def axis_pads(auto_pad, pads, axis, size, kernel, stride):
    if auto_pad == 2:
        return 0, 0
    if auto_pad == 0:
        return pads[2 * axis], pads[2 * axis + 1]
    total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
    return total // 2, total - total // 2


def max_pool(x, auto_pad, pads, kernel, strides, ceil, indices, dtype, code):
    pads = [0] * 4 if pads is None or not len(pads) else [int(p) for p in pads]
    ranges = []
    for axis in range(2):
        size, k, s = x.shape[axis + 2], int(kernel[axis]), int(strides[axis])
        before, after = axis_pads(int(auto_pad[0]), pads, axis, size, k, s)
        ranges.append(windows(size, k, s, before, after, bool(ceil[0])))
    out = np.empty((*x.shape[:2], len(ranges[0]), len(ranges[1])), x.dtype)
    places = np.empty(out.shape, np.int32 if dtype[0] == 5 else np.int64)
    for n, c, i, j in itertools.product(*map(range, out.shape)):
        taken = [(x[n, c, a, b], a * x.shape[3] + b) for a in ranges[0][i] for b in ranges[1][j]]
        out[n, c, i, j], places[n, c, i, j] = max(taken, key=lambda t: (t[0], -t[1]))
    if code[0] == 1:
        out = np.maximum(out, 0)
    return [out, places if indices[0] else None]


MAX_POOL = Table("MAX_POOL_2D", max_pool)
for auto_pad, pads, kernel, strides, ceil in (
    (0, [0, 0, 0, 0], [2, 2], [2, 2], False),
    (0, [1, 1, 1, 1], [3, 3], [2, 2], False),
    (0, [1, 1, 1, 1], [3, 3], [2, 2], True),
    (0, [0, 1, 1, 0], [2, 3], [1, 2], False),
    (0, None, [3, 2], [2, 3], True),
    (1, None, [3, 3], [2, 2], False),
    (1, None, [2, 2], [1, 1], False),
    (2, [5, 5, 5, 5], [2, 2], [2, 1], False),
):
    for indices, code in ((False, 0), (True, 0), (True, 1)):
        known = [const(auto_pad), const(pads) if pads else None, const(kernel), const(strides)]
        for dtype in (5, 7) if indices else (0,):
            MAX_POOL.case(
                *(rand(2, 3, 6, 7), *known, const(ceil)),
                *(const(indices), const(dtype), const(code)),
                unknown=not (indices and auto_pad == 1),
            )
two, off, none = const([2, 2]), const(False), const(0)
MAX_POOL.case(quantised(rand(1, 2, 4, 4)), none, None, two, two, off, off, none, none, scale=0.02)
MAX_POOL.bad(rand(3, 4, 4), none, None, two, two, off, off, none, none, match="rank 3")
MAX_POOL.bad(rand(1, 1, 1, 1), none, None, two, two, off, off, none, none, match="does not fit")
MAX_POOL.bad(rand(1, 1, 4, 4), none, None, two, const([0, 1]), off, off, none, none, match="stride")
MAX_POOL.bad(rand(1, 1, 4, 4), const(3), None, two, two, off, off, none, none, match="auto_pad")
MAX_POOL.bad(rand(1, 1, 4, 4), none, const([1]), two, two, off, off, none, none, match="pads")
MAX_POOL.bad(
    rand(1, 1, 4, 4), none, None, two, two, off, const(True), const(10), none, match="dtype"
)
test_max_pool_2d, test_bad_max_pool_2d = MAX_POOL.tests(), MAX_POOL.bad_tests()


def out_sizes(x, shape, scales):
    if shape is not None and len(shape):
        return [int(s) for s in shape], [d / s for d, s in zip(x.shape[2:], shape, strict=True)]
    sizes = [int(np.float32(d) * s) for d, s in zip(x.shape[2:], scales, strict=True)]
    return sizes, [1 / float(s) for s in scales]


def nearest(x, shape, scales, align):
    sizes, ratios = out_sizes(x, shape, scales)
    for axis, (size, ratio) in enumerate(zip(sizes, ratios, strict=True), 2):
        if align[0]:
            ratio = (x.shape[axis] - 1) / (size - 1) if size > 1 else 0
        places = np.floor(np.arange(size) * np.float32(ratio) + (0.5 if align[0] else 0))
        x = np.take(x, np.clip(places, 0, x.shape[axis] - 1).astype(int), axis)
    return x


def linear(x, shape, scales, align, mode):
    sizes, ratios = out_sizes(x, shape, scales)
    for axis, (size, ratio) in enumerate(zip(sizes, ratios, strict=True), 2):
        ratio = ratio if size > 1 else 0  # Paddle takes the first element for a size of 1
        places = np.arange(size, dtype=np.float64)
        if align[0]:
            places *= (x.shape[axis] - 1) / (size - 1) if size > 1 else 0
        elif mode[0] == 0:
            places = np.maximum((places + 0.5) * ratio - 0.5, 0)
        else:
            places *= ratio
        low = np.clip(np.floor(places), 0, x.shape[axis] - 1).astype(int)
        high = np.minimum(low + 1, x.shape[axis] - 1)
        weight = (places - low).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
        x = np.take(x, low, axis) * (1 - weight) + np.take(x, high, axis) * weight
    return x.astype(np.float32)


NEAREST, LINEAR = Table("RESIZE_NEAREST", nearest), Table("RESIZE_LINEAR", linear)
IMAGES = {1: rand(2, 3, 5), 2: rand(2, 3, 4, 5), 3: rand(1, 2, 3, 4, 5)}
for axes, image in IMAGES.items():
    for align in (False, True):
        for size in ([8, 7, 9][-axes:], [2, 3, 2][-axes:], [1, 1, 1][-axes:]):
            for dtype in (np.int32, np.int64):
                NEAREST.case(image, const(size, dtype), None, const(align))
            for mode in (0, 1):
                LINEAR.case(image, const(size), None, const(align), const(mode))
        scales = const([2.0, 1.5, 0.5][-axes:])
        NEAREST.case(image, None, scales, const(align))
        NEAREST.case(image, const([], np.int32), scales, const(align))
        LINEAR.case(image, None, scales, const(align), const(1))
        LINEAR.case(image, const([6, 6, 6][-axes:]), scales, const(align), const(0))
NEAREST.case(randint(1, 1, 3, 3), const([5, 2]), None, off)
NEAREST.case(quantised(rand(1, 1, 3, 3)), const([6, 6]), None, off, scale=0.02)
computed = np.array([6, 2], np.int32)
image = rand(1, 2, 3, 4)
for table, rest in ((NEAREST, []), (LINEAR, [const(0)])):
    table.case(image, computed, None, off, *rest, inferred=[(1, 2, -1, -1)], unknown=False)
    scales = np.array([2.0, 1.5], np.float32)
    table.case(image, None, scales, off, *rest, inferred=[(1, 2, -1, -1)], unknown=False)
    table.bad(image, None, None, off, *rest, match="neither shape nor scales")
    table.bad(image, const([1]), None, off, *rest, match="shape has 1 numbers, expected 2")
    table.bad(image, const([0, 1]), None, off, *rest, match="expected positive numbers")
    table.bad(image, None, const([-1.0, 1.0]), off, *rest, match="a scale is -1")
    table.bad(image, None, const([1e30, 1.0]), off, *rest, match="scale 1e")
    table.bad(rand(3, 4), const([2]), None, off, *rest, match="one to three spatial axes")
LINEAR.bad(image, const([2, 2]), None, off, const(2), match="align_mode is 2")
test_resize_nearest, test_bad_resize_nearest = NEAREST.tests(), NEAREST.bad_tests()
test_resize_linear, test_bad_resize_linear = LINEAR.tests(), LINEAR.bad_tests()


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize(
    ("scales", "zero_point", "precision"),
    [
        ([0.05], 0, "QUANT_INT8_SYMM_PER_LAYER"),
        ([0.05, 0.1, 0.2], 0, "QUANT_INT8_SYMM_PER_CHANNEL"),
        ([0.05], 128, "QUANT_UINT8_ASYMM_PER_LAYER"),
    ],
)
def test_quantize(scales, zero_point, precision, declared):
    model, image = Model(), rand(2, 3, 4)
    code = Precision[precision]
    x = model.tensor(np.float32, image.shape)
    operands = [x, model.constant(1), model.constant(np.float32(scales))]
    operands.append(model.constant(np.full(len(scales), zero_point, np.int32)))
    axis = 1 if len(scales) > 1 else None
    outputs = 1
    if declared:
        quant = Quantisation(tuple(scales), axis, zero_point)
        kind = capi.operand_type(code, image.shape, quantisation=quant)
        outputs = [model.operand(kind)]
    (y,) = model.operation("QUANTIZE", operands, outputs)
    assert y.type.precision == code and y.type.shape == image.shape
    (got,) = capi.run(model.finish([x], [y]), ["builtin_device"], [image])
    per_axis = np.reshape(scales, [1, -1, 1])
    low, high = (0, 255) if zero_point else (-127, 127)
    quanta = np.clip(np.round(image / per_axis) + zero_point, low, high)
    assert np.abs(got.astype(int) - quanta).max() <= 1
    assert (got != quanta).mean() < 0.05  # ties only


QUANTIZE = Table("QUANTIZE", lambda *_: None)
scale, zero = const([0.1]), const(0)
QUANTIZE.bad(rand(2, 3), const(1), const([0.0]), zero, match="a scale is 0")
QUANTIZE.bad(rand(2, 3), const(1), const([0.1, 0.2]), zero, match="expected 1 or 3")
QUANTIZE.bad(rand(2, 3), const(2), const([0.1] * 3), zero, match="axis is 2")
QUANTIZE.bad(rand(2, 3), const(1), const([0.1] * 3), const([1, 2, 3]), match="zero_point is 1")
QUANTIZE.bad(rand(2, 3), const(1), scale, const(0.5), match="expected an integer")
QUANTIZE.bad(randint(2, 3), const(1), scale, zero, match="INT32, expected one of FLOAT32")
test_bad_quantize = QUANTIZE.bad_tests()
