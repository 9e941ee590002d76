// concat along the channels and shuffle_channel at once; made by the plan, never in a file.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/nhwc.h"

namespace paddle::lite {
namespace {

void InferInterleaveChannels(InferContext& c) {
  const TensorMeta& first = c.Input("X");
  c.Require(first.dims.size() == 4, "X has shape ", first.dims, ", expected four dimensions");
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const TensorMeta& x = c.Input("X", i);
    if (x.dtype != first.dtype)
      throw DataTypeError(StrCat("X[", i, "] is ", Name(x.dtype), ", but X[0] is ",
                                 Name(first.dtype), "; cast them to one type"));
    c.Require(x.dims == first.dims, "X[", i, "] has shape ", x.dims, ", but X[0] has ", first.dims);
  }
  DDim out = first.dims;
  out[1] *= static_cast<int64_t>(c.InputCount("X"));
  c.SetOutput("Out", out, first.dtype);
}

// Channel i of input j becomes channel i * inputs + j.
void RunInterleaveChannels(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const auto count = static_cast<int64_t>(c.InputCount("X"));
  const DDim to = StridesOf(out);
  for (int64_t j = 0; j < count; ++j) {
    const Tensor& x = c.Input("X", static_cast<size_t>(j));
    CopyBox(x.dims(), x, 0, StridesOf(x), out, j * to[1], {to[0], to[1] * count, to[2], to[3]},
            c.threads());
  }
}

void InterleaveTwo(const float* __restrict a, const float* __restrict b, int64_t channels,
                   float* __restrict to) {
  for (int64_t i = 0; i < channels; ++i) {
    to[2 * i] = a[i];
    to[2 * i + 1] = b[i];
  }
}

void RunInterleaveChannelsNhwc(KernelContext& c) {
  if (c.InputCount("X") != 2) return RunInterleaveChannels(c);
  const Tensor &first = c.Input("X", 0), &second = c.Input("X", 1);
  Tensor& out = c.Output("Out");
  auto* const to = out.mutable_data<float>();
  if (out.numel() == 0) return;
  const NhwcInput a(first), b(second);
  const DDim& dims = first.dims();
  const int64_t a_pixel = PixelStride(first), b_pixel = PixelStride(second);
  const int64_t to_pixel = PixelStride(out);
  math::ParallelRange(c.threads(), dims[0] * dims[2] * dims[3],
                      math::kElementGrain / (2 * dims[1]) + 1, [&](int64_t begin, int64_t end) {
                        for (int64_t p = begin; p < end; ++p)
                          InterleaveTwo(a.data() + p * a_pixel, b.data() + p * b_pixel, dims[1],
                                        to + p * to_pixel);
                      });
}

REGISTER_LITE_OP(interleave_channels).Inputs("X").Output("Out").InferShape(InferInterleaveChannels);
REGISTER_LITE_FUNCTION(interleave_channels, kHost, kAny, kNCHW, RunInterleaveChannels, def);
REGISTER_LITE_FUNCTION(interleave_channels, kHost, kFloat, kNHWC, RunInterleaveChannelsNhwc, nhwc,
                       false, false, true, true);

}  // namespace
}  // namespace paddle::lite
