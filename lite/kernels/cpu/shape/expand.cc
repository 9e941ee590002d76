#include <algorithm>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/shape/data_movement.h"
#include "lite/kernels/cpu/shape/tile.h"

namespace paddle::lite {
namespace {

void InferExpand(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const bool from_tensor = c.HasInput("ExpandTimes");
  const auto times = from_tensor ? c.IntValues("ExpandTimes")
                                 : IntsOf<int32_t>(c, "expand_times_tensor", "", "expand_times");
  c.Require(static_cast<int>(times.size()) == x.dims.size(), "expand_times has ", times.size(),
            " elements, but X has shape ", x.dims);
  const DDim out = TiledDims(x.dims, times, 1);
  c.SetOutput("Out", out, x.dtype, LodOfSameRows(x, out));
}

void RunExpand(KernelContext& c) { TileTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(expand)
    .Input("X")
    .OptionalInput("ExpandTimes")
    .OptionalInputs("expand_times_tensor")
    .Output("Out")
    .Attr<std::vector<int32_t>>("expand_times", {})
    .InferShape(InferExpand);
REGISTER_LITE_FUNCTION(expand, kHost, kAny, kNCHW, RunExpand, def);

// -1 keeps X's dimension; X is aligned at the last one.
void InferExpandV2(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const bool from_tensor = c.HasInput("Shape");
  DDim out(from_tensor ? c.IntValues("Shape")
                       : IntsOf<int32_t>(c, "expand_shapes_tensor", "", "shape"));
  const DDim wanted = out;
  const int added = out.size() - x.dims.size();
  c.Require(added >= 0, "shape ", wanted, " has fewer dimensions than X of shape ", x.dims);
  for (int i = 0; i < out.size(); ++i) {
    const int64_t dim = i < added ? 1 : x.dims[i - added];
    if (out[i] == -1 && i >= added) out[i] = dim;
    c.Require(out[i] >= 0 && (dim == 1 || dim == out[i]), "X of shape ", x.dims,
              " does not expand to shape ", wanted);
  }
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void RunExpandV2(KernelContext& c) { BroadcastTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(expand_v2)
    .Input("X")
    .OptionalInput("Shape")
    .OptionalInputs("expand_shapes_tensor")
    .Output("Out")
    .Attr<std::vector<int32_t>>("shape", {})
    .InferShape(InferExpandV2);
REGISTER_LITE_FUNCTION(expand_v2, kHost, kAny, kNCHW, RunExpandV2, def);

// X repeated until it has the target's shape, of which its own must be divisors.
void InferExpandAs(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& target = c.Dims("target_tensor");
  bool fits = x.dims.size() == target.size();
  for (int i = 0; fits && i < target.size(); ++i)
    fits = x.dims[i] > 0 ? target[i] % x.dims[i] == 0 : target[i] == 0;
  c.Require(fits, "X of shape ", x.dims, " cannot be repeated to the shape ", target,
            " of target_tensor");
  c.SetOutput("Out", target, x.dtype, LodOfSameRows(x, target));
}

void RunExpandAs(KernelContext& c) { TileTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(expand_as)
    .Input("X")
    .Input("target_tensor")
    .Output("Out")
    .InferShape(InferExpandAs);
REGISTER_LITE_FUNCTION(expand_as, kHost, kAny, kNCHW, RunExpandAs, def);

// Y's shape where target_shape is absent or unknown at export (-1), as 2.6 resolves it.
DDim Target(const InferContext& c) {
  const auto& shape = c.Attr<std::vector<int32_t>>("target_shape");
  DDim target(std::vector<int64_t>(shape.begin(), shape.end()));
  bool known = !target.empty() || !c.HasInput("Y");
  for (const int64_t dim : target) known = known && dim >= 0;
  if (known) return target;
  c.Require(c.HasInput("Y"), "target_shape ", target, " is unknown and there is no Y");
  return c.Dims("Y");
}

void InferExpandAsV2(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim out = Target(c);
  const int added = out.size() - x.dims.size();
  bool fits = added >= 0;
  for (int i = 0; fits && i < x.dims.size(); ++i)
    fits = x.dims[i] == 1 || x.dims[i] == out[i + added];
  c.Require(fits, "X of shape ", x.dims, " does not expand to shape ", out);
  c.SetOutput("Out", out, x.dtype);
}

void RunExpandAsV2(KernelContext& c) { BroadcastTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(expand_as_v2)
    .Input("X")
    .OptionalInput("Y")
    .Output("Out")
    .Attr<std::vector<int32_t>>("target_shape", {})
    .InferShape(InferExpandAsV2);
REGISTER_LITE_FUNCTION(expand_as_v2, kHost, kAny, kNCHW, RunExpandAsV2, def);

void InferBroadcastTensors(InferContext& c) {
  const size_t count = c.InputCount("X");
  c.Require(c.OutputCount("Out") == count, "X has ", count, " tensors, but Out ",
            c.OutputCount("Out"));
  DDim dims;
  for (size_t i = 0; i < count; ++i) {
    dims = BroadcastDims(dims, c.Dims("X", i), -1);
    if (c.Input("X", i).dtype != c.Input("X").dtype)
      throw DataTypeError(StrCat("X[", i, "] is ", Name(c.Input("X", i).dtype), ", but X[0] is ",
                                 Name(c.Input("X").dtype)));
  }
  for (size_t i = 0; i < count; ++i) c.SetOutput("Out", i, dims, c.Input("X", i).dtype, {});
}

void RunBroadcastTensors(KernelContext& c) {
  for (size_t i = 0; i < c.InputCount("X"); ++i)
    BroadcastTo(c.Input("X", i), c.Output("Out", i), c.threads());
}

REGISTER_LITE_OP(broadcast_tensors).Inputs("X").Outputs("Out").InferShape(InferBroadcastTensors);
REGISTER_LITE_FUNCTION(broadcast_tensors, kHost, kAny, kNCHW, RunBroadcastTensors, def);

void InferTile(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const bool from_tensor = c.HasInput("RepeatTimes");
  const auto repeats = from_tensor ? c.IntValues("RepeatTimes")
                                   : IntsOf<int32_t>(c, "repeat_times_tensor", "", "repeat_times");
  const DDim out = TiledDims(x.dims, repeats, 0);
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

DDim TiledDims(const DDim& x, const std::vector<int64_t>& repeats, int64_t least) {
  const int given = static_cast<int>(std::min<size_t>(repeats.size(), DDim::kMaxRank + 1));
  const int rank = std::max(x.size(), given);
  DDim out;
  for (int i = 0; i < rank; ++i) {
    const int of_x = i - (rank - x.size()), of_repeats = i - (rank - given);
    const int64_t times = of_repeats < 0 ? 1 : repeats[static_cast<size_t>(of_repeats)];
    int64_t dim = of_x < 0 ? 1 : x[of_x];
    if (times < least || __builtin_mul_overflow(dim, times, &dim))
      throw ShapeError(StrCat("X of shape ", x, " cannot be repeated ", times, " times"));
    out.push_back(dim);
  }
  return out;
}

void TileTo(const Tensor& x, Tensor& out, int threads) {
  math::CopyLoops loops;
  const DDim from = RowMajorStrides(x.dims()), to = RowMajorStrides(out.dims());
  const int added = out.dims().size() - x.dims().size();
  if (out.numel() == 0) return;
  for (int i = 0; i < out.dims().size(); ++i) {
    const int64_t size = i < added ? 1 : x.dims()[i - added];
    loops.Add(out.dims()[i] / size, 0, to[i] * size);
    loops.Add(size, i < added ? 0 : from[i - added], to[i]);
  }
  loops.Run(Bytes(x), MutableBytes(out), SizeOf(x.dtype()), threads);
}

}  // namespace paddle::lite
