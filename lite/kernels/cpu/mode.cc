// The most frequent number of each line along an axis, of equally frequent ones the smallest, and
// the last place where it stands.
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/lines.h"
#include "lite/kernels/cpu/sort.h"

namespace paddle::lite {
namespace {

void InferMode(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  const int axis = AxisOrFirst(c.Attr<int>("axis"), x.dims);
  c.Require(x.dims.empty() || x.dims[axis] > 0, "X of shape ", x.dims, " has no numbers in axis ",
            axis);
  const DDim out = WithoutAxis(x.dims, axis, c.Attr<bool>("keepdim"));
  c.SetOutput("Out", out, x.dtype, LodOfSameRows(x, out));
  c.SetOutput("Indices", out, DataType::kInt64, LodOfSameRows(x, out));
}

// The end of the longest run of equals; NaN equals nothing.
template <typename T>
Ranked<T> MostFrequent(const std::vector<Ranked<T>>& sorted) {
  Ranked<T> best = sorted[0];
  size_t longest = 0, first = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].value != sorted[first].value) first = i;
    if (i + 1 - first > longest) {
      longest = i + 1 - first;
      best = sorted[i];
    }
  }
  return best;
}

template <typename T>
void RunModeAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Lines lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("axis"), x.dims()));
  const T* from = x.data<T>();
  T* values = c.Output("Out").mutable_data<T>();
  auto* places = c.Output("Indices").mutable_data<int64_t>();
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    std::vector<Ranked<T>> line(static_cast<size_t>(lines.size));
    for (int64_t i = begin; i < end; ++i) {
      const T* at = from + lines.Begin(i, lines.size);
      for (int64_t a = 0; a < lines.size; ++a)
        line[static_cast<size_t>(a)] = {at[a * lines.inner], a};
      std::sort(line.begin(), line.end(), Before<T, false>);
      const Ranked<T> found = MostFrequent(line);
      values[i] = found.value;
      places[i] = found.place;
    }
  });
}

void RunMode(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunModeAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(mode)
    .Input("X")
    .Output("Out")
    .Output("Indices")
    .Attr<int>("axis", -1)
    .Attr<bool>("keepdim", false)
    .InferShape(InferMode);
REGISTER_LITE_FUNCTION(mode, kHost, kAny, kNCHW, RunMode, def);

}  // namespace
}  // namespace paddle::lite
