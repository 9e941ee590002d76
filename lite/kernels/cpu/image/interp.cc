#include "lite/kernels/cpu/image/interp.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "lite/core/memory.h"
#include "lite/kernels/cpu/pooling/window.h"

namespace paddle::lite {
namespace {

constexpr int64_t kMaxInterpSize = 1 << 23;  // the axes' tables are held in memory

// The scales that an input or attribute gives, one for each of `rank` axes; empty where none does.
std::vector<float> PerAxis(const std::vector<float>& scales, int rank) {
  if (scales.empty()) return {};
  if (scales.size() >= static_cast<size_t>(rank)) return {scales.begin(), scales.begin() + rank};
  return std::vector<float>(static_cast<size_t>(rank), scales[0]);
}

std::vector<float> RequirePositive(std::vector<float> scales) {
  for (const float scale : scales)
    if (!(scale > 0) || !std::isfinite(scale))
      throw ShapeError(StrCat("the scale is ", scale, ", expected a positive number"));
  return scales;
}

// out_d, out_h and out_w, as far as there are axes.
std::vector<int64_t> SizeAttrs(const OpLite& op, int rank) {
  const int64_t all[] = {op.Attr<int32_t>("out_d"), op.Attr<int32_t>("out_h"),
                         op.Attr<int32_t>("out_w")};
  return {all + 3 - rank, all + 3};
}

std::vector<float> AttrScalesV1(const OpLite& op) {
  const float scale = op.Attr<float>("scale");
  return scale > 0 ? std::vector<float>{scale} : std::vector<float>{};
}

std::vector<float> AttrScalesV2(const OpLite& op, int rank) {
  const auto& scales = op.Attr<std::vector<float>>("scale");
  const auto sizes = SizeAttrs(op, rank);
  const bool sized = std::all_of(sizes.begin(), sizes.end(), [](int64_t s) { return s > 0; });
  // One scale for several axes is no scale to Paddle, which then needs the sizes.
  if (rank > 1 && scales.size() == 1 && sized) return {};
  return scales;
}

std::vector<int64_t> CheckedSizes(const InferContext& c, std::vector<int64_t> sizes, int rank,
                                  const char* what) {
  c.Require(sizes.size() == static_cast<size_t>(rank), what, " has ", sizes.size(),
            " values, expected ", rank);
  for (const int64_t size : sizes)
    c.Require(size > 0 && size <= kMaxInterpSize, what, " gives an output size of ", size,
              ", expected a number in [1, ", kMaxInterpSize, "]");
  return sizes;
}

int RankOf(const OpLite& op, const DDim& x) {
  const auto& method = op.Attr<std::string>("interp_method");
  const int rank = x.size() - 2;
  const bool fits = (method == "linear" && rank == 1) ||
                    ((method == "bilinear" || method == "bicubic") && rank == 2) ||
                    (method == "trilinear" && rank == 3) ||
                    (method == "nearest" && (rank == 2 || rank == 3));
  if (!fits)
    throw ShapeError(StrCat("input X has shape ", x, " and attribute interp_method is '", method,
                            "', expected linear for rank 3, bilinear, bicubic or nearest for rank "
                            "4, trilinear or nearest for rank 5"));
  return rank;
}

void InferInterpOp(InferContext& c, int version) {
  const auto& layout = c.Attr<std::string>("data_layout");
  c.Require(layout == "NCHW" || layout == "NCDHW" || layout == "NCW", "attribute data_layout is ",
            layout, ", but only NCHW is supported; export the model with NCHW");
  c.Require(!c.HasInput("@Base"), "input @Base is known to plans only; take it out of the model");
  const TensorMeta& x = c.Input("X");
  const int rank = RankOf(c.op(), x.dims);
  const bool nearest = c.Attr<std::string>("interp_method") == "nearest";
  const bool integer = x.dtype == DataType::kUInt8 ||
                       (nearest && (x.dtype == DataType::kInt32 || x.dtype == DataType::kInt64));
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64 && !integer)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32, float64 or ",
                               nearest ? "an integer type" : "uint8"));
  for (int i = 2; i < x.dims.size(); ++i)
    c.Require(x.dims[i] > 0 && x.dims[i] < kMaxSpatialSize, "input X has shape ", x.dims,
              ", expected no empty spatial axis");

  std::vector<int64_t> sizes;
  if (c.HasInput("SizeTensor")) {
    sizes = CheckedSizes(c, c.IntList("SizeTensor"), rank, "input SizeTensor");
  } else if (c.HasInput("OutSize")) {
    sizes = CheckedSizes(c, c.IntValues("OutSize"), rank, "input OutSize");
  } else {
    std::vector<float> scales;
    if (c.HasInput("Scale")) {
      scales = c.FloatValues("Scale");
      c.Require(!scales.empty(), "input Scale is empty, expected a number");
    } else {
      scales = version == 1 ? AttrScalesV1(c.op()) : AttrScalesV2(c.op(), rank);
    }
    scales = RequirePositive(PerAxis(scales, rank));
    sizes = SizeAttrs(c.op(), rank);
    for (size_t i = 0; i < scales.size(); ++i) {
      const float size = static_cast<float>(x.dims[static_cast<int>(i) + 2]) * scales[i];
      c.Require(size < static_cast<float>(kMaxSpatialSize), "the scale ", scales[i],
                " is too large for an input of shape ", x.dims);
      sizes[i] = static_cast<int64_t>(size);
    }
    sizes = CheckedSizes(c, sizes, rank, "the operator (SizeTensor, OutSize, Scale, out_h, out_w)");
  }
  DDim out{x.dims[0], x.dims[1]};
  for (const int64_t size : sizes) out.push_back(size);
  c.SetOutput("Out", out, x.dtype);
}

