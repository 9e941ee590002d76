// Outputs read as other types than theirs: other_types MODEL NUMBERS... of models.integers().
#include <paddle_api.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace paddle::lite_api;

namespace {

template <typename T>
void Print(const char* name, const T* data, size_t count) {
  std::printf("%s:", name);
  for (size_t i = 0; i < count; ++i) std::printf(" %.9g", static_cast<double>(data[i]));
  std::printf("\n");
}

template <typename Read>
void PrintError(const Read& read) {
  try {
    read();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  MobileConfig config;
  config.set_model_from_file(argv[1]);
  auto predictor = CreatePaddlePredictor(config);
  const size_t count = static_cast<size_t>(argc) - 2;
  auto input = predictor->GetInput(0);
  input->Resize({argc - 2});
  for (size_t i = 0; i < count; ++i)
    input->mutable_data<float>()[i] = static_cast<float>(std::atof(argv[i + 2]));
  predictor->Run();

  auto longs = predictor->GetOutput(0);
  Print("long read as int", longs->data<int32_t>(), 2 * count);
  std::vector<int32_t> copied(count);
  longs->CopyToCpu(copied.data());
  Print("long copied to int", copied.data(), count);
  auto ints = predictor->GetOutput(1);
  Print("int read as float", ints->data<float>(), count);
  (void)ints->mutable_data<float>();
  Print("int after that", ints->data<int32_t>(), count);
  auto bytes = predictor->GetOutput(2);
  PrintError([&] { (void)bytes->data<float>(); });
  PrintError([&] { (void)bytes->mutable_data<float>(); });
  return 0;
}
