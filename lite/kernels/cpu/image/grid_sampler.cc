#include <array>
#include <cmath>
#include <limits>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/grid_sample.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

enum class Padding { kZeros, kBorder, kReflection };

enum class Mode { kNearest, kNearestEven, kLinear, kCubic };

struct Sampler {
  Mode mode;
  bool align_corners;
  Padding padding;
};

Sampler SamplerOf(const OpLite& op) {
  const auto& mode = op.Attr<std::string>("mode");
  const auto& padding = op.Attr<std::string>("padding_mode");
  if (mode != "bilinear" && mode != "nearest" && mode != "nearest_even" && mode != "bicubic")
    throw LiteError(StrCat("attribute mode is '", mode,
                           "', expected bilinear, nearest, nearest_even or bicubic"));
  if (padding != "zeros" && padding != "border" && padding != "reflection")
    throw LiteError(
        StrCat("attribute padding_mode is '", padding, "', expected zeros, border or reflection"));
  return {mode == "nearest"        ? Mode::kNearest
          : mode == "nearest_even" ? Mode::kNearestEven
          : mode == "bilinear"     ? Mode::kLinear
                                   : Mode::kCubic,
          op.Attr<bool>("align_corners"),
          padding == "zeros"    ? Padding::kZeros
          : padding == "border" ? Padding::kBorder
                                : Padding::kReflection};
}

void InferGridSampler(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &grid = c.Input("Grid");
  SamplerOf(c.op());
  const int rank = x.dims.size() - 2;
  c.Require(rank == 2 || rank == 3, "input X has shape ", x.dims, ", expected rank 4 or 5");
  c.Require(
      grid.dims.size() == x.dims.size() && grid.dims[0] == x.dims[0] && grid.dims.back() == rank,
      "input Grid has shape ", grid.dims, ", expected rank ", x.dims.size(), ", batch ", x.dims[0],
      " and ", rank, " coordinates for X of shape ", x.dims);
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  if (grid.dtype != x.dtype)
    throw DataTypeError(StrCat("input Grid is ", Name(grid.dtype), ", but X is ", Name(x.dtype)));
  for (int i = 2; i < x.dims.size(); ++i)
    c.Require(x.dims[i] > 0, "input X has shape ", x.dims, ", expected no empty spatial axis");
  DDim out{x.dims[0], x.dims[1]};
  for (int i = 1; i <= rank; ++i) out.push_back(grid.dims[i]);
  c.SetOutput("Output", out, x.dtype);
}

template <typename T>
T Reflect(T at, T last, bool align_corners) {
  const T range = 2 * (align_corners ? last : last + 1);
  if (!(range > 0)) return 0;
  const T distance = std::fabs(align_corners ? at : at + T(0.5));
  const T extra = distance - std::floor(distance / range) * range;
  const T back = std::min(extra, range - extra);
  return align_corners ? back : back - T(0.5);
}

// A position kept inside where the padding says so.
template <typename T>
T Kept(T position, T last, const Sampler& s) {
  if (s.padding == Padding::kZeros) return position;
  const T inner =
      s.padding == Padding::kReflection ? Reflect(position, last, s.align_corners) : position;
  return std::min(std::max(inner, T(0)), last);
}

// The elements of an axis that a position reads, and their weights; those outside have the index
// -1.
template <typename T>
struct Taps {
  int count = 1;
  std::array<int64_t, 4> index{-1, -1, -1, -1};
  std::array<T, 4> weight{};
};

// A whole number as an index. Compared as numbers: NaN and what no integer can hold are outside.
template <typename T>
int64_t IndexOf(T whole, int64_t size) {
  return whole >= 0 && whole < static_cast<T>(size) ? static_cast<int64_t>(whole) : -1;
}

