#pragma once

// How the microkernels of products end: the bias, activation and steps of a panel.

#include "lite/kernels/cpu/math/isa/byte_steps.h"
#include "lite/kernels/cpu/math/isa/in_registers.h"
#include "lite/kernels/cpu/math/isa/neon_tile.h"
#include "lite/kernels/cpu/math/isa/panels.h"
#include "lite/kernels/cpu/math/isa/steps.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {

constexpr int kMostRows = 12;    // of a tile
constexpr int kMostVectors = 8;  // of a single row

// So many tiles are in the nearest cache before what ends them runs, which begins anew each time.
constexpr int kTilesAside = 4;

struct PanelPlace {
  PanelPlace(int64_t all_columns, int64_t index) {
    const int64_t total = (all_columns + kW - 1) / kW;
    const int64_t panels = PanelsOf(total);
    vectors = static_cast<int>(index == panels - 1 ? total - kPanelVectors * (panels - 1)
                                                   : kPanelVectors);
    first_column = index * kPanelVectors * kW;
    columns = all_columns - first_column;
    if (columns > vectors * kW) columns = vectors * kW;
  }
  int LastLanes() const { return static_cast<int>(columns - (vectors - 1) * kW); }

  int vectors;
  int64_t first_column, columns;  // in use
};

// The rows and columns of a result that a block computes, for the epilogue. `bias` of the epilogue
// begins with the block's columns.
struct BlockPlace {
  float* c;  // row 0, column 0
  int64_t ldc;
  int64_t row_count;
  int64_t first_row, first_column;  // of c in the result
  uint8_t* bytes = nullptr;         // in the place of c, where the epilogue rounds
};

// At most a vector's bytes.
LITE_INLINE void CopyBytes(uint8_t* to, const uint8_t* from, int count) {
  static_assert(kW <= 16);
  const auto copy = [&](auto size) __attribute__((always_inline)) {
    if ((count & size) == 0) return;
    __builtin_memcpy(to, from, size);
    to += size, from += size;
  };
  copy(std::integral_constant<int, 16>());
  copy(std::integral_constant<int, 8>());
  copy(std::integral_constant<int, 4>());
  copy(std::integral_constant<int, 2>());
  copy(std::integral_constant<int, 1>());
}

// Bias, activation and steps of a panel: in the microkernel's registers where it can. The block and
// the panel must outlive it.
class PanelFinish {
 public:
  PanelFinish(const Epilogue& epilogue, const BlockPlace& block, const PanelPlace& panel)
      : epilogue_(epilogue), block_(block), panel_(panel) {
    act_in_registers_ = InRegisters(epilogue.act, &act_);
    steps_ = epilogue.rounding != nullptr || !act_in_registers_ ||
             (epilogue.step_count > 0 && !StepsInRegisters());
    if (epilogue.rounding != nullptr) FindByteSteps();
    FindBias(epilogue.bias);
  }
  PanelFinish(const PanelFinish&) = delete;

  // What a tile needs to end with the last K block.
  template <typename Tile>
  void Set(Tile* t) const {
    t->bias = bias_;
    t->lanes = panel_.LastLanes();
    t->finish = act_.finish;
    t->p0 = act_.p0;
    t->p1 = act_.p1;
    t->p2 = act_.p2;
    t->p3 = p3_;
    t->p4 = p4_;
  }

  // Whether microkernels write the results themselves.
  bool direct() const { return !steps_ && (kReadsTails || whole()); }

  // How tiles of so many rows follow each other, and how many of them before Run is called again.
  template <typename Tile>
  int64_t Follow(int rows, int64_t tiles, Tile* t) const {
    t->rows_step = rows;
    t->residual_step = residual_stride_ * rows;
    t->out_step = rows * (direct() ? block_.ldc : panel_.vectors * kW);
    return direct() || tiles < kTilesAside ? tiles : kTilesAside;
  }

  // Where they do.
  template <typename Tile>
  void Aim(int64_t row, Tile* t) const {
    t->out = block_.c + row * block_.ldc + panel_.first_column;
    t->ldout = block_.ldc;
    if (residual_ != nullptr) t->residual = residual_ + row * residual_stride_;
    t->ldresidual = residual_stride_;
  }

  // Runs `tile` for rows [row, row + count) of the block, one or several tiles, to their results.
  template <typename Tile>
  void Run(void (*tile)(const Tile&), int64_t row, int count, Tile* t) const {
    if (direct()) {
      Aim(row, t);
      return tile(*t);
    }
    alignas(64) float buffer[kTilesAside * kMostRows * kPanelVectors * kW];
    t->out = buffer;
    t->ldout = panel_.vectors * kW;
    tile(*t);
    EndAside(buffer, t->ldout, row, count);
  }

