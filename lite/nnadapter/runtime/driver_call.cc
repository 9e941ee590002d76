#include "lite/nnadapter/runtime/driver_call.h"

#include <execinfo.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

#include "lite/nnadapter/runtime/error.h"
#include "nnadapter/extensions.h"

namespace nnadapter::runtime {
namespace {

thread_local const DriverCall* running = nullptr;
std::atomic<const DriverCall*> latest{nullptr};

}  // namespace

DriverCall::DriverCall(const char* device, const char* callback)
    : device_(device), callback_(callback), outer_(running) {
  running = this;
  latest.store(this, std::memory_order_release);
}

DriverCall::~DriverCall() {
  running = outer_;
  const DriverCall* self = this;
  latest.compare_exchange_strong(self, outer_, std::memory_order_release,
                                 std::memory_order_relaxed);
}

const DriverCall* DriverCall::Running() {
  return running ? running : latest.load(std::memory_order_acquire);
}

namespace {

constexpr int kSignals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
constexpr int kMaxFrames = 48;

void Write(const char* text) {
  for (size_t left = std::strlen(text); left > 0;) {
    const ssize_t put = write(STDERR_FILENO, text, left);
    if (put <= 0) return;
    text += put;
    left -= static_cast<size_t>(put);
  }
}

// Only what may be called in a handler; backtrace was called before, so that it loads nothing.
void Report(int signal) {
  const DriverCall* call = DriverCall::Running();
  Write("\nnnadapter crash: ");
  Write(call ? call->callback() : "no callback");
  Write(" of device ");
  Write(call ? call->device() : "(none)");
  Write("\n");
  void* frames[kMaxFrames];
  const int count = backtrace(frames, kMaxFrames);
  // The first two are this function and the signal's return.
  if (count > 2) backtrace_symbols_fd(frames + 2, count - 2, STDERR_FILENO);
  Write("nnadapter crash: end\n");
  raise(signal);  // its default action is restored
}

}  // namespace
}  // namespace nnadapter::runtime

int NNAdapter_reportCrashes(void) {
  using namespace nnadapter::runtime;  // NOLINT: the C face of that namespace
  return Barrier(__func__, [] {
    void* frame;
    backtrace(&frame, 1);
    // Of its own: the stack may be what is exhausted.
    static char memory[1 << 16];
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = sizeof(memory);
    sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_handler = Report;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK | SA_NODEFER;
    for (const int signal : kSignals)
      if (sigaction(signal, &action, nullptr) != 0)
        Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "no handler can be set for signal ", signal);
  });
}
