#include "lite/nnadapter/nnapi/event.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "lite/nnadapter/nnapi/error.h"

namespace nnadapter::nnapi {

ComputeEvent::ComputeEvent(std::function<int()> work)
    : thread_([this, work = std::move(work)]() mutable {
        const int code = work();
        work = nullptr;  // what it held is let go before anybody is told
        std::lock_guard<std::mutex> lock(mutex_);
        code_ = code;
        done_ = true;
        changed_.notify_all();
      }) {}

ComputeEvent::~ComputeEvent() { thread_.join(); }

int ComputeEvent::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return done_; });
  return code_;
}

FenceEvent::FenceEvent(int fd) : fd_(fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0)) {
  if (fd_ < 0) FailData("the fence's descriptor ", fd, ": ", std::strerror(EBADF));
}

FenceEvent::~FenceEvent() { close(fd_); }

int FenceEvent::Wait() {
  pollfd waited{fd_, POLLIN, 0};
  int count = 0;
  do count = poll(&waited, 1, -1);
  while (count < 0 && (errno == EINTR || errno == EAGAIN));
  return count > 0 && (waited.revents & POLLIN) ? ANEURALNETWORKS_NO_ERROR
                                                : ANEURALNETWORKS_OP_FAILED;
}

}  // namespace nnadapter::nnapi
