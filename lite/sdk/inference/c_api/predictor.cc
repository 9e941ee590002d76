#include <cstdio>

#include "lite/sdk/inference/c_api/arrays.h"
#include "lite/sdk/inference/c_api/call.h"

using paddle_infer::c_api::ArrayOf;
using paddle_infer::c_api::Call;
using paddle_infer::c_api::Given;
using paddle_infer::c_api::TextOf;
using paddle_infer::c_api::TextsOf;

namespace paddle_infer::c_api {
namespace {

std::string& LastError() {
  thread_local std::string text;
  return text;
}

}  // namespace

void Say(const char* function, const char* what) noexcept {
  std::fprintf(stderr, "%s: %s\n", function, what);
  try {
    LastError() = std::string(function) + ": " + what;
  } catch (...) {  // no memory for the text
    LastError().clear();
  }
}

}  // namespace paddle_infer::c_api

namespace {

using Shapes = std::map<std::string, std::vector<int64_t>>;
using Types = std::map<std::string, paddle_infer::DataType>;

paddle_infer::Predictor& Of(PD_Predictor* predictor) {
  return *Given(predictor, "the predictor").predictor;
}

PD_Predictor* Owned(std::unique_ptr<paddle_infer::Predictor> predictor) {
  auto owned = std::make_unique<PD_Predictor>();
  owned->predictor = std::move(predictor);
  return owned.release();
}

PD_Tensor* HandleOf(std::unique_ptr<paddle_infer::Tensor> tensor, const PD_Predictor& of) {
  auto handle = std::make_unique<PD_Tensor>();
  handle->tensor = std::move(tensor);
  handle->failure = of.failure;
  return handle.release();
}

PD_IOInfos* InfosOf(const std::vector<std::string>& names, const Shapes& shapes,
                    const Types& types) {
  std::unique_ptr<PD_IOInfos, void (*)(PD_IOInfos*)> infos(new PD_IOInfos{}, PD_IOInfosDestroy);
  infos->io_info = new PD_IOInfo*[names.size()];
  for (const std::string& name : names) {
    auto* const info = infos->io_info[infos->size++] = new PD_IOInfo{};
    info->name = TextOf(name);
    info->shape = ArrayOf<PD_OneDimArrayInt64>(shapes.at(name)).release();
    info->dtype = paddle_infer::c_api::Known(types.at(name));
  }
  return infos.release();
}

}  // namespace

PD_Predictor* PD_PredictorCreate(PD_Config* config) {
  const std::unique_ptr<PD_Config> taken(config);
  return Call(__func__, [&] {
    PD_Config& given = Given(config, "the configuration");
    if (const std::string failed = given.failure.Get(); !failed.empty())
      throw std::runtime_error("the configuration is not valid: " + failed);
    return Owned(std::make_unique<paddle_infer::Predictor>(given.config));
  });
}

PD_Predictor* PD_PredictorClone(PD_Predictor* predictor) {
  return Call(__func__, [&] { return Owned(Of(predictor).Clone()); });
}

void PD_PredictorDestroy(PD_Predictor* predictor) { delete predictor; }

size_t PD_PredictorGetInputNum(PD_Predictor* predictor) {
  return Call(__func__, [&] { return Of(predictor).GetInputNames().size(); });
}
size_t PD_PredictorGetOutputNum(PD_Predictor* predictor) {
  return Call(__func__, [&] { return Of(predictor).GetOutputNames().size(); });
}
PD_OneDimArrayCstr* PD_PredictorGetInputNames(PD_Predictor* predictor) {
  return Call(__func__, [&] { return TextsOf(Of(predictor).GetInputNames()); });
}
PD_OneDimArrayCstr* PD_PredictorGetOutputNames(PD_Predictor* predictor) {
  return Call(__func__, [&] { return TextsOf(Of(predictor).GetOutputNames()); });
}

PD_IOInfos* PD_PredictorGetInputInfos(PD_Predictor* predictor) {
  return Call(__func__, [&] {
    auto& of = Of(predictor);
    return InfosOf(of.GetInputNames(), of.GetInputTensorShape(), of.GetInputTypes());
  });
}
PD_IOInfos* PD_PredictorGetOutputInfos(PD_Predictor* predictor) {
  return Call(__func__, [&] {
    auto& of = Of(predictor);
    return InfosOf(of.GetOutputNames(), of.GetOutputTensorShape(), of.GetOutputTypes());
  });
}

PD_Tensor* PD_PredictorGetInputHandle(PD_Predictor* predictor, const char* name) {
  return Call(__func__, [&] {
    return HandleOf(Of(predictor).GetInputHandle(&Given(name, "the name")), *predictor);
  });
}
PD_Tensor* PD_PredictorGetOutputHandle(PD_Predictor* predictor, const char* name) {
  return Call(__func__, [&] {
    return HandleOf(Of(predictor).GetOutputHandle(&Given(name, "the name")), *predictor);
  });
}

PD_Bool PD_PredictorRun(PD_Predictor* predictor) {
  return Call(__func__, [&]() -> PD_Bool {
    paddle_infer::Predictor& of = Of(predictor);
    if (const std::string failed = predictor->failure->Take(); !failed.empty())
      throw std::runtime_error("not run, an input was not set: " + failed);
    return of.Run();
  });
}

void PD_PredictorClearIntermediateTensor(PD_Predictor* predictor) {
  Call(__func__, [&] { Of(predictor).ClearIntermediateTensor(); });
}
uint64_t PD_PredictorTryShrinkMemory(PD_Predictor* predictor) {
  return Call(__func__, [&] { return Of(predictor).TryShrinkMemory(); });
}

const char* PD_GetVersion() {
  return Call(__func__, [] {
    static const std::string version = paddle_infer::GetVersion();
    return version.c_str();
  });
}

const char* PD_GetLastError() { return paddle_infer::c_api::LastError().c_str(); }
