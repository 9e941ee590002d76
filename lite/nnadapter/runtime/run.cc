// One run of a compilation's programs: what drivers get as arguments stands between them and the
// caller's memory, so that no answer of theirs reaches it unchecked.
#include <cstdlib>
#include <cstring>
#include <new>

#include "lite/core/base/truth.h"
#include "lite/nnadapter/runtime/compilation.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

void SetDimensions(const NNAdapterOperandDimensionType& from, NNAdapterOperandType* to) {
  to->dimensions.count = from.count;
  std::memcpy(to->dimensions.data, from.data, sizeof(from.data));
}

// A model's input: the caller is asked once, drivers as often as they like.
struct Input {
  core::Argument caller;
  NNAdapterOperandType type;
  void* data = nullptr;
  std::vector<uint8_t> truth;  // in place of the caller's, where that has other bytes than 0 and 1
};

// BOOL8 that a driver writes, to be read when it has returned.
struct WrittenTruth {
  void Note(int32_t precision, void* to, int64_t count) {
    data = precision == NNADAPTER_BOOL8 ? to : nullptr;
    size = static_cast<size_t>(count);
  }
  void MakePlain() const {
    if (data) paddle::lite::MakePlainTruth(data, size);
  }
  void* data = nullptr;
  size_t size = 0;
};

// A tensor in the memory of the host that one program writes and others read.
struct Buffer {
  ~Buffer() { std::free(data); }
  // Keeps its address as long as it is large enough.
  void Reserve(size_t bytes) {
    if (bytes <= capacity) return;
    std::free(data);
    capacity = 0;
    data = std::malloc(bytes);
    if (!data) throw std::bad_alloc();
    capacity = bytes;
  }
  size_t ElementSize() const {
    return precision == kUnknownPrecision ? kMaxElementSize : PrecisionSize(precision);
  }
  int32_t precision = kUnknownPrecision;
  NNAdapterOperandDimensionType dimensions{};
  bool written = false;
  WrittenTruth truth;
  void* data = nullptr;
  size_t capacity = 0;
};

struct Output {
  core::Argument caller;
  NNAdapterOperandType type;
  bool written = false;
  WrittenTruth truth;
  Buffer* shared = nullptr;  // set where another program reads it, or its driver may bind it once
  bool read = false;         // by another program
  bool as_compiled = false;  // the inputs have the shapes that the model was compiled for
};

// Throws through the driver: memory for a tensor of nonsensical dimensions does not exist.
int64_t CheckedCount(const NNAdapterOperandType* type) {
  if (!type) Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "the device asked for an output without a type");
  const int64_t count = ElementCount(type->dimensions);
  if (count < 0) {
    Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "the device gave an output the dimensions ",
         DimensionsText(type->dimensions));
  }
  return count;
}

// Whether dimensions are those that were declared, as far as they were known then.
bool Fits(const NNAdapterOperandDimensionType& declared, const NNAdapterOperandDimensionType& now) {
  if (declared.count != now.count) return false;
  for (uint32_t i = 0; i < declared.count; ++i)
    if (declared.data[i] != NNADAPTER_UNKNOWN && declared.data[i] != now.data[i]) return false;
  return true;
}

// What the device gave against what the model says.
void CheckOutput(const Output& output, const NNAdapterOperandType& given) {
  const NNAdapterOperandType& wanted = output.type;
  if (output.as_compiled && !Fits(wanted.dimensions, given.dimensions)) {
    Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "the device gave output ", output.caller.index,
         " the dimensions ", DimensionsText(given.dimensions), ", the model says ",
         DimensionsText(wanted.dimensions));
  }
  const size_t size = PrecisionSize(PrecisionOf(given)),
               expected = PrecisionSize(PrecisionOf(wanted));
  if (size > expected) {  // less may be a type of which the driver filled in the dimensions alone
    Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "the device gave output ", output.caller.index,
         " elements of ", size, " bytes, the model says ", expected);
  }
}

// Why the driver was refused an output in this run: what it makes of the exception is its affair.
thread_local std::string refusal;

template <typename Access>
void* NotingRefusal(Access&& access) {
  try {
    return access();
  } catch (const Error& error) {
    refusal = error.what();
    throw;
  }
}

