#include "lite/core/op_registry.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "lite/core/base/errors.h"

namespace paddle::lite {
namespace {

template <typename Infos>
int FindByName(const Infos& infos, std::string_view name) {
  for (size_t i = 0; i < infos.size(); ++i)
    if (infos[i].name == name) return static_cast<int>(i);
  return -1;
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

int OpInfo::FindInput(std::string_view name) const { return FindByName(inputs_, name); }
int OpInfo::FindOutput(std::string_view name) const { return FindByName(outputs_, name); }
int OpInfo::FindAttr(std::string_view name) const { return FindByName(attrs_, name); }

OpInfo& OpInfo::AddSlot(std::vector<SlotInfo>* slots, const char* name, bool optional,
                        bool repeated) noexcept {
  slots->push_back({name, optional, repeated});
  return *this;
}

OpInfo& OpInfo::AddInput(SlotInfo slot) {
  inputs_.push_back(std::move(slot));
  return *this;
}

OpInfo& OpInfo::AddOutput(SlotInfo slot) {
  outputs_.push_back(std::move(slot));
  return *this;
}

template <typename T>
OpInfo& OpInfo::Attr(const char* name, T default_value) noexcept {
  attrs_.push_back({name, Attribute(std::move(default_value)), false});
  return *this;
}

template <typename T>
OpInfo& OpInfo::RequiredAttr(const char* name) noexcept {
  attrs_.push_back({name, Attribute(T{}), true});
  return *this;
}

#define DEFINE_ATTR(...)                                                         \
  template OpInfo& OpInfo::Attr<__VA_ARGS__>(const char*, __VA_ARGS__) noexcept; \
  template OpInfo& OpInfo::RequiredAttr<__VA_ARGS__>(const char*) noexcept
DEFINE_ATTR(bool);
DEFINE_ATTR(int32_t);
DEFINE_ATTR(int64_t);
DEFINE_ATTR(float);
DEFINE_ATTR(double);
DEFINE_ATTR(std::string);
DEFINE_ATTR(std::vector<bool>);
DEFINE_ATTR(std::vector<int32_t>);
DEFINE_ATTR(std::vector<int64_t>);
DEFINE_ATTR(std::vector<float>);
DEFINE_ATTR(std::vector<double>);
DEFINE_ATTR(std::vector<std::string>);
#undef DEFINE_ATTR

OpInfo& OpInfo::SetInfer(InferFn infer) noexcept {
  infer_ = std::move(infer);
  return *this;
}

OpInfo& OpInfo::SetInfer(void (*infer)(InferContext&)) noexcept {
  infer_ = infer;
  return *this;
}

OpInfo& OpInfo::Updates(const char* output, const char* before) noexcept {
  updated_output_ = output;
  before_ = before;
  return OptionalInput(before);
}

OpInfo& OpInfo::View(const char* input, const char* output) noexcept {
  view_input_ = input;
  view_output_ = output;
  return *this;
}

OpRegistry& OpRegistry::Global() noexcept {
  static auto* registry = new OpRegistry;  // outlives every static that registers in it
  return *registry;
}

OpInfo& OpRegistry::Declare(const char* type, const char* file) noexcept {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  auto [entry, inserted] = ops_.emplace(type, std::make_unique<OpInfo>(type, file));
  if (!inserted) {
    std::fprintf(stderr, "operator %s is registered twice\n", type);
    std::abort();
  }
  return *entry->second;
}

void OpRegistry::Add(std::unique_ptr<OpInfo> info) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  std::unique_ptr<OpInfo>& entry = ops_[info->type()];
  if (entry != nullptr && !entry->compute())
    throw ConfigError(
        StrCat("operator ", info->type(), " is part of the library; give yours ", "another name"));
  if (entry != nullptr) retired_.push_back(std::move(entry));
  entry = std::move(info);
}

bool OpRegistry::Remove(std::string_view type) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  const auto found = ops_.find(type);
  if (found == ops_.end() || !found->second->compute()) return false;
  retired_.push_back(std::move(found->second));
  ops_.erase(found);
  return true;
}

const OpInfo* OpRegistry::Find(std::string_view type) const {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  const auto found = ops_.find(type);
  return found == ops_.end() ? nullptr : found->second.get();
}

std::vector<const OpInfo*> OpRegistry::All() const {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  std::vector<const OpInfo*> all;
  for (const auto& [type, info] : ops_) all.push_back(info.get());
  return all;
}

std::string NearestOpTypes(std::string_view type) {
  if (type.size() > 64) return "";
  // A third of the letters: in short names, four of them are most.
  const size_t limit = std::min<size_t>(4, std::max<size_t>(1, type.size() / 3));
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const OpInfo* info : OpRegistry::Global().All())
    ranked.emplace_back(EditDistance(type, info->type()), info->type());
  std::sort(ranked.begin(), ranked.end());
  std::string text;
  for (size_t i = 0; i < ranked.size() && i < 3 && ranked[i].first <= limit; ++i)
    text += (i ? ", " : "") + ranked[i].second;
  return text;
}

}  // namespace paddle::lite
