// ImagePreprocess: pictures as rows of packed bytes.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_image_preprocess.h"

namespace paddle::lite_api::image_preprocess {
namespace {

using lite::ConfigError;
using lite::StrCat;

struct Size {
  int width, height;
  size_t pixels() const { return static_cast<size_t>(width) * static_cast<size_t>(height); }
};

bool IsNv(ImageFormat format) { return format == NV12 || format == NV21; }

// Bytes of a pixel; throws for NV12, NV21 and what is no format.
size_t Channels(ImageFormat format) {
  switch (format) {
    case GRAY:
      return 1;
    case RGB:
    case BGR:
      return 3;
    case RGBA:
    case BGRA:
      return 4;
    default:
      throw ConfigError(StrCat("the image format ", static_cast<int>(format),
                               " is not taken here, expected RGBA (0), BGRA (1), RGB (2), BGR (3) "
                               "or GRAY (4)"));
  }
}

Size CheckedSize(int width, int height) {
  if (width < 1 || height < 1)
    throw ConfigError(
        StrCat("an image of ", width, " x ", height, " pixels, expected 1 x 1 or more"));
  return {width, height};
}

struct Color {
  int red, green, blue, alpha;
};

// One packed format; red and blue are at opposite ends.
struct Packed {
  explicit Packed(ImageFormat format)
      : channels(Channels(format)), red(format == RGB || format == RGBA ? 0 : 2) {}

  Color Read(const uint8_t* pixel) const {
    if (channels == 1) return {pixel[0], pixel[0], pixel[0], 255};
    return {pixel[red], pixel[1], pixel[2 - red], channels == 4 ? pixel[3] : 255};
  }
  void Write(const Color& color, bool is_gray, uint8_t* pixel) const {
    if (channels == 1) {
      // 0.299, 0.587 and 0.114 with 14 bits.
      pixel[0] = static_cast<uint8_t>(
          is_gray ? color.red
                  : (4899 * color.red + 9617 * color.green + 1868 * color.blue + 8192) >> 14);
      return;
    }
    pixel[red] = static_cast<uint8_t>(color.red);
    pixel[1] = static_cast<uint8_t>(color.green);
    pixel[2 - red] = static_cast<uint8_t>(color.blue);
    if (channels == 4) pixel[3] = static_cast<uint8_t>(color.alpha);
  }