  // Whether SumsToBytes does all that is left.
  bool ends_in_bytes() const {
    return bytes_in_registers_ && (act_.finish == kClamp || !act_in_registers_);
  }

#if defined(__AVX2__)
  // Whether a tile of integers can do it, and then how.
  bool EndsInTiles(const float* scales, ByteFinish* finish) const {
    return ends_in_bytes() && (whole() || added_ == nullptr) && byte_steps_.InTiles(act_, finish) &&
           QuotientsFit(scales, bias_, panel_.columns, finish->division.by);
  }

  // From one row of theirs to the next.
  int64_t ByteRow() const { return in_place() ? block_.ldc : panel_.vectors * kW; }

  // As Follow, of such tiles.
  template <typename Tile>
  int64_t FollowInBytes(int rows, int64_t tiles, Tile* t) const {
    t->rows_step = rows;
    t->ldout = ByteRow();
    t->out_step = rows * t->ldout;
    return !in_place() && tiles > kTilesAside ? kTilesAside : tiles;
  }

  // Runs a tile that ends so, as Run; `table` is of byte_steps().
  template <typename Tile>
  void RunToBytes(void (*tile)(const Tile&), int64_t row, int count, const uint8_t* table,
                  Tile* t) const {
    uint8_t* const bytes = block_.bytes + row * block_.ldc + panel_.first_column;
    alignas(64) uint8_t aside[kTilesAside * kMostRows * kPanelVectors * kW];
    t->out = reinterpret_cast<float*>(in_place() ? bytes : aside);
    tile(*t);
    if (in_place()) return;
    if (added_ != nullptr)
      return byte_steps_.AddToBytes(count, panel_.columns, t->bytes, aside, t->ldout, AddedOf(row),
                                    bytes, block_.ldc);
    if (byte_steps_.rounds_twice()) MapBytes(aside, count * t->ldout, table, aside);
    const int64_t last = (panel_.vectors - 1) * kW;
    const int lanes = panel_.LastLanes();
    for (int r = 0; r < count; ++r) {
      uint8_t* const to = bytes + r * block_.ldc;
      const uint8_t* const from = aside + r * t->ldout;
      for (int64_t j = 0; j < last; j += kW) __builtin_memcpy(to + j, from + j, kW);
      CopyBytes(to + last, from + last, lanes);
    }
  }
  const ByteSteps& byte_steps() const { return byte_steps_; }

  // The same of whole vectors of a tile that adds bytes itself.
  template <typename Tile>
  void RunAdding(void (*tile)(const Tile&), int64_t row, Tile* t) const {
    t->out = reinterpret_cast<float*>(block_.bytes + row * block_.ldc + panel_.first_column);
    t->ldout = block_.ldc;
    t->added = AddedOf(row);
    t->ldadded = added_stride_;
    tile(*t);
  }
#endif

  // scales * sum + bias, rounded as the vectors' kernels do.
  LITE_INLINE_MEMBER V RealsOfSums(VI sums, const float* scales, int64_t column) const {
    V reals = Load(bias_ + column);
    MulAdd(&reals, __builtin_convertvector(sums, V), Load(scales + column));
    return reals;
  }

  // Sums of integers, `ld` apart, to the bytes of rows [row, row + count).
  void SumsToBytes(const int32_t* sums, int64_t ld, const float* scales, int64_t row,
                   int count) const {
    const auto load = [&](int64_t r, int64_t j) __attribute__((always_inline)) {
      return RealsOfSums(*reinterpret_cast<const VI*>(sums + r * ld + j), scales, j);
    };
    byte_steps_.Run(count, panel_.columns, act_, load, AddedOf(row),
                    block_.bytes + row * block_.ldc + panel_.first_column, block_.ldc);
  }

#if defined(__aarch64__)
  void Run(void (*tile)(NeonTile*), int64_t row, int count, NeonTile* t) const {
    t->tiles = 1;
    if (direct()) {
      Aim(row, t);
      return tile(t);
    }
    alignas(64) float buffer[kMostRows * kPanelVectors * kW];
    t->out = buffer;
    t->ldout = panel_.vectors * kW;
    tile(t);
    if (steps_) return EndAside(buffer, t->ldout, row, count);
    float* const c = block_.c + row * block_.ldc + panel_.first_column;
    for (int r = 0; r < count; ++r)
      for (int64_t j = 0; j < panel_.columns; ++j) c[r * block_.ldc + j] = buffer[r * t->ldout + j];
  }
#endif

 private:
  // Whether all columns are those of whole vectors.
  bool whole() const { return panel_.LastLanes() == kW; }
#if defined(__AVX2__)
  // Whether tiles that end in bytes write those of the result.
  bool in_place() const { return whole() && !byte_steps_.rounds_twice(); }
#endif

  void FindBias(const float* bias) {
    bias_ = padded_bias_;
    if (bias != nullptr && panel_.columns == panel_.vectors * kW) {
      bias_ = bias + panel_.first_column;
      return;
    }
    for (int64_t j = 0; j < panel_.vectors * kW; ++j) {
      const bool used = bias != nullptr && j < panel_.columns;
      padded_bias_[j] = used ? bias[panel_.first_column + j] : 0;
    }
  }

