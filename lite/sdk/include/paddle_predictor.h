// Paddle Inference's C++ API before 2.0, which Paddle still exports; paddle_inference_api.h
// includes it. New programs use paddle_infer::Predictor.
//
//   paddle::AnalysisConfig config("model/inference.pdmodel", "model/inference.pdiparams");
//   auto predictor = paddle::CreatePaddlePredictor(config);
//   auto input = predictor->GetInputTensor(predictor->GetInputNames()[0]);
//   input->Reshape({1, 3, 224, 224});
//   input->copy_from_cpu(pixels.data());
//   predictor->ZeroCopyRun();
#pragma once

#include "paddle_inference_api.h"

namespace paddle {

enum class PaddleEngineKind { kNative = 0, kAutoMixedTensorRT, kAnalysis };

LITE_API int PaddleDtypeSize(PaddleDType dtype);

// Bytes: its own, or the caller's, which must outlive it. A copy has its own.
class LITE_API PaddleBuf {
 public:
  PaddleBuf() = default;
  explicit PaddleBuf(size_t length);
  PaddleBuf(void* data, size_t length) : data_(data), length_(length) {}
  PaddleBuf(const PaddleBuf& other);
  PaddleBuf(PaddleBuf&& other) noexcept;
  PaddleBuf& operator=(const PaddleBuf& other);
  PaddleBuf& operator=(PaddleBuf&& other) noexcept;
  ~PaddleBuf() = default;

  // Memory of its own where it was less; what was in it is gone then. Throws for the caller's.
  void Resize(size_t length);
  // The caller's memory from now on.
  void Reset(void* data, size_t length);
  bool empty() const { return length_ == 0; }
  void* data() const { return data_; }
  size_t length() const { return length_; }

 private:
  std::unique_ptr<char[]> own_;
  void* data_ = nullptr;
  size_t length_ = 0;
};

struct PaddleTensor {
  std::string name;
  std::vector<int> shape;
  PaddleBuf data;
  PaddleDType dtype = PaddleDType::FLOAT32;
  std::vector<std::vector<size_t>> lod;
};

// An input or output of a predictor.
class LITE_API ZeroCopyTensor : public paddle_infer::Tensor {
 public:
  explicit ZeroCopyTensor(paddle_infer::Tensor&& tensor);

  template <typename T>
  void copy_from_cpu(const T* data) {
    CopyFromCpu(data);
  }
  template <typename T>
  void copy_to_cpu(T* data) {
    CopyToCpu(data);
  }
};

// As paddle_infer::Predictor.
class LITE_API PaddlePredictor {
 public:
  struct Config {
    std::string model_dir;
  };

  explicit PaddlePredictor(std::unique_ptr<paddle_infer::Predictor> predictor);
  ~PaddlePredictor();

  // Inputs by their names, or, without any, in the model's order; outputs in its order. True, or it
  // throws, as where an output brings memory that is too small. What a batch is, the shapes say.
  bool Run(const std::vector<PaddleTensor>& inputs, std::vector<PaddleTensor>* output_data,
           int batch_size = -1);

  std::vector<std::string> GetInputNames();
  std::vector<std::string> GetOutputNames();
  std::map<std::string, std::vector<int64_t>> GetInputTensorShape();
  std::unique_ptr<ZeroCopyTensor> GetInputTensor(const std::string& name);
  std::unique_ptr<ZeroCopyTensor> GetOutputTensor(const std::string& name);
  bool ZeroCopyRun();
  std::unique_ptr<PaddlePredictor> Clone(void* stream = nullptr);
  void ClearIntermediateTensor();
  uint64_t TryShrinkMemory();

 private:
  std::unique_ptr<paddle_infer::Predictor> predictor_;
};

struct NativeConfig : public PaddlePredictor::Config {
  bool use_gpu = false, use_xpu = false, use_npu = false;
  int device = 0;
  float fraction_of_gpu_memory = -1.f;
  std::string prog_file, param_file;
  bool specify_input_name = false;
  int cpu_math_library_num_threads() const { return threads_; }
  void SetCpuMathLibraryNumThreads(int threads) { threads_ = threads; }

 private:
  int threads_ = 1;
};

LITE_API std::unique_ptr<PaddlePredictor> OpenPaddlePredictor(const AnalysisConfig& config);
LITE_API std::unique_ptr<PaddlePredictor> OpenPaddlePredictor(const NativeConfig& config);

template <typename ConfigT>
std::unique_ptr<PaddlePredictor> CreatePaddlePredictor(const ConfigT& config) {
  return OpenPaddlePredictor(config);
}
template <typename ConfigT, PaddleEngineKind engine>
std::unique_ptr<PaddlePredictor> CreatePaddlePredictor(const ConfigT& config) {
  return OpenPaddlePredictor(config);
}

}  // namespace paddle
