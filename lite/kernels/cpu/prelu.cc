// Out = X > 0 ? X : Alpha * X with one slope, one per channel or one per element of an image.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

// Alpha's dims as they broadcast against X.
DDim SlopeDims(const OpLite& op, const DDim& x) {
  const std::string& mode = op.Attr<std::string>("mode");
  const std::string& format = op.Attr<std::string>("data_format");
  if (mode == "all") return {1};
  DDim dims = x;
  if (mode == "channel") {
    if (x.size() < 2)
      throw ShapeError(StrCat("X has shape ", x, ", expected 2 dims or more for mode channel"));
    if (format != "NCHW" && format != "NHWC")
      throw LiteError(StrCat("attribute data_format is '", format, "', expected NCHW or NHWC"));
    const int channel = format == "NHWC" ? x.size() - 1 : 1;
    for (int i = 0; i < dims.size(); ++i)
      if (i != channel) dims[i] = 1;
  } else if (mode == "element") {
    if (x.empty()) throw ShapeError("X has rank 0, expected 1 dim or more for mode element");
    dims[0] = 1;
  } else {
    throw LiteError(StrCat("attribute mode is '", mode, "', expected all, channel or element"));
  }
  return dims;
}

void InferPrelu(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& alpha = c.Input("Alpha");
  if (x.dtype != alpha.dtype || (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64))
    throw DataTypeError(StrCat("X is ", Name(x.dtype), " and Alpha is ", Name(alpha.dtype),
                               ", expected both float32 or both float64"));
  const DDim slope = SlopeDims(c.op(), x.dims);
  c.Require(alpha.dims.production() == slope.production(), "input Alpha has shape ", alpha.dims,
            ", expected ", slope.production(), " elements for mode ", c.Attr<std::string>("mode"),
            " and X of shape ", x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunPreluAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor alpha = c.Input("Alpha");
  Tensor& out = c.Output("Out");
  // Reordered memory only where Alpha was a 4-D tensor with X's channels and pixels.
  if (alpha.dims().size() != 4) alpha.set_layout(DataLayoutType::kNCHW);
  alpha.Resize(SlopeDims(c.op(), x.dims()));
  const Broadcast b = MakeBroadcast(x, alpha, &out, -1);
  const T* xs = x.data<T>();
  const T* slopes = alpha.data<T>();
  T* os = out.mutable_data<T>();
  if (b.count == 0) return;
  const int64_t inner = b.dims[b.rank - 1], step = b.y_strides[b.rank - 1];
  math::ParallelRange(c.threads(), b.outer(), math::kElementGrain / inner + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          int64_t x_at = 0, y_at = 0;
                          b.Offsets(i, &x_at, &y_at);
                          const T* from = xs + i * inner;
                          const T* slope = slopes + y_at;
                          T* to = os + i * inner;
                          if (step == 0) {
                            const T s = *slope;
                            for (int64_t j = 0; j < inner; ++j)
                              to[j] = from[j] > T(0) ? from[j] : s * from[j];
                          } else {
                            for (int64_t j = 0; j < inner; ++j)
                              to[j] = from[j] > T(0) ? from[j] : slope[j * step] * from[j];
                          }
                        }
                      });
}

void RunPrelu(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunPreluAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(prelu)
    .Input("X")
    .Input("Alpha")
    .Output("Out")
    .Attr<std::string>("mode", "all")
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferPrelu);
REGISTER_LITE_FUNCTION(prelu, kHost, kAny, kNCHW, RunPrelu, def);
REGISTER_LITE_FUNCTION(prelu, kHost, kFloat, kNHWC, RunPrelu, def);

}  // namespace
}  // namespace paddle::lite
