#pragma once

// Sources in isa/ are compiled once per instruction set, with LITE_ISA naming the namespace that
// their functions live in. They export tables of plain function pointers:
//
//   header:          LITE_ISA_DECLARE(GemmTable, kGemmTable)
//   isa/gemm.cc:     namespace LITE_ISA { extern const GemmTable kGemmTable = {...}; }
//   common code:     LITE_ISA_PICK(kGemmTable).run_block(...)
//
// AMX has the objects of AVX-512 and tiles.h beside them.
// A build with LITE_WITHOUT_AVX512 (sanitizers) has no AVX-512 objects; with LITE_WITH_ISA_MODEL
// they are made of AVX2, for tests on CPUs without (.ci/isa_model).
// No standard-library template may be used in isa/: the linker could merge an AVX-512 copy of an
// inline function into common code.

namespace paddle::lite::math {

#if defined(__aarch64__)
// The same objects: what the instruction sets after the first add is asked for where it is used.
enum class Isa { kNeon, kDotprod };
#else
enum class Isa { kBaseline, kAvx2, kAvx512, kAmx };
#endif

// The instruction set in use: the best that the CPU and the system support, or the one that the
// environment variable LITE_ISA names (baseline, avx2, avx512, amx; on 64-bit Arm neon, dotprod)
// when that is available. Fixed at the first call.
Isa ActiveIsa();

// Whether the CPU has the dot products of bytes that belong to ActiveIsa(): VNNI, which the
// environment variable LITE_VNNI=0 hides, or Arm's. Fixed at the first call.
bool HasByteDot();

// Whether ActiveIsa() has products of bf16 that are faster than fp32's: AMX's, and dot products but
// for those of Intel's cores, which take twice as long. The environment variable LITE_BF16_DOT=0
// hides them. Fixed at the first call.
bool HasBf16Dot();

// Whether the CPU multiplies and adds eight fp16 at a time (Arm's FEAT_FP16). The environment
// variable LITE_FP16_ARITHMETIC=0 hides it. Fixed at the first call.
bool HasFp16Arithmetic();

// Name of ActiveIsa(), which tells whether LITE_ISA was followed.
const char* IsaName();

}  // namespace paddle::lite::math

#if defined(__x86_64__)
#define LITE_ISA_DECLARE(Type, name) \
  namespace baseline {               \
  extern const Type name;            \
  }                                  \
  namespace avx2 {                   \
  extern const Type name;            \
  }                                  \
  namespace avx512 {                 \
  extern const Type name;            \
  }
#if defined(LITE_WITHOUT_AVX512)
#define LITE_ISA_PICK(name)                                                           \
  (::paddle::lite::math::ActiveIsa() == ::paddle::lite::math::Isa::kAvx2 ? avx2::name \
                                                                         : baseline::name)
#else
#define LITE_ISA_PICK(name)                                                               \
  (::paddle::lite::math::ActiveIsa() >= ::paddle::lite::math::Isa::kAvx512 ? avx512::name \
   : ::paddle::lite::math::ActiveIsa() == ::paddle::lite::math::Isa::kAvx2 ? avx2::name   \
                                                                           : baseline::name)
#endif
#elif defined(__aarch64__)
#define LITE_ISA_DECLARE(Type, name) \
  namespace neon {                   \
  extern const Type name;            \
  }
#define LITE_ISA_PICK(name) (neon::name)
#else
#define LITE_ISA_DECLARE(Type, name) \
  namespace baseline {               \
  extern const Type name;            \
  }
#define LITE_ISA_PICK(name) (baseline::name)
#endif
