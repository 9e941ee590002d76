// paddle_infer::Predictor and PredictorPool over the SDK's predictors.
#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_api.h"
#include "lite/sdk/include/paddle_inference_api.h"
#include "lite/sdk/inference/data_type.h"
#include "lite/sdk/inference/open.h"

namespace paddle_infer {
namespace {

using paddle::lite::ConfigError;
using paddle::lite::StrCat;
using SdkPredictor = paddle::lite_api::PaddlePredictor;
using SdkTensor = paddle::lite_api::Tensor;

std::unique_ptr<Tensor> Handle(SdkPredictor* predictor, const std::string& name, bool is_input) {
  if (is_input) return std::make_unique<Tensor>(name, predictor->GetInputByName(name));
  // What a handle of an output writes throws.
  auto* const output = const_cast<SdkTensor*>(predictor->GetOutputByName(name).release());
  return std::make_unique<Tensor>(name, std::unique_ptr<SdkTensor>(output));
}

template <typename T>
std::map<std::string, T> ByName(SdkPredictor* predictor, bool are_inputs,
                                T (*value)(const SdkTensor&)) {
  std::map<std::string, T> values;
  if (are_inputs)
    for (const std::string& name : predictor->GetInputNames())
      values[name] = value(*predictor->GetInputByName(name));
  else
    for (const std::string& name : predictor->GetOutputNames())
      values[name] = value(*predictor->GetOutputByName(name));
  return values;
}

std::vector<int64_t> ShapeOf(const SdkTensor& tensor) { return tensor.shape(); }
DataType KindOf(const SdkTensor& tensor) { return DataTypeOf(tensor.precision()); }

void CallHooks(const std::vector<InputTensorHookFunc>& hooks, SdkPredictor* predictor,
               bool of_inputs) {
  if (hooks.empty()) return;
  const char* const kind = of_inputs ? "feed" : "fetch";
  for (const std::string& name :
       of_inputs ? predictor->GetInputNames() : predictor->GetOutputNames())
    for (const InputTensorHookFunc& hook : hooks)
      hook(kind, name, *Handle(predictor, name, of_inputs));
}

}  // namespace

Predictor::Predictor(const Config& config) : predictor_(paddle::OpenModel(config)) {}
Predictor::Predictor(std::shared_ptr<SdkPredictor> predictor) : predictor_(std::move(predictor)) {}
Predictor::~Predictor() = default;

std::vector<std::string> Predictor::GetInputNames() { return predictor_->GetInputNames(); }
std::vector<std::string> Predictor::GetOutputNames() { return predictor_->GetOutputNames(); }

std::unique_ptr<Tensor> Predictor::GetInputHandle(const std::string& name) {
  return Handle(predictor_.get(), name, true);
}
std::unique_ptr<Tensor> Predictor::GetOutputHandle(const std::string& name) {
  return Handle(predictor_.get(), name, false);
}

std::map<std::string, std::vector<int64_t>> Predictor::GetInputTensorShape() {
  return ByName(predictor_.get(), true, ShapeOf);
}
std::map<std::string, std::vector<int64_t>> Predictor::GetOutputTensorShape() {
  return ByName(predictor_.get(), false, ShapeOf);
}
std::map<std::string, DataType> Predictor::GetInputTypes() {
  return ByName(predictor_.get(), true, KindOf);
}
std::map<std::string, DataType> Predictor::GetOutputTypes() {
  return ByName(predictor_.get(), false, KindOf);
}

bool Predictor::Run() {
  CallHooks(input_hooks_, predictor_.get(), true);
  predictor_->Run();
  CallHooks(output_hooks_, predictor_.get(), false);
  return true;
}

std::unique_ptr<Predictor> Predictor::Clone(void*) {
  return std::make_unique<Predictor>(predictor_->Clone());
}

void Predictor::ClearIntermediateTensor() { (void)predictor_->TryShrinkMemory(); }

uint64_t Predictor::TryShrinkMemory() {
  (void)predictor_->TryShrinkMemory();
  return 0;
}

void Predictor::RegisterInputHook(const InputTensorHookFunc& hook) {
  if (hook) input_hooks_.push_back(hook);
}
void Predictor::RegisterOutputHook(const OutputTensorHookFunc& hook) {
  if (hook) output_hooks_.push_back(hook);
}

std::shared_ptr<Predictor> CreatePredictor(const Config& config) {
  return std::make_shared<Predictor>(config);
}

std::string GetVersion() { return StrCat("version: ", LITE_VERSION, "\nengine: lite"); }
std::tuple<int, int, int> GetTrtCompileVersion() { return {0, 0, 0}; }
std::tuple<int, int, int> GetTrtRuntimeVersion() { return {0, 0, 0}; }

std::string UpdateDllFlag(const char*, const char*) {
  throw ConfigError("UpdateDllFlag: there are no flags of Paddle's here");
}

namespace services {

PredictorPool::PredictorPool(const Config& config, size_t size) {
  if (size < 1) throw ConfigError("the pool's size is 0, expected 1 or more");
  predictors_.push_back(std::make_unique<Predictor>(config));
  while (predictors_.size() < size) predictors_.push_back(predictors_[0]->Clone());
}

PredictorPool::~PredictorPool() = default;

Predictor* PredictorPool::Retrieve(size_t index) {
  if (index >= predictors_.size())
    throw ConfigError(
        StrCat("the pool has ", predictors_.size(), " predictors, there is none at ", index));
  return predictors_[index].get();
}

}  // namespace services
}  // namespace paddle_infer

std::string paddle::get_version() { return paddle_infer::GetVersion(); }
