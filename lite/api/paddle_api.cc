#include "lite/api/paddle_api.h"

#include <cstdio>
#include <cstring>

#include "lite/api/light_predictor.h"

namespace paddle::lite_api {

namespace {

constexpr const char* kVersion = "0.1.0";

lite::ConfigError NoSuch(const char* what, const std::string& which,
                         const std::vector<std::string>& names) {
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  return lite::ConfigError(
      lite::StrCat("the model has no ", what, " ", which, "; it has: ", known));
}

}  // namespace

// One input or output.
class TensorImpl {
 public:
  TensorImpl(std::shared_ptr<lite::LightPredictor> predictor, size_t index, bool is_input)
      : predictor_(std::move(predictor)), index_(index), is_input_(is_input) {}

  lite::LightPredictor& predictor() const { return *predictor_; }
  size_t index() const { return index_; }
  bool is_input() const { return is_input_; }
  lite::TensorMeta meta() const {
    return is_input_ ? predictor_->InputMeta(index_) : predictor_->OutputMeta(index_);
  }
  void RequireInput() const {
    if (!is_input_) throw lite::LiteError("an output is written by Run() and cannot be set");
  }

 private:
  std::shared_ptr<lite::LightPredictor> predictor_;
  size_t index_;
  bool is_input_;
};

Tensor::Tensor(std::shared_ptr<TensorImpl> impl) : impl_(std::move(impl)) {}
Tensor::~Tensor() = default;
PaddlePredictor::~PaddlePredictor() = default;

void Tensor::Resize(const shape_t& shape) {
  impl_->RequireInput();
  impl_->predictor().ResizeInput(impl_->index(), lite::DDim(shape));
}

shape_t Tensor::shape() const { return impl_->meta().dims.Vectorize(); }

PrecisionType Tensor::precision() const {
  return static_cast<PrecisionType>(lite::ToPrecision(impl_->meta().dtype));
}

TargetType Tensor::target() const { return TargetType::kHost; }

bool Tensor::IsInitialized() const {
  return impl_->is_input() ? impl_->predictor().HasInput(impl_->index())
                           : impl_->predictor().HasOutputs();
}

lod_t Tensor::lod() const { return impl_->meta().lod; }

void Tensor::SetLoD(const lod_t& lod) {
  impl_->RequireInput();
  impl_->predictor().SetInputLoD(impl_->index(), lod);
}

template <typename T>
T* Tensor::mutable_data(TargetType) const {
  impl_->RequireInput();
  return static_cast<T*>(
      impl_->predictor().MutableInput(impl_->index(), lite::DataTypeOf<T>::value));
}

template <typename T>
const T* Tensor::data() const {
  constexpr lite::DataType kWanted = lite::DataTypeOf<T>::value;
  return static_cast<const T*>(impl_->is_input()
                                   ? impl_->predictor().InputData(impl_->index(), kWanted)
                                   : impl_->predictor().OutputData(impl_->index(), kWanted));
}

template <typename T, TargetType type>
void Tensor::CopyFromCpu(const T* source) {
  T* to = mutable_data<T>();
  const auto count = static_cast<size_t>(impl_->meta().dims.production());
  if (count) std::memcpy(to, source, count * sizeof(T));
}

template <typename T>
void Tensor::CopyToCpu(T* target) const {
  const T* from = data<T>();
  const auto count = static_cast<size_t>(impl_->meta().dims.production());
  if (count) std::memcpy(target, from, count * sizeof(T));
}

#define LITE_TENSOR_TYPE(T)                                          \
  template T* Tensor::mutable_data<T>(TargetType) const;             \
  template const T* Tensor::data<T>() const;                         \
  template void Tensor::CopyFromCpu<T, TargetType::kHost>(const T*); \
  template void Tensor::CopyFromCpu<T, TargetType::kARM>(const T*);  \
  template void Tensor::CopyFromCpu<T, TargetType::kX86>(const T*);  \
  template void Tensor::CopyToCpu<T>(T*) const;

LITE_TENSOR_TYPE(float)
LITE_TENSOR_TYPE(double)
LITE_TENSOR_TYPE(int8_t)
LITE_TENSOR_TYPE(uint8_t)
LITE_TENSOR_TYPE(int16_t)
LITE_TENSOR_TYPE(int32_t)
LITE_TENSOR_TYPE(int64_t)
LITE_TENSOR_TYPE(bool)

#undef LITE_TENSOR_TYPE

namespace {

class MobilePredictor final : public PaddlePredictor {
 public:
  explicit MobilePredictor(std::shared_ptr<lite::LightPredictor> predictor)
      : predictor_(std::move(predictor)) {}

