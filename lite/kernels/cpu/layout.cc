// Converts a 4-D fp32 tensor between row-major and NHWC memory; dims stay N, C, H, W.
#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/transpose.h"

namespace paddle::lite {
namespace {

void InferLayout(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunLayout(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  const int to = c.Attr<int>("to");
  if (to != 0) out.set_layout(static_cast<DataLayoutType>(to));
  void* data = out.MutableRaw(x.dtype());
  if (x.numel() == 0) return;
  const DDim& dims = x.dims();
  const bool from_nhwc = x.layout() == DataLayoutType::kNHWC;
  const bool to_nhwc = out.layout() == DataLayoutType::kNHWC;
  if (dims.size() != 4 || from_nhwc == to_nhwc) {
    if (data != x.raw_data()) std::memcpy(data, x.raw_data(), x.memory_size());
    return;
  }
  const auto* from = x.data<float>();
  auto* result = static_cast<float*>(data);
  const int64_t hw = dims[2] * dims[3];
  if (to_nhwc)
    math::NchwToNhwc(from, result, dims[0], dims[1], hw, c.threads());
  else
    math::NhwcToNchw(from, result, dims[0], dims[1], hw, c.threads());
}

// `to` is the DataLayoutType wanted; 0 leaves it to the output tensor's own.
REGISTER_LITE_OP(layout).Input("Input").Output("Out").Attr<int>("to", 0).InferShape(InferLayout);
REGISTER_LITE_FUNCTION(layout, kHost, kAny, kAny, RunLayout, def);

}  // namespace
}  // namespace paddle::lite
