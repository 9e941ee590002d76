#include "lite/kernels/cpu/math/attention.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/packing.h"
#include "lite/kernels/cpu/math/softmax.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

// Rows that are worth packing the keys and values for.
constexpr int64_t kFewestRows = 96;

int64_t BlockRows(int64_t keys) {
  const int64_t unit = LITE_ISA_PICK(kGemmTable).panel_rows;
  // Scores are written once and read a few times: they should stay in L2 beside keys and values.
  const int64_t floats = L2CacheBytes() / 8 / static_cast<int64_t>(sizeof(float));
  const int64_t rows = floats / std::max<int64_t>(keys, 1) / unit * unit;
  return std::clamp(rows, unit, kMaxBlockRows / unit * unit);
}

int64_t Aligned(int64_t floats) { return (floats + 15) / 16 * 16; }

// The matrices of one of the batch.
struct Item {
  const float *q, *k, *v, *mask;
  float* out;
};

Item ItemAt(const Attention& a, int64_t index) {
  Item item{a.q.data, a.k.data, a.v.data, a.mask.data, a.out};
  for (int d = a.batch_dims - 1; d >= 0; --d) {
    const int64_t at = index % a.batch[d];
    index /= a.batch[d];
    item.q += at * a.q.batch[d];
    item.k += at * a.k.batch[d];
    item.v += at * a.v.batch[d];
    if (item.mask != nullptr) item.mask += at * a.mask.batch[d];
    item.out += at * a.out_batch[d];
  }
  return item;
}

// The matrix k x n with element (i, j) at i * row + j * col.
void Pack(int64_t k, int64_t n, const float* b, int64_t row, int64_t col, float* packed) {
  const bool transposed = col != 1;
  PackPanels(k, n, b, transposed ? col : row, transposed, packed, 0, PanelCount(n));
}

class Chunk {
 public:
  Chunk(const Attention& a, int64_t item) : a_(a), item_(ItemAt(a, item)) {
    block_rows_ = BlockRows(a.keys);
    stride_ = (a.keys + kScoreFloats - 1) / kScoreFloats * kScoreFloats;
    const int64_t keys = Aligned(PackedFloats(a.dim, a.keys));
    const int64_t values = Aligned(PackedFloats(a.keys, a.value_dim));
    keys_ =
        static_cast<float*>(ThreadScratch((keys + values + block_rows_ * stride_) * sizeof(float)));
    values_ = keys_ + keys;
    scores_ = values_ + values;
    if (a.keys > 0) Pack(a.dim, a.keys, item_.k, a.k.col, a.k.row, keys_);
    Pack(a.keys, a.value_dim, item_.v, a.v.row, a.v.col, values_);
  }

  void Run(int64_t begin, int64_t end) const {
    const int64_t unit = LITE_ISA_PICK(kGemmTable).panel_rows;
    const int64_t step = EvenPart(end - begin, block_rows_, unit);
    for (int64_t row = begin; row < end; row += step) Block(row, std::min(step, end - row));
  }

 private:
  void Block(int64_t first, int64_t count) const {
    const float* rows[kMaxBlockRows];
    if (a_.keys > 0) Score(first, count);
    for (int64_t i = 0; i < count; ++i) rows[i] = scores_ + i * stride_;
    Multiply(rows, count, a_.keys, values_, a_.value_dim, item_.out + first * a_.out_row,
             a_.out_row);
  }

  void Score(int64_t first, int64_t count) const {
    const float* rows[kMaxBlockRows];
    for (int64_t i = 0; i < count; ++i) rows[i] = item_.q + (first + i) * a_.q.row;
    Multiply(rows, count, a_.dim, keys_, a_.keys, scores_, stride_);
    ScoreRows scores;
    scores.rows = count, scores.cols = a_.keys, scores.stride = stride_, scores.x = scores_;
    scores.scale = a_.scale;
    if (item_.mask != nullptr) scores.mask = item_.mask + first * a_.mask.row;
    scores.mask_row = a_.mask.row, scores.mask_col = a_.mask.col;
    scores.first_row = first;
    scores.causal = a_.causal, scores.hidden_give_zeros = a_.hidden_give_zeros;
    LITE_ISA_PICK(kSoftmaxTable).scores(scores);
  }

  static void Multiply(const float* const* rows, int64_t m, int64_t k, const float* packed,
                       int64_t n, float* c, int64_t ldc) {
    const int64_t offset = 0;
    const Epilogue epilogue;
    GemmBlock block;
    block.rows = rows;
    block.row_count = m;
    block.offsets = &offset;
    block.segments = 1;
    block.length = k;
    block.b = packed;
    block.columns = n;
    block.last_panel = PanelCount(n);
    block.c = c;
    block.ldc = ldc;
    block.epilogue = &epilogue;
    LITE_ISA_PICK(kGemmTable).run_block(block);
  }

  const Attention& a_;
  const Item item_;
  int64_t block_rows_, stride_;
  float *keys_, *values_, *scores_;
};

// Heads of one query each that share keys and values, as rows: these are packed once for all.
Attention HeadsAsRows(const Attention& a) {
  const int last = a.batch_dims - 1;
  if (last < 0 || a.rows != 1 || a.causal || a.k.batch[last] != 0 || a.v.batch[last] != 0) return a;
  Attention made = a;
  made.batch_dims = last;
  made.rows = a.batch[last];
  made.q.row = a.q.batch[last];
  made.mask.row = a.mask.batch[last];
  made.out_row = a.out_batch[last];
  return made;
}

}  // namespace

void RunAttention(int threads, const Attention& given) {
  const Attention a = HeadsAsRows(given);
  int64_t items = 1;
  for (int d = 0; d < a.batch_dims; ++d) items *= a.batch[d];
  if (items == 0 || a.rows == 0 || a.value_dim == 0) return;
  const double work = static_cast<double>(items) * a.rows * a.keys * (a.dim + a.value_dim);
  threads = static_cast<int>(std::clamp<double>(work / 100e3, 1, threads));
  int64_t parts = 1;
  if (threads > 1)
    parts = std::clamp<int64_t>((2 * threads + items - 1) / items, 1,
                                std::max<int64_t>(a.rows / kFewestRows, 1));
  const int64_t unit = LITE_ISA_PICK(kGemmTable).panel_rows;
  const int64_t rows = ((a.rows + parts - 1) / parts + unit - 1) / unit * unit;
  parts = (a.rows + rows - 1) / rows;
  ParallelFor(threads, items * parts, [&](int64_t chunk) {
    const int64_t begin = chunk % parts * rows;
    Chunk(a, chunk / parts).Run(begin, std::min(begin + rows, a.rows));
  });
}

}  // namespace paddle::lite::math
