#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferSequenceReshape(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t width = c.Attr<int32_t>("new_dim");
  const Offsets& offsets = OnlyOffsets(x, "X");
  c.Require(x.dims.size() == 2, "input X has shape ", x.dims, ", expected rank 2");
  c.Require(width > 0, "attribute new_dim is ", width, ", expected a positive number");
  Offsets out{0};
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const int64_t size = static_cast<int64_t>(offsets[i + 1] - offsets[i]) * x.dims[1];
    c.Require(size % width == 0, "sequence ", i, " has ", size, " values, which rows of new_dim ",
              width, " do not divide");
    out.push_back(out.back() + static_cast<uint64_t>(size / width));
  }
  c.SetOutput("Out", {static_cast<int64_t>(out.back()), width}, x.dtype, {out});
}

void RunSequenceReshape(KernelContext& c) {
  const Tensor& x = c.Input("X");
  void* out = c.Output("Out").MutableRaw(x.dtype());
  if (x.memory_size() > 0) std::memmove(out, x.raw_data(), x.memory_size());
}

}  // namespace

REGISTER_LITE_OP(sequence_reshape)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("new_dim")
    .View("X", "Out")
    .InferShape(InferSequenceReshape);
REGISTER_LITE_FUNCTION(sequence_reshape, kHost, kAny, kNCHW, RunSequenceReshape, def);

}  // namespace paddle::lite
