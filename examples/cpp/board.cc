// A model that lite build compiled, on its NPU:
//   board FOLDER DEVICE PROPERTIES INPUT 1,3,48,300 [x:3 1,3,48,320 1,3,48,640]
//
// DEVICE and PROPERTIES are those of FOLDER/manifest.json. INPUT is a file of floats, the model's
// only input. Behind its shape may stand an axis that is padded to the shapes that were compiled:
// those follow. Prints how long the second run took and where the model ran (PlacementJson), and
// the outputs' numbers, a line each.
#include <paddle_api.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>

using namespace paddle::lite_api;

namespace {

std::vector<int64_t> ReadShape(const char* text) {
  std::vector<int64_t> shape;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) shape.push_back(std::stoll(word));
  return shape;
}

// "x:3" and shapes of x.
void Pad(MobileConfig* config, const std::string& axis, char** shapes, int count) {
  const size_t colon = axis.rfind(':');
  if (colon == std::string::npos) throw std::runtime_error(axis + " is no NAME:AXIS");
  const std::string name = axis.substr(0, colon);
  std::vector<std::vector<int64_t>> compiled;
  for (int i = 0; i < count; ++i) compiled.push_back(ReadShape(shapes[i]));
  config->set_nnadapter_dynamic_shape_info({{name, compiled}});
  config->set_nnadapter_padded_axes({{name, {std::stoi(axis.substr(colon + 1))}}});
}

std::shared_ptr<PaddlePredictor> Load(int argc, char** argv) {
  const std::string folder = argv[1], device = argv[2], properties = argv[3];
  MobileConfig config;
  config.set_model_from_file(folder + "/model.nb");
  config.set_nnadapter_device_names({device});
  config.set_nnadapter_context_properties(properties);
  config.set_nnadapter_model_cache_dir(folder);  // where the compiled programs are
  if (argc > 6) Pad(&config, argv[6], argv + 7, argc - 7);
  return CreatePaddlePredictor<MobileConfig>(config);
}

void SetInput(PaddlePredictor* predictor, const char* path, const std::vector<int64_t>& shape) {
  auto input = predictor->GetInput(0);
  input->Resize(shape);
  float* data = input->mutable_data<float>();
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(count * 4)))
    throw std::runtime_error(std::string(path) + " does not hold that many floats");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr,
                 "usage: board FOLDER DEVICE PROPERTIES INPUT SHAPE [NAME:AXIS SHAPE...]\n");
    return 2;
  }
  try {
    const auto predictor = Load(argc, argv);
    SetInput(predictor.get(), argv[4], ReadShape(argv[5]));
    predictor->Run();
    const auto begin = std::chrono::steady_clock::now();
    predictor->Run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%.1f ms\n%s", seconds.count() * 1e3, predictor->PlacementJson().c_str());
    for (const std::string& name : predictor->GetOutputNames()) {
      const auto output = predictor->GetTensor(name);
      int64_t count = 1;
      for (int64_t size : output->shape()) count *= size;
      for (int64_t i = 0; i < count; ++i) std::printf("%.9g\n", output->data<float>()[i]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
