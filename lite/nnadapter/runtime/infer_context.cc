#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation_internal.h"

namespace nnadapter::runtime {
namespace {

constexpr int32_t kUnknownDim = NNADAPTER_UNKNOWN;

float* CopyScales(const float* from, size_t count) {
  auto* scales = static_cast<float*>(std::malloc(std::max<size_t>(count, 1) * sizeof(float)));
  if (scales == nullptr) throw std::bad_alloc();
  std::memcpy(scales, from, count * sizeof(float));
  return scales;
}

void CopyQuantParams(const core::Operation& operation, int32_t precision,
                     NNAdapterOperandType* to) {
  for (const core::Operand* operand : operation.input_operands) {
    if (operand == nullptr || static_cast<int32_t>(operand->type.precision) != precision) continue;
    to->symm_per_channel_params = operand->type.symm_per_channel_params;
    if (IsPerChannel(precision)) {
      const auto& from = operand->type.symm_per_channel_params;
      to->symm_per_channel_params.scales = CopyScales(from.scales, from.scale_count);
    }
    return;
  }
}

}  // namespace

Dims InferContext::DimsOf(std::string_view name, size_t index) const {
  const core::Operand& operand = Operand(name, index);
  const NNAdapterOperandDimensionType& dims = operand.type.dimensions;
  const bool chosen = candidate_ >= 0 && static_cast<uint32_t>(candidate_) < dims.dynamic_count;
  const int32_t* data = chosen ? dims.dynamic_data[candidate_] : dims.data;
  return Dims(data, data + std::min<uint32_t>(dims.count, NNADAPTER_MAX_SIZE_OF_DIMENSIONS));
}

std::optional<Dims> InferContext::Values(std::string_view name, size_t index) const {
  const core::Operand& operand = Operand(name, index);
  if (!((kIndex | kBool) & PrecisionBit(operand.type.precision))) return std::nullopt;
  if (IsConstantOperand(operand)) {
    Dims values;
    for (const int64_t value : ReadIntegers(operand)) {
      // What is beyond int32 in a shape or an index means "to the end".
      const int64_t clamped = std::max<int64_t>(std::numeric_limits<int32_t>::min(),
                                                std::min<int64_t>(value, INT32_MAX));
      values.push_back(static_cast<int32_t>(clamped));
    }
    return values;
  }
  const NNAdapterOperandDimensionType* shape = TemporaryShapeOf(operand);
  if (shape == nullptr) return std::nullopt;
  const bool chosen = candidate_ >= 0 && static_cast<uint32_t>(candidate_) < shape->dynamic_count;
  const int32_t* data = chosen ? shape->dynamic_data[candidate_] : shape->data;
  return Dims(data, data + std::min<uint32_t>(shape->count, NNADAPTER_MAX_SIZE_OF_DIMENSIONS));
}

void InferContext::SetOutput(std::string_view name, int32_t precision, const Dims& dims,
                             size_t index) {
  core::Operand* output = OutputOrNull(name, index);
  if (output == nullptr) return;
  if (dims.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    Fail("output " + std::string(name) + " would have " + std::to_string(dims.size()) +
         " dimensions, at most 8 are possible");
  for (const int32_t dim : dims)
    if (dim < 0 && dim != kUnknownDim)
      Fail("output " + std::string(name) + " would have shape " + DimsText(dims));
  NNAdapterOperandType& type = output->type;
  NNAdapterOperandDimensionType& to = type.dimensions;
  if (candidate_ >= 0) {
    if (to.count != dims.size())
      Fail("output " + std::string(name) + " would have shape " + DimsText(dims) +
           " for candidate " + std::to_string(candidate_) + ", expected rank " +
           std::to_string(to.count) + " as for the dimensions themselves");
    to.dynamic_count = std::max(to.dynamic_count, static_cast<uint32_t>(candidate_) + 1);
    std::copy(dims.begin(), dims.end(), to.dynamic_data[candidate_]);
    return;
  }
  const int32_t given = type.precision;
  if (given == kUnknownDim) {
    type.precision = static_cast<NNAdapterOperandPrecisionCode>(precision);
    if (IsQuantized(precision)) CopyQuantParams(operation_, precision, &type);
  } else if (given != precision && !IsQuantized(given)) {
    Fail("output " + std::string(name) + " is declared as " + PrecisionName(given) + ", but is " +
         PrecisionName(precision));
  }
  to.count = static_cast<uint32_t>(dims.size());
  to.dynamic_count = 0;
  std::copy(dims.begin(), dims.end(), to.data);
}

void InferContext::SetValues(std::string_view name, const Dims& values, size_t index) {
  core::Operand* output = OutputOrNull(name, index);
  if (output == nullptr || values.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) return;
  NNAdapterOperandDimensionType shape{};
  if (candidate_ >= 0) {
    const NNAdapterOperandDimensionType* present = TemporaryShapeOf(*output);
    if (present == nullptr || present->count != values.size()) return;
    shape = *present;
    shape.dynamic_count = std::max(shape.dynamic_count, static_cast<uint32_t>(candidate_) + 1);
    std::copy(values.begin(), values.end(), shape.dynamic_data[candidate_]);
  } else {
    shape.count = static_cast<uint32_t>(values.size());
    std::copy(values.begin(), values.end(), shape.data);
  }
  SetTemporaryShape(output, shape);
}

int32_t InferContext::GivenPrecision(std::string_view name) const {
  const core::Operand* output = OutputOrNull(name);
  return output == nullptr ? kUnknownDim : static_cast<int32_t>(output->type.precision);
}

void InferContext::SetQuantization(std::string_view name, const std::vector<float>& scales,
                                   int channel_dim, int32_t zero_point) {
  core::Operand* output = OutputOrNull(name);
  if (output == nullptr || candidate_ >= 0) return;
  NNAdapterOperandType& type = output->type;
  const auto agree = [&](bool same) {
    if (!same) Fail("the quantisation of output " + std::string(name) + " is not the operands'");
  };
  const auto same_scale = [](float given, float wanted) {
    return std::fabs(given - wanted) <= 1e-5f * std::fabs(wanted);
  };
  if (IsPerChannel(type.precision)) {
    auto& params = type.symm_per_channel_params;
    if (params.scales == nullptr) {
      params = {static_cast<uint32_t>(channel_dim), static_cast<uint32_t>(scales.size()),
                CopyScales(scales.data(), scales.size())};
      return;
    }
    agree(params.scale_count == scales.size() &&
          params.channel_dim == static_cast<uint32_t>(channel_dim));
    for (size_t i = 0; i < scales.size(); ++i) agree(same_scale(params.scales[i], scales[i]));
    return;
  }
  agree(scales.size() == 1);
  auto& params = type.asymm_per_layer_params;  // the scale is where the symmetric one's is
  if (params.scale == 0) params.scale = scales[0];
  agree(same_scale(params.scale, scales[0]));
  if (!IsAsymmetric(type.precision)) return agree(zero_point == 0);
  if (params.zero_point == 0) params.zero_point = zero_point;
  agree(params.zero_point == zero_point);
}

void InferContext::Fail(const std::string& text) const {
  throw Error(NNADAPTER_INVALID_PARAMETER, info_.name() + ": " + text);
}

int CanonicalAxis(const InferContext& c, int64_t axis, int rank, const char* what) {
  c.Require(axis >= -rank && axis < rank, what, " is ", axis, ", expected a number in [", -rank,
            ", ", rank, ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Dims BroadcastDims(const InferContext& c, const Dims& a, const Dims& b) {
  const size_t rank = std::max(a.size(), b.size());
  Dims out(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int32_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    const int32_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    if (x == kUnknownDim || y == kUnknownDim) {
      const int32_t known = x == kUnknownDim ? y : x;
      out[i] = known == 1 ? kUnknownDim : known;
      continue;
    }
    c.Require(x == y || x == 1 || y == 1, "shapes ", DimsText(a), " and ", DimsText(b),
              " do not broadcast");
    out[i] = x == 1 ? y : x;
  }
  return out;
}

int64_t Product(const Dims& dims, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) {
    if (dims[i] == kUnknownDim) return kUnknownDim;
    if (__builtin_mul_overflow(product, static_cast<int64_t>(dims[i]), &product))
      throw Error(NNADAPTER_INVALID_PARAMETER, "a shape has too many elements: " + DimsText(dims));
  }
  return product;
}

void InferSame(InferContext& c) { c.SetOutput("output", c.Precision("input"), c.DimsOf("input")); }

}  // namespace nnadapter::runtime
