#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "lite/core/base/thread_pool.h"

namespace paddle::lite::math::test {
namespace {

void CountChunks(int threads, int64_t chunks) {
  std::vector<std::atomic<int>> seen(chunks);
  ParallelFor(threads, chunks, [&](int64_t chunk) { seen[chunk].fetch_add(1); });
  bool once = true;
  for (auto& count : seen) once = once && count == 1;
  Check(once, "every chunk runs once");
}

MATH_TEST(ThreadsEveryChunkOnce) {
  for (int threads : {-1, 0, 1, 2, 3, 8}) {
    for (int64_t chunks : {0, 1, 2, 3, 17, 1000}) CountChunks(threads, chunks);
  }
  for (int i = 0; i < 2000; ++i) CountChunks(3, Pick(0, 9));
  ParallelFor(4, -5, [](int64_t) { Check(false, "no chunk for a negative count"); });
}

MATH_TEST(ThreadsManyCallers) {
  std::vector<std::thread> callers;
  std::atomic<int64_t> total{0};
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&total] {
      for (int i = 0; i < 500; ++i) {
        std::atomic<int64_t> sum{0};
        ParallelFor(3, 20, [&](int64_t chunk) { sum += chunk; });
        total += sum;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  Check(total == 4 * 500 * 190, "several callers at once");
}

MATH_TEST(ThreadsNested) {
  std::atomic<int64_t> sum{0};
  ParallelFor(2, 8, [&](int64_t) {
    const auto outer = std::this_thread::get_id();
    ParallelFor(2, 8, [&](int64_t inner) {
      sum += inner;
      if (std::this_thread::get_id() != outer) sum += 1000000;
    });
  });
  Check(sum == 8 * 28, "nested calls run on the chunk's thread");
}

MATH_TEST(ThreadsException) {
  for (int threads : {1, 3}) {
    bool caught = false;
    try {
      ParallelFor(threads, 100, [](int64_t chunk) {
        if (chunk == 7) throw std::runtime_error("chunk 7");
      });
    } catch (const std::runtime_error& error) {
      caught = std::string(error.what()) == "chunk 7";
    }
    Check(caught, "an exception reaches the caller");
    CountChunks(threads, 50);
  }
}

MATH_TEST(ThreadsFork) {
#if defined(__SANITIZE_THREAD__)
  Check(true, "TSan knows no threads after fork");
#elif defined(__EMSCRIPTEN__)
  Check(true, "a page has one process");
#else
  CountChunks(3, 100);
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const int before = failures;
      const bool empty = ThreadPoolWorkers() == 0;
      CountChunks(3, 100);
      _exit(empty && failures == before && ThreadPoolWorkers() > 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    Check(status == 0, "the pool works after fork");
    CountChunks(3, 100);
  }
#endif
}

MATH_TEST(ThreadsScratch) {
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{100000}, size_t{50}}) {
    void* p = ThreadScratch(bytes);
    Check(p != nullptr && reinterpret_cast<uintptr_t>(p) % 64 == 0, "scratch is aligned");
    std::fill_n(static_cast<char*>(p), bytes, 'x');
  }
  Check(ThreadScratch(10) != ThreadScratch(10, kScratchKernel), "slots are different");
  void* other = nullptr;
  std::thread([&] { other = ThreadScratch(10); }).join();
  Check(other != ThreadScratch(10), "threads have their own");
  bool thrown = false;
  try {
    ThreadScratch(SIZE_MAX);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  Check(thrown, "too much scratch throws");
}

}  // namespace
}  // namespace paddle::lite::math::test
