// Between the C functions and the objects: what is thrown becomes a result code.
#pragma once

#include <cxxabi.h>

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "lite/nnadapter/nnapi/error.h"
#include "lite/nnadapter/nnapi/table.h"

namespace nnadapter::nnapi {

// What the person who runs the program sees with GLOG_v=1.
inline int Reported(const char* function, int code, const std::string& text) {
  hal::Trace(1, "NNAPI: ", function, ": ", ResultName(code), ": ", text);
  return code;
}

template <typename Body>
int Barrier(const char* function, Body&& body) {
  try {
    body();
    return ANEURALNETWORKS_NO_ERROR;
  } catch (const Error& error) {
    return Reported(function, error.code(), error.what());
  } catch (const std::bad_alloc& error) {
    return Reported(function, ANEURALNETWORKS_OUT_OF_MEMORY, error.what());
  } catch (const std::length_error& error) {
    return Reported(function, ANEURALNETWORKS_OUT_OF_MEMORY, error.what());
  } catch (const std::system_error& error) {
    return Reported(function, ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT, error.what());
  } catch (const std::exception& error) {
    return Reported(function, ANEURALNETWORKS_OP_FAILED, error.what());
#ifdef __GLIBCXX__
  } catch (abi::__forced_unwind&) {
    throw;  // the thread is being ended
#endif
  } catch (...) {
    return Reported(function, ANEURALNETWORKS_OP_FAILED, "an exception of an unknown kind");
  }
}

}  // namespace nnadapter::nnapi
