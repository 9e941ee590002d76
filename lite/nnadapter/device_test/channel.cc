#include "lite/nnadapter/device_test/channel.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

namespace device_test {
namespace {

constexpr size_t kLongestText = 4096;

struct Head {
  uint32_t tag, number, length;
};

}  // namespace

void Send(int file, const Message& message) {
  const std::string text = message.text.substr(0, kLongestText);
  const Head head{static_cast<uint32_t>(message.tag), message.number,
                  static_cast<uint32_t>(text.size())};
  const std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  const std::string all = bytes + text;
  for (size_t at = 0; at < all.size();) {
    const ssize_t done = write(file, all.data() + at, all.size() - at);
    if (done < 0 && errno != EINTR) _exit(1);  // nobody listens
    if (done > 0) at += static_cast<size_t>(done);
  }
}

std::optional<Message> Receiver::Next() {
  Head head;
  if (garbled_ || buffer_.size() < sizeof head) return std::nullopt;
  memcpy(&head, buffer_.data(), sizeof head);
  if (head.tag < static_cast<uint32_t>(Tag::kStart) ||
      head.tag > static_cast<uint32_t>(Tag::kEnd) || head.length > kLongestText) {
    garbled_ = true;
    return std::nullopt;
  }
  if (buffer_.size() < sizeof head + head.length) return std::nullopt;
  Message message{static_cast<Tag>(head.tag), head.number,
                  buffer_.substr(sizeof head, head.length)};
  buffer_.erase(0, sizeof head + head.length);
  return message;
}

}  // namespace device_test