// Weights of the neighbours from one before the left one on: those of ONNX and PyTorch.
template <typename T>
std::array<T, 4> CubicWeights(T ratio) {
  constexpr T a = T(-0.75);
  const auto near = [](T d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](T d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  return {far(ratio + 1), near(ratio), near(1 - ratio), far(2 - ratio)};
}

template <typename T>
Taps<T> TapsAt(T position, int64_t size, const Sampler& s, bool volume) {
  Taps<T> taps;
  const T last = static_cast<T>(size - 1);
  if (s.mode == Mode::kCubic) {  // each neighbour is kept inside by itself
    const T left = std::floor(position);
    taps.count = 4;
    taps.weight = CubicWeights(position - left);
    for (size_t i = 0; i < 4; ++i)
      taps.index[i] = IndexOf(std::round(Kept(left + static_cast<T>(i) - 1, last, s)), size);
    return taps;
  }
  const T kept = Kept(position, last, s);
  if (s.mode == Mode::kLinear) {
    const T low = std::floor(kept);
    taps.count = 2;
    taps.weight = {1 - (kept - low), kept - low, 0, 0};
    taps.index[0] = IndexOf(low, size);
    taps.index[1] = IndexOf(low + 1, size);
    return taps;
  }
  taps.weight[0] = 1;
  // In a volume, as in Paddle, the nearest element counts only for positions between elements.
  if (s.mode == Mode::kNearest && volume && !(kept >= 0 && kept <= last)) return taps;
  const T whole = s.mode == Mode::kNearest ? std::round(kept) : std::nearbyint(kept);
  taps.index[0] = IndexOf(whole, size);
  return taps;
}

// What one point reads of each plane: offsets and weights, at most so many.
template <typename T, size_t most>
struct Reads {
  int count = 0;
  std::array<int64_t, most> offset;
  std::array<T, most> weight;

  Reads() = default;

  Reads(const std::array<Taps<T>, 3>& taps, const std::array<int64_t, 3>& size) {
    const auto& [z, y, x] = taps;
    for (size_t i = 0; i < static_cast<size_t>(z.count); ++i)
      for (size_t j = 0; j < static_cast<size_t>(y.count); ++j)
        for (size_t k = 0; k < static_cast<size_t>(x.count); ++k) {
          if (z.index[i] < 0 || y.index[j] < 0 || x.index[k] < 0) continue;
          const auto at = static_cast<size_t>(count++);
          offset[at] = (z.index[i] * size[1] + y.index[j]) * size[2] + x.index[k];
          weight[at] = z.weight[i] * y.weight[j] * x.weight[k];
        }
  }

  T Sum(const T* plane) const {
    T sum = 0;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) sum += plane[offset[i]] * weight[i];
    return sum;
  }
};

// An operator's images, of 2 or 3 spatial dims, and where points of them go.
template <typename T>
struct Images {
  explicit Images(KernelContext& c)
      : sampler(SamplerOf(c.op())),
        rank(c.Input("X").dims().size() - 2),
        x(c.Input("X").data<T>()),
        grid(c.Input("Grid").data<T>()),
        y(c.Output("Output").mutable_data<T>()) {
    const DDim &in = c.Input("X").dims(), &out = c.Output("Output").dims();
    for (int i = 0; i < rank; ++i) size[static_cast<size_t>(3 - rank + i)] = in[i + 2];
    count = in[0];
    channels = in[1];
    in_plane = in.Count(2, in.size());
    points = out.Count(2, out.size());
  }

  const T* ImageOf(int64_t at) const { return x + at / points * channels * in_plane; }
  T* ResultOf(int64_t at) const { return y + at / points * channels * points + at % points; }

  // What point `at`, counted through all images, reads.
  template <size_t most>
  Reads<T, most> ReadsOf(int64_t at) const {
    std::array<Taps<T>, 3> taps;
    taps[0].index[0] = 0;
    taps[0].weight[0] = 1;
    for (int i = 0; i < rank; ++i) {  // the grid holds x, y, z
      const auto axis = static_cast<size_t>(2 - i);
      const T position = math::PositionOf(grid[at * rank + i], size[axis], sampler.align_corners);
      taps[axis] = TapsAt(position, size[axis], sampler, rank == 3);
    }
    return Reads<T, most>(taps, size);
  }

