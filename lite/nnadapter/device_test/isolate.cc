#include "lite/nnadapter/device_test/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "lite/nnadapter/device_test/channel.h"

namespace device_test {
namespace {

using Clock = std::chrono::steady_clock;

void Work(int channel, const std::vector<Case>& cases, size_t begin, size_t end,
          const Settings& settings) {
  const auto stage = [channel](const char* text) { Send(channel, {Tag::kStage, 0, text}); };
  stage("it was loaded (open_device, create_context)");
  try {
    Bench bench(settings.device, settings.properties);
    for (size_t i = begin; i < end; ++i) {
      Send(channel, {Tag::kStart, static_cast<uint32_t>(i), ""});
      Verdict verdict;
      try {
        verdict = bench.Run(cases[i], stage);
      } catch (const std::exception& error) {
        verdict = {Outcome::kFailed, error.what()};
      }
      Send(channel, {Tag::kVerdict, static_cast<uint32_t>(verdict.outcome), verdict.why});
    }
    stage("it was closed (destroy_context, close_device)");
  } catch (const ApiError& error) {
    return Send(channel, {Tag::kCannotOpen, 0, error.what()});
  }
  Send(channel, {Tag::kEnd, 0, ""});
}

// A process with some of the cases, and what is known of it.
class Child {
 public:
  Child(const std::vector<Case>& cases, size_t begin, size_t end, const Settings& settings)
      : settings_(settings) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(strerror(errno));
    fflush(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error(std::string("fork: ") + strerror(errno));
    if (pid_ == 0) {
      close(ends[0]);
      dup2(STDERR_FILENO, STDOUT_FILENO);  // what a device prints does not belong to the report
      Work(ends[1], cases, begin, end, settings);
      exit(0);
    }
    close(ends[1]);
    channel_ = ends[0];
    Restart();
  }
  ~Child() { close(channel_); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The next message, or nothing where the process is gone; then Reason() says how.
  std::optional<Message> Next() {
    while (true) {
      if (std::optional<Message> message = receiver_.Next()) {
        if (message->tag == Tag::kStage) stage_ = message->text;
        if (message->tag == Tag::kEnd) ended_ = true;
        if (message->tag != Tag::kStage) Restart();
        return message;
      }
      if (receiver_.garbled()) Kill("it wrote to a file that is not its own");
      if (!dead_ && Clock::now() > deadline_)
        Kill("no answer for " + std::to_string(settings_.timeout_seconds) + " s");
      if (!Receive()) return std::nullopt;
    }
  }
  // How it ended before its time, or nothing.
  std::string Reason() const {
    if (reason_.empty()) return ended_ ? "" : "the process ended with code 0 when " + stage_;
    return reason_ + " when " + stage_;
  }

 private:
  void Restart() { deadline_ = Clock::now() + std::chrono::seconds(settings_.timeout_seconds); }

  void Kill(const std::string& reason) {
    if (dead_) return;
    kill(pid_, SIGKILL);
    int status;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    reason_ = reason;
    dead_ = true;
  }

  // False where nothing comes any more. A process that the device started may hold the channel
  // open.
  bool Receive() {
    pollfd wait{channel_, POLLIN, 0};
    const int ready = poll(&wait, 1, dead_ ? 0 : 100);
    if (ready > 0) {
      char bytes[4096];
      const ssize_t count = read(channel_, bytes, sizeof bytes);
      if (count > 0) {
        receiver_.Feed(bytes, static_cast<size_t>(count));
        return !receiver_.garbled();
      }
    }
    if (dead_) return false;
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      dead_ = true;
      if (WIFSIGNALED(status))
        reason_ = std::string("the process died of ") + strsignal(WTERMSIG(status));
      else if (WEXITSTATUS(status))
        reason_ = "the process ended with code " + std::to_string(WEXITSTATUS(status));
    } else if (ready > 0) {
      usleep(1000);  // closed, not yet gone
    }
    return true;
  }

  const Settings& settings_;
  pid_t pid_ = 0;
  int channel_ = -1;
  bool dead_ = false, ended_ = false;
  std::string stage_, reason_;
  Receiver receiver_;
  Clock::time_point deadline_;
};

}  // namespace

std::string RunIsolated(const std::vector<Case>& cases, const Settings& settings,
                        const std::function<void(const Case&, const Verdict&)>& report,
                        const std::function<void(const std::string&)>& warn) {
  for (size_t next = 0; next < cases.size();) {
    const size_t end = next + std::min(settings.chunk, cases.size() - next);
    Child child(cases, next, end, settings);
    bool opened = false, running = false;
    while (const std::optional<Message> message = child.Next()) {
      if (message->tag == Tag::kCannotOpen) return message->text;
      if (message->tag == Tag::kStart) opened = running = true;
      if (message->tag == Tag::kVerdict && running && next < end) {
        const auto outcome = message->number <= static_cast<uint32_t>(Outcome::kNotTaken)
                                 ? static_cast<Outcome>(message->number)
                                 : Outcome::kFailed;
        report(cases[next++], {outcome, message->text});
        running = false;
      }
    }
    const std::string reason = child.Reason();
    if (!opened) return reason;
    if (running && next < end)
      report(cases[next++], {Outcome::kFailed, reason});
    else if (!reason.empty())
      warn(reason);
  }
  return "";
}

}  // namespace device_test
