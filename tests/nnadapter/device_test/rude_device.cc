// A RELU whose driver has a fault, BAD=... of its properties. With MUTE it cannot be asked.
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "nnadapter/driver/device.h"

namespace core = nnadapter::core;

namespace {

std::string bad;

void Crash() { raise(SIGSEGV); }

int Open(void** device) {
  *device = &bad;
  return 0;
}

void Close(void*) {
  if (bad == "closes") Crash();
}

int CreateContext(void*, const char* properties, int (*)(int, void*), void** context) {
  const char* value = strstr(properties, "BAD=");
  bad = value ? value + 4 : "";
  bad = bad.substr(0, bad.find(';'));
  if (bad == "opens") Crash();
  *context = &bad;
  return 0;
}

void DestroyContext(void*) {}

bool Takes(const core::Operation& operation) {
  return operation.type == NNADAPTER_RELU && bad != "refuses" &&
         operation.output_operands[0]->type.precision == NNADAPTER_FLOAT32;
}

#ifdef MUTE
#define DEVICE mute_device
constexpr auto kValidate = nullptr;
#else
#define DEVICE rude_device
int Validate(void*, const core::Model* model, bool* supported) {
  if (bad == "asks") Crash();
  for (const core::Operation& operation : model->operations) *supported++ = Takes(operation);
  return 0;
}
constexpr auto kValidate = Validate;
#endif

int CreateProgram(void*, core::Model* model, core::Cache*, void** program) {
  if (!model || !Takes(model->operations.front())) return NNADAPTER_DEVICE_INTERNAL_ERROR;
  if (bad == "crashes") Crash();
  if (bad == "hangs") sleep(100);
  if (bad == "garbles")
    for (int file = 3; file < 20; ++file) (void)!write(file, "nonsense, nonsense", 18);
  *program = new int(0);
  return 0;
}

void DestroyProgram(void* program) {
  if (bad == "releases") Crash();
  delete static_cast<int*>(program);
}

int Execute(void* program, uint32_t, core::Argument* inputs, uint32_t, core::Argument* outputs) {
  NNAdapterOperandType type = {};
  auto* from = static_cast<float*>(inputs->access(inputs->memory, &type, nullptr));
  type.precision = NNADAPTER_FLOAT32;
  auto* to = static_cast<float*>(outputs->access(outputs->memory, &type, nullptr));
  if (!from || !to) return NNADAPTER_INVALID_PARAMETER;
  if (bad == "nothing") return 0;
  size_t count = 1;
  for (uint32_t i = 0; i < type.dimensions.count; ++i) count *= type.dimensions.data[i];
  for (size_t i = 0; i < count; ++i) to[i] = std::max(from[i], 0.f);
  if (bad == "overwrites") from[0] += 1;
  if (bad == "second" && ++*static_cast<int*>(program) == 2) to[0] += 1;
  return 0;
}

}  // namespace

#define TEXT1(name) #name
#define TEXT(name) TEXT1(name)

extern "C" {
__attribute__((visibility("default"))) nnadapter::driver::Device NNADAPTER_AS_SYM2(DEVICE) = {
    TEXT(DEVICE),  "Tests",        NNADAPTER_CPU, NNADAPTER_VERSION, Open,           Close,
    CreateContext, DestroyContext, kValidate,     CreateProgram,     DestroyProgram, Execute};
}
