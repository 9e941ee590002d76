#include <algorithm>
#include <limits>

#include "lite/kernels/cpu/pool.h"

namespace paddle::lite {
namespace {

PoolShape ShapeOf(const OpLite& op, const DDim& x) {
  PoolShape s;
  const bool adaptive = op.Attr<bool>("adaptive"), global = op.Attr<bool>("global_pooling");
  const auto ksize = global ? std::vector<int64_t>{x[2], x[3]} : IntsAttr(op, "ksize", 2);
  const auto strides = IntsAttr(op, "strides", 2);
  const bool uneven = op.Attr<std::vector<int32_t>>("paddings").size() == 4;
  const auto paddings = IntsAttr(op, "paddings", uneven ? 4 : 2);
  s.max = true;
  s.adaptive = adaptive;
  for (size_t i = 0; i < 2; ++i) {
    const int64_t in = x[static_cast<int>(i) + 2], before = paddings[uneven ? 2 * i : i],
                  after = paddings[uneven ? 2 * i + 1 : i];
    const bool unpadded = global || adaptive;
    if (in < 1 || in >= kMaxSpatialSize || ksize[i] < 1 || strides[i] < 1)
      throw ShapeError(StrCat("input X has shape ", x, " and attributes ksize and strides have ",
                              ksize[i], " and ", strides[i], ", expected positive numbers"));
    s.window[i + 1] = {ksize[i], strides[i], 1, unpadded ? 0 : before, unpadded ? 0 : after};
    s.in[i + 1] = in;
    s.out[i + 1] =
        adaptive ? ksize[i] : ConvOutputSize(in, s.window[i + 1], op.Attr<bool>("ceil_mode"));
  }
  return s;
}

void Infer(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 4, "input X has shape ", x.dims, ", expected rank 4");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  const PoolShape s = ShapeOf(c.op(), x.dims);
  c.Require(s.in[1] * s.in[2] <= std::numeric_limits<int32_t>::max(), "input X has shape ", x.dims,
            ", too many elements for int32 indexes");
  const DDim out{x.dims[0], x.dims[1], s.out[1], s.out[2]};
  c.SetOutput("Out", out, x.dtype);
  c.SetOutput("Mask", out, DataType::kInt32);
}

template <typename T>
void Pool(KernelContext& c) {
  const DDim& in = c.Input("X").dims();
  const PoolShape s = ShapeOf(c.op(), in);
  const T* x = c.Input("X").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  Tensor* mask = c.OutputOrNull("Mask");
  int32_t* indexes = mask == nullptr ? nullptr : mask->mutable_data<int32_t>();
  for (int64_t plane = 0; plane < in[0] * in[1]; ++plane, x += in[2] * in[3])
    for (int64_t oy = 0; oy < s.out[1]; ++oy)
      for (int64_t ox = 0; ox < s.out[2]; ++ox) {
        const PoolRange rows = RangeOf(s, 1, oy), columns = RangeOf(s, 2, ox);
        T best = std::numeric_limits<T>::lowest();
        int64_t index = -1;
        for (int64_t iy = rows.first; iy < rows.last; ++iy)
          for (int64_t ix = columns.first; ix < columns.last; ++ix)
            if (best < x[iy * in[3] + ix]) {
              index = iy * in[3] + ix;
              best = x[index];
            }
        *out++ = best;
        if (indexes != nullptr) *indexes++ = static_cast<int32_t>(index);
      }
}

void Run(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64)
    Pool<double>(c);
  else
    Pool<float>(c);
}

REGISTER_LITE_OP(max_pool2d_with_index)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Mask")
    .RequiredAttr<std::vector<int32_t>>("ksize")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<bool>("global_pooling", false)
    .Attr<bool>("adaptive", false)
    .Attr<bool>("ceil_mode", false)  // of NNAdapter's MAX_POOL_2D, as four paddings are
    .InferShape(Infer);
REGISTER_LITE_FUNCTION(max_pool2d_with_index, kHost, kAny, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
