// Notices hangs, crashes and allocations while hostile input is handled, and says which input.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paddle::lite::testing {

// True in builds without a sanitizer, which brings an allocator of its own.
extern const bool kCountsAllocations;

// Since the last call: bytes that `new` and aligned_alloc have been asked for, and the largest
// request to `new` alone, which the memory limit does not see.
struct Allocations {
  size_t total = 0, largest_new = 0;
};
Allocations TakeAllocations();

// After this, a crash or a hang ends the process and prints the words of Describe first.
void WatchProcess();
// What is being handled now: mutant `number` of the run with `seed`; 10 s of CPU time or 100 s end
// it.
void BeginInput(uint64_t seed, uint64_t number, const char* base);
void EndInput();

}  // namespace paddle::lite::testing
