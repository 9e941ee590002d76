#pragma once

// The end of a product whose results stay bytes, in registers.

#include "lite/kernels/cpu/math/isa/in_registers.h"
#include "lite/kernels/cpu/math/isa/round_steps.h"
#include "lite/kernels/cpu/math/isa/widen.h"

namespace paddle::lite::math::LITE_ISA {

// A product as it is rounded: the compiler fuses it with no addition.
LITE_INLINE V RoundedProduct(V product) {
#if defined(LITE_AVX512_MODEL)
  __asm__("" : "+m"(product));
#elif defined(__x86_64__)
  __asm__("" : "+v"(product));
#elif defined(__aarch64__)
  __asm__("" : "+w"(product));
#endif
  return product;
}

// What microkernels do for kBytes: reals are divided by a scale, rounded and clamped.
struct ByteFinish {
  Division division = Division(Int8Rounding());
  int zero = 0, lowest = 0, highest = 0;  // bytes
};

// Whether scale * sum + bias over `by` is int32 for all sums that are; whole vectors of them.
LITE_INLINE bool QuotientsFit(const float* scales, const float* bias, int64_t count, float by) {
  const V limit = Splat(by * 0x1.fp30f);
  VI fits = SplatInt(-1);
  for (int64_t j = 0; j < count; j += kW)
    fits &= Abs(Load(scales + j)) * Splat(0x1p31f) + Abs(Load(bias + j)) < limit;
  bool all = true;
  for (int i = 0; i < kW; ++i) all = all && fits[i] != 0;
  return all;
}

#if defined(__AVX2__)
struct ByteEnd {
  LITE_INLINE_MEMBER explicit ByteEnd(const ByteFinish& how)
      : by(Splat(how.division.by)),
        inverse(Splat(how.division.inverse)),
        mend(Splat(how.division.mend)),
        zero(SplatWords(how.zero)),
        lowest(SplatWords(how.lowest)),
        highest(SplatWords(how.highest)) {}

  LITE_INLINE_MEMBER VI Round(V real) const {
    return NearestInts(ExactQuotient(real, by, inverse, mend));
  }
  LITE_INLINE_MEMBER VI Round(VI sum, V scale, V bias) const {
    MulAdd(&bias, __builtin_convertvector(sum, V), scale);
    return Round(bias);
  }
  LITE_INLINE_MEMBER void Store(uint8_t* out, VI a, VI b) const { StoreWords(out, Words(a, b)); }
  LITE_INLINE_MEMBER void Store(uint8_t* out, VI a) const {
    const auto bytes = BytesOfWords(Words(a, a));
    __builtin_memcpy(out, &bytes, kW);
  }

 private:
  LITE_INLINE_MEMBER VS Words(VI a, VI b) const {
    const VS words = AddWords(PackWords(a, b), zero);
    const VS least = words > lowest ? words : lowest;
    return least < highest ? least : highest;
  }

  V by, inverse, mend;
  VS zero, lowest, highest;
};

// The same of what is rounded to a scale first, before bytes are added.
struct AddingEnd {
  LITE_INLINE_MEMBER AddingEnd(const ByteFinish& first_rounding, const ByteFinish& last_rounding,
                               const EpilogueStep& added)
      : first(first_rounding),
        last(last_rounding),
        lowest(SplatInt(first_rounding.lowest - first_rounding.zero)),
        highest(SplatInt(first_rounding.highest - first_rounding.zero)),
        step(Splat(first_rounding.division.by)),
        zero(SplatInt(added.byte_zero)),
        scale(Splat(added.byte_scale)) {}

  LITE_INLINE_MEMBER VI Round(VI sum, V factor, V bias, const uint8_t* added) const {
    VI steps = first.Round(sum, factor, bias);
    steps = steps > lowest ? steps : lowest;
    return Add(steps < highest ? steps : highest, added);
  }
  // Of what is rounded first.
  LITE_INLINE_MEMBER VI Add(VI steps, const uint8_t* added) const {
    V v = RoundedProduct(__builtin_convertvector(steps, V) * step);
    v += RoundedProduct(__builtin_convertvector(WidenBytes(added) - zero, V) * scale);
    return last.Round(v);
  }

