// Element types of Paddle Inference and of the SDK.
#pragma once

#include "lite/sdk/include/paddle_place.h"
#include "lite/sdk/include/paddle_tensor.h"

namespace paddle_infer {

// Throws DataTypeError for types that Paddle Inference has no name for.
DataType DataTypeOf(paddle::lite_api::PrecisionType precision);
// Throws ConfigError for what is no DataType.
const char* NameOf(DataType type);

}  // namespace paddle_infer
