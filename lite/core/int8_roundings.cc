#include "lite/core/int8_roundings.h"

#include <cmath>
#include <limits>
#include <string_view>

#include "lite/core/base/int8_limits.h"

namespace paddle::lite {
namespace {

constexpr std::string_view kStaticRound = "fake_quantize_dequantize_moving_average_abs_max";
constexpr std::string_view kAffineRound = "fake_quantize_per_tensor_affine";

template <typename T>
T AttrOr(const OpDesc& op, const char* name, T otherwise) {
  const auto found = op.attrs.find(name);
  const T* value = found == op.attrs.end() ? nullptr : std::get_if<T>(&found->second);
  return value == nullptr ? otherwise : *value;
}

// Whether steps of this size can be computed with: what the kernels demand of their attributes.
bool IsUsable(const Int8Rounding& how) {
  if (how.round_type != 0 && how.round_type != 1) return false;
  if (!std::isnormal(how.scale) || how.scale <= 0 || !std::isnormal(1.0f / how.scale)) return false;
  return how.threshold == 0 || (how.threshold > 1e-30f && std::isfinite(how.threshold) &&
                                std::isfinite(127.0f / how.threshold));
}

}  // namespace

const std::string* OnlyName(const std::map<std::string, std::vector<std::string>>& slots,
                            const char* slot) {
  const auto found = slots.find(slot);
  return found == slots.end() || found->second.size() != 1 ? nullptr : &found->second[0];
}

Int8Roundings::Int8Roundings(const ProgramDesc& program, const ParamTable& params)
    : params_(params) {
  for (const BlockDesc& block : program.blocks)
    for (const OpDesc& op : block.ops)
      for (const auto& [slot, names] : op.outputs) written_.insert(names.begin(), names.end());
}

void Int8Roundings::BeginBlock() {
  versions_.clear();
  rounded_.clear();
  steps_.clear();
}

int Int8Roundings::Version(const std::string& name) const {
  const auto found = versions_.find(name);
  return found == versions_.end() ? 0 : found->second;
}

const Int8Rounding* Int8Roundings::Of(const std::string& name) const {
  const auto found = rounded_.find(name);
  if (found == rounded_.end() || Version(found->second.how.source) != found->second.version)
    return nullptr;
  return &found->second.how;
}

void Int8Roundings::Remember(const OpDesc& op) {
  if (op.attrs.count("sub_block") != 0) return BeginBlock();  // it may write anything
  for (const auto& [slot, names] : op.outputs)
    for (const std::string& name : names) {
      ++versions_[name];
      rounded_.erase(name);
      steps_.erase(name);
    }
  if (op.type == kStaticRound)
    RememberRounding(op);
  else if (op.type == kAffineRound)
    RememberAffine(op);
  else if (op.type == "calib")
    RememberCalib(op);
}

void Int8Roundings::RememberRounding(const OpDesc& op) {
  const std::string *x = OnlyName(op.inputs, "X"), *limit = OnlyName(op.inputs, "InScale");
  const std::string* out = OnlyName(op.outputs, "Out");
  if (x == nullptr || limit == nullptr || out == nullptr || *x == *out) return;
  if (AttrOr<int32_t>(op, "bit_length", 8) != 8 || written_.count(*limit) != 0) return;
  const auto found = params_.find(*limit);
  if (found == params_.end() || found->second.dtype() != DataType::kFP32 ||
      found->second.numel() != 1)
    return;
  Int8Rounding how;
  how.source = *x;
  how.threshold = found->second.data<float>()[0];
  how.scale = how.threshold / 127.0f;
  how.round_type = AttrOr<int32_t>(op, "round_type", 1);
  if (how.threshold > 0 && IsUsable(how)) rounded_[*out] = {how, Version(*x)};
}

void Int8Roundings::RememberAffine(const OpDesc& op) {
  const std::string *x = OnlyName(op.inputs, "X"), *out = OnlyName(op.outputs, "Out");
  const auto lowest = AttrOr<int32_t>(op, "quant_min", 0);
  const auto highest = AttrOr<int32_t>(op, "quant_max", 255);
  const auto zero = AttrOr<int32_t>(op, "zero_point", 0);
  if (x == nullptr || out == nullptr || *x == *out || (lowest != 0 && lowest != -128)) return;
  if (highest != lowest + 255 || zero < lowest || zero > highest) return;
  Int8Rounding how;
  how.source = *x;
  how.scale = AttrOr<float>(op, "scale", 1.0f);
  how.round_type = 0;
  how.zero_byte = zero - lowest;
  if (IsUsable(how)) rounded_[*out] = {how, Version(*x)};
}

void Int8Roundings::RememberCalib(const OpDesc& op) {
  const std::string *in = OnlyName(op.inputs, "Input"), *out = OnlyName(op.outputs, "Out");
  if (in == nullptr || out == nullptr || *in == *out) return;
  const auto kernel = AttrOr<std::string>(op, "__@kernel_type_attr@__", "");
  Int8Rounding how;
  how.scale = AttrOr<float>(op, "scale", 0.0f);
  how.threshold = AttrOr<float>(op, "threshold", 0.0f);
  how.round_type = AttrOr<int32_t>(op, "round_type", 1);
  if (!IsUsable(how)) return;
  if (kernel.rfind("calib/fp32_to_int8/", 0) == 0) {
    how.source = *in;
    steps_[*out] = {how, Version(*in)};
  } else if (kernel.rfind("calib/int8_to_fp32/", 0) == 0) {
    const auto made = steps_.find(*in);
    if (made != steps_.end() && made->second.how.scale == how.scale &&
        Version(made->second.how.source) == made->second.version) {
      rounded_[*out] = made->second;
      return;
    }
    how.source = *out;  // whole steps stay what they are when they are rounded again
    rounded_[*out] = {how, Version(*out)};
  }
}

bool MultipliesInt8(const OpDesc& op, const Tensor& weight, int axis) {
  const bool conv = op.type == "conv2d" || op.type == "depthwise_conv2d";
  if (!conv && op.type != "fc" && op.type != "mul" && op.type != "matmul" && op.type != "matmul_v2")
    return false;
  const DDim& dims = weight.dims();
  if (weight.dtype() != DataType::kInt8 || dims.size() != (conv ? 4 : 2) || dims[axis] <= 0)
    return false;
  // Several filters of one channel: that is a matter of memory, not of multiplying.
  const int32_t groups = conv ? AttrOr<int32_t>(op, "groups", 1) : 1;
  if (groups > 1 && dims[1] == 1 && dims[0] != groups) return false;
  return dims.production() / dims[axis] <= math::kMaxInt8Summands;
}

}  // namespace paddle::lite
