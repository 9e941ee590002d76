#include <algorithm>

#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

// Where each of Values belongs in its sorted line: one line for all, or one for each of Values'.
void InferSearchsorted(InferContext& c) {
  const TensorMeta& lines = c.Input("SortedSequence");
  const TensorMeta& values = c.Input("Values");
  bool fits = !lines.dims.empty();
  if (lines.dims.size() > 1) {
    fits = lines.dims.size() == values.dims.size();
    for (int i = 0; fits && i + 1 < lines.dims.size(); ++i) fits = lines.dims[i] == values.dims[i];
  }
  c.Require(fits, "SortedSequence has shape ", lines.dims, " and Values ", values.dims,
            "; expected one dimension, or the same ones but for the last");
  if (lines.dtype != values.dtype)
    throw DataTypeError(
        StrCat("SortedSequence is ", Name(lines.dtype), ", but Values is ", Name(values.dtype)));
  const bool narrow = c.Attr<bool>("out_int32");
  c.SetOutput("Out", values.dims, narrow ? DataType::kInt32 : DataType::kInt64);
}

// NaN and infinities stand behind everything.
template <typename T>
int64_t Find(const T* line, int64_t size, T value, bool right) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(value) || std::isinf(value)) return size;
  return (right ? std::upper_bound(line, line + size, value)
                : std::lower_bound(line, line + size, value)) -
         line;
}

template <typename T, typename Place>
void Search(KernelContext& c) {
  const Tensor& lines = c.Input("SortedSequence");
  const Tensor& values = c.Input("Values");
  const T* line = lines.data<T>();
  const T* value = values.data<T>();
  auto* to = c.Output("Out").mutable_data<Place>();
  const int64_t size = lines.dims().back(), total = values.numel();
  const int64_t each = lines.dims().size() == 1 || total == 0 ? total : values.dims().back();
  for (int64_t i = 0; i < total; ++i)
    to[i] = static_cast<Place>(Find(line + i / each * size, size, value[i], c.Attr<bool>("right")));
}

void RunSearchsorted(KernelContext& c) {
  const bool narrow = c.Attr<bool>("out_int32");
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("Values").dtype(), [&](auto zero) {
    using T = decltype(zero);
    narrow ? Search<T, int32_t>(c) : Search<T, int64_t>(c);
  });
}

REGISTER_LITE_OP(searchsorted)
    .Input("SortedSequence")
    .Input("Values")
    .Output("Out")
    .Attr<bool>("out_int32", false)
    .Attr<bool>("right", false)
    .InferShape(InferSearchsorted);
REGISTER_LITE_FUNCTION(searchsorted, kHost, kAny, kNCHW, RunSearchsorted, def);

}  // namespace
}  // namespace paddle::lite
