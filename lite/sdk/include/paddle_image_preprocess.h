// From pictures to inputs: conversion, resizing, rotation, flipping, cropping, normalisation.
//
//   using namespace paddle::lite::utils::cv;
//   TransParam size = {480, 640, 224, 224, X, 90};
//   ImagePreprocess image(BGR, RGB, size);
//   image.imageConvert(picture, rgb);    // 480 x 640 x 3 bytes to as many
//   image.imageResize(rgb, small);       // to 224 x 224 x 3
//   image.image2Tensor(small, input.get(), DATALAYOUT(kNCHW), means, scales);
//
// Pictures are rows of packed bytes without padding; NV12 and NV21 have a plane of brightness and
// one of half the width and height with pairs of colours. Everything throws a std::exception for
// formats, sizes and angles that it does not take.
#pragma once

#include <cstdint>

#include "paddle_api.h"

namespace paddle {
namespace lite_api {
namespace image_preprocess {

using Tensor = lite_api::Tensor;
using LayoutType = lite_api::DataLayoutType;

enum ImageFormat { RGBA = 0, BGRA = 1, RGB = 2, BGR = 3, GRAY = 4, NV21 = 11, NV12 = 12 };

// Across the X axis (upside down), the Y axis (left and right), or both.
enum FlipParam { XY = -1, X = 0, Y = 1 };

struct TransParam {
  int ih, iw;  // height and width before
  int oh, ow;  // and after resizing
  FlipParam flip_param;
  float rotate_param;  // 90, 180 or 270 degrees clockwise
};

// Functions with few arguments take the others from what the constructor got.
class LITE_API ImagePreprocess {
 public:
  ImagePreprocess(ImageFormat src_format, ImageFormat dst_format, TransParam param);

  // Between all formats, but to NV12 and NV21 only from themselves. An alpha that was not there is
  // 255. ih x iw.
  void imageConvert(const uint8_t* src, uint8_t* dst);
  void imageConvert(const uint8_t* src, uint8_t* dst, ImageFormat src_format,
                    ImageFormat dst_format);
  void imageConvert(const uint8_t* src, uint8_t* dst, ImageFormat src_format,
                    ImageFormat dst_format, int width, int height);

  // Bilinear, of a picture in the source format: ih x iw to oh x ow.
  void imageResize(const uint8_t* src, uint8_t* dst);
  void imageResize(const uint8_t* src, uint8_t* dst, ImageFormat format, int src_width,
                   int src_height, int dst_width, int dst_height);

  // Of packed pictures in the source format, ih x iw.
  void imageRotate(const uint8_t* src, uint8_t* dst);
  void imageRotate(const uint8_t* src, uint8_t* dst, ImageFormat format, int width, int height,
                   float degree);
  void imageFlip(const uint8_t* src, uint8_t* dst);
  void imageFlip(const uint8_t* src, uint8_t* dst, ImageFormat format, int width, int height,
                 FlipParam flip);
  void imageCrop(const uint8_t* src, uint8_t* dst, ImageFormat format, int width, int height,
                 int left_x, int left_y, int dst_width, int dst_height);

  // (value - means[c]) * scales[c] of a packed picture without its alpha, as float32; the tensor
  // has the size already. The short form takes oh x ow in the destination format.
  void image2Tensor(const uint8_t* src, Tensor* tensor, LayoutType layout, float* means,
                    float* scales);
  void image2Tensor(const uint8_t* src, Tensor* tensor, ImageFormat format, int width, int height,
                    LayoutType layout, float* means, float* scales);

  // The names of other releases.
  template <typename... Args>
  void image_convert(Args... args) {
    imageConvert(args...);
  }
  template <typename... Args>
  void image_resize(Args... args) {
    imageResize(args...);
  }
  template <typename... Args>
  void image_rotate(Args... args) {
    imageRotate(args...);
  }
  template <typename... Args>
  void image_flip(Args... args) {
    imageFlip(args...);
  }
  template <typename... Args>
  void image_crop(Args... args) {
    imageCrop(args...);
  }
  template <typename... Args>
  void image_to_tensor(Args... args) {
    image2Tensor(args...);
  }

 private:
  ImageFormat src_format_, dst_format_;
  TransParam param_;
};

}  // namespace image_preprocess
}  // namespace lite_api

namespace lite {
namespace utils {
namespace cv = lite_api::image_preprocess;
}  // namespace utils
}  // namespace lite
}  // namespace paddle
