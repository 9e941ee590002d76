// Runs models in the ways that test_with_wine.py names, a line of standard input each:
// WAY<tab>PATH. Paths are UTF-8, which a program's arguments on Windows are not.
#include <paddle_api.h>

#include <cstdio>
#include <thread>

using namespace paddle::lite_api;
using Predictor = std::shared_ptr<PaddlePredictor>;

static Predictor Load(const std::string& path, int threads) {
  MobileConfig config;
  config.set_model_from_file(path);
  config.set_threads(threads);
  return CreatePaddlePredictor<MobileConfig>(config);
}

static std::vector<float> Classify(PaddlePredictor* predictor, int side) {
  auto input = predictor->GetInput(0);
  input->Resize({1, 3, side, side});
  float* pixels = input->mutable_data<float>();
  for (int i = 0; i < 3 * side * side; ++i) pixels[i] = static_cast<float>(i % 5) / 5 - 0.4f;
  predictor->Run();
  auto output = predictor->GetOutput(0);
  int64_t count = 1;
  for (int64_t dim : output->shape()) count *= dim;
  return {output->data<float>(), output->data<float>() + count};
}

static void Print(const std::vector<float>& numbers) {
  for (float number : numbers) {
    unsigned bits;
    std::memcpy(&bits, &number, sizeof bits);
    std::printf(" %08x", bits);
  }
}

static std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

static void Run(const std::string& way, const std::string& path) {
  if (way == "numbers" || way == "two threads") {
    const Predictor predictor = Load(path, way == "numbers" ? 1 : 2);
    for (int side : {24, 40, 24}) Print(Classify(predictor.get(), side));
  } else if (way == "damaged") {
    const std::string bytes = BytesOf(path);
    int refused = 0;
    for (size_t at = 0; at < bytes.size(); at += 41) {
      std::string damaged = at % 2 ? bytes.substr(0, at) : bytes;
      if (at < damaged.size()) damaged[at] ^= 0x55;
      try {
        MobileConfig config;
        config.set_model_from_buffer(damaged);
        Classify(CreatePaddlePredictor<MobileConfig>(config).get(), 24);
      } catch (const std::exception&) {
        ++refused;
      }
    }
    std::printf(" %s", refused > 10 ? "refused" : "taken");
  } else if (way == "loop") {
    for (int i = 0; i < 10000; ++i) Classify(Load(path, 1).get(), 8);
    std::printf(" done");
  } else if (way == "clones") {
    const Predictor first = Load(path, 2);
    const std::vector<float> expected = Classify(first.get(), 24);
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (int& count : wrong) {
      const Predictor clone = first->Clone();
      threads.emplace_back([clone, &count, &expected] {
        for (int i = 0; i < 100; ++i) count += Classify(clone.get(), 24) != expected;
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::printf(" %d", wrong[0] + wrong[1] + wrong[2] + wrong[3]);
  }
}

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const size_t tab = line.find('\t');
    std::printf("%s:", line.substr(0, tab).c_str());
    try {
      Run(line.substr(0, tab), line.substr(tab + 1));
    } catch (const std::exception& error) {
      std::printf(" %s", error.what());
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}