  size_t channels;
  size_t red;
};

// The colours of a picture in NV12 or NV21, of the full range, with constants of 7 bits.
Color NvColor(int y, int u, int v) {
  const auto clamp = [](int value) { return std::min(std::max(value, 0), 255); };
  u -= 128;
  v -= 128;
  return {clamp(y + ((179 * v) >> 7)), clamp(y - ((44 * u + 91 * v) >> 7)),
          clamp(y + ((227 * u) >> 7)), 255};
}

size_t NvRow(const Size& size) { return (static_cast<size_t>(size.width) + 1) / 2 * 2; }

void ConvertNv(const uint8_t* src, uint8_t* dst, ImageFormat from, const Packed& to,
               const Size& size) {
  const auto width = static_cast<size_t>(size.width);
  const size_t u_at = from == NV12 ? 0 : 1;
  for (size_t y = 0; y < static_cast<size_t>(size.height); ++y) {
    const uint8_t* colors = src + size.pixels() + y / 2 * NvRow(size);
    for (size_t x = 0; x < width; ++x, dst += to.channels) {
      const uint8_t* pair = colors + x / 2 * 2;
      const int brightness = src[y * width + x];
      if (to.channels == 1)
        *dst = static_cast<uint8_t>(brightness);
      else
        to.Write(NvColor(brightness, pair[u_at], pair[1 - u_at]), false, dst);
    }
  }
}

// Where a pixel of a resized row lies between two of the source; 11 bits of weight.
struct Between {
  size_t first, second;
  int weight;  // of the second
};

std::vector<Between> Positions(int from, int to) {
  std::vector<Between> positions;
  const double scale = static_cast<double>(from) / to;
  for (int i = 0; i < to; ++i) {
    const double at = std::min(std::max((i + 0.5) * scale - 0.5, 0.0), from - 1.0);
    const auto first = static_cast<size_t>(at);
    const size_t second = std::min(first + 1, static_cast<size_t>(from) - 1);
    positions.push_back(
        {first, second, static_cast<int>(std::lround((at - static_cast<double>(first)) * 2048))});
  }
  return positions;
}

void ResizeRow(const uint8_t* src, size_t channels, const std::vector<Between>& columns, int* dst) {
  for (const Between& column : columns) {
    const uint8_t* first = src + column.first * channels;
    const uint8_t* second = src + column.second * channels;
    for (size_t c = 0; c < channels; ++c)
      *dst++ = first[c] * (2048 - column.weight) + second[c] * column.weight;
  }
}

void ResizePlane(const uint8_t* src, uint8_t* dst, size_t channels, const Size& from,
                 const Size& to) {
  const std::vector<Between> columns = Positions(from.width, to.width);
  const size_t row = static_cast<size_t>(from.width) * channels;
  std::vector<int> above(columns.size() * channels), below(above.size());
  for (const Between& line : Positions(from.height, to.height)) {
    ResizeRow(src + line.first * row, channels, columns, above.data());
    ResizeRow(src + line.second * row, channels, columns, below.data());
    for (size_t i = 0; i < above.size(); ++i)
      *dst++ = static_cast<uint8_t>(
          (above[i] * (2048 - line.weight) + below[i] * line.weight + (1 << 21)) >> 22);
  }
}

// Copies pixels: `place` says where the one at x, y goes.
template <typename Place>
void Move(const uint8_t* src, uint8_t* dst, size_t channels, const Size& size, const Place& place) {
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x, src += channels)
      std::memcpy(dst + static_cast<size_t>(place(x, y)) * channels, src, channels);
}

}  // namespace

ImagePreprocess::ImagePreprocess(ImageFormat src_format, ImageFormat dst_format, TransParam param)
    : src_format_(src_format), dst_format_(dst_format), param_(param) {}

void ImagePreprocess::imageConvert(const uint8_t* src, uint8_t* dst) {
  imageConvert(src, dst, src_format_, dst_format_);
}

void ImagePreprocess::imageConvert(const uint8_t* src, uint8_t* dst, ImageFormat src_format,
                                   ImageFormat dst_format) {
  imageConvert(src, dst, src_format, dst_format, param_.iw, param_.ih);
}

void ImagePreprocess::imageConvert(const uint8_t* src, uint8_t* dst, ImageFormat src_format,
                                   ImageFormat dst_format, int width, int height) {
  const Size size = CheckedSize(width, height);
  if (IsNv(src_format) && src_format == dst_format) {
    const size_t colors = NvRow(size) * ((static_cast<size_t>(height) + 1) / 2);
    std::memcpy(dst, src, size.pixels() + colors);
    return;
  }
  const Packed to(dst_format);
  if (IsNv(src_format)) return ConvertNv(src, dst, src_format, to, size);
  const Packed from(src_format);
  for (size_t i = 0; i < size.pixels(); ++i)
    to.Write(from.Read(src + i * from.channels), from.channels == 1, dst + i * to.channels);
}

void ImagePreprocess::imageResize(const uint8_t* src, uint8_t* dst) {
  imageResize(src, dst, src_format_, param_.iw, param_.ih, param_.ow, param_.oh);
}

void ImagePreprocess::imageResize(const uint8_t* src, uint8_t* dst, ImageFormat format,
                                  int src_width, int src_height, int dst_width, int dst_height) {
  const Size from = CheckedSize(src_width, src_height), to = CheckedSize(dst_width, dst_height);
  if (!IsNv(format)) return ResizePlane(src, dst, Channels(format), from, to);
  ResizePlane(src, dst, 1, from, to);
  const auto half = [](const Size& size) {
    return Size{(size.width + 1) / 2, (size.height + 1) / 2};
  };
  ResizePlane(src + from.pixels(), dst + to.pixels(), 2, half(from), half(to));
}

