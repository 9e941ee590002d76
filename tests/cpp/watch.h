// Notices hangs, crashes and allocations while hostile input is handled, and says which input.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paddle::lite::testing {

// True in builds without a sanitizer, which brings an allocator of its own.
extern const bool kCountsAllocations;

// Bytes that `new` and aligned_alloc have been asked for since the last call.
size_t TakeAllocatedBytes();

// After this, a crash or a hang ends the process and prints the words of Describe first.
void WatchProcess();
// What is being handled now: mutant `number` of the run with `seed`; ends it after 10 s.
void BeginInput(uint64_t seed, uint64_t number, const char* base);
void EndInput();

}  // namespace paddle::lite::testing
