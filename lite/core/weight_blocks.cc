#include "lite/core/weight_blocks.h"

#include <algorithm>
#include <utility>

#include "lite/core/memory.h"

namespace paddle::lite {

std::shared_ptr<void> WeightBlocks::TakeRoom(size_t bytes) {
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

std::shared_ptr<void> WeightBlocks::Take(size_t bytes, bool* packed) {
  if (weight_ == nullptr) {
    *packed = false;
    return TakeRoom(bytes);
  }
  std::shared_ptr<void> memory = TakeStored(bytes);
  *packed = memory != nullptr;
  if (!*packed) {
    NeedsOwnData(weight_);
    memory = TakeRoom(bytes);
  }
  taken_.push_back({weight_, form_, part_++, memory.get(), bytes});
  return memory;
}

void WeightBlocks::Begin(const void* weight, const std::string& form) {
  weight_ = weight;
  form_ = form;
  part_ = 0;
  if (stored_parts_.count({weight, form}) == 0) NeedsOwnData(weight);
}

void WeightBlocks::End() { weight_ = nullptr; }

void WeightBlocks::set_stored(std::shared_ptr<const StoredWeights> stored,
                              const std::map<std::string, const void*>& weights,
                              std::set<const void*> unread, std::function<void()> read) {
  stored_ = std::move(stored);
  for (const PackedPart& part : stored_->parts()) {
    const auto weight = weights.find(part.weight);
    if (weight != weights.end()) stored_parts_[{weight->second, part.form}][part.part] = &part;
  }
  unread_ = std::move(unread);
  read_ = std::move(read);
}

std::shared_ptr<void> WeightBlocks::TakeStored(size_t bytes) const {
  const auto form = stored_parts_.find({weight_, form_});
  if (form == stored_parts_.end()) return nullptr;
  const auto part = form->second.find(part_);
  if (part == form->second.end() || part->second->bytes != bytes) return nullptr;
  return stored_->Bytes(*part->second);
}

void WeightBlocks::NeedsOwnData(const void* weight) {
  if (unread_.count(weight) == 0) return;
  read_();
  unread_.clear();
}

}  // namespace paddle::lite
