// The largest (cummax) or smallest (cummin) number of each line so far, and its place: of equals
// the last one. NaN wins over all numbers.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/lines.h"

namespace paddle::lite {
namespace {

void InferCummax(InferContext& c) {
  const TensorMeta& x = c.Input("x");
  RequireType(c, "x", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  const DataType places = DataTypeFrom(c.Attr<int>("dtype"), "dtype");
  if (places != DataType::kInt32 && places != DataType::kInt64)
    throw DataTypeError(StrCat("attribute dtype is ", Name(places), ", expected int32 or int64"));
  const int axis = AxisOrFirst(c.Attr<int>("axis"), x.dims);
  c.Require(places == DataType::kInt64 || x.dims.empty() ||
                x.dims[axis] <= std::numeric_limits<int32_t>::max(),
            "the places along axis ", axis, " of x of shape ", x.dims, " do not fit in int32");
  c.SetOutput("out", x.dims, x.dtype, x.lod);
  c.SetOutput("indices", x.dims, places, x.lod);
}

template <bool kMax, typename T, typename Index>
void Scan(KernelContext& c, const Lines& lines) {
  const T* from = c.Input("x").data<T>();
  T* values = c.Output("out").mutable_data<T>();
  Index* places = c.Output("indices").mutable_data<Index>();
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t at = lines.Begin(i, lines.size);
      T best{};
      Index place = 0;
      for (int64_t k = 0; k < lines.size; ++k, at += lines.inner) {
        const T v = from[at];
        const bool better = kMax ? v >= best : v <= best;
        if (k == 0 || v != v || better) {  // against a NaN no number is better
          best = v;
          place = static_cast<Index>(k);
        }
        values[at] = best;
        places[at] = place;
      }
    }
  });
}

template <bool kMax>
void RunCummax(KernelContext& c) {
  const Tensor& x = c.Input("x");
  const Lines lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("axis"), x.dims()));
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (c.Output("indices").dtype() == DataType::kInt32)
      Scan<kMax, T, int32_t>(c, lines);
    else
      Scan<kMax, T, int64_t>(c, lines);
  });
}

REGISTER_LITE_OP(cummax)
    .Input("x")
    .Output("out")
    .Output("indices")
    .Attr<int>("axis", -1)
    .Attr<int>("dtype", 3)
    .InferShape(InferCummax);
REGISTER_LITE_FUNCTION(cummax, kHost, kAny, kNCHW, RunCummax<true>, def);
REGISTER_LITE_OP(cummin)
    .Input("x")
    .Output("out")
    .Output("indices")
    .Attr<int>("axis", -1)
    .Attr<int>("dtype", 3)
    .InferShape(InferCummax);
REGISTER_LITE_FUNCTION(cummin, kHost, kAny, kNCHW, RunCummax<false>, def);

}  // namespace
}  // namespace paddle::lite
