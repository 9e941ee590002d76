// The structs of the driver contract by somebody who has only the table of their layouts: no header
// of this project.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace {

struct Dimensions {
  uint32_t count;
  int32_t data[8];
  uint32_t dynamic_count;
  int32_t dynamic_data[8][8];
};
struct PerLayer {
  float scale;
};
struct PerChannel {
  uint32_t channel_dim;
  uint32_t scale_count;
  const float* scales;
};
struct Asymmetric {
  float scale;
  int32_t zero_point;
};
struct Type {
  int32_t precision;
  int32_t layout;
  int32_t lifetime;
  Dimensions dimensions;
  union {
    PerLayer per_layer;
    PerChannel per_channel;
    Asymmetric asymmetric;
  };
};
struct Hint {
  void* handler;
  void (*deleter)(void** handler);
};
struct Operand {
  Type type;
  void* buffer;
  uint32_t length;
  Hint hints[8];
};
struct Argument {
  int index;
  void* memory;
  void* (*access)(void* memory, Type* type, void* device_buffer);
};
struct Operation {
  int32_t type;
  std::vector<Operand*> inputs;
  std::vector<Operand*> outputs;
};
struct Cache {
  const char* token;
  const char* dir;
  std::vector<Type> input_types;
  std::vector<Type> output_types;
  std::vector<uint8_t> buffer;
};
struct Model {
  std::list<Operand> operands;
  std::list<Operation> operations;
  std::vector<Operand*> inputs;
  std::vector<Operand*> outputs;
};
struct Device {
  const char* name;
  const char* vendor;
  int32_t type;
  int32_t version;
  int (*open_device)(void**);
  void (*close_device)(void*);
  int (*create_context)(void*, const char*, int (*)(int, void*), void**);
  void (*destroy_context)(void*);
  int (*validate_program)(void*, const Model*, bool*);
  int (*create_program)(void*, Model*, Cache*, void**);
  void (*destroy_program)(void*);
  int (*execute_program)(void*, uint32_t, Argument*, uint32_t, Argument*);
};

#define AT(type, field, offset) static_assert(offsetof(type, field) == offset, #type "." #field)
#define SIZE(type, size) static_assert(sizeof(type) == size, #type)
SIZE(PerLayer, 4);
AT(PerLayer, scale, 0);
SIZE(PerChannel, 16);
AT(PerChannel, channel_dim, 0);
AT(PerChannel, scale_count, 4);
AT(PerChannel, scales, 8);
SIZE(Asymmetric, 8);
AT(Asymmetric, scale, 0);
AT(Asymmetric, zero_point, 4);
SIZE(Dimensions, 296);
AT(Dimensions, count, 0);
AT(Dimensions, data, 4);
AT(Dimensions, dynamic_count, 36);
AT(Dimensions, dynamic_data, 40);
SIZE(Type, 328);
AT(Type, precision, 0);
AT(Type, layout, 4);
AT(Type, lifetime, 8);
AT(Type, dimensions, 12);
AT(Type, per_layer, 312);
SIZE(Hint, 16);
AT(Hint, handler, 0);
AT(Hint, deleter, 8);
SIZE(Operand, 472);
AT(Operand, type, 0);
AT(Operand, buffer, 328);
AT(Operand, length, 336);
AT(Operand, hints, 344);
SIZE(Argument, 24);
AT(Argument, index, 0);
AT(Argument, memory, 8);
AT(Argument, access, 16);
SIZE(Operation, 56);
AT(Operation, type, 0);
AT(Operation, inputs, 8);
AT(Operation, outputs, 32);
SIZE(Cache, 88);
AT(Cache, token, 0);
AT(Cache, dir, 8);
AT(Cache, input_types, 16);
AT(Cache, output_types, 40);
AT(Cache, buffer, 64);
#if _GLIBCXX_USE_CXX11_ABI
SIZE(Model, 96);
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // std::list
AT(Model, operands, 0);
AT(Model, operations, 24);
AT(Model, inputs, 48);
AT(Model, outputs, 72);
#else
SIZE(Model, 80);
#endif
SIZE(Device, 88);
AT(Device, name, 0);
AT(Device, vendor, 8);
AT(Device, type, 16);
AT(Device, version, 20);
AT(Device, open_device, 24);
AT(Device, close_device, 32);
AT(Device, create_context, 40);
AT(Device, destroy_context, 48);
AT(Device, validate_program, 56);
AT(Device, create_program, 64);
AT(Device, destroy_program, 72);
AT(Device, execute_program, 80);
static_assert(alignof(Dimensions) == 4 && alignof(Type) == 8 && alignof(Operand) == 8, "align");

#undef AT
#undef SIZE

}  // namespace
