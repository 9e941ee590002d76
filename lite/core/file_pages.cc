#include "lite/core/file_pages.h"

#include <algorithm>
#include <utility>

#include "lite/core/base/system.h"

namespace paddle::lite {
namespace {

// As large as a huge page: a part of one would be split off, but not freed.
constexpr size_t kPage = size_t{2} << 20;

}  // namespace

FilePages::FilePages(std::shared_ptr<void> memory, size_t bytes)
    : memory_(std::move(memory)),
      begin_(static_cast<const char*>(memory_.get())),
      used_(bytes / kPage) {}  // the last, which is not whole, goes with the memory

template <typename Visit>
void FilePages::ForPages(const char* data, size_t bytes, Visit&& visit) const {
  size_t at = static_cast<size_t>(data - begin_);
  const size_t end = at + bytes;
  while (at < end && at / kPage < used_.size()) {
    const size_t next = std::min(end, (at / kPage + 1) * kPage);
    visit(at / kPage, next - at);
    at = next;
  }
}

void FilePages::Return(size_t page) const {
  // Memory below 2 MiB is not aligned to pages, but then there is no whole one of them.
  system::ReturnPages(static_cast<char*>(memory_.get()) + page * kPage, kPage);
}

void FilePages::Add(const void* data, size_t bytes) {
  const auto* from = static_cast<const char*>(data);
  params_[from].bytes = bytes;
  ForPages(from, bytes, [this](size_t page, size_t part) { used_[page] += part; });
}

bool FilePages::IsParam(size_t offset, size_t bytes) const {
  const auto param = params_.find(begin_ + offset);
  return param != params_.end() && param->second.bytes == bytes;
}

int64_t FilePages::OffsetOf(const void* data) const {
  const auto param = params_.find(static_cast<const char*>(data));
  return param == params_.end() ? -1 : param->first - begin_;
}

void FilePages::Seal() {
  for (size_t page = 0; page < used_.size(); ++page)
    if (used_[page] == 0) Return(page);
}

void FilePages::Drop(const void* data, size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto param = params_.find(static_cast<const char*>(data));
  if (param == params_.end()) return;
  const size_t end = std::min(bytes, param->second.bytes), begin = param->second.dropped;
  if (end <= begin) return;
  param->second.dropped = end;
  ForPages(param->first + begin, end - begin, [this](size_t page, size_t part) {
    used_[page] -= part;
    if (used_[page] == 0) Return(page);
  });
}

}  // namespace paddle::lite
