// CxxModelBuffer and CxxConfig.
#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_api.h"
#include "lite/sdk/notice.h"

namespace paddle::lite_api {
namespace {

std::string Bytes(const char* bytes, size_t count, const char* what) {
  if (bytes == nullptr && count != 0)
    throw lite::ConfigError(lite::StrCat(what, " is a null pointer with ", count, " bytes"));
  return bytes == nullptr ? std::string() : std::string(bytes, count);
}

void NoXpu(const char* setting) {
  lite::sdk::SayIgnored(setting, "there is no XPU; models run on the CPU and NNAdapter devices");
}

}  // namespace

CxxModelBuffer::CxxModelBuffer(const char* program, size_t program_bytes, const char* params,
                               size_t params_bytes)
    : program_(Bytes(program, program_bytes, "the model")),
      params_(Bytes(params, params_bytes, "the parameters")) {}

CxxModelBuffer::CxxModelBuffer(std::string&& program, std::string&& params)
    : program_(std::move(program)), params_(std::move(params)) {}

void CxxConfig::set_model_buffer(const char* program, size_t program_bytes, const char* params,
                                 size_t params_bytes) {
  model_buffer_ = std::make_shared<CxxModelBuffer>(program, program_bytes, params, params_bytes);
}

const CxxModelBuffer& CxxConfig::get_model_buffer() const {
  if (model_buffer_ == nullptr)
    throw lite::ConfigError("the CxxConfig has no model buffer; call set_model_buffer first");
  return *model_buffer_;
}

void CxxConfig::IgnoreWarmup() {
  lite::sdk::SayIgnored("set_preferred_inputs_for_warmup",
                        "the first run with new shapes prepares all that the next ones need");
}

void CxxConfig::set_xpu_workspace_l3_size_per_thread(int) {
  NoXpu("set_xpu_workspace_l3_size_per_thread");
}
void CxxConfig::set_xpu_l3_cache_method(size_t, bool) { NoXpu("set_xpu_l3_cache_method"); }
void CxxConfig::set_xpu_l3_cache_autotune(bool) { NoXpu("set_xpu_l3_cache_autotune"); }
void CxxConfig::set_xpu_gm_workspace_method(size_t) { NoXpu("set_xpu_gm_workspace_method"); }
void CxxConfig::set_xpu_conv_autotune(bool, const std::string&) { NoXpu("set_xpu_conv_autotune"); }
void CxxConfig::set_xpu_dev_per_thread(int) { NoXpu("set_xpu_dev_per_thread"); }
void CxxConfig::enable_xpu_multi_stream() { NoXpu("enable_xpu_multi_stream"); }
void CxxConfig::set_xpu_multi_encoder_precision(const std::string&) {
  NoXpu("set_xpu_multi_encoder_precision");
}
void CxxConfig::set_xpu_multi_encoder_method(const std::string&, bool) {
  NoXpu("set_xpu_multi_encoder_method");
}
void CxxConfig::set_xpu_cluster_num(int) { NoXpu("set_xpu_cluster_num"); }
void CxxConfig::set_xpu_sdnn_num(int) { NoXpu("set_xpu_sdnn_num"); }
void CxxConfig::set_xpu_local_quant(bool) { NoXpu("set_xpu_local_quant"); }
void CxxConfig::set_xpu_compute_precision(const std::string&) {
  NoXpu("set_xpu_compute_precision");
}

}  // namespace paddle::lite_api
