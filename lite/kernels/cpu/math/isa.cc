#include "lite/kernels/cpu/math/isa.h"

#include <cstdlib>
#include <cstring>

#include "lite/core/base/found_once.h"
#include "lite/core/base/system.h"
#include "lite/kernels/cpu/math/tiles.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace paddle::lite::math {
namespace {

#if defined(__aarch64__)
constexpr const char* kNames[] = {"neon", "dotprod"};
#else
constexpr const char* kNames[] = {"baseline", "avx2", "avx512", "amx"};
#endif

Isa BestIsa() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  unsigned a, b, c, d;
  constexpr unsigned kF16c = 1u << 29;  // not every compiler's __builtin_cpu_supports knows it
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      __get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kF16c) == 0)
    return Isa::kBaseline;
#if defined(LITE_WITH_ISA_MODEL)
  return Isa::kAvx512;
#elif !defined(LITE_WITHOUT_AVX512)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return Isa::kAvx512;
  }
#endif
  return Isa::kAvx2;
#elif defined(__aarch64__)
  constexpr unsigned long kDotProducts = 1ul << 20;  // HWCAP_ASIMDDP
  return (system::ArmCapabilities() & kDotProducts) != 0 ? Isa::kDotprod : Isa::kNeon;
#else
  return Isa::kBaseline;
#endif
}

Isa ChooseIsa() {
  const Isa best = BestIsa();
  const char* wanted = std::getenv("LITE_ISA");
  for (int level = 0; wanted != nullptr && level <= static_cast<int>(best); ++level) {
    if (std::strcmp(wanted, kNames[level]) == 0) return static_cast<Isa>(level);
  }
#if defined(__x86_64__)
  // Asks the system for the tiles: only where they are wanted.
  if (best == Isa::kAvx512 && TilesWork()) return Isa::kAmx;
#endif
  return best;
}

bool FindByteDot() {
#if defined(__aarch64__)
  return ActiveIsa() == Isa::kDotprod;
#else
  const char* wanted = std::getenv("LITE_VNNI");
  if (wanted != nullptr && std::strcmp(wanted, "0") == 0) return false;
#if defined(LITE_WITH_ISA_MODEL)
  return ActiveIsa() >= Isa::kAvx2;
#elif defined(__x86_64__)
  // Not every compiler's __builtin_cpu_supports knows these.
  unsigned a, b, c, d;
  if (ActiveIsa() >= Isa::kAvx512)
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & (1u << 11)) != 0;
  if (ActiveIsa() == Isa::kAvx2)
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & (1u << 4)) != 0;
#endif
  return false;
#endif
}

bool FindBf16Dot() {
  const char* wanted = std::getenv("LITE_BF16_DOT");
  if (wanted != nullptr && std::strcmp(wanted, "0") == 0) return false;
#if defined(LITE_WITH_ISA_MODEL)
  return ActiveIsa() >= Isa::kAvx512;
#elif defined(__x86_64__)
  unsigned a, b, c, d;
  constexpr unsigned kGenu = 0x756e6547;  // of "GenuineIntel"
  if (ActiveIsa() < Isa::kAvx512 || __get_cpuid(0, &a, &b, &c, &d) == 0) return false;
  if (b == kGenu && ActiveIsa() < Isa::kAmx) return false;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & (1u << 5)) != 0;
#else
  return false;
#endif
}

bool FindFp16Arithmetic() {
  const char* wanted = std::getenv("LITE_FP16_ARITHMETIC");
  if (wanted != nullptr && std::strcmp(wanted, "0") == 0) return false;
#if defined(__aarch64__) && defined(__linux__)
  constexpr unsigned long kFp16 = 1ul << 10;  // HWCAP_ASIMDHP
  return (system::ArmCapabilities() & kFp16) != 0;
#else
  return false;
#endif
}

}  // namespace

bool HasFp16Arithmetic() { return FoundOnce<FindFp16Arithmetic>(); }

bool HasBf16Dot() { return FoundOnce<FindBf16Dot>(); }

bool HasByteDot() { return FoundOnce<FindByteDot>(); }

Isa ActiveIsa() { return FoundOnce<ChooseIsa>(); }

const char* IsaName() { return kNames[static_cast<int>(ActiveIsa())]; }

}  // namespace paddle::lite::math
