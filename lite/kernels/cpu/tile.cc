#include "lite/kernels/cpu/tile.h"

#include <algorithm>

namespace paddle::lite {
namespace {

void InferTile(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const bool from_tensor = c.HasInput("RepeatTimes");
  const auto repeats = from_tensor ? c.IntValues("RepeatTimes")
                                   : IntsOf<int32_t>(c, "repeat_times_tensor", "", "repeat_times");
  const DDim out = TiledDims(x.dims, repeats);
  c.SetOutput("Out", out, x.dtype, LodOfSameRows(x, out));
}

void RunTile(KernelContext& c) { TileTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(tile)
    .Input("X")
    .OptionalInput("RepeatTimes")
    .OptionalInputs("repeat_times_tensor")
    .Output("Out")
    .Attr<std::vector<int32_t>>("repeat_times", {})
    .InferShape(InferTile);
REGISTER_LITE_FUNCTION(tile, kHost, kAny, kNCHW, RunTile, def);

}  // namespace

DDim TiledDims(const DDim& x, const std::vector<int64_t>& repeats) {
  const int given = static_cast<int>(std::min<size_t>(repeats.size(), DDim::kMaxRank + 1));
  const int rank = std::max(x.size(), given);
  DDim out;
  for (int i = 0; i < rank; ++i) {
    const int of_x = i - (rank - x.size()), of_repeats = i - (rank - given);
    const int64_t times = of_repeats < 0 ? 1 : repeats[static_cast<size_t>(of_repeats)];
    int64_t dim = of_x < 0 ? 1 : x[of_x];
    if (times <= 0 || __builtin_mul_overflow(dim, times, &dim))
      throw ShapeError(StrCat("X of shape ", x, " cannot be repeated ", times, " times"));
    out.push_back(dim);
  }
  return out;
}

void TileTo(const Tensor& x, Tensor& out, int threads) {
  math::CopyLoops loops;
  const DDim from = RowMajorStrides(x.dims()), to = RowMajorStrides(out.dims());
  const int added = out.dims().size() - x.dims().size();
  if (x.numel() == 0) return;
  for (int i = 0; i < out.dims().size(); ++i) {
    const int64_t size = i < added ? 1 : x.dims()[i - added];
    loops.Add(out.dims()[i] / size, 0, to[i] * size);
    loops.Add(size, i < added ? 0 : from[i - added], to[i]);
  }
  loops.Run(Bytes(x), MutableBytes(out), SizeOf(x.dtype()), threads);
}

}  // namespace paddle::lite
