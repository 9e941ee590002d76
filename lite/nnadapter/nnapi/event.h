// Events: a computation in a thread of its own, or a fence that somebody else signals.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace nnadapter::nnapi {

class Event {
 public:
  virtual ~Event() = default;
  // Until it is done; its result code.
  virtual int Wait() = 0;
  // Until nothing of it runs any more; a fence may never be signalled and is not waited for.
  virtual void Finish() {}
  // -1: none.
  virtual int fd() const { return -1; }
};

class ComputeEvent : public Event {
 public:
  // `work` returns a result code and must not throw. Throws std::system_error without a thread.
  explicit ComputeEvent(std::function<int()> work);
  ~ComputeEvent() override;
  int Wait() override;
  void Finish() override { Wait(); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  int code_ = 0;
  std::thread thread_;
};

class FenceEvent : public Event {
 public:
  // Duplicates the descriptor. Throws Error(BAD_DATA).
  explicit FenceEvent(int fd);
  ~FenceEvent() override;
  int Wait() override;
  int fd() const override { return fd_; }

 private:
  int fd_;
};

}  // namespace nnadapter::nnapi
