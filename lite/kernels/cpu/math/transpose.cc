#include "lite/kernels/cpu/math/transpose.h"

#include <algorithm>
#include <complex>
#include <cstring>

#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite::math {
namespace {

constexpr int kMaxRank = 9;

// A permutation without axes of length 1 and with axes that stay together merged into one.
struct Reduced {
  int rank = 0;
  int64_t out_dims[kMaxRank];    // in y's order
  int64_t in_strides[kMaxRank];  // of x, in y's order
};

Reduced Reduce(int rank, const int64_t* dims, const int* perm) {
  int64_t strides[kMaxRank];
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= dims[i];
  }
  Reduced out;
  for (int i = 0; i < rank; ++i) {
    const int64_t dim = dims[perm[i]], step = strides[perm[i]];
    if (dim == 1) continue;
    if (out.rank > 0 && out.in_strides[out.rank - 1] == dim * step) {
      out.out_dims[out.rank - 1] *= dim;
      out.in_strides[out.rank - 1] = step;
    } else {
      out.out_dims[out.rank] = dim;
      out.in_strides[out.rank++] = step;
    }
  }
  return out;
}

// Offset in x of the `index`-th element of y's axes [0, axes), one axis left out.
int64_t OffsetOf(const Reduced& p, int axes, int skip, int64_t index) {
  int64_t offset = 0;
  for (int i = axes - 1; i >= 0; --i) {
    if (i == skip) continue;
    offset += index % p.out_dims[i] * p.in_strides[i];
    index /= p.out_dims[i];
  }
  return offset;
}

// The last axis stays: y is made of runs of x.
void CopyRuns(const Reduced& p, const char* x, char* y, size_t size, int threads) {
  const int last = p.rank - 1;
  const int64_t run = p.out_dims[last];
  const size_t bytes = static_cast<size_t>(run) * size;
  int64_t runs = 1;
  for (int i = 0; i < last; ++i) runs *= p.out_dims[i];
  const int64_t grain = 65536 / static_cast<int64_t>(bytes) + 1;
  ParallelRange(threads, runs, grain, [&](int64_t begin, int64_t end) {
    const int64_t inner = last > 0 ? p.out_dims[last - 1] : 1;
    const int64_t step = last > 0 ? p.in_strides[last - 1] * static_cast<int64_t>(size) : 0;
    for (int64_t r = begin; r < end;) {
      const int64_t first = r % inner, stop = std::min(end - r, inner - first);
      const char* from = x + OffsetOf(p, last, -1, r) * static_cast<int64_t>(size);
      char* to = y + r * static_cast<int64_t>(bytes);
      for (int64_t i = 0; i < stop; ++i, from += step, to += bytes) std::memcpy(to, from, bytes);
      r += stop;
    }
  });
}

template <typename T>
void TransposePlane(int64_t rows, int64_t cols, const T* x, int64_t ldx, T* y, int64_t ldy) {
  constexpr int64_t kTile = 16;
  for (int64_t r = 0; r < rows; r += kTile)
    for (int64_t c = 0; c < cols; c += kTile)
      for (int64_t j = c; j < std::min(cols, c + kTile); ++j)
        for (int64_t i = r; i < std::min(rows, r + kTile); ++i) y[j * ldy + i] = x[i * ldx + j];
}

template <>
void TransposePlane<uint32_t>(int64_t rows, int64_t cols, const uint32_t* x, int64_t ldx,
                              uint32_t* y, int64_t ldy) {
  LITE_ISA_PICK(kTransposeTable).transpose(rows, cols, x, ldx, y, ldy);
}

// Another axis becomes the last: planes of it and of x's last axis are transposed.
template <typename T>
void TransposePlanes(const Reduced& p, const T* x, T* y, int threads) {
  const int last = p.rank - 1;
  int column_axis = 0;  // y's axis that is x's last
  while (p.in_strides[column_axis] != 1) ++column_axis;
  int64_t ldy = 1, outer = 1;
  for (int i = column_axis + 1; i < p.rank; ++i) ldy *= p.out_dims[i];
  for (int i = 0; i < last; ++i)
    if (i != column_axis) outer *= p.out_dims[i];
  const int64_t rows = p.out_dims[last], cols = p.out_dims[column_axis];
  const int64_t ldx = p.in_strides[last];

  // Work is counted in tiles of 16 columns of x.
  const int64_t tiles = (cols + 15) / 16;
  const int64_t grain = 16384 / (16 * rows) + 1;
  ParallelRange(threads, outer * tiles, grain, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t plane = begin / tiles, tile = begin % tiles;
      const int64_t stop = std::min(end - begin, tiles - tile);
      const int64_t first = tile * 16, width = std::min(cols - first, stop * 16);
      // y's axes before column_axis come first, those between it and the last axis after it.
      int64_t index = plane, to = 0, stride = rows;
      for (int i = last - 1; i >= 0; --i) {
        if (i != column_axis) {
          to += index % p.out_dims[i] * stride;
          index /= p.out_dims[i];
        }
        stride *= p.out_dims[i];
      }
      TransposePlane<T>(rows, width, x + OffsetOf(p, last, column_axis, plane) + first, ldx,
                        y + to + first * ldy, ldy);
      begin += stop;
    }
  });
}

}  // namespace

void Permute(const void* x, void* y, int rank, const int64_t* dims, const int* perm,
             size_t element_size, int threads) {
  for (int i = 0; i < rank; ++i)
    if (dims[i] == 0) return;
  Reduced p = Reduce(rank, dims, perm);
  if (p.rank == 0) {
    std::memcpy(y, x, element_size);
    return;
  }
  if (p.in_strides[p.rank - 1] == 1) {
    CopyRuns(p, static_cast<const char*>(x), static_cast<char*>(y), element_size, threads);
    return;
  }
  switch (element_size) {
    case 1:
      return TransposePlanes(p, static_cast<const uint8_t*>(x), static_cast<uint8_t*>(y), threads);
    case 2:
      return TransposePlanes(p, static_cast<const uint16_t*>(x), static_cast<uint16_t*>(y),
                             threads);
    case 4:
      return TransposePlanes(p, static_cast<const uint32_t*>(x), static_cast<uint32_t*>(y),
                             threads);
    case 16:
      return TransposePlanes(p, static_cast<const std::complex<double>*>(x),
                             static_cast<std::complex<double>*>(y), threads);
    default:
      return TransposePlanes(p, static_cast<const uint64_t*>(x), static_cast<uint64_t*>(y),
                             threads);
  }
}

void NchwToNhwc(const float* x, float* y, int64_t n, int64_t c, int64_t hw, int threads) {
  const int64_t dims[] = {n, c, hw};
  const int perm[] = {0, 2, 1};
  Permute(x, y, 3, dims, perm, sizeof(float), threads);
}

void NhwcToNchw(const float* x, float* y, int64_t n, int64_t c, int64_t hw, int threads) {
  NchwToNhwc(x, y, n, hw, c, threads);
}

}  // namespace paddle::lite::math
