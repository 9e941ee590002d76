#include "lite/core/weight_blocks.h"

#include <algorithm>
#include <utility>

#include "lite/core/memory.h"

namespace paddle::lite {

std::shared_ptr<void> WeightBlocks::Take(size_t bytes, bool* packed) {
  *packed = false;
  // A weight as large as this is packed while its own memory goes: all its pages must not be there
  // from the first touch on.
  constexpr size_t kOwnFrom = size_t{64} << 20;
  constexpr size_t kFirst = size_t{256} << 10, kLargest = size_t{32} << 20;
  bytes = (bytes + 63) / 64 * 64;
  if (bytes >= kOwnFrom) return AllocateAligned(bytes, PageChoice::kSmall);
  const auto take = [bytes](Block& block) -> std::shared_ptr<void> {
    char* const at = static_cast<char*>(block.memory.get()) + block.used;
    block.used += bytes;
    return {block.memory, at};
  };
  for (Block& block : blocks_)
    if (block.bytes - block.used >= bytes) return take(block);
  const size_t size = std::max(std::clamp(total_, kFirst, kLargest), bytes);
  blocks_.push_back({AllocateAligned(size), size, 0});
  total_ += size;
  return take(blocks_.back());
}

void WeightBlocks::set_last_read(std::vector<const void*> constants,
                                 std::shared_ptr<FilePages> pages) {
  last_read_ = std::move(constants);
  pages_ = std::move(pages);
}

void WeightBlocks::Drop(const void* data, size_t bytes) {
  if (pages_ == nullptr) return;
  if (std::find(last_read_.begin(), last_read_.end(), data) == last_read_.end()) return;
  pages_->Drop(data, bytes);
}

void WeightBlocks::Begin(const void*, const std::string&) {}
void WeightBlocks::End() {}

}  // namespace paddle::lite
