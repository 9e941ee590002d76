#include "lite/nnadapter/runtime/known_devices.h"

#include <cstring>
#include <unordered_map>

#include "lite/nnadapter/runtime/operand_type.h"

namespace nnadapter::runtime {
namespace {

constexpr struct {
  char letter;
  const char* name;
} kDevices[] = {
    {'A', "huawei_ascend_npu"}, {'C', "cambricon_mlu"},   {'E', "eeasytech_npu"},
    {'G', "google_xnnpack"},    {'I', "imagination_nna"}, {'K', "huawei_kirin_npu"},
    {'L', "amlogic_npu"},       {'M', "mediatek_apu"},    {'N', "android_nnapi"},
    {'O', "intel_openvino"},    {'R', "rockchip_npu"},    {'T', "nvidia_tensorrt"},
    {'V', "verisilicon_timvx"}, {'X', "kunlunxin_xtcl"},
};

// The devices whose drivers convert an operation.
constexpr struct {
  NNAdapterOperationType operation;
  const char* devices;
} kConverted[] = {
    {NNADAPTER_ABS, "AKXVO"},
    {NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D, "AXOC"},
    {NNADAPTER_ADAPTIVE_MAX_POOL_2D, "AX"},
    {NNADAPTER_ADD, "AKXVOCTMNLRIEG"},
    {NNADAPTER_AND, "AKXVC"},
    {NNADAPTER_ARG_MAX, "AKXVOCT"},
    {NNADAPTER_ARG_MIN, "AXV"},
    {NNADAPTER_ASSIGN, "AXVOCT"},
    {NNADAPTER_AVERAGE_POOL_2D, "AKXVOCTMNLRIE"},
    {NNADAPTER_BATCH_NORMALIZATION, "AKXVOCTNE"},
    {NNADAPTER_CAST, "AKXVOCT"},
    {NNADAPTER_CHANNEL_SHUFFLE, "AKVM"},
    {NNADAPTER_CLIP, "AKXVOCT"},
    {NNADAPTER_CONCAT, "AKXVOCTMNLRE"},
    {NNADAPTER_CONV_2D, "AKXVOCTMNLRIE"},
    {NNADAPTER_CONV_2D_TRANSPOSE, "AKXVOCTMNL"},
    {NNADAPTER_COS, "A"},
    {NNADAPTER_CUM_SUM, "AXO"},
    {NNADAPTER_DEFORMABLE_CONV_2D, "AXOC"},
    {NNADAPTER_DEQUANTIZE, "AV"},
    {NNADAPTER_DIV, "AKXVOCTMNLRIG"},
    {NNADAPTER_EQUAL, "AKXVOCT"},
    {NNADAPTER_EXP, "AKXVOCT"},
    {NNADAPTER_EXPAND, "AXVOC"},
    {NNADAPTER_FILL, "AXVOCT"},
    {NNADAPTER_FILL_LIKE, "AXOC"},
    {NNADAPTER_FLATTEN, "AKXVOCTMNLRE"},
    {NNADAPTER_FLOOR, "AKXVO"},
    {NNADAPTER_FLOOR_DIV, "AV"},
    {NNADAPTER_FULLY_CONNECTED, "AKXVCTMNLRIE"},
    {NNADAPTER_GATHER, "AKXVOC"},
    {NNADAPTER_GELU, "AKXVOC"},
    {NNADAPTER_GREATER, "AKXVC"},
    {NNADAPTER_GREATER_EQUAL, "AKXVOC"},
    {NNADAPTER_GROUP_NORMALIZATION, "AX"},
    {NNADAPTER_HARD_SIGMOID, "AKXVO"},
    {NNADAPTER_HARD_SWISH, "AKXVOTME"},
    {NNADAPTER_INSTANCE_NORMALIZATION, "AKXV"},
    {NNADAPTER_LAYER_NORMALIZATION, "AKXVOC"},
    {NNADAPTER_LEAKY_RELU, "AKXVOCTN"},
    {NNADAPTER_LESS, "AKXVC"},
    {NNADAPTER_LESS_EQUAL, "AKXVC"},
    {NNADAPTER_LOG, "AKXVOCT"},
    {NNADAPTER_LOG_SOFTMAX, "AXVT"},
    {NNADAPTER_LP_NORMALIZATION, "AKXVC"},
    {NNADAPTER_LRN, "A"},
    {NNADAPTER_MAT_MUL, "AKXVOTNI"},
    {NNADAPTER_MAX, "AKXVOI"},
    {NNADAPTER_MAX_POOL_2D, "AKXVOCTMNLRIE"},
    {NNADAPTER_MESHGRID, "AX"},
    {NNADAPTER_MIN, "AKXVOI"},
    {NNADAPTER_MUL, "AKXVOCTMNLRIEG"},
    {NNADAPTER_NOT, "AKXVC"},
    {NNADAPTER_NOT_EQUAL, "AKXVOC"},
    {NNADAPTER_OR, "AKXVC"},
    {NNADAPTER_PAD, "AKXOC"},
    {NNADAPTER_POW, "AKXVOCT"},
    {NNADAPTER_PRIOR_BOX, "OT"},
    {NNADAPTER_PRELU, "AKXV"},
    {NNADAPTER_QUANTIZE, "AVC"},
    {NNADAPTER_RANGE, "AXOC"},
    {NNADAPTER_REDUCE_MEAN, "AKXVOC"},
    {NNADAPTER_REDUCE_MAX, "AVO"},
    {NNADAPTER_REDUCE_SUM, "AKXVCT"},
    {NNADAPTER_RELU, "AKXVOCTMNLRIE"},
    {NNADAPTER_RELU6, "AKXVOCTMNLRIE"},
    {NNADAPTER_RESHAPE, "AKXVOCTMNLRIEG"},
    {NNADAPTER_RESIZE_NEAREST, "AKXVOCTMNE"},
    {NNADAPTER_RESIZE_LINEAR, "AKXVOCTMNE"},
    {NNADAPTER_ROI_ALIGN, "AXC"},
    {NNADAPTER_ROLL, "A"},
    {NNADAPTER_RSQRT, "A"},
    {NNADAPTER_SHAPE, "AXOCT"},
    {NNADAPTER_SIGMOID, "AKXVOCTMNLRE"},
    {NNADAPTER_SIN, "AV"},
    {NNADAPTER_SLICE, "AKXVOCT"},
    {NNADAPTER_SOFTMAX, "AKXVOCTMNLRIG"},
    {NNADAPTER_SOFTPLUS, "AKXVO"},
    {NNADAPTER_SPLIT, "AKXVOCTME"},
    {NNADAPTER_SQUARE, "AKXV"},
    {NNADAPTER_SQUEEZE, "AKXVOCT"},
    {NNADAPTER_STACK, "AXVOT"},
    {NNADAPTER_SUB, "AKXVOCTMNLRIEG"},
    {NNADAPTER_SUM, "AXV"},
    {NNADAPTER_SWISH, "AKXVOT"},
    {NNADAPTER_TANH, "AKXVOCTMNLRE"},
    {NNADAPTER_TILE, "AKX"},
    {NNADAPTER_TOP_K, "AKXC"},
    {NNADAPTER_TRANSPOSE, "AKXVOCTMNLRE"},
    {NNADAPTER_UNSQUEEZE, "AKXVOCTMNLRE"},
    {NNADAPTER_UNSTACK, "V"},
    {NNADAPTER_WHERE, "AKXV"},
    {NNADAPTER_XOR, "K"},
    {NNADAPTER_NON_MAX_SUPPRESSION, "OC"},
    {NNADAPTER_YOLO_BOX, "OCT"},
};

// Those whose drivers' passes turn it into another one that they convert, in the right place.
constexpr char kFuseBatchNorm[] = "ILMR";
constexpr char kFuseMatMul[] = "CELMR";
constexpr char kReplaceAdaptivePool[] = "V";

char LetterOf(const std::string& device) {
  for (const auto& known : kDevices)
    if (device == known.name) return known.letter;
  return '\0';
}

bool Converts(char device, NNAdapterOperationType operation) {
  for (const auto& row : kConverted)
    if (row.operation == operation) return std::strchr(row.devices, device) != nullptr;
  return false;
}

// Who writes and who reads each operand of a model.
struct Uses {
  explicit Uses(const core::Model& model) {
    for (const core::Operation& operation : model.operations) {
      for (const core::Operand* operand : operation.input_operands)
        if (operand) readers[operand].push_back(&operation);
      for (const core::Operand* operand : operation.output_operands)
        if (operand) writer[operand] = &operation;
    }
    for (const core::Operand* operand : model.output_operands) readers[operand].push_back(nullptr);
  }
  // The only operation that reads an operand; null where others, or the caller, do.
  const core::Operation* OnlyReader(const core::Operand* operand) const {
    const auto found = readers.find(operand);
    return found != readers.end() && found->second.size() == 1 ? found->second[0] : nullptr;
  }
  std::unordered_map<const core::Operand*, std::vector<const core::Operation*>> readers;
  std::unordered_map<const core::Operand*, const core::Operation*> writer;
};

const core::Operand* InputOf(const core::Operation& operation, size_t index) {
  return index < operation.input_operands.size() ? operation.input_operands[index] : nullptr;
}

bool FollowsConvolution(const core::Operation& operation, const Uses& uses) {
  const core::Operand* input = InputOf(operation, 0);
  const auto found = uses.writer.find(input);
  return found != uses.writer.end() && found->second->type == NNADAPTER_CONV_2D &&
         uses.OnlyReader(input) == &operation;
}

// A matrix that is known, and an addition of what is known behind it.
bool BecomesFullyConnected(const core::Operation& operation, const Uses& uses) {
  const core::Operand* matrix = InputOf(operation, 1);
  if (!matrix || !IsConstant(*matrix) || matrix->type.dimensions.count != 2) return false;
  const core::Operation* next =
      operation.output_operands.empty() ? nullptr : uses.OnlyReader(operation.output_operands[0]);
  if (!next || next->type != NNADAPTER_ADD) return false;
  const core::Operand *a = InputOf(*next, 0), *b = InputOf(*next, 1);
  return (a && IsConstant(*a)) || (b && IsConstant(*b));
}

// Each result covers as many rows and columns of the input.
bool DividesEvenly(const core::Operation& operation) {
  const core::Operand* input = InputOf(operation, 0);
  if (!input || operation.output_operands.empty() || !operation.output_operands[0]) return false;
  const NNAdapterOperandDimensionType& from = input->type.dimensions;
  const NNAdapterOperandDimensionType& to = operation.output_operands[0]->type.dimensions;
  if (from.count != 4 || to.count != 4) return false;
  for (int axis : {2, 3})
    if (from.data[axis] <= 0 || to.data[axis] <= 0 || from.data[axis] % to.data[axis] != 0)
      return false;
  return true;
}

bool Replaces(char device, const core::Operation& operation, const Uses& uses) {
  switch (operation.type) {
    case NNADAPTER_BATCH_NORMALIZATION:
      return std::strchr(kFuseBatchNorm, device) && FollowsConvolution(operation, uses);
    case NNADAPTER_MAT_MUL:
      return std::strchr(kFuseMatMul, device) && BecomesFullyConnected(operation, uses);
    case NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D:
    case NNADAPTER_ADAPTIVE_MAX_POOL_2D:
      return std::strchr(kReplaceAdaptivePool, device) && DividesEvenly(operation);
    default:
      return false;
  }
}

}  // namespace

bool IsKnownDevice(const std::string& name) { return LetterOf(name) != '\0'; }

std::vector<bool> KnownDeviceTakes(const std::string& name, const core::Model& model) {
  const char device = LetterOf(name);
  const Uses uses(model);
  std::vector<bool> takes;
  for (const core::Operation& operation : model.operations)
    takes.push_back(Converts(device, operation.type) || Replaces(device, operation, uses));
  return takes;
}

}  // namespace nnadapter::runtime
