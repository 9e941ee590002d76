// The C++ API of Paddle Inference's programs, over this framework's engine.
//
//   paddle_infer::Config config("model/inference.json", "model/inference.pdiparams");
//   auto predictor = paddle_infer::CreatePredictor(config);
//   auto input = predictor->GetInputHandle(predictor->GetInputNames()[0]);
//   input->Reshape({1, 3, 224, 224});
//   input->CopyFromCpu(pixels.data());
//   predictor->Run();
//   auto output = predictor->GetOutputHandle(predictor->GetOutputNames()[0]);
//   output->CopyToCpu(scores.data());  // output->shape(), output->type()
//
// libpaddle_inference.so has it (docs/cpp.md). Needs C++11. Every mistake throws a std::exception
// whose what() says what was wrong and what was expected; a predictor that threw stays usable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "paddle_analysis_config.h"
#include "paddle_tensor.h"

namespace paddle {
namespace lite_api {
class PaddlePredictor;
}  // namespace lite_api
using PaddleDType = paddle_infer::DataType;
using PaddlePlace = paddle_infer::PlaceType;
using PaddleDataLayout = paddle_infer::DataLayout;
LITE_API std::string get_version();
}  // namespace paddle

namespace paddle_infer {

using Config = paddle::AnalysisConfig;
using PrecisionType = Config::Precision;
using XpuConfig = paddle::XpuConfig;
using PassBuilder = paddle::PaddlePassBuilder;

// Called with "feed" or "fetch", a variable's name and its handle.
using InputTensorHookFunc =
    std::function<void(const std::string&, const std::string&, const Tensor&)>;
using OutputTensorHookFunc = InputTensorHookFunc;

// A model that is ready to run. Threads that set inputs, run and read outputs side by side need a
// predictor each: Clone(), or services::PredictorPool. Calls of one predictor take turns.
class LITE_API Predictor {
 public:
  explicit Predictor(const Config& config);
  explicit Predictor(std::shared_ptr<paddle::lite_api::PaddlePredictor> predictor);
  ~Predictor();
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  std::vector<std::string> GetInputNames();
  std::vector<std::string> GetOutputNames();
  // Throw where the model has no such name.
  std::unique_ptr<Tensor> GetInputHandle(const std::string& name);
  std::unique_ptr<Tensor> GetOutputHandle(const std::string& name);
  // By name; unknown dimensions are -1 until there are data.
  std::map<std::string, std::vector<int64_t>> GetInputTensorShape();
  std::map<std::string, std::vector<int64_t>> GetOutputTensorShape();
  std::map<std::string, DataType> GetInputTypes();
  std::map<std::string, DataType> GetOutputTypes();

  // True, or it throws.
  bool Run();
  // A predictor of its own that shares the weights; its inputs are not set.
  std::unique_ptr<Predictor> Clone(void* stream = nullptr);
  // Free the memory of what is between inputs and outputs, until the next run. Outputs must be
  // asked for again.
  void ClearIntermediateTensor();
  // 0: how many bytes that was is not known.
  uint64_t TryShrinkMemory();
  // Called for each input before a run, for each output after it; Paddle calls the latter for every
  // operator, but fused operators have no results of their own here.
  void RegisterInputHook(const InputTensorHookFunc& hook);
  void RegisterOutputHook(const OutputTensorHookFunc& hook);
  void* GetExecStream() const { return nullptr; }

 private:
  std::shared_ptr<paddle::lite_api::PaddlePredictor> predictor_;
  std::vector<InputTensorHookFunc> input_hooks_, output_hooks_;
};

LITE_API std::shared_ptr<Predictor> CreatePredictor(const Config& config);

LITE_API int GetNumBytesOfDataType(DataType dtype);
LITE_API std::string GetVersion();
// 0.0.0: there is no TensorRT.
LITE_API std::tuple<int, int, int> GetTrtCompileVersion();
LITE_API std::tuple<int, int, int> GetTrtRuntimeVersion();
LITE_API std::string UpdateDllFlag(const char* name, const char* value);

namespace services {

// Predictors that share their weights, one for each thread.
class LITE_API PredictorPool {
 public:
  explicit PredictorPool(const Config& config, size_t size = 1);
  ~PredictorPool();
  PredictorPool(const PredictorPool&) = delete;
  PredictorPool& operator=(const PredictorPool&) = delete;

  // The predictor at a position, always the same one. Throws where there is none.
  Predictor* Retrieve(size_t index);
  // As Paddle spelled it until 2.6.
  Predictor* Retrive(size_t index) { return Retrieve(index); }

 private:
  std::vector<std::unique_ptr<Predictor>> predictors_;
};

}  // namespace services
}  // namespace paddle_infer

#include "paddle_predictor.h"  // the API before 2.0
