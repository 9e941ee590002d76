#include "lite/core/fork_safe_mutex.h"

#include <atomic>

#include "lite/core/base/system.h"

namespace paddle::lite {
namespace {

std::atomic<uint64_t> g_generation{0};

[[maybe_unused]] const bool g_registered = [] {
  system::AtFork(nullptr, nullptr, [] { g_generation.fetch_add(1, std::memory_order_relaxed); });
  return true;
}();

}  // namespace

uint64_t ForkGeneration() { return g_generation.load(std::memory_order_relaxed); }

}  // namespace paddle::lite
