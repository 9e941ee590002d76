// NNAdapter under clients, drivers and files that mean harm: every call of the C API must come back
// with a code and a text; no crash, no hang, no leak.
//
//   fuzz_devices [--seed N] [--count N] [--first NUMBER] [--only NUMBER] [--kind KIND]
//
// KIND: api (calls in a random order), hal (hostile drivers), cache (damaged .nnc files),
// properties, predictor (a subgraph on hostile drivers); without it all in turn. Without --seed
// every run takes another one, and prints it. Exits with 1 on a violation.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

#include "lite/core/memory.h"
#include "tests/cpp/device_bench.h"
#include "tests/cpp/device_cases.h"
#include "tests/cpp/watch.h"

#ifdef __SANITIZE_ADDRESS__
extern "C" int __lsan_do_recoverable_leak_check(void);
#endif

namespace paddle::lite::testing {
namespace {

constexpr size_t kMemoryLimit = size_t{64} << 20;
const char* const kKinds[] = {"cache", "api", "cache",     "hal",
                              "api",   "hal", "predictor", "properties"};

struct Options {
  uint64_t seed = std::random_device{}() | uint64_t{std::random_device{}()} << 32;
  uint64_t first = 0, count = 10000;
  int64_t only = -1;
  std::string kind;
};

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--seed")
      options.seed = number;
    else if (name == "--count")
      options.count = number;
    else if (name == "--first")
      options.first = number;
    else if (name == "--only")
      options.only = static_cast<int64_t>(number);
    else if (name == "--kind")
      options.kind = argv[i + 1];
    else
      std::exit((std::fprintf(stderr, "no option %s\n", argv[i]), 2));
  }
  return options;
}

// Bytes that nothing refers to any more, where the sanitizer looks for them.
bool Leaks() {
#ifdef __SANITIZE_ADDRESS__
  return __lsan_do_recoverable_leak_check() != 0;
#else
  return false;
#endif
}

int RunAll(const Options& options) {
  const uint64_t begin = options.only < 0 ? options.first : static_cast<uint64_t>(options.only);
  const uint64_t end = options.only < 0 ? begin + options.count : begin + 1;
  // A search for leaks takes as long as dozens of cases.
  const uint64_t look = options.count >= 1000 ? 500 : 50;
  std::map<std::string, std::pair<uint64_t, uint64_t>> totals;  // cases, executions
  uint64_t violations = 0;
  CacheCases caches;
  for (uint64_t number = begin; number < end; ++number) {
    // Every case depends on the seed and its number alone.
    Random random(options.seed * 0x2545f4914f6cdd1du + number);
    const std::string kind =
        options.kind.empty() ? kKinds[number % std::size(kKinds)] : options.kind;
    BeginInput(options.seed, number, kind.c_str());
    int computed = 0;
    try {
      if (kind == "api")
        computed = ApiCase(&random);
      else if (kind == "hal")
        computed = HalCase(&random);
      else if (kind == "cache")
        computed = caches.Run(&random);
      else if (kind == "properties")
        computed = PropertiesCase(&random);
      else
        computed = PredictorCase(&random);
    } catch (const std::exception& error) {
      ++violations;
      std::fprintf(stderr,
                   "violation at case %" PRIu64 " (%s): %s; again: --seed %" PRIu64
                   " --only %" PRIu64 "\n",
                   number, kind.c_str(), error.what(), options.seed, number);
    }
    EndInput();
    ++totals[kind].first;
    totals[kind].second += static_cast<uint64_t>(computed);
    if (((number + 1) % look == 0 || number + 1 == end) && Leaks()) {
      ++violations;
      std::fprintf(stderr,
                   "leak at case %" PRIu64 " or before: --seed %" PRIu64 " --first %" PRIu64
                   " --count %" PRIu64 "\n",
                   number, options.seed, number + 1 - std::min(look, number + 1), look);
      break;  // what is lost would be found again every time
    }
  }
  for (const auto& [kind, total] : totals)
    std::printf("%-10s %7" PRIu64 " cases, %7" PRIu64 " executions succeeded\n", kind.c_str(),
                total.first, total.second);
  std::printf("%" PRIu64 " violations\n", violations);
  return violations == 0 ? 0 : 1;
}

}  // namespace
}  // namespace paddle::lite::testing

int main(int argc, char** argv) {
  using namespace paddle::lite::testing;
  const Options options = ParseOptions(argc, argv);
  std::printf("seed %" PRIu64 ", %" PRIu64 " cases\n", options.seed, options.count);
  std::fflush(stdout);
  WatchProcess();
  paddle::lite::SetMemoryLimit(kMemoryLimit);
  const auto begin = std::chrono::steady_clock::now();
  const int result = RunAll(options);
  std::printf("%.1f s\n",
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return result;
}
