#pragma once

// How K is divided between runs of the microkernels, and what these ask the memory for.

#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa/panels.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {

// What a microkernel reads of a row at once, at most. More gained nothing; sums of more blocks are
// stored and read again.
inline int64_t BlockLength() {
  constexpr int64_t kPanelRow = kPanelVectors * kW * sizeof(float);
#if defined(__aarch64__)
  // Rows of 4 take little of L1: the panel's slice has half of it.
  constexpr int64_t kLeast = 128, kMost = 512;
  const int64_t fitting = L1CacheBytes() / 2 / kPanelRow;
#else
  constexpr int64_t kLeast = 512, kMost = kMostBlockLength;
  const int64_t fitting = L2CacheBytes() / 8 / kPanelRow;
#endif
  return fitting < kLeast ? kLeast : fitting < kMost ? fitting : kMost;
}

// K blocks: runs of whole segments, or one part of a segment.
struct KBlocks {
  KBlocks(int64_t segments, int64_t length) : segments(segments), length(length) {
    const int64_t longest = BlockLength();
    if (length > longest) {
      const int64_t parts = (length + longest - 1) / longest;
      part = (length + parts - 1) / parts;
      group = 1;
      per_segment = parts;
      count = segments > 0 ? segments * parts : 1;
    } else {
      const int64_t most = length > 0 ? longest / length : segments;
      const int64_t groups = segments > 0 ? (segments + most - 1) / most : 1;
      part = length;
      group = (segments + groups - 1) / groups;
      per_segment = 1;
      count = group > 0 ? (segments + group - 1) / group : 1;
    }
  }

  int64_t segments, length;
  int64_t part, group, per_segment, count;
};

// Contiguous floats; tiles that are to ask for them do so `step` floats after each other.
struct Slice {
  const float* data = nullptr;
  int64_t floats = 0;
  int64_t step = 2 * kLineFloats;

  // What is left after so many steps.
  Slice After(int64_t steps) const {
    return steps * step < floats ? Slice{data + steps * step, floats - steps * step, step}
                                 : Slice{};
  }
};

// What a K block covers.
struct KPart {
  KPart(const KBlocks& k, int64_t block)
      : segment(block / k.per_segment * k.group), start(block % k.per_segment * k.part) {
    segments = k.segments - segment < k.group ? k.segments - segment : k.group;
    length = k.length - start < k.part ? k.length - start : k.part;
    first = segment * k.length + start;
  }

  int64_t segment, start;  // the first segment and where in it
  int64_t segments, length;
  int64_t first;  // row of B
};

}  // namespace paddle::lite::math::LITE_ISA
