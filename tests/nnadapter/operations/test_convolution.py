"""CONV_2D, CONV_2D_TRANSPOSE, DEFORMABLE_CONV_2D."""

import math

import numpy as np
from nnadapter.operations.tables import Const, Quantised, Table, const, quantised, rand
from nnadapter.operations.windows import conv, conv_transpose, pads_of

FUSED = {
    0: lambda x: x,
    1: lambda x: np.maximum(x, 0),
    2: lambda x: np.clip(x, -1, 1),
    3: lambda x: np.clip(x, 0, 6),
}


def conv_2d(x, w, bias, auto_pad, pads, strides, group, dilations, code):
    out = conv(x, w, bias, auto_pad, pads, strides, group, dilations)
    return FUSED[int(code[0])](out).astype(x.dtype)


def settings(pads=(0, 0, 0, 0), strides=(1, 1), group=1, dilations=(1, 1), code=0, auto_pad=0):
    return (
        *(const(auto_pad), const(list(pads), np.int32), const(list(strides)), const(group)),
        *(const(list(dilations)), const(code)),
    )


def int8_filter(w, per_channel):
    """A constant filter and its scales, one or one for each output channel."""
    largest = np.abs(w).max((1, 2, 3)) if per_channel else np.abs(w).max(keepdims=True).ravel()
    scales = largest / 127
    spread = scales.reshape(-1, 1, 1, 1)
    values = np.clip(np.round(w / spread), -127, 127).astype(np.int8)
    return Quantised(values, tuple(map(float, scales)), 0 if per_channel else None, constant=True)


def int32_bias(bias, x, w):
    """A constant bias whose scale is that of input times that of filter."""
    scales = tuple(x.scales[0] * s for s in w.scales)
    values = np.round(bias / np.asarray(scales)).astype(np.int32)
    return Quantised(values, scales, 0 if len(scales) > 1 else None, constant=True)


CONV_2D = Table("CONV_2D", conv_2d)
x = rand(2, 4, 7, 9)
CONV_2D.case(x, Const(rand(6, 4, 3, 3)), Const(rand(6)), *settings())
CONV_2D.case(x, rand(6, 4, 3, 3), rand(6), *settings())
CONV_2D.case(x, Const(rand(6, 4, 1, 1)), None, *settings())
for change in [
    {"pads": (1, 1, 1, 1)},
    {"pads": (0, 1, 2, 3)},
    {"pads": ()},
    {"strides": (2, 1), "pads": (1, 0, 0, 1)},
    {"dilations": (2, 3), "pads": (2, 2, 3, 3)},
    {"auto_pad": 1},
    {"auto_pad": 1, "strides": (2, 3), "dilations": (2, 2), "pads": (5, 5, 5, 5)},
    {"auto_pad": 2, "pads": (5, 5, 5, 5)},
    {"code": 1},
    {"code": 2},
    {"code": 3, "pads": (1, 1, 1, 1)},
]:
    CONV_2D.case(x, Const(rand(6, 4, 3, 3)), Const(rand(6)), *settings(**change))
CONV_2D.case(x, Const(rand(4, 1, 3, 3)), Const(rand(4)), *settings(group=4, pads=(1,) * 4))
CONV_2D.case(x, Const(rand(8, 1, 3, 3)), None, *settings(group=4, strides=(2, 2)))
CONV_2D.case(x, Const(rand(6, 2, 3, 3)), Const(rand(6)), *settings(group=2, code=1))
double = np.float64
CONV_2D.case(x.astype(double), Const(rand(3, 4, 2, 2).astype(double)), None, *settings())
CONV_2D.case(rand(0, 4, 5, 5), Const(rand(3, 4, 2, 2)), None, *settings(), unknown=False)
for per_channel in (False, True):
    for group, channels in [(1, 4), (4, 1), (2, 2)]:
        qx = quantised(x)
        qw = int8_filter(rand(8, channels, 3, 3, seed=group), per_channel)
        qb = int32_bias(rand(8), qx, qw)
        CONV_2D.case(qx, qw, qb, *settings(group=group, pads=(1,) * 4, code=1), scale=0.2)
        CONV_2D.case(qx, qw, None, *settings(group=group, strides=(2, 2)), scale=0.2)
