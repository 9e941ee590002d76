import numpy as np
from conv_reference import conv2d
from harness import OpTable, rand

table = OpTable("deformable_conv")
table.exempt("padding_algorithm", "Paddle has explicit paddings only")
for c, m, kernel, attrs in [
    (4, 3, (3, 3), {}),
    (4, 6, (3, 2), {"paddings": [1, 2], "strides": [2, 1]}),
    (4, 6, (3, 3), {"groups": 2, "deformable_groups": 2, "paddings": [1, 1]}),
    (4, 4, (2, 2), {"dilations": [2, 2], "deformable_groups": 4}),
]:
    pads, strides = attrs.get("paddings", [0, 0]), attrs.get("strides", [1, 1])
    dilations = attrs.get("dilations", [1, 1])
    size = [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, p, d, k, s in zip((6, 7), pads, dilations, kernel, strides, strict=True)
    ]
    taps = attrs.get("deformable_groups", 1) * kernel[0] * kernel[1]
    arrays = {
        "Input": rand(2, c, 6, 7),
        "Offset": rand(2, 2 * taps, *size, low=-3, high=3),
        "Filter": rand(m, c // attrs.get("groups", 1), *kernel),
    }
    table.case({**arrays, "Mask": rand(2, taps, *size)}, {**attrs, "im2col_step": 1})
    # Without offsets and mask it is a convolution.
    still = {**arrays, "Offset": np.zeros_like(arrays["Offset"])}
    table.case(still, attrs, reference=conv2d)
doubles = {
    "Input": rand(1, 2, 4, 4),
    "Offset": rand(1, 18, 2, 2),
    "Mask": rand(1, 9, 2, 2),
    "Filter": rand(3, 2, 3, 3),
}
table.case({k: v.astype("float64") for k, v in doubles.items()})
# More positions than are gathered at a time.
wide = {"Input": rand(1, 64, 31, 33), "Offset": np.zeros((1, 18, 29, 31), "float32")}
table.case({**wide, "Filter": rand(4, 64, 3, 3)}, reference=conv2d)
# A pixel that counts nothing is not read.
odd = {k: rand(1, 1, 3, 3) for k in ("Input", "Filter")} | {"Offset": rand(1, 18, 1, 1)}
odd["Input"][0, 0, 0, 0] = np.nan
table.case(
    {**odd, "Offset": np.full((1, 18, 1, 1), 9, "float32")},
    reference=lambda *_: {"Output": np.zeros((1, 1, 1, 1), "float32")},
)
table.error({**doubles, "Offset": rand(1, 9, 2, 2)}, match="Offset")
table.error({**doubles, "Mask": rand(1, 18, 2, 2)}, match="Mask")
table.error({**doubles, "Input": rand(1, 3, 4, 4)}, match="takes 2")
table.error({**doubles, "Filter": np.zeros((2, 2, 9), "float32")}, match="rank 4")
table.error(doubles, {"deformable_groups": 0}, match="deformable_groups")
table.error(doubles, {"groups": -1}, match="groups")
table.error(doubles, {"strides": [0, 1]}, match="strides")
table.error({**doubles, "Mask": doubles["Mask"].astype("float64")}, error="DataTypeError")
test_deformable_conv = table.tests()
