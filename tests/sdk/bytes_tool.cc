// bytes_tool MODEL: an output of int32 and one of int64, read as types that they do not hold.
#include <paddle_api.h>

#include <cstdio>
#include <cstring>
#include <exception>

using namespace paddle::lite_api;

namespace {

void Print(const char* what, const float* data, int64_t count) {
  std::printf("%s", what);
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, data + i, sizeof(bits));
    std::printf(" %u", bits);
  }
  std::printf("\n");
}

}  // namespace

int main(int, char** argv) {
  MobileConfig config;
  config.set_model_from_file(argv[1]);
  auto predictor = CreatePaddlePredictor<MobileConfig>(config);
  auto input = predictor->GetInput(0);
  input->Resize({3});
  float* x = input->mutable_data<float>();
  for (int i = 0; i < 3; ++i) x[i] = static_cast<float>(i - 1);
  predictor->Run();
  for (int i = 0; i < 2; ++i) {
    auto output = predictor->GetOutput(i);
    const int64_t bytes = output->shape()[0] * (i == 0 ? 4 : 8);
    for (int again = 0; again < 2; ++again) Print("data", output->data<float>(), bytes / 4);
    if (output->data<float>() != output->mutable_data<float>()) return 1;
    if (output->data<uint8_t>() != output->data<void>()) return 1;
    float copied[3];
    output->CopyToCpu(copied);
    Print("copied", copied, 3);
  }
  try {
    predictor->GetOutput(0)->data<int64_t>();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  try {
    input->data<uint8_t>();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
}
