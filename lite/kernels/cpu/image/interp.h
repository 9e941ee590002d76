// What the operators that resize images share: {linear,bilinear,trilinear,nearest,bicubic}_interp.
#pragma once

#include <array>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

// Where the elements of one axis come from: output i is the sum over t < taps of
// weight[i * taps + t] times the input element index[i * taps + t].
struct InterpAxis {
  int64_t in = 1, out = 1;
  int taps = 1;
  std::vector<int64_t> index{0};
  std::vector<float> weight{1.0f};
};

// Version 1 takes one scale and steps by sizes only; version 2 takes a scale for each axis and
// steps by it.
OpInfo& DeclareInterp(OpInfo& info, const char* method, int version);

void InferInterpV1(InferContext& c);
void InferInterpV2(InferContext& c);

// The three spatial axes of X and Out; missing ones have one element.
using InterpAxes = std::array<InterpAxis, 3>;
InterpAxes InterpAxesV1(const KernelContext& c);
InterpAxes InterpAxesV2(const KernelContext& c);

// Row-major X of any type that Paddle resizes.
void RunInterpRowMajor(KernelContext& c, const InterpAxes& axes);
// 4-D fp32 in NHWC memory. Applies the steps that the plan folded in. Where there is an input
// @Base, of the output's shape, they begin with that, and a binary one without an operand takes the
// resized image.
void RunInterpNhwc(KernelContext& c, const InterpAxes& axes);

template <InterpAxes (*axes)(const KernelContext&)>
void RunInterp(KernelContext& c) {
  RunInterpRowMajor(c, axes(c));
}

template <InterpAxes (*axes)(const KernelContext&)>
class InterpNhwc : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    if (!c.HasInput("Scale")) axes_ = axes(c);
  }
  void Run(KernelContext& c) override {
    if (c.HasInput("Scale")) axes_ = axes(c);
    RunInterpNhwc(c, axes_);
  }

 private:
  InterpAxes axes_;
};

using InterpNhwcV1 = InterpNhwc<InterpAxesV1>;
using InterpNhwcV2 = InterpNhwc<InterpAxesV2>;

}  // namespace paddle::lite
