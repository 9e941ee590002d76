// An application of paddle_image_preprocess.h that tests steer: image_tool OPERATION NUMBER...
// takes a picture on stdin and prints the result's bytes; an error is printed and ends it with 1.
#include <paddle_api.h>
#include <paddle_image_preprocess.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

typedef paddle::lite::utils::cv::FlipParam FlipParam;
typedef paddle::lite::utils::cv::ImageFormat ImageFormat;
typedef paddle::lite::utils::cv::ImagePreprocess ImagePreprocess;
typedef paddle::lite::utils::cv::TransParam TransParam;
using namespace paddle::lite_api;

namespace {

using Bytes = std::vector<uint8_t>;

// The longest that any operation gives, as the tests know how long.
Bytes Room() { return Bytes(1 << 16); }

// MODEL's first input after image2Tensor, for both layouts.
void ToTensor(const char* model, const Bytes& picture, ImageFormat format, int width, int height) {
  MobileConfig config;
  config.set_model_from_file(model);
  const auto predictor = CreatePaddlePredictor(config);
  const auto input = predictor->GetInput(0);
  input->Resize({1, 3, 8, 8});
  float means[3] = {1.0f, 2.0f, 3.0f}, scales[3] = {0.5f, 0.25f, 2.0f};
  TransParam param;
  param.iw = param.ow = width;
  param.ih = param.oh = height;
  ImagePreprocess image(format, format, param);
  for (const DataLayoutType layout : {DATALAYOUT(kNCHW), DATALAYOUT(kNHWC)}) {
    image.image2Tensor(picture.data(), input.get(), layout, means, scales);
    std::fwrite(input->data<float>(), sizeof(float), 192, stdout);
  }
  image.image_to_tensor(picture.data(), input.get(), DATALAYOUT(kAny), means, scales);
}

Bytes Done(const std::string& operation, const std::vector<int>& n, const Bytes& picture) {
  Bytes result = Room();
  const ImageFormat format = static_cast<ImageFormat>(n[0]);
  TransParam param = {n[2], n[1], n[2], n[1], FlipParam::X, 90};
  if (operation == "convert") {
    ImagePreprocess image(format, static_cast<ImageFormat>(n[3]), param);
    image.imageConvert(picture.data(), result.data());
  } else if (operation == "resize") {
    param.ow = n[3];
    param.oh = n[4];
    ImagePreprocess(format, format, param).image_resize(picture.data(), result.data());
  } else if (operation == "rotate") {
    param.rotate_param = static_cast<float>(n[3]);
    ImagePreprocess(format, format, param).imageRotate(picture.data(), result.data());
  } else if (operation == "flip") {
    param.flip_param = static_cast<FlipParam>(n[3]);
    ImagePreprocess(format, format, param).image_flip(picture.data(), result.data());
  } else {
    ImagePreprocess image(format, format, param);
    image.imageCrop(picture.data(), result.data(), format, n[1], n[2], n[3], n[4], n[5], n[6]);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string operation = argv[1];
  const bool to_tensor = operation == "tensor";
  std::vector<int> numbers;
  for (int i = to_tensor ? 3 : 2; i < argc; ++i) numbers.push_back(std::atoi(argv[i]));
  const Bytes picture((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  try {
    if (to_tensor) {
      ToTensor(argv[2], picture, static_cast<ImageFormat>(numbers[0]), numbers[1], numbers[2]);
    } else {
      const Bytes result = Done(operation, numbers, picture);
      std::fwrite(result.data(), 1, result.size(), stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s", error.what());
    return 1;
  }
  return 0;
}
