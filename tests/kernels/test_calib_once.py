from calib_cases import add_edges, conversions
from harness import randint

table = conversions("calib_once")
add_edges(table)
for rounding in (0, 1):
    attrs = {"scale": 0.5 / 127, "threshold": 0.5, "round_type": rounding}
    table.case(
        {"Input": randint(3, 50, low=-128, high=128, dtype="int8")},
        attrs,
        reference=lambda i, a: {"Out": (i["Input"] * 0.5 / 127).astype("float32")},
    )

test_calib_once = table.tests()
