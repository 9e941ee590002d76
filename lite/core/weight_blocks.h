// WeightBlocks: memory for packed weights. They stand side by side in a few large blocks, so that
// huge pages serve them without a rest of one page each.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lite/core/base/weight_memory.h"
#include "lite/core/file_pages.h"
#include "lite/core/stored_weights.h"

namespace paddle::lite {

class WeightBlocks final : public math::WeightMemory {
 public:
  // A block goes back to the system with the last that was taken from it and with `this`.
  std::shared_ptr<void> Take(size_t bytes, bool* packed) override;
  void Drop(const void* data, size_t bytes) override;
  void Begin(const void* weight, const std::string& form) override;
  void End() override;

  // The constants that are packed for the last time now, and the file that they stand in.
  void set_last_read(std::vector<const void*> constants, std::shared_ptr<FilePages> pages);

  // Forms of weights that stand in a file: they are taken from there. `weights` are the constants
  // by name; before something else reads one of `unread`, `read` is called.
  void set_stored(std::shared_ptr<const StoredWeights> stored,
                  const std::map<std::string, const void*>& weights, std::set<const void*> unread,
                  std::function<void()> read);
  // A kernel reads the weight's own data.
  void NeedsOwnData(const void* weight);

  // A piece of memory of a form of a weight that was taken, packed by now.
  struct Taken {
    const void* weight;
    std::string form;
    uint32_t part;
    const void* data;
    size_t bytes;
  };
  const std::vector<Taken>& taken() const { return taken_; }

 private:
  std::shared_ptr<void> TakeRoom(size_t bytes);
  std::shared_ptr<void> TakeStored(size_t bytes) const;

  struct Block {
    std::shared_ptr<void> memory;
    size_t bytes = 0, used = 0;
  };
  std::vector<Block> blocks_;
  size_t total_ = 0;
  std::vector<const void*> last_read_;
  std::shared_ptr<FilePages> pages_;
  const void* weight_ = nullptr;  // that is packed now
  std::string form_;
  uint32_t part_ = 0;
  std::vector<Taken> taken_;
  using Form = std::pair<const void*, std::string>;
  std::shared_ptr<const StoredWeights> stored_;
  std::map<Form, std::map<uint32_t, const PackedPart*>> stored_parts_;
  std::set<const void*> unread_;
  std::function<void()> read_;
};

}  // namespace paddle::lite
