// run_many MODEL.nb RUNS DIM...: so many runs of one input, in one thread.
#include <cstdlib>
#include <string>

#include "paddle_api.h"

int main(int argc, char** argv) {
  using namespace paddle::lite_api;
  MobileConfig config;
  config.set_model_from_file(argv[1]);
  config.set_threads(1);
  const auto predictor = CreatePaddlePredictor<MobileConfig>(config);
  shape_t shape;
  int64_t count = 1;
  for (int i = 3; i < argc; ++i) {
    shape.push_back(std::atoll(argv[i]));
    count *= shape.back();
  }
  const auto input = predictor->GetInput(0);
  input->Resize(shape);
  float* const data = input->mutable_data<float>();
  for (int64_t i = 0; i < count; ++i) data[i] = static_cast<float>(i % 17) / 17;
  for (int run = std::atoi(argv[2]); run > 0; --run) predictor->Run();
}
