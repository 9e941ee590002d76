#include "lite/nnadapter/runtime/operand_type.h"

#include <cstring>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operation.h"
#include "nnadapter/hal/operand.h"

namespace nnadapter::runtime {
namespace {

template <typename Enum>
int32_t Number(const Enum& value) {
  static_assert(sizeof(Enum) == sizeof(int32_t), "ABI");
  int32_t number;
  std::memcpy(&number, &value, sizeof(number));
  return number;
}

void CheckDimensions(const NNAdapterOperandDimensionType& dimensions, size_t element_size) {
  if (dimensions.count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) {
    FailParameter("a rank of ", dimensions.count, ": at most ", NNADAPTER_MAX_SIZE_OF_DIMENSIONS,
                  " dimensions");
  }
  if (dimensions.dynamic_count > NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS) {
    FailParameter(dimensions.dynamic_count, " candidate shapes: at most ",
                  NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS);
  }
  for (uint32_t i = 0; i <= dimensions.dynamic_count; ++i) {
    const int32_t* data = i == 0 ? dimensions.data : dimensions.dynamic_data[i - 1];
    int64_t bytes = element_size ? static_cast<int64_t>(element_size) : 1;
    for (uint32_t axis = 0; axis < dimensions.count; ++axis) {
      if (data[axis] == NNADAPTER_UNKNOWN) continue;
      if (data[axis] < 0) FailParameter("dimension ", axis, " is ", data[axis]);
      if (data[axis] > 0 && bytes > kMaxTensorBytes / data[axis]) {
        FailParameter("dimensions ", DimensionsText(dimensions), " are too large");
      }
      bytes *= data[axis];
    }
  }
}

void CheckScales(const NNAdapterOperandType& type, bool readable) {
  const NNAdapterSymmPerChannelQuantParams& params = type.symm_per_channel_params;
  if (params.channel_dim >= type.dimensions.count) {
    FailParameter("channel_dim ", params.channel_dim, " of a tensor of rank ",
                  type.dimensions.count);
  }
  if (!readable) return;
  if (params.scale_count == 0 || !params.scales) {
    FailParameter("a type with a scale for each channel and no scales");
  }
  const int32_t channels = type.dimensions.data[params.channel_dim];
  if (channels != NNADAPTER_UNKNOWN && static_cast<uint32_t>(channels) != params.scale_count) {
    FailParameter(params.scale_count, " scales for ", channels, " channels");
  }
}

}  // namespace

int32_t PrecisionOf(const NNAdapterOperandType& type) { return Number(type.precision); }

int32_t LifetimeOf(const NNAdapterOperandType& type) { return Number(type.lifetime); }

bool IsPerChannel(int32_t precision) { return hal::IsSymmPerChannel(precision); }

bool IsAsymmetric(int32_t precision) { return hal::IsAsymmPerLayer(precision); }

bool IsConstant(const core::Operand& operand) {
  const int32_t lifetime = LifetimeOf(operand.type);
  return lifetime == NNADAPTER_CONSTANT_COPY || lifetime == NNADAPTER_CONSTANT_REFERENCE;
}

int64_t ElementCount(const NNAdapterOperandDimensionType& dimensions) {
  if (dimensions.count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) return -1;
  int64_t count = 1;
  for (uint32_t i = 0; i < dimensions.count; ++i) {
    const int64_t extent = dimensions.data[i];
    if (extent < 0 || (extent > 0 && count > kMaxTensorBytes / extent)) return -1;
    count *= extent;
  }
  return count;
}

std::string DimensionsText(const NNAdapterOperandDimensionType& dimensions) {
  if (dimensions.count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) {
    return Text("[", dimensions.count, " dimensions]");
  }
  std::string text = "[";
  for (uint32_t i = 0; i < dimensions.count; ++i) {
    if (i) text += ", ";
    text += dimensions.data[i] == NNADAPTER_UNKNOWN ? "?" : std::to_string(dimensions.data[i]);
  }
  return text + "]";
}

std::string TypeText(const NNAdapterOperandType& type) {
  const int32_t precision = PrecisionOf(type);
  return (PrecisionSize(precision) ? PrecisionName(precision) : "UNKNOWN") +
         DimensionsText(type.dimensions);
}

void CheckType(const NNAdapterOperandType& type, bool scales_readable) {
  const int32_t precision = PrecisionOf(type);
  const size_t element_size = PrecisionSize(precision);
  if (element_size == 0 && precision != NNADAPTER_UNKNOWN)
    FailParameter("no precision has the code ", precision);
  const int32_t layout = Number(type.layout);
  if (!hal::LayoutName(layout)) FailParameter("no layout has the code ", layout);
  const int32_t lifetime = LifetimeOf(type);
  if (!hal::LifetimeName(lifetime)) FailParameter("no lifetime has the code ", lifetime);
  CheckDimensions(type.dimensions, element_size);
  if (IsPerChannel(precision)) CheckScales(type, scales_readable);
}

}  // namespace nnadapter::runtime
