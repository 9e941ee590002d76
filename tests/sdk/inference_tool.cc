// A program of Paddle Inference's C++ API that tests steer: inference_tool KEY=VALUE... runs a
// model on raw files and writes each output to one, with a line that says what it is.
#include <paddle_inference_api.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using paddle_infer::Config;
using paddle_infer::CreatePredictor;
using paddle_infer::DataType;
using paddle_infer::Predictor;
using paddle_infer::Tensor;

namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path.c_str(), std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

template <typename T>
std::vector<T> Numbers(const std::string& text) {
  std::vector<T> numbers;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');)
    numbers.push_back(static_cast<T>(std::atoll(word.c_str())));
  return numbers;
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ':');) words.push_back(word);
  return words;
}

struct Options {
  Config config;
  std::vector<std::vector<std::string>> inputs;  // name, type, shape, file
  std::vector<std::vector<std::string>> lods;    // name, offsets
  std::string output;
  int clones = 0, written = 0;
};

void Set(const std::string& key, const std::string& value, Options* options) {
  Config& config = options->config;
  if (key == "dir") config.SetModel(value);
  if (key == "model") config.SetProgFile(value);
  if (key == "params") config.SetParamsFile(value);
  if (key == "optim_cache") config.SetOptimCacheDir(value);
  if (key == "memory") {
    const std::string program = ReadFile(config.prog_file());
    const std::string params = ReadFile(config.params_file());
    config.SetModelBuffer(program.data(), program.size(), params.data(), params.size());
  }
  if (key == "threads") config.SetCpuMathLibraryNumThreads(std::atoi(value.c_str()));
  if (key == "ir_optim") config.SwitchIrOptim(value == "1");
  if (key == "delete_pass") config.pass_builder()->DeletePass(value);
  if (key == "device") {
    config.EnableLiteEngine(Config::Precision::kFloat32, true, {"conv_bn_fuse_pass", "none"},
                            {"pool2d"});
    config.NNAdapter().SetDeviceNames({value});
  }
  if (key == "cache_dir") config.NNAdapter().SetModelCacheDir(value);
  if (key == "in") options->inputs.push_back(Words(value));
  if (key == "lod") options->lods.push_back(Words(value));
  if (key == "out") options->output = value;
  if (key == "clones") options->clones = std::atoi(value.c_str());
}

template <typename T>
void Feed(Tensor* tensor, const std::string& bytes) {
  tensor->CopyFromCpu(reinterpret_cast<const T*>(bytes.data()));
}

void FeedAs(const std::string& type, Tensor* tensor, const std::string& bytes) {
  if (type == "float32") return Feed<float>(tensor, bytes);
  if (type == "float64") return Feed<double>(tensor, bytes);
  if (type == "int32") return Feed<int32_t>(tensor, bytes);
  if (type == "int64") return Feed<int64_t>(tensor, bytes);
  if (type == "int8") return Feed<int8_t>(tensor, bytes);
  if (type == "uint8") return Feed<uint8_t>(tensor, bytes);
  Feed<bool>(tensor, bytes);
}

template <typename T>
void Write(const Tensor& tensor, const char* type, const std::string& path) {
  size_t count = 1;
  std::cout << tensor.name() << ' ' << type << ' ';
  for (const int dim : tensor.shape()) {
    std::cout << dim << ',';
    count *= static_cast<size_t>(dim);
  }
  std::cout << '\n';
  std::unique_ptr<T[]> values(new T[count + 1]);
  tensor.CopyToCpu(values.get());
  std::ofstream(path.c_str(), std::ios::binary)
      .write(reinterpret_cast<const char*>(values.get()),
             static_cast<std::streamsize>(count * sizeof(T)));
}

void WriteAs(const Tensor& tensor, const std::string& path) {
  switch (tensor.type()) {
    case DataType::FLOAT32:
      return Write<float>(tensor, "float32", path);
    case DataType::FLOAT64:
      return Write<double>(tensor, "float64", path);
    case DataType::INT32:
      return Write<int32_t>(tensor, "int32", path);
    case DataType::INT64:
      return Write<int64_t>(tensor, "int64", path);
    case DataType::INT8:
      return Write<int8_t>(tensor, "int8", path);
    case DataType::UINT8:
      return Write<uint8_t>(tensor, "uint8", path);
    default:
      return Write<bool>(tensor, "bool", path);
  }
}

void Run(Predictor* predictor, Options* options) {
  for (const std::vector<std::string>& words : options->inputs) {
    const auto input = predictor->GetInputHandle(words.at(0));
    input->Reshape(Numbers<int>(words.at(2)));
    FeedAs(words.at(1), input.get(), ReadFile(words.at(3)));
  }
  for (const std::vector<std::string>& words : options->lods)
    predictor->GetInputHandle(words.at(0))->SetLoD({Numbers<size_t>(words.at(1))});
  predictor->Run();
  for (const std::string& name : predictor->GetOutputNames())
    WriteAs(*predictor->GetOutputHandle(name),
            options->output + "/" + std::to_string(options->written++));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      const size_t equals = word.find('=');
      Set(word.substr(0, equals), word.substr(equals + 1), &options);
    }
    const auto predictor = CreatePredictor(options.config);
    Run(predictor.get(), &options);
    for (int i = 0; i < options.clones; ++i) Run(predictor->Clone().get(), &options);
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
    return 1;
  }
  return 0;
}
