#include "lite/sdk/full/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "lite/core/base/errors.h"

namespace paddle::lite::sdk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kChunk = size_t{1} << 18;
constexpr size_t kMostErrors = size_t{1} << 16;

[[noreturn]] void Fail(const std::string& what, int code) {
  throw LiteError(StrCat("cannot ", what, ": ", std::strerror(code)));
}

// A file descriptor that is not the standard input, output or error of anybody.
class Descriptor {
 public:
  Descriptor() = default;
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void Take(int descriptor) {
    descriptor_ = descriptor;
    if (descriptor > 2) return;
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    const int code = errno;
    Close();
    if (moved < 0) Fail("make a pipe", code);
    descriptor_ = moved;
  }
  void Close() {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
  }
  bool open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  void DoNotBlock() const { fcntl(descriptor_, F_SETFL, O_NONBLOCK); }

 private:
  int descriptor_ = -1;
};

struct Channel {
  Descriptor ours, theirs;
};

void MakePipe(Channel* channel) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) Fail("make a pipe", errno);
  channel->ours.Take(ends[0]);
  channel->theirs.Take(ends[1]);
  channel->ours.DoNotBlock();
}

// A pipe would kill the application with SIGPIPE when the child goes away.
void MakeInput(Channel* channel) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) Fail("make a socket", errno);
  channel->ours.Take(ends[0]);
  channel->theirs.Take(ends[1]);
  channel->ours.DoNotBlock();
}

// Attributes of a child that starts afresh: no blocked or ignored signals, a process group of its
// own.
class SpawnOptions {
 public:
  SpawnOptions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnOptions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  void Connect(const Descriptor& from, int to) {
    posix_spawn_file_actions_adddup2(&actions_, from.get(), to);
  }
  pid_t Spawn(const std::vector<std::string>& command) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t pid = 0;
    const int code = posix_spawn(&pid, words[0], &actions_, &attributes_, words.data(), environ);
    if (code != 0) Fail(StrCat("run ", command[0]), code);
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::string EndOf(int status) {
  if (WIFSIGNALED(status)) return StrCat("signal ", WTERMSIG(status));
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return code == 0 ? "" : StrCat("exit status ", code);
}

class Child {
 public:
  Child(const std::vector<std::string>& command, Clock::time_point deadline) : deadline_(deadline) {
    MakeInput(&input_);
    MakePipe(&output_);
    MakePipe(&errors_);
    SpawnOptions options;
    options.Connect(input_.theirs, 0);
    options.Connect(output_.theirs, 1);
    options.Connect(errors_.theirs, 2);
    pid_ = options.Spawn(command);
    for (Channel* channel : {&input_, &output_, &errors_}) channel->theirs.Close();
  }
  // Also when reading its output failed.
  ~Child() {
    if (waited_) return;
    kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  ChildResult Talk(const std::vector<std::string_view>& input) {
    ChildResult result;
    size_t part = 0, sent = 0;
    while (output_.ours.open() && !result.timed_out) {
      while (part < input.size() && sent == input[part].size()) ++part, sent = 0;
      if (part == input.size()) input_.ours.Close();
      result.timed_out = !WaitForTraffic();
      if (input_.ours.open()) sent += Send(input[part].substr(sent));
      Receive(&output_.ours, &result.output);
      ReceiveErrors(&result.errors);
    }
    input_.ours.Close();
    if (!result.timed_out) result.timed_out = !WaitForEnd(&result.end);
    ReceiveErrors(&result.errors);
    return result;
  }

 private:
  // False when the time is over.
  bool WaitForTraffic() {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting[] = {{output_.ours.get(), POLLIN, 0},
                        {errors_.ours.get(), POLLIN, 0},
                        {input_.ours.get(), POLLOUT, 0}};
    (void)poll(waiting, 3, static_cast<int>(std::min<int64_t>(left, 1000)));
    return true;
  }

  // Bytes that went; a child that reads no more will say why.
  size_t Send(std::string_view bytes) {
    const ssize_t count = send(input_.ours.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EAGAIN && errno != EINTR) input_.ours.Close();
    return 0;
  }

  // Takes what is there; closes at its end.
  static void Receive(Descriptor* from, std::string* to) {
    if (!from->open()) return;
    const size_t before = to->size();
    if (to->capacity() < before + kChunk) to->reserve(std::max(before * 2, before + kChunk));
    to->resize(before + kChunk);
    const ssize_t count = read(from->get(), &(*to)[before], kChunk);
    const int code = errno;
    to->resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0 || (count < 0 && code != EAGAIN && code != EINTR)) from->Close();
  }

  void ReceiveErrors(std::string* errors) {
    Receive(&errors_.ours, errors);
    if (errors->size() > kMostErrors) errors->erase(0, errors->size() - kMostErrors);
  }

  // It has closed its output and will end soon. False when the time is over.
  bool WaitForEnd(std::string* end) {
    for (auto pause = std::chrono::milliseconds(1);; pause = std::min(pause * 2, kLongestPause)) {
      int status = 0;
      const pid_t ended = waitpid(pid_, &status, WNOHANG);
      // The application may wait for all children, or let the system do it (ECHILD).
      if (ended == pid_ || (ended < 0 && errno != EINTR)) {
        waited_ = true;
        if (ended == pid_) *end = EndOf(status);
        return true;
      }
      if (Clock::now() >= deadline_) return false;
      std::this_thread::sleep_for(pause);
    }
  }

  static constexpr std::chrono::milliseconds kLongestPause{50};

  const Clock::time_point deadline_;
  Channel input_, output_, errors_;
  pid_t pid_ = 0;
  bool waited_ = false;
};

}  // namespace

ChildResult RunChild(const std::vector<std::string>& command,
                     const std::vector<std::string_view>& input, std::chrono::milliseconds limit) {
  return Child(command, Clock::now() + limit).Talk(input);
}

}  // namespace paddle::lite::sdk
