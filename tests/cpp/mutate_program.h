// Changes what a program says and leaves its file sound: attributes, slots, operators, parameters.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "lite/core/naive_buffer.h"
#include "tests/cpp/mutate.h"

namespace paddle::lite::testing {

class ProgramMutator {
 public:
  // `other` lends operators' types and attributes.
  ProgramMutator(NaiveBufferModel* model, const NaiveBufferModel& other, Random* random)
      : model_(*model), other_(other), random_(*random) {}

  void Mutate() {
    for (size_t i = 1 + random_.Below(3); i > 0; --i) Change();
  }

 private:
  template <typename T>
  T& Pick(std::vector<T>& from) {
    return from[random_.Below(from.size())];
  }
  template <typename Map>
  auto PickOf(Map& from) {
    return std::next(from.begin(), static_cast<std::ptrdiff_t>(random_.Below(from.size())));
  }

  void Change() {
    BlockDesc& block = Pick(model_.program.blocks);
    if (block.ops.empty()) return;
    // Feed and fetch seldom: what goes wrong with them is found at once.
    OpDesc* op = &Pick(block.ops);
    if (op->type == "feed" || op->type == "fetch") op = &Pick(block.ops);
    switch (random_.Below(12)) {
      case 0:
        return ChangeSlots(&op->inputs, block);
      case 1:
        return ChangeSlots(&op->outputs, block);
      case 2:
        if (!block.vars.empty()) ChangeVar(&Pick(block.vars));
        return;
      case 3:
        return ChangeOps(&block, op);
      case 4:
      case 5:
        return ChangeParam();
      case 6:
        if (!op->attrs.empty()) op->attrs.erase(PickOf(op->attrs));
        return;
      default:
        if (!op->attrs.empty()) ChangeAttr(&PickOf(op->attrs)->second);
    }
  }

  template <typename T>
  T Number(T old) {
    if constexpr (std::is_floating_point_v<T>) {
      static constexpr T kValues[] = {0, -1, 1, T(0.5), T(-1e30), T(1e30)};
      if (random_.Below(8) == 0) return std::numeric_limits<T>::quiet_NaN();
      if (random_.Below(8) == 0) return std::numeric_limits<T>::infinity();
      return random_.Below(4) == 0 ? old * 2 : kValues[random_.Below(std::size(kValues))];
    } else {
      switch (random_.Below(8)) {
        case 0:
          return std::numeric_limits<T>::max();
        case 1:
          return std::numeric_limits<T>::min();
        case 2:
          return static_cast<T>(T{1} << random_.Below(8 * sizeof(T) - 1));
        case 3:
          return static_cast<T>(static_cast<uint64_t>(old) + 1);
        case 4:
          return static_cast<T>(static_cast<uint64_t>(old) - 1);
        default:
          return static_cast<T>(static_cast<int64_t>(random_.Below(12)) - 4);
      }
    }
  }

  void ChangeAttr(Attribute* attr) {
    if (random_.Below(8) == 0) {  // another one's value, of any type
      for (const BlockDesc& block : other_.program.blocks)
        for (const OpDesc& op : block.ops)
          if (!op.attrs.empty() && random_.Below(3) == 0) {
            *attr = PickOf(op.attrs)->second;
            return;
          }
    }
    std::visit([&](auto& value) { ChangeValue(&value); }, *attr);
  }
  void ChangeValue(std::monostate*) {}
  void ChangeValue(bool* value) { *value = !*value; }
  void ChangeValue(std::string* value) {
    static const std::vector<std::string> kTexts = {
        "",     "NCHW",     "NHWC",    "SAME", "VALID",     "max",
        "relu", "EXPLICIT", "nearest", "tanh", "AnyLayout", "upscale_in_train"};
    *value = kTexts[random_.Below(kTexts.size())];
  }
  template <typename T>
  std::enable_if_t<std::is_arithmetic_v<T>> ChangeValue(T* value) {
    *value = Number(*value);
  }
  template <typename T>
  void ChangeValue(std::vector<T>* list) {
    const size_t choice = random_.Below(6);
    if (list->empty() || choice == 0) {
      list->resize(list->size() + 1 + random_.Below(2));
    } else if (choice == 1) {
      list->pop_back();
    } else if (choice == 2) {
      list->clear();
    } else if constexpr (std::is_same_v<T, bool>) {
      list->flip();
    } else {
      ChangeValue(&Pick(*list));
    }
  }

