// As toolkits that have several engines wrap this one: backend MODEL_FILE PARAM_FILE SIDE...
// describes inputs and outputs before anything ran, then prints the outputs for pictures of ones of
// these sizes.
#include <stdio.h>
#include <stdlib.h>

#include "paddle_api.h"
#include "paddle_use_kernels.h"
#include "paddle_use_ops.h"
#include "paddle_use_passes.h"

#if defined(__arm__) || defined(__aarch64__)
#define HOST TARGET(kARM)
#else
#define HOST TARGET(kX86)
#endif

struct TensorInfo {
  std::string name;
  std::vector<int> shape;
  int bytes;
};

static int BytesOf(const paddle::lite_api::PrecisionType& type) {
  if (type == paddle::lite_api::PrecisionType::kFloat) return 4;
  if (type == paddle::lite_api::PrecisionType::kInt64) return 8;
  std::cerr << "Unexpected data type of " << paddle::lite_api::PrecisionToStr(type) << std::endl;
  abort();
}

class Backend {
 public:
  Backend(const std::string& model, const std::string& params) {
    std::vector<paddle::lite_api::Place> places;
    places.push_back(paddle::lite_api::Place{HOST, PRECISION(kInt8)});
    paddle::lite_api::MobileConfig asked;
    places.push_back(asked.check_fp16_valid() ? paddle::lite_api::Place{HOST, PRECISION(kFP16)}
                                              : paddle::lite_api::Place{HOST, PRECISION(kFloat)});
    config_.set_valid_places(places);
    config_.set_xpu_conv_autotune(true, "");
    config_.set_model_file(model);
    config_.set_param_file(params);
    config_.set_threads(2);
    config_.set_power_mode(static_cast<paddle::lite_api::PowerMode>(3));
    predictor_ = paddle::lite_api::CreatePaddlePredictor<paddle::lite_api::CxxConfig>(config_);
    std::vector<std::string> names = predictor_->GetInputNames();
    for (size_t i = 0; i < names.size(); ++i) {
      order_[names[i]] = static_cast<int>(i);
      inputs_.push_back(Describe(names[i], *predictor_->GetInput(static_cast<int>(i))));
    }
    names = predictor_->GetOutputNames();
    for (size_t i = 0; i < names.size(); ++i)
      outputs_.push_back(Describe(names[i], *predictor_->GetOutput(static_cast<int>(i))));
  }

  void Infer(const std::vector<int64_t>& shape, const void* data) {
    auto tensor = predictor_->GetInput(order_[inputs_[0].name]);
    tensor->Resize(shape);
    tensor->CopyFromCpu<float, paddle::lite_api::TargetType::kHost>(
        reinterpret_cast<const float*>(const_cast<void*>(data)));
    predictor_->Run();
    for (size_t i = 0; i < outputs_.size(); ++i) {
      auto output = predictor_->GetOutput(static_cast<int>(i));
      size_t count = 1;
      for (auto dim : output->shape()) count *= dim;
      std::vector<char> copy(count * BytesOf(output->precision()));
      memcpy(copy.data(), output->data<void>(), copy.size());
      for (size_t j = 0; j < count; ++j)
        printf("%.9g\n", reinterpret_cast<const float*>(copy.data())[j]);
    }
  }

 private:
  static TensorInfo Describe(const std::string& name, const paddle::lite_api::Tensor& tensor) {
    TensorInfo info;
    auto shape = tensor.shape();
    info.name = name;
    info.shape.assign(shape.begin(), shape.end());
    info.bytes = BytesOf(tensor.precision());
    std::cerr << info.name << ":";
    for (int dim : info.shape) std::cerr << " " << dim;
    std::cerr << " of " << info.bytes << std::endl;
    return info;
  }

  paddle::lite_api::CxxConfig config_;
  std::shared_ptr<paddle::lite_api::PaddlePredictor> predictor_;
  std::map<std::string, int> order_;
  std::vector<TensorInfo> inputs_, outputs_;
};

int main(int argc, char** argv) {
  Backend backend(argv[1], argv[2]);
  for (int i = 3; i < argc; ++i) {
    int64_t side = atoi(argv[i]);
    std::vector<float> ones(3 * side * side, 1.f);
    backend.Infer({1, 3, side, side}, ones.data());
  }
  return 0;
}
