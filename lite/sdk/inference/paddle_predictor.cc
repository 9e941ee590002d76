// Paddle Inference's API before 2.0 over paddle_infer's classes.
#include <cstring>
#include <utility>

#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_inference_api.h"
#include "lite/sdk/inference/data_type.h"

namespace paddle {
namespace {

using lite::ConfigError;
using lite::ShapeError;
using lite::StrCat;
using paddle_infer::Tensor;

// Of a tensor that has this shape.
size_t BytesOf(const PaddleTensor& tensor) {
  auto bytes = static_cast<size_t>(PaddleDtypeSize(tensor.dtype));
  for (const int dim : tensor.shape)
    if (__builtin_mul_overflow(bytes, static_cast<size_t>(dim), &bytes))
      throw ShapeError(StrCat("'", tensor.name, "' has a shape of more bytes than there can be"));
  return bytes;
}

void Fill(const PaddleTensor& from, Tensor* input) {
  input->Reshape(from.shape);
  const size_t bytes = BytesOf(from);
  if (from.data.length() < bytes || (bytes != 0 && from.data.data() == nullptr))
    throw ShapeError(StrCat("input '", input->name(), "' has ", from.data.length(),
                            " bytes of data, its shape and type need ", bytes));
  if (!from.lod.empty()) input->SetLoD(from.lod);
  if (bytes == 0) return;
  paddle_infer::VisitType(from.dtype, [&](auto type) {
    input->CopyFromCpu(static_cast<const decltype(type)*>(from.data.data()));
  });
}

void Take(const Tensor& output, PaddleTensor* to) {
  to->name = output.name();
  to->shape = output.shape();
  to->dtype = output.type();
  to->lod = output.lod();
  to->data.Resize(BytesOf(*to));
  paddle_infer::VisitType(to->dtype, [&](auto type) {
    output.CopyToCpu(static_cast<decltype(type)*>(to->data.data()));
  });
}

}  // namespace

NativeConfig AnalysisConfig::ToNativeConfig() const {
  NativeConfig config;
  config.model_dir = model_dir_;
  config.prog_file = prog_file_;
  config.param_file = params_file_;
  config.specify_input_name = input_names_;
  config.SetCpuMathLibraryNumThreads(threads_);
  return config;
}

int PaddleDtypeSize(PaddleDType dtype) { return paddle_infer::GetNumBytesOfDataType(dtype); }

PaddleBuf::PaddleBuf(size_t length) { Resize(length); }
PaddleBuf::PaddleBuf(const PaddleBuf& other) { *this = other; }
PaddleBuf::PaddleBuf(PaddleBuf&& other) noexcept { *this = std::move(other); }

PaddleBuf& PaddleBuf::operator=(const PaddleBuf& other) {
  if (this == &other) return *this;
  own_.reset(new char[other.length_]);
  data_ = own_.get();
  length_ = other.length_;
  if (length_ != 0) std::memcpy(data_, other.data_, length_);
  return *this;
}

PaddleBuf& PaddleBuf::operator=(PaddleBuf&& other) noexcept {
  own_ = std::move(other.own_);
  data_ = std::exchange(other.data_, nullptr);
  length_ = std::exchange(other.length_, 0);
  return *this;
}

void PaddleBuf::Resize(size_t length) {
  if (length <= length_) return;
  if (data_ != nullptr && own_ == nullptr)
    throw ConfigError(StrCat("PaddleBuf: ", length,
                             " bytes are needed, and the memory that it was "
                             "given has ",
                             length_));
  own_.reset(new char[length]);
  data_ = own_.get();
  length_ = length;
}

void PaddleBuf::Reset(void* data, size_t length) {
  own_.reset();
  data_ = data;
  length_ = length;
}

ZeroCopyTensor::ZeroCopyTensor(Tensor&& tensor) : Tensor(std::move(tensor)) {}

PaddlePredictor::PaddlePredictor(std::unique_ptr<paddle_infer::Predictor> predictor)
    : predictor_(std::move(predictor)) {}
PaddlePredictor::~PaddlePredictor() = default;

bool PaddlePredictor::Run(const std::vector<PaddleTensor>& inputs,
                          std::vector<PaddleTensor>* output_data, int) {
  if (output_data == nullptr) throw ConfigError("Run: the vector of outputs is null");
  const std::vector<std::string> names = GetInputNames();
  if (inputs.size() != names.size())
    throw ConfigError(
        StrCat("Run: ", inputs.size(), " inputs were given, the model has ", names.size()));
  for (size_t i = 0; i < inputs.size(); ++i)
    Fill(inputs[i],
         predictor_->GetInputHandle(inputs[i].name.empty() ? names[i] : inputs[i].name).get());
  predictor_->Run();
  const std::vector<std::string> results = GetOutputNames();
  output_data->resize(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    Take(*predictor_->GetOutputHandle(results[i]), &(*output_data)[i]);
  return true;
}

std::vector<std::string> PaddlePredictor::GetInputNames() { return predictor_->GetInputNames(); }
std::vector<std::string> PaddlePredictor::GetOutputNames() { return predictor_->GetOutputNames(); }
std::map<std::string, std::vector<int64_t>> PaddlePredictor::GetInputTensorShape() {
  return predictor_->GetInputTensorShape();
}

std::unique_ptr<ZeroCopyTensor> PaddlePredictor::GetInputTensor(const std::string& name) {
  return std::make_unique<ZeroCopyTensor>(std::move(*predictor_->GetInputHandle(name)));
}
std::unique_ptr<ZeroCopyTensor> PaddlePredictor::GetOutputTensor(const std::string& name) {
  return std::make_unique<ZeroCopyTensor>(std::move(*predictor_->GetOutputHandle(name)));
}

bool PaddlePredictor::ZeroCopyRun() { return predictor_->Run(); }
std::unique_ptr<PaddlePredictor> PaddlePredictor::Clone(void* stream) {
  return std::make_unique<PaddlePredictor>(predictor_->Clone(stream));
}
void PaddlePredictor::ClearIntermediateTensor() { predictor_->ClearIntermediateTensor(); }
uint64_t PaddlePredictor::TryShrinkMemory() { return predictor_->TryShrinkMemory(); }

std::unique_ptr<PaddlePredictor> OpenPaddlePredictor(const AnalysisConfig& config) {
  return std::make_unique<PaddlePredictor>(std::make_unique<paddle_infer::Predictor>(config));
}

std::unique_ptr<PaddlePredictor> OpenPaddlePredictor(const NativeConfig& config) {
  AnalysisConfig same(config.model_dir);
  same.SetProgFile(config.prog_file);
  same.SetParamsFile(config.param_file);
  same.SetCpuMathLibraryNumThreads(config.cpu_math_library_num_threads());
  same.SwitchIrOptim(false);  // it had no passes
  if (config.use_gpu) same.EnableUseGpu(100, config.device);
  if (config.use_xpu) same.EnableXpu();
  return OpenPaddlePredictor(same);
}

}  // namespace paddle
