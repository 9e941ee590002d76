#pragma once

// Depthwise convolutions of bytes in integers: some rows of a column are a word, so that one
// product has as many taps of the kernel. Four where dot products of bytes are at hand, else two as
// int16.

#include <stdint.h>

#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

static constexpr int64_t RowsOfWord(bool quads) { return quads ? 4 : 2; }

// Channels that are worked on at once: whole vectors of bytes, the last of which may begin within
// the one before. Functions here are static, since isa/ includes them (isa.h).
struct ByteChannels {
  int64_t first, width;
};

constexpr int64_t kLeastByteChannels = 16;

static inline ByteChannels ByteChannelsAt(int64_t at, int64_t channels, int64_t widest) {
  int64_t width = widest;
  while (width > channels || (width / 2 >= channels - at && width > kLeastByteChannels)) width /= 2;
  return {channels - at < width ? channels - width : at, width};
}

// Where a channel of so many, counted from their first, stands among the numbers of their four
// vectors: bytes of a word's rows are interleaved within 16 bytes.
static inline int64_t PlaceOfByteChannel(int64_t channel, int64_t width) {
  const int64_t lane = channel / 16, vector = channel % 16 / 4;
  return vector * width / 4 + lane * 4 + channel % 4;
}

// One output row, or two neighbouring ones where strides and dilations are 1, of all channels.
struct ByteDepthwiseRows {
  int64_t together = 1;
  bool quads = false;  // words of four rows
  // Input rows: words x RowsOfWord; null is padding.
  const uint8_t* const* rows = nullptr;
  int64_t words = 1;  // of a column
  int64_t channels = 0;
  int64_t iw = 0, ow = 0, kw = 1, sw = 1, pl = 0, dw = 1;
  int zero = 0;  // of the bytes
  // Of each ByteChannelsAt: kw x words x 2 x 4 vectors of words, for the first and the second row.
  const int8_t* weights = nullptr;
  // Four vectors of numbers each: what sums begin with, what they are multiplied with, and biases.
  const int32_t* start = nullptr;
  const float *scales = nullptr, *bias = nullptr;
  int64_t numbers = 0;         // of all channels, some of which count twice
  uint8_t* columns = nullptr;  // scratch: the input's columns x words x 4 x the widest vector
  float* reals = nullptr;      // scratch: together x ow x channels
  const Epilogue* epilogue = nullptr;
  float* y = nullptr;
  uint8_t* bytes = nullptr;  // in the place of y, where the epilogue rounds
  int64_t y_pixel = 0;
  int64_t first_row = 0;  // of y in the result
};

struct ByteDepthwiseTable {
  int64_t widest;  // vector of bytes; 0: there is none
  void (*run)(const ByteDepthwiseRows&);
};
LITE_ISA_DECLARE(ByteDepthwiseTable, kByteDepthwiseTable)

// DepthwiseNhwc of bytes whose weights are words.
void DepthwiseBytes(int threads, const ConvShape& shape, const DepthwiseInput& x,
                    const PackedDepthwise& weights, const Epilogue& epilogue, void* y);

}  // namespace paddle::lite::math
