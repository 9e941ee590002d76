"""NOT, NOT_EQUAL, OR, XOR, WHERE."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import rand, randint

NOT = Refused("NOT")
NOT.bad(rand(3), match="FLOAT32, expected one of BOOL8")

NOT_EQUAL = Refused("NOT_EQUAL")
NOT_EQUAL.bad(rand(3), randint(3), match="one type")
NOT_EQUAL.bad(rand(3), rand(2), match="do not broadcast")

OR, XOR = Refused("OR"), Refused("XOR")
for table in (OR, XOR):
    table.bad(rand(3), rand(3), match="expected one of BOOL8")
    table.bad(rand(3) > 0, rand(2) > 0, match="do not broadcast")

WHERE = Refused("WHERE")
WHERE.bad(rand(3), rand(3), rand(3), match="BOOL8")
WHERE.bad(rand(3) > 0, rand(3), randint(3), match="one type")
WHERE.bad(rand(3) > 0, rand(2), rand(3), match="do not broadcast")

test_refused = refusals(globals())
