// The contract of a HAL library: lib<device>.so with the symbol __nnadapter_device__<device>.
#pragma once

#include "nnadapter/core/types.h"

namespace nnadapter {
namespace driver {

struct Device {
  // Identifies the device; equals <device> in the names of library and symbol.
  const char* name;
  const char* vendor;
  NNAdapterDeviceType type;
  // NNADAPTER_VERSION of the headers that the library was compiled with.
  int32_t version;
  int (*open_device)(void** device);
  void (*close_device)(void* device);
  int (*create_context)(void* device, const char* properties,
                        int (*callback)(int event_id, void* user_data), void** context);
  void (*destroy_context)(void* context);
  // (optional) One bool an operation, in the model's order.
  int (*validate_program)(void* context, const core::Model* model, bool* supported_operations);
  // From `model`, or where it is null from cache->buffer. With both, also fills cache->buffer.
  int (*create_program)(void* context, core::Model* model, core::Cache* cache, void** program);
  void (*destroy_program)(void* program);
  // INVALID_DIMENSIONS asks the caller to compile again for the inputs' shapes.
  int (*execute_program)(void* program, uint32_t input_count, core::Argument* input_arguments,
                         uint32_t output_count, core::Argument* output_arguments);
};

static_assert(sizeof(Device) == 88, "ABI");

}  // namespace driver
}  // namespace nnadapter

// The name of a device's symbol: NNADAPTER_AS_SYM2(fake_device) is __nnadapter_device__fake_device.
#define NNADAPTER_AS_SYM1(name) __nnadapter_device__##name
#define NNADAPTER_AS_SYM2(name) NNADAPTER_AS_SYM1(name)

// (optional) A library may also export the function __nnadapter_explain__<device>: it writes why
// the device does not take an operation, zero-terminated; an empty text where it does.
namespace nnadapter {
namespace driver {
typedef int (*ExplainFunction)(void* context, const core::Operation* operation, char* text,
                               uint32_t capacity);
// (optional) And the function __nnadapter_last_error__: the text of the calling thread's last
// callback that failed, zero-terminated, valid until its next callback. It may be empty.
typedef const char* (*LastErrorFunction)();
}  // namespace driver
}  // namespace nnadapter
#define NNADAPTER_AS_EXPLAIN_SYM1(name) __nnadapter_explain__##name
#define NNADAPTER_AS_EXPLAIN_SYM2(name) NNADAPTER_AS_EXPLAIN_SYM1(name)