// How far the input moves for one output. Paddle's single output lies at the input's beginning;
// with `single_in_middle` (ONNX's) it lies where any other centre would.
float RatioOf(int64_t in, int64_t out, bool align_corners, bool single_in_middle, float scale) {
  if (out <= 1 && (align_corners || !single_in_middle)) return 0.0f;
  if (align_corners) return static_cast<float>(in - 1) / static_cast<float>(out - 1);
  if (scale > 0) return static_cast<float>(1.0 / static_cast<double>(scale));
  return static_cast<float>(in) / static_cast<float>(out);
}

// Coefficients of cubic convolution with a = -0.75 at distance t in [0, 1).
void CubicWeights(float t, float* w) {
  constexpr float a = -0.75f;
  const auto near = [](float d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](float d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  w[0] = far(t + 1);
  w[1] = near(t);
  w[2] = near(1 - t);
  w[3] = far(2 - t);
}

// A triangle, or cubic convolution with a = -0.5, which is what keeps antialiased images sharp.
double Filter(double x, bool cubic) {
  constexpr double a = -0.5;
  const double d = std::abs(x);
  if (!cubic) return std::max(1 - d, 0.0);
  if (d < 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

class AxisMaker {
 public:
  AxisMaker(const OpLite& op, int64_t in, int64_t out, float scale)
      : align_(op.Attr<bool>("align_corners")),
        half_(op.Attr<int32_t>("align_mode") == 0 && !align_),
        ratio_(RatioOf(in, out, align_, op.Attr<bool>("single_in_middle"), scale)),
        covered_(align_      ? static_cast<double>(ratio_)
                 : scale > 0 ? 1.0 / static_cast<double>(scale)
                             : static_cast<double>(in) / static_cast<double>(out)) {
    axis_.in = in;
    axis_.out = out;
  }

  // Each output is a weighted mean of all the input that it covers.
  InterpAxis MakeAntialiased(bool cubic) {
    const double scale = covered_, shrink = std::max(scale, 1.0);
    const double support = (cubic ? 2 : 1) * shrink;
    const auto most = static_cast<int64_t>(std::ceil(support)) * 2 + 1;
    axis_.taps = static_cast<int>(std::min(most, axis_.in));
    const auto count = static_cast<size_t>(axis_.out * axis_.taps);
    CheckMemoryLimit(count * (sizeof(int64_t) + sizeof(float)), "an interpolation's table");
    axis_.index.assign(count, 0);
    axis_.weight.assign(count, 0.0f);
    for (int64_t i = 0; i < axis_.out; ++i) {
      const double centre = scale * (static_cast<double>(i) + 0.5);
      const int64_t first = std::max<int64_t>(static_cast<int64_t>(centre - support + 0.5), 0);
      const int64_t last = std::min(static_cast<int64_t>(centre + support + 0.5), axis_.in);
      const auto taps = std::clamp<int64_t>(last - first, 0, axis_.taps);
      double sum = 0;
      for (int64_t t = 0; t < taps; ++t)
        sum += Filter((static_cast<double>(first + t) - centre + 0.5) / shrink, cubic);
      for (int64_t t = 0; t < taps; ++t) {
        const auto at = static_cast<size_t>(i * axis_.taps + t);
        const double distance = (static_cast<double>(first + t) - centre + 0.5) / shrink;
        axis_.index[at] = Clamp(first + t);
        axis_.weight[at] = static_cast<float>(sum == 0 ? 0 : Filter(distance, cubic) / sum);
      }
    }
    return std::move(axis_);
  }

  InterpAxis Make(const std::string& method) {
    axis_.taps = method == "nearest" ? 1 : method == "bicubic" ? 4 : 2;
    const auto count = static_cast<size_t>(axis_.out * axis_.taps);
    CheckMemoryLimit(count * (sizeof(int64_t) + sizeof(float)), "an interpolation's table");
    axis_.index.assign(count, 0);
    axis_.weight.assign(count, 1.0f);
    for (int64_t i = 0; i < axis_.out; ++i) {
      int64_t* index = &axis_.index[static_cast<size_t>(i * axis_.taps)];
      float* weight = &axis_.weight[static_cast<size_t>(i * axis_.taps)];
      if (method == "nearest")
        index[0] = Clamp(static_cast<int64_t>(static_cast<double>(ratio_ * static_cast<float>(i)) +
                                              (align_ ? 0.5 : 0.0)));
      else if (method == "bicubic")
        Cubic(i, index, weight);
      else
        Linear(i, index, weight);
    }
    return std::move(axis_);
  }

 private:
  int64_t Clamp(int64_t i) const { return std::clamp<int64_t>(i, 0, axis_.in - 1); }
  // The input position of an output's centre.
  double Centre(int64_t i) const {
    return static_cast<double>(ratio_) * (static_cast<double>(i) + 0.5) - 0.5;
  }

  void Linear(int64_t i, int64_t* index, float* weight) const {
    const float edge = ratio_ * static_cast<float>(i);
    const auto low = Clamp(half_ ? static_cast<int64_t>(Centre(i)) : static_cast<int64_t>(edge));
    const float position = half_ ? std::max(static_cast<float>(Centre(i)), 0.0f) : edge;
    index[0] = low;
    index[1] = Clamp(low + 1);
    weight[1] = position - static_cast<float>(low);
    weight[0] = 1.0f - weight[1];
  }

  void Cubic(int64_t i, int64_t* index, float* weight) const {
    const float position = align_ ? ratio_ * static_cast<float>(i) : static_cast<float>(Centre(i));
    const float low = std::floor(position);
    for (int64_t t = 0; t < 4; ++t) index[t] = Clamp(static_cast<int64_t>(low) - 1 + t);
    CubicWeights(position - low, weight);
  }

  InterpAxis axis_;
  bool align_, half_;
  float ratio_;
  double covered_;  // the input that an output stands for, where there is no other too
};

InterpAxes MakeAxes(const KernelContext& c, const std::vector<float>& scales) {
  const DDim &in = c.Input("X").dims(), &out = c.Output("Out").dims();
  const int rank = in.size() - 2;
  const auto& method = c.Attr<std::string>("interp_method");
  InterpAxes axes;
  const bool copies = in == out, antialias = c.op().type() == "interp_antialias";
  if (out.production() == 0) return axes;
  for (int i = 0; i < rank; ++i) {
    InterpAxis& axis = axes[static_cast<size_t>(3 - rank + i)];
    const float scale = scales.empty() ? 0.0f : scales[static_cast<size_t>(i)];
    AxisMaker maker(c.op(), in[i + 2], out[i + 2], scale);
    if (antialias && !copies) {
      axis = maker.MakeAntialiased(method == "bicubic");
      continue;
    }
    axis = maker.Make(copies ? "nearest" : method);
    if (!copies) continue;
    for (int64_t j = 0; j < axis.out; ++j) axis.index[static_cast<size_t>(j)] = j;
  }
  return axes;
}

}  // namespace

OpInfo& DeclareInterp(OpInfo& info, const char* method, int version) {
  info.Input("X")
      .OptionalInput("OutSize")
      .OptionalInputs("SizeTensor")
      .OptionalInput("Scale")
      .OptionalInput("@Base")  // the plan's own: see RunInterpNhwc
      .Output("Out")
      .Attr<std::string>("data_layout", "NCHW")
      .Attr<std::string>("interp_method", method)
      .Attr<int32_t>("out_d", 0)
      .Attr<int32_t>("out_h", 0)
      .Attr<int32_t>("out_w", 0)
      .Attr<bool>("align_corners", true)
      .Attr<int32_t>("align_mode", 1)
      .Attr<bool>("single_in_middle", false);  // ours
  if (version == 1) return info.Attr<float>("scale", 0.0f).InferShape(InferInterpV1);
  return info.Attr<std::vector<float>>("scale", {}).InferShape(InferInterpV2);
}

void InferInterpV1(InferContext& c) { InferInterpOp(c, 1); }
void InferInterpV2(InferContext& c) { InferInterpOp(c, 2); }

InterpAxes InterpAxesV1(const KernelContext& c) { return MakeAxes(c, {}); }

InterpAxes InterpAxesV2(const KernelContext& c) {
  const int rank = c.Input("X").dims().size() - 2;
  if (c.HasInput("SizeTensor")) return MakeAxes(c, {});
  std::vector<float> scales;
  if (c.HasInput("Scale")) {
    const Tensor& scale = c.Input("Scale");
    scales.assign(scale.data<float>(), scale.data<float>() + scale.numel());
  } else {
    scales = AttrScalesV2(c.op(), rank);
  }
  return MakeAxes(c, RequirePositive(PerAxis(scales, rank)));
}

}  // namespace paddle::lite
