// Computes operations on constants once, where the kit can: moving elements, casts, arithmetic.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "nnadapter/hal/graph.h"
#include "nnadapter/hal/shape.h"

namespace nnadapter {
namespace hal {
namespace detail {

using Bytes = std::vector<char>;

template <typename T>
bool Arithmetic(NNAdapterOperationType type, T x, T y, T* result) {
  switch (type) {
    case NNADAPTER_ADD:
      *result = x + y;
      return true;
    case NNADAPTER_SUB:
      *result = x - y;
      return true;
    case NNADAPTER_MUL:
      *result = x * y;
      return true;
    case NNADAPTER_MAX:
      *result = std::max(x, y);
      return true;
    case NNADAPTER_MIN:
      *result = std::min(x, y);
      return true;
    case NNADAPTER_DIV:
      if (!std::is_floating_point<T>::value) return false;  // rounding is the device's affair
      *result = x / y;
      return true;
    default:
      return false;
  }
}

inline double Activate(double value, int fuse_code) {
  switch (fuse_code) {
    case NNADAPTER_FUSED_RELU:
      return std::max(value, 0.0);
    case NNADAPTER_FUSED_RELU1:
      return std::min(std::max(value, -1.0), 1.0);
    case NNADAPTER_FUSED_RELU6:
      return std::min(std::max(value, 0.0), 6.0);
    default:
      return value;
  }
}

template <typename T>
bool FoldBinary(const core::Operation& operation, Bytes* result) {
  const std::vector<int32_t> dims = Dims(Output(operation).type);
  const core::Operand &a = Input(operation, 0), &b = Input(operation, 1);
  if (a.type.precision != b.type.precision ||
      a.type.precision != Output(operation).type.precision ||
      BroadcastDims(Dims(a.type), Dims(b.type)) != dims)
    return false;
  const std::vector<T> x = Values<T>(a), y = Values<T>(b);
  const int fuse_code = FuseCodeOf(operation);
  T* to = reinterpret_cast<T*>(result->data());
  bool done = true;
  ForEachElement(dims, BroadcastStrides(Dims(a.type), dims), BroadcastStrides(Dims(b.type), dims),
                 [&](int64_t i, int64_t p, int64_t q) {
                   done = done && Arithmetic<T>(operation.type, x[p], y[q], &to[i]);
                   if (done && fuse_code) to[i] = static_cast<T>(Activate(to[i], fuse_code));
                 });
  return done;
}

inline bool FoldUnary(const core::Operation& operation, Bytes* result) {
  if (Input(operation, 0).type.precision != NNADAPTER_FLOAT32) return false;
  const std::vector<float> x = Values<float>(operation, 0);
  float* to = reinterpret_cast<float*>(result->data());
  const auto apply = [&](auto function) {
    for (size_t i = 0; i < x.size(); ++i) to[i] = function(x[i]);
    return true;
  };
  switch (operation.type) {
    case NNADAPTER_ABS:
      return apply([](float v) { return std::fabs(v); });
    case NNADAPTER_EXP:
      return apply([](float v) { return std::exp(v); });
    case NNADAPTER_FLOOR:
      return apply([](float v) { return std::floor(v); });
    case NNADAPTER_LOG:
      return apply([](float v) { return std::log(v); });
    case NNADAPTER_RELU:
      return apply([](float v) { return std::max(v, 0.f); });
    case NNADAPTER_RSQRT:
      return apply([](float v) { return 1.f / std::sqrt(v); });
    case NNADAPTER_SIGMOID:
      return apply([](float v) { return 1.f / (1.f + std::exp(-v)); });
    case NNADAPTER_SQUARE:
      return apply([](float v) { return v * v; });
    case NNADAPTER_TANH:
      return apply([](float v) { return std::tanh(v); });
    default:
      return false;
  }
}

inline bool FoldTranspose(const core::Operation& operation, Bytes* result) {
  const core::Operand& input = Input(operation, Transpose::kInput);
  const std::vector<int> perm = Values<int>(operation, Transpose::kPerm);
  const std::vector<int32_t> from = Dims(input.type), dims = Dims(Output(operation).type);
  if (perm.size() != from.size() || dims.size() != from.size()) return false;
  std::vector<int64_t> strides(from.size()), moved(from.size());
  int64_t stride = 1;
  for (size_t axis = from.size(); axis-- > 0; stride *= from[axis]) strides[axis] = stride;
  for (size_t axis = 0; axis < perm.size(); ++axis) {
    if (perm[axis] < 0 || perm[axis] >= static_cast<int>(from.size()) ||
        dims[axis] != from[perm[axis]])
      return false;
    moved[axis] = strides[perm[axis]];
  }
  const size_t size = PrecisionSize(input.type.precision);
  const char* data = static_cast<const char*>(input.buffer);
  ForEachElement(dims, moved, moved, [&](int64_t i, int64_t p, int64_t) {
    std::memcpy(result->data() + i * size, data + p * size, size);
  });
  return true;
}

inline bool FoldCast(const core::Operation& operation, Bytes* result) {
  const auto fill = [&](auto element) {
    const auto values = Values<decltype(element)>(operation, Cast::kInput);
    if (values.size() * sizeof(element) != result->size()) return false;
    if (!values.empty()) std::memcpy(result->data(), values.data(), result->size());
    return true;
  };
  // A fraction becomes an integer as the device likes; the other casts are exact or rounded once.
  const int from = Input(operation, Cast::kInput).type.precision;
  const bool from_integer = from == NNADAPTER_INT32 || from == NNADAPTER_INT64;
  switch (static_cast<int>(Output(operation).type.precision)) {
    case NNADAPTER_INT32:
      return from == NNADAPTER_INT64 && fill(int32_t());
    case NNADAPTER_INT64:
      return from == NNADAPTER_INT32 && fill(int64_t());
    case NNADAPTER_FLOAT32:
      return (from_integer || from == NNADAPTER_FLOAT64) && fill(float());
    case NNADAPTER_FLOAT64:
      return (from_integer || from == NNADAPTER_FLOAT32) && fill(double());
    default:
      return false;
  }
}

// The result of an operation whose inputs are constants; false where the kit cannot compute it.
inline bool Fold(const core::Operation& operation, Bytes* result) {
  const core::Operand& first = Input(operation, 0);
  switch (operation.type) {
    case NNADAPTER_ASSIGN:
    case NNADAPTER_FLATTEN:
    case NNADAPTER_RESHAPE:
    case NNADAPTER_SQUEEZE:
    case NNADAPTER_UNSQUEEZE:
      if (first.type.precision != Output(operation).type.precision || first.length < result->size())
        return false;
      if (!result->empty()) std::memcpy(result->data(), first.buffer, result->size());
      return true;
    case NNADAPTER_TRANSPOSE:
      return FoldTranspose(operation, result);
    case NNADAPTER_CAST:
      return FoldCast(operation, result);
    default:
      break;
  }
  if (FuseCodePosition(operation.type) != Add::kFuseCode || operation.input_operands.size() < 2)
    return FoldUnary(operation, result);
  switch (static_cast<int>(first.type.precision)) {
    case NNADAPTER_FLOAT32:
      return FoldBinary<float>(operation, result);
    case NNADAPTER_INT32:
      return FoldBinary<int32_t>(operation, result);
    case NNADAPTER_INT64:
      return FoldBinary<int64_t>(operation, result);
    default:
      return false;
  }
}

inline bool FoldAt(Graph* graph, core::Operation* operation) {
  if (operation->input_operands.empty() || operation->output_operands.size() != 1) return false;
  for (const core::Operand* input : operation->input_operands) {
    if (input && !IsConstant(*input)) return false;
  }
  core::Operand* output = operation->output_operands[0];
  if (!output || graph->IsOutput(output) || HasUnknownDims(output->type) ||
      !operation->input_operands[0])
    return false;
  Bytes bytes(ElementCount(output->type) * PrecisionSize(output->type.precision));
  if (!Fold(*operation, &bytes)) return false;
  core::Operand* constant = graph->AddConstant(output->type, bytes.data());
  graph->ReplaceReads(output, constant);
  graph->Remove(operation);
  return true;
}

}  // namespace detail

// Returns how many operations were computed. A model's outputs stay computed by the device.
inline int FoldConstants(core::Model* model) {
  SortOperations(model);
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) count += detail::FoldAt(&graph, operation);
  return count;
}

}  // namespace hal
}  // namespace nnadapter
