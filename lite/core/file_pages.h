// FilePages: a model file's bytes in memory, given back to the system page by page as nobody needs
// the parameters on them any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace paddle::lite {

class FilePages {
 public:
  FilePages(std::shared_ptr<void> memory, size_t bytes);

  // While loading: a parameter that stands on the pages; no two overlap.
  void Add(const void* data, size_t bytes);
  // All parameters are known: what else the file holds may go.
  void Seal();
  // Where a byte of the file is, and whether a parameter is just these bytes of it.
  void* At(size_t offset) const { return static_cast<char*>(memory_.get()) + offset; }
  bool IsParam(size_t offset, size_t bytes) const;
  // The place in the file of the parameter at `data`; -1 where there is none.
  int64_t OffsetOf(const void* data) const;
  // The first `bytes` of the parameter at `data` are not read any more. For any other pointer
  // nothing happens.
  void Drop(const void* data, size_t bytes);

 private:
  struct Param {
    size_t bytes = 0, dropped = 0;
  };
  // Calls visit(page, bytes of it) for the pages of a range.
  template <typename Visit>
  void ForPages(const char* data, size_t bytes, Visit&& visit) const;
  void Return(size_t page) const;

  std::mutex mutex_;
  const std::shared_ptr<void> memory_;
  const char* const begin_;
  std::vector<size_t> used_;  // bytes of each page that parameters still need
  std::map<const char*, Param> params_;
};

}  // namespace paddle::lite
