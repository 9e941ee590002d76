#include "lite/kernels/cpu/math/strided_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lite/core/base/errors.h"
#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/transpose.h"

namespace paddle::lite::math {
namespace {

constexpr int64_t kThreadBytes = 128 * 1024;  // below this waking a thread costs more than it saves

struct Bytes16 {
  uint64_t low, high;
};

// A nest of loops in the order in which it runs: the destination's innermost dimension last.
struct Plan {
  CopyDim dims[CopyLoops::kMaxRank];
  int rank = 0;
  size_t element = 1;

  CopyDim& inner() { return dims[rank - 1]; }
  const CopyDim& inner() const { return dims[rank - 1]; }
  void Erase(int i) {
    std::copy(dims + i + 1, dims + rank, dims + i);
    --rank;
  }
};

// Joins neighbouring loops that are one loop in both memories.
void MergeLoops(Plan* plan) {
  for (int i = plan->rank - 1; i > 0; --i) {
    CopyDim& outer = plan->dims[i - 1];
    const CopyDim inner = plan->dims[i];
    if (outer.from != inner.from * inner.size || outer.to != inner.to * inner.size) continue;
    outer = {outer.size * inner.size, inner.from, inner.to};
    plan->Erase(i);
  }
}

// Treats a short contiguous innermost loop as one wider element, where `address` (the bits of both
// pointers) is aligned for it.
void WidenElement(Plan* plan, uintptr_t address) {
  while (plan->rank > 1 && plan->inner().from == 1 && plan->inner().to == 1) {
    const int64_t size = plan->inner().size;
    const size_t bytes = plan->element * static_cast<size_t>(size);
    if (bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) return;
    if (address % std::min<size_t>(bytes, alignof(Bytes16)) != 0) return;
    for (int i = 0; i + 1 < plan->rank; ++i)
      if (plan->dims[i].from % size != 0 || plan->dims[i].to % size != 0) return;
    plan->Erase(plan->rank - 1);
    for (int i = 0; i < plan->rank; ++i) {
      plan->dims[i].from /= size;
      plan->dims[i].to /= size;
    }
    plan->element = bytes;
  }
}

Plan MakePlan(const CopyDim* dims, int rank, size_t element, uintptr_t address) {
  Plan plan;
  plan.element = element;
  for (int i = 0; i < rank; ++i) {
    int at = plan.rank++;
    for (; at > 0 && std::abs(plan.dims[at - 1].to) < std::abs(dims[i].to); --at)
      plan.dims[at] = plan.dims[at - 1];
    plan.dims[at] = dims[i];
  }
  MergeLoops(&plan);
  WidenElement(&plan, address);
  return plan;
}

template <typename T>
void CopyRow(const T* from, int64_t from_stride, T* to, int64_t to_stride, int64_t size) {
  if (from_stride == 1 && to_stride == 1) {
    std::memcpy(to, from, static_cast<size_t>(size) * sizeof(T));
  } else if (from_stride == 0 && to_stride == 1) {
    std::fill_n(to, size, *from);
  } else if (to_stride == 1) {
    for (int64_t i = 0; i < size; ++i) to[i] = from[i * from_stride];
  } else {
    for (int64_t i = 0; i < size; ++i) to[i * to_stride] = from[i * from_stride];
  }
}

// A plane that is contiguous one way in the source and the other way in the destination:
// to[r * to_stride + c] = from[r + c * from_stride].
struct Plane {
  int64_t rows, cols, from_stride, to_stride;
};

template <typename T>
void Transpose(const T* from, T* to, const Plane& p) {
  constexpr int64_t kTile = 64 / sizeof(T) > 8 ? 64 / sizeof(T) : 8;
  for (int64_t r0 = 0; r0 < p.rows; r0 += kTile) {
    const int64_t r1 = std::min(p.rows, r0 + kTile);
    for (int64_t c0 = 0; c0 < p.cols; c0 += kTile) {
      const int64_t c1 = std::min(p.cols, c0 + kTile);
      for (int64_t r = r0; r < r1; ++r)
        for (int64_t c = c0; c < c1; ++c) to[r * p.to_stride + c] = from[r + c * p.from_stride];
    }
  }
}

template <>
void Transpose<uint32_t>(const uint32_t* from, uint32_t* to, const Plane& p) {
  LITE_ISA_PICK(kTransposeTable).transpose(p.cols, p.rows, from, p.from_stride, to, p.to_stride);
}

// kCols streams become one.
template <int kCols, typename T>
void Interleave(const T* from, T* to, const Plane& p) {
  for (int64_t r = 0; r < p.rows; ++r)
    for (int c = 0; c < kCols; ++c) to[r * kCols + c] = from[r + c * p.from_stride];
}

// One stream becomes kRows, in parts that stay in the nearest cache.
template <int kRows, typename T>
void Deinterleave(const T* from, T* to, const Plane& p) {
  constexpr int64_t kPart = 1024;
  for (int64_t c0 = 0; c0 < p.cols; c0 += kPart) {
    const int64_t c1 = std::min(p.cols, c0 + kPart);
    for (int r = 0; r < kRows; ++r)
      for (int64_t c = c0; c < c1; ++c) to[r * p.to_stride + c] = from[r + c * kRows];
  }
}

template <typename T>
void CopyPlane(const T* from, T* to, const Plane& p) {
  const int64_t together = p.to_stride == p.cols ? p.cols : p.from_stride == p.rows ? -p.rows : 0;
  switch (together) {
    case 2:
      return Interleave<2>(from, to, p);
    case 3:
      return Interleave<3>(from, to, p);
    case 4:
      return Interleave<4>(from, to, p);
    case -2:
      return Deinterleave<2>(from, to, p);
    case -3:
      return Deinterleave<3>(from, to, p);
    case -4:
      return Deinterleave<4>(from, to, p);
    default:
      return Transpose(from, to, p);
  }
}

// The loop that runs contiguously through the source while the innermost one does through the
// destination; -1 where there is none.
int TransposedLoop(const Plan& plan) {
  if (plan.inner().to != 1 || plan.inner().from == 1) return -1;
  for (int i = plan.rank - 2; i >= 0; --i)
    if (plan.dims[i].from == 1) return i;
  return -1;
}

template <typename T>
void RunSerial(Plan plan, const T* from, T* to) {
  const int transposed = TransposedLoop(plan);
  const CopyDim inner = plan.inner();
  CopyDim across{1, 0, 0};
  if (transposed >= 0) {
    across = plan.dims[transposed];
    plan.Erase(transposed);
  }
  const int outer = plan.rank - 1;
  int64_t index[CopyLoops::kMaxRank] = {};
  for (;;) {
    if (transposed >= 0)
      CopyPlane(from, to, {across.size, inner.size, inner.from, across.to});
    else
      CopyRow(from, inner.from, to, inner.to, inner.size);
    int i = outer - 1;
    for (; i >= 0; --i) {
      const CopyDim& dim = plan.dims[i];
      from += dim.from;
      to += dim.to;
      if (++index[i] < dim.size) break;
      index[i] = 0;
      from -= dim.from * dim.size;
      to -= dim.to * dim.size;
    }
    if (i < 0) return;
  }
}

template <typename T>
void RunPlan(const Plan& plan, const void* from, void* to, int threads) {
  const T* source = static_cast<const T*>(from);
  T* target = static_cast<T*>(to);
  if (plan.rank == 0) {
    *target = *source;
    return;
  }
  int64_t total = 1;
  int split = 0;  // the outermost loop with work for all threads, else the longest
  for (int i = 0; i < plan.rank; ++i) total *= plan.dims[i].size;
  for (int i = 0; i < plan.rank; ++i) {
    if (plan.dims[split].size >= 2 * threads) break;
    if (plan.dims[i].size > plan.dims[split].size) split = i;
  }
  const int64_t bytes = total * static_cast<int64_t>(sizeof(T));
  const CopyDim loop = plan.dims[split];
  const int64_t parts =
      std::min({loop.size, 2 * static_cast<int64_t>(threads), bytes / kThreadBytes});
  if (threads <= 1 || parts <= 1) return RunSerial<T>(plan, source, target);
  ParallelFor(threads, parts, [&](int64_t part) {
    const int64_t begin = loop.size * part / parts, end = loop.size * (part + 1) / parts;
    Plan piece = plan;
    piece.dims[split].size = end - begin;
    RunSerial<T>(piece, source + begin * loop.from, target + begin * loop.to);
  });
}

}  // namespace

void CopyLoops::Add(int64_t size, int64_t from, int64_t to) {
  if (size < 0) throw ShapeError(StrCat("a copy of ", size, " elements"));
  if (size == 0) empty_ = true;
  if (size <= 1) return;
  if (rank_ == kMaxRank) throw ShapeError("a copy of more than 20 dimensions");
  dims_[rank_++] = {size, from, to};
}

void CopyLoops::Run(const void* from, void* to, size_t element_size, int threads) const {
  if (empty_) return;
  const auto address = reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to);
  const Plan plan = MakePlan(dims_, rank_, element_size, address);
  switch (plan.element) {
    case 1:
      return RunPlan<uint8_t>(plan, from, to, threads);
    case 2:
      return RunPlan<uint16_t>(plan, from, to, threads);
    case 4:
      return RunPlan<uint32_t>(plan, from, to, threads);
    case 8:
      return RunPlan<uint64_t>(plan, from, to, threads);
    case 16:
      return RunPlan<Bytes16>(plan, from, to, threads);
    default:
      throw LiteError(StrCat("a copy of elements of ", element_size, " bytes"));
  }
}

void FillElements(void* to, const void* value, size_t element_size, int64_t count, int threads) {
  CopyLoops loops;
  loops.Add(count, 0, 1);
  loops.Run(value, to, element_size, threads);
}

}  // namespace paddle::lite::math
