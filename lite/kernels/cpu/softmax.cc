#include "lite/kernels/cpu/softmax.h"

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/softmax.h"

namespace paddle::lite {
namespace {

// X as [outer, axis, inner] in its memory order.
struct SoftmaxSlices {
  int64_t outer = 1, axis = 1, inner = 1;
};

SoftmaxSlices SoftmaxSlicesOf(const Tensor& x, int64_t axis_attr) {
  const DDim& dims = x.dims();
  SoftmaxSlices s;
  if (dims.empty()) return s;
  int axis = CanonicalAxis(axis_attr, dims.size(), "attribute axis");
  DDim memory = dims;
  if (x.layout() == DataLayoutType::kNHWC && dims.size() == 4) {
    static constexpr int kPlace[] = {0, 3, 1, 2};
    memory = {dims[0], dims[2], dims[3], dims[1]};
    axis = kPlace[axis];
  }
  s.outer = memory.Count(0, axis);
  s.axis = memory[axis];
  s.inner = memory.Count(axis + 1, memory.size());
  return s;
}

void SoftmaxDouble(const SoftmaxSlices& s, const double* x, double* y, bool log) {
  for (int64_t i = 0; i < s.outer * s.inner; ++i) {
    const int64_t at = i / s.inner * s.axis * s.inner + i % s.inner;
    double max = x[at], sum = 0;
    for (int64_t a = 1; a < s.axis; ++a) max = std::max(max, x[at + a * s.inner]);
    for (int64_t a = 0; a < s.axis; ++a) sum += std::exp(x[at + a * s.inner] - max);
    for (int64_t a = 0; a < s.axis; ++a) {
      const double shifted = x[at + a * s.inner] - max;
      y[at + a * s.inner] =
          log ? std::max(shifted, -64.0) - std::log(sum) : std::exp(shifted) / sum;
    }
  }
}

}  // namespace

void InferSoftmax(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("X is ", Name(x.dtype), ", expected float32 or float64"));
  if (!x.dims.empty()) CanonicalAxis(c.Attr<int>("axis"), x.dims.size(), "attribute axis");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunSoftmax(KernelContext& c, bool log) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const SoftmaxSlices s = SoftmaxSlicesOf(x, c.Attr<int>("axis"));
  if (x.dtype() == DataType::kFP64) {
    auto* y = out.mutable_data<double>();
    if (x.numel() > 0) SoftmaxDouble(s, x.data<double>(), y, log);
    return;
  }
  math::Softmax(s.outer, s.axis, s.inner, x.data<float>(), out.mutable_data<float>(), log,
                c.threads());
}

namespace {

void RunSoftmaxOp(KernelContext& c) { RunSoftmax(c, false); }

REGISTER_LITE_OP(softmax).Input("X").Output("Out").Attr<int>("axis", -1).InferShape(InferSoftmax);
REGISTER_LITE_FUNCTION(softmax, kHost, kAny, kAny, RunSoftmaxOp, def);

}  // namespace
}  // namespace paddle::lite