  using Slots = std::map<std::string, std::vector<std::string>>;
  void ChangeSlots(Slots* slots, const BlockDesc& block) {
    if (slots->empty()) return;
    const auto at = PickOf(*slots);
    std::vector<std::string>& names = at->second;
    switch (random_.Below(5)) {
      case 0:
        slots->erase(at);
        break;
      case 1:
        if (!names.empty()) names.pop_back();
        break;
      case 2:
        if (!names.empty()) names.push_back(names[0]);
        break;
      default:
        if (names.empty() || block.vars.empty()) break;
        Pick(names) = block.vars[random_.Below(block.vars.size())].name;
    }
  }

  void ChangeVar(VarDesc* var) {
    static constexpr int kTypes[] = {0, 1, 2, 3, 4, 5, 6, 19, 20, 21, 22, -1};
    switch (random_.Below(4)) {
      case 0:
        var->data_type = kTypes[random_.Below(std::size(kTypes))];
        break;
      case 1:
        var->type = static_cast<int>(random_.Below(20));
        break;
      default:
        ChangeValue(&var->dims);
    }
  }

  void ChangeOps(BlockDesc* block, OpDesc* op) {
    const OpDesc copy = *op;
    switch (random_.Below(4)) {
      case 0:
        block->ops.push_back(copy);
        break;
      case 1:
        block->ops.insert(block->ops.begin(), copy);
        break;
      case 2:
        block->ops.erase(block->ops.begin() + (op - block->ops.data()));
        break;
      default:
        for (const OpDesc& other : other_.program.blocks[0].ops)
          if (other.type != "feed" && other.type != "fetch") op->type = other.type;
    }
  }

  // Another shape, type or content, each with data of the right size.
  void ChangeParam() {
    if (model_.params.empty()) return;
    Tensor& param = PickOf(model_.params)->second;
    std::vector<int64_t> dims = param.dims().Vectorize();
    DataType type = param.dtype();
    switch (random_.Below(4)) {
      case 0: {
        static constexpr DataType kTypes[] = {DataType::kBool,  DataType::kInt32, DataType::kInt64,
                                              DataType::kFP16,  DataType::kFP32,  DataType::kFP64,
                                              DataType::kUInt8, DataType::kInt8,  DataType::kInt16};
        type = kTypes[random_.Below(std::size(kTypes))];
        break;
      }
      case 1:
        if (!dims.empty()) Pick(dims) = static_cast<int64_t>(random_.Below(6));
        break;
      case 2:
        if (!dims.empty() && random_.Below(2) == 0)
          dims.pop_back();
        else
          dims.insert(dims.begin(), 1);
        break;
      default:
        break;
    }
    if (dims.size() > DDim::kMaxRank) return;
    Tensor changed;
    changed.Allocate(DDim(dims), type);
    FillParam(&changed);
    param = changed;
  }

  // Few values, so that indices and offsets are sometimes right, sometimes far off.
  void FillParam(Tensor* tensor) {
    const size_t count = static_cast<size_t>(tensor->numel()), width = SizeOf(tensor->dtype());
    auto* bytes = static_cast<uint8_t*>(tensor->raw_data());
    for (size_t i = 0; i < count; ++i) {
      int64_t value = static_cast<int64_t>(random_.Below(4)) - (random_.Below(16) == 0 ? 9 : 0);
      if (tensor->dtype() == DataType::kBool) value = static_cast<int64_t>(random_.Below(2));
      if (random_.Below(64) == 0 && width == 8) value = int64_t{1} << 62;
      if (tensor->dtype() == DataType::kFP32) {
        const float number = static_cast<float>(value);
        std::memcpy(bytes + i * width, &number, width);
      } else {
        std::memcpy(bytes + i * width, &value, width);
      }
    }
  }

  NaiveBufferModel& model_;
  const NaiveBufferModel& other_;
  Random& random_;
};

}  // namespace paddle::lite::testing
