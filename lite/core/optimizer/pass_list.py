"""Which passes run, in order. Names are Paddle Lite's where it has such a pass."""

from __future__ import annotations

_FIRST: tuple[str, ...] = (
    "lite_quant_dequant_fuse_pass",
    "weight_quantization_preprocess_pass",
    "dead_code_eliminate_pass",
    "assign_value_calc_offline_pass",
    "p_norm_fill_constant_max_div_fuse_pass",
    "fill_constant_calc_offline_pass",
    "range_calc_offline_pass",
    "reshape_calc_offline_pass",
    "unsqueeze_calc_offline_pass",
    "scale_calc_offline_pass",
)
"""What every list begins with: scales become attributes, what is constant is computed."""

PASS_LIST: tuple[str, ...] = (
    "dynamic_quantize_matmul_fuse_pass",
    "dynamic_quantize_conv2d_fuse_pass",
    *_FIRST,
    "quantization_simulation_pass",
    "constant_folding_pass",
    "constant_sharing_pass",
    "identity_scale_eliminate_pass",
    "identity_dropout_eliminate_pass",
    "einsum_matmul_pass",
    "loop_invariant_pass",
    "transpose_eliminate_pass",
    "squeeze_eliminate_pass",
    "lite_unsqueeze2_pad3d_squeeze2_fuse_pass",
    "pad_conv_fuse_pass",
    "gelu_fuse_pass",
    "hard_swish_fuse_pass",
    "prelu_fuse_pass",
    "layer_norm_fuse_pass",
    "lite_conv_elementwise_fuse_pass",
    "lite_conv_bn_fuse_pass",
    "conv_branches_fuse_pass",
    "lite_conv_conv_fuse_pass",
    "conv_elementwise_mul_fuse_pass",
    "lite_conv_elementwise_fuse_pass",
    "lite_sigmoid_elementmul_fuse_pass",
    "lite_squeeze2_matmul_fuse_pass",
    "lite_reshape2_matmul_fuse_pass",
    "lite_matmul_element_add_fuse_pass",
    "lite_matmul_fuse_pass",
    "lite_fc_fuse_pass",
    "fc_bn_fuse_pass",
    "elementwise_mul_constant_eliminate_pass",
    "conv_input_affine_fuse_pass",
    "scalar_elementwise_to_scale_pass",
    "scale_before_shape_pass",
    "lite_scales_fuse_pass",
    "lite_conv_scale_fuse_pass",
    "matmul_scale_fuse_pass",
    "lite_conv_activation_fuse_pass",
    "lite_flatten_fc_fuse_pass",
    "lite_elementwise_activation_fuse_pass",
    "common_subexpression_elimination_pass",
    "dead_code_eliminate_pass",
    "lite_exchange_pass",
    "lite_compatibility_pass",
    "weight_blocks_pass",
    "static_kernel_pick_pass",
    "sparse_conv_detect_pass",
    "fp16_attribute_pass",
    "type_precision_cast_pass",
    "lite_inplace_fuse_pass",
    "post_quant_dynamic_pass",
)
"""The default list. It runs again as long as it finds something; final passes run once."""

PARTITION_PASS = "nnadapter_subgraph_pass"

BEFORE_PARTITION: tuple[str, ...] = (
    *_FIRST,
    "constant_folding_pass",
    "einsum_matmul_pass",
    "transpose_eliminate_pass",
    "op_fusion_minimal_set_pass",
    "unbind_to_slice_pass",
    "lite_unsqueeze2_pad3d_squeeze2_fuse_pass",
    "max_pool_index_eliminate_pass",
    "quantization_parameters_propagation_pass",
    "quantization_parameters_removal_pass",
    "quantization_folding_pass",
)
"""What runs before a program is divided among devices, which know standard operators only. What
they leave then goes through ``PASS_LIST``."""

NOT_NEEDED: frozenset[str] = frozenset(
    """
support_0_dim_tensor_pass op_transformation_pass ssd_boxes_calc_offline_pass
remove_scale1_pass adaptive_1x1_pool2d_convert_global_pass
lite_shuffle_channel_fuse_pass
lite_transpose_softmax_transpose_fuse_pass lite_interpolate_fuse_pass
lite_scale_activation_fuse_pass lite_scaleacts_fuse_pass lite_elementwise_scale_fuse_pass
lite_instance_norm_activation_fuse_pass lite_fc_prelu_fuse_pass
lite_conv_elementwise_tree_fuse_pass transformer_attention_fuse_pass
lite_greater_than_cast_fuse_pass fix_mismatched_precision_pass
opencl_memory_object_config_pass remove_tf_redundant_ops_pass variable_place_inference_pass
control_flow_op_unused_inputs_and_outputs_eliminate_pass
control_flow_op_shared_inputs_and_outputs_place_sync_pass
type_target_cast_pass io_copy_kernel_pick_pass type_layout_cast_pass
runtime_context_assign_pass memory_optimize_pass xpu_memory_optimize_pass
x86_int8_attribute_pass generate_program_pass
argument_type_display_pass graph_visualize_pass lite_var_conv_2d_activation_fuse_pass
lite_elementwise_reshape_fuse_pass multi_stream_analysis_pass
""".split()
)
"""Paddle Lite's passes that have no counterpart here; discarding one changes nothing."""

MAX_ROUNDS = 4
"""How often the list may run."""
