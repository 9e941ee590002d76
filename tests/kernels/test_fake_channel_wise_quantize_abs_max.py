from fake_quant_cases import dynamic_table

test_fake_channel_wise_quantize_abs_max = dynamic_table(
    "fake_channel_wise_quantize_abs_max", channel_wise=True
).tests()
