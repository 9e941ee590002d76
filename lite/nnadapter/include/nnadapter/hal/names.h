// Names of operations and element types, for messages.
#pragma once

#include <string>

#include "nnadapter/hal/precision.h"
#include "nnadapter/nnadapter.h"

namespace nnadapter {
namespace hal {

inline std::string OperationName(NNAdapterOperationType type) {
  static const char* const names[] = {"ABS",
                                      "ADAPTIVE_AVERAGE_POOL_2D",
                                      "ADAPTIVE_MAX_POOL_2D",
                                      "ADD",
                                      "AND",
                                      "ARG_MAX",
                                      "ARG_MIN",
                                      "ASSIGN",
                                      "AVERAGE_POOL_2D",
                                      "BATCH_NORMALIZATION",
                                      "CAST",
                                      "CHANNEL_SHUFFLE",
                                      "CLIP",
                                      "CONCAT",
                                      "CONV_2D",
                                      "CONV_2D_TRANSPOSE",
                                      "COS",
                                      "CUM_SUM",
                                      "DEFORMABLE_CONV_2D",
                                      "DEQUANTIZE",
                                      "DIV",
                                      "EQUAL",
                                      "EXP",
                                      "EXPAND",
                                      "FILL",
                                      "FILL_LIKE",
                                      "FLATTEN",
                                      "FLOOR",
                                      "FLOOR_DIV",
                                      "FULLY_CONNECTED",
                                      "GATHER",
                                      "GELU",
                                      "GREATER",
                                      "GREATER_EQUAL",
                                      "GRID_SAMPLE",
                                      "GROUP_NORMALIZATION",
                                      "HARD_SIGMOID",
                                      "HARD_SWISH",
                                      "INSTANCE_NORMALIZATION",
                                      "LAYER_NORMALIZATION",
                                      "LEAKY_RELU",
                                      "LESS",
                                      "LESS_EQUAL",
                                      "LOG",
                                      "LOG_SOFTMAX",
                                      "LP_NORMALIZATION",
                                      "LRN",
                                      "MAT_MUL",
                                      "MAX",
                                      "MAX_POOL_2D",
                                      "MESHGRID",
                                      "MIN",
                                      "MUL",
                                      "NOT",
                                      "NOT_EQUAL",
                                      "OR",
                                      "PAD",
                                      "POW",
                                      "PRIOR_BOX",
                                      "PRELU",
                                      "QUANTIZE",
                                      "RANGE",
                                      "REDUCE_MEAN",
                                      "REDUCE_MAX",
                                      "REDUCE_SUM",
                                      "RELU",
                                      "RELU6",
                                      "RESHAPE",
                                      "RESIZE_NEAREST",
                                      "RESIZE_LINEAR",
                                      "ROI_ALIGN",
                                      "ROLL",
                                      "RSQRT",
                                      "SHAPE",
                                      "SIGMOID",
                                      "SIN",
                                      "SLICE",
                                      "SOFTMAX",
                                      "SOFTPLUS",
                                      "SPLIT",
                                      "SQUARE",
                                      "SQUEEZE",
                                      "STACK",
                                      "SUB",
                                      "SUM",
                                      "SWISH",
                                      "TANH",
                                      "TILE",
                                      "TOP_K",
                                      "TRANSPOSE",
                                      "UNSQUEEZE",
                                      "UNSTACK",
                                      "WHERE",
                                      "XOR",
                                      "NON_MAX_SUPPRESSION",
                                      "YOLO_BOX"};
  const int count = sizeof(names) / sizeof(names[0]);
  return type >= 0 && type < count ? names[type] : "operation " + std::to_string(type);
}

inline std::string PrecisionName(int precision) {
  const char* name = DescribePrecision(precision).name;
  return name != nullptr ? name : "precision " + std::to_string(precision);
}

}  // namespace hal
}  // namespace nnadapter
