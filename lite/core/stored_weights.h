// StoredWeights: a side file with packed weights, which `lite pack` writes beside a `.nb` file, so
// that loading neither reads nor packs what was packed before (docs/nb_format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace paddle::lite {

struct FileRange {
  uint64_t offset = 0, bytes = 0;
};

// Which `.nb` file a side file belongs to. `stamp` are its times, device and inode: while they are
// the same its bytes need not be read to know them.
struct ModelIdentity {
  uint64_t bytes = 0, hash = 0;
  uint64_t stamp[6] = {};
};

// A running hash of bytes, in pieces of multiples of 64 but the last; it finds damage, not malice.
class ByteHash {
 public:
  void Add(const void* data, size_t bytes);
  uint64_t Value() const;

 private:
  uint64_t lanes_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t bytes_ = 0;
};

// One piece of memory of a packed form of a weight.
struct PackedPart {
  std::string weight, form;
  uint32_t part = 0;  // the how manieth of the form
  uint64_t bytes = 0;
  uint64_t offset = 0;         // from the first part's place
  const void* data = nullptr;  // while writing
};

class StoredWeights {
 public:
  // The path of the side file of a model.
  static std::string PathOf(const std::string& model_path) { return model_path + ".pack"; }
  // `machine` is math::PackingMachine() of this process, which the file must have been written
  // with. Null where there is no file; throws LiteError where it cannot be used: damaged, made by
  // another version or for another machine.
  static std::shared_ptr<StoredWeights> Open(const std::string& path, const std::string& machine);
  // Replaces the file at `path` as a whole. Throws FileError.
  static void Write(const std::string& path, const std::string& machine, const ModelIdentity& model,
                    const std::vector<FileRange>& unread, std::vector<PackedPart> parts);

  const ModelIdentity& model() const { return model_; }
  // Parts of the `.nb` file that nobody reads where every form is taken from here.
  const std::vector<FileRange>& unread() const { return unread_; }
  const std::vector<PackedPart>& parts() const { return parts_; }
  // The bytes of a part, 64-byte aligned.
  std::shared_ptr<void> Bytes(const PackedPart& part) const;

 private:
  ModelIdentity model_;
  std::vector<FileRange> unread_;
  std::vector<PackedPart> parts_;
  std::shared_ptr<void> data_;
};

}  // namespace paddle::lite
