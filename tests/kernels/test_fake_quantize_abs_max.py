from fake_quant_cases import dynamic_table

table = dynamic_table("fake_quantize_abs_max", channel_wise=False)
test_fake_quantize_abs_max = table.tests()
