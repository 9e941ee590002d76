// What public programs rely on, in one: habits MODEL_WITHOUT_NB SIDE... prints the outputs for
// pictures of ones of these sizes.
#include <paddle_api.h>
#include <paddle_image_preprocess.h>
#include <paddle_use_kernels.h>
#include <paddle_use_ops.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace paddle::lite_api;

namespace {

// Wrappers are templates of the configuration, which they do not name.
template <typename ConfigT>
std::shared_ptr<PaddlePredictor> Create(ConfigT& config) {
  config.set_threads(1);
  config.set_power_mode(static_cast<PowerMode>(0));
  if (::IsOpenCLBackendValid(false)) std::abort();
  config.set_opencl_binary_path_name("/data/local/tmp", "cl.bin");
  config.set_opencl_tune(CL_TUNE_NORMAL, "/data/local/tmp", "cl.tuned", 4);
  config.set_opencl_precision(CL_PRECISION_FP16);
  return CreatePaddlePredictor(config);
}

int64_t Count(const shape_t& shape) {
  int64_t count = 1;
  for (auto dim : shape) count *= dim;
  return count;
}

void Fill(Tensor copy_of_the_handle) {
  float* data = copy_of_the_handle.mutable_data<float>();
  for (int i = 0; i < Count(copy_of_the_handle.shape()); ++i) data[i] = 1.f;
}

// Members of a class that live as long as its predictor, made before anything ran.
class Model {
 public:
  explicit Model(const std::string& path) {
    MobileConfig config;
    config.set_model_dir(path);
    predictor_ = Create(config);
    input_ = predictor_->GetInput(0);
    output_ = predictor_->GetOutput(0);
  }

  void Run(int height, int width) {
    input_->Resize({1, 3, height, width});
    Fill(*input_);
    for (int warmup = 0; warmup < 2; ++warmup) predictor_->Run();
    std::vector<const float*> found;
    for (const auto& name : predictor_->GetOutputNames()) {
      auto handle = predictor_->GetTensor(name);
      found.push_back(handle->data<float>());
    }
    std::vector<float> copied(Count(output_->shape()));
    output_->CopyToCpu(copied.data());
    auto* written = output_->mutable_data<float>();
    for (size_t i = 0; i < copied.size(); ++i) {
      if (found[0][i] != copied[i] || written[i] != copied[i]) std::abort();
      std::printf("%.9g\n", copied[i]);
    }
  }

 private:
  std::shared_ptr<PaddlePredictor> predictor_;
  std::unique_ptr<Tensor> input_;
  std::unique_ptr<const Tensor> output_;
};

// What programs use without including it.
double Now() {
  struct timeval time;
  gettimeofday(&time, nullptr);
  return 1e6 * time.tv_sec + time.tv_usec;
}

bool Readable(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  const auto size = std::max_element(path.begin(), path.end()) - path.begin();
  return std::strlen(path.c_str()) > 0 && text.good() && size < std::numeric_limits<int>::max();
}

// Compiled and linked where the target is not there.
void CopyToDevice(Tensor* tensor) {
  std::vector<int> size{608, 608};
  tensor->CopyFromCpu<int, TargetType::kCUDA>(size.data());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 100) CopyToDevice(nullptr);
    const double start = Now();
    if (!Readable(argv[1]) && argc > 100) std::cerr << "no labels" << std::endl;
    Model model(argv[1]);
    if (std::floor(Now() - start) < 0) return 1;
    for (int i = 2; i < argc; ++i) model.Run(std::atoi(argv[i]), std::atoi(argv[i]) + 1);
  } catch (std::exception e) {
    return 1;
  }
  return 0;
}
