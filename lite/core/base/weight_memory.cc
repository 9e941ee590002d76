#include "lite/core/base/weight_memory.h"

#include <utility>

namespace paddle::lite::math {
namespace {

thread_local WeightMemory* weight_memory = nullptr;

}  // namespace

WeightMemory* CurrentWeightMemory() { return weight_memory; }

WeightPrecision CurrentPrecision() {
  return weight_memory == nullptr ? WeightPrecision::kFp32 : weight_memory->precision();
}

UseWeightMemory::UseWeightMemory(WeightMemory* memory)
    : before_(std::exchange(weight_memory, memory)) {}

UseWeightMemory::~UseWeightMemory() { weight_memory = before_; }

}  // namespace paddle::lite::math
