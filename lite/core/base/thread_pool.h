#pragma once

#include <cstddef>
#include <cstdint>

#include "lite/core/base/function_ref.h"

namespace paddle::lite {

// Calls body(0) ... body(chunks - 1), each once, on the calling thread and at most threads - 1
// workers of the process's pool, and returns when all have returned. Order is not defined.
//
// The caller works too and waits only for workers that have taken part, so it always finishes.
// Inside a chunk ParallelFor runs on the chunk's own thread. Several threads may call at once.
// The first exception that a chunk throws is rethrown here; chunks not yet begun are dropped.
void ParallelFor(int threads, int64_t chunks, FunctionRef<void(int64_t)> body);

// Who uses a scratch slot: a function may use the buffer of its own level while it calls others of
// a lower one.
enum ScratchSlot {
  kScratchBlock = 0,     // a block of a chunk's rows
  kScratchChunk = 1,     // the body of a math chunk
  kScratchFunction = 2,  // a math function around its chunks (packed operands)
  kScratchKernel = 3,    // an operator's kernel around math functions
  kScratchSlots = 4
};

// At least `bytes` bytes, 64-byte aligned, belonging to the calling thread and the slot until the
// next call for that slot or the thread's end. Contents are undefined. Throws std::bad_alloc.
void* ThreadScratch(size_t bytes, ScratchSlot slot = kScratchChunk);

// Workers started so far in this process (0 until the first ParallelFor with threads > 1).
int ThreadPoolWorkers();

}  // namespace paddle::lite
