"""What a device that takes an operation takes of it: float32, ordinary attributes."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from ...types import FuseCode, Precision
from ..case import Case, Const, table

F32, I32, I64, BOOL = (int(Precision[n]) for n in ("FLOAT32", "INT32", "INT64", "BOOL8"))


def i(*values: int) -> Const:
    """int32 numbers."""
    return Const(np.asarray(values, np.int32))


def f(*values: float) -> Const:
    """float32 numbers."""
    return Const(np.asarray(values, np.float32))


def b(value: bool) -> Const:
    """A truth value."""
    return Const(np.asarray([value], np.bool_))


class _Random:
    """Numbers that depend on the case alone."""

    def __init__(self, key: str) -> None:
        self.rng = np.random.default_rng(zlib.crc32(key.encode()))

    def __call__(self, *shape: int, low: float = -2.0, high: float = 2.0) -> Any:
        return self.rng.uniform(low, high, shape).astype(np.float32)

    def ints(self, *shape: int, low: int = -9, high: int = 9) -> Any:
        return self.rng.integers(low, high, shape).astype(np.int32)

    def bools(self, *shape: int) -> Any:
        return self.rng.integers(0, 2, shape).astype(np.bool_)


def _unary() -> list[Case]:
    r = _Random("unary")
    names = "ABS ASSIGN COS EXP FLOOR RELU RELU6 SIGMOID SIN SQUARE SWISH TANH".split()
    found = [Case(n, [r(*s)]) for n in names for s in ((2, 3, 4, 5), (7,), (2, 3))]
    found += [Case(n, [r(2, 3, 4, low=0.1)]) for n in ("LOG", "RSQRT")]
    found += [Case(n, [r(3, 8, low=-10, high=10)]) for n in ("RELU6", "SIGMOID")]
    found += [Case("GELU", [r(2, 9), b(flag)]) for flag in (False, True)]
    found += [Case(n, [r(2, 9, low=-5, high=5), f(0.2), f(0.5)]) for n in ("HARD_SIGMOID",)]
    found += [Case("HARD_SWISH", [r(2, 9, low=-5, high=5), f(1 / 6), f(0.5)])]
    found += [Case("LEAKY_RELU", [r(2, 3, 4), f(0.1)])]
    found += [Case("PRELU", [r(2, 3, 4, 4), f(*s)]) for s in ([0.2], [1, 2, 3])]
    found += [Case("SOFTPLUS", [r(4, 9, low=-9, high=9), f(2.0), f(4.0)])]
    found += [Case("CLIP", [r(2, 9), f(-0.5), f(1.0)])]
    found += [Case("NOT", [r.bools(3, 4)]), Case("SQUARE", [r.ints(3, 4)])]
    found += [Case("ABS", [r.ints(3, 4)])]
    return found


def _binary() -> list[Case]:
    r = _Random("binary")
    shapes = [((2, 3, 4), (2, 3, 4)), ((2, 3, 4), (4,)), ((1, 3, 1, 5), (2, 1, 4, 1)), ((3,), (1,))]
    found = []
    for name in ("ADD", "SUB", "MUL", "DIV", "MAX", "MIN", "POW", "FLOOR_DIV"):
        positive = {"low": 0.5} if name in ("POW", "DIV", "FLOOR_DIV") else {}
        for first, second in shapes:
            found.append(Case(name, [r(*first, **positive), r(*second, **positive), i(0)]))
    for code in FuseCode:
        operands = [r(3, 8, low=-6, high=6), r(3, 8, low=-6, high=6), i(int(code))]
        found.append(Case("ADD", operands))
    for name in ("ADD", "SUB", "MUL", "MAX", "MIN"):
        found.append(Case(name, [r.ints(3, 4), r.ints(4), i(0)]))
    for name in ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"):
        found.append(Case(name, [r.ints(3, 8, low=0, high=3), r.ints(8, low=0, high=3)]))
        found.append(Case(name, [np.round(r(3, 8)), np.round(r(3, 8))]))
    for name in ("AND", "OR", "XOR"):
        found.append(Case(name, [r.bools(4, 8), r.bools(8)]))
    found.append(Case("SUM", [r(2, 3), r(2, 3), r(2, 3)]))
    found.append(Case("SUM", [r(2, 3)]))
    found.append(Case("WHERE", [r.bools(2, 3), r(2, 3), r(2, 3)]))
    found.append(Case("WHERE", [r.bools(2, 1), r(2, 3), r(3)]))
    return found


def _casts() -> list[Case]:
    r = _Random("casts")
    found = [
        Case("CAST", [r(3, 4, low=-9, high=9), i(I32)]),
        Case("CAST", [r.ints(3, 4), i(F32)]),
        Case("CAST", [r.ints(3, 4), i(I64)]),
        Case("CAST", [r.bools(3, 4), i(F32)]),
        Case("CAST", [np.array([0, 0.5, -2, 0], np.float32), i(BOOL)]),
    ]
    found.append(Case("FILL", [i(2, 3), f(1.5)]))
    found.append(Case("FILL", [i(4), i(7)]))
    found.append(Case("FILL_LIKE", [r(2, 3), f(-1.5)]))
    found.append(Case("RANGE", [f(0.0), f(5.0), f(1.0)]))
    found.append(Case("RANGE", [i(7), i(-2), i(-3)]))
    found.append(Case("SHAPE", [r(2, 3, 4), i(I32)]))
    found.append(Case("SHAPE", [r(2, 3, 4), i(I64)]))
    return found


def _moves() -> list[Case]:
    r = _Random("moves")
    found = [
        Case("RESHAPE", [r(2, 3, 4), i(0, -1)]),
        Case("RESHAPE", [r(2, 3, 4), i(6, 4)]),
        Case("TRANSPOSE", [r(2, 3, 4), i(2, 0, 1)]),
        Case("SQUEEZE", [r(2, 1, 3, 1), i(1)]),
        Case("SQUEEZE", [r(2, 1, 3, 1), i(1, -1)]),
        Case("UNSQUEEZE", [r(2, 3), i(1)]),
        Case("UNSQUEEZE", [r(2, 3), i(0, 3)]),
        Case("UNSQUEEZE", [r(2, 3), i(-1)]),
        Case("FLATTEN", [r(2, 3, 4, 5), i(1), i(-1)]),
        Case("FLATTEN", [r(2, 3, 4, 5), i(1), i(2)]),
        Case("FLATTEN", [r(2, 3, 4, 5), i(0), i(2)]),
        Case("CONCAT", [r(2, 3), r(2, 4), r(2, 1), i(1)]),
        Case("CONCAT", [r(2, 3), r(1, 3), i(-2)]),
        Case("STACK", [r(2, 3), r(2, 3), i(1)]),
        Case("STACK", [r(2, 3), r(2, 3), i(-1)]),
        Case("SPLIT", [r(2, 7), i(1), i(2, 4, 1)]),
        Case("SPLIT", [r(4, 3), i(-2), i(2, 2)]),
        Case("UNSTACK", [r(2, 3, 4), i(1), i(3)]),
        Case("SLICE", [r(5, 6, 7), i(0, 2), i(1, -5), i(4, 100), i(1, 2)]),
        Case("SLICE", [r(5, 6), i(0, 1), i(-1, 4), i(-6, 0), i(-1, -2)]),
        Case("SLICE", [r(5, 6), i(1), i(2), i(2**31 - 1), i(1)]),
        Case("EXPAND", [r(3, 1), i(2, 3, 4)]),
        Case("TILE", [r(2, 3), i(2, 3)]),
        Case("GATHER", [r(5, 4), np.array([3, 0, 3], np.int32), i(0)]),
        Case("GATHER", [r(5, 4), np.array([[3, 0], [1, 2]], np.int32), i(1)]),
        Case("GATHER", [r(5, 4), np.array([4], np.int64), i(-2)]),
        Case("MESHGRID", [r(3), r(4)]),
        Case("MESHGRID", [r(3), r(4), r(2)]),
        Case("ROLL", [r(3, 5), i(2, -1), i(1, 0)]),
        Case("CHANNEL_SHUFFLE", [r(2, 6, 3, 4), i(2)]),
        Case("PAD", [r(2, 3, 4), i(0, 0, 1, 2, 3, 0), i(1), f(0.5)]),
        Case("PAD", [r(2, 3, 4), i(0, 0, 1, 2, 3, 0), i(2), f(0)]),
        Case("PAD", [r(2, 3, 4), i(0, 1, 1, 2, 5, 0), i(3), f(0)]),
        Case("PAD", [r(2, 3, 4), i(0, 1, 1, 2, 5, 0), i(4), f(0)]),
        Case("ARG_MAX", [r(3, 5), i(1), b(False), i(I64)]),
        Case("ARG_MAX", [r(3, 5), i(0), b(True), i(I32)]),
        Case("ARG_MIN", [r(3, 5, 2), i(-2), b(False), i(I64)]),
        Case("ARG_MAX", [np.array([[1, 3, 3, 0]], np.float32), i(1), b(False), i(I64)]),
        Case("TOP_K", [r(3, 7), i(3), i(1), b(True), b(True), i(I64)]),
        Case("TOP_K", [r(3, 7), i(2), i(0), b(False), b(True), i(I32)]),
        Case("CUM_SUM", [r(3, 5), i(1), b(False), b(False)]),
        Case("CUM_SUM", [r(3, 5), i(0), b(True), b(False)]),
        Case("CUM_SUM", [r(3, 5), i(-1), b(False), b(True)]),
        Case("CUM_SUM", [r(3, 5), i(-1), b(True), b(True)]),
    ]
    for name in ("REDUCE_MEAN", "REDUCE_MAX", "REDUCE_SUM"):
        for axes in (i(1), i(0, -1), i(0, 1, 2)):
            for keep in (True, False):
                found.append(Case(name, [r(3, 4, 5), axes, b(keep)]))
    return found


def _normalizations() -> list[Case]:
    r = _Random("normalizations")

    def vector(count: int) -> Const:
        return Const(r(count, low=0.5))

    found = [Case(n, [r(2, 3, 5), i(axis)]) for n in ("SOFTMAX", "LOG_SOFTMAX") for axis in (1, -1)]
    for shape in ((2, 3, 4, 5), (2, 3, 4)):
        stats = [vector(3) for _ in range(4)]
        found.append(Case("BATCH_NORMALIZATION", [r(*shape), *stats, f(1e-5)]))
        found.append(Case("INSTANCE_NORMALIZATION", [r(*shape), vector(3), vector(3), f(1e-5)]))
    found += [
        Case("GROUP_NORMALIZATION", [r(2, 6, 3, 4), vector(6), vector(6), f(1e-5), i(3)]),
        Case("LAYER_NORMALIZATION", [r(2, 3, 8), vector(8), vector(8), i(2), f(1e-5)]),
        Case("LAYER_NORMALIZATION", [r(2, 3, 4), vector(12), vector(12), i(1), f(1e-5)]),
        Case("LP_NORMALIZATION", [r(2, 5, 3), i(1), i(2), f(1e-5)]),
        Case("LP_NORMALIZATION", [r(2, 5, 3), i(-1), i(1), f(1e-5)]),
        Case("LRN", [r(2, 8, 3, 3), i(5), f(1.0), f(1e-2), f(0.75)]),
    ]
    for x, y, turn_x, turn_y in (
        ((2, 3), (3, 4), False, False),
        ((3, 2), (4, 3), True, True),
        ((5, 2, 3), (3, 4), False, False),
        ((5, 2, 3), (5, 4, 3), False, True),
        ((2, 1, 2, 3), (5, 3, 4), False, False),
    ):
        found.append(Case("MAT_MUL", [r(*x), r(*y), b(turn_x), b(turn_y)]))
    found.append(Case("FULLY_CONNECTED", [r(4, 6), Const(r(3, 6)), Const(r(3)), i(0)]))
    found.append(Case("FULLY_CONNECTED", [r(4, 2, 3), Const(r(5, 6)), Const(r(5)), i(1)]))
    return found


def _windows() -> list[Case]:
    r = _Random("windows")
    found = []
    # channels in and out, kernel, strides, pads, dilations, group, auto_pad, fuse_code
    for c, o, k, s, p, d, g, auto, fuse in (
        (3, 4, (3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1, 0, 0),
        (4, 6, (3, 2), (2, 1), (0, 1, 2, 0), (1, 2), 2, 0, 1),
        (4, 4, (3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 4, 0, 3),
        (4, 8, (3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 4, 0, 0),
        (3, 4, (3, 3), (2, 2), (0, 0, 0, 0), (1, 1), 1, 1, 0),
        (3, 4, (3, 3), (1, 1), (5, 5, 5, 5), (1, 1), 1, 2, 2),
        (5, 7, (1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1, 0, 0),
    ):
        operands = [r(2, c, 9, 8), Const(r(o, c // g, *k)), Const(r(o)), i(auto)]
        operands += [i(*p), i(*s), i(g), i(*d), i(fuse)]
        found.append(Case("CONV_2D", operands))
    for c, o, k, s, p, d, g, extra, shape in (
        (3, 4, (3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 1, (0, 0), ()),
        (3, 4, (3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 1, (1, 1), ()),
        (4, 6, (2, 3), (1, 2), (0, 1, 1, 0), (2, 1), 2, (0, 0), ()),
        (4, 4, (4, 4), (2, 2), (1, 1, 1, 1), (1, 1), 4, (0, 0), ()),
        (3, 4, (3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 1, (0, 0), (10, 12)),
    ):
        operands = [r(2, c, 5, 6), Const(r(c, o // g, *k)), Const(r(o)), i(0), i(*p), i(*s)]
        operands += [i(g), i(*d), i(*extra), i(*shape), i(0)]
        found.append(Case("CONV_2D_TRANSPOSE", operands))
    for k, s, p, ceil, include, auto in (
        ((3, 3), (2, 2), (1, 1, 1, 1), False, False, 0),
        ((3, 3), (2, 2), (1, 1, 1, 1), False, True, 0),
        ((3, 3), (2, 2), (0, 1, 1, 0), True, False, 0),
        ((3, 3), (2, 2), (1, 0, 0, 1), True, True, 0),
        ((2, 3), (1, 2), (0, 0, 0, 0), False, False, 1),
        ((2, 2), (2, 2), (0, 0, 0, 0), False, False, 2),
    ):
        tail = [i(auto), i(*p), i(*k), i(*s), b(ceil)]
        pool = Case("AVERAGE_POOL_2D", [r(2, 3, 8, 9), *tail, b(include), i(0)])
        found.append(pool)
        if not include:
            operands = [r(2, 3, 8, 9), *tail, b(False), i(I32), i(0)]
            found.append(Case("MAX_POOL_2D", operands))
    operands = [r(2, 3, 8, 9), i(0), i(1, 1, 1, 1), i(3, 3), i(2, 2), b(False), b(True), i(I32)]
    found.append(Case("MAX_POOL_2D", [*operands, i(0)]))
    for h, w in ((1, 1), (3, 4), (5, 2)):
        found.append(Case("ADAPTIVE_AVERAGE_POOL_2D", [r(2, 3, 7, 8), i(h, w)]))
        operands = [r(2, 3, 7, 8), i(h, w), b(True), i(I64)]
        found.append(Case("ADAPTIVE_MAX_POOL_2D", operands))
    for group, parts, with_mask in ((1, 1, True), (1, 2, False), (2, 1, True)):
        offset = r(2, 2 * parts * 9, 5, 6, low=-1, high=1)
        mask = r(2, parts * 9, 5, 6, low=0, high=1) if with_mask else None
        operands = [r(2, 4, 5, 6), offset, mask, Const(r(6, 4 // group, 3, 3)), Const(r(6))]
        operands += [i(1, 1, 1, 1), i(1, 1), i(group), i(parts), i(1, 1), i(0)]
        found.append(Case("DEFORMABLE_CONV_2D", operands, tolerance=1e-3))
    return found


def _images() -> list[Case]:
    r = _Random("images")
    found = []
    for corners in (False, True):
        for target in ((8, 10), (3, 7)):
            operands = [r(2, 3, 4, 5), i(*target), None, b(corners)]
            found.append(Case("RESIZE_NEAREST", operands))
            for align in (0, 1):
                operands = [r(2, 3, 4, 5), i(*target), None, b(corners), i(align)]
                found.append(Case("RESIZE_LINEAR", operands))
    found.append(Case("RESIZE_NEAREST", [r(2, 3, 4, 5), None, f(2, 2), b(False)]))
    operands = [r(2, 3, 4, 5), None, f(2, 2), b(False), i(0)]
    found.append(Case("RESIZE_LINEAR", operands))
    for corners in (False, True):
        for mode in (1, 2):
            for pad in (1, 2, 4):
                grid = r(2, 4, 3, 2, low=-1.4, high=1.4)
                operands = [r(2, 3, 5, 6), grid, b(corners), i(mode), i(pad)]
                found.append(Case("GRID_SAMPLE", operands))
    corner = r(4, 2, low=0, high=10)
    rois = np.concatenate([corner, corner + r(4, 2, low=1, high=12)], 1)
    for aligned in (False, True):
        for ratio in (2, -1):
            operands = [
                r(2, 3, 12, 14),
                rois,
                np.array([0, 1, 0, 1], np.int32),
                i(3),
                i(4),
                i(ratio),
            ]
            operands += [f(0.5), b(aligned)]
            found.append(Case("ROI_ALIGN", operands))
    return found


def _detection() -> list[Case]:
    r = _Random("detection")
    found = []
    for order, maximum in ((False, True), (True, True), (False, False)):
        operands = [r(1, 4, 3, 5), r(1, 3, 30, 50), f(4, 8), f(6, 12) if maximum else None, f(2.0)]
        operands += [f(0.1, 0.1, 0.2, 0.2), b(True), b(True), f(0), f(0), f(0.5), b(order)]
        found.append(Case("PRIOR_BOX", operands))
    for aware, clip in ((False, True), (True, False)):
        x = r(2, 2 * (9 if aware else 8), 4, 5)
        operands = [
            x,
            np.array([[64, 80], [96, 60]], np.int32),
            i(10, 13, 16, 30),
            i(3),
            f(0.5),
            i(16),
        ]
        operands += [b(clip), f(1.05), b(aware), f(0.4)]
        found.append(Case("YOLO_BOX", operands))
    corner = r(2, 20, 2, low=0, high=1)
    boxes = np.concatenate([corner, corner + r(2, 20, 2, low=0.2, high=0.5)], 2)
    scores = r(2, 3, 20, low=0, high=1)
    tail = [i(0), f(0.2), i(10), f(0.4), f(1.0), i(8), b(True), b(True)]
    operands = [boxes, scores, None, *tail]
    found.append(Case("NON_MAX_SUPPRESSION", operands, inferred=[(-1, 6), (2,), (-1, 1)]))
    corner = r(9, 3, 2, low=0, high=1)
    of_classes = np.concatenate([corner, corner + r(9, 3, 2, low=0.2, high=0.5)], 2)
    operands = [of_classes, r(9, 3, low=0, high=1), np.array([4, 0, 5], np.int32), *tail]
    found.append(Case("NON_MAX_SUPPRESSION", operands, inferred=[(-1, 6), (3,), (-1, 1)]))
    return found


for _family in (
    *(_unary, _binary, _casts, _moves, _normalizations, _windows, _images, _detection),
):
    for _case in _family():
        _settings = {"tolerance": _case.tolerance, "inferred": _case.inferred}
        table(_case.operation).case(*_case.operands, common=True, **_settings)
