// Element types of Paddle Inference and of the SDK.
#pragma once

#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_place.h"
#include "lite/sdk/include/paddle_tensor.h"

namespace paddle_infer {

// Throws DataTypeError for types that Paddle Inference has no name for.
DataType DataTypeOf(paddle::lite_api::PrecisionType precision);
// Throws ConfigError for what is no DataType.
const char* NameOf(DataType type);

// Calls visit(T()) for the T of a tensor's elements. Throws ConfigError where there is none.
template <typename Visit>
void VisitType(DataType type, const Visit& visit) {
  switch (type) {
    case FLOAT32:
      return visit(float());
    case FLOAT64:
      return visit(double());
    case INT64:
      return visit(int64_t());
    case INT32:
      return visit(int32_t());
    case UINT8:
      return visit(uint8_t());
    case INT8:
      return visit(int8_t());
    case BOOL:
      return visit(bool());
    default:
      throw paddle::lite::ConfigError(
          paddle::lite::StrCat("elements of ", NameOf(type), " cannot be copied here"));
  }
}

}  // namespace paddle_infer