  void SamplePoint(int64_t at) const {
    const auto reads = ReadsOf<64>(at);
    const T* const image = ImageOf(at);
    T* const to = ResultOf(at);
    for (int64_t k = 0; k < channels; ++k) to[k * points] = reads.Sum(image + k * in_plane);
  }

  Sampler sampler;
  int rank;
  const T *x, *grid;
  T* y;
  std::array<int64_t, 3> size{1, 1, 1};
  int64_t count, channels, in_plane, points;
};

template <typename T>
void SampleAll(KernelContext& c, const Images<T>& images) {
  math::ParallelRange(c.threads(), images.count * images.points,
                      math::kElementGrain / (16 * images.channels + 1) + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t at = begin; at < end; ++at) images.SamplePoint(at);
                      });
}

// Points in blocks, for one plane after the other: the nearest pixel, or bilinear ones. Those at
// the edges, which are few, add up what they have.
class Block {
 public:
  explicit Block(const Images<float>& images) : images_(images) {
    grid_.height = images.size[1], grid_.width = images.size[2];
    grid_.align_corners = images.sampler.align_corners;
    grid_.border = images.sampler.padding == Padding::kBorder;
  }

  // Points [at, at + count) of one image.
  void Run(int64_t at, int64_t count) {
    images_.sampler.mode == Mode::kLinear ? RunLinear(at, count) : RunNearest(at, count);
  }

 private:
  void RunNearest(int64_t at, int64_t count) {
    const bool even = images_.sampler.mode == Mode::kNearestEven;
    math::FindNearest(grid_, even, images_.grid + 2 * at, count, &taps_);
    for (int64_t k = 0; k < images_.channels; ++k)
      math::SampleNearest(images_.ImageOf(at) + k * images_.in_plane, taps_, count,
                          images_.ResultOf(at) + k * images_.points);
  }

  void RunLinear(int64_t at, int64_t count) {
    math::FindTaps(grid_, images_.grid + 2 * at, count, &taps_);
    int edges = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (taps_.place[i] == math::GridTaps::kInside) continue;
      edge_[edges] = i;
      if (taps_.place[i] == math::GridTaps::kEdge)
        reads_[edges] = images_.ReadsOf<4>(at + i);
      else
        reads_[edges].count = 0;
      ++edges;
    }
    const float* plane = images_.ImageOf(at);
    float* to = images_.ResultOf(at);
    for (int64_t k = 0; k < images_.channels; ++k) {
      math::SampleTaps(grid_, plane, taps_, count, to);
      for (int e = 0; e < edges; ++e) to[edge_[e]] = reads_[e].Sum(plane);
      plane += images_.in_plane;
      to += images_.points;
    }
  }

  const Images<float>& images_;
  math::GridImage grid_;
  math::GridTaps taps_;
  int64_t edge_[math::GridTaps::kMost];
  Reads<float, 4> reads_[math::GridTaps::kMost];
};

void SampleBlocks(KernelContext& c, const Images<float>& images) {
  const auto sample = [&](int64_t begin, int64_t end) {
    Block block(images);
    for (int64_t at = begin; at < end;) {
      const int64_t left = std::min(end - at, images.points - at % images.points);
      const int64_t count = std::min(left, math::GridTaps::kMost);
      block.Run(at, count);
      at += count;
    }
  };
  math::ParallelRange(c.threads(), images.count * images.points,
                      math::kElementGrain / (4 * images.channels + 1) + 1, sample);
}

// Whether Block takes them.
bool InBlocks(const Images<float>& images) {
  const Mode mode = images.sampler.mode;
  const bool small = images.size[1] < 2 || images.size[2] < 2;
  return images.rank == 2 && images.in_plane <= std::numeric_limits<int32_t>::max() &&
         images.sampler.padding != Padding::kReflection && mode != Mode::kCubic &&
         !(mode == Mode::kLinear && small);
}

