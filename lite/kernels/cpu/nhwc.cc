#include "lite/kernels/cpu/nhwc.h"

namespace paddle::lite {

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
}

bool KernelEpilogue::empty() const {
  return epilogue_.bias == nullptr && epilogue_.act.kind == math::Act::kNone &&
         epilogue_.step_count == 0;
}

}  // namespace paddle::lite
