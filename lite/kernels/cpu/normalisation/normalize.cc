#include "lite/kernels/cpu/normalisation/normalize.h"

#include <algorithm>

#include "lite/kernels/cpu/math/moments.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/math/transpose.h"

namespace paddle::lite {
namespace {

using Step = math::EpilogueStep;

// Means and variances of [n, groups] where a pixel's channels are neighbours.
void PixelGroupMoments(const Images& images, int64_t groups, const float* x, float* mean,
                       float* variance, int threads) {
  const int64_t width = images.c / groups;
  const double count = static_cast<double>(width * images.hw);
  std::vector<double> sums(static_cast<size_t>(images.c));
  std::vector<float> center(static_cast<size_t>(images.c));
  const auto group_sum = [&](int64_t g) {
    double sum = 0;
    for (int64_t j = g * width; j < (g + 1) * width; ++j) sum += sums[static_cast<size_t>(j)];
    return static_cast<float>(sum / count);
  };
  for (int64_t n = 0; n < images.n; ++n, x += images.c * images.hw) {
    math::ColumnSums(images.hw, images.c, x, nullptr, sums.data(), threads);
    for (int64_t g = 0; g < groups; ++g) mean[n * groups + g] = group_sum(g);
    for (int64_t j = 0; j < images.c; ++j)
      center[static_cast<size_t>(j)] = mean[n * groups + j / width];
    math::ColumnSums(images.hw, images.c, x, center.data(), sums.data(), threads);
    for (int64_t g = 0; g < groups; ++g) variance[n * groups + g] = group_sum(g);
  }
}

void GroupNormFloat(KernelContext& c, const Images& images, int64_t groups, const float* x,
                    float* y, float* mean, float* variance) {
  const float* scale = DataOrNull<float>(c, "Scale");
  const float* bias = DataOrNull<float>(c, "Bias");
  const int64_t width = images.c / groups;
  if (images.channels_last)
    PixelGroupMoments(images, groups, x, mean, variance, c.threads());
  else
    math::RowMoments(images.n * groups, width * images.hw, x, mean, variance, c.threads());

  const auto size = static_cast<size_t>(images.n * images.c);
  std::vector<float> center(size), factor(size), shift(size);
  const float epsilon = c.Attr<float>("epsilon");
  for (int64_t i = 0; i < images.n * images.c; ++i) {
    const int64_t group = i / images.c * groups + i % images.c / width;
    const auto at = static_cast<size_t>(i);
    center[at] = mean[group];
    factor[at] = (scale ? scale[i % images.c] : 1.0f) / std::sqrt(variance[group] + epsilon);
    shift[at] = bias ? bias[i % images.c] : 0.0f;
  }
  AffineChannels(images, x, y, center.data(), factor.data(), shift.data(), images.c, c.threads());
}

// The definition.
void GroupNormDouble(KernelContext& c, const Images& images, int64_t groups, double* mean,
                     double* variance) {
  const auto* x = c.Input("X").data<double>();
  auto* y = c.Output("Y").mutable_data<double>();
  const double* scale = DataOrNull<double>(c, "Scale");
  const double* bias = DataOrNull<double>(c, "Bias");
  const int64_t width = images.c / groups, size = images.c * images.hw;
  const double count = static_cast<double>(width * images.hw), epsilon = c.Attr<float>("epsilon");
  const auto at = [&](int64_t n, int64_t channel, int64_t pixel) {
    return n * size +
           (images.channels_last ? pixel * images.c + channel : channel * images.hw + pixel);
  };
  for (int64_t i = 0; i < images.n * groups; ++i) {
    const int64_t n = i / groups, first = i % groups * width;
    double sum = 0, squares = 0;
    for (int64_t j = first; j < first + width; ++j)
      for (int64_t p = 0; p < images.hw; ++p) sum += x[at(n, j, p)];
    mean[i] = sum / count;
    for (int64_t j = first; j < first + width; ++j)
      for (int64_t p = 0; p < images.hw; ++p)
        squares += (x[at(n, j, p)] - mean[i]) * (x[at(n, j, p)] - mean[i]);
    variance[i] = squares / count;
    const double factor = 1.0 / std::sqrt(variance[i] + epsilon);
    for (int64_t j = first; j < first + width; ++j)
      for (int64_t p = 0; p < images.hw; ++p)
        y[at(n, j, p)] =
            (x[at(n, j, p)] - mean[i]) * factor * (scale ? scale[j] : 1.0) + (bias ? bias[j] : 0.0);
  }
}

template <typename T>
void StoreMoments(KernelContext& c, const char* mean_slot, const char* variance_slot,
                  bool inverse_deviation, const std::vector<T>& mean,
                  const std::vector<T>& variance) {
  if (T* out = OutputOrNull<T>(c, mean_slot)) std::copy(mean.begin(), mean.end(), out);
  const T epsilon = c.Attr<float>("epsilon");
  if (T* out = OutputOrNull<T>(c, variance_slot))
    for (size_t i = 0; i < variance.size(); ++i)
      out[i] = inverse_deviation ? T(1) / std::sqrt(variance[i] + epsilon) : variance[i];
}

}  // namespace

Images ImagesOf(const DDim& dims, DataLayoutType layout, const std::string& data_layout,
                int min_rank) {
  if (dims.size() < min_rank || dims.size() > 5)
    throw ShapeError(StrCat("X has shape ", dims, ", expected ", min_rank, " to 5 dims"));
  if (data_layout != "NCHW" && data_layout != "NHWC" && data_layout != "AnyLayout")
    throw LiteError(StrCat("attribute data_layout is '", data_layout, "', expected NCHW or NHWC"));
  Images images;
  images.n = dims[0];
  const bool reordered = layout == DataLayoutType::kNHWC && dims.size() == 4;
  if (data_layout == "NHWC") {
    images.c = dims.back();
    images.hw = dims.Count(1, dims.size() - 1);
    images.channels_last = !reordered;
    if (reordered) images.rows = dims[2];
  } else {
    images.c = dims[1];
    images.hw = dims.Count(2, dims.size());
    images.channels_last = images.hw == 1 || reordered;
  }
  return images;
}

void AffineChannels(const Images& images, const float* x, float* y, const float* center,
                    const float* a, const float* b, int64_t image_stride, int threads) {
  const bool last = images.channels_last;
  const int64_t rows_per_image = last ? images.hw : images.c;
  const int64_t cols = last ? images.c : images.hw;
  if (images.count() == 0) return;
  Step steps[3];
  math::Epilogue epilogue;
  epilogue.steps = steps;
  epilogue.rows_per_image = rows_per_image;
  const auto add = [&](Step::Op op, const float* data) {
    if (data == nullptr) return;
    Step& step = steps[epilogue.step_count++];
    step.op = op;
    step.data = data;
    step.image_stride = image_stride;
    step.row_stride = last ? 0 : 1;
    step.col_stride = last ? 1 : 0;
  };
  add(Step::kSub, center);
  add(Step::kMul, a);
  add(Step::kAdd, b);
  math::ParallelRange(threads, images.n * rows_per_image, math::kElementGrain / cols + 1,
                      [&](int64_t begin, int64_t end) {
                        math::RunEpilogue(end - begin, cols, x + begin * cols, cols,
                                          y + begin * cols, cols, epilogue, begin, 0);
                      });
}

void RunGroupNorm(KernelContext& c, const Images& images, int64_t groups, const char* mean_slot,
                  const char* variance_slot, bool inverse_deviation) {
  const Tensor& x = c.Input("X");
  Tensor& y = c.Output("Y");
  y.set_layout(x.layout());
  const auto size = static_cast<size_t>(images.n * groups);
  if (images.c == 0) {  // of no width, and instance_norm has no group then
    y.MutableRaw(x.dtype());
    const std::vector<float> none(size);
    if (x.dtype() == DataType::kFP32)
      return StoreMoments(c, mean_slot, variance_slot, inverse_deviation, none, none);
    const std::vector<double> wide(size);
    return StoreMoments(c, mean_slot, variance_slot, inverse_deviation, wide, wide);
  }
  if (x.dtype() == DataType::kFP64) {
    std::vector<double> mean(size), variance(size);
    GroupNormDouble(c, images, groups, mean.data(), variance.data());
    return StoreMoments(c, mean_slot, variance_slot, inverse_deviation, mean, variance);
  }
  std::vector<float> mean(size), variance(size);
  const auto* from = x.data<float>();
  auto* to = y.mutable_data<float>();
  if (images.rows > 1) {
    // Brought to n, c, pixels and back.
    Images plain = images;
    plain.rows = 1;
    const int64_t dims[] = {images.n, images.rows, images.c, images.hw / images.rows};
    const int64_t back[] = {dims[0], dims[2], dims[1], dims[3]};
    const int perm[] = {0, 2, 1, 3};
    std::vector<float> moved(static_cast<size_t>(images.count())), result(moved.size());
    math::Permute(from, moved.data(), 4, dims, perm, sizeof(float), c.threads());
    GroupNormFloat(c, plain, groups, moved.data(), result.data(), mean.data(), variance.data());
    math::Permute(result.data(), to, 4, back, perm, sizeof(float), c.threads());
  } else {
    GroupNormFloat(c, images, groups, from, to, mean.data(), variance.data());
  }
  StoreMoments(c, mean_slot, variance_slot, inverse_deviation, mean, variance);
}

}  // namespace paddle::lite
