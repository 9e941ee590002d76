#include "tests/cpp/watch.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LITE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LITE_SANITIZED 1
#endif
#endif

namespace paddle::lite::testing {
namespace {

// On a busy machine a second of the clock is no second of work.
constexpr long kHangCpuSeconds = 10, kHangSeconds = 100;

std::atomic<size_t> g_allocated{0}, g_largest_new{0};
uint64_t g_seed = 0, g_number = 0;
const char* g_base = "no input";

// Only what a signal handler may call.
void PrintInput(const char* what) {
  char text[256];
  const int size = std::snprintf(text, sizeof text,
                                 "\n%s at mutant %" PRIu64 " of seed %" PRIu64
                                 " (base %s); again: --seed %" PRIu64 " --only %" PRIu64 "\n",
                                 what, g_number, g_seed, g_base, g_seed, g_number);
  if (size > 0 && write(STDERR_FILENO, text, static_cast<size_t>(size)) < 0) _exit(3);
}

void OnSignal(int number) {
  PrintInput(number == SIGALRM || number == SIGPROF ? "hang" : "crash");
  _exit(2);
}

void SetTimers(long cpu_seconds, long seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = cpu_seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

#ifdef LITE_SANITIZED
extern "C" void __sanitizer_set_death_callback(void (*callback)());
void OnDeath() { PrintInput("sanitizer report"); }
#endif

}  // namespace

#ifdef LITE_SANITIZED
const bool kCountsAllocations = false;
#else
const bool kCountsAllocations = true;
#endif

Allocations TakeAllocations() { return {g_allocated.exchange(0), g_largest_new.exchange(0)}; }

void WatchProcess() {
  signal(SIGALRM, OnSignal);
  signal(SIGPROF, OnSignal);
#ifdef LITE_SANITIZED
  __sanitizer_set_death_callback(OnDeath);
#else
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(number, OnSignal);
#endif
}

void BeginInput(uint64_t seed, uint64_t number, const char* base) {
  g_seed = seed;
  g_number = number;
  g_base = base;
  SetTimers(kHangCpuSeconds, kHangSeconds);
}

void EndInput() { SetTimers(0, 0); }

namespace {
#ifndef LITE_SANITIZED
void* Count(size_t bytes, void* memory) {
  g_allocated.fetch_add(bytes, std::memory_order_relaxed);
  return memory;
}
void* CountNew(size_t bytes) {
  // Before: a request that cannot be met counts as well.
  size_t largest = g_largest_new.load(std::memory_order_relaxed);
  while (bytes > largest && !g_largest_new.compare_exchange_weak(largest, bytes)) {
  }
  return Count(bytes, std::malloc(bytes ? bytes : 1));
}
#endif
}  // namespace

}  // namespace paddle::lite::testing

#ifdef LITE_SANITIZED
// A request that is too large is an exception, as without a sanitizer.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#else
void* operator new(size_t bytes) {
  void* memory = paddle::lite::testing::CountNew(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

extern "C" void* aligned_alloc(size_t alignment, size_t bytes) {
  using Function = void* (*)(size_t, size_t);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "aligned_alloc"));
  return paddle::lite::testing::Count(bytes, next(alignment, bytes));
}
#endif
