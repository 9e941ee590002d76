#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

enum class SequencePoolKind { kAverage, kSum, kSqrt, kLast, kFirst, kMax };

SequencePoolKind ParsePool(const std::string& name) {
  if (name == "AVERAGE") return SequencePoolKind::kAverage;
  if (name == "SUM") return SequencePoolKind::kSum;
  if (name == "SQRT") return SequencePoolKind::kSqrt;
  if (name == "LAST") return SequencePoolKind::kLast;
  if (name == "FIRST") return SequencePoolKind::kFirst;
  if (name == "MAX") return SequencePoolKind::kMax;
  throw LiteError(StrCat("attribute pooltype is '", name,
                         "', expected AVERAGE, SUM, SQRT, LAST, FIRST or MAX"));
}

void InferSequencePool(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const SequencePoolKind pool = ParsePool(c.Attr<std::string>("pooltype"));
  const DDim out = WithRows(x.dims, SequenceCount(FinestOffsets(x, "X")));
  c.SetOutput("Out", out, x.dtype, LoD(x.lod.begin(), x.lod.end() - 1));
  c.SetOutput("MaxIndex", pool == SequencePoolKind::kMax ? out : DDim{0}, DataType::kInt32);
}

template <typename T>
void PoolMax(const T* x, int64_t begin, int64_t end, int64_t width, T* out, int32_t* index) {
  std::copy(x + begin * width, x + (begin + 1) * width, out);
  if (index != nullptr) std::fill(index, index + width, static_cast<int32_t>(begin));
  for (int64_t row = begin + 1; row < end; ++row) {
    const T* values = x + row * width;
    for (int64_t i = 0; i < width; ++i) {
      if (!(values[i] > out[i])) continue;
      out[i] = values[i];
      if (index != nullptr) index[i] = static_cast<int32_t>(row);
    }
  }
}

template <typename T>
void PoolSum(const T* x, int64_t begin, int64_t end, int64_t width, SequencePoolKind pool, T* out) {
  std::copy(x + begin * width, x + (begin + 1) * width, out);
  for (int64_t row = begin + 1; row < end; ++row)
    for (int64_t i = 0; i < width; ++i) out[i] += x[row * width + i];
  if (pool == SequencePoolKind::kSum) return;
  const T length = static_cast<T>(end - begin);
  const T divisor = pool == SequencePoolKind::kAverage ? length : std::sqrt(length);
  for (int64_t i = 0; i < width; ++i) out[i] /= divisor;
}

template <typename T>
void PoolAll(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const SequencePoolKind pool = ParsePool(c.Attr<std::string>("pooltype"));
  const Offsets& offsets = FinestOffsets(x.meta(), "X");
  const int64_t width = RowSize(x.dims());
  const T* data = x.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  Tensor* max_index = pool == SequencePoolKind::kMax ? c.OutputOrNull("MaxIndex") : nullptr;
  int32_t* index = max_index != nullptr ? max_index->mutable_data<int32_t>() : nullptr;
  for (size_t s = 0; s + 1 < offsets.size(); ++s, out += width) {
    const auto begin = static_cast<int64_t>(offsets[s]), end = static_cast<int64_t>(offsets[s + 1]);
    if (begin == end) {
      std::fill(out, out + width, static_cast<T>(c.Attr<float>("pad_value")));
      if (index != nullptr) std::fill(index, index + width, -1);
    } else if (pool == SequencePoolKind::kMax) {
      PoolMax(data, begin, end, width, out, index);
    } else if (pool == SequencePoolKind::kLast || pool == SequencePoolKind::kFirst) {
      const T* row = data + (pool == SequencePoolKind::kFirst ? begin : end - 1) * width;
      std::copy(row, row + width, out);
    } else {
      PoolSum(data, begin, end, width, pool, out);
    }
    if (index != nullptr) index += width;
  }
}

void RunSequencePool(KernelContext& c) {
  VisitFloat(c.Input("X").dtype(), "X", [&](auto zero) { PoolAll<decltype(zero)>(c); });
}

}  // namespace

REGISTER_LITE_OP(sequence_pool)
    .Input("X")
    .Output("Out")
    .OptionalOutput("MaxIndex")
    .Attr<std::string>("pooltype", "AVERAGE")
    .Attr<float>("pad_value", 0.0f)
    .InferShape(InferSequencePool);
REGISTER_LITE_FUNCTION(sequence_pool, kHost, kAny, kNCHW, RunSequencePool, def);

}  // namespace paddle::lite
