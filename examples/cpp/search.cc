// Which known things are in a picture: search DETECTOR.nb FEATURES.nb PICTURE.ppm GALLERY.ppm...
//
// As PP-ShiTu's product search: a detector finds the parts that matter (output 0: class, score,
// left, top, right, bottom), a second model turns each part, and the whole picture, into a vector;
// the gallery's picture with the most similar vector is the answer. Prints for each part its
// corners, the best picture and the cosine of the angle between the two vectors.
#include <paddle_api.h>

#include <cstdio>
#include <exception>

#include "image.h"

using namespace paddle::lite_api;

namespace {

constexpr int kDetectorSide = 64, kFeatureSide = 32;
constexpr float kLeastScore = 0.2f;

using Vector = std::vector<float>;

std::shared_ptr<PaddlePredictor> Load(const char* path) {
  MobileConfig config;
  config.set_model_from_file(path);
  return CreatePaddlePredictor<MobileConfig>(config);
}

void SetPicture(PaddlePredictor* predictor, const Image& image, int side) {
  auto input = predictor->GetInputByName("image");
  input->Resize({1, 3, side, side});
  ToPlanes(Resize(image, side, side), kImageNetMean, kImageNetDeviation,
           input->mutable_data<float>());
}

// The parts that the detector finds, and the whole picture.
std::vector<std::array<int, 4>> FindParts(PaddlePredictor* detector, const Image& image) {
  SetPicture(detector, image, kDetectorSide);
  const auto names = detector->GetInputNames();
  if (std::find(names.begin(), names.end(), "scale_factor") != names.end()) {
    auto scale = detector->GetInputByName("scale_factor");
    scale->Resize({1, 2});
    scale->mutable_data<float>()[0] = static_cast<float>(kDetectorSide) / image.height;
    scale->mutable_data<float>()[1] = static_cast<float>(kDetectorSide) / image.width;
  }
  detector->Run();
  // The handles go at once, their memory stays until the next Run.
  std::vector<const void*> outputs;
  for (const std::string& name : detector->GetOutputNames())
    outputs.push_back(detector->GetTensor(name)->data<void>());
  const float* row = static_cast<const float*>(outputs[0]);
  const int32_t count = *static_cast<const int32_t*>(outputs[1]);
  std::vector<std::array<int, 4>> parts;
  for (int32_t i = 0; i < count; ++i, row += 6)
    if (row[1] >= kLeastScore)
      parts.push_back({{static_cast<int>(row[2]), static_cast<int>(row[3]),
                        static_cast<int>(row[4]), static_cast<int>(row[5])}});
  parts.push_back({{0, 0, image.width, image.height}});
  return parts;
}

// A vector of length 1.
Vector Features(PaddlePredictor* model, const Image& image) {
  SetPicture(model, image, kFeatureSide);
  model->Run();
  const auto output = model->GetTensor(model->GetOutputNames()[0]);
  Vector features(output->data<float>(), output->data<float>() + output->shape().back());
  float length = 0;
  for (const float value : features) length += value * value;
  for (float& value : features) value /= std::sqrt(std::max(length, 1e-12f));
  return features;
}

float Dot(const Vector& a, const Vector& b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: search DETECTOR.nb FEATURES.nb PICTURE.ppm GALLERY.ppm...\n");
    return 2;
  }
  try {
    const auto detector = Load(argv[1]), model = Load(argv[2]);
    std::vector<Vector> gallery;
    for (int i = 4; i < argc; ++i) gallery.push_back(Features(model.get(), ReadPpm(argv[i])));
    const Image image = ReadPpm(argv[3]);
    for (const auto& part : FindParts(detector.get(), image)) {
      const Vector features =
          Features(model.get(), Crop(image, part[0], part[1], part[2], part[3]));
      size_t best = 0;
      for (size_t i = 1; i < gallery.size(); ++i)
        if (Dot(features, gallery[i]) > Dot(features, gallery[best])) best = i;
      std::printf("%d %d %d %d %s %.5f\n", part[0], part[1], part[2], part[3], argv[4 + best],
                  Dot(features, gallery[best]));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "search: %s\n", error.what());
    return 1;
  }
  return 0;
}