void* AccessInput(void* memory, NNAdapterOperandType* type, void* device_buffer) {
  auto* input = static_cast<Input*>(memory);
  if (device_buffer) {
    NNAdapterOperandType own = input->type;
    return input->caller.access(input->caller.memory, type ? type : &own, device_buffer);
  }
  if (type) SetDimensions(input->type.dimensions, type);
  return input->data;
}

void* AccessBufferAsInput(void* memory, NNAdapterOperandType* type, void* device_buffer) {
  auto* buffer = static_cast<Buffer*>(memory);
  if (device_buffer) *static_cast<bool*>(device_buffer) = false;
  if (type) SetDimensions(buffer->dimensions, type);
  return buffer->data;
}

// An input of one program that only this program may write to, copied in each run.
struct PrivateInput {
  const NNAdapterOperandDimensionType& dimensions() const {
    return input ? input->type.dimensions : buffer->dimensions;
  }
  void Refresh() {
    const auto count = static_cast<size_t>(ElementCount(dimensions()));
    const size_t bytes = input ? count * PrecisionSize(PrecisionOf(input->type))
                               : std::min(count * buffer->ElementSize(), buffer->capacity);
    copy.Reserve(std::max<size_t>(bytes, 1));
    if (bytes > 0) std::memcpy(copy.data, input ? input->data : buffer->data, bytes);
  }
  Input* input = nullptr;          // where it comes from: the caller,
  const Buffer* buffer = nullptr;  // or another program
  Buffer copy;
};

void* AccessPrivate(void* memory, NNAdapterOperandType* type, void* device_buffer) {
  auto* own = static_cast<PrivateInput*>(memory);
  if (device_buffer) *static_cast<bool*>(device_buffer) = false;
  if (type) SetDimensions(own->dimensions(), type);
  return own->copy.data;
}

// Of the largest shape that is known when the model is compiled; 0 where none is.
size_t LargestCount(const NNAdapterOperandDimensionType& dimensions) {
  NNAdapterOperandDimensionType one = dimensions;
  int64_t most = std::max<int64_t>(ElementCount(one), 0);
  for (uint32_t i = 0; i < dimensions.dynamic_count; ++i) {
    std::memcpy(one.data, dimensions.dynamic_data[i], sizeof(one.data));
    most = std::max(most, ElementCount(one));
  }
  return static_cast<size_t>(most);
}

void* WriteBuffer(Buffer* buffer, const NNAdapterOperandType* type, void* device_buffer) {
  const int64_t count = CheckedCount(type);
  if (device_buffer) {
    Fail(NNADAPTER_FEATURE_NOT_SUPPORTED,
         "the device keeps a tensor that another device reads in memory of its own");
  }
  const size_t size = std::max(buffer->ElementSize(), PrecisionSize(PrecisionOf(*type)));
  buffer->Reserve(std::max<size_t>(static_cast<size_t>(count) * size, 1));
  buffer->dimensions = type->dimensions;
  buffer->written = true;
  buffer->truth.Note(buffer->precision, buffer->data, count);
  return buffer->data;
}

void* AccessBufferAsOutput(void* memory, NNAdapterOperandType* type, void* device_buffer) {
  return NotingRefusal(
      [&] { return WriteBuffer(static_cast<Buffer*>(memory), type, device_buffer); });
}

void* WriteOutput(Output* output, NNAdapterOperandType* type, void* device_buffer) {
  const int64_t count = CheckedCount(type);
  CheckOutput(*output, *type);
  if (output->shared && (output->read || !device_buffer)) {
    void* data = WriteBuffer(output->shared, type, device_buffer);
    output->written = true;
    output->truth.Note(PrecisionOf(output->type), data, count);
    return data;
  }
  if (output->shared) output->shared->written = false;
  // A driver may have changed its copy of the type (uint8 for int8); the caller knows its own.
  NNAdapterOperandType own = output->type;
  own.dimensions = type->dimensions;
  void* data = output->caller.access(output->caller.memory, &own, device_buffer);
  if (!data && count > 0 && !device_buffer) {
    FailParameter("the access function of output ", output->caller.index, " returned null for ",
                  DimensionsText(type->dimensions));
  }
  output->written = true;
  output->truth.Note(PrecisionOf(output->type), device_buffer ? nullptr : data, count);
  return data;
}

void* AccessOutput(void* memory, NNAdapterOperandType* type, void* device_buffer) {
  return NotingRefusal(
      [&] { return WriteOutput(static_cast<Output*>(memory), type, device_buffer); });
}

