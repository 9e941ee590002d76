// An application of the full API that tests steer: full_tool KEY=VALUE... makes a predictor, runs
// it on sines and prints every output; an error is printed and ends it with 1.
#include <paddle_api.h>
#include <sys/wait.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>

using namespace paddle::lite_api;

namespace {

using Options = std::multimap<std::string, std::string>;

int g_callbacks = 0;

int Callback(int, void*) { return ++g_callbacks; }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

std::string Get(const Options& options, const std::string& key) {
  const auto found = options.find(key);
  return found == options.end() ? "" : found->second;
}

std::vector<std::string> GetAll(const Options& options, const std::string& key) {
  std::vector<std::string> values;
  const auto range = options.equal_range(key);
  for (auto entry = range.first; entry != range.second; ++entry) values.push_back(entry->second);
  return values;
}

// "1,3,8,8"
shape_t Shape(const std::string& text) {
  shape_t shape;
  std::istringstream stream(text);
  for (std::string dim; std::getline(stream, dim, ',');) shape.push_back(std::atol(dim.c_str()));
  return shape;
}

// "name=1,3,8,8;2,3,8,8"
void AddDynamicShapes(const Options& options, ConfigBase* config) {
  std::map<std::string, std::vector<shape_t>> info;
  for (const std::string& text : GetAll(options, "dynamic_shape")) {
    const size_t equals = text.find('=');
    std::istringstream stream(text.substr(equals + 1));
    for (std::string shape; std::getline(stream, shape, ';');)
      info[text.substr(0, equals)].push_back(Shape(shape));
  }
  config->set_nnadapter_dynamic_shape_info(info);
}

void AddDevices(const Options& options, ConfigBase* config) {
  config->set_nnadapter_device_names(GetAll(options, "device"));
  config->set_nnadapter_context_properties(Get(options, "properties"));
  config->set_nnadapter_model_cache_dir(Get(options, "cache_dir"));
  if (options.count("callback")) config->set_nnadapter_context_callback(Callback);
  for (const std::string& path : GetAll(options, "cache_buffer")) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const std::string bytes = ReadFile(path);
    config->set_nnadapter_model_cache_buffers(name.substr(0, name.rfind('.')),
                                              std::vector<char>(bytes.begin(), bytes.end()));
  }
  AddDynamicShapes(options, config);
}

CxxConfig MakeCxxConfig(const Options& options) {
  CxxConfig config;
  config.set_model_dir(Get(options, "model_dir"));
  config.set_model_file(Get(options, "model_file"));
  config.set_param_file(Get(options, "param_file"));
  if (options.count("model_buffer")) {
    const std::string program = ReadFile(Get(options, "model_buffer"));
    const std::string params = ReadFile(Get(options, "param_buffer"));
    config.set_model_buffer(program.data(), program.size(), params.data(), params.size());
  }
  std::vector<Place> places;
  for (const std::string& number : GetAll(options, "place"))
    places.push_back(Place(static_cast<TargetType>(std::atoi(number.c_str()))));
  config.set_valid_places(places);
  config.set_passes_internal(GetAll(options, "pass"));
  config.keep_tensors(GetAll(options, "keep"));
  for (const std::string& pass : GetAll(options, "discard")) config.add_discarded_pass(pass);
  config.set_nnadapter_subgraph_partition_config_buffer(Get(options, "partition"));
  config.set_nnadapter_subgraph_partition_config_path(Get(options, "partition_path"));
  if (options.count("int8")) {
    config.set_quant_model(true);
    config.set_quant_type(QuantType::QUANT_INT8);
  }
  AddDevices(options, &config);
  return config;
}

std::shared_ptr<PaddlePredictor> Create(const Options& options) {
  if (options.count("nb") == 0) return CreatePaddlePredictor<CxxConfig>(MakeCxxConfig(options));
  MobileConfig config;
  config.set_model_from_file(Get(options, "nb"));
  AddDevices(options, &config);
  return CreatePaddlePredictor<MobileConfig>(config);
}

void Run(PaddlePredictor* predictor, const Options& options) {
  for (const std::string& text : GetAll(options, "shape")) {
    const auto input = predictor->GetInput(0);
    if (!text.empty()) input->Resize(Shape(text));
    float* data = input->mutable_data<float>();
    int64_t count = 1;
    for (const int64_t dim : input->shape()) count *= dim;
    for (int64_t i = 0; i < count; ++i) data[i] = std::sin(static_cast<float>(i));
    predictor->Run();
    for (const std::string& name : predictor->GetOutputNames()) {
      const auto output = predictor->GetTensor(name);
      count = 1;
      for (const int64_t dim : output->shape()) count *= dim;
      for (int64_t i = 0; i < count; ++i) std::printf("%.9g\n", output->data<float>()[i]);
    }
  }
}

void Work(const Options& options) {
  const auto predictor = Create(options);
  Run(predictor.get(), options);
  Run(predictor->Clone().get(), Options());
  if (options.count("save_nb"))
    predictor->SaveOptimizedModel(Get(options, "save_nb"), LiteModelType::kNaiveBuffer,
                                  options.count("record") != 0);
  if (options.count("save_pb")) predictor->SaveOptimizedModel(Get(options, "save_pb"));
  if (options.count("placement")) std::printf("%s", predictor->PlacementJson().c_str());
  if (options.count("callback")) std::printf("%d\n", g_callbacks);
  if (options.count("memory")) std::printf("%s", ReadFile("/proc/self/statm").c_str());
}

// Every thread makes predictors of its own; returns how many failed.
int WorkInThreads(const Options& options, int count) {
  std::vector<std::thread> threads;
  std::vector<int> failed(static_cast<size_t>(count));
  for (int& fails : failed)
    threads.emplace_back([&options, &fails] {
      try {
        Create(options);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        fails = 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (const int fails : failed) sum += fails;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    options.insert({word.substr(0, equals), word.substr(equals + 1)});
  }
  int code = 0;
  try {
    if (options.count("threads"))
      code = WorkInThreads(options, std::atoi(Get(options, "threads").c_str()));
    else
      Work(options);
  } catch (const std::exception& error) {
    std::printf("%s", error.what());
    code = 1;
  }
  const bool childless = waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
  return childless ? code : 9;
}
