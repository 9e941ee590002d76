// Sequences of tokens: sequence_erase leaves some out, sequence_enumerate lists windows of them.
#include <algorithm>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

const Offsets& CheckTokens(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const Offsets& offsets = FinestOffsets(x, "X");
  c.Require(RowSize(x.dims) == 1, "input X has shape ", x.dims, ", expected a token in each row");
  if (x.dtype != DataType::kInt32 && x.dtype != DataType::kInt64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected int32 or int64"));
  return offsets;
}

void InferErase(InferContext& c) { CheckTokens(c); }

template <typename T>
void Erase(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Offsets& from = FinestOffsets(input.meta(), "X");
  const auto& tokens = c.Attr<std::vector<int32_t>>("tokens");
  const T* x = input.data<T>();
  std::vector<T> kept;
  Offsets offsets{0};
  for (size_t i = 0; i + 1 < from.size(); ++i) {
    std::copy_if(x + from[i], x + from[i + 1], std::back_inserter(kept), [&](T token) {
      return std::find(tokens.begin(), tokens.end(), token) == tokens.end();
    });
    offsets.push_back(kept.size());
  }
  Tensor& out = c.Output("Out");
  out.Allocate(WithRows(input.dims(), static_cast<int64_t>(kept.size())), input.dtype());
  std::copy(kept.begin(), kept.end(), out.mutable_data<T>());
  LoD lod = input.meta().lod;
  lod.back() = offsets;
  out.set_lod(lod);
}

void RunErase(KernelContext& c) {
  ForTypes<int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto type) { Erase<decltype(type)>(c); });
}

void InferEnumerate(InferContext& c) {
  CheckTokens(c);
  const TensorMeta& x = c.Input("X");
  const int64_t window = c.Attr<int32_t>("win_size");
  c.Require(window >= 2, "attribute win_size is ", window, ", expected at least 2");
  c.SetOutput("Out", {x.dims[0], window}, x.dtype, x.lod);
}

template <typename T>
void Enumerate(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Offsets& offsets = FinestOffsets(input.meta(), "X");
  const T pad = static_cast<T>(c.Attr<int32_t>("pad_value"));
  const auto window = static_cast<uint64_t>(c.Attr<int32_t>("win_size"));
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  for (size_t i = 0; i + 1 < offsets.size(); ++i)
    for (uint64_t row = offsets[i]; row < offsets[i + 1]; ++row)
      for (uint64_t at = row; at < row + window; ++at) *out++ = at < offsets[i + 1] ? x[at] : pad;
}

void RunEnumerate(KernelContext& c) {
  ForTypes<int32_t, int64_t>(c, c.Input("X").dtype(),
                             [&](auto type) { Enumerate<decltype(type)>(c); });
}

REGISTER_LITE_OP(sequence_erase)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("tokens")
    .InferShape(InferErase)
    .DataDependent();
REGISTER_LITE_FUNCTION(sequence_erase, kHost, kAny, kNCHW, RunErase, def);

REGISTER_LITE_OP(sequence_enumerate)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("win_size")
    .Attr<int32_t>("pad_value", 0)
    .InferShape(InferEnumerate);
REGISTER_LITE_FUNCTION(sequence_enumerate, kHost, kAny, kNCHW, RunEnumerate, def);

}  // namespace
}  // namespace paddle::lite
