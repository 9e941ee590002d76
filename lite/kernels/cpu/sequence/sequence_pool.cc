#include <algorithm>
#include <cmath>
#include <numeric>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/sequence/sequence.h"

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

namespace {

void InferSequenceSoftmax(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  FinestOffsets(x, "X");
  c.Require(x.dims.production() == x.dims[0], "input X has shape ", x.dims,
            ", expected one value in a row");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void Softmax(const T* x, T* out, uint64_t count) {
  if (count == 0) return;
  const T top = *std::max_element(x, x + count);
  T sum = 0;
  for (uint64_t i = 0; i < count; ++i) sum += out[i] = std::exp(x[i] - top);
  for (uint64_t i = 0; i < count; ++i) out[i] /= sum;
}

void RunSequenceSoftmax(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& offsets = FinestOffsets(x.meta(), "X");
  VisitFloat(x.dtype(), "X", [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = c.Output("Out").mutable_data<T>();
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      Softmax(from + offsets[i], to + offsets[i], offsets[i + 1] - offsets[i]);
  });
}

}  // namespace

REGISTER_LITE_OP(sequence_softmax).Input("X").Output("Out").InferShape(InferSequenceSoftmax);
REGISTER_LITE_FUNCTION(sequence_softmax, kHost, kAny, kNCHW, RunSequenceSoftmax, def);

namespace {

// Sequence i of X holds channel_num images of as many rows and columns as sequence i of ROW and of
// COLUMN has. Each row of an image gives, for every k of topks, the sum of its k largest numbers
// over k. pos holds the places of the largest, -1 where a row has fewer.
int64_t MostOf(const OpLite& op) {
  const auto& topks = op.Attr<std::vector<int32_t>>("topks");
  int32_t before = 0;
  for (const int32_t k : topks) {
    if (k <= before) throw ShapeError("attribute topks, expected ascending positive numbers");
    before = k;
  }
  if (topks.empty()) throw ShapeError("attribute topks is empty, expected positive numbers");
  return before;
}

int64_t Length(const Offsets& offsets, size_t i) {
  return static_cast<int64_t>(offsets[i + 1] - offsets[i]);
}

void InferSequenceTopkAvgPooling(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32"));
  const int64_t channels = c.Attr<int32_t>("channel_num"), most = MostOf(c.op());
  c.Require(channels > 0, "attribute channel_num is ", channels, ", expected a positive number");
  const Offsets &images = OnlyOffsets(x, "X"), &rows = OnlyOffsets(c.Input("ROW"), "ROW"),
                &cols = OnlyOffsets(c.Input("COLUMN"), "COLUMN");
  c.Require(images.size() == rows.size() && rows.size() == cols.size(),
            "inputs X, ROW and COLUMN have ", SequenceCount(images), ", ", SequenceCount(rows),
            " and ", SequenceCount(cols), " sequences, expected as many");
  c.Require(RowSize(x.dims) == 1, "input X has shape ", x.dims, ", expected rows of one element");
  for (size_t i = 0; i + 1 < images.size(); ++i)
    c.Require(Length(images, i) == channels * Length(rows, i) * Length(cols, i), "sequence ", i,
              " of X has ", Length(images, i), " elements, expected ", channels, " x ",
              Length(rows, i), " x ", Length(cols, i));
  const auto total = static_cast<int64_t>(rows.back());
  const auto counts = static_cast<int64_t>(c.Attr<std::vector<int32_t>>("topks").size());
  c.SetOutput("Out", DDim{total, channels * counts}, x.dtype, {rows});
  c.SetOutput("pos", DDim{DDim{total, channels, most}.production()}, DataType::kInt32);
}

void RunSequenceTopkAvgPooling(KernelContext& c) {
  const Offsets &images = OnlyOffsets(c.Input("X").meta(), "X"),
                &rows = OnlyOffsets(c.Input("ROW").meta(), "ROW"),
                &cols = OnlyOffsets(c.Input("COLUMN").meta(), "COLUMN");
  const auto& topks = c.Attr<std::vector<int32_t>>("topks");
  const int64_t channels = c.Attr<int32_t>("channel_num"), most = MostOf(c.op());
  float* out = c.Output("Out").mutable_data<float>();
  Tensor* places = c.OutputOrNull("pos");
  int32_t* place = places == nullptr ? nullptr : places->mutable_data<int32_t>();
  std::vector<int32_t> order;
  for (size_t i = 0; i + 1 < images.size(); ++i) {
    const int64_t height = Length(rows, i), width = Length(cols, i), kept = std::min(most, width);
    for (int64_t row = 0; row < height; ++row)
      for (int64_t channel = 0; channel < channels; ++channel) {
        const float* x = c.Input("X").data<float>() + images[i] + (channel * height + row) * width;
        order.resize(static_cast<size_t>(width));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [x](int32_t a, int32_t b) { return x[a] > x[b]; });
        float sum = 0;
        int64_t taken = 0;
        for (const int32_t k : topks) {
          for (; taken < std::min<int64_t>(k, kept); ++taken)
            sum += x[order[static_cast<size_t>(taken)]];
          *out++ = sum / static_cast<float>(k);
        }
        for (int64_t k = 0; place != nullptr && k < most; ++k)
          *place++ = k < kept ? order[static_cast<size_t>(k)] : -1;
      }
  }
}

REGISTER_LITE_OP(sequence_topk_avg_pooling)
    .Input("X")
    .Input("ROW")
    .Input("COLUMN")
    .Output("Out")
    .OptionalOutput("pos")
    .RequiredAttr<std::vector<int32_t>>("topks")
    .RequiredAttr<int32_t>("channel_num")
    .InferShape(InferSequenceTopkAvgPooling);
REGISTER_LITE_FUNCTION(sequence_topk_avg_pooling, kHost, kFloat, kNCHW, RunSequenceTopkAvgPooling,
                       def);

}  // namespace
}  // namespace paddle::lite
