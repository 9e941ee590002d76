// Pictures for the examples: PPM files, scaling, drawing, and the numbers that models read. An
// application would use the library that it has, OpenCV for one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;  // row by row

  Image() = default;
  Image(int w, int h) : width(w), height(h), rgb(static_cast<size_t>(w) * h * 3) {}
  uint8_t* At(int x, int y) { return &rgb[(static_cast<size_t>(y) * width + x) * 3]; }
  const uint8_t* At(int x, int y) const { return const_cast<Image*>(this)->At(x, y); }
};

// Reads a binary PPM file (P6), as `convert picture.jpg picture.ppm` or Pillow write it.
inline Image ReadPpm(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string kind;
  int width = 0, height = 0, largest = 0;
  file >> kind >> width >> height >> largest;
  file.get();
  if (!file || kind != "P6" || largest != 255 || width < 1 || height < 1 || width > 1 << 15 ||
      height > 1 << 15)
    throw std::runtime_error(path + ": expected a PPM file (P6) of 8 bits");
  Image image(width, height);
  file.read(reinterpret_cast<char*>(image.rgb.data()),
            static_cast<std::streamsize>(image.rgb.size()));
  if (!file) throw std::runtime_error(path + ": the file ends within the picture");
  return image;
}

inline void WritePpm(const Image& image, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << image.width << " " << image.height << "\n255\n";
  file.write(reinterpret_cast<const char*>(image.rgb.data()),
             static_cast<std::streamsize>(image.rgb.size()));
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

// The colour between pixels, bilinear; the picture's border goes on for ever.
inline std::array<float, 3> Sample(const Image& image, float x, float y) {
  x = std::min(std::max(x, 0.0f), static_cast<float>(image.width - 1));
  y = std::min(std::max(y, 0.0f), static_cast<float>(image.height - 1));
  const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
  const int x1 = std::min(x0 + 1, image.width - 1), y1 = std::min(y0 + 1, image.height - 1);
  const float fx = x - static_cast<float>(x0), fy = y - static_cast<float>(y0);
  std::array<float, 3> colour;
  for (size_t c = 0; c < 3; ++c) {
    const float top = image.At(x0, y0)[c] * (1 - fx) + image.At(x1, y0)[c] * fx;
    const float bottom = image.At(x0, y1)[c] * (1 - fx) + image.At(x1, y1)[c] * fx;
    colour[c] = top * (1 - fy) + bottom * fy;
  }
  return colour;
}

inline void SetPixel(Image* image, int x, int y, const std::array<float, 3>& colour) {
  for (size_t c = 0; c < 3; ++c) image->At(x, y)[c] = static_cast<uint8_t>(std::lround(colour[c]));
}

inline Image Resize(const Image& image, int width, int height) {
  Image resized(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      SetPixel(&resized, x, y,
               Sample(image, (static_cast<float>(x) + 0.5f) * image.width / width - 0.5f,
                      (static_cast<float>(y) + 0.5f) * image.height / height - 0.5f));
  return resized;
}

inline Image Crop(const Image& image, int left, int top, int right, int bottom) {
  left = std::min(std::max(left, 0), image.width - 1);
  top = std::min(std::max(top, 0), image.height - 1);
  right = std::min(std::max(right, left + 1), image.width);
  bottom = std::min(std::max(bottom, top + 1), image.height);
  Image part(right - left, bottom - top);
  for (int y = top; y < bottom; ++y)
    std::copy_n(image.At(left, y), part.width * 3, part.At(0, y - top));
  return part;
}

// Writes (pixel / 255 - mean) / deviation, channel by channel: what most models of Paddle read.
// Rows of `stride` floats (0: the picture's width).
inline void ToPlanes(const Image& image, const std::array<float, 3>& mean,
                     const std::array<float, 3>& deviation, float* planes, int stride = 0,
                     bool bgr = false) {
  const int row = stride > 0 ? stride : image.width;
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        planes[(static_cast<size_t>(c) * image.height + y) * row + x] =
            (image.At(x, y)[bgr ? 2 - c : c] / 255.0f - mean[c]) / deviation[c];
}

constexpr std::array<float, 3> kImageNetMean = {{0.485f, 0.456f, 0.406f}};
constexpr std::array<float, 3> kImageNetDeviation = {{0.229f, 0.224f, 0.225f}};

inline void DrawBox(Image* image, float left, float top, float right, float bottom) {
  const auto inside = [](float value, int size) {
    return static_cast<int>(std::min(std::max(value, 0.0f), static_cast<float>(size - 1)));
  };
  const int x0 = inside(left, image->width), x1 = inside(right, image->width);
  const int y0 = inside(top, image->height), y1 = inside(bottom, image->height);
  const std::array<float, 3> red = {{255, 0, 0}};
  for (int x = x0; x <= x1; ++x) SetPixel(image, x, y0, red), SetPixel(image, x, y1, red);
  for (int y = y0; y <= y1; ++y) SetPixel(image, x0, y, red), SetPixel(image, x1, y, red);
}

// The lines of a text file; none for an empty path.
inline std::vector<std::string> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  if (path.empty()) return lines;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}
