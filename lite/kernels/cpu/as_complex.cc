// Pairs of numbers as complex ones and back: as_complex and as_real.
#include "lite/kernels/cpu/complex.h"
#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

void InferAsComplex(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireParts(c, "X");
  c.Require(!x.dims.empty() && x.dims.back() == 2, "X has shape ", x.dims,
            ", expected a last dimension of 2: real and imaginary parts");
  DDim dims;
  for (int i = 0; i + 1 < x.dims.size(); ++i) dims.push_back(x.dims[i]);
  c.SetOutput("Out", dims, ComplexOf(x.dtype));
}

void InferAsReal(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireComplex(c, "X");
  c.Require(x.dims.size() < static_cast<int>(DDim::kMaxRank), "X has shape ", x.dims,
            ", which cannot have one more dimension");
  DDim dims = x.dims;
  dims.push_back(2);
  c.SetOutput("Out", dims, PartType(x.dtype));
}

void RunAsComplex(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

REGISTER_LITE_OP(as_complex).Input("X").Output("Out").InferShape(InferAsComplex);
REGISTER_LITE_FUNCTION(as_complex, kHost, kAny, kNCHW, RunAsComplex, def);

REGISTER_LITE_OP(as_real).Input("X").Output("Out").InferShape(InferAsReal);
REGISTER_LITE_FUNCTION(as_real, kHost, kAny, kNCHW, RunAsComplex, def);

}  // namespace
}  // namespace paddle::lite
