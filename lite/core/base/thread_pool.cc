#include "lite/core/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "lite/core/base/core_binding.h"
#include "lite/core/base/system.h"

namespace paddle::lite {
namespace {

constexpr int kMaxWorkers = 255;
constexpr auto kSpin = std::chrono::microseconds(50);

inline void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Polls `done` for the spin time; true when it became true.
template <typename Predicate>
bool SpinUntil(Predicate done) {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      Pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return done();
}

// Where a worker may run: on the cores that its job's caller is bound to, if it is, but not on the
// caller's own. In a virtual machine idle cores look taken by others, and the system would wake a
// worker on its waker's core, behind the waker.
class WorkerCores {
 public:
  // A worker that a bound thread starts could otherwise run where that one may only, for ever.
  explicit WorkerCores(const CoreSet& started_from) {
    if (started_from.any()) system::SetThreadCores(started_from);
  }

  void Place(int caller, const CoreBinding* binding) {
    const CoreSet bound = binding == nullptr ? CoreSet() : binding->cores();
    if (caller < 0 || static_cast<size_t>(caller) >= bound.size()) return;
    if (caller == left_ && bound == bound_) return;
    left_ = caller;
    bound_ = bound;
    const CoreSet now = system::ThreadCores();
    if (now.none()) return;
    // A set that is not the last one of ours is the application's wish.
    if (now != chosen_) allowed_ = now;
    chosen_ = (allowed_ & bound).any() ? allowed_ & bound : allowed_;
    if (chosen_.count() > 1) chosen_[caller] = false;
    if (now != chosen_) system::SetThreadCores(chosen_);
  }

 private:
  int left_ = -1;
  CoreSet bound_, allowed_, chosen_;
};

thread_local bool inside_chunk = false;

// One ParallelFor; lives on its caller's stack. A thread begins with the same part of the chunks in
// every job, since what it wrote in the last one is in its own cache, and then helps the others.
struct Job {
  Job(FunctionRef<void(int64_t)> body, int64_t chunks, int helpers)
      : body(body), chunks(chunks), parts(helpers + 1), places(helpers), left(chunks) {}

  void Work(int thread) noexcept {
    inside_chunk = true;
    for (int i = 0; i < parts; ++i) WorkOnPart((thread + i) % parts);
    inside_chunk = false;
  }

  void WorkOnPart(int part) noexcept {
    const int64_t begin = chunks * part / parts, end = chunks * (part + 1) / parts;
    for (;;) {
      const int64_t chunk = begin + taken[part].fetch_add(1, std::memory_order_relaxed);
      if (chunk >= end || failed.load(std::memory_order_relaxed)) break;
      left.fetch_sub(1, std::memory_order_relaxed);
      try {
        body(chunk);
      } catch (...) {
        if (!failed.exchange(true)) error = std::current_exception();
        left.store(0, std::memory_order_relaxed);
      }
    }
  }