CONV_2D.case(x, int8_filter(rand(6, 4, 3, 3), True), Const(rand(6)), *settings())  # weights only
w = rand(6, 4, 3, 3)
CONV_2D.bad(x[0], w, None, *settings(), match=r"input has rank 3, expected shape \[N, C, H, W\]")
CONV_2D.bad(x, w[0], None, *settings(), match="filter has rank 3")
CONV_2D.bad(x, rand(6, 3, 3, 3), None, *settings(), match="channels is 4, expected 3")
CONV_2D.bad(x, w, rand(5), *settings(), match="bias has shape .5., expected 6 elements")
CONV_2D.bad(x, w, None, *settings(group=0), match="group is 0")
CONV_2D.bad(x, rand(6, 1, 3, 3), None, *settings(group=4), match="multiple of group 4")
CONV_2D.bad(x, w, None, *settings(strides=(0, 1)), match="strides has 0")
CONV_2D.bad(x, w, None, *settings(strides=(1, 1, 1)), match="strides has 3 numbers")
CONV_2D.bad(x, w, None, *settings(dilations=(-1, 1)), match="dilations has -1")
CONV_2D.bad(x, w, None, *settings(pads=(1, 1)), match="pads has 2 numbers")
CONV_2D.bad(x, w, None, *settings(pads=(-1, 0, 0, 0)), match="pads has -1")
CONV_2D.bad(x, w, None, *settings(pads=(2**31 - 1,) * 4), match="dimension of the output")
CONV_2D.bad(x, w, None, *settings(dilations=(4, 1)), match="does not fit into 7 elements")
CONV_2D.bad(x, w, None, *settings(auto_pad=3), match="auto_pad is 3")
CONV_2D.bad(x, w, None, *settings(code=4), match="fuse_code is 4")
CONV_2D.bad(x, w.astype(np.float64), None, *settings(), match="one type")
CONV_2D.bad(x, rand(6, 4, 0, 3), None, *settings(), match="which is empty")
CONV_2D.bad(x, w, None, match="3 input operands")
test_conv_2d, test_bad_conv_2d = CONV_2D.tests(), CONV_2D.bad_tests()


def conv_2d_transpose(x, w, bias, auto_pad, pads, strides, group, dilations, extra, wanted, code):
    same = int(auto_pad[0]) == 1
    dilations = [1, 1] if same else dilations
    pairs = pads_of(int(auto_pad[0]), pads, x.shape[2:], w.shape[2:], [int(s) for s in strides])
    extra = [0, 0] if extra is None or len(extra) == 0 else [int(e) for e in extra]
    if wanted is not None and len(wanted):
        spans = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
        least = [
            (n - 1) * s - sum(p) + k
            for n, s, p, k in zip(x.shape[2:], strides, pairs, spans, strict=True)
        ]
        extra = [int(a - b) for a, b in zip(wanted, least, strict=True)]
    out = conv_transpose(x, w, bias, pairs, strides, group, dilations, extra)
    return FUSED[int(code[0])](out).astype(x.dtype)


def transposed(extra=(), wanted=(), code=0, **others):
    given = settings(code=code, **others)
    sizes = const(list(wanted), np.int32)
    return (*given[:-1], const(list(extra), np.int32), sizes, given[-1])


CONV_2D_TRANSPOSE = Table("CONV_2D_TRANSPOSE", conv_2d_transpose)
x = rand(2, 4, 5, 6)
for change in [
    {},
    {"pads": (1, 1, 1, 1)},
    {"pads": (0, 1, 2, 1)},
    {"strides": (2, 3)},
    {"strides": (2, 2), "pads": (1, 1, 1, 1), "extra": (1, 0)},
    {"strides": (2, 3), "wanted": (12, 19)},
    {"strides": (2, 3), "pads": (1, 1, 1, 1), "wanted": (10, 17), "extra": (1, 1)},
    {"dilations": (2, 1)},
    {"auto_pad": 1, "strides": (2, 2)},
    {"auto_pad": 2, "pads": (1, 1, 1, 1)},
    {"code": 1},
    {"code": 3},
]:
    CONV_2D_TRANSPOSE.case(x, Const(rand(4, 3, 3, 3)), Const(rand(3)), *transposed(**change))
CONV_2D_TRANSPOSE.case(x, rand(4, 3, 3, 3), None, *transposed(strides=(2, 2)))
CONV_2D_TRANSPOSE.case(x, Const(rand(4, 2, 3, 3)), Const(rand(4)), *transposed(group=2))
CONV_2D_TRANSPOSE.case(x, Const(rand(4, 1, 2, 2)), None, *transposed(group=4, strides=(2, 2)))
given = transposed(strides=(2, 2))
CONV_2D_TRANSPOSE.case(  # a computed output_shape
    *(x, Const(rand(4, 3, 3, 3)), None, *given[:-2], np.array([12, 14], np.int32), given[-1]),
    inferred=[(2, 3, -1, -1)],
    unknown=False,
)
absent = (*given[:-3], None, None, given[-1])
CONV_2D_TRANSPOSE.case(x, Const(rand(4, 3, 3, 3)), None, *absent)
qx, qw = quantised(x), int8_filter(rand(4, 3, 3, 3), False)
CONV_2D_TRANSPOSE.case(qx, qw, Const(rand(3)), *transposed(strides=(2, 2)), scale=0.2)
w = rand(4, 3, 3, 3)
bad = CONV_2D_TRANSPOSE.bad
bad(x, rand(3, 3, 3, 3), None, *transposed(), match="channels is 4, expected 3")
bad(x, w, None, *transposed(group=3), match="multiple of group 3")
bad(x, w, rand(2), *transposed(), match="expected 3 elements")
bad(x, w, None, *transposed(extra=(1, 0)), match="output_padding has 1")
bad(x, w, None, *transposed(extra=(0, -1)), match="output_padding has -1")
bad(x, w, None, *transposed(extra=(0,)), match="output_padding has 1 numbers")
bad(x, w, None, *transposed(wanted=(9, 8)), match="output_shape has 9")
bad(x, w, None, *transposed(wanted=(7, -8)), match="output_shape has -8")
bad(x, w, None, *transposed(wanted=(7,)), match="output_shape has 1 numbers")
bad(x, w, None, *transposed(pads=(9, 9, 0, 0)), match="leave nothing")
bad(x, w, None, *transposed(strides=(2**31 - 1, 1)), match="dimension of the output")
bad(rand(1, 4, 0, 3), w, None, *transposed(), match="no empty ones")
test_conv_2d_transpose = CONV_2D_TRANSPOSE.tests()
test_bad_conv_2d_transpose = CONV_2D_TRANSPOSE.bad_tests()


