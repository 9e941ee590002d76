// NCHW to NHWC, for drivers of NPUs whose pictures have their channels last.
#include <map>
#include <set>

#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/hal.h"

namespace nnadapter {
namespace {

using Permutation = std::vector<int32_t>;

const Permutation kToNhwc{0, 2, 3, 1}, kToNchw{0, 3, 1, 2};
// [C_out, 1, H, W] of a depthwise convolution, [C_in, C_out, H, W] of a transposed one.
const Permutation kFirstAxisLast{1, 2, 3, 0};

size_t RankOf(const core::Operand* operand) { return operand->type.dimensions.count; }

// A picture of one pixel or one channel has its elements in the same order in both layouts.
bool IsSameInBoth(const core::Operand* operand) {
  const std::vector<int32_t> dims = hal::Dims(operand->type);
  return dims.size() == 4 && (dims[1] == 1 || (dims[2] == 1 && dims[3] == 1));
}

class Converter {
 public:
  explicit Converter(core::Model* model) : model_(model), graph_(model) {}

  void Run() {
    const std::vector<core::Operation*> operations = SortOperationsInTopologicalOrder(model_);
    if (operations.size() != model_->operations.size())
      throw hal::InvalidParameter("operations that read what nothing computes");
    for (core::Operation* operation : operations) Convert(operation);
    for (core::Operand* output : model_->output_operands) MakeNchw(output, nullptr);
  }

 private:
  // What an operation is where its input has its channels last.
  using Rewrite = bool (Converter::*)(core::Operation*);

  void Convert(core::Operation* operation) {
    const auto found = Rewrites().find(operation->type);
    if (found != Rewrites().end() && (this->*found->second)(operation)) return;
    for (core::Operand* input : operation->input_operands) MakeNchw(input, operation);
  }

  static const std::map<NNAdapterOperationType, Rewrite>& Rewrites();

  // Computed with its channels last, and not yet in NCHW.
  bool IsNhwc(const core::Operand* operand) const { return operand && pending_.count(operand); }

  // Computes an operand in NCHW, before `reader` (or at the end), if it is not yet.
  void MakeNchw(core::Operand* operand, core::Operation* reader) {
    if (!operand || !pending_.erase(operand)) return;
    AddTranspose(twins_.at({operand, kToNhwc}), operand, kToNchw, reader);
  }

  void AddTranspose(core::Operand* from, core::Operand* to, const Permutation& permutation,
                    core::Operation* before) {
    core::Operand* perm = AddInts(permutation);
    graph_.AddOperation(NNADAPTER_TRANSPOSE, {from, perm}, {to}, before);
  }

  core::Operand* AddInts(const std::vector<int32_t>& values) {
    const auto type = hal::Graph::Type(NNADAPTER_INT32, {static_cast<int32_t>(values.size())});
    return graph_.AddConstant(type, values.data());
  }

  // Turns an operand that was added for it.
  core::Operand* Turn(core::Operand* made, const Permutation& permutation) {
    TransposeOperand(made, permutation);
    made->type.layout = NNADAPTER_NHWC;
    if (hal::IsSymmPerChannel(made->type.precision)) {
      uint32_t* axis = &made->type.symm_per_channel_params.channel_dim;
      *axis = static_cast<uint32_t>(TransposeAxis(static_cast<int32_t>(*axis), permutation));
    }
    return made;
  }

  // An operand of the given model in another order of its axes; constants are moved now.
  core::Operand* Turned(core::Operand* operand, const Permutation& permutation,
                        core::Operation* reader) {
    core::Operand*& twin = twins_[{operand, permutation}];
    if (twin) return twin;
    if (hal::IsConstant(*operand))
      return twin = Turn(graph_.AddConstant(operand->type, operand->buffer), permutation);
    MakeNchw(operand, reader);
    twin = Turn(graph_.AddTemporary(operand->type), permutation);
    AddTranspose(operand, twin, permutation, reader);
    return twin;
  }

  void SetNhwcInput(core::Operation* operation, size_t position) {
    core::Operand* input = operation->input_operands[position];
    graph_.SetInput(operation, position, Turned(input, kToNhwc, operation));
  }

  // Its pictures have their channels last; what else it gives stays.
  void SetNhwcOutputs(core::Operation* operation) {
    for (size_t i = 0; i < operation->output_operands.size(); ++i) {
      core::Operand* output = operation->output_operands[i];
      if (!output || RankOf(output) != 4) continue;
      core::Operand* twin = Turn(graph_.AddTemporary(output->type), kToNhwc);
      twins_[{output, kToNhwc}] = twin;
      pending_.insert(output);
      graph_.SetOutput(operation, i, twin);
    }
  }

  // Pooling, resizing, normalisation: drivers take them with the channels last, whatever they read.
  bool Picture(core::Operation* operation) {
    if (RankOf(&hal::Input(*operation, 0)) != 4) return false;
    SetNhwcInput(operation, 0);
    SetNhwcOutputs(operation);
    return true;
  }

