#include "lite/core/fork_safe_mutex.h"

#include <pthread.h>

#include <atomic>

namespace paddle::lite {
namespace {

std::atomic<uint64_t> g_generation{0};

[[maybe_unused]] const int g_registered =
    pthread_atfork(nullptr, nullptr, [] { g_generation.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

uint64_t ForkGeneration() { return g_generation.load(std::memory_order_relaxed); }

}  // namespace paddle::lite
