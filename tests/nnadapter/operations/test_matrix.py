"""MAT_MUL, FULLY_CONNECTED, GRID_SAMPLE."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand, randint

MAT_MUL = Refused("MAT_MUL")
NO = const(False)
MAT_MUL.bad(rand(3, 4), rand(3, 4), NO, NO, match="multiplied over 4 and 3 elements")
MAT_MUL.bad(rand(2, 3, 4), rand(3, 4, 5), NO, NO, match="do not broadcast")
MAT_MUL.bad(rand(3, 4), randint(4, 5), NO, NO, match="one type")
MAT_MUL.bad(rand(), rand(4, 5), NO, NO, match="x has rank 0")


FULLY_CONNECTED = Refused("FULLY_CONNECTED")
w = rand(5, 12)
FULLY_CONNECTED.bad(rand(12), w, None, const(0), match="rank 2 or more")
FULLY_CONNECTED.bad(rand(3, 11), w, None, const(0), match="columns is 11, expected 12")
FULLY_CONNECTED.bad(rand(3, 5, 5), w, None, const(0), match="rows of 12 elements")
FULLY_CONNECTED.bad(rand(3, 12), w[0], None, const(0), match="num_units, input_size")
FULLY_CONNECTED.bad(rand(3, 12), w, rand(4), const(0), match="expected 5 elements")


GRID_SAMPLE = Refused("GRID_SAMPLE")
x, grid = rand(2, 3, 5, 6), rand(2, 4, 3, 2, low=-1.6, high=1.6)
GRID_SAMPLE.bad(x, grid, const(True), const(0), const(1), match="mode is 0")
GRID_SAMPLE.bad(x, grid, const(True), const(1), const(5), match="pad_mode is 5")
GRID_SAMPLE.bad(x, rand(2, 4, 3, 3), const(True), const(1), const(1), match="coordinates is 3")
GRID_SAMPLE.bad(x, rand(1, 4, 3, 2), const(True), const(1), const(1), match="grids is 1")
GRID_SAMPLE.bad(x[0], grid, const(True), const(1), const(1), match="input has rank 3")

test_refused = refusals(globals())