  bool Convolution(core::Operation* operation) {
    // The operands stand in the same places in both convolutions.
    core::Operand* filter = &hal::Input(*operation, hal::Conv2D::kFilter);
    if (RankOf(&hal::Input(*operation, 0)) != 4 || RankOf(filter) != 4) return false;
    const bool is_depthwise = hal::Scalar<int32_t>(*operation, hal::Conv2D::kGroup) > 1 &&
                              hal::Dims(filter->type)[1] == 1;
    const bool is_ordinary = operation->type == NNADAPTER_CONV_2D && !is_depthwise;
    graph_.SetInput(operation, hal::Conv2D::kFilter,
                    Turned(filter, is_ordinary ? kToNhwc : kFirstAxisLast, operation));
    return Picture(operation);
  }

  // One input, one output of its shape.
  bool Elementwise(core::Operation* operation) {
    return IsNhwc(&hal::Input(*operation, 0)) &&
           !hal::IsSymmPerChannel(hal::Output(*operation).type.precision) && Picture(operation);
  }

  // What has fewer dimensions than the picture is broadcast: a constant gets those of 1.
  bool Binary(core::Operation* operation) {
    if (RankOf(&hal::Output(*operation)) != 4) return false;
    bool is_wanted = false;
    for (const int position : {0, 1}) {
      const core::Operand& input = hal::Input(*operation, position);
      is_wanted = is_wanted || IsNhwc(&input);
      if (RankOf(&input) != 4 && !hal::IsConstant(input)) return false;
    }
    if (!is_wanted) return false;
    for (const size_t position : {0, 1}) {
      core::Operand* input = operation->input_operands[position];
      if (RankOf(input) < 4) {
        if (hal::ElementCount(input->type) == 1) continue;
        NNAdapterOperandType type = input->type;
        std::vector<int32_t> dims = hal::Dims(type);
        dims.insert(dims.begin(), 4 - dims.size(), 1);
        hal::SetDims(&type, dims);
        graph_.SetInput(operation, position,
                        Turn(graph_.AddConstant(type, input->buffer), kToNhwc));
      } else {
        SetNhwcInput(operation, position);
      }
    }
    SetNhwcOutputs(operation);
    return true;
  }

  // Where axes are once the channels are last.
  static std::vector<int32_t> Moved(std::vector<int32_t> axes) {
    for (int32_t& axis : axes) axis = TransposeAxis(axis, kToNhwc);
    return axes;
  }

  // The axes at `position` are those of the first input.
  bool MoveAxes(core::Operation* operation, int position) {
    const core::Operand* axes = hal::InputOrNull(*operation, position);
    if (!IsNhwc(&hal::Input(*operation, 0)) || !axes || !hal::IsConstant(*axes)) return false;
    graph_.SetInput(operation, static_cast<size_t>(position),
                    AddInts(Moved(hal::Values<int32_t>(*axes))));
    SetNhwcInput(operation, 0);
    return true;
  }

  bool Along(core::Operation* operation) {  // SOFTMAX, SPLIT, SLICE
    if (!MoveAxes(operation, hal::Softmax::kAxis)) return false;
    SetNhwcOutputs(operation);
    return true;
  }

  bool Concat(core::Operation* operation) {
    const size_t count = operation->input_operands.size() - 1;
    bool is_wanted = false;
    for (size_t i = 0; i < count; ++i)
      is_wanted = is_wanted || IsNhwc(operation->input_operands[i]);
    if (!is_wanted) return false;
    for (size_t i = 0; i < count; ++i) SetNhwcInput(operation, i);
    const core::Operand* axis = operation->input_operands[count];
    graph_.SetInput(operation, count, AddInts(Moved(hal::Values<int32_t>(*axis))));
    SetNhwcOutputs(operation);
    return true;
  }

  // What is left of the axes keeps its order, or is a picture still.
  bool Reduce(core::Operation* operation) {
    const core::Operand* given = hal::InputOrNull(*operation, hal::ReduceMean::kAxes);
    if (!given || !hal::IsConstant(*given)) return false;
    std::set<int32_t> axes;
    for (const int32_t axis : hal::Values<int32_t>(*given)) axes.insert(axis < 0 ? axis + 4 : axis);
    const bool keeps = hal::ScalarOr<bool>(*operation, hal::ReduceMean::kKeepdim, true);
    if (!keeps && !axes.count(1) && !(axes.count(2) && axes.count(3))) return false;
    if (!MoveAxes(operation, hal::ReduceMean::kAxes)) return false;
    if (keeps) SetNhwcOutputs(operation);
    return true;
  }

  bool Pad(core::Operation* operation) {
    const core::Operand* given = hal::InputOrNull(*operation, hal::Pad::kPads);
    if (!IsNhwc(&hal::Input(*operation, 0)) || !hal::IsConstant(*given)) return false;
    const auto pads = hal::Values<int32_t>(*given);
    if (pads.size() != 8) return false;
    std::vector<int32_t> moved;
    for (const int32_t axis : kToNhwc)
      moved.insert(moved.end(), {pads[2 * axis], pads[2 * axis + 1]});
    graph_.SetInput(operation, hal::Pad::kPads, AddInts(moved));
    return Picture(operation);
  }

