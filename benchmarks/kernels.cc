// Speed of the kernels in lite/kernels/cpu/math on the layers of well-known networks.
// usage: kernels [threads] [name part]
// The least time of many runs counts, since other work on the machine only adds to it.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/math/halves.h"
#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/isa.h"
#include "lite/kernels/cpu/math/winograd.h"

namespace {

using namespace paddle::lite::math;

constexpr double kSecondsPerLayer = 0.12;

int threads = 1;

// One thread's own time does not run while others have its core.
double Now() {
  timespec time;
  clock_gettime(threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double LeastSeconds(const std::function<void()>& run) {
  const double end = Now() + kSecondsPerLayer;
  double least = 1e9;
  for (int i = 0; i < 3 || Now() < end; ++i) {
    const double start = Now();
    run();
    least = std::min(least, Now() - start);
  }
  return least;
}

// Twelve independent chains of multiply-adds; an array of them would be kept in memory.
#define PEAK_LOOP(V, LANES, CONSTRAINT, FMA)                                                       \
  const V a = V{} + 0.5f;                                                                          \
  V v0{}, v1{}, v2{}, v3{}, v4{}, v5{}, v6{}, v7{}, v8{}, v9{}, v10{}, v11{};                      \
  for (int64_t i = 0; i < rounds; ++i) {                                                           \
    v0 = FMA(v0), v1 = FMA(v1), v2 = FMA(v2), v3 = FMA(v3), v4 = FMA(v4), v5 = FMA(v5);            \
    v6 = FMA(v6), v7 = FMA(v7), v8 = FMA(v8), v9 = FMA(v9), v10 = FMA(v10), v11 = FMA(v11);        \
    asm volatile(""                                                                                \
                 : "+" CONSTRAINT(v0), "+" CONSTRAINT(v1), "+" CONSTRAINT(v2), "+" CONSTRAINT(v3), \
                   "+" CONSTRAINT(v4), "+" CONSTRAINT(v5));                                        \
    asm volatile(""                                                                                \
                 : "+" CONSTRAINT(v6), "+" CONSTRAINT(v7), "+" CONSTRAINT(v8), "+" CONSTRAINT(v9), \
                   "+" CONSTRAINT(v10), "+" CONSTRAINT(v11));                                      \
  }                                                                                                \
  return 12.0 * 2 * LANES * static_cast<double>(rounds);

#if defined(__x86_64__)
typedef float V8 __attribute__((vector_size(32)));
typedef float V16 __attribute__((vector_size(64)));
#define FMA16(v) (V16) _mm512_fmadd_ps(v, a, a)
#define FMA8(v) (V8) _mm256_fmadd_ps(v, a, a)

__attribute__((target("avx512f"))) double Flops16(int64_t rounds) { PEAK_LOOP(V16, 16, "v", FMA16) }
__attribute__((target("avx2,fma"))) double Flops8(int64_t rounds) { PEAK_LOOP(V8, 8, "x", FMA8) }
#define VECTOR_REGISTER "x"
#else
#define VECTOR_REGISTER "w"
#endif
typedef float V4 __attribute__((vector_size(16)));
#define MULTIPLY_ADD(v) (v * a + a)
double Flops4(int64_t rounds) { PEAK_LOOP(V4, 4, VECTOR_REGISTER, MULTIPLY_ADD) }

// Floating-point operations a second of one core with the instruction set in use.
double Peak() {
  double flops = 0;
  const double seconds = LeastSeconds([&] {
    constexpr int64_t kRounds = 200000;
#if defined(__x86_64__)
    if (ActiveIsa() >= Isa::kAvx512) return void(flops = Flops16(kRounds));
    if (ActiveIsa() == Isa::kAvx2) return void(flops = Flops8(kRounds));
#endif
    flops = Flops4(kRounds);
  });
  return flops / seconds;
}

// Square layers: channels in and out, input size, kernel, stride.
struct Layer {
  const char* model;
  int64_t ic, oc, size, kernel, stride;
  bool depthwise;
};

const Layer kLayers[] = {
    {"mobilenet_v1", 3, 32, 224, 3, 2, false},    {"mobilenet_v1", 32, 32, 112, 3, 1, true},
    {"mobilenet_v1", 32, 64, 112, 1, 1, false},   {"mobilenet_v1", 64, 64, 112, 3, 2, true},
    {"mobilenet_v1", 64, 128, 56, 1, 1, false},   {"mobilenet_v1", 128, 128, 56, 3, 1, true},
    {"mobilenet_v1", 128, 128, 56, 1, 1, false},  {"mobilenet_v1", 128, 256, 28, 1, 1, false},
    {"mobilenet_v1", 256, 256, 28, 3, 1, true},   {"mobilenet_v1", 256, 256, 28, 1, 1, false},
    {"mobilenet_v1", 256, 512, 14, 1, 1, false},  {"mobilenet_v1", 512, 512, 14, 3, 1, true},
    {"mobilenet_v1", 512, 512, 14, 1, 1, false},  {"mobilenet_v1", 1024, 1024, 7, 3, 1, true},
    {"mobilenet_v1", 1024, 1024, 7, 1, 1, false}, {"resnet50", 3, 64, 224, 7, 2, false},
    {"resnet50", 64, 64, 56, 1, 1, false},        {"resnet50", 64, 64, 56, 3, 1, false},
    {"resnet50", 64, 256, 56, 1, 1, false},       {"resnet50", 256, 64, 56, 1, 1, false},
    {"resnet50", 128, 128, 28, 3, 1, false},      {"resnet50", 512, 128, 28, 1, 1, false},
    {"resnet50", 512, 1024, 28, 1, 2, false},     {"resnet50", 256, 256, 14, 3, 1, false},
    {"resnet50", 1024, 256, 14, 1, 1, false},     {"resnet50", 512, 512, 7, 3, 1, false},
    {"vgg16", 128, 128, 112, 3, 1, false},        {"vgg16", 256, 256, 56, 3, 1, false},
    {"vgg16", 512, 512, 14, 3, 1, false},         {"pp_ocr", 96, 24, 40, 3, 1, false},
    {"pp_ocr", 24, 24, 80, 3, 1, false},          {"pp_ocr", 24, 24, 160, 3, 1, false},
    {"resnet50", 512, 2048, 7, 1, 1, false},      {"pp_ocr", 3, 16, 320, 3, 2, false},
    {"pp_ocr", 12, 24, 160, 1, 1, false},         {"pp_ocr", 18, 42, 80, 1, 1, false},
    {"pp_ocr", 56, 120, 80, 1, 1, false},         {"pp_ocr", 120, 56, 40, 1, 1, false},
    {"pp_ocr", 24, 24, 160, 3, 1, true},          {"pp_ocr", 42, 42, 80, 5, 1, true},
    {"pp_ocr", 120, 120, 40, 5, 2, true},         {"pp_ocr", 12, 12, 160, 3, 1, true},
    {"pp_ocr", 96, 24, 160, 3, 1, false},         {"pp_ocr", 24, 12, 80, 3, 1, false},
    {"cached", 32, 32, 28, 3, 1, true},           {"cached", 24, 24, 40, 3, 1, true},
    {"cached", 16, 16, 40, 3, 1, true},           {"cached", 12, 24, 40, 1, 1, false},
    {"vgg16", 64, 64, 224, 3, 1, false},          {"vgg16", 512, 512, 28, 3, 1, false},
    {"mobilenet_v2", 32, 16, 112, 1, 1, false},   {"mobilenet_v2", 16, 96, 112, 1, 1, false},
    {"mobilenet_v2", 96, 24, 56, 1, 1, false},    {"mobilenet_v2", 24, 144, 56, 1, 1, false},
    {"mobilenet_v2", 144, 24, 56, 1, 1, false},   {"mobilenet_v2", 32, 192, 28, 1, 1, false},
    {"mobilenet_v2", 192, 32, 28, 1, 1, false},   {"mobilenet_v2", 64, 384, 14, 1, 1, false},
    {"mobilenet_v2", 384, 64, 14, 1, 1, false},   {"mobilenet_v2", 960, 160, 7, 1, 1, false},
    {"mobilenet_v2", 160, 960, 7, 1, 1, false},   {"pp_ocr", 240, 240, 31, 5, 1, true},
    {"pp_ocr", 240, 240, 31, 1, 1, false},        {"pp_ocr", 16, 32, 320, 1, 1, false},
    {"convnext", 96, 96, 56, 7, 1, true},         {"convnext", 384, 384, 14, 7, 1, true},
    {"shufflenet", 58, 58, 28, 1, 1, false},      {"shufflenet", 116, 116, 14, 3, 1, true},
};

bool Wanted(const std::string& name, const char* part) {
  return part == nullptr || name.find(part) != std::string::npos;
}

void Print(const std::string& name, double flops, double bytes, double seconds, double peak) {
  std::printf("%-40s %9.1f us %7.1f GFLOPS %5.1f %% of peak %6.1f GB/s\n", name.c_str(),
              seconds * 1e6, flops / seconds * 1e-9, 100 * flops / seconds / peak,
              bytes / seconds * 1e-9);
  std::fflush(stdout);
}

// The same convolution in bf16, and in bytes from the input to the output.
void RunRounded(const ConvShape& s, const std::string& name, double peak, const Epilogue& fp32) {
  const double flops = 2.0 * double(s.oh * s.ow) * double(s.oc * s.ic * s.kh * s.kw);
  AlignedFloats x(s.ih * s.iw * s.ic), y(s.oh * s.ow * s.oc);
  std::fill_n(x.data(), x.size(), 0.5f);
  std::fill_n(y.data(), y.size(), 0.0f);
  const std::vector<float> w(s.oc * s.ic * s.kh * s.kw, 0.25f), scales(s.oc, 0.01f);
  const PackedHalves halves =
      PackHalvesConv(WeightPrecision::kBf16, w.data(), s.oc, s.ic, s.kh, s.kw, 1, false);
  double seconds =
      LeastSeconds([&] { ConvHalves(threads, s, x.data(), s.ic == 3, halves, fp32, y.data()); });
  Print(name + " bf16", flops, 4.0 * double(x.size() + y.size()) + 2.0 * double(w.size()), seconds,
        peak);
  const std::vector<int8_t> bytes(w.size(), 3);
  const PackedInt8 packed = PackInt8Conv(bytes.data(), s);
  Int8Rounding rounding;
  rounding.divides = rounding.ties_to_even = true;
  rounding.zero = 0, rounding.lowest = 0, rounding.highest = 255;
  Epilogue epilogue = fp32;
  epilogue.rounding = &rounding;
  RoundedInput input;
  input.bytes = reinterpret_cast<const uint8_t*>(x.data());
  const Int8Scaling scaling = ScaleInt8(packed, rounding, 1, scales.data());
  seconds = LeastSeconds([&] { ConvInt8(threads, s, input, packed, scaling, epilogue, y.data()); });
  Print(name + " int8", flops, double(x.size() + y.size() + w.size()), seconds, peak);
  // A residual's end, as of quantised networks.
  const std::vector<uint8_t> added(y.size(), 7);
  EpilogueStep steps[2];
  steps[0].act = {Act::kSteps, 1, 0, 255};
  steps[1].op = EpilogueStep::kAdd;
  steps[1].bytes = added.data(), steps[1].byte_scale = 0.5f;
  steps[1].row_stride = s.oc, steps[1].col_stride = 1;
  epilogue.steps = steps, epilogue.step_count = 2;
  epilogue.act = {};
  seconds = LeastSeconds([&] { ConvInt8(threads, s, input, packed, scaling, epilogue, y.data()); });
  Print(name + " int8 added", flops, double(x.size() + 2 * y.size() + w.size()), seconds, peak);
}

void RunLayer(const Layer& layer, double peak, const char* part) {
  ConvShape s;
  s.ih = s.iw = layer.size;
  s.ic = layer.ic;
  s.oc = layer.oc;
  s.kh = s.kw = layer.kernel;
  s.sh = s.sw = layer.stride;
  s.pt = s.pl = layer.kernel / 2;
  s.oh = s.ow = (layer.size + layer.stride - 1) / layer.stride;
  s.groups = layer.depthwise ? layer.ic : 1;
  const std::string name = std::string(layer.model) + (layer.depthwise ? " dw " : " conv ") +
                           std::to_string(layer.ic) + "->" + std::to_string(layer.oc) + " @" +
                           std::to_string(layer.size) + " k" + std::to_string(layer.kernel) + " s" +
                           std::to_string(layer.stride);
  if (!Wanted(name, part)) return;
  // Aligned as a plan's memory is.
  AlignedFloats x(s.ih * s.iw * s.ic), y(s.oh * s.ow * s.oc);
  std::fill_n(x.data(), x.size(), 0.5f);
  std::fill_n(y.data(), y.size(), 0.0f);
  const std::vector<float> w(s.oc * s.ic / s.groups * s.kh * s.kw, 0.25f), bias(s.oc, 1.0f);
  Epilogue epilogue;
  epilogue.bias = bias.data();
  epilogue.act = {Act::kRelu, 0, 0, 0};
  double seconds;
  if (layer.depthwise) {
    const PackedDepthwise packed = PackDepthwise(w.data(), s.ic, s.kh, s.kw);
    seconds =
        LeastSeconds([&] { DepthwiseNhwc(threads, s, {x.data()}, packed, epilogue, y.data()); });
  } else {
    const PackedConv packed = PackConv(w.data(), s.oc, s.ic, s.kh, s.kw, 1, 1, s.oh * s.ow);
    seconds = LeastSeconds([&] {
      if (s.ic == 3) {
        ConvNchwInput(threads, s, x.data(), packed, epilogue, y.data());
      } else {
        ConvNhwc(threads, s, x.data(), packed, epilogue, y.data());
      }
    });
  }
  const double flops = 2.0 * double(s.oh * s.ow) * double(w.size());
  for (const int tile : {2, 4}) {
    if (layer.depthwise || layer.kernel != 3 || layer.stride != 1) continue;
    const PackedWinograd packed = PackWinograd(w.data(), s.oc, s.ic, tile, 1, &s);
    const double least =
        LeastSeconds([&] { WinogradNhwc(threads, s, x.data(), packed, epilogue, y.data()); });
    const std::string chosen = TakesWinograd(s) && WinogradTile(s) == tile ? " (chosen)" : "";
    Print(name + " F" + std::to_string(tile) + chosen, flops,
          4.0 * double(x.size() + y.size() + packed.data.size()), least, peak);
  }
  Print(name, flops, 4.0 * double(x.size() + y.size() + w.size()), seconds, peak);
  if (!layer.depthwise) RunRounded(s, name, peak, epilogue);
}

struct Product {
  const char* name;
  int64_t m, n, k;
};

const Product kProducts[] = {
    {"fc 1x1000 k1024", 1, 1000, 1024},
    {"fc 1x4096 k4096", 1, 4096, 4096},
    {"fc 1x128 k64", 1, 128, 64},
    {"transformer 128x1200 k312", 128, 1200, 312},
    {"transformer 128x312 k312", 128, 312, 312},
    {"bert 128x3072 k768", 128, 3072, 768},
    {"bert 128x768 k3072", 128, 768, 3072},
    {"vit 197x768 k3072", 197, 768, 3072},
    {"rec 40x6625 k120", 40, 6625, 120},
    {"square 1024", 1024, 1024, 1024},
    {"lstm 8x512 k128", 8, 512, 128},
};

void RunProduct(const Product& p, double peak, const char* part) {
  const std::string name = std::string("gemm ") + p.name;
  // Aligned as a plan's memory is.
  AlignedFloats a(p.m * p.k), c(p.m * p.n);
  std::fill_n(a.data(), a.size(), 0.5f);
  std::fill_n(c.data(), c.size(), 0.0f);
  const std::vector<float> b(p.k * p.n, 0.25f);
  const double flops = 2.0 * double(p.m) * double(p.n) * double(p.k);
  const double bytes = 4.0 * double(a.size() + b.size() + c.size());
  const Epilogue epilogue;
  if (Wanted(name, part)) {
    const PackedMatrix packed = PackB(p.k, p.n, b.data(), p.n, false, 1, p.m);
    const double seconds = LeastSeconds(
        [&] { Gemm(threads, p.m, p.n, p.k, a.data(), p.k, packed, c.data(), p.n, epilogue); });
    Print(name, flops, bytes, seconds, peak);
  }
  for (const bool transposed : {false, true}) {
    const std::string unpacked = name + (transposed ? " unpacked B^T" : " unpacked");
    if (!Wanted(unpacked, part)) continue;
    MatMul mm;
    mm.m = p.m;
    mm.n = mm.ldc = p.n;
    mm.k = mm.lda = p.k;
    mm.a = a.data();
    mm.b = b.data();
    mm.c = c.data();
    mm.transpose_b = transposed;
    mm.ldb = transposed ? p.k : p.n;
    Print(unpacked, flops, bytes, LeastSeconds([&] { GemmUnpacked(threads, mm, epilogue); }), peak);
  }
}

void RunAttention(double peak, const char* part) {
  const std::string name = "attention 12 x 128x128 k26 B^T";
  if (!Wanted(name, part)) return;
  const std::vector<float> a(12 * 128 * 26, 0.5f);
  std::vector<float> c(12 * 128 * 128);
  MatMul mm;
  mm.batch = 12;
  mm.m = mm.n = mm.ldc = 128;
  mm.k = mm.lda = mm.ldb = 26;
  mm.transpose_b = true;
  mm.a = mm.b = a.data();
  mm.c = c.data();
  mm.batch_a = mm.batch_b = 128 * 26;
  mm.batch_c = 128 * 128;
  Print(name, 12 * 2.0 * 128 * 128 * 26, 4.0 * double(2 * a.size() + c.size()),
        LeastSeconds([&] { GemmUnpacked(threads, mm, Epilogue()); }), peak);
}

}  // namespace

int main(int argc, char** argv) {
  threads = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 1;
  const char* part = argc > 2 ? argv[2] : nullptr;
  const double peak = Peak() * threads;
  std::printf("%s, %d thread(s), peak %.0f GFLOPS\n", IsaName(), threads, peak * 1e-9);
  for (const Layer& layer : kLayers) RunLayer(layer, peak, part);
  for (const Product& product : kProducts) RunProduct(product, peak, part);
  RunAttention(peak, part);
  return 0;
}
