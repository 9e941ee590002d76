// AnalysisConfig, LiteNNAdapterConfig and PaddlePassBuilder.
#include <algorithm>

#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_analysis_config.h"
#include "lite/sdk/include/paddle_api.h"
#include "lite/sdk/inference/pass_list.h"
#include "lite/sdk/notice.h"

namespace paddle {
namespace {

using lite::ConfigError;
using lite::StrCat;
using lite::sdk::SayIgnored;

constexpr char kCpu[] = "models run on the CPU and NNAdapter devices";
constexpr char kTensorRt[] = "there is no TensorRT";
constexpr char kFloat32[] = "models compute in float32";
constexpr char kShapes[] = "every input may have any shape, without a file";
constexpr char kNb[] = "give the .nb file that paddle_lite_opt wrote as the model";

[[noreturn]] void Absent(const char* setting, const char* what) {
  throw ConfigError(StrCat(setting, ": ", what,
                           " is not available here; leave the call out to run on the CPU, or name "
                           "an NNAdapter device: config.EnableLiteEngine(), "
                           "config.NNAdapter().SetDeviceNames({...})"));
}

// A framed table of options and values; a row without a name is a rule.
std::string Table(const std::vector<std::pair<std::string, std::string>>& rows) {
  size_t widths[2] = {0, 0};
  for (const auto& [name, value] : rows) {
    widths[0] = std::max(widths[0], name.size());
    widths[1] = std::max(widths[1], value.size());
  }
  const auto padded = [](const std::string& text, size_t width) {
    return text + std::string(width - text.size(), ' ');
  };
  const std::string rule =
      "+" + std::string(widths[0] + 2, '-') + "+" + std::string(widths[1] + 2, '-') + "+\n";
  std::string text = rule;
  for (const auto& [name, value] : rows)
    text += name.empty()
                ? rule
                : "| " + padded(name, widths[0]) + " | " + padded(value, widths[1]) + " |\n";
  return text + rule;
}

std::string Word(bool value) { return value ? "true" : "false"; }

}  // namespace

PaddlePassBuilder::PaddlePassBuilder() : passes_(DefaultPasses()) {}

void PaddlePassBuilder::InsertPass(size_t index, const std::string& name) {
  if (index > passes_.size())
    throw ConfigError(StrCat("InsertPass(", index, ", \"", name, "\"): the list has ",
                             passes_.size(), " passes"));
  passes_.insert(passes_.begin() + static_cast<std::ptrdiff_t>(index), name);
}

void PaddlePassBuilder::DeletePass(size_t index) {
  if (index >= passes_.size())
    throw ConfigError(StrCat("DeletePass(", index, "): the list has ", passes_.size(), " passes"));
  passes_.erase(passes_.begin() + static_cast<std::ptrdiff_t>(index));
}

void PaddlePassBuilder::DeletePass(const std::string& name) {
  const auto is_it = [&](const std::string& pass) {
    return pass == name || pass == "lite_" + name;
  };
  passes_.erase(std::remove_if(passes_.begin(), passes_.end(), is_it), passes_.end());
}

size_t PaddlePassBuilder::GetPassIndex(const std::string& name) {
  const auto found = std::find(passes_.begin(), passes_.end(), name);
  return found == passes_.end() ? static_cast<size_t>(-1)
                                : static_cast<size_t>(found - passes_.begin());
}

std::string PaddlePassBuilder::DebugString() {
  std::string text = "Passes to apply:\n";
  for (const std::string& name : passes_) text += "  - " + name + '\n';
  return text;
}

void PaddlePassBuilder::TurnOnDebug() {
  SayIgnored("TurnOnDebug", "GLOG_v=3 prints what each pass changes");
}

LiteNNAdapterConfig& LiteNNAdapterConfig::SetDeviceNames(const std::vector<std::string>& names) {
  device_names_ = names;
  return *this;
}
LiteNNAdapterConfig& LiteNNAdapterConfig::SetContextProperties(const std::string& properties) {
  context_properties_ = properties;
  return *this;
}
LiteNNAdapterConfig& LiteNNAdapterConfig::SetModelCacheDir(const std::string& path) {
  model_cache_dir_ = path;
  return *this;
}
LiteNNAdapterConfig& LiteNNAdapterConfig::SetModelCacheBuffers(const std::string& token,
                                                               const std::vector<char>& buffer) {
  model_cache_buffers_[token] = buffer;
  return *this;
}
LiteNNAdapterConfig& LiteNNAdapterConfig::SetSubgraphPartitionConfigPath(const std::string& path) {
  partition_config_path_ = path;
  return *this;
}
LiteNNAdapterConfig& LiteNNAdapterConfig::SetSubgraphPartitionConfigBuffer(
    const std::string& text) {
  partition_config_ = text;
  return *this;
}
LiteNNAdapterConfig& LiteNNAdapterConfig::Enable() {
  enabled_ = true;
  disabled_ = false;
  return *this;
}
LiteNNAdapterConfig& LiteNNAdapterConfig::Disable() {
  enabled_ = false;
  disabled_ = true;
  return *this;
}

void AnalysisConfig::SetModel(const std::string& prog_file, const std::string& params_file) {
  prog_file_ = prog_file;
  params_file_ = params_file;
}

void AnalysisConfig::SetModelBuffer(const char* program, size_t program_bytes, const char* params,
                                    size_t params_bytes) {
  buffer_ =
      std::make_shared<lite_api::CxxModelBuffer>(program, program_bytes, params, params_bytes);
}

void AnalysisConfig::EnableCustomPasses(const std::vector<std::string>& passes,
                                        bool custom_pass_only) {
  if (custom_pass_only) passes_.ClearPasses();
  for (const std::string& name : passes) passes_.AppendPass(name);
}

void AnalysisConfig::EnableLiteEngine(Precision, bool,
                                      const std::vector<std::string>& passes_filter,
                                      const std::vector<std::string>& ops_filter) {
  lite_engine_ = true;
  left_out_ = passes_filter;
  on_cpu_ = ops_filter;
}

std::string AnalysisConfig::Summary() {
  std::vector<std::pair<std::string, std::string>> rows = {{"Option", "Value"}, {"", ""}};
  if (model_from_memory()) rows.push_back({"model_from_memory", "true"});
  if (!model_dir_.empty()) rows.push_back({"model_dir", model_dir_});
  if (!prog_file_.empty()) rows.push_back({"model_file", prog_file_});
  if (!params_file_.empty()) rows.push_back({"params_file", params_file_});
  rows.push_back({"", ""});
  rows.push_back({"cpu_math_thread", std::to_string(threads_)});
  rows.push_back({"use_gpu", "false"});
  rows.push_back({"use_xpu", "false"});
  rows.push_back({"use_lite", Word(lite_engine_)});
  rows.push_back({"ir_optim", Word(ir_optim_)});
  rows.push_back({"memory_optim", Word(memory_optim_)});
  rows.push_back({"enable_log", Word(!glog_disabled_)});
  return Table(rows);
}

// -- What has no effect.

void AnalysisConfig::EnableONEDNN() {
  onednn_ = true;
  SayIgnored("EnableMKLDNN", "this engine has kernels of its own");
}
void AnalysisConfig::EnableOnednnBfloat16() { SayIgnored("EnableMkldnnBfloat16", kFloat32); }
void AnalysisConfig::EnableOnednnInt8(const Names&) {
  onednn_int8_ = true;
  SayIgnored("EnableMkldnnInt8", "quantised models compute in integers anyway");
}
void AnalysisConfig::EnableMkldnnQuantizer() {
  SayIgnored("EnableMkldnnQuantizer", "quantise the model before it is exported");
}
void AnalysisConfig::SwitchIrDebug(int, const std::vector<std::string>&) {
  SayIgnored("SwitchIrDebug", "GLOG_v=3 prints what each pass changes");
}
void AnalysisConfig::EnableSaveOptimModel(bool) {
  SayIgnored("EnableSaveOptimModel", "paddle_lite_opt writes optimised models");
}
void AnalysisConfig::UseOptimizedModel(bool) { SayIgnored("UseOptimizedModel", kNb); }
void AnalysisConfig::EnableProfile() {
  profile_ = true;
  SayIgnored("EnableProfile", "`lite bench MODEL --profile` says where the time goes");
}
void AnalysisConfig::CollectShapeRangeInfo(const std::string& path) {
  collect_shapes_ = true;
  shape_range_path_ = path;
  SayIgnored("CollectShapeRangeInfo", kShapes);
}
void AnalysisConfig::EnableUseGpu(uint64_t, int, Precision) {
  lite::sdk::WarnOnce(StrCat("EnableUseGpu: there is no GPU here; ", kCpu));
}
void AnalysisConfig::EnableGpuMultiStream() { SayIgnored("EnableGpuMultiStream", kCpu); }
void AnalysisConfig::SetExecStream(void*) { SayIgnored("SetExecStream", kCpu); }
void AnalysisConfig::Exp_EnableUseCutlass() { SayIgnored("Exp_EnableUseCutlass", kCpu); }
void AnalysisConfig::Exp_SparseConvUsingBuffer(const std::vector<std::vector<int>>&,
                                               const std::vector<std::vector<int>>&) {
  SayIgnored("Exp_SparseConvUsingBuffer", "there is no sparse convolution engine");
}
void AnalysisConfig::Exp_EnableMixedPrecisionOps(const Names&) {
  SayIgnored("Exp_EnableMixedPrecisionOps", kFloat32);
}
void AnalysisConfig::Exp_DisableMixedPrecisionOps(const Names&) {
  SayIgnored("Exp_DisableMixedPrecisionOps", kFloat32);
}
void AnalysisConfig::SetIpuConfig(bool, int, float, bool, bool) {
  SayIgnored("SetIpuConfig", kCpu);
}
void AnalysisConfig::SetIpuCustomInfo(const std::vector<std::vector<std::string>>&,
                                      const std::map<std::string, bool>&) {
  SayIgnored("SetIpuCustomInfo", kCpu);
}
void AnalysisConfig::EnableCustomDevice(const std::string& device_type, int, Precision) {
  custom_device_ = device_type;
}
void AnalysisConfig::EnableDlnne(int, int, bool, std::string, Names,
                                 std::map<std::string, std::vector<int64_t>>, bool, Precision) {
  SayIgnored("EnableDlnne", kCpu);
}
void AnalysisConfig::EnableOpenCL() {
  opencl_ = true;
  SayIgnored("EnableOpenCL", kCpu);
}
void AnalysisConfig::EnableONNXRuntime() { SayIgnored("EnableONNXRuntime", kCpu); }
void AnalysisConfig::EnableORTOptimization() { SayIgnored("EnableORTOptimization", kCpu); }
void AnalysisConfig::EnableOpenVINOEngine(Precision) {
  openvino_ = true;
  SayIgnored("EnableOpenVINOEngine", "OpenVINO is the NNAdapter device intel_openvino");
}
void AnalysisConfig::SetTRTDynamicShapeInfo(Shapes min_input_shape, Shapes, Shapes, bool) {
  trt_shapes_ = !min_input_shape.empty();
  SayIgnored("SetTRTDynamicShapeInfo", kShapes);
}
void AnalysisConfig::EnableTunedTensorRtDynamicShape(const std::string& path,
                                                     bool allow_build_at_runtime) {
  tuned_shapes_ = true;
  shape_range_path_ = path;
  build_at_runtime_ = allow_build_at_runtime;
  SayIgnored("EnableTunedTensorRtDynamicShape", kShapes);
}
void AnalysisConfig::EnableTensorRtDLA(int) {
  trt_dla_ = true;
  SayIgnored("EnableTensorRtDLA", kTensorRt);
}
void AnalysisConfig::EnableTensorRtExplicitQuantization() {
  trt_explicit_quantization_ = true;
  SayIgnored("EnableTensorRtExplicitQuantization", kTensorRt);
}
void AnalysisConfig::EnableTensorRtInspector(bool) {
  trt_inspector_ = true;
  SayIgnored("EnableTensorRtInspector", kTensorRt);
}
void AnalysisConfig::EnableVarseqlen() {
  trt_varseqlen_ = true;
  SayIgnored("EnableVarseqlen", kTensorRt);
}
void AnalysisConfig::SetTensorRtOptimizationLevel(int level) {
  if (level < 0 || level > 5)
    throw ConfigError(StrCat("SetTensorRtOptimizationLevel(", level, "): expected 0 to 5"));
  trt_level_ = level;
  SayIgnored("SetTensorRtOptimizationLevel", kTensorRt);
}
void AnalysisConfig::MarkTrtEngineOutputs(const std::vector<std::string>&) {
  SayIgnored("MarkTrtEngineOutputs", kTensorRt);
}
void AnalysisConfig::Exp_DisableTensorRtOPs(const std::vector<std::string>&) {
  SayIgnored("Exp_DisableTensorRtOPs", kTensorRt);
}
void AnalysisConfig::Exp_DisableTensorRTDynamicShapeOPs(bool) {
  SayIgnored("Exp_DisableTensorRTDynamicShapeOPs", kTensorRt);
}
void AnalysisConfig::Exp_DisableTensorRtSubgraph(const std::vector<std::string>&) {
  SayIgnored("Exp_DisableTensorRtSubgraph", kTensorRt);
}
void AnalysisConfig::Exp_SpecifyTensorRTSubgraphPrecision(const std::vector<std::string>&,
                                                          const std::vector<std::string>&,
                                                          const std::vector<std::string>&) {
  SayIgnored("Exp_SpecifyTensorRTSubgraphPrecision", kTensorRt);
}

// -- What throws, as in Paddle's CPU build.

void AnalysisConfig::EnableLowPrecisionIO(bool x) {
  if (x) Absent("EnableLowPrecisionIO", "a GPU");
}
void AnalysisConfig::EnableXpu(int, bool, bool, const std::string&, const std::string&, bool,
                               bool) {
  Absent("EnableXpu", "an XPU");
}
void AnalysisConfig::SetXpuDeviceId(int) { Absent("SetXpuDeviceId", "an XPU"); }
void AnalysisConfig::SetXpuConfig(const XpuConfig&) { Absent("SetXpuConfig", "an XPU"); }
void AnalysisConfig::EnableIpu(int, int, bool, int) { Absent("EnableIpu", "an IPU"); }
void AnalysisConfig::LoadIpuConfig(const std::string&) { Absent("LoadIpuConfig", "an IPU"); }
void AnalysisConfig::EnableCINN() { Absent("EnableCINN", "the compiler CINN"); }
void AnalysisConfig::Exp_EnableCINNCompiler() {
  Absent("Exp_EnableCINNCompiler", "the compiler CINN");
}
void AnalysisConfig::EnableTensorRtEngine(int64_t, int, int, Precision, bool, bool, bool) {
  Absent("EnableTensorRtEngine", "TensorRT");
}
void AnalysisConfig::EnableTensorRTMemoryOptim(bool, int) {
  Absent("EnableTensorRTMemoryOptim", "TensorRT");
}

}  // namespace paddle
