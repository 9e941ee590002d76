// Four threads build, compile and run at once: models, contexts, compilations and executions of
// their own, and shared ones.
#include <atomic>
#include <thread>

#include "tests/cpp/check.h"
#include "tests/cpp/nnadapter_probe.h"

namespace paddle::lite::testing {
namespace {

constexpr int kThreads = 4, kRounds = 25;
// MUL and ADD on the first probe, RELU on the second.
constexpr const char kSplit[] = "PROBE_TAKES=52,3";

template <typename Body>
void InThreads(const Body& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

bool CompileAndRun(NNAdapterModel* model, NNAdapterContext* context, float value) {
  NNAdapterCompilation* compilation = nullptr;
  bool right = false;
  if (NNAdapterCompilation_create(model, nullptr, nullptr, 0, nullptr, context, &compilation) ||
      NNAdapterCompilation_finish(compilation) || RunDiamond(compilation, value, &right)) {
    right = false;
  }
  NNAdapterCompilation_destroy(compilation);
  return right;
}

void TestObjectsOfTheirOwn() {
  std::atomic<int> right{0};
  InThreads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      NNAdapterModel* model = MakeDiamond();
      NNAdapterContext* context = MakeContext(kSplit);
      right += CompileAndRun(model, context, static_cast<float>(thread * round - 20));
      NNAdapterContext_destroy(context);
      NNAdapterModel_destroy(model);
    }
  });
  CHECK(right == kThreads * kRounds);
}

void TestASharedModelAndContext() {
  NNAdapterModel* model = MakeDiamond();
  NNAdapterContext* contexts[] = {MakeContext(kSplit), MakeContext("", 1)};
  std::atomic<int> right{0};
  InThreads([&](int thread) {
    for (int round = 0; round < kRounds; ++round)
      right += CompileAndRun(model, contexts[thread % 2], static_cast<float>(round));
  });
  CHECK(right == kThreads * kRounds);
  for (NNAdapterContext* context : contexts) NNAdapterContext_destroy(context);
  NNAdapterModel_destroy(model);
}

void TestASharedCompilation() {
  NNAdapterModel* model = MakeDiamond();
  NNAdapterContext* context = MakeContext(kSplit);
  NNAdapterCompilation* compilation = nullptr;
  NNAdapterCompilation_create(model, nullptr, nullptr, 0, nullptr, context, &compilation);
  std::atomic<int> finished{0}, right{0};
  InThreads([&](int) { finished += NNAdapterCompilation_finish(compilation) == 0; });
  CHECK(finished == 1);
  InThreads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      bool good = false;
      RunDiamond(compilation, static_cast<float>(round - thread), &good);
      right += good;
    }
  });
  CHECK(right == kThreads * kRounds);
  NNAdapterCompilation_destroy(compilation);
  NNAdapterContext_destroy(context);
  NNAdapterModel_destroy(model);
}

// One thread destroys what the others use: each call works or says that the object is gone.
void TestDestroyedWhileInUse() {
  for (int round = 0; round < kRounds; ++round) {
    NNAdapterModel* model = MakeDiamond();
    NNAdapterContext* context = MakeContext(kSplit);
    std::atomic<int> wrong{0};
    InThreads([&](int thread) {
      if (thread == 0) {
        NNAdapterModel_destroy(model);
        NNAdapterContext_destroy(context);
        return;
      }
      NNAdapterCompilation* compilation = nullptr;
      const int code =
          NNAdapterCompilation_create(model, nullptr, nullptr, 0, nullptr, context, &compilation);
      if (code == NNADAPTER_INVALID_PARAMETER) return;
      bool right = false;
      if (code || NNAdapterCompilation_finish(compilation) || RunDiamond(compilation, 1, &right))
        ++wrong;
      if (!right) ++wrong;
      NNAdapterCompilation_destroy(compilation);
    });
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace paddle::lite::testing

int main() {
  using namespace paddle::lite::testing;
  RegisterProbes();
  TestObjectsOfTheirOwn();
  TestASharedModelAndContext();
  TestASharedCompilation();
  TestDestroyedWhileInUse();
  return g_failures == 0 ? 0 : 1;
}