  ByteEnd first, last;
  VI lowest, highest;
  V step;
  VI zero;
  V scale;
};
#endif

// Rounding to a scale, bytes that are added, a clamp: each or none of them, before results are
// divided by a scale and rounded to bytes.
class ByteSteps {
 public:
  // Whether the steps behind what microkernels do are of that form; `act` is the epilogue's, where
  // it is one of them, else null.
  bool Fit(const Epilogue& e, const Activation* act) {
    rounding_ = e.rounding;
    if (!rounding_->divides && !rounding_->ties_to_even) return false;
    if (!HasExactQuotients(rounding_->factor)) return false;
    const EpilogueStep *step = e.steps, *const end = e.steps + e.step_count;
    if (act == nullptr && step != end && step->op == EpilogueStep::kAct &&
        step->act.kind == Act::kSteps)
      act = &step++->act;
    if (act != nullptr) {
      if (act->kind != Act::kSteps || !HasExactQuotients(act->a)) return false;
      steps_ = act;
    }
    if (step != end && step->op == EpilogueStep::kAdd && step->bytes != nullptr &&
        step->col_stride == 1)
      added_ = step++;
    if (added_ != nullptr && step != end && step->op == EpilogueStep::kAct &&
        InRegisters(step->act, &clamp_) && clamp_.finish == kClamp)
      ++step;
    return step == end;
  }

  const EpilogueStep* added() const { return added_; }

#if defined(__AVX2__)
  // Whether sums of whole vectors may be bytes before these steps are run: rounded to the first
  // scale there is, with nothing but `act`, which clamps, before. The rest is for FillTable or
  // AddToBytes.
  bool InTiles(const ActParameters& act, ByteFinish* finish) const {
    if (!rounds_twice()) return added_ == nullptr && FinishOf(*rounding_, act, finish);
    // What is rounded last must be int32.
    const float steps = __builtin_fmaxf(-steps_->b, steps_->c) * steps_->a;
    const float added = added_ == nullptr ? 0 : 255.0f * __builtin_fabsf(added_->byte_scale);
    ByteFinish last;
    return steps + added < Division(*rounding_).by * 0x1.fp30f &&
           FinishOf(*rounding_, clamp_, &last) && FinishOf(RoundingOf(*steps_), act, finish);
  }
  bool rounds_twice() const { return steps_ != nullptr; }

  // What becomes of each byte that InTiles rounded so.
  void FillTable(const ByteFinish& first, uint8_t (&table)[256]) const {
    if (!rounds_twice() || added_ != nullptr) return;
    const ByteEnd end(Last());
    const V step = Splat(first.division.by);
    VI steps = SplatInt(-first.zero);
    for (int i = 0; i < kW; ++i) steps[i] += i;
    for (int i = 0; i < 256; i += kW, steps += kW)
      end.Store(table + i, end.Round(RoundedProduct(__builtin_convertvector(steps, V) * step)));
  }

  // How sums end that InTiles rounds first, where bytes are added.
  AddingEnd EndOfAdding(const ByteFinish& first) const { return AddingEnd(first, Last(), *added_); }

  // Rows of such bytes, whole vectors, to those of the result.
  void AddToBytes(int64_t rows, int64_t cols, const ByteFinish& first, const uint8_t* x,
                  int64_t ldx, const uint8_t* added, uint8_t* out, int64_t ldout) const {
    const AddingEnd end = EndOfAdding(first);
    const VI zero = SplatInt(first.zero);
    for (int64_t r = 0; r < rows; ++r, x += ldx, added += added_->row_stride, out += ldout) {
      const auto at = [&](int64_t j) __attribute__((always_inline)) {
        return end.Add(WidenBytes(x + j) - zero, added + j);
      };
      int64_t j = 0;
      for (; j + 2 * kW <= cols; j += 2 * kW) end.last.Store(out + j, at(j), at(j + kW));
      if (j < cols) end.last.Store(out + j, at(j));
    }
  }
#endif