void ImagePreprocess::imageRotate(const uint8_t* src, uint8_t* dst) {
  imageRotate(src, dst, src_format_, param_.iw, param_.ih, param_.rotate_param);
}

void ImagePreprocess::imageRotate(const uint8_t* src, uint8_t* dst, ImageFormat format, int width,
                                  int height, float degree) {
  const Size size = CheckedSize(width, height);
  const size_t channels = Channels(format);
  if (degree == 90)
    Move(src, dst, channels, size, [&](int x, int y) { return x * height + height - 1 - y; });
  else if (degree == 180)
    imageFlip(src, dst, format, width, height, XY);
  else if (degree == 270)
    Move(src, dst, channels, size, [&](int x, int y) { return (width - 1 - x) * height + y; });
  else
    throw ConfigError(StrCat("a rotation by ", degree, " degrees, expected 90, 180 or 270"));
}

void ImagePreprocess::imageFlip(const uint8_t* src, uint8_t* dst) {
  imageFlip(src, dst, src_format_, param_.iw, param_.ih, param_.flip_param);
}

void ImagePreprocess::imageFlip(const uint8_t* src, uint8_t* dst, ImageFormat format, int width,
                                int height, FlipParam flip) {
  const Size size = CheckedSize(width, height);
  if (flip != X && flip != Y && flip != XY)
    throw ConfigError(
        StrCat("flip is ", static_cast<int>(flip), ", expected XY (-1), X (0) or Y (1)"));
  Move(src, dst, Channels(format), size, [&](int x, int y) {
    return (flip == Y ? y : height - 1 - y) * width + (flip == X ? x : width - 1 - x);
  });
}

void ImagePreprocess::imageCrop(const uint8_t* src, uint8_t* dst, ImageFormat format, int width,
                                int height, int left_x, int left_y, int dst_width, int dst_height) {
  const Size size = CheckedSize(width, height), part = CheckedSize(dst_width, dst_height);
  if (left_x < 0 || left_y < 0 || part.width > size.width - left_x ||
      part.height > size.height - left_y)
    throw ConfigError(StrCat(dst_width, " x ", dst_height, " pixels from ", left_x, ", ", left_y,
                             " on do not lie in an image of ", width, " x ", height));
  const size_t channels = Channels(format);
  const size_t row = static_cast<size_t>(part.width) * channels;
  for (int y = 0; y < part.height; ++y) {
    const size_t at =
        static_cast<size_t>(left_y + y) * static_cast<size_t>(width) + static_cast<size_t>(left_x);
    std::memcpy(dst + static_cast<size_t>(y) * row, src + at * channels, row);
  }
}

void ImagePreprocess::image2Tensor(const uint8_t* src, Tensor* tensor, LayoutType layout,
                                   float* means, float* scales) {
  image2Tensor(src, tensor, dst_format_, param_.ow, param_.oh, layout, means, scales);
}

void ImagePreprocess::image2Tensor(const uint8_t* src, Tensor* tensor, ImageFormat format,
                                   int width, int height, LayoutType layout, float* means,
                                   float* scales) {
  const Size size = CheckedSize(width, height);
  const size_t step = Channels(format), channels = std::min<size_t>(step, 3);
  if (layout != LayoutType::kNCHW && layout != LayoutType::kNHWC)
    throw ConfigError(StrCat("the layout ", DataLayoutToStr(layout), ", expected NCHW or NHWC"));
  int64_t count = 1;
  for (const int64_t dim : tensor->shape()) count *= dim;
  if (count != static_cast<int64_t>(size.pixels() * channels))
    throw ConfigError(StrCat("the tensor has ", count, " elements, an image of ", width, " x ",
                             height, " has ", size.pixels() * channels, "; resize it first"));
  const bool planes = layout == LayoutType::kNCHW;
  float* data = tensor->mutable_data<float>();
  for (size_t i = 0; i < size.pixels(); ++i)
    for (size_t c = 0; c < channels; ++c)
      data[planes ? c * size.pixels() + i : i * channels + c] =
          (static_cast<float>(src[i * step + c]) - means[c]) * scales[c];
}

}  // namespace paddle::lite_api::image_preprocess
