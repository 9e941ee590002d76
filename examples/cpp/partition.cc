// A Paddle model on a device, some of its operators kept on the CPU:
//   partition MODEL_DIR DEVICE CONFIG.txt OUT DIM...
//
// The full API. Optimises the model for the device and the partition config, writes OUT.nb, loads
// that with the light API, runs both on a ramp of the shape DIM... and prints what came out and how
// much they differ; OUT.json says what runs where and why.
#include <paddle_api.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

using namespace paddle::lite_api;

namespace {

void SetDevice(ConfigBase* config, const std::string& device) {
  if (!config->check_nnadapter_device_name(device))
    std::fprintf(stderr, "partition: no library for %s was found here\n", device.c_str());
  config->set_nnadapter_device_names({device});
}

std::shared_ptr<PaddlePredictor> LoadFull(const std::string& folder, const std::string& device,
                                          const std::string& partition_config) {
  CxxConfig config;
  config.set_model_dir(folder);
  config.set_valid_places({Place{TARGET(kNNAdapter), PRECISION(kFloat)},
                           Place{TARGET(kARM), PRECISION(kFloat)}, Place{TARGET(kX86)}});
  config.set_nnadapter_subgraph_partition_config_path(partition_config);
  SetDevice(&config, device);
  return CreatePaddlePredictor<CxxConfig>(config);
}

std::shared_ptr<PaddlePredictor> LoadLight(const std::string& path, const std::string& device) {
  MobileConfig config;
  config.set_model_from_file(path);
  SetDevice(&config, device);
  return CreatePaddlePredictor<MobileConfig>(config);
}

std::vector<float> Run(PaddlePredictor* predictor, const shape_t& shape) {
  auto input = predictor->GetInput(0);
  input->Resize(shape);
  float* data = input->mutable_data<float>();
  int64_t count = 1;
  for (const int64_t dim : shape) count *= dim;
  for (int64_t i = 0; i < count; ++i) data[i] = static_cast<float>(i % 256) / 255.0f;
  predictor->Run();
  const auto output = predictor->GetOutput(0);
  count = 1;
  for (const int64_t dim : output->shape()) count *= dim;
  return std::vector<float>(output->data<float>(), output->data<float>() + count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: partition MODEL_DIR DEVICE CONFIG.txt OUT DIM...\n");
    return 2;
  }
  try {
    const std::string device = argv[2], out = argv[4];
    shape_t shape;
    for (int i = 5; i < argc; ++i) shape.push_back(std::atoll(argv[i]));
    const auto full = LoadFull(argv[1], device, argv[3]);
    const std::vector<float> optimised = Run(full.get(), shape);
    std::ofstream(out + ".json") << full->PlacementJson();
    full->SaveOptimizedModel(out, LiteModelType::kNaiveBuffer);
    const std::vector<float> saved = Run(LoadLight(out + ".nb", device).get(), shape);
    float difference = 0;
    for (size_t i = 0; i < optimised.size(); ++i) {
      std::printf("%.6g\n", optimised[i]);
      difference = std::max(difference, std::fabs(optimised[i] - saved[i]));
    }
    std::printf("largest difference %g\n", difference);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "partition: %s\n", error.what());
    return 1;
  }
  return 0;
}
