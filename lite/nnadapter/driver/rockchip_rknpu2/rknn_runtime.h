// Rockchip's C API for programs on a board (librknnrt.so), as far as it is used here. Declared from
// its public documentation and from what rknn-toolkit2 2.5.0 declares to ctypes, with which
// tests/npu/test_with_rknn.py compares it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rknn {

#ifdef __arm__
using Context = uint32_t;
#else
using Context = uint64_t;
#endif

enum Query : int32_t { kInOutNum = 0, kInputAttr = 1, kOutputAttr = 2, kSdkVersion = 5 };

enum Type : int32_t {
  kFloat32 = 0,
  kFloat16 = 1,
  kInt8 = 2,
  kUint8 = 3,
  kInt16 = 4,
  kUint16 = 5,
  kInt32 = 6,
  kUint32 = 7,
  kInt64 = 8,
  kBool = 9,
};

enum Format : int32_t { kNchw = 0, kNhwc = 1, kNc1hwc2 = 2, kUndefined = 3 };

struct InOutNum {
  uint32_t inputs, outputs;
};

struct TensorAttr {
  uint32_t index;
  uint32_t dim_count;
  uint32_t dims[16];
  char name[256];
  uint32_t elements;
  uint32_t size;  // in bytes
  Format format;
  Type type;
  int32_t quantisation;
  int8_t fraction_bits;
  int32_t zero_point;
  float scale;
  uint32_t width_stride;
  uint32_t size_with_stride;
  uint8_t pass_through;
  uint32_t height_stride;
};

struct Input {
  uint32_t index;
  const void* data;  // which is read only
  uint32_t size;
  uint8_t pass_through;
  Type type;
  Format format;
};

struct Output {
  uint8_t want_float;
  uint8_t preallocated;
  uint32_t index;
  void* data;
  uint32_t size;
};

struct SdkVersion {
  char api[256], driver[256];
};

static_assert(sizeof(TensorAttr) == 376 && offsetof(TensorAttr, elements) == 328, "");
static_assert(sizeof(void*) != 8 || (sizeof(Input) == 32 && sizeof(Output) == 24), "");

// The functions of a board's library, which stays loaded.
struct Runtime {
  int (*init)(Context*, const void* model, uint32_t size, uint32_t flags, void* extend);
  int (*destroy)(Context);
  int (*query)(Context, Query, void* info, uint32_t size);
  int (*inputs_set)(Context, uint32_t count, const Input*);
  int (*run)(Context, void* extend);
  int (*outputs_get)(Context, uint32_t count, Output*, void* extend);
  int (*outputs_release)(Context, uint32_t count, Output*);
  int (*set_core_mask)(Context, int32_t mask);  // null in libraries for chips with one core
};

// Of the library at `path`, or of that name. Throws hal::NotSupported where it is not here.
Runtime Open(const std::string& path);

// Throws hal::DeviceFailure with the code's name unless it is 0.
void Succeed(int code, const char* call);

}  // namespace rknn
