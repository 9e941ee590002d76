// WeightMemory: where kernels put the weights that they pack, and how precise they keep them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace paddle::lite::math {

// What the operands of products with constant weights are rounded to; kExact: nothing, and no form
// of them is taken that is faster and rounds more.
enum class WeightPrecision { kFp32, kBf16, kFp16, kExact };

inline bool RoundsOperands(WeightPrecision precision) {
  return precision == WeightPrecision::kBf16 || precision == WeightPrecision::kFp16;
}

// Where packed weights stand. While one lives, what this thread packs is put there.
class WeightMemory {
 public:
  virtual ~WeightMemory() = default;
  // 64-byte aligned. `*packed` tells that what is to be packed there stands there already. Throws
  // std::bad_alloc.
  virtual std::shared_ptr<void> Take(size_t bytes, bool* packed) = 0;
  // The first `bytes` of the matrix at `data` were packed: they may go.
  virtual void Drop(const void* data, size_t bytes) = 0;
  // What is taken until End() is `form` of the weight, in the same order each time.
  virtual void Begin(const void* weight, const std::string& form) = 0;
  virtual void End() = 0;

  WeightPrecision precision() const { return precision_; }
  void set_precision(WeightPrecision precision) { precision_ = precision; }

 private:
  WeightPrecision precision_ = WeightPrecision::kFp32;
};

// Of this thread; null where there is none.
WeightMemory* CurrentWeightMemory();
// fp32 without a WeightMemory.
WeightPrecision CurrentPrecision();

class UseWeightMemory {
 public:
  explicit UseWeightMemory(WeightMemory* memory);
  ~UseWeightMemory();
  UseWeightMemory(const UseWeightMemory&) = delete;
  UseWeightMemory& operator=(const UseWeightMemory&) = delete;

 private:
  WeightMemory* const before_;
};

}  // namespace paddle::lite::math
