from fake_quant_cases import static_table

test_fake_quantize_dequantize_moving_average_abs_max = static_table(
    "fake_quantize_dequantize_moving_average_abs_max"
).tests()
