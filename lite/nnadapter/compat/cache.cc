#include "lite/nnadapter/runtime/cache.h"

#include <cstring>

#include "lite/nnadapter/compat/compat.h"
#include "lite/nnadapter/runtime/error.h"

namespace nnadapter {

void Cache::Clear() { entries_.clear(); }

bool Cache::Set(const std::string& key, const void* value, uint64_t size) {
  const auto* bytes = static_cast<const uint8_t*>(value);
  entries_[key].assign(bytes, bytes + size);
  return true;
}
bool Cache::Set(const std::string& key, const std::vector<uint8_t>& value) {
  return Set(key, value.data(), value.size());
}
bool Cache::Set(const std::string& key, const std::string& value) {
  return Set(key, value.data(), value.size());
}

bool Cache::Get(const std::string& key, std::vector<uint8_t>* value) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return false;
  *value = found->second;
  return true;
}
bool Cache::Get(const std::string& key, void* value, uint64_t size) {
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.size() != size) return false;
  if (size) std::memcpy(value, found->second.data(), size);
  return true;
}
bool Cache::Get(const std::string& key, std::string* value) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return false;
  value->assign(found->second.begin(), found->second.end());
  return true;
}

uint64_t Cache::GetSerializedSize() { return runtime::PackCache(entries_).size(); }

bool Cache::Serialize(void* buffer, uint64_t size) {
  const std::vector<uint8_t> bytes = runtime::PackCache(entries_);
  if (size < bytes.size()) return false;
  std::memcpy(buffer, bytes.data(), bytes.size());
  return true;
}

bool Cache::Deserialize(void* buffer, uint64_t size) {
  Clear();
  try {
    entries_ = runtime::UnpackCache(static_cast<const uint8_t*>(buffer), size);
  } catch (const runtime::Error&) {
    return false;
  }
  return true;
}

}  // namespace nnadapter