void FetchInput(Input* input) {
  const uint32_t rank = input->type.dimensions.count;
  input->type.dimensions.dynamic_count = 0;
  input->data = input->caller.access(input->caller.memory, &input->type, nullptr);
  const NNAdapterOperandDimensionType& dimensions = input->type.dimensions;
  const int64_t count = ElementCount(dimensions);
  if (count < 0) {
    FailParameter("the access function of input ", input->caller.index, " gave the dimensions ",
                  DimensionsText(dimensions));
  }
  if (dimensions.count != rank) {
    Fail(NNADAPTER_INVALID_DIMENSIONS, "input ", input->caller.index, " is ",
         DimensionsText(dimensions), ", compiled was a tensor of rank ", rank);
  }
  if (!input->data && count > 0) {
    FailParameter("the access function of input ", input->caller.index, " returned null");
  }
  const auto size = static_cast<size_t>(count);
  if (PrecisionOf(input->type) != NNADAPTER_BOOL8 ||
      !paddle::lite::HasOtherTruth(input->data, size))
    return;
  const auto* bytes = static_cast<const uint8_t*>(input->data);
  input->truth.assign(bytes, bytes + size);
  input->data = input->truth.data();
  paddle::lite::MakePlainTruth(input->data, size);
}

// A tensor that stands in memory of the runtime; the caller gets a copy.
void HandOver(Output* output) {
  NNAdapterOperandType type = output->type;
  type.dimensions = output->shared->dimensions;
  type.dimensions.dynamic_count = 0;
  void* data = output->caller.access(output->caller.memory, &type, nullptr);
  const size_t bytes =
      static_cast<size_t>(ElementCount(type.dimensions)) * PrecisionSize(PrecisionOf(output->type));
  if (bytes == 0) return;
  if (!data) {
    FailParameter("the access function of output ", output->caller.index, " returned null");
  }
  std::memcpy(data, output->shared->data, std::min(bytes, output->shared->capacity));
}

}  // namespace

// Keeps host buffers from run to run: what drivers that may bind it once get keeps its address.
class Runner {
 public:
  explicit Runner(const Plan& plan)
      : plan_(plan),
        inputs_(plan.input_types.size()),
        outputs_(plan.output_types.size()),
        passing_(plan.passing_precisions.size()),
        shared_(plan.output_types.size()) {
    for (size_t i = 0; i < passing_.size(); ++i) passing_[i].precision = plan.passing_precisions[i];
    for (size_t i = 0; i < shared_.size(); ++i)
      shared_[i].precision = PrecisionOf(plan.output_types[i]);
    for (const auto& program : plan.programs) {
      for (int32_t index : program->input_indexes)
        if (index >= kShared) Share(index - kShared)->read = true;
      for (int32_t index : program->output_indexes)
        if (index < 0 && MayBind(*program)) {
          const NNAdapterOperandType& type = plan.output_types[-1 - index];
          Share(-1 - index)
              ->shared->Reserve(LargestCount(type.dimensions) * PrecisionSize(PrecisionOf(type)));
        }
    }
    for (const auto& program : plan.programs) AddPrivateInputs(*program);
  }

