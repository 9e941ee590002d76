// As the command lines that try any model on a device: model_runner FOLDER SHAPES TYPES TYPES
// DEVICE [CACHE_FOLDER] optimises the model in the folder, saves it beside it, loads that and
// prints what both compute for ones. "1,3,8,8:1,2" are two shapes, "float32:int64" two types; "cpu"
// is no device.
#include <paddle_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

static int64_t production(const std::vector<int64_t>& shape) {
  int64_t size = 1;
  for (int64_t dim : shape) size *= dim;
  return size;
}

#define WITH_TYPE(name, DO)                      \
  if (name == "float32") {                       \
    DO(float)                                    \
  } else if (name == "int32") {                  \
    DO(int32_t)                                  \
  } else if (name == "int64") {                  \
    DO(int64_t)                                  \
  } else {                                       \
    printf("'%s' is not known\n", name.c_str()); \
    exit(-1);                                    \
  }

static void run(const std::shared_ptr<paddle::lite_api::PaddlePredictor>& predictor, char** argv) {
  auto shapes = split(argv[2], ':');
  auto types = split(argv[3], ':');
  for (size_t i = 0; i < shapes.size(); i++) {
    std::vector<int64_t> shape;
    for (auto& dim : split(shapes[i], ',')) shape.push_back(atoi(dim.c_str()));
    auto tensor = predictor->GetInput(static_cast<int>(i));
    tensor->Resize(shape);
    auto size = production(tensor->shape());
#define FILL(type)                          \
  auto data = tensor->mutable_data<type>(); \
  for (int64_t j = 0; j < size; j++) data[j] = static_cast<type>(1);
    WITH_TYPE(types[i], FILL)
  }
  predictor->Run();
  auto outputs = split(argv[4], ':');
  for (size_t i = 0; i < outputs.size(); i++) {
    auto tensor = predictor->GetOutput(static_cast<int>(i));
    auto size = production(tensor->shape());
#define PRINT(type)                 \
  auto data = tensor->data<type>(); \
  for (int64_t j = 0; j < size; j++) std::cout << data[j] << std::endl;
    WITH_TYPE(outputs[i], PRINT)
  }
}

int main(int argc, char** argv) {
  std::string folder = argv[1], device = argv[5], cache = argc > 6 ? argv[6] : "";
  std::shared_ptr<paddle::lite_api::PaddlePredictor> predictor = nullptr;
  std::cout << std::setprecision(9);
#ifdef USE_FULL_API
  paddle::lite_api::CxxConfig cxx_config;
  cxx_config.set_model_dir(folder);
  cxx_config.set_power_mode(paddle::lite_api::PowerMode::LITE_POWER_NO_BIND);
  std::vector<paddle::lite_api::Place> places;
  if (strcmp(device.c_str(), "cpu")) {
    places.push_back(paddle::lite_api::Place{TARGET(kNNAdapter), PRECISION(kInt8)});
    places.push_back(paddle::lite_api::Place{TARGET(kNNAdapter), PRECISION(kFloat)});
  }
  places.push_back(paddle::lite_api::Place{TARGET(kARM), PRECISION(kInt8)});
  places.push_back(paddle::lite_api::Place{TARGET(kARM), PRECISION(kFloat)});
  places.push_back(paddle::lite_api::Place{TARGET(kARM), PRECISION(kInt64)});
  cxx_config.set_valid_places(places);
  cxx_config.set_subgraph_model_cache_dir(folder.substr(0, folder.find_last_of("/")));
  cxx_config.set_nnadapter_device_names({device});
  cxx_config.set_nnadapter_context_properties("");
  cxx_config.set_nnadapter_model_cache_dir(cache);
  try {
    predictor = paddle::lite_api::CreatePaddlePredictor(cxx_config);
    run(predictor, argv);
    predictor->SaveOptimizedModel(folder, paddle::lite_api::LiteModelType::kNaiveBuffer);
  } catch (std::exception e) {
    printf("An error with the full API.\n");
    return -1;
  }
#endif
  paddle::lite_api::MobileConfig config;
  config.set_model_from_file(folder + ".nb");
  config.set_threads(1);
  config.set_nnadapter_device_names({device});
  config.set_nnadapter_context_properties("");
  config.set_nnadapter_model_cache_dir(cache);
  try {
    predictor = paddle::lite_api::CreatePaddlePredictor(config);
    run(predictor, argv);
  } catch (std::exception e) {
    printf("An error with the light API.\n");
    return -1;
  }
  return 0;
}
