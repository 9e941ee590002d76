#include "lite/core/types.h"

namespace paddle::lite {

size_t SizeOf(DataType type) {
  switch (type) {
    case DataType::kBool:
    case DataType::kUInt8:
    case DataType::kInt8:
      return 1;
    case DataType::kInt16:
    case DataType::kFP16:
      return 2;
    case DataType::kInt32:
    case DataType::kFP32:
      return 4;
    case DataType::kInt64:
    case DataType::kFP64:
    case DataType::kComplex64:
      return 8;
    case DataType::kComplex128:
      return 16;
  }
  return 0;
}

const char* Name(DataType type) {
  switch (type) {
    case DataType::kBool:
      return "bool";
    case DataType::kInt16:
      return "int16";
    case DataType::kInt32:
      return "int32";
    case DataType::kInt64:
      return "int64";
    case DataType::kFP16:
      return "float16";
    case DataType::kFP32:
      return "float32";
    case DataType::kFP64:
      return "float64";
    case DataType::kUInt8:
      return "uint8";
    case DataType::kInt8:
      return "int8";
    case DataType::kComplex64:
      return "complex64";
    case DataType::kComplex128:
      return "complex128";
  }
  return "unknown";
}

bool IsDataType(int number) { return SizeOf(static_cast<DataType>(number)) != 0; }

PrecisionType ToPrecision(DataType type) {
  switch (type) {
    case DataType::kBool:
      return PrecisionType::kBool;
    case DataType::kInt16:
      return PrecisionType::kInt16;
    case DataType::kInt32:
      return PrecisionType::kInt32;
    case DataType::kInt64:
      return PrecisionType::kInt64;
    case DataType::kFP16:
      return PrecisionType::kFP16;
    case DataType::kFP32:
      return PrecisionType::kFloat;
    case DataType::kFP64:
      return PrecisionType::kFP64;
    case DataType::kUInt8:
      return PrecisionType::kUInt8;
    case DataType::kInt8:
      return PrecisionType::kInt8;
    case DataType::kComplex64:
    case DataType::kComplex128:
      return PrecisionType::kUnk;
  }
  return PrecisionType::kUnk;
}

}  // namespace paddle::lite
