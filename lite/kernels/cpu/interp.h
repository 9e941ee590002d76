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
std::array<InterpAxis, 3> InterpAxesV1(const KernelContext& c);
std::array<InterpAxis, 3> InterpAxesV2(const KernelContext& c);

// Row-major X of any type that Paddle resizes.
void RunInterpReference(KernelContext& c, const std::array<InterpAxis, 3>& axes);
// 4-D fp32 in NHWC memory.
void RunInterpNhwc(KernelContext& c, const std::array<InterpAxis, 3>& axes);

inline void RunInterpV1(KernelContext& c) { RunInterpReference(c, InterpAxesV1(c)); }
inline void RunInterpV2(KernelContext& c) { RunInterpReference(c, InterpAxesV2(c)); }
inline void RunInterpNhwcV1(KernelContext& c) { RunInterpNhwc(c, InterpAxesV1(c)); }
inline void RunInterpNhwcV2(KernelContext& c) { RunInterpNhwc(c, InterpAxesV2(c)); }

}  // namespace paddle::lite
