#include "lite/nnadapter/driver/python/execution.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "lite/nnadapter/driver/python/gil.h"
#include "nnadapter/nnadapter.h"

namespace nnadapter::python {

namespace {

struct Input {
  std::vector<int32_t> dims;
  void* data;
};

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

struct Output {
  size_t item_size;
  std::unique_ptr<void, Free> data;
  std::vector<int32_t> dims;
  std::string failure;
};

void* Fetch(void* memory, NNAdapterOperandType* type, void*) {
  const auto* input = static_cast<Input*>(memory);
  type->dimensions.count = static_cast<uint32_t>(input->dims.size());
  type->dimensions.dynamic_count = 0;
  std::copy(input->dims.begin(), input->dims.end(), type->dimensions.data);
  return input->data;
}

std::string ListOf(const std::vector<int32_t>& dims) {
  std::string text;
  for (const int32_t extent : dims) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

// Null where there is no memory, or the dimensions are none.
void* Allocate(const std::vector<int32_t>& dims, size_t bytes) {
  for (const int32_t extent : dims)
    if (extent < 0 || __builtin_mul_overflow(bytes, static_cast<size_t>(extent), &bytes))
      return nullptr;
  return std::malloc(std::max<size_t>(bytes, 1));
}

void* Store(void* memory, NNAdapterOperandType* type, void*) {
  auto* output = static_cast<Output*>(memory);
  const NNAdapterOperandDimensionType& given = type->dimensions;
  const uint32_t rank = std::min<uint32_t>(given.count, NNADAPTER_MAX_SIZE_OF_DIMENSIONS);
  std::vector<int32_t> dims(given.data, given.data + rank);
  if (output->data && dims == output->dims) return output->data.get();
  output->data.reset(Allocate(dims, output->item_size));
  if (!output->data)
    output->failure =
        "the device gave dimensions " + ListOf(dims) + ", for which there is no memory";
  output->dims = std::move(dims);
  return output->data.get();
}

Input InputOf(const py::array& array) {
  if (array.ndim() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    throw py::value_error("an input has " + std::to_string(array.ndim()) +
                          " dimensions; at most 8 are allowed");
  Input input{{}, const_cast<void*>(array.data())};
  for (py::ssize_t axis = 0; axis < array.ndim(); ++axis) {
    if (array.shape(axis) > INT32_MAX)
      throw py::value_error("an input's dimension " + std::to_string(array.shape(axis)) +
                            " is larger than 2147483647");
    input.dims.push_back(static_cast<int32_t>(array.shape(axis)));
  }
  return input;
}

py::object ArrayOf(Output* output, const py::dtype& type) {
  if (!output->data) return py::none();
  void* memory = output->data.get();
  const py::capsule owner(memory, [](void* owned) { std::free(owned); });
  output->data.release();
  return py::array(type, std::vector<py::ssize_t>(output->dims.begin(), output->dims.end()), memory,
                   owner);
}

// The function that failed, and its code.
std::pair<const char*, int> Run(NNAdapterExecution* execution, std::vector<Input>* inputs,
                                std::vector<Output>* outputs) {
  for (size_t i = 0; i < inputs->size(); ++i)
    if (const int code =
            NNAdapterExecution_setInput(execution, static_cast<int32_t>(i), &(*inputs)[i], Fetch))
      return {"Execution_setInput", code};
  for (size_t i = 0; i < outputs->size(); ++i)
    if (const int code =
            NNAdapterExecution_setOutput(execution, static_cast<int32_t>(i), &(*outputs)[i], Store))
      return {"Execution_setOutput", code};
  const int code = NNAdapterExecution_compute(execution);
  return {code ? "Execution_compute" : "", code};
}

}  // namespace

py::tuple Compute(uintptr_t handle, const std::vector<py::array>& inputs,
                  const std::vector<py::dtype>& outputs) {
  std::vector<Input> given;
  for (const py::array& array : inputs) given.push_back(InputOf(array));
  std::vector<Output> found;
  for (const py::dtype& type : outputs)
    found.push_back({static_cast<size_t>(type.itemsize()), nullptr, {}, ""});
  std::pair<const char*, int> result;
  {
    const paddle::lite::python::GilReleased released;
    result = Run(reinterpret_cast<NNAdapterExecution*>(handle), &given, &found);
  }
  std::string failure;
  py::list arrays;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i].failure.empty() && failure.empty())
      failure = "output " + std::to_string(i) + ": " + found[i].failure;
    arrays.append(ArrayOf(&found[i], outputs[i]));
  }
  return py::make_tuple(result.first, result.second, failure, arrays);
}

}  // namespace nnadapter::python