  void Run(const std::vector<core::Argument>& inputs, const std::vector<core::Argument>& outputs) {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      outputs_[i].caller = outputs[i];
      outputs_[i].type = plan_.output_types[i];
    }
    same_shapes_ = ran_;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const NNAdapterOperandDimensionType before = inputs_[i].type.dimensions;
      inputs_[i].caller = inputs[i];
      inputs_[i].type = plan_.input_types[i];
      FetchInput(&inputs_[i]);
      same_shapes_ = same_shapes_ && Fits(before, inputs_[i].type.dimensions);
    }
    ran_ = false;
    bool as_compiled = true;
    for (size_t i = 0; i < inputs_.size(); ++i)
      as_compiled =
          as_compiled && Fits(plan_.input_types[i].dimensions, inputs_[i].type.dimensions);
    for (Output& output : outputs_) output.as_compiled = as_compiled;
    for (size_t i = 0; i < plan_.programs.size(); ++i) RunProgram(*plan_.programs[i], &private_[i]);
    for (Output& output : outputs_)
      if (output.shared && output.shared->written) HandOver(&output);
    ran_ = true;
  }

 private:
  static bool MayBind(const Program& program) { return program.device->device().may_bind(); }

  Output* Share(int32_t index) {
    outputs_[index].shared = &shared_[index];
    return &outputs_[index];
  }

  void AddPrivateInputs(const Program& program) {
    std::vector<PrivateInput>& own = private_.emplace_back(program.input_indexes.size());
    for (size_t i = 0; i < own.size(); ++i) {
      const int32_t index = program.input_indexes[i];
      if (index >= 0) {
        own[i].buffer = index >= kShared ? &shared_[index - kShared] : &passing_[index];
        continue;
      }
      own[i].input = &inputs_[-1 - index];
      const NNAdapterOperandType& type = plan_.input_types[-1 - index];
      if (MayBind(program))
        own[i].copy.Reserve(LargestCount(type.dimensions) * PrecisionSize(PrecisionOf(type)));
    }
  }

  std::vector<core::Argument> InputArguments(const Program& program,
                                             std::vector<PrivateInput>* own) {
    std::vector<core::Argument> inputs;
    for (int32_t index : program.input_indexes) {
      const size_t i = inputs.size();
      core::Argument argument;
      argument.index = static_cast<int>(i);
      if (program.private_inputs[i] || (index < 0 && MayBind(program))) {
        (*own)[i].Refresh();
        argument.memory = &(*own)[i];
        argument.access = AccessPrivate;
      } else if (index < 0) {
        argument.memory = &inputs_[-1 - index];
        argument.access = AccessInput;
      } else {
        argument.memory = index >= kShared ? &shared_[index - kShared] : &passing_[index];
        argument.access = AccessBufferAsInput;
      }
      inputs.push_back(argument);
    }
    return inputs;
  }

  bool& Written(int32_t index) {
    return index < 0 ? outputs_[-1 - index].written : passing_[index].written;
  }

  void RunProgram(const Program& program, std::vector<PrivateInput>* own) {
    std::vector<core::Argument> inputs = InputArguments(program, own), outputs;
    for (int32_t index : program.output_indexes) {
      core::Argument argument;
      argument.index = static_cast<int>(outputs.size());
      argument.memory = index < 0 ? static_cast<void*>(&outputs_[-1 - index]) : &passing_[index];
      argument.access = index < 0 ? AccessOutput : AccessBufferAsOutput;
      outputs.push_back(argument);
      Written(index) = false;
    }
    const std::string& name = program.device->name();
    refusal.clear();
    const int code = CallDriver(name, "execute_program", [&] {
      return program.device->device().driver().execute_program(
          program.handle, static_cast<uint32_t>(inputs.size()), inputs.data(),
          static_cast<uint32_t>(outputs.size()), outputs.data());
    });
    if (code != NNADAPTER_NO_ERROR) {
      Fail(code, "device ", name, ": execute_program returned ", code, " (", ResultCodeName(code),
           ")", refusal.empty() ? program.device->device().Reason() : ": " + refusal);
    }
    CheckWritten(program);
  }

  // A driver that asked for no output of this run writes to those of the run before.
  void CheckWritten(const Program& program) {
    bool any = false;
    for (int32_t index : program.output_indexes) any = any || Written(index);
    const bool bound = MayBind(program) && same_shapes_ && !any;
    for (size_t i = 0; i < program.output_indexes.size(); ++i) {
      const int32_t index = program.output_indexes[i];
      if (!Written(index) && !bound) {
        Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "device ", program.device->name(),
             ": execute_program succeeded without writing its output ", i);
      }
      (index < 0 ? outputs_[-1 - index].truth : passing_[index].truth).MakePlain();
    }
  }

  const Plan& plan_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Buffer> passing_, shared_;
  std::vector<std::vector<PrivateInput>> private_;  // by program, by input
  bool ran_ = false, same_shapes_ = false;
};

void Compilation::Run(const std::vector<core::Argument>& inputs,
                      const std::vector<core::Argument>& outputs) {
  std::lock_guard<Mutex> lock(run_mutex_);
  if (!runner_) runner_ = std::make_shared<Runner>(plan_);
  try {
    runner_->Run(inputs, outputs);
  } catch (const Error& error) {
    // Some drivers save in their first run; that may be what failed.
    if (error.code() != NNADAPTER_DEVICE_INTERNAL_ERROR) throw;
    runner_.reset();
    if (!RebuildWithoutCache(error.what())) throw;
    runner_ = std::make_shared<Runner>(plan_);
    runner_->Run(inputs, outputs);
  }
  SaveAfterRun();
}

}  // namespace nnadapter::runtime
