#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

// How often each row along the axis stands in Out.
template <typename Context>
std::vector<int64_t> RepeatsOf(const Context& c, int64_t rows) {
  std::vector<int64_t> repeats{c.template Attr<int32_t>("Repeats")};
  if (HasSlot(c, "RepeatsTensor")) repeats = IntValues(c, "RepeatsTensor");
  if (repeats.size() == 1) repeats.resize(static_cast<size_t>(rows), repeats[0]);
  if (static_cast<int64_t>(repeats.size()) != rows)
    throw ShapeError(StrCat("RepeatsTensor has ", repeats.size(), " elements, expected one or ",
                            rows, ", the size of the axis"));
  return repeats;
}

void InferRepeatInterleave(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int axis = CanonicalAxis(c.Attr<int32_t>("dim"), x.dims.size(), "dim");
  int64_t total = 0;
  for (const int64_t repeats : RepeatsOf(c, x.dims[axis]))
    c.Require(repeats >= 0 && !__builtin_add_overflow(total, repeats, &total), "repeating a row ",
              repeats, " times");
  DDim out = x.dims;
  out[axis] = total;
  c.SetOutput("Out", out, x.dtype);
}

void RunRepeatInterleave(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim& dims = x.dims();
  const int axis = CanonicalAxis(c.Attr<int32_t>("dim"), dims.size(), "dim");
  Tensor index;
  index.Allocate({out.dims()[axis]}, DataType::kInt64);
  auto* to = index.mutable_data<int64_t>();
  int64_t row = 0;
  for (const int64_t repeats : RepeatsOf(c, dims[axis])) {
    for (int64_t i = 0; i < repeats; ++i) *to++ = row;
    ++row;
  }
  const GatherShape shape{dims.Count(0, axis), dims[axis], dims.Count(axis + 1, dims.size()), -1};
  GatherRows(x, index, "RepeatsTensor", shape, out, c.threads());
}

REGISTER_LITE_OP(repeat_interleave)
    .Input("X")
    .OptionalInput("RepeatsTensor")
    .Output("Out")
    .Attr<int32_t>("Repeats", 0)
    .Attr<int32_t>("dim", 0)
    .InferShape(InferRepeatInterleave);
REGISTER_LITE_FUNCTION(repeat_interleave, kHost, kAny, kNCHW, RunRepeatInterleave, def);

}  // namespace
}  // namespace paddle::lite
