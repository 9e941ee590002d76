from fake_quant_cases import static_table

table = static_table("fake_quantize_range_abs_max")
test_fake_quantize_range_abs_max = table.tests()
