// What is in a picture: classify MODEL.nb PICTURE.ppm [LABELS.txt [SIDE]]
//
// For models that take f32[1, 3, SIDE, SIDE], RGB, normalised as ImageNet (SIDE is 224), and give a
// probability for each class. Prints the five best: label, probability.
#include <paddle_api.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>

#include "image.h"

using namespace paddle::lite_api;

namespace {

std::shared_ptr<PaddlePredictor> Load(const std::string& path) {
  MobileConfig config;
  config.set_model_from_file(path);
  config.set_threads(2);
  config.set_power_mode(LITE_POWER_HIGH);
  return CreatePaddlePredictor<MobileConfig>(config);
}

// The middle of the picture: its shorter side becomes 8/7 of `side`, as when models are trained.
Image Prepare(const Image& image, int side) {
  const int shorter = side * 8 / 7;
  const float scale = static_cast<float>(shorter) / std::min(image.width, image.height);
  const Image scaled =
      Resize(image, std::max(shorter, static_cast<int>(std::lround(image.width * scale))),
             std::max(shorter, static_cast<int>(std::lround(image.height * scale))));
  const int left = (scaled.width - side) / 2, top = (scaled.height - side) / 2;
  return Crop(scaled, left, top, left + side, top + side);
}

void PrintBest(const Tensor& output, const std::vector<std::string>& labels) {
  const float* probabilities = output.data<float>();
  const shape_t shape = output.shape();
  std::vector<size_t> order(static_cast<size_t>(shape.back()));
  std::iota(order.begin(), order.end(), size_t{0});
  const size_t count = std::min<size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](size_t a, size_t b) { return probabilities[a] > probabilities[b]; });
  for (size_t i = 0; i < count; ++i) {
    const std::string label =
        order[i] < labels.size() ? labels[order[i]] : std::to_string(order[i]);
    std::printf("%s %.6f\n", label.c_str(), probabilities[order[i]]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    std::fprintf(stderr, "usage: classify MODEL.nb PICTURE.ppm [LABELS.txt [SIDE]]\n");
    return 2;
  }
  try {
    const int side = argc > 4 ? std::atoi(argv[4]) : 224;
    if (side < 1) throw std::runtime_error("SIDE must be a number of pixels");
    const std::vector<std::string> labels = ReadLines(argc > 3 ? argv[3] : "");
    const auto predictor = Load(argv[1]);
    auto input = predictor->GetInput(0);
    input->Resize({1, 3, side, side});
    ToPlanes(Prepare(ReadPpm(argv[2]), side), kImageNetMean, kImageNetDeviation,
             input->mutable_data<float>());
    predictor->Run();
    PrintBest(*predictor->GetOutput(0), labels);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "classify: %s\n", error.what());
    return 1;
  }
  return 0;
}
