#include "lite/api/machine_peak.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "lite/core/base/errors.h"
#include "lite/core/base/function_ref.h"
#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/gemm.h"

namespace paddle::lite {
namespace {

constexpr double kSecondsEach = 0.03;
constexpr int64_t kSmallest = int64_t{1} << 15, kLargest = int64_t{1} << 27;
constexpr int64_t kPiece = int64_t{1} << 22;

double Seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// The seconds of many calls, at least `least`.
std::vector<double> Measured(int64_t least, FunctionRef<void(int64_t)> call) {
  std::vector<double> seconds;
  const double until = Seconds() + kSecondsEach;
  for (int64_t i = 0; i < least || Seconds() < until; ++i) {
    const double start = Seconds();
    call(i);
    seconds.push_back(std::max(Seconds() - start, 1e-9));
  }
  return seconds;
}

// Whatever disturbs only makes calls longer.
double Shortest(const std::vector<double>& seconds) {
  return *std::min_element(seconds.begin(), seconds.end());
}

double Median(std::vector<double> seconds) {
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

double Gflops(int threads) {
  const int64_t m = 384 * threads, n = 256, k = 256;
  math::AlignedFloats a(m * k), b(k * n), c(m * n);
  std::fill_n(a.data(), a.size(), 0.5f);
  std::fill_n(b.data(), b.size(), 0.25f);
  const math::PackedMatrix packed = math::PackB(k, n, b.data(), n, false, 1, m);
  const double seconds = Shortest(Measured(3, [&](int64_t) {
    math::Gemm(threads, m, n, k, a.data(), k, packed, c.data(), n, math::Epilogue{});
  }));
  return 2e-9 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) / seconds;
}

// Goes round and round through so many bytes, timing each piece: a piece is too short for other
// programs to get in between. Small ones are copied several times, so that starting threads is not
// what is measured.
double Gigabytes(int threads, int64_t bytes, char* from, char* to) {
  const int64_t pieces = std::max<int64_t>(1, bytes / kPiece);
  const int64_t part = bytes / 2 / pieces / threads;
  const int64_t times = std::max<int64_t>(1, (int64_t{1} << 20) / bytes);
  const std::vector<double> seconds = Measured(pieces + 2, [&](int64_t call) {
    const int64_t begin = call % pieces * part * threads;
    ParallelFor(threads, threads, [&](int64_t i) {
      for (int64_t t = 0; t < times; ++t) {
        std::memcpy(to + begin + i * part, from + begin + i * part, static_cast<size_t>(part));
        asm volatile("" ::"r"(to) : "memory");
      }
    });
  });
  // A cache may keep some pieces of what does not fit in it: the shortest one would be theirs.
  const double typical = pieces > 1 ? Median(seconds) : Shortest(seconds);
  return 1e-9 * static_cast<double>(2 * part * threads * times) / typical;
}

}  // namespace

MachinePeak MeasurePeak(int threads) {
  if (threads < 1 || threads > 256)
    throw ConfigError(StrCat("threads is ", threads, ", expected 1 to 256"));
  MachinePeak peak;
  peak.gflops = Gflops(threads);
  math::AlignedFloats from(kLargest / 8), to(kLargest / 8);
  std::memset(from.data(), 1, kLargest / 2);
  std::memset(to.data(), 1, kLargest / 2);
  for (int64_t bytes = kSmallest; bytes <= kLargest; bytes *= 4) {
    const int64_t whole = bytes < kLargest ? bytes * threads : bytes;
    if (bytes < kLargest && whole >= kLargest) continue;
    peak.streams.push_back({whole, Gigabytes(threads, whole, reinterpret_cast<char*>(from.data()),
                                             reinterpret_cast<char*>(to.data()))});
  }
  return peak;
}

}  // namespace paddle::lite
