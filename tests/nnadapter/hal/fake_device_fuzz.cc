// fake_device under sanitizers: runs, and caches that are damaged behind the runtime's checksum.
#include "lite/nnadapter/driver/fake_device/fake_device.cc"
#include "reference.h"

namespace {

struct Memory {
  std::vector<int32_t> dims;
  std::vector<float> data;
};

void* Read(void* memory, NNAdapterOperandType* type, void*) {
  auto* tensor = static_cast<Memory*>(memory);
  hal::SetDims(type, tensor->dims);
  return tensor->data.data();
}
void* Write(void* memory, NNAdapterOperandType* type, void*) {
  auto* tensor = static_cast<Memory*>(memory);
  tensor->dims = hal::Dims(*type);
  const int64_t size = hal::ElementCount(tensor->dims);
  if (size > 1 << 20) return nullptr;
  tensor->data.resize(size);
  return tensor->data.data();
}

void BuildModel(reference::Builder* b) {
  core::Operand* x = b->Conv(b->Input({2, 3, 6, 6}), b->Weights({4, 3, 3, 3}), b->Weights({4}), 1);
  x = b->Op(NNADAPTER_RELU, {x}, {2, 4, 6, 6});
  x = b->Op(NNADAPTER_AVERAGE_POOL_2D,
            {x, b->Ints({0}), b->Ints({0, 0, 0, 0}), b->Ints({2, 2}), b->Ints({2, 2}),
             b->Bool(false), b->Bool(false), b->Ints({0})},
            {2, 4, 3, 3});
  x = b->Op(NNADAPTER_ADD, {x, b->Weights({4, 1, 1}), b->Ints({1})}, {2, 4, 3, 3});
  b->Return(b->Op(NNADAPTER_SOFTMAX, {x, b->Ints({1})}, {2, 4, 3, 3}));
}

}  // namespace

int main() {
  reference::Builder builder;
  BuildModel(&builder);
  auto& device = __nnadapter_device__fake_device;
  void *handle = nullptr, *context = nullptr, *program = nullptr;
  device.open_device(&handle);
  device.create_context(handle, "", nullptr, &context);
  core::Cache cache;
  cache.token = "t";
  cache.dir = "d";
  if (device.create_program(context, &builder.model, &cache, &program) || cache.buffer.empty())
    return 1;
  device.destroy_program(program);
  cache.input_types = {builder.model.input_operands[0]->type};
  cache.output_types = {builder.model.output_operands[0]->type};
  Memory input{{2, 3, 6, 6}, std::vector<float>(216, 0.5f)}, output;
  std::mt19937 random(11);
  int made = 0, ran = 0;
  for (int i = 0; i < 4000; ++i) {
    core::Cache damaged = cache;
    if (i % 4 == 3) damaged.buffer.resize(1 + random() % (cache.buffer.size() - 1));
    for (int k = i == 0 ? 0 : 1 + i % 3; k > 0; --k) {
      const uint8_t values[] = {0, 1, 2, 0xff, 0x80, static_cast<uint8_t>(random())};
      damaged.buffer[random() % damaged.buffer.size()] = values[random() % 6];
    }
    program = nullptr;
    if (device.create_program(context, nullptr, &damaged, &program)) continue;
    ++made;
    core::Argument in{0, &input, Read}, out{0, &output, Write};
    ran += device.execute_program(program, 1, &in, 1, &out) == NNADAPTER_NO_ERROR;
    device.destroy_program(program);
  }
  device.destroy_context(context);
  device.close_device(handle);
  std::printf("%d made, %d ran\n", made, ran);
  return made == 0 || ran == 0;
}
