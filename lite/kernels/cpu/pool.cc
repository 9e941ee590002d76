#include "lite/kernels/cpu/pool.h"

#include <algorithm>
#include <limits>

namespace paddle::lite {
namespace {

int64_t CeilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

template <typename T>
T PoolOne(const PoolShape& s, const T* x, const PoolRange& z, const PoolRange& y,
          const PoolRange& w) {
  T result = s.max ? std::numeric_limits<T>::lowest() : T{0};
  for (int64_t iz = z.first; iz < z.last; ++iz)
    for (int64_t iy = y.first; iy < y.last; ++iy)
      for (int64_t ix = w.first; ix < w.last; ++ix) {
        const T value = x[(iz * s.in[1] + iy) * s.in[2] + ix];
        if (s.max)
          result = result > value ? result : value;
        else
          result += value;
      }
  const bool empty = z.first >= z.last || y.first >= y.last || w.first >= w.last;
  if (s.max || empty) return result;
  const bool covered = s.exclusive || s.adaptive;
  const int64_t divisor = covered ? (z.last - z.first) * (y.last - y.first) * (w.last - w.first)
                                  : z.padded * y.padded * w.padded;
  return result / static_cast<T>(divisor);
}

template <typename T>
void RunPoolOp(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const PoolShape s = ResolvePool(c.op(), input.dims());
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  const int64_t plane = s.in[0] * s.in[1] * s.in[2];
  for (int64_t i = 0; i < input.dims()[0] * input.dims()[1]; ++i, x += plane)
    for (int64_t oz = 0; oz < s.out[0]; ++oz)
      for (int64_t oy = 0; oy < s.out[1]; ++oy)
        for (int64_t ox = 0; ox < s.out[2]; ++ox)
          *out++ = PoolOne(s, x, RangeOf(s, 0, oz), RangeOf(s, 1, oy), RangeOf(s, 2, ox));
}

}  // namespace

PoolRange RangeOf(const PoolShape& s, size_t axis, int64_t out) {
  const int64_t size = s.in[axis];
  if (s.adaptive) {
    const int64_t first = out * size / s.out[axis];
    const int64_t last = CeilDivide((out + 1) * size, s.out[axis]);
    return {first, last, last - first};
  }
  const Window& w = s.window[axis];
  const int64_t start = out * w.stride - w.pad_before;
  const int64_t last = std::min(start + w.kernel, size);
  return {std::max<int64_t>(start, 0), last,
          std::min(start + w.kernel, size + w.pad_before) - start};
}

OpInfo& DeclarePool(OpInfo& info, int spatial_rank) {
  const auto rank = static_cast<size_t>(spatial_rank);
  return info.Input("X")
      .Output("Out")
      .Attr<std::string>("pooling_type", "")
      .Attr<std::vector<int32_t>>("ksize", {})
      .Attr<std::vector<int32_t>>("strides", std::vector<int32_t>(rank, 1))
      .Attr<std::vector<int32_t>>("paddings", std::vector<int32_t>(rank, 0))
      .Attr<std::string>("padding_algorithm", "EXPLICIT")
      .Attr<bool>("global_pooling", false)
      .Attr<bool>("exclusive", true)
      .Attr<bool>("adaptive", false)
      .Attr<bool>("ceil_mode", false)
      .Attr<std::string>("data_format", spatial_rank == 3 ? "NCDHW" : "NCHW")
      .InferShape(InferPool);
}

PoolShape ResolvePool(const OpLite& op, const DDim& in, const char* kernel) {
  const int rank = in.size() - 2;
  const bool global = op.Attr<bool>("global_pooling"), adaptive = op.Attr<bool>("adaptive");
  const auto ksize = global ? std::vector<int64_t>(in.begin() + 2, in.end())
                            : IntsAttr(op, kernel, static_cast<size_t>(rank));
  PoolShape s;
  s.max = op.Attr<std::string>("pooling_type") == "max";
  s.exclusive = op.Attr<bool>("exclusive");
  s.adaptive = adaptive && !s.max;  // Paddle's max pooling takes its size, but not its windows
  Windows windows = ResolveWindows(op, rank, in.begin() + 2, ksize.data(), false);
  for (int i = 0; i < rank; ++i) {
    const auto at = static_cast<size_t>(3 - rank + i);
    Window& w = windows[static_cast<size_t>(i)];
    if (global || adaptive) w.pad_before = w.pad_after = 0;
    s.in[at] = in[i + 2];
    s.out[at] = adaptive ? w.kernel : ConvOutputSize(in[i + 2], w, op.Attr<bool>("ceil_mode"));
    s.window[at] = w;
  }
  return s;
}

void InferPool(InferContext& c) {
  RequireChannelsFirst(c.op(), "data_format");
  const TensorMeta& x = c.Input("X");
  const auto rank = static_cast<int>(c.Attr<std::vector<int32_t>>("strides").size());
  c.Require(x.dims.size() == rank + 2 && rank >= 1 && rank <= kMaxSpatialRank, "input X has shape ",
            x.dims, ", expected rank ", rank + 2, " for ", rank, " strides");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  const auto& type = c.Attr<std::string>("pooling_type");
  c.Require(type == "max" || type == "avg", "attribute pooling_type is '", type,
            "', expected max or avg");
  const PoolShape s = ResolvePool(c.op(), x.dims);
  DDim out{x.dims[0], x.dims[1]};
  for (int i = 3 - rank; i < 3; ++i) {
    const auto at = static_cast<size_t>(i);
    c.Require(s.in[at] > 0, "input X has shape ", x.dims, ", expected no empty spatial axis");
    out.push_back(s.out[at]);
  }
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void RunPoolReference(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64)
    RunPoolOp<double>(c);
  else
    RunPoolOp<float>(c);
}

}  // namespace paddle::lite