  std::unique_ptr<Tensor> GetInput(int index) override {
    return Make<Tensor>(index, GetInputNames().size(), true);
  }
  std::unique_ptr<const Tensor> GetOutput(int index) const override {
    return Make<const Tensor>(index, predictor_->outputs().size(), false);
  }
  std::unique_ptr<Tensor> GetInputByName(const std::string& name) override {
    return GetInput(Find(name, "input", Names(predictor_->inputs())));
  }
  std::unique_ptr<const Tensor> GetOutputByName(const std::string& name) const override {
    return GetOutput(Find(name, "output", Names(predictor_->outputs())));
  }
  std::vector<std::string> GetInputNames() override { return Names(predictor_->inputs()); }
  std::vector<std::string> GetOutputNames() override { return Names(predictor_->outputs()); }
  void Run() override { predictor_->Run(); }
  void Cancel() override { predictor_->Cancel(); }
  std::shared_ptr<PaddlePredictor> Clone() override {
    return std::make_shared<MobilePredictor>(predictor_->Clone());
  }
  std::string GetVersion() const override { return kVersion; }

 private:
  static std::vector<std::string> Names(const std::vector<lite::VarDesc>& descs) {
    std::vector<std::string> names;
    for (const lite::VarDesc& desc : descs) names.push_back(desc.name);
    return names;
  }

  static int Find(const std::string& name, const char* what,
                  const std::vector<std::string>& names) {
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return static_cast<int>(i);
    throw NoSuch(what, "'" + name + "'", names);
  }

  template <typename T>
  std::unique_ptr<T> Make(int index, size_t count, bool is_input) const {
    if (index < 0 || static_cast<size_t>(index) >= count)
      throw NoSuch(is_input ? "input" : "output", std::to_string(index),
                   Names(is_input ? predictor_->inputs() : predictor_->outputs()));
    return std::unique_ptr<T>(
        new Tensor(std::make_shared<TensorImpl>(predictor_, static_cast<size_t>(index), is_input)));
  }

  std::shared_ptr<lite::LightPredictor> predictor_;
};

}  // namespace

void MobileConfig::set_model_from_file(const std::string& path) {
  file_ = path;
  bytes_.clear();
  from_memory_ = false;
}

void MobileConfig::set_model_from_buffer(const std::string& bytes) {
  set_model_from_buffer(std::string(bytes));
}

void MobileConfig::set_model_from_buffer(std::string&& bytes) {
  bytes_ = std::move(bytes);
  file_.clear();
  from_memory_ = true;
}

void MobileConfig::set_model_from_buffer(const char* bytes, size_t length) {
  if (bytes == nullptr) throw lite::ConfigError("set_model_from_buffer got a null pointer");
  set_model_from_buffer(std::string(bytes, length));
}

void MobileConfig::set_nnadapter_device_names(const std::vector<std::string>& names) {
  device_names_ = names;
}

void MobileConfig::set_nnadapter_context_properties(const std::string& properties) {
  context_properties_ = properties;
}

void MobileConfig::set_nnadapter_context_callback(int (*callback)(int event_id, void* user_data)) {
  context_callback_ = callback;
}

void MobileConfig::set_nnadapter_model_cache_dir(const std::string& path) {
  model_cache_dir_ = path;
}

void MobileConfig::set_nnadapter_model_cache_buffers(const std::string& token,
                                                     const std::vector<char>& buffer) {
  model_cache_buffers_[token] = buffer;
}

void MobileConfig::set_nnadapter_dynamic_shape_info(
    const std::map<std::string, std::vector<std::vector<int64_t>>>& info) {
  dynamic_shape_info_ = info;
}

std::shared_ptr<PaddlePredictor> CreateMobilePredictor(const MobileConfig& config) {
  lite::DeviceSettings settings;
  settings.device_names = config.device_names_;
  settings.context_properties = config.context_properties_;
  settings.context_callback = config.context_callback_;
  settings.model_cache_dir = config.model_cache_dir_;
  for (const auto& entry : config.model_cache_buffers_)
    settings.model_cache_buffers[entry.first].assign(entry.second.begin(), entry.second.end());
  settings.dynamic_shape_info = config.dynamic_shape_info_;
  settings.threads = config.threads_;
  lite::LoadSettings load(std::move(settings));
  load.precision = lite::PrecisionNamed(config.precision_);
  std::shared_ptr<lite::LightPredictor> predictor;
  if (config.from_memory_) {
    auto copy = std::make_shared<std::string>(config.bytes_);
    const auto* data = reinterpret_cast<const uint8_t*>(copy->data());
    predictor = lite::LightPredictor::FromBuffer(data, copy->size(), copy, load);
  } else {
    if (config.file_.empty())
      throw lite::ConfigError("the MobileConfig names no model; call set_model_from_file first");
    predictor = lite::LightPredictor::FromFile(config.file_, load);
  }
  if (!predictor->stored_problem().empty())
    std::fprintf(stderr, "lite: %s\n", predictor->stored_problem().c_str());
  predictor->set_threads(config.threads_);
  return std::make_shared<MobilePredictor>(std::move(predictor));
}

}  // namespace paddle::lite_api
