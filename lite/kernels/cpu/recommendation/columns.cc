#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence/sequence.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// The first two columns are how often something was shown and clicked: their logarithms, of which
// the second is relative to the first, or nothing of them.
void InferCvm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 2 && x.dims[1] >= 2, "input X has shape ", x.dims,
            ", expected rows of at least 2 columns");
  const int64_t dropped = c.Attr<bool>("use_cvm") ? 0 : 2;
  c.SetOutput("Y", {x.dims[0], x.dims[1] - dropped}, x.dtype, x.lod);
}

template <typename T>
void LogCounts(const Tensor& x, bool kept, T* y) {
  const int64_t width = x.dims()[1];
  const T* row = x.data<T>();
  for (int64_t i = 0; i < x.dims()[0]; ++i, row += width) {
    if (kept) {
      *y++ = std::log(row[0] + 1);
      *y++ = std::log(row[1] + 1) - std::log(row[0] + 1);
    }
    y = std::copy(row + 2, row + width, y);
  }
}

void RunCvm(KernelContext& c) {
  const Tensor& x = c.Input("X");
  VisitFloat(x.dtype(), "X", [&](auto zero) {
    using T = decltype(zero);
    LogCounts(x, c.Attr<bool>("use_cvm"), c.Output("Y").mutable_data<T>());
  });
}

REGISTER_LITE_OP(cvm)
    .Input("X")
    .OptionalInput("CVM")  // only training asks for it
    .Output("Y")
    .Attr<bool>("use_cvm", true)
    .InferShape(InferCvm);
REGISTER_LITE_FUNCTION(cvm, kHost, kAny, kNCHW, RunCvm, def);

// The first column of each input that takes part; attribute start_index may count from the end.
template <typename Context>
int64_t FirstColumn(const Context& c) {
  const int64_t begin = c.template Attr<int32_t>("start_index");
  return begin < 0 ? begin + DimsOf(c, "X")[1] : begin;
}

// How many of each input take part.
int64_t CountColumns(const InferContext& c) {
  const TensorMeta& first = c.Input("X");
  c.Require(first.dims.size() == 2, "X[0] has shape ", first.dims, ", expected two dimensions");
  RequireAlike(c, "X");
  const int64_t width = first.dims[1], length = c.Attr<int32_t>("length");
  const int64_t begin = FirstColumn(c);
  c.Require(begin >= 0 && begin < width, "attribute start_index is ",
            c.Attr<int32_t>("start_index"), ", expected a column of ", width);
  const int64_t count = length < 0 ? width - begin : length;
  c.Require(count > 0 && count <= width - begin, "attribute length is ", length, ", expected 1 to ",
            width - begin, " columns from ", begin, " on, or -1");
  return count;
}

void InferPartialConcat(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t count = CountColumns(c);
  c.SetOutput("Out", {x.dims[0], static_cast<int64_t>(c.InputCount("X")) * count}, x.dtype);
}

void RunPartialConcat(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const size_t inputs = c.InputCount("X"), size = SizeOf(out.dtype());
  const size_t count = RowBytes(out) / inputs;
  const size_t begin = static_cast<size_t>(FirstColumn(c)) * size;
  auto* to = static_cast<uint8_t*>(out.raw_data());
  for (int64_t row = 0; row < out.dims()[0]; ++row) {
    for (size_t i = 0; i < inputs; ++i) {
      const Tensor& x = c.Input("X", i);
      const auto* from = static_cast<const uint8_t*>(x.raw_data()) + begin;
      from += static_cast<size_t>(row) * RowBytes(x);
      to = std::copy(from, from + count, to);
    }
  }
}

REGISTER_LITE_OP(partial_concat)
    .Inputs("X")
    .Output("Out")
    .Attr<int32_t>("start_index", 0)
    .Attr<int32_t>("length", -1)
    .InferShape(InferPartialConcat);
REGISTER_LITE_FUNCTION(partial_concat, kHost, kAny, kNCHW, RunPartialConcat, def);

void InferPartialSum(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t count = CountColumns(c);
  c.SetOutput("Out", {x.dims[0], count}, x.dtype);
}

template <typename T>
void SumColumns(const KernelContext& c, Tensor* out) {
  const int64_t begin = FirstColumn(c), count = out->dims()[1], width = c.Input("X").dims()[1];
  T* to = out->mutable_data<T>();
  std::fill_n(to, out->numel(), T{0});
  for (size_t i = 0; i < c.InputCount("X"); ++i) {
    const T* from = c.Input("X", i).data<T>() + begin;
    for (int64_t row = 0; row < out->dims()[0]; ++row)
      for (int64_t k = 0; k < count; ++k) to[row * count + k] += from[row * width + k];
  }
}

void RunPartialSum(KernelContext& c) {
  Tensor& out = c.Output("Out");
  if (out.dtype() == DataType::kInt32) return SumColumns<int32_t>(c, &out);
  if (out.dtype() == DataType::kInt64) return SumColumns<int64_t>(c, &out);
  VisitFloat(out.dtype(), "X", [&](auto zero) { SumColumns<decltype(zero)>(c, &out); });
}

REGISTER_LITE_OP(partial_sum)
    .Inputs("X")
    .Output("Out")
    .Attr<int32_t>("start_index", 0)
    .Attr<int32_t>("length", -1)
    .InferShape(InferPartialSum);
REGISTER_LITE_FUNCTION(partial_sum, kHost, kAny, kNCHW, RunPartialSum, def);

}  // namespace
}  // namespace paddle::lite
