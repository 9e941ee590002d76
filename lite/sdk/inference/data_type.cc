#include "lite/sdk/inference/data_type.h"

#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_inference_api.h"

namespace paddle_infer {
namespace {

using paddle::lite::StrCat;
using SdkType = paddle::lite_api::PrecisionType;

struct Row {
  DataType type;
  SdkType precision;
  const char* name;
  int bytes;
};

constexpr Row kTypes[] = {
    {FLOAT32, SdkType::kFloat, "float32", 4}, {INT64, SdkType::kInt64, "int64", 8},
    {INT32, SdkType::kInt32, "int32", 4},     {UINT8, SdkType::kUInt8, "uint8", 1},
    {INT8, SdkType::kInt8, "int8", 1},        {FLOAT16, SdkType::kFP16, "float16", 2},
    {BOOL, SdkType::kBool, "bool", 1},        {FLOAT64, SdkType::kFP64, "float64", 8},
};

const Row& RowOf(DataType type) {
  for (const Row& row : kTypes)
    if (row.type == type) return row;
  throw paddle::lite::ConfigError(
      StrCat("no tensor here has the DataType ", static_cast<int>(type)));
}

}  // namespace

DataType DataTypeOf(SdkType precision) {
  for (const Row& row : kTypes)
    if (row.precision == precision) return row.type;
  throw paddle::lite::DataTypeError(StrCat("Paddle Inference has no DataType for ",
                                           PrecisionToStr(precision), "; use paddle::lite_api"));
}

const char* NameOf(DataType type) { return RowOf(type).name; }
int GetNumBytesOfDataType(DataType type) { return type == BFLOAT16 ? 2 : RowOf(type).bytes; }

}  // namespace paddle_infer
