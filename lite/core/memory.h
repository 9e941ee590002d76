// Aligned allocation under a limit that keeps a hostile shape from taking the machine down.
#pragma once

#include <cstddef>
#include <memory>

namespace paddle::lite {

// Bytes that one allocation may ask for; by default 80 % of what the machine has available.
size_t MemoryLimit();
// Sets the limit in bytes; 0 restores the default.
void SetMemoryLimit(size_t bytes);

// Whether `bytes` are within the limit that was set, or the default one as far as that matters.
bool FitsMemoryLimit(size_t bytes);
// Throws LiteError, naming `what`, where `bytes` is above the limit.
void CheckMemoryLimit(size_t bytes, const char* what);

// Whether large memory asks for huge pages: they fault in faster and need fewer entries of the TLB,
// but are there as a whole from the first touch on.
enum class PageChoice { kHuge, kSmall };

// 64-byte aligned memory (2 MiB aligned from 2 MiB on). Throws LiteError above the limit and
// std::bad_alloc where the system has none. Never returns null, not for 0 bytes either.
std::shared_ptr<void> AllocateAligned(size_t bytes, PageChoice pages = PageChoice::kHuge);

// Gives memory that was freed back to the system: the allocator keeps large pieces otherwise.
void ReturnFreedMemory();

}  // namespace paddle::lite
