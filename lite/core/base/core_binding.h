// Which cores a thread and the pool's workers that help it may run on.
#pragma once

#include <bitset>
#include <vector>

#include "lite/core/base/cpu_info.h"

namespace paddle::lite {

using CoreSet = std::bitset<1024>;  // by the system's numbers, as many as Linux's cpu_set_t has

// The names and numbers of Paddle Lite.
enum class PowerMode {
  kHigh = 0,      // the fast cores
  kLow = 1,       // the slow ones
  kFull = 2,      // all
  kNoBind = 3,    // where the system likes
  kRandHigh = 4,  // the system chooses among the cores anyway: as kHigh
  kRandLow = 5,   // as kLow
};

// The cores of a mode; empty for kNoBind, or where none is known. A core is fast above the middle
// between the smallest and the largest capacity; where these are alike (within a tenth: x86 prefers
// some of equal cores), every mode has all of them.
CoreSet CoresOf(PowerMode mode, const std::vector<CpuCore>& cores);

// Keeps the calling thread on some cores while it lives, and workers in its ParallelFor calls.
class CoreBinding {
 public:
  // Takes those of `cores` that the thread may use; where there are none it does nothing.
  explicit CoreBinding(const CoreSet& cores);
  ~CoreBinding();
  CoreBinding(const CoreBinding&) = delete;
  CoreBinding& operator=(const CoreBinding&) = delete;

  const CoreSet& cores() const { return cores_; }    // empty where it does nothing
  const CoreSet& before() const { return before_; }  // where the thread could run without it
  // The calling thread's innermost that does something; null without one.
  static const CoreBinding* Current();

 private:
  CoreSet cores_, before_;
  const CoreBinding* outer_ = nullptr;
};

}  // namespace paddle::lite
