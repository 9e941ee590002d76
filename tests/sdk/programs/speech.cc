// As programs that speak: speech ACOUSTIC.nb VOCODER.nb NUMBER... one model makes a picture of the
// sounds, another a wave of that; handles wander between functions. Prints the wave.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "paddle_api.h"

using namespace paddle::lite_api;

class Interface {
 public:
  virtual ~Interface() = 0;
  virtual std::unique_ptr<const Tensor> Acoustic(const std::vector<int64_t>& phones) = 0;
  virtual std::unique_ptr<const Tensor> Vocoder(std::unique_ptr<const Tensor>&& sounds) = 0;
};

Interface::~Interface() {}

template <typename Sample>
class Speaker : public Interface {
 public:
  Speaker(const std::string& acoustic, const std::string& vocoder)
      : acoustic_(Load(acoustic)), vocoder_(Load(vocoder)) {}

  static std::shared_ptr<PaddlePredictor> Load(const std::string& path) {
    if (path.empty()) return nullptr;
    MobileConfig config;
    config.set_model_from_file(path);
    config.set_threads(1);
    config.set_power_mode(PowerMode::LITE_POWER_HIGH);
    return CreatePaddlePredictor<MobileConfig>(config);
  }

  std::unique_ptr<const Tensor> Acoustic(const std::vector<int64_t>& phones) override {
    auto handle = acoustic_->GetInput(0);
    handle->Resize({static_cast<int64_t>(phones.size())});
    handle->CopyFromCpu(phones.data());
    acoustic_->Run();
    return acoustic_->GetOutput(0);
  }

  std::unique_ptr<const Tensor> Vocoder(std::unique_ptr<const Tensor>&& sounds) override {
    auto handle = vocoder_->GetInput(0);
    auto dims = sounds->shape();
    handle->Resize(dims);
    auto data = sounds->mutable_data<float>();
    handle->CopyFromCpu(data);
    vocoder_->Run();
    auto output = vocoder_->GetOutput(0);
    return output;
  }

  void Speak(const std::vector<int64_t>& phones) {
    auto start = std::chrono::system_clock::now();
    std::unique_ptr<const Tensor> wave = Vocoder(Acoustic(phones));
    int64_t size = 1;
    for (auto dim : wave->shape()) size *= dim;
    wave_.resize(size);
    std::copy_n(wave->mutable_data<float>(), size, wave_.data());
    std::chrono::duration<float> spent = std::chrono::system_clock::now() - start;
    if (spent.count() < 0) std::exit(1);
    for (Sample sample : wave_) std::printf("%.9g\n", sample);
  }

 private:
  std::shared_ptr<PaddlePredictor> acoustic_ = nullptr, vocoder_ = nullptr;
  std::vector<Sample> wave_;
};

int main(int argc, char** argv) {
  std::vector<int64_t> phones;
  for (int i = 3; i < argc; ++i) phones.push_back(std::atoi(argv[i]));
  Speaker<float> speaker(argv[1], argv[2]);
  speaker.Speak(phones);
  phones.resize(phones.size() / 2);
  speaker.Speak(phones);
  return 0;
}
