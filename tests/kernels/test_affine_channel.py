from harness import OpTable, rand

table = OpTable("affine_channel")
for shape in [(1, 2, 5, 6), (2, 19, 3, 4), (3, 2), (2, 3, 4)]:
    table.case(
        {"X": rand(*shape), "Scale": rand(shape[1]), "Bias": rand(shape[1])},
        {"data_layout": "NCHW"},
        params=["Scale", "Bias"],
    )
doubles = {"X": rand(1, 2, 5, 6), "Scale": rand(2), "Bias": rand(2)}
table.case({k: v.astype("float64") for k, v in doubles.items()}, {"data_layout": "NCHW"})
table.error({**doubles, "Scale": rand(3)}, match="Scale")
table.error({**doubles, "Bias": rand(3)}, match="Bias")
table.error({**doubles, "X": rand(2)}, match="rank 2")
table.error(doubles, {"data_layout": "NHWC"}, match="NHWC")
table.error({**doubles, "X": doubles["X"].astype("int64")}, error="DataTypeError")
table.exempt("data_layout", "anything but NCHW is an error")
test_affine_channel = table.tests()