  // An affine function after hard-swish, or a residual that may be clamped.
  bool StepsInRegisters() {
    const Epilogue& e = epilogue_;
    const EpilogueStep& step = e.steps[0];
    if (e.step_count == 1 && step.op == EpilogueStep::kAct && step.act.kind == Act::kAffine &&
        act_.finish == kHardSwish) {
      act_.finish = kHardSwishAffine;
      p3_ = step.act.a;
      p4_ = step.act.b;
      return true;
    }
    ActParameters clamp;
    if (e.step_count > 2 || step.op != EpilogueStep::kAdd || step.col_stride != 1) return false;
    if (step.bytes != nullptr) return false;
    if (e.step_count == 2 && (e.steps[1].op != EpilogueStep::kAct ||
                              !InRegisters(e.steps[1].act, &clamp) || clamp.finish != kClamp))
      return false;
    if (act_.finish != kClamp || (!kReadsTails && !whole())) return false;
    const int64_t first = FirstOperand(step);
    if (first < 0) return false;
    residual_ = step.data + first;
    residual_stride_ = step.row_stride;
    act_.finish = kResidual;
    act_.p2 = clamp.p0;
    p3_ = clamp.p1;
    return true;
  }

  // Where the operand of the panel's first element is, where its rows are row_stride apart; else
  // -1. Of a step with columns.
  int64_t FirstOperand(const EpilogueStep& step) const {
    const int64_t image_rows = epilogue_.rows_per_image, row0 = block_.first_row;
    const int64_t column = block_.first_column + panel_.first_column;
    if (image_rows <= 0) return row0 * step.row_stride + column;
    const int64_t image = row0 / image_rows;
    if (step.image_stride != image_rows * step.row_stride &&
        (row0 + block_.row_count - 1) / image_rows != image)
      return -1;
    return image * step.image_stride + (row0 - image * image_rows) * step.row_stride + column;
  }

  const uint8_t* AddedOf(int64_t row) const {
    return added_ == nullptr ? nullptr : added_ + row * added_stride_;
  }

  void FindByteSteps() {
    if (!byte_steps_.Fit(epilogue_, act_in_registers_ ? nullptr : &epilogue_.act)) return;
    bytes_in_registers_ = true;
    if (byte_steps_.added() == nullptr) return;
    const int64_t first = FirstOperand(*byte_steps_.added());
    bytes_in_registers_ = first >= 0;
    added_ = byte_steps_.added()->bytes + first;
    added_stride_ = byte_steps_.added()->row_stride;
  }

  // What a tile left in `buffer`, to its results: steps, or bytes.
  void EndAside(float* buffer, int64_t ld, int64_t row, int count) const {
    const int64_t at = row * block_.ldc + panel_.first_column;
    if (epilogue_.rounding == nullptr)
      return RunSteps(block_.c + at, block_.ldc, buffer, row, count);
    uint8_t* const bytes = block_.bytes + at;
    if (bytes_in_registers_) {
      const auto load = [&](int64_t r, int64_t j) __attribute__((always_inline)) {
        return Load(buffer + r * ld + j);
      };
      return byte_steps_.Run(count, panel_.columns, {}, load, AddedOf(row), bytes, block_.ldc);
    }
    if (epilogue_.step_count > 0 || !act_in_registers_) RunSteps(buffer, ld, buffer, row, count);
    RoundBlock(count, panel_.columns, buffer, ld, *epilogue_.rounding, bytes, block_.ldc);
  }

  void RunSteps(float* c, int64_t ldc, float* buffer, int64_t row, int count) const {
    const Epilogue& e = epilogue_;
    const int64_t width = panel_.vectors * kW;
    if (!act_in_registers_) {
      EpilogueStep act;
      act.act = e.act;
      float* y = e.step_count > 0 ? buffer : c;
      LITE_ISA::RunSteps(count, panel_.columns, buffer, width, y, e.step_count > 0 ? width : ldc,
                         &act, 1, 0, 0, 0);
      if (e.step_count == 0) return;
    }
    LITE_ISA::RunSteps(count, panel_.columns, buffer, width, c, ldc, e.steps, e.step_count,
                       e.rows_per_image, block_.first_row + row,
                       block_.first_column + panel_.first_column);
  }

  const Epilogue& epilogue_;
  const BlockPlace& block_;
  const PanelPlace& panel_;
  ActParameters act_;
  float p3_ = 0, p4_ = 0;
  const float* residual_ = nullptr;
  int64_t residual_stride_ = 0;
  ByteSteps byte_steps_;
  const uint8_t* added_ = nullptr;
  int64_t added_stride_ = 0;
  bool act_in_registers_, steps_, bytes_in_registers_ = false;
  const float* bias_;
  alignas(64) float padded_bias_[kMostVectors * kW];
};

}  // namespace paddle::lite::math::LITE_ISA
