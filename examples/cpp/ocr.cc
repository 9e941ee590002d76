// The text in a picture: ocr DET.nb CLS.nb REC.nb KEYS.txt PICTURE.ppm [OUT.ppm]
//
// PP-OCR: a detector finds lines, a classifier those that stand upside down, a recogniser reads
// them. KEYS.txt has the recogniser's characters, one a line. Prints each line with the mean
// probability of its characters; OUT.ppm is the picture with the boxes.
#include <paddle_api.h>

#include <cstdio>
#include <exception>

#include "image.h"
#include "text_boxes.h"

using namespace paddle::lite_api;

namespace {

constexpr int kLongestSide = 1280, kShortestLongSide = 320;
constexpr int kLineHeight = 48, kNarrowest = 320, kWidest = 3200, kClassifierWidth = 192;
constexpr float kCertainlyUpsideDown = 0.9f, kLeastConfidence = 0.5f;
constexpr std::array<float, 3> kHalf = {{0.5f, 0.5f, 0.5f}};

std::shared_ptr<PaddlePredictor> Load(const char* path) {
  MobileConfig config;
  config.set_model_from_file(path);
  config.set_threads(2);
  return CreatePaddlePredictor<MobileConfig>(config);
}

int RoundTo32(float size) { return std::max(32, static_cast<int>(std::lround(size / 32)) * 32); }

std::vector<TextBox> FindLines(PaddlePredictor* detector, const Image& image) {
  const int longest = std::max(image.width, image.height);
  const int wanted = std::min(std::max(longest, kShortestLongSide), kLongestSide);
  const float scale = static_cast<float>(wanted) / static_cast<float>(longest);
  const Image scaled = Resize(image, RoundTo32(static_cast<float>(image.width) * scale),
                              RoundTo32(static_cast<float>(image.height) * scale));
  auto input = detector->GetInput(0);
  input->Resize({1, 3, scaled.height, scaled.width});
  ToPlanes(scaled, kImageNetMean, kImageNetDeviation, input->mutable_data<float>(), 0, true);
  detector->Run();
  const auto output = detector->GetOutput(0);
  std::vector<TextBox> boxes = TextMap(output->data<float>(), scaled.width, scaled.height).Boxes();
  for (TextBox& box : boxes)
    for (Point& corner : box)
      corner = {corner.x * static_cast<float>(image.width) / static_cast<float>(scaled.width),
                corner.y * static_cast<float>(image.height) / static_cast<float>(scaled.height)};
  return boxes;
}

// The picture inside a box, upright; a standing line is turned by 90 degrees.
Image CutOut(const Image& image, const TextBox& box) {
  const int width = std::max(1, static_cast<int>(std::lround(WidthOf(box))));
  const int height = std::max(1, static_cast<int>(std::lround(HeightOf(box))));
  const bool standing = height >= 1.5 * width;
  Image line(standing ? height : width, standing ? width : height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(width);
      const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(height);
      const Point at = box[0] + (box[1] - box[0]) * u + (box[3] - box[0]) * v;
      SetPixel(&line, standing ? y : x, standing ? width - 1 - x : y,
               Sample(image, at.x - 0.5f, at.y - 0.5f));
    }
  return line;
}

// Scales a line to the input's height; zeros fill what is right of it.
void SetLine(PaddlePredictor* predictor, const Image& line, int width) {
  const float natural =
      std::ceil(static_cast<float>(kLineHeight * line.width) / static_cast<float>(line.height));
  const int scaled = std::min(width, std::max(1, static_cast<int>(natural)));
  auto input = predictor->GetInput(0);
  input->Resize({1, 3, kLineHeight, width});
  float* data = input->mutable_data<float>();
  std::fill_n(data, 3 * kLineHeight * width, 0.0f);
  ToPlanes(Resize(line, scaled, kLineHeight), kHalf, kHalf, data, width, true);
}

void TurnUpright(PaddlePredictor* classifier, Image* line) {
  SetLine(classifier, *line, kClassifierWidth);
  classifier->Run();
  const auto scores = classifier->GetOutput(0);
  if (scores->mutable_data<float>()[1] <= kCertainlyUpsideDown) return;
  Image turned(line->width, line->height);
  for (int y = 0; y < line->height; ++y)
    for (int x = 0; x < line->width; ++x)
      std::copy_n(line->At(x, y), 3, turned.At(line->width - 1 - x, line->height - 1 - y));
  *line = turned;
}

struct Reading {
  std::string text;
  float confidence;
};

// Greedy CTC decoding: the best class of each step, repeated ones and blanks (0) left out.
Reading Decode(const Tensor& output, const std::vector<std::string>& characters) {
  const shape_t shape = output.shape();
  const auto steps = static_cast<size_t>(shape[1]), classes = static_cast<size_t>(shape[2]);
  if (classes != characters.size())
    throw std::runtime_error("KEYS.txt has " + std::to_string(characters.size() - 2) +
                             " characters, the recogniser knows " + std::to_string(classes - 2));
  Reading reading = {"", 0};
  size_t last = 0;
  int count = 0;
  for (size_t step = 0; step < steps; ++step) {
    const float* row = output.data<float>() + step * classes;
    const auto best = static_cast<size_t>(std::max_element(row, row + classes) - row);
    if (best != 0 && best != last) {
      reading.text += characters[best];
      reading.confidence += row[best];
      ++count;
    }
    last = best;
  }
  if (count > 0) reading.confidence /= static_cast<float>(count);
  return reading;
}

Reading Read(PaddlePredictor* recogniser, const Image& line,
             const std::vector<std::string>& characters) {
  const float steps = std::ceil(static_cast<float>(kLineHeight * line.width) /
                                static_cast<float>(line.height) / 32);
  SetLine(recogniser, line, std::min(std::max(static_cast<int>(steps) * 32, kNarrowest), kWidest));
  recogniser->Run();
  return Decode(*recogniser->GetOutput(0), characters);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || argc > 7) {
    std::fprintf(stderr, "usage: ocr DET.nb CLS.nb REC.nb KEYS.txt PICTURE.ppm [OUT.ppm]\n");
    return 2;
  }
  try {
    const auto detector = Load(argv[1]), classifier = Load(argv[2]), recogniser = Load(argv[3]);
    std::vector<std::string> characters = ReadLines(argv[4]);
    characters.insert(characters.begin(), "");  // the blank
    characters.push_back(" ");
    Image image = ReadPpm(argv[5]);
    const std::vector<TextBox> boxes = FindLines(detector.get(), image);
    for (const TextBox& box : boxes) {
      Image line = CutOut(image, box);
      TurnUpright(classifier.get(), &line);
      const Reading reading = Read(recogniser.get(), line, characters);
      if (reading.confidence >= kLeastConfidence)
        std::printf("%.3f %s\n", reading.confidence, reading.text.c_str());
    }
    for (const TextBox& box : boxes)
      DrawBox(&image, std::min(box[0].x, box[3].x), std::min(box[0].y, box[1].y),
              std::max(box[1].x, box[2].x), std::max(box[2].y, box[3].y));
    if (argc > 6) WritePpm(image, argv[6]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ocr: %s\n", error.what());
    return 1;
  }
  return 0;
}
