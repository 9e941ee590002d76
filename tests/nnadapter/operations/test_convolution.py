"""CONV_2D, CONV_2D_TRANSPOSE, DEFORMABLE_CONV_2D."""

import numpy as np
from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import Const, rand
from lite.nnadapter.conformance.operations.windows import deformed, settings, transposed

CONV_2D = Refused("CONV_2D")
x = rand(2, 4, 7, 9)
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


CONV_2D_TRANSPOSE = Refused("CONV_2D_TRANSPOSE")
x = rand(2, 4, 5, 6)
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


DEFORMABLE_CONV_2D = Refused("DEFORMABLE_CONV_2D")
bad = DEFORMABLE_CONV_2D.bad
x, w = rand(2, 4, 5, 6), Const(rand(2, 4, 3, 3))
bad(x, rand(2, 17, 3, 4), None, w, None, *deformed(), match="offset has shape .*expected 18")
bad(x, rand(2, 18, 3, 5), None, w, None, *deformed(), match="offset has shape .*expected 4 along")
bad(x, rand(2, 18, 3, 4), rand(2, 8, 3, 4), w, None, *deformed(), match="mask has shape")
bad(x, rand(2, 18, 3, 4), None, w, None, *deformed(parts=3), match="deformable_group 3")
bad(x, rand(2, 18, 3, 4), None, w, Const(rand(3)), *deformed(), match="expected 2 elements")
bad(x, None, None, w, None, *deformed(), match="offset is missing")

test_refused = refusals(globals())