void RunGridSampler(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return SampleAll(c, Images<double>(c));
  const Images<float> images(c);
  InBlocks(images) ? SampleBlocks(c, images) : SampleAll(c, images);
}

REGISTER_LITE_OP(grid_sampler)
    .Input("X")
    .Input("Grid")
    .Output("Output")
    .Attr<std::string>("mode", "bilinear")
    .Attr<std::string>("padding_mode", "zeros")
    .Attr<bool>("align_corners", true)
    .InferShape(InferGridSampler);
REGISTER_LITE_FUNCTION(grid_sampler, kHost, kAny, kNCHW, RunGridSampler, def);

void InferAffineGrid(InferContext& c) {
  const TensorMeta& theta = c.Input("Theta");
  if (theta.dtype != DataType::kFP32 && theta.dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input Theta is ", Name(theta.dtype), ", expected float32 or float64"));
  c.Require(theta.dims.size() == 3 && (theta.dims[1] == 2 || theta.dims[1] == 3) &&
                theta.dims[2] == theta.dims[1] + 1,
            "input Theta has shape ", theta.dims, ", expected [N, 2, 3] or [N, 3, 4]");
  const auto shape = IntsOf<int32_t>(c, "", "OutputShape", "output_shape");
  const int64_t rank = theta.dims[1];
  c.Require(static_cast<int64_t>(shape.size()) == rank + 2, "output_shape has ", shape.size(),
            " values, expected ", rank + 2, " for Theta of shape ", theta.dims);
  DDim out{theta.dims[0]};
  for (size_t i = 2; i < shape.size(); ++i) {
    c.Require(shape[i] > 0, "output_shape has ", shape[i], ", expected positive sizes");
    out.push_back(shape[i]);
  }
  out.push_back(rank);
  c.SetOutput("Output", out, theta.dtype);
}

// Coordinate `at` of `size`: from -1 to 1, at the pixels' centers unless corners align. One element
// has no two corners: NaN, as in Paddle.
template <typename T>
T Coordinate(int64_t at, int64_t size, bool align_corners) {
  if (size == 1) return align_corners ? std::numeric_limits<T>::quiet_NaN() : T(0);
  const T full = static_cast<T>(size);
  const T end = align_corners ? T(1) : (full - 1) / full;
  return -end + static_cast<T>(at) * (2 * end / (full - 1));
}

template <typename T>
void Fill(KernelContext& c) {
  const DDim& out = c.Output("Output").dims();
  const bool align_corners = c.Attr<bool>("align_corners");
  const T* theta = c.Input("Theta").data<T>();
  T* to = c.Output("Output").mutable_data<T>();
  const int rank = out.size() - 2;
  const int64_t points = out.Count(1, rank + 1);
  std::array<T, 4> position{};  // x, y(, z), 1
  position[static_cast<size_t>(rank)] = 1;
  for (int64_t n = 0; n < out[0]; ++n, theta += rank * (rank + 1))
    for (int64_t p = 0; p < points; ++p) {
      int64_t rest = p;
      for (int i = 0; i < rank; ++i) {
        const int64_t size = out[rank - i];
        position[static_cast<size_t>(i)] = Coordinate<T>(rest % size, size, align_corners);
        rest /= size;
      }
      for (int row = 0; row < rank; ++row) {
        T sum = 0;
        for (int i = 0; i <= rank; ++i)
          sum += theta[row * (rank + 1) + i] * position[static_cast<size_t>(i)];
        *to++ = sum;
      }
    }
}

void RunAffineGrid(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("Theta").dtype(), [&](auto type) { Fill<decltype(type)>(c); });
}

REGISTER_LITE_OP(affine_grid)
    .Input("Theta")
    .OptionalInput("OutputShape")
    .Output("Output")
    .Attr<std::vector<int32_t>>("output_shape", {})
    .Attr<bool>("align_corners", true)
    .InferShape(InferAffineGrid);
REGISTER_LITE_FUNCTION(affine_grid, kHost, kAny, kNCHW, RunAffineGrid, def);

}  // namespace
}  // namespace paddle::lite
