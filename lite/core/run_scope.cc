#include "lite/core/run_scope.h"

#include <chrono>
#include <ctime>

#include "lite/core/base/errors.h"

namespace paddle::lite {
namespace {

constexpr int64_t kPollMilliseconds = 100;

int64_t Milliseconds() {
#ifdef CLOCK_MONOTONIC_COARSE
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
#else
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
#endif
}

thread_local RunScope* current_scope = nullptr;

}  // namespace

RunScope::RunScope(const void* program, const std::atomic<bool>* cancelled, const Poll* poll,
                   RunRecorder* recorder)
    : program_(program),
      cancelled_(cancelled),
      poll_(poll != nullptr && *poll ? poll : nullptr),
      recorder_(recorder),
      outer_(current_scope) {
  if (poll_ != nullptr) next_poll_ = Milliseconds() + kPollMilliseconds;
  current_scope = this;
}

RunScope::~RunScope() { current_scope = outer_; }

bool RunScope::IsRunning(const void* program) {
  for (const RunScope* scope = current_scope; scope != nullptr; scope = scope->outer_)
    if (scope->program_ == program) return true;
  return false;
}

RunRecorder* RunScope::Recorder() {
  return current_scope == nullptr ? nullptr : current_scope->recorder_;
}

bool RunScope::Ask() {
  if (Milliseconds() < next_poll_) return false;
  stopped_ = (*poll_)();
  next_poll_ = Milliseconds() + kPollMilliseconds;
  return stopped_;
}

CancelCheck::CancelCheck() : scope_(current_scope) {}

void CancelCheck::Throw() { throw CancelledError("the run was cancelled"); }

}  // namespace paddle::lite
