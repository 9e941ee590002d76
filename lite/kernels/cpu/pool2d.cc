#include "lite/kernels/cpu/math/pool.h"
#include "lite/kernels/cpu/nhwc.h"
#include "lite/kernels/cpu/pool.h"

namespace paddle::lite {
namespace {

math::PoolShape MathShape(const PoolShape& s, const DDim& in) {
  math::PoolShape m;
  m.n = in[0], m.c = in[1], m.ih = in[2], m.iw = in[3];
  m.oh = s.out[1], m.ow = s.out[2];
  m.kh = s.window[1].kernel, m.sh = s.window[1].stride, m.pt = s.window[1].pad_before;
  m.kw = s.window[2].kernel, m.sw = s.window[2].stride, m.pl = s.window[2].pad_before;
  m.adaptive = s.adaptive;
  return m;
}

// One window that is the whole image.
bool IsGlobal(const PoolShape& s) {
  for (size_t axis = 1; axis < 3; ++axis) {
    const PoolRange range = RangeOf(s, axis, 0);
    if (s.out[axis] != 1 || range.first != 0 || range.last != s.in[axis] ||
        range.padded != s.in[axis])
      return false;
  }
  return true;
}

class PoolNhwc : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    const DDim& in = c.Input("X").dims();
    const PoolShape s = ResolvePool(c.op(), in);
    shape_ = MathShape(s, in);
    max_ = s.max;
    exclusive_ = s.exclusive;
    global_ = IsGlobal(s);
  }

  void Run(KernelContext& c) override {
    float* y = c.Output("Out").mutable_data<float>();
    if (c.Output("Out").numel() == 0) return;
    const NhwcInput x(c.Input("X"));
    shape_.x_pixel = c.Input("X").pixel_stride();
    shape_.y_pixel = c.Output("Out").pixel_stride();
    if (global_ && max_)
      math::GlobalMaxPoolNhwc(c.threads(), shape_, x.data(), y);
    else if (global_)
      math::GlobalAvgPoolNhwc(c.threads(), shape_, x.data(), y);
    else if (max_)
      math::MaxPoolNhwc(c.threads(), shape_, x.data(), y);
    else
      math::AvgPoolNhwc(c.threads(), shape_, exclusive_, x.data(), y);
  }

 private:
  math::PoolShape shape_;
  bool max_ = false, exclusive_ = true, global_ = false;
};

REGISTER_LITE_OP(pool2d);
[[maybe_unused]] OpInfo& pool2d_declared = DeclarePool(pool2d_op_info, 2);
REGISTER_LITE_FUNCTION(pool2d, kHost, kAny, kNCHW, RunPoolReference, def);
REGISTER_LITE_KERNEL(pool2d, kHost, kFloat, kNHWC, PoolNhwc, def, false, false, true, true);

REGISTER_LITE_OP(pool3d);
[[maybe_unused]] OpInfo& pool3d_declared = DeclarePool(pool3d_op_info, 3);
REGISTER_LITE_FUNCTION(pool3d, kHost, kAny, kNCHW, RunPoolReference, def);

}  // namespace
}  // namespace paddle::lite
