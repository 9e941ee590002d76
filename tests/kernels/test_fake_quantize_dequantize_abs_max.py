from fake_quant_cases import dynamic_table

test_fake_quantize_dequantize_abs_max = dynamic_table(
    "fake_quantize_dequantize_abs_max", channel_wise=False
).tests()
