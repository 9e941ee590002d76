#pragma once

// The end of a product whose results stay bytes, in registers.

#include "lite/kernels/cpu/math/isa/in_registers.h"
#include "lite/kernels/cpu/math/isa/round_steps.h"
#include "lite/kernels/cpu/math/isa/widen.h"

namespace paddle::lite::math::LITE_ISA {

// A product as it is rounded: the compiler fuses it with no addition.
LITE_INLINE V RoundedProduct(V product) {
#if defined(__x86_64__)
  __asm__("" : "+v"(product));
#elif defined(__aarch64__)
  __asm__("" : "+w"(product));
#endif
  return product;
}

// Rounding to a scale, bytes that are added, a clamp: each or none of them, before results are
// divided by a scale and rounded to bytes.
class ByteSteps {
 public:
  // Whether the steps behind what microkernels do are of that form; `act` is the epilogue's, where
  // it is one of them, else null.
  bool Fit(const Epilogue& e, const Activation* act) {
    if (!e.rounding->divides || !HasExactQuotients(e.rounding->factor)) return false;
    rounding_ = e.rounding;
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

  // Rows of `cols` numbers to bytes: load(row, column) gives a vector of reals, of which the last
  // may reach beyond `cols`. `added` are those of the first row.
  template <typename LoadReals>
  LITE_INLINE_MEMBER void Run(int64_t rows, int64_t cols, const LoadReals& load,
                              const uint8_t* added, uint8_t* out, int64_t ldout) const {
    if (steps_ != nullptr)
      added_ != nullptr ? RunRows<true, true>(rows, cols, load, added, out, ldout)
                        : RunRows<true, false>(rows, cols, load, added, out, ldout);
    else
      added_ != nullptr ? RunRows<false, true>(rows, cols, load, added, out, ldout)
                        : RunRows<false, false>(rows, cols, load, added, out, ldout);
  }

 private:
  template <bool kRounds, bool kAdds, typename LoadReals>
  LITE_INLINE_MEMBER void RunRows(int64_t rows, int64_t cols, const LoadReals& load,
                                  const uint8_t* added, uint8_t* out, int64_t ldout) const {
    const StepRounding<Ties::kQuotient> round(*rounding_);
    const StepRounding<Ties::kQuotient> steps(kRounds ? RoundingOf(*steps_) : Int8Rounding());
    const V low = Splat(clamp_.p0), high = Splat(clamp_.p1);
    const V scale = Splat(kAdds ? added_->byte_scale : 0);
    const VI zero = SplatInt(kAdds ? added_->byte_zero : 0);
    const int64_t stride = kAdds ? added_->row_stride : 0;
    const int byte = rounding_->zero;
    const auto finish = [&](V v, const uint8_t* bytes) __attribute__((always_inline)) {
      if (kRounds) v = RoundedProduct(__builtin_convertvector(steps(v), V) * steps.factor);
      if (kAdds) {
        const V reals = __builtin_convertvector(WidenBytes(bytes) - zero, V);
        v = Clamp(v + RoundedProduct(reals * scale), low, high);
      }
      return round(v);
    };
    const int64_t whole = cols / kW * kW;
    for (int64_t r = 0; r < rows; ++r, out += ldout) {
      const uint8_t* const operand = kAdds ? added + r * stride : nullptr;
      for (int64_t j = 0; j < whole; j += kW)
        StoreQuads(out + j, finish(load(r, j), kAdds ? operand + j : nullptr), byte);
      if (whole == cols) continue;
      uint8_t rest[kW] = {}, last[kW];
      const auto count = static_cast<size_t>(cols - whole);
      if (kAdds) __builtin_memcpy(rest, operand + whole, count);
      StoreQuads(last, finish(load(r, whole), rest), byte);
      __builtin_memcpy(out + whole, last, count);
    }
  }

  static Int8Rounding RoundingOf(const Activation& steps) {
    Int8Rounding how;
    how.factor = steps.a, how.lowest = steps.b, how.highest = steps.c;
    return how;
  }

  const Int8Rounding* rounding_ = nullptr;
  const Activation* steps_ = nullptr;
  const EpilogueStep* added_ = nullptr;
  ActParameters clamp_;
};

}  // namespace paddle::lite::math::LITE_ISA