def between(plane, y, x):
    top, left, value = math.floor(y), math.floor(x), 0.0
    for i, j in [(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)]:
        if 0 <= i < plane.shape[0] and 0 <= j < plane.shape[1]:
            value += plane[i, j] * (1 - abs(y - i)) * (1 - abs(x - j))
    return value


def deformable(x, offset, mask, w, bias, pads, strides, group, parts, dilations, code):
    taps, per_part = w.shape[2] * w.shape[3], x.shape[1] // int(parts[0])
    top, left = (int(pads[0]), int(pads[2])) if pads is not None and len(pads) else (0, 0)

    def sample(oy, ox, ky, kx):
        found = np.zeros(x.shape[:2])
        for n in range(x.shape[0]):
            for c in range(x.shape[1]):
                k = c // per_part * taps + ky * w.shape[3] + kx
                y = oy * strides[0] - top + ky * dilations[0] + offset[n, 2 * k, oy, ox]
                z = ox * strides[1] - left + kx * dilations[1] + offset[n, 2 * k + 1, oy, ox]
                scale = 1 if mask is None else mask[n, k, oy, ox]
                found[n, c] = between(x[n, c], y, z) * scale
        return found

    out = conv(x, w, bias, [0], pads, strides, group, dilations, sample)
    return FUSED[int(code[0])](out).astype(x.dtype)


def deformed(pads=(0, 0, 0, 0), strides=(1, 1), group=1, parts=1, dilations=(1, 1), code=0):
    return (
        *(const(list(pads), np.int32), const(list(strides)), const(group), const(parts)),
        *(const(list(dilations)), const(code)),
    )


DEFORMABLE_CONV_2D = Table("DEFORMABLE_CONV_2D", deformable)
case, bad = DEFORMABLE_CONV_2D.case, DEFORMABLE_CONV_2D.bad
x, w = rand(2, 4, 5, 6), Const(rand(2, 4, 3, 3))
case(x, rand(2, 18, 3, 4), rand(2, 9, 3, 4), w, Const(rand(2)), *deformed())
case(x, rand(2, 18, 3, 4), None, w, None, *deformed())
case(x, rand(2, 18, 5, 6), None, w, None, *deformed(pads=(1, 1, 1, 1), code=1))
case(x, rand(2, 18, 3, 3), rand(2, 9, 3, 3), w, Const(rand(2)), *deformed((1, 1, 1, 1), (2, 2)))
case(x, rand(2, 36, 3, 4), rand(2, 18, 3, 4), w, None, *deformed(parts=2, code=3))
grouped = Const(rand(2, 2, 3, 3))
case(x, rand(2, 18, 3, 4), rand(2, 9, 3, 4), grouped, Const(rand(2)), *deformed(group=2, code=2))
case(x, rand(2, 18, 1, 2), None, w, None, *deformed(dilations=(2, 2)))
case(quantised(x), rand(2, 18, 3, 4), rand(2, 9, 3, 4), w, None, *deformed(), scale=0.2)
bad(x, rand(2, 17, 3, 4), None, w, None, *deformed(), match="offset has shape .*expected 18")
bad(x, rand(2, 18, 3, 5), None, w, None, *deformed(), match="offset has shape .*expected 4 along")
bad(x, rand(2, 18, 3, 4), rand(2, 8, 3, 4), w, None, *deformed(), match="mask has shape")
bad(x, rand(2, 18, 3, 4), None, w, None, *deformed(parts=3), match="deformable_group 3")
bad(x, rand(2, 18, 3, 4), None, w, Const(rand(3)), *deformed(), match="expected 2 elements")
bad(x, None, None, w, None, *deformed(), match="offset is missing")
test_deformable_conv_2d = DEFORMABLE_CONV_2D.tests()
test_bad_deformable_conv_2d = DEFORMABLE_CONV_2D.bad_tests()
