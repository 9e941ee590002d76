"""MAX_POOL_2D, RESIZE_NEAREST, RESIZE_LINEAR, QUANTIZE."""

import numpy as np
import pytest
from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter import capi
from lite.nnadapter.capi import Model, Quantisation
from lite.nnadapter.conformance.case import const, rand, randint
from lite.nnadapter.types import Precision

MAX_POOL = Refused("MAX_POOL_2D")
two, off, none = const([2, 2]), const(False), const(0)
MAX_POOL.bad(rand(3, 4, 4), none, None, two, two, off, off, none, none, match="rank 3")
MAX_POOL.bad(rand(1, 1, 1, 1), none, None, two, two, off, off, none, none, match="does not fit")
MAX_POOL.bad(rand(1, 1, 4, 4), none, None, two, const([0, 1]), off, off, none, none, match="stride")
MAX_POOL.bad(rand(1, 1, 4, 4), const(3), None, two, two, off, off, none, none, match="auto_pad")
MAX_POOL.bad(rand(1, 1, 4, 4), none, const([1]), two, two, off, off, none, none, match="pads")
MAX_POOL.bad(
    rand(1, 1, 4, 4), none, None, two, two, off, const(True), const(10), none, match="dtype"
)


NEAREST, LINEAR = Refused("RESIZE_NEAREST"), Refused("RESIZE_LINEAR")
image = rand(1, 2, 3, 4)
for table, rest in ((NEAREST, []), (LINEAR, [const(0)])):
    table.bad(image, None, None, off, *rest, match="neither shape nor scales")
    table.bad(image, const([1]), None, off, *rest, match="shape has 1 numbers, expected 2")
    table.bad(image, const([0, 1]), None, off, *rest, match="expected positive numbers")
    table.bad(image, None, const([-1.0, 1.0]), off, *rest, match="a scale is -1")
    table.bad(image, None, const([1e30, 1.0]), off, *rest, match="scale 1e")
    table.bad(rand(3, 4), const([2]), None, off, *rest, match="one to three spatial axes")
LINEAR.bad(image, const([2, 2]), None, off, const(2), match="align_mode is 2")


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
        quant = Quantisation(tuple(scales), zero_point, axis)
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


QUANTIZE = Refused("QUANTIZE")
scale, zero = const([0.1]), const(0)
QUANTIZE.bad(rand(2, 3), const(1), const([0.0]), zero, match="a scale is 0")
QUANTIZE.bad(rand(2, 3), const(1), const([0.1, 0.2]), zero, match="expected 1 or 3")
QUANTIZE.bad(rand(2, 3), const(2), const([0.1] * 3), zero, match="axis is 2")
QUANTIZE.bad(rand(2, 3), const(1), const([0.1] * 3), const([1, 2, 3]), match="zero_point is 1")
QUANTIZE.bad(rand(2, 3), const(1), scale, const(0.5), match="expected an integer")
QUANTIZE.bad(randint(2, 3), const(1), scale, zero, match="INT32, expected one of FLOAT32")

test_refused = refusals(globals())
