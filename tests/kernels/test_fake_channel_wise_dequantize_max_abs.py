from harness import OpTable, rand, randint

table = OpTable("fake_channel_wise_dequantize_max_abs")
x = randint(2, 3, 4, 4, low=-128, high=128, dtype="float32")
for axis, channels in ((0, 2), (1, 3)):
    for bits in (4, 8):
        attrs = {"quant_axis": axis, "quant_bits": [bits]}
        table.case({"X": x, "Scales": [rand(channels, low=0.5)]}, attrs)
for columns, channels in ((1, 3), (2, 4)):
    scales = [rand(channels, low=0.5), rand(1, low=0.5)]
    attrs = {"quant_axis": 0, "quant_bits": [8, 4], "x_num_col_dims": columns}
    table.case({"X": x[:, :, :, 0].copy(), "Scales": scales}, attrs)
table.error({"X": x, "Scales": [rand(4)]}, error="ShapeError", match="Scales")
table.error({"X": x, "Scales": [rand(3), rand(1)]}, error="ShapeError", match="quant_bits")
table.error({"X": x, "Scales": [rand(2)]}, {"quant_axis": 4}, error="ShapeError", match="axis")
table.error({"X": x, "Scales": [rand(2)]}, {"quant_bits": [0]}, error="ShapeError", match="bits")

test_fake_channel_wise_dequantize_max_abs = table.tests()