  FunctionRef<void(int64_t)> body;
  const int64_t chunks;
  const int parts;
  const int core = system::CurrentCore();  // of the caller
  const CoreBinding* const binding = CoreBinding::Current();
  int places;                 // workers that may still join; guarded by the pool's mutex
  Job* following = nullptr;   // guarded by the pool's mutex
  std::atomic<int64_t> left;  // chunks that nobody has begun; at most 0 when there are none
  std::atomic<int64_t> taken[kMaxWorkers + 1] = {};
  std::atomic<int> active{0};  // workers inside Work()
  std::atomic<bool> failed{false};
  std::exception_ptr error;  // written by the chunk that set `failed`, read after all have left
};

class Pool {
 public:
  void Run(Job* job, int helpers) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      StartWorkers(helpers);
      job->following = jobs_;
      jobs_ = job;
      posted_.fetch_add(1, std::memory_order_release);
      if (sleeping_ > 0) work_.notify_all();
    }
    job->Work(0);
    {
      std::lock_guard<std::mutex> lock(mutex_);
      Job** link = &jobs_;
      while (*link != job) link = &(*link)->following;
      *link = job->following;
    }
    const auto left = [job] { return job->active.load(std::memory_order_acquire) == 0; };
    if (SpinUntil(left)) return;
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, left);
  }

  int workers() {
    std::lock_guard<std::mutex> lock(mutex_);
    return workers_;
  }

  void Lock() { mutex_.lock(); }
  void Unlock() { mutex_.unlock(); }

 private:
  // Signals stay with the application's threads. No worker at all is not an error.
  void StartWorkers(int wanted) {
    if (workers_ >= wanted) return;
    const CoreBinding* binding = CoreBinding::Current();
    const CoreSet cores = binding == nullptr ? CoreSet() : binding->before();
    system::WithoutSignals([&] {
      try {
        for (; workers_ < wanted; ++workers_)
          std::thread([this, cores, number = workers_ + 1] { Loop(number, cores); }).detach();
      } catch (const std::system_error&) {
      }
    });
  }

  Job* TakeJob() {
    for (Job* job = jobs_; job != nullptr; job = job->following) {
      if (job->places > 0 && job->left.load(std::memory_order_relaxed) > 0) {
        --job->places;
        job->active.fetch_add(1, std::memory_order_relaxed);
        return job;
      }
    }
    return nullptr;
  }

  [[noreturn]] void Loop(int number, const CoreSet& started_from) {
    WorkerCores cores(started_from);
    for (;;) {
      uint64_t seen;
      Job* job;
      {
        std::lock_guard<std::mutex> lock(mutex_);
        seen = posted_.load(std::memory_order_relaxed);
        job = TakeJob();
      }
      if (job != nullptr) {
        cores.Place(job->core, job->binding);
        job->Work(number);
        // The job may be gone after this: only the pool is touched.
        if (job->active.fetch_sub(1, std::memory_order_acq_rel) == 1) {
          std::lock_guard<std::mutex> lock(mutex_);
          done_.notify_all();
        }
        continue;
      }
      const auto posted = [this, seen] { return posted_.load(std::memory_order_acquire) != seen; };
      if (SpinUntil(posted)) continue;
      std::unique_lock<std::mutex> lock(mutex_);
      ++sleeping_;
      work_.wait(lock, posted);
      --sleeping_;
    }
  }

  std::mutex mutex_;
  std::condition_variable work_, done_;
  std::atomic<uint64_t> posted_{0};
  Job* jobs_ = nullptr;
  int workers_ = 0;
  int sleeping_ = 0;
};

// Never destroyed: detached workers may outlive static destructors.
alignas(Pool) unsigned char pool_storage[sizeof(Pool)];

Pool* ThePool() { return std::launder(reinterpret_cast<Pool*>(pool_storage)); }

void BeforeFork() { ThePool()->Lock(); }
void AfterForkInParent() { ThePool()->Unlock(); }
// The child has no workers, and the old locks may be in any state.
void AfterForkInChild() { new (pool_storage) Pool; }

// Made when the library is loaded, for a child must not find it half made. Workers come later.
[[maybe_unused]] const bool g_pool_made = [] {
  new (pool_storage) Pool;
  system::AtFork(BeforeFork, AfterForkInParent, AfterForkInChild);
  return true;
}();

struct Scratch {
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { system::FreeAligned(data); }

  void* data = nullptr;
  size_t size = 0;
};

thread_local Scratch scratch[kScratchSlots];

}  // namespace

void ParallelFor(int threads, int64_t chunks, FunctionRef<void(int64_t)> body) {
  if (chunks <= 0) return;
  const int64_t useful = std::min<int64_t>({threads, chunks, kMaxWorkers + 1});
  if (useful <= 1 || inside_chunk) {
    for (int64_t chunk = 0; chunk < chunks; ++chunk) body(chunk);
    return;
  }
  const int helpers = static_cast<int>(useful) - 1;
  Job job(body, chunks, helpers);
  ThePool()->Run(&job, helpers);
  if (job.failed) std::rethrow_exception(job.error);
}

void* ThreadScratch(size_t bytes, ScratchSlot slot) {
  Scratch& own = scratch[slot];
  if (bytes > own.size || own.data == nullptr) {
    constexpr size_t kPage = 4096;
    if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
    const size_t size = (std::max<size_t>(bytes, 1) + kPage - 1) / kPage * kPage;
    system::FreeAligned(own.data);
    own.size = 0;
    own.data = system::AllocateAligned(64, size);
    if (own.data == nullptr) throw std::bad_alloc();
    own.size = size;
  }
  return own.data;
}

int ThreadPoolWorkers() { return ThePool()->workers(); }

}  // namespace paddle::lite
