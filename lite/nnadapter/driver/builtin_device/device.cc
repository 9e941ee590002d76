#include "lite/nnadapter/driver/builtin_device/device.h"

#include <cstring>

#include "lite/core/runtime_program.h"
#include "lite/nnadapter/driver/builtin_device/lowering.h"
#include "lite/nnadapter/driver/builtin_device/support.h"
#include "lite/nnadapter/runtime/in_process.h"
#include "nnadapter/hal/pass/fuse_conv_add.h"
#include "nnadapter/hal/pass/fuse_conv_batch_norm.h"
#include "nnadapter/hal/pass/fuse_conv_scale.h"

namespace nnadapter::builtin_device {
namespace {

constexpr char kName[] = "builtin_device";

int ThreadsOf(const hal::Properties& properties) {
  constexpr const char* kKey = "BUILTIN_DEVICE_NUM_THREADS";
  const int threads = properties.GetInt(kKey, 1);
  if (threads < 1 || threads > 256)
    throw hal::InvalidParameter(
        hal::Text(kKey, " is '", threads, "', expected a number from 1 to 256"));
  return threads;
}

class Program : public hal::Program {
 public:
  // Constants of the graph borrow the model's memory.
  Program(const core::Model& model, int threads)
      : runtime_(GraphBuilder(model).Run(), &scope_), threads_(threads) {}

  void Run(const std::vector<hal::Tensor>& inputs, hal::Outputs& outputs) override {
    std::vector<lite::Tensor> in(inputs.size()), out(outputs.count());
    std::vector<lite::Tensor*> in_pointers, out_pointers;
    for (size_t i = 0; i < in.size(); ++i) {
      const NNAdapterOperandDimensionType& dims = inputs[i].type.dimensions;
      lite::TensorMeta meta;
      meta.dtype = StorageType(inputs[i].type.precision);
      for (uint32_t d = 0; d < dims.count; ++d) meta.dims.push_back(dims.data[d]);
      in[i].set_meta(meta);
      in[i].Bind(inputs[i].data, in[i].memory_size());
      in_pointers.push_back(&in[i]);
    }
    for (lite::Tensor& tensor : out) out_pointers.push_back(&tensor);
    runtime_.Run(in_pointers, out_pointers, threads_);
    for (size_t i = 0; i < out.size(); ++i) {
      const auto declared = outputs.type(i).precision;
      const auto precision =
          runtime::IsQuantized(declared) ? declared : PrecisionOf(out[i].dtype());
      void* to = outputs.Allocate(i, {out[i].dims().begin(), out[i].dims().end()}, precision);
      if (out[i].memory_size() > 0) std::memcpy(to, out[i].raw_data(), out[i].memory_size());
    }
  }

  // The candidates of a dimension do not bind: the plan takes any. One that was known when the
  // program was made does, as constants may have been computed from it.
  bool Accepts(const NNAdapterOperandType& declared, const std::vector<int32_t>& dims) override {
    return hal::DimsFit(declared.dimensions, dims);
  }

  // The runtime lets the runs of a compilation take turns.
  bool ConcurrentRuns() const override { return true; }

 private:
  lite::Scope scope_;
  lite::RuntimeProgram runtime_;
  const int threads_;
};

class BuiltinDevice : public hal::Backend {
 public:
  explicit BuiltinDevice(const hal::Properties& properties) : threads_(ThreadsOf(properties)) {}

  std::string Supports(const core::Operation& operation) override { return RefusalOf(operation); }

  bool BuildRefuses() const override { return true; }

  // The bytes are not trusted: what the runtime checks of a new model is checked again.
  void CheckCached(core::Model& model) override {
    for (core::Operation& operation : model.operations) runtime::CheckAndInfer(&operation);
  }

  std::unique_ptr<hal::Program> Build(core::Model& model) override {
    // What the plan cannot fold: it has no weights to change.
    hal::FuseConvBatchNorm(&model);
    while (hal::FuseConvAdd(&model) + hal::FuseConvScale(&model) > 0) {
    }
    return std::make_unique<Program>(model, threads_);
  }

 private:
  const int threads_;
};

}  // namespace

const driver::Device* Get() {
  using Callbacks = hal::Callbacks<BuiltinDevice, kName, runtime::InProcess>;
  static const driver::Device device = {
      kName,
      "Paddle",
      NNADAPTER_CPU,
      NNADAPTER_VERSION,
      Callbacks::OpenDevice,
      Callbacks::CloseDevice,
      Callbacks::CreateContext,
      Callbacks::DestroyContext,
      Callbacks::ValidateProgram,
      Callbacks::CreateProgram,
      Callbacks::DestroyProgram,
      Callbacks::ExecuteProgram,
  };
  return &device;
}

}  // namespace nnadapter::builtin_device
