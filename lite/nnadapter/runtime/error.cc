#include "lite/nnadapter/runtime/error.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "nnadapter/hal/names.h"

namespace nnadapter::runtime {
namespace {

struct LastError {
  int code = NNADAPTER_NO_ERROR;
  std::string text;
};

LastError& ThreadError() {
  static thread_local LastError error;
  return error;
}

}  // namespace

const char* ResultCodeName(int code) {
  const char* name = hal::ResultCodeName(code);
  return name != nullptr ? name : "an unknown code";
}

void SetLastError(int code, const std::string& text) noexcept {
  LastError& error = ThreadError();
  error.code = code;
  try {
    error.text = text;
  } catch (...) {
    error.text.clear();
  }
}

int LastErrorCode() noexcept { return ThreadError().code; }

const char* LastErrorMessage() noexcept { return ThreadError().text.c_str(); }

void RestForEver() noexcept {
  for (;;) pause();
}

std::string CurrentExceptionText() {
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

int RecordCurrentException(const char* function) noexcept {
  try {
    try {
      throw;
    } catch (const Error& e) {
      SetLastError(e.code(), e.what());
    } catch (const std::bad_alloc&) {
      SetLastError(NNADAPTER_OUT_OF_MEMORY, Text(function, ": out of memory"));
    } catch (const std::length_error&) {
      SetLastError(NNADAPTER_OUT_OF_MEMORY, Text(function, ": out of memory"));
    } catch (const std::exception& e) {
      SetLastError(NNADAPTER_DEVICE_INTERNAL_ERROR, Text(function, ": ", e.what()));
    } catch (...) {
      SetLastError(NNADAPTER_DEVICE_INTERNAL_ERROR, Text(function, ": an unknown exception"));
    }
  } catch (...) {
    SetLastError(NNADAPTER_OUT_OF_MEMORY, std::string());
  }
  return LastErrorCode();
}

void Log(int level, const std::string& text) noexcept {
  const char* verbosity = std::getenv("GLOG_v");
  if (level > 0 && (!verbosity || std::atoi(verbosity) < level)) return;
  std::fprintf(stderr, "nnadapter: %s\n", text.c_str());
}

}  // namespace nnadapter::runtime
