"""The operations and numbers of nnadapter.h that rules name; a test compares them with it."""

from __future__ import annotations

CONSTANTS = {
    "BOOL8": 0,
    "INT8": 1,
    "UINT8": 2,
    "INT16": 3,
    "UINT16": 4,
    "INT32": 5,
    "UINT32": 6,
    "INT64": 7,
    "UINT64": 8,
    "FLOAT16": 9,
    "FLOAT32": 10,
    "FLOAT64": 11,
    "FUSED_NONE": 0,
    "FUSED_RELU": 1,
    "FUSED_RELU1": 2,
    "FUSED_RELU6": 3,
    "AUTO_PAD_NONE": 0,
    "AUTO_PAD_SAME": 1,
    "AUTO_PAD_VALID": 2,
    "PAD_MODE_NONE": 0,
    "PAD_MODE_CONSTANT": 1,
    "PAD_MODE_REFLECT": 2,
    "PAD_MODE_REPLICATE": 3,
    "PAD_MODE_EDGE": 4,
    "INTERPOLATE_MODE_BILINEAR": 1,
    "INTERPOLATE_MODE_NEAREST": 2,
}

# Operands in the order of nnadapter.h; "..." stands for one or more.
_OPERATIONS = """
ABS input -> output
ADAPTIVE_AVERAGE_POOL_2D input output_shape -> output
ADAPTIVE_MAX_POOL_2D input output_shape return_indices return_indices_dtype -> output indices
ADD input0 input1 fuse_code -> output
AND input0 input1 -> output
ARG_MAX input axis keepdim dtype -> output
ARG_MIN input axis keepdim dtype -> output
ASSIGN input -> output
AVERAGE_POOL_2D input auto_pad pads kernel_shape strides ceil_mode count_include_pad fuse_code \
    -> output
BATCH_NORMALIZATION input scale bias mean variance epsilon -> output
CAST input dtype -> output
CHANNEL_SHUFFLE input group -> output
CLIP input min max -> output
CONCAT inputs... axis -> output
CONV_2D input filter bias auto_pad pads strides group dilations fuse_code -> output
CONV_2D_TRANSPOSE input filter bias auto_pad pads strides group dilations output_padding \
    output_shape fuse_code -> output
COS input -> output
CUM_SUM input axis exclusive reverse -> output
DEFORMABLE_CONV_2D input offset mask filter bias pads strides group deformable_group dilations \
    fuse_code -> output
DEQUANTIZE input -> output
DIV input0 input1 fuse_code -> output
EQUAL input0 input1 -> output
EXP input -> output
EXPAND input shape -> output
FILL shape value -> output
FILL_LIKE input value -> output
FLATTEN input start_axis end_axis -> output
FLOOR input -> output
FLOOR_DIV input0 input1 fuse_code -> output
FULLY_CONNECTED input weight bias fuse_code -> output
GATHER input indices axis -> output
GELU input approximate -> output
GREATER input0 input1 -> output
GREATER_EQUAL input0 input1 -> output
GRID_SAMPLE input grid align_corners mode pad_mode -> output
GROUP_NORMALIZATION input scale bias epsilon groups -> output
HARD_SIGMOID input alpha beta -> output
HARD_SWISH input alpha beta -> output
INSTANCE_NORMALIZATION input scale bias epsilon -> output
LAYER_NORMALIZATION input scale bias begin_norm_axis epsilon -> output
LEAKY_RELU input alpha -> output
LESS input0 input1 -> output
LESS_EQUAL input0 input1 -> output
LOG input -> output
LOG_SOFTMAX input axis -> output
LP_NORMALIZATION input axis p epsilon -> output
LRN input size bias alpha beta -> output
MAT_MUL x y transpose_x transpose_y -> output
MAX input0 input1 fuse_code -> output
MAX_POOL_2D input auto_pad pads kernel_shape strides ceil_mode return_indices \
    return_indices_dtype fuse_code -> output indices
MESHGRID inputs... -> outputs...
MIN input0 input1 fuse_code -> output
MUL input0 input1 fuse_code -> output
NOT input -> output
NOT_EQUAL input0 input1 -> output
OR input0 input1 -> output
PAD input pads mode value -> output
POW input0 input1 fuse_code -> output
PRIOR_BOX input image min_sizes max_sizes aspect_ratios variances flip clip step_w step_h \
    offset min_max_aspect_ratios_order -> boxes variances
PRELU input slope -> output
QUANTIZE input axis scale zero_point -> output
RANGE start end step -> output
REDUCE_MEAN input axes keepdim -> output
REDUCE_MAX input axes keepdim -> output
REDUCE_SUM input axes keepdim -> output
RELU input -> output
RELU6 input -> output
RESHAPE input shape -> output
RESIZE_NEAREST input shape scales align_corners -> output
RESIZE_LINEAR input shape scales align_corners align_mode -> output
ROI_ALIGN input rois batch_indices output_height output_width sampling_ratio spatial_scale \
    aligned -> output
ROLL input shifts axes -> output
RSQRT input -> output
SHAPE input dtype -> output
SIGMOID input -> output
SIN input -> output
SLICE input axes starts ends steps -> output
SOFTMAX input axis -> output
SOFTPLUS input beta threshold -> output
SPLIT input axis split -> outputs...
SQUARE input -> output
SQUEEZE input axes -> output
STACK inputs... axis -> output
SUB input0 input1 fuse_code -> output
SUM inputs... -> output
SWISH input -> output
TANH input -> output
TILE input repeats -> output
TOP_K input k axis largest sorted return_indices_dtype -> output indices
TRANSPOSE input perm -> output
UNSQUEEZE input axes -> output
UNSTACK input axis num -> outputs...
WHERE condition input0 input1 -> output
XOR input0 input1 -> output
NON_MAX_SUPPRESSION bboxes scores rois_num background_label score_threshold nms_top_k \
    nms_threshold nms_eta keep_top_k normalized return_index -> output out_rois_num index
YOLO_BOX input imgsize anchors class_num conf_thresh downsample_ratio clip_bbox scale_x_y \
    iou_aware iou_aware_factor -> boxes scores
"""

OPERATIONS: dict[str, int] = {}
OPERANDS: dict[str, tuple[list[str], list[str]]] = {}
for _code, _line in enumerate(_OPERATIONS.strip().splitlines()):
    _inputs, _outputs = _line.split(" -> ")
    _name, *_operands = _inputs.split()
    OPERATIONS[_name] = _code
    OPERANDS[_name] = (_operands, _outputs.split())