  // Rows of `cols` numbers to bytes: load(row, column) gives a vector of reals, of which the last
  // may reach beyond `cols`; `act` clamps them. `added` are those of the first row.
  template <typename LoadReals>
  LITE_INLINE_MEMBER void Run(int64_t rows, int64_t cols, const ActParameters& act,
                              const LoadReals& load, const uint8_t* added, uint8_t* out,
                              int64_t ldout) const {
    if (steps_ != nullptr)
      added_ != nullptr ? RunRows<true, true>(rows, cols, act, load, added, out, ldout)
                        : RunRows<true, false>(rows, cols, act, load, added, out, ldout);
    else
      added_ != nullptr ? RunRows<false, true>(rows, cols, act, load, added, out, ldout)
                        : RunRows<false, false>(rows, cols, act, load, added, out, ldout);
  }

 private:
#if defined(__AVX2__)
  // False where there are more than bytes.
  static bool FinishOf(const Int8Rounding& how, const ActParameters& act, ByteFinish* finish) {
    const float low = how.lowest, high = how.highest;
    if (!(high - low <= 255) || !(act.p0 <= act.p1)) return false;
    const auto byte = [&](float bound) {
      const float steps =
          __builtin_nearbyintf(how.divides ? bound / how.factor : bound * how.factor);
      return how.zero + static_cast<int>(steps < low ? low : steps > high ? high : steps);
    };
    *finish = {Division(how), how.zero, byte(act.p0), byte(act.p1)};
    return true;
  }

  // How what InTiles rounds first is rounded in the end.
  ByteFinish Last() const {
    ByteFinish last = {};
    FinishOf(*rounding_, clamp_, &last);
    return last;
  }
#endif

  template <bool kRounds, bool kAdds, typename LoadReals>
  LITE_INLINE_MEMBER void RunRows(int64_t rows, int64_t cols, const ActParameters& act,
                                  const LoadReals& load, const uint8_t* added, uint8_t* out,
                                  int64_t ldout) const {
    // What is rounded first is clamped by that.
    const ActParameters& last = kAdds ? clamp_ : kRounds ? ActParameters() : act;
    const StepRounding<Ties::kQuotient> round(*rounding_, last.p0, last.p1);
    const StepRounding<Ties::kQuotient> steps(kRounds ? RoundingOf(*steps_) : Int8Rounding(),
                                              act.p0, act.p1);
    const V low = Splat(act.p0), high = Splat(act.p1);
    const V scale = Splat(kAdds ? added_->byte_scale : 0);
    const VI zero = SplatInt(kAdds ? added_->byte_zero : 0);
    const int64_t stride = kAdds ? added_->row_stride : 0;
    const int byte = rounding_->zero;
    const auto finish = [&](V v, const uint8_t* bytes) __attribute__((always_inline)) {
      if (kRounds) v = RoundedProduct(__builtin_convertvector(steps(v), V) * steps.by);
      if (kAdds) {
        if (!kRounds) v = Clamp(v, low, high);
        v += RoundedProduct(__builtin_convertvector(WidenBytes(bytes) - zero, V) * scale);
      }
      return round(v);
    };
    const int64_t whole = cols / kW * kW;
    for (int64_t r = 0; r < rows; ++r, out += ldout) {
      const uint8_t* const operand = kAdds ? added + r * stride : nullptr;
      const auto at = [&](int64_t j) __attribute__((always_inline)) {
        return finish(load(r, j), kAdds ? operand + j : nullptr);
      };
      int64_t j = 0;
      for (; j + 2 * kW <= cols; j += 2 * kW) StoreTwoQuads(out + j, at(j), at(j + kW), byte);
      if (j < whole) StoreQuads(out + j, at(j), byte);
      if (whole == cols) continue;
      uint8_t rest[kW] = {}, end[kW];
      const auto count = static_cast<size_t>(cols - whole);
      if (kAdds) __builtin_memcpy(rest, operand + whole, count);
      StoreQuads(end, finish(load(r, whole), rest), byte);
      __builtin_memcpy(out + whole, end, count);
    }
  }

  static Int8Rounding RoundingOf(const Activation& steps) {
    Int8Rounding how;
    how.factor = steps.a, how.lowest = steps.b, how.highest = steps.c;
    how.zero = -static_cast<int>(steps.b);
    how.divides = true;
    return how;
  }

  const Int8Rounding* rounding_ = nullptr;
  const Activation* steps_ = nullptr;
  const EpilogueStep* added_ = nullptr;
  ActParameters clamp_;
};

}  // namespace paddle::lite::math::LITE_ISA
