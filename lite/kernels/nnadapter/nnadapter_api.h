// NNAdapter's C API, found at run time: libpaddle_lite_core.so works without libnnadapter.so, and
// an application may bring another one.
#pragma once

#include <string>

#include "nnadapter/extensions.h"

namespace paddle::lite::nnadapter_bridge {

// name in NNAdapter_<name>
#define LITE_NNADAPTER_FUNCTIONS(F)    \
  F(_getVersion)                       \
  F(_getDeviceCount)                   \
  F(_getLastErrorMessage)              \
  F(_getLastErrorCode)                 \
  F(Device_acquire)                    \
  F(Device_release)                    \
  F(Device_getName)                    \
  F(Device_getVendor)                  \
  F(Device_getType)                    \
  F(Device_getVersion)                 \
  F(Context_create)                    \
  F(Context_destroy)                   \
  F(Model_create)                      \
  F(Model_destroy)                     \
  F(Model_finish)                      \
  F(Model_addOperand)                  \
  F(Model_setOperandValue)             \
  F(Model_getOperandType)              \
  F(Model_addOperation)                \
  F(Model_identifyInputsAndOutputs)    \
  F(Model_getSupportedOperations)      \
  F(Compilation_create)                \
  F(Compilation_destroy)               \
  F(Compilation_finish)                \
  F(Compilation_queryInputsAndOutputs) \
  F(Execution_create)                  \
  F(Execution_destroy)                 \
  F(Execution_setInput)                \
  F(Execution_setOutput)               \
  F(Execution_compute)

// Null where the library is another one that lacks them.
#define LITE_NNADAPTER_EXTENSIONS(F) \
  F(Model_shareOperandValue)         \
  F(Model_getRefusal)                \
  F(Context_getReport)               \
  F(Compilation_getRecord)

// The members are the functions' own names: api.NNAdapterModel_create(&model).
struct NNAdapterApi {
#define LITE_DECLARE(name) decltype(&::NNAdapter##name) NNAdapter##name = nullptr;
  LITE_NNADAPTER_FUNCTIONS(LITE_DECLARE)
  LITE_NNADAPTER_EXTENSIONS(LITE_DECLARE)
#undef LITE_DECLARE
  // Where the library was found.
  std::string path;
};

// The API of libnnadapter.so beside this library or two folders above, else of the loader's own.
// Loaded once and never unloaded; a failed attempt is made again by the next call. Throws
// DeviceError that lists where was looked, or the functions that a library lacks.
const NNAdapterApi& LoadNNAdapter();

// Throws DeviceError with NNAdapter's own text unless `code` is NNADAPTER_NO_ERROR. `what` says
// what was attempted: "create a model".
void CheckNNAdapter(int code, const std::string& what);
// "INVALID_PARAMETER (3)"
std::string NNAdapterCodeName(int code);

}  // namespace paddle::lite::nnadapter_bridge
