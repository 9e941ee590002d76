#include "lite/core/base/core_binding.h"

#include <algorithm>

#include "lite/core/base/system.h"

namespace paddle::lite {
namespace {

thread_local const CoreBinding* current_binding = nullptr;

}  // namespace

CoreSet CoresOf(PowerMode mode, const std::vector<CpuCore>& cores) {
  CoreSet chosen;
  if (mode == PowerMode::kNoBind || cores.empty()) return chosen;
  const auto [least, most] = std::minmax_element(
      cores.begin(), cores.end(),
      [](const CpuCore& a, const CpuCore& b) { return a.capacity < b.capacity; });
  const bool alike = least->capacity >= most->capacity - most->capacity / 10;
  const bool all = mode == PowerMode::kFull || alike;
  const bool fast = mode == PowerMode::kHigh || mode == PowerMode::kRandHigh;
  const int64_t middle = (least->capacity + most->capacity) / 2;
  for (const CpuCore& core : cores)
    if (core.number >= 0 && static_cast<size_t>(core.number) < chosen.size())
      chosen[core.number] = all || (core.capacity > middle) == fast;
  return chosen;
}

CoreBinding::CoreBinding(const CoreSet& cores) : outer_(current_binding) {
  if (cores.none()) return;
  before_ = system::ThreadCores();
  cores_ = before_ & cores;
  if (cores_.none()) return;
  if (cores_ != before_) system::SetThreadCores(cores_);
  current_binding = this;
}

CoreBinding::~CoreBinding() {
  if (cores_.none()) return;
  if (cores_ != before_) system::SetThreadCores(before_);
  current_binding = outer_;
}

const CoreBinding* CoreBinding::Current() { return current_binding; }

}  // namespace paddle::lite
