#include "lite/core/quantized_program.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "lite/core/base/errors.h"
#include "lite/core/int8_roundings.h"

namespace paddle::lite {
namespace {

constexpr std::string_view kQuantScale = "_quant_scale";
constexpr const char* kKernelAttr = "__@kernel_type_attr@__";

struct WeightSlots {
  const char* activation;
  const char* weight;
  const char* output;
};

const WeightSlots* FindSlots(const std::string& type) {
  static const std::map<std::string, WeightSlots> kSlots = {
      {"conv2d", {"Input", "Filter", "Output"}},
      {"depthwise_conv2d", {"Input", "Filter", "Output"}},
      {"conv2d_transpose", {"Input", "Filter", "Output"}},
      {"depthwise_conv2d_transpose", {"Input", "Filter", "Output"}},
      {"fc", {"Input", "W", "Out"}},
      {"mul", {"X", "Y", "Out"}},
      {"matmul", {"X", "Y", "Out"}},
      {"matmul_v2", {"X", "Y", "Out"}},
  };
  const auto found = kSlots.find(type);
  return found == kSlots.end() ? nullptr : &found->second;
}

// The fields of "conv2d/int8_out/4/2/1": alias and precision; empty where the text has another
// form.
struct Kernel {
  std::string alias, precision;
};

Kernel KernelOf(const OpDesc& op) {
  const auto found = op.attrs.find(kKernelAttr);
  const auto* text = found == op.attrs.end() ? nullptr : std::get_if<std::string>(&found->second);
  if (text == nullptr) return {};
  std::vector<std::string> parts(1);
  for (const char c : *text) {
    if (c == '/')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts.size() == 5 ? Kernel{parts[1], parts[3]} : Kernel{};
}

bool ComputesInInt8(const OpDesc& op) {
  return FindSlots(op.type) != nullptr && KernelOf(op).precision == "2";
}

// "fp32_to_fp16" and the like: where Paddle Lite goes from single to half precision or back.
bool ChangesPrecision(const OpDesc& op) {
  const std::string alias = KernelOf(op).alias;
  return op.type.rfind("calib", 0) == 0 && (alias == "fp32_to_fp16" || alias == "fp16_to_fp32");
}

// A program that Paddle Lite computes in half precision.
bool ComputesInHalf(const ProgramDesc& program) {
  for (const BlockDesc& block : program.blocks)
    for (const OpDesc& op : block.ops)
      if (KernelOf(op).precision == "5" && op.type.rfind("calib", 0) != 0) return true;
  return false;
}

bool EndsWith(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

constexpr std::string_view kAuxiliaryOutputs[] = {
    "XShape", "Mask", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance", "Mean", "Variance"};

bool IsAuxiliary(const std::string& slot) {
  return std::find(std::begin(kAuxiliaryOutputs), std::end(kAuxiliaryOutputs), slot) !=
         std::end(kAuxiliaryOutputs);
}

bool HasScale(const OpDesc& op, const std::map<std::string, std::vector<std::string>>& slots) {
  for (const auto& [slot, names] : slots)
    for (size_t i = 0; i < names.size() && !IsAuxiliary(slot); ++i)
      if (op.attrs.count(StrCat(slot, i, "_scale")) != 0) return true;
  return false;
}

// An operator of a subgraph's block, which has no kernels, that a device computes in int8.
bool IsDeviceInt8(const OpDesc& op) {
  return op.attrs.count(kKernelAttr) == 0 && HasScale(op, op.inputs) && HasScale(op, op.outputs);
}

bool IsTrue(const OpDesc& op, const char* name) {
  const auto found = op.attrs.find(name);
  const bool* value = found == op.attrs.end() ? nullptr : std::get_if<bool>(&found->second);
  return value != nullptr && *value;
}

// An operator of such a block without a scale for its result: it computes in floating point.
bool HasInt8WeightOnly(const OpDesc& op) {
  return op.attrs.count(kKernelAttr) == 0 && IsTrue(op, "enable_int8") && !IsDeviceInt8(op) &&
         FindSlots(op.type) != nullptr;
}

bool HasQuantScale(const OpDesc& op) {
  return std::any_of(op.attrs.begin(), op.attrs.end(),
                     [](const auto& attr) { return EndsWith(attr.first, kQuantScale); });
}

class Restorer {
 public:
  Restorer(const ProgramDesc& program, ParamTable* params)
      : program_(program),
        params_(*params),
        roundings_(program, *params),
        in_half_(ComputesInHalf(program)) {}

  ProgramDesc Run() {
    for (const BlockDesc& block : program_.blocks)
      for (const OpDesc& op : block.ops) {
        RememberNames(op);
        RememberReaders(op);
        const auto inner = op.attrs.find("sub_block");
        if (op.type == "subgraph" && inner != op.attrs.end())
          if (const auto* at = std::get_if<int32_t>(&inner->second)) device_blocks_.insert(*at);
      }
    for (size_t i = 0; i < program_.blocks.size(); ++i) {
      BlockDesc& block = program_.blocks[i];
      std::vector<OpDesc> ops;
      roundings_.BeginBlock();
      on_device_ = device_blocks_.count(static_cast<int32_t>(i)) != 0;
      for (size_t k = 0; k < block.ops.size(); ++k) {
        const std::string type = block.ops[k].type;
        try {
          if (i == 0 && IsDeviceInt8(block.ops[k]))
            AddDeviceOp(std::move(block.ops[k]), &ops);
          else if (i == 0 && HasInt8WeightOnly(block.ops[k]))
            AddFloatDeviceOp(std::move(block.ops[k]), &ops);
          else
            Add(std::move(block.ops[k]), &ops);
        } catch (LiteError& error) {
          error.AddContext(StrCat("operator ", k, " (", type, ", block ", i, ")"));
          throw;
        }
      }
      block.ops = std::move(ops);
    }
    return std::move(program_);
  }

 private:
  void RememberNames(const OpDesc& op) {
    for (const auto* slots : {&op.inputs, &op.outputs})
      for (const auto& [slot, list] : *slots) names_.insert(list.begin(), list.end());
  }

  // What is rounded for other operators, too, need not be kept as it was before: rounded again it
  // stays the same, and whoever computes it can round at once.
  void RememberReaders(const OpDesc& op) {
    const WeightSlots* slots = HasQuantScale(op) ? FindSlots(op.type) : nullptr;
    for (const auto& [slot, list] : op.inputs)
      if (slots == nullptr || slot != slots->activation)
        read_by_others_.insert(list.begin(), list.end());
  }

  std::string Fresh(const std::string& base) {
    std::string name = base;
    for (int i = 1; !names_.insert(name).second; ++i) name = StrCat(base, "@", i);
    return name;
  }

  static const std::vector<float>& Scales(const OpDesc& op, const std::string& name,
                                          const std::string& weight) {
    const auto found = op.attrs.find(name);
    const auto* scales =
        found == op.attrs.end() ? nullptr : std::get_if<std::vector<float>>(&found->second);
    if (scales == nullptr || scales->empty())
      throw ModelFormatError(StrCat("weight '", weight, "' is stored in integers, but attribute ",
                                    name, " holds no scales; the file is damaged"));
    return *scales;
  }

  static float Scale(const OpDesc& op, const std::string& name) {
    const auto found = op.attrs.find(name);
    const auto* scales =
        found == op.attrs.end() ? nullptr : std::get_if<std::vector<float>>(&found->second);
    if (scales == nullptr || scales->size() != 1 || !std::isfinite((*scales)[0]) ||
        (*scales)[0] <= 0)
      throw ModelFormatError(StrCat("it computes in int8, but attribute ", name,
                                    " is not one positive number; the file is damaged"));
    return (*scales)[0];
  }

  // All of a program in half precision is computed in float32.
  static OpDesc Assign(const OpDesc& calib) {
    OpDesc op;
    op.type = "assign";
    const auto in = calib.inputs.find("Input"), out = calib.outputs.find("Out");
    if (in != calib.inputs.end()) op.inputs["X"] = in->second;
    if (out != calib.outputs.end()) op.outputs["Out"] = out->second;
    return op;
  }

  static void Push(OpDesc op, std::vector<OpDesc>* ops, Int8Roundings* roundings) {
    roundings->Remember(op);
    ops->push_back(std::move(op));
  }

  void Add(OpDesc op, std::vector<OpDesc>* ops) {
    if (in_half_ && ChangesPrecision(op)) op = Assign(op);
    if (HasQuantScale(op)) RestoreWeightOnly(&op);
    if (!ComputesInInt8(op)) return Push(std::move(op), ops, &roundings_);
    const WeightSlots& slots = *FindSlots(op.type);
    const std::string* weight = OnlyName(op.inputs, slots.weight);
    const std::string* input = OnlyName(op.inputs, slots.activation);
    const std::string* output = OnlyName(op.outputs, slots.output);
    if (weight == nullptr || input == nullptr || output == nullptr)
      throw ModelFormatError(StrCat("its kernel computes in int8, expected one variable each in ",
                                    slots.activation, ", ", slots.weight, " and ", slots.output));
    const Kernel kernel = KernelOf(op);
    const bool to_int8 = kernel.alias.rfind("int8", 0) == 0;
    Push(Calib("int8_to_fp32", *input, Fresh(*input + "/dequant"),
               Scale(op, StrCat(slots.activation, "0_scale"))),
         ops, &roundings_);
    op.inputs[slots.activation][0] = ops->back().outputs["Out"][0];
    op.attrs.erase(kKernelAttr);
    if (!KeepInt8(&op, slots, StrCat(slots.weight, "0_scale")))
      RestoreInt8Weight(&op, slots, op.inputs[slots.weight][0]);
    if (!to_int8) return Push(std::move(op), ops, &roundings_);
    const std::string result = *output, between = Fresh(result + "/fp32");
    const float scale = Scale(op, StrCat(slots.output, "0_scale"));
    op.outputs[slots.output][0] = between;
    Push(std::move(op), ops, &roundings_);
    Push(Calib("fp32_to_int8", between, result, scale), ops, &roundings_);
  }

  // Lets an operator whose activation is rounded to 8 bits multiply in integers; false where its
  // weight or the operator is not of that kind.
  bool KeepInt8(OpDesc* op, const WeightSlots& slots, const std::string& scales_attr) {
    const std::string* weight = OnlyName(op->inputs, slots.weight);
    const std::string* input = OnlyName(op->inputs, slots.activation);
    if (weight == nullptr || input == nullptr || on_device_) return false;
    const auto found = params_.find(*weight);
    const Int8Rounding* rounding = roundings_.Of(*input);
    if (found == params_.end() || rounding == nullptr) return false;
    const int rank = static_cast<int>(found->second.dims().size());
    if (!MultipliesInt8(*op, found->second, rank < 2 ? 0 : WeightAxis(*op, slots, rank)))
      return false;
    const std::vector<float>& scales = Scales(*op, scales_attr, *weight);
    const int64_t channels = found->second.dims()[WeightAxis(*op, slots, rank)];
    const auto given = static_cast<int64_t>(scales.size());
    const auto finite = [](float scale) { return std::isfinite(scale); };
    if ((given != 1 && given != channels) || !std::all_of(scales.begin(), scales.end(), finite))
      return false;
    kept_.insert(*weight);
    op->attrs["int8_weight_scales"] = scales;
    op->attrs["int8_scale"] = rounding->scale;
    op->attrs["int8_threshold"] = rounding->threshold;
    op->attrs["int8_round_type"] = rounding->round_type;
    op->attrs["int8_zero_byte"] = rounding->zero_byte;
    if (read_by_others_.count(*input) == 0) op->inputs[slots.activation][0] = rounding->source;
    return true;
  }

  // Lets a product of matrices or a convolution read its weight in 8 bits as the floats that they
  // stand for; false for other operators and weights.
  bool KeepWeightInt8(OpDesc* op, const WeightSlots& slots, const Tensor& weight,
                      const std::string& scales_attr) {
    const std::string* name = OnlyName(op->inputs, slots.weight);
    const bool is_conv = op->type == "conv2d";
    if (name == nullptr || on_device_ || (std::string_view(slots.weight) == "Filter" && !is_conv))
      return false;
    const int rank = is_conv ? 4 : 2;
    if (weight.dtype() != DataType::kInt8 || weight.dims().size() != rank) return false;
    const std::vector<float>& scales = Scales(*op, scales_attr, *name);
    const auto given = static_cast<int64_t>(scales.size());
    if (given != 1 && given != weight.dims()[WeightAxis(*op, slots, rank)]) return false;
    kept_.insert(*name);
    op->attrs["int8_weight_scales"] = scales;
    return true;
  }

  // An operator of a subgraph in the CPU's hands: reals in, reals out, integers between operators.
  void AddDeviceOp(OpDesc op, std::vector<OpDesc>* ops) {
    const WeightSlots* slots = FindSlots(op.type);
    for (auto& [slot, names] : op.inputs)
      for (size_t i = 0; i < names.size(); ++i) {
        const std::string attr = StrCat(slot, i, "_scale");
        if (op.attrs.count(attr) == 0) continue;
        const auto param = params_.find(names[i]);
        if (param == params_.end()) {
          ops->push_back(
              Calib("int8_to_fp32", names[i], Fresh(names[i] + "/dequant"), Scale(op, attr)));
          names[i] = ops->back().outputs["Out"][0];
        } else if (IsInteger(param->second)) {
          const bool is_weight = slots != nullptr && slot == slots->weight;
          const int rank = static_cast<int>(param->second.dims().size());
          Restore(&names[i], is_weight ? WeightAxis(op, *slots, rank) : rank - 1,
                  Scales(op, attr, names[i]));
        }
      }
    std::vector<OpDesc> behind;
    for (auto& [slot, names] : op.outputs)
      for (size_t i = 0; i < names.size(); ++i) {
        const std::string attr = StrCat(slot, i, "_scale");
        if (IsAuxiliary(slot) || op.attrs.count(attr) == 0) continue;
        const std::string result = names[i];
        names[i] = Fresh(result + "/fp32");
        behind.push_back(Calib("fp32_to_int8", names[i], result, Scale(op, attr)));
      }
    ops->push_back(std::move(op));
    for (OpDesc& calib : behind) ops->push_back(std::move(calib));
  }

  void AddFloatDeviceOp(OpDesc op, std::vector<OpDesc>* ops) {
    const WeightSlots& slots = *FindSlots(op.type);
    const std::string* weight = OnlyName(op.inputs, slots.weight);
    if (weight != nullptr) RestoreInt8Weight(&op, slots, *weight);
    ops->push_back(std::move(op));
  }

  static int WeightAxis(const OpDesc& op, const WeightSlots& slots, int rank) {
    if (std::string_view(slots.weight) != "Filter")
      return IsTrue(op, "trans_y") || IsTrue(op, "transpose_Y") ? rank - 2 : rank - 1;
    return op.type.find("transpose") != std::string::npos ? 1 : 0;
  }

  static OpDesc Calib(const char* alias, const std::string& from, const std::string& to,
                      float scale) {
    OpDesc op;
    op.type = "calib";
    op.inputs["Input"] = {from};
    op.outputs["Out"] = {to};
    op.attrs["scale"] = scale;
    op.attrs[kKernelAttr] = StrCat("calib/", alias, "/1/2/1");
    return op;
  }

  static bool IsInteger(const Tensor& weight) {
    return weight.dtype() == DataType::kInt8 || weight.dtype() == DataType::kInt16;
  }

  void RestoreWeightOnly(OpDesc* op) {
    const bool is_conv = op->type == "conv2d" || op->type == "depthwise_conv2d";
    const WeightSlots* slots = FindSlots(op->type);
    for (auto& [slot, names] : op->inputs)
      for (std::string& name : names) {
        const std::string attr = name + std::string(kQuantScale);
        if (op->attrs.find(attr) == op->attrs.end()) continue;
        const auto found = params_.find(name);
        if (found == params_.end() || !IsInteger(found->second)) continue;
        const int rank = static_cast<int>(found->second.dims().size());
        const int axis = is_conv ? 0 : rank - 1;
        if (slots != nullptr && slot == slots->weight && axis == WeightAxis(*op, *slots, rank) &&
            (KeepInt8(op, *slots, attr) || KeepWeightInt8(op, *slots, found->second, attr)))
          continue;
        Restore(&name, axis, Scales(*op, attr, name));
      }
  }

  void RestoreInt8Weight(OpDesc* op, const WeightSlots& slots, const std::string& name) {
    const auto found = params_.find(name);
    if (found == params_.end() || !IsInteger(found->second)) return;
    const int axis = WeightAxis(*op, slots, static_cast<int>(found->second.dims().size()));
    Restore(&op->inputs[slots.weight][0], axis, Scales(*op, StrCat(slots.weight, "0_scale"), name));
  }

  // Gives the weight `name` real numbers; under another name where an operator multiplies in
  // integers with it.
  void Restore(std::string* name, int axis, const std::vector<float>& scales) {
    Tensor* weight = &params_.find(*name)->second;
    const DDim& dims = weight->dims();
    const int rank = static_cast<int>(dims.size());
    const bool has_axis = axis >= 0 && axis < rank;
    const auto count = static_cast<int64_t>(scales.size());
    if (!has_axis || (count != 1 && count != dims[axis]))
      throw ModelFormatError(StrCat("weight '", *name, "' of shape ", dims, " has ", count,
                                    " scales, expected 1 or one for each channel of axis ", axis));
    Tensor numbers;
    numbers.Allocate(dims, DataType::kFP32);
    const int64_t inner = dims.Count(axis + 1, rank), channels = dims[axis];
    const int64_t rows = inner == 0 ? 0 : dims.production() / inner;
    auto* to = numbers.mutable_data<float>();
    const auto fill = [&](const auto* from) {
      for (int64_t row = 0; row < rows; ++row) {
        const float scale = scales[count == 1 ? 0 : static_cast<size_t>(row % channels)];
        for (int64_t i = 0; i < inner; ++i) *to++ = static_cast<float>(*from++) * scale;
      }
    };
    if (weight->dtype() == DataType::kInt8)
      fill(weight->data<int8_t>());
    else
      fill(weight->data<int16_t>());
    numbers.set_persistable(weight->persistable());
    if (kept_.count(*name) == 0) {
      *weight = std::move(numbers);
      return;
    }
    *name = Fresh(*name + "/fp32");
    params_[*name] = std::move(numbers);
  }

  ProgramDesc program_;
  ParamTable& params_;
  Int8Roundings roundings_;
  std::set<std::string> names_, read_by_others_;
  std::set<std::string> kept_;       // weights that stay in integers
  std::set<int32_t> device_blocks_;  // of subgraphs, whose operators have their own form
  bool on_device_ = false;
  const bool in_half_;
};

}  // namespace

bool HasQuantizedOps(const ProgramDesc& program) {
  if (ComputesInHalf(program)) return true;
  for (const BlockDesc& block : program.blocks)
    for (const OpDesc& op : block.ops)
      if (HasQuantScale(op) || ComputesInInt8(op)) return true;
  if (program.blocks.empty()) return false;
  const std::vector<OpDesc>& root = program.blocks[0].ops;
  return std::any_of(root.begin(), root.end(),
                     [](const OpDesc& op) { return IsDeviceInt8(op) || HasInt8WeightOnly(op); });
}

ProgramDesc RestoreFloats(const ProgramDesc& program, ParamTable* params) {
  return Restorer(program, params).Run();
}

}  // namespace paddle::lite
