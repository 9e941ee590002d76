#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferSequenceUnpad(InferContext& c) {
  const DDim& x = c.Dims("X");
  const DDim& length = c.Dims("Length");
  c.Require(x.size() >= 2, "input X has shape ", x, ", expected [batch, time, ...]");
  c.Require(length.size() == 1 && length[0] == x[0], "input Length has shape ", length,
            ", expected one length for each of the ", x[0], " rows of X ", x);
}

void RunSequenceUnpad(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DDim& dims = x.dims();
  const std::vector<int64_t> lengths = ReadInts(c.Input("Length"), "Length");
  Offsets offsets{0};
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 0 || lengths[i] > dims[1])
      throw ShapeError(StrCat("Length[", i, "] is ", lengths[i], ", expected 0 to ", dims[1],
                              " for X of shape ", dims));
    offsets.push_back(offsets.back() + static_cast<uint64_t>(lengths[i]));
  }
  // A matrix of single values becomes a column.
  DDim out_dims{static_cast<int64_t>(offsets.back())};
  for (int i = 2; i < dims.size(); ++i) out_dims.push_back(dims[i]);
  if (dims.size() == 2) out_dims.push_back(1);
  Tensor& out = c.Output("Out");
  out.Allocate(out_dims, x.dtype());
  const size_t step = static_cast<size_t>(dims.Count(2, dims.size())) * SizeOf(x.dtype());
  const auto* from = static_cast<const char*>(x.raw_data());
  auto* to = static_cast<char*>(out.raw_data());
  for (size_t i = 0; i < lengths.size(); ++i) {
    const size_t bytes = static_cast<size_t>(lengths[i]) * step;
    if (bytes > 0) std::memcpy(to, from + i * static_cast<size_t>(dims[1]) * step, bytes);
    to += bytes;
  }
  out.set_lod({std::move(offsets)});
}

}  // namespace

REGISTER_LITE_OP(sequence_unpad)
    .Input("X")
    .Input("Length")
    .Output("Out")
    .DataDependent()
    .InferShape(InferSequenceUnpad);
REGISTER_LITE_FUNCTION(sequence_unpad, kHost, kAny, kNCHW, RunSequenceUnpad, def);

}  // namespace paddle::lite
