// WeightBlocks: memory for packed weights. They stand side by side in a few large blocks, so that
// huge pages serve them without a rest of one page each.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/file_pages.h"
#include "lite/kernels/cpu/math/packing.h"

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

 private:
  struct Block {
    std::shared_ptr<void> memory;
    size_t bytes = 0, used = 0;
  };
  std::vector<Block> blocks_;
  size_t total_ = 0;
  std::vector<const void*> last_read_;
  std::shared_ptr<FilePages> pages_;
};

}  // namespace paddle::lite
