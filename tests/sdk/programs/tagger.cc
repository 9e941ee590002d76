// As programs that tag words: tagger MODEL.nb SENTENCE... (numbers with commas). All sentences are
// one input with offsets; handles are members that were made before anything ran. Prints the sum of
// each sentence's words, and the offsets of the output.
#include <paddle_api.h>

class Tagger {
 public:
  explicit Tagger(const std::string& path) : lod_(std::vector<std::vector<size_t>>(1)) {
    paddle::lite_api::MobileConfig config;
    config.set_threads(1);
    config.set_model_from_file(path);
    this->predictor_ = paddle::lite_api::CreatePaddlePredictor(config);
    this->input_ = this->predictor_->GetInput(0);
    this->output_ = this->predictor_->GetOutput(0);
  }

  void Tag(const std::vector<std::vector<int64_t>>& sentences) {
    lod_[0].clear();
    lod_[0].push_back(0);
    size_t count = 0;
    for (const auto& words : sentences) lod_[0].push_back(count += words.size());
    this->input_->Resize({static_cast<int64_t>(count), 1});
    this->input_->SetLoD(this->lod_);
    int64_t* words = this->input_->mutable_data<int64_t>();
    for (const auto& sentence : sentences)
      words = std::copy(sentence.begin(), sentence.end(), words);
    this->predictor_->Run();
    const float* tags = this->output_->data<float>();
    for (size_t i = 0; i < lod_[0].size() - 1; ++i)
      for (size_t j = lod_[0][i]; j < lod_[0][i + 1]; ++j) std::cout << tags[j] << " ";
    for (const auto& level : this->output_->lod())
      for (auto offset : level) std::cout << offset << " ";
    std::cout << std::endl;
  }

 private:
  std::shared_ptr<paddle::lite_api::PaddlePredictor> predictor_;
  std::unique_ptr<paddle::lite_api::Tensor> input_;
  std::unique_ptr<const paddle::lite_api::Tensor> output_;
  std::vector<std::vector<size_t>> lod_;
};

int main(int argc, char** argv) {
  Tagger tagger(argv[1]);
  std::vector<std::vector<int64_t>> sentences;
  for (int i = 2; i < argc; ++i) {
    sentences.push_back({});
    std::istringstream words(argv[i]);
    for (std::string word; std::getline(words, word, ',');)
      sentences.back().push_back(std::stoll(word));
    tagger.Tag(sentences);
  }
  return 0;
}
