#pragma once

// AMX's tiles in software, for machines without: what Intel's manual says that the instructions
// of isa/tile_instructions.h do, with its exceptions as abort().

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

struct TileModel {
  bool configured = false;
  int rows[8] = {}, row_bytes[8] = {};
  alignas(64) unsigned char data[8][16][64] = {};
};

inline TileModel& Model() {
  static thread_local TileModel model;
  return model;
}

inline void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "tiles: %s\n", what);
  std::abort();
}

inline void TileConfigure(const TileShapes& shapes) {
  Require(shapes.palette == 1 && shapes.start_row == 0, "palette 1 from row 0");
  for (int i = 0; i < 14; ++i) Require(shapes.reserved[i] == 0, "reserved bytes are 0");
  TileModel& m = Model();
  m = TileModel();
  m.configured = true;
  for (int i = 0; i < 16; ++i) {
    const int rows = shapes.rows[i], bytes = shapes.row_bytes[i];
    Require((rows == 0) == (bytes == 0) && rows <= 16 && bytes <= 64, "a tile's shape");
    Require(i < 8 || rows == 0, "eight tiles");
    if (i < 8) m.rows[i] = rows, m.row_bytes[i] = bytes;
  }
}

inline void TileRelease() { Model() = TileModel(); }

inline TileModel& Usable(int tile) {
  TileModel& m = Model();
  Require(m.configured && m.rows[tile] > 0, "a tile that is configured");
  return m;
}

template <int tile>
void TileZero() {
  std::memset(Usable(tile).data[tile], 0, sizeof Model().data[tile]);
}

template <int tile>
void TileLoad(const void* from, int64_t stride) {
  TileModel& m = Usable(tile);
  TileZero<tile>();
  for (int r = 0; r < m.rows[tile]; ++r)
    std::memcpy(m.data[tile][r], static_cast<const char*>(from) + r * stride, m.row_bytes[tile]);
}

template <int tile>
void TileStore(void* to, int64_t stride) {
  const TileModel& m = Usable(tile);
  for (int r = 0; r < m.rows[tile]; ++r)
    std::memcpy(static_cast<char*>(to) + r * stride, m.data[tile][r], m.row_bytes[tile]);
}

// Rounds to nearest even whatever the caller has set; denormals are 0.
class TileRounding {
 public:
  TileRounding() : before_(_mm_getcsr()) { _mm_setcsr(0x9fc0); }  // FTZ, DAZ, no exceptions
  ~TileRounding() { _mm_setcsr(before_); }

 private:
  const unsigned before_;
};

// A row of sums: summands of even and of odd numbers are added up apart.
__attribute__((noinline)) inline void MultiplyRow(const unsigned char* left,
                                                  const unsigned char (*right)[64], int words,
                                                  unsigned char* sums) {
  float even[16] = {}, odd[16] = {};
  for (int k = 0; k < words; ++k) {
    uint32_t x, y[16];
    std::memcpy(&x, left + 4 * k, 4);
    std::memcpy(y, right[k], 64);
    const auto real = [](uint32_t bits) {
      float value;
      std::memcpy(&value, &bits, 4);
      return value;
    };
    for (int n = 0; n < 16; ++n) even[n] = __builtin_fmaf(real(x << 16), real(y[n] << 16), even[n]);
    for (int n = 0; n < 16; ++n)
      odd[n] = __builtin_fmaf(real(x & 0xffff0000), real(y[n] & 0xffff0000), odd[n]);
  }
  float all[16];
  std::memcpy(all, sums, 64);
  for (int n = 0; n < 16; ++n) {
    const float both = even[n] + odd[n];
    all[n] += both;
  }
  std::memcpy(sums, all, 64);
}

// Of this thread so far.
inline thread_local int64_t tile_products = 0;

template <int sum, int left, int right, typename Row>
void MultiplyRows(Row multiply_row) {
  static_assert(sum != left && sum != right && left != right, "three tiles");
  TileModel& m = Usable(sum);
  Usable(left), Usable(right);
  Require(m.rows[sum] == m.rows[left] && m.row_bytes[sum] == m.row_bytes[right] &&
              m.row_bytes[left] == 4 * m.rows[right],
          "tiles of one product");
  ++tile_products;
  for (int r = 0; r < m.rows[sum]; ++r)
    multiply_row(m.data[left][r], m.data[right], m.rows[right], m.data[sum][r]);
}

// Whether a test wants products of "bf16" or of "int8" to be wrong.
inline bool Wrong(const char* what) {
  static const char* const wanted = std::getenv("LITE_TILE_MODEL_WRONG");
  return wanted != nullptr && std::strcmp(wanted, what) == 0;
}

template <int sum, int left, int right>
void TileMultiply() {
  const TileRounding rounding;
  MultiplyRows<sum, left, right>(MultiplyRow);
  if (Wrong("bf16")) Model().data[sum][Model().rows[sum] - 1][1] ^= 0x80;
}

// A row of sums of bytes, those on the left without sign; they do not saturate.
inline void MultiplyRowOfBytes(const unsigned char* left, const unsigned char (*right)[64],
                               int words, unsigned char* sums) {
  int32_t all[16];
  std::memcpy(all, sums, 64);
  for (int k = 0; k < words; ++k)
    for (int n = 0; n < 16; ++n)
      for (int i = 0; i < 4; ++i)
        all[n] += left[4 * k + i] * static_cast<signed char>(right[k][4 * n + i]);
  std::memcpy(sums, all, 64);
}

template <int sum, int left, int right>
void TileMultiplyBytes() {
  MultiplyRows<sum, left, right>(MultiplyRowOfBytes);
  if (Wrong("int8")) Model().data[sum][Model().rows[sum] - 1][1] ^= 0x80;
}

}  // namespace paddle::lite::math::LITE_ISA
