// Messages from a child process to its parent.
#pragma once

#include <stdint.h>

#include <optional>
#include <string>

namespace device_test {

enum class Tag : uint32_t { kStart = 0x43415345, kStage, kVerdict, kCannotOpen, kEnd };

struct Message {
  Tag tag;
  uint32_t number;  // of the case, or its outcome
  std::string text;
};

// Blocks until all is written.
void Send(int file, const Message& message);

// Puts messages together from what is read. The child's memory may be in ruins.
class Receiver {
 public:
  void Feed(const char* bytes, size_t count) { buffer_.append(bytes, count); }
  // The next whole message.
  std::optional<Message> Next();
  // Whether what came is no message.
  bool garbled() const { return garbled_; }

 private:
  std::string buffer_;
  bool garbled_ = false;
};

}  // namespace device_test
