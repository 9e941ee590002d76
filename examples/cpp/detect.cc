// What is where in a picture: detect MODEL.nb PICTURE.ppm OUT.ppm [SIDE [LEAST_SCORE [LABELS.txt]]]
//
// For detectors of PaddleDetection that end in NMS, such as PicoDet: inputs `image`, RGB,
// normalised as ImageNet, and any of `scale_factor` and `im_shape`; output 0 has a row for each box
// (class, score, left, top, right, bottom), output 1 their number. Prints label, score and corners,
// and writes the picture with the boxes.
#include <paddle_api.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "image.h"

using namespace paddle::lite_api;

namespace {

struct Box {
  int label;
  float score, left, top, right, bottom;
};

// Fills the inputs by their names, as models differ in which they have.
void SetInputs(PaddlePredictor* predictor, const Image& image, int side) {
  const float height_scale = static_cast<float>(side) / image.height;
  const float width_scale = static_cast<float>(side) / image.width;
  for (const std::string& name : predictor->GetInputNames()) {
    auto input = predictor->GetInputByName(name);
    if (name == "image") {
      input->Resize({1, 3, side, side});
      ToPlanes(Resize(image, side, side), kImageNetMean, kImageNetDeviation,
               input->mutable_data<float>());
      continue;
    }
    input->Resize({1, 2});
    float* values = input->mutable_data<float>();
    const bool is_scale = name == "scale_factor";
    values[0] = is_scale ? height_scale : static_cast<float>(side);
    values[1] = is_scale ? width_scale : static_cast<float>(side);
  }
}

std::vector<Box> Detect(PaddlePredictor* predictor, float least_score) {
  predictor->Run();
  const auto rows = predictor->GetOutput(0);
  const float* values = rows->data<float>();
  const int32_t count = *predictor->GetOutput(1)->data<int32_t>();
  std::vector<Box> boxes;
  for (int32_t i = 0; i < count; ++i, values += 6)
    if (values[1] >= least_score)
      boxes.push_back(
          {static_cast<int>(values[0]), values[1], values[2], values[3], values[4], values[5]});
  return boxes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 7) {
    std::fprintf(stderr,
                 "usage: detect MODEL.nb PICTURE.ppm OUT.ppm [SIDE [LEAST_SCORE [LABELS.txt]]]\n");
    return 2;
  }
  try {
    const int side = argc > 4 ? std::atoi(argv[4]) : 320;
    const float least_score = argc > 5 ? static_cast<float>(std::atof(argv[5])) : 0.5f;
    const std::vector<std::string> labels = ReadLines(argc > 6 ? argv[6] : "");
    Image image = ReadPpm(argv[2]);
    MobileConfig config;
    config.set_model_from_file(argv[1]);
    config.set_threads(2);
    const auto predictor = CreatePaddlePredictor<MobileConfig>(config);
    SetInputs(predictor.get(), image, side);
    for (const Box& box : Detect(predictor.get(), least_score)) {
      const auto at = static_cast<size_t>(box.label);
      const std::string label = at < labels.size() ? labels[at] : std::to_string(box.label);
      std::printf("%s %.4f %.2f %.2f %.2f %.2f\n", label.c_str(), box.score, box.left, box.top,
                  box.right, box.bottom);
      DrawBox(&image, box.left, box.top, box.right, box.bottom);
    }
    WritePpm(image, argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "detect: %s\n", error.what());
    return 1;
  }
  return 0;
}