  bool Transpose(core::Operation* operation) {  // its result is in the order that it says
    return MoveAxes(operation, hal::Transpose::kPerm);
  }

  // RESHAPE and its like, where the order of the elements is that of NCHW.
  bool Reshape(core::Operation* operation) {
    core::Operand* input = &hal::Input(*operation, 0);
    core::Operand* output = &hal::Output(*operation);
    if (!IsNhwc(input) || !IsSameInBoth(input) || hal::HasUnknownDims(output->type)) return false;
    operation->type = NNADAPTER_RESHAPE;
    for (size_t i = 2; i < operation->input_operands.size(); ++i)
      graph_.SetInput(operation, i, nullptr);
    graph_.SetInput(operation, hal::Reshape::kShape, AddInts(hal::Dims(output->type)));
    operation->input_operands.resize(2);
    SetNhwcInput(operation, 0);
    return true;
  }

  bool FullyConnected(core::Operation* operation) {
    core::Operand* input = &hal::Input(*operation, 0);
    if (!IsNhwc(input) || !IsSameInBoth(input)) return false;
    SetNhwcInput(operation, 0);
    return true;
  }

  core::Model* model_;
  hal::Graph graph_;
  std::map<std::pair<const core::Operand*, Permutation>, core::Operand*> twins_;
  std::set<const core::Operand*> pending_;
};

const std::map<NNAdapterOperationType, Converter::Rewrite>& Converter::Rewrites() {
  static const std::map<NNAdapterOperationType, Rewrite> rewrites = [] {
    const std::pair<Rewrite, std::vector<NNAdapterOperationType>> rows[] = {
        {&Converter::Convolution, {NNADAPTER_CONV_2D, NNADAPTER_CONV_2D_TRANSPOSE}},
        {&Converter::Picture,
         {NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D, NNADAPTER_ADAPTIVE_MAX_POOL_2D,
          NNADAPTER_AVERAGE_POOL_2D, NNADAPTER_MAX_POOL_2D, NNADAPTER_BATCH_NORMALIZATION,
          NNADAPTER_INSTANCE_NORMALIZATION, NNADAPTER_CHANNEL_SHUFFLE, NNADAPTER_PRELU,
          NNADAPTER_RESIZE_LINEAR, NNADAPTER_RESIZE_NEAREST}},
        {&Converter::Elementwise,
         {NNADAPTER_ABS,      NNADAPTER_ASSIGN,       NNADAPTER_CAST,       NNADAPTER_CLIP,
          NNADAPTER_COS,      NNADAPTER_DEQUANTIZE,   NNADAPTER_EXP,        NNADAPTER_FLOOR,
          NNADAPTER_GELU,     NNADAPTER_HARD_SIGMOID, NNADAPTER_HARD_SWISH, NNADAPTER_LEAKY_RELU,
          NNADAPTER_LOG,      NNADAPTER_NOT,          NNADAPTER_QUANTIZE,   NNADAPTER_RELU,
          NNADAPTER_RELU6,    NNADAPTER_RSQRT,        NNADAPTER_SIGMOID,    NNADAPTER_SIN,
          NNADAPTER_SOFTPLUS, NNADAPTER_SQUARE,       NNADAPTER_SWISH,      NNADAPTER_TANH}},
        {&Converter::Binary,
         {NNADAPTER_ADD, NNADAPTER_AND, NNADAPTER_DIV, NNADAPTER_EQUAL, NNADAPTER_FLOOR_DIV,
          NNADAPTER_GREATER, NNADAPTER_GREATER_EQUAL, NNADAPTER_LESS, NNADAPTER_LESS_EQUAL,
          NNADAPTER_MAX, NNADAPTER_MIN, NNADAPTER_MUL, NNADAPTER_NOT_EQUAL, NNADAPTER_OR,
          NNADAPTER_POW, NNADAPTER_SUB, NNADAPTER_XOR}},
        {&Converter::Along,
         {NNADAPTER_LOG_SOFTMAX, NNADAPTER_SLICE, NNADAPTER_SOFTMAX, NNADAPTER_SPLIT}},
        {&Converter::Concat, {NNADAPTER_CONCAT}},
        {&Converter::Reduce,
         {NNADAPTER_ARG_MAX, NNADAPTER_ARG_MIN, NNADAPTER_REDUCE_MAX, NNADAPTER_REDUCE_MEAN,
          NNADAPTER_REDUCE_SUM}},
        {&Converter::Pad, {NNADAPTER_PAD}},
        {&Converter::Transpose, {NNADAPTER_TRANSPOSE}},
        {&Converter::Reshape, {NNADAPTER_FLATTEN, NNADAPTER_RESHAPE, NNADAPTER_SQUEEZE}},
        {&Converter::FullyConnected, {NNADAPTER_FULLY_CONNECTED}},
    };
    std::map<NNAdapterOperationType, Rewrite> found;
    for (const auto& [rewrite, types] : rows)
      for (const NNAdapterOperationType type : types) found[type] = rewrite;
    return found;
  }();
  return rewrites;
}

}  // namespace

void ConvertDataLayoutNCHWToNHWC(core::Model* model) { Converter(model).Run(); }

}  // namespace nnadapter
