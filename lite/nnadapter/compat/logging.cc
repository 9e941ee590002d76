#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/error.h"

namespace nnadapter::logging {
namespace {

std::string Head(const char* level, const char* file, const char* function, int line) {
  const char* slash = file ? std::strrchr(file, '/') : nullptr;
  return hal::Text("[", level, " ",
                   slash  ? slash + 1
                   : file ? file
                          : "?",
                   ":", line, " ", function ? function : "?", "] ");
}

void Print(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

int32_t Wanted() {
  const char* text = std::getenv("GLOG_v");
  return text ? std::atoi(text) : 0;
}

}  // namespace

LogMessage::LogMessage(const char* file, const char* function, int line, const char* level)
    : level_(level ? level : "I") {
  stream_ << Head(level_.c_str(), file, function, line);
}

LogMessage::~LogMessage() {
  const std::string text = stream_.str();
  if (!text.empty()) Print(text);
}

LogMessageFatal::~LogMessageFatal() noexcept(false) {
  const std::string text = stream_.str();
  Print(text);
  stream_.str("");  // the base prints what is left
  if (std::uncaught_exceptions() == 0) throw hal::DeviceFailure(text);
}

VLogMessage::VLogMessage(const char* file, const char* function, int line, const int32_t level)
    : wanted_(Wanted()), level_(level) {
  if (level_ <= wanted_) stream_ << Head(std::to_string(level_).c_str(), file, function, line);
}

VLogMessage::~VLogMessage() {
  if (level_ <= wanted_) Print(stream_.str());
}

}  // namespace nnadapter::logging
