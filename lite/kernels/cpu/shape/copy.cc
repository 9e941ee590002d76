#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/transpose.h"
#include "lite/kernels/cpu/quantised/int8.h"
#include "lite/kernels/cpu/shape/data_movement.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {
namespace {

void RunAssign(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

REGISTER_LITE_OP(assign).Input("X").Output("Out").InferShape(InferSameAs("X", "Out"));
REGISTER_LITE_FUNCTION(assign, kHost, kAny, kAny, RunAssign, def);

void InferShareData(InferContext& c) { c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype); }

void RunShareData(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

REGISTER_LITE_OP(share_data).Input("X").Output("Out").InferShape(InferShareData).View("X", "Out");
REGISTER_LITE_FUNCTION(share_data, kHost, kAny, kNCHW, RunShareData, def);

// Copies between the places of a tensor; there is one place here.
void RunMemcpy(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

#define REGISTER_COPY(op)                  \
  REGISTER_LITE_OP(op)                     \
      .Input("X")                          \
      .Output("Out")                       \
      .InferShape(InferSameAs("X", "Out")) \
      .View("X", "Out");                   \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, RunMemcpy, def)

REGISTER_COPY(memcpy);
REGISTER_COPY(memcpy_d2h);
REGISTER_COPY(memcpy_h2d);

// io_copy, and io_copy_once of a constant: a copy between devices elsewhere; here every CPU target
// shares its memory, so a plain copy.

// Input -> Out in the input's layout.
void RunIoCopy(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  void* data = out.MutableRaw(x.dtype());
  if (x.numel() != 0 && data != x.raw_data()) std::memcpy(data, x.raw_data(), x.memory_size());
}

#define REGISTER_IO_COPY(type)                                                                 \
  REGISTER_LITE_OP(type).Input("Input").Output("Out").InferShape(InferSameAs("Input", "Out")); \
  REGISTER_LITE_FUNCTION(type, kHost, kAny, kAny, RunIoCopy, def)

REGISTER_IO_COPY(io_copy);
REGISTER_IO_COPY(io_copy_once);

// Converts a 4-D fp32 tensor between row-major and NHWC memory; dims stay N, C, H, W.
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

bool IsRowMajorImage(const Tensor& tensor) {
  const DDim& dims = tensor.dims();
  return tensor.layout() == DataLayoutType::kNCHW && dims[1] > 1 && dims[2] * dims[3] > 1;
}

NhwcInput::NhwcInput(const Tensor& tensor) : data_(tensor.data<float>()) {
  if (!IsRowMajorImage(tensor)) return;
  const DDim& dims = tensor.dims();
  const int64_t channels = dims[1], pixels = dims[2] * dims[3];
  copy_ = math::AlignedFloats(tensor.numel());
  float* to = copy_.data();
  for (int64_t n = 0; n < dims[0]; ++n) {
    const float* image = data_ + n * channels * pixels;
    for (int64_t p = 0; p < pixels; ++p)
      for (int64_t c = 0; c < channels; ++c) *to++ = image[c * pixels + p];
  }
  data_ = copy_.data();
}

KernelEpilogue::KernelEpilogue(const KernelContext& c, const float* bias,
                               const math::Activation& act, const float* residual)
    : steps_(c.ResolveSteps()) {
  const DDim& out = c.Output(c.op().info().outputs()[0].name).dims();
  const int last = out.size() - 1;
  const bool image = out.size() == 4 &&
                     c.Output(c.op().info().outputs()[0].name).layout() == DataLayoutType::kNHWC;
  const int64_t rows = last < 0 ? 1 : out.Count(0, last);
  epilogue_.rows_per_image = image ? out[2] * out[3] : rows;
  epilogue_.bias = bias;
  if (residual == nullptr) {
    epilogue_.act = act;
    const bool starts_with_act = !steps_.empty() && steps_[0].op == math::EpilogueStep::kAct;
    if (act.kind == math::Act::kNone && starts_with_act) {
      epilogue_.act = steps_[0].act;  // in registers
      steps_.erase(steps_.begin());
    }
  } else {
    math::EpilogueStep add, then;
    add.op = math::EpilogueStep::kAdd;
    add.data = residual;
    add.col_stride = 1;
    add.row_stride = image ? out[1] : out[last];
    add.image_stride = image ? out.Count(1, 4) : 0;
    then.act = act;
    if (act.kind != math::Act::kNone) steps_.insert(steps_.begin(), then);
    steps_.insert(steps_.begin(), add);
  }
  epilogue_.steps = steps_.data();
  epilogue_.step_count = static_cast<int>(steps_.size());
  if (c.output_bytes() == nullptr) return;
  rounding_ = Int8InputOf(*c.output_bytes()).rounding;
  epilogue_.rounding = &rounding_;
}

bool KernelEpilogue::empty() const {
  return epilogue_.bias == nullptr && epilogue_.act.kind == math::Act::kNone &&
         epilogue_.step_count == 0;
}

}  // namespace paddle::lite
