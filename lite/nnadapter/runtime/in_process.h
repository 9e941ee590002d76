// How the callbacks of hal::Callbacks end for a device inside this process: the runtime guards them
// itself, and is told reasons at once.
#pragma once

#include <string>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/refusal.h"
#include "nnadapter/hal/backend.h"

namespace nnadapter::runtime {

struct InProcess {
  template <typename Function>
  static int Call(const char*, const char*, Function function) {
    try {
      function();
      return NNADAPTER_NO_ERROR;
    } catch (const hal::InvalidDimensions&) {  // asks for another program: no failure
      return NNADAPTER_INVALID_DIMENSIONS;
    } catch (const hal::Error& error) {
      throw Error(error.code, error.what());
    }
  }

  static void Refused(const char*, size_t index, const core::Operation&,
                      const std::string& reason) {
    NoteRefusal(index, reason);
  }
};

}  // namespace nnadapter::runtime
