// A model that owns all it refers to: a copy of one, or one read back from bytes.
#pragma once

#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "nnadapter/hal/archive.h"
#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {

class ModelCopy {
 public:
  ModelCopy() = default;
  explicit ModelCopy(const core::Model& from) {
    std::unordered_map<const core::Operand*, core::Operand*> copies{{nullptr, nullptr}};
    for (const core::Operand& operand : from.operands)
      copies[&operand] = Add(operand.type, operand.buffer, operand.length, ShapeHint(operand));
    const auto translate = [&](const std::vector<core::Operand*>& operands) {
      std::vector<core::Operand*> result;
      for (const core::Operand* operand : operands) result.push_back(copies.at(operand));
      return result;
    };
    for (const core::Operation& operation : from.operations) {
      model_.operations.push_back({operation.type, translate(operation.input_operands),
                                   translate(operation.output_operands)});
    }
    model_.input_operands = translate(from.input_operands);
    model_.output_operands = translate(from.output_operands);
  }

  // What Save wrote; InvalidParameter where it is damaged.
  static ModelCopy Load(const std::vector<uint8_t>& bytes) {
    Reader reader(bytes);
    if (reader.GetText() != kMagic) throw InvalidParameter("not a model of this version");
    ModelCopy copy;
    std::vector<core::Operand*> operands;
    const uint64_t count = reader.Get<uint64_t>();
    for (uint64_t i = 0; i < count; ++i) operands.push_back(copy.ReadOperand(&reader));
    const auto translate = [&](const std::vector<int32_t>& indexes) {
      std::vector<core::Operand*> result;
      for (int32_t index : indexes) {
        if (index < -1 || index >= static_cast<int32_t>(operands.size()))
          throw InvalidParameter(Text("operand ", index, " of ", operands.size()));
        result.push_back(index < 0 ? nullptr : operands[index]);
      }
      return result;
    };
    const uint64_t operations = reader.Get<uint64_t>();
    for (uint64_t i = 0; i < operations; ++i) {
      const int32_t type = reader.Get<int32_t>();
      std::vector<core::Operand*> inputs = translate(reader.GetArray<int32_t>());
      std::vector<core::Operand*> outputs = translate(reader.GetArray<int32_t>());
      copy.model_.operations.push_back({type, std::move(inputs), std::move(outputs)});
    }
    copy.model_.input_operands = translate(reader.GetArray<int32_t>());
    copy.model_.output_operands = translate(reader.GetArray<int32_t>());
    return copy;
  }

  std::vector<uint8_t> Save() const {
    Writer writer;
    writer.PutText(kMagic);
    writer.Put(static_cast<uint64_t>(model_.operands.size()));
    std::unordered_map<const core::Operand*, int32_t> indexes{{nullptr, -1}};
    for (const core::Operand& operand : model_.operands) {
      const int32_t index = static_cast<int32_t>(indexes.size()) - 1;
      indexes[&operand] = index;
      WriteOperand(operand, &writer);
    }
    const auto put = [&](const std::vector<core::Operand*>& operands) {
      std::vector<int32_t> result;
      for (const core::Operand* operand : operands) result.push_back(indexes.at(operand));
      writer.PutArray(result);
    };
    writer.Put(static_cast<uint64_t>(model_.operations.size()));
    for (const core::Operation& operation : model_.operations) {
      writer.Put(operation.type);
      put(operation.input_operands);
      put(operation.output_operands);
    }
    put(model_.input_operands);
    put(model_.output_operands);
    return writer.Take();
  }

  ~ModelCopy() {
    for (core::Operand& operand : model_.operands) ClearOperand(&operand);
  }
  // Moving keeps the addresses of operands.
  ModelCopy(ModelCopy&&) = default;
  ModelCopy& operator=(ModelCopy&&) = delete;

  core::Model& model() { return model_; }

  // Whether bytes are from Save.
  static bool Wrote(const std::vector<uint8_t>& bytes) {
    Writer start;
    start.PutText(kMagic);
    const std::vector<uint8_t> magic = start.Take();
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
  }

 private:
  static constexpr const char* kMagic = "nnadapter hal model 1";

  core::Operand* Add(const NNAdapterOperandType& type, const void* buffer, uint32_t length,
                     const NNAdapterOperandDimensionType* shape) {
    model_.operands.emplace_back();
    core::Operand* operand = &model_.operands.back();
    operand->type = type;
    OwnScales(&operand->type);
    if (IsConstant(*operand)) {
      operand->buffer = std::malloc(std::max<size_t>(length, 1));
      if (!operand->buffer) throw std::bad_alloc();
      if (length) std::memcpy(operand->buffer, buffer, length);
      operand->length = length;
      operand->type.lifetime = NNADAPTER_CONSTANT_COPY;
    } else if (shape) {
      void* copy = std::malloc(sizeof(*shape));
      if (!copy) throw std::bad_alloc();
      std::memcpy(copy, shape, sizeof(*shape));
      operand->hints[NNADAPTER_HINT_TEMPORARY_SHAPE].handler = copy;
      operand->hints[NNADAPTER_HINT_TEMPORARY_SHAPE].deleter = [](void** handler) {
        std::free(*handler);
        *handler = nullptr;
      };
    }
    return operand;
  }

  static void WriteOperand(const core::Operand& operand, Writer* writer) {
    NNAdapterOperandType type = operand.type;
    std::vector<float> scales;
    if (IsSymmPerChannel(type.precision)) {
      const auto& params = type.symm_per_channel_params;
      if (params.scales) scales.assign(params.scales, params.scales + params.scale_count);
      type.symm_per_channel_params.scales = nullptr;
    }
    writer->Put(type);
    writer->PutArray(scales);
    writer->PutArray(static_cast<const uint8_t*>(operand.buffer), operand.length);
    const NNAdapterOperandDimensionType* shape = ShapeHint(operand);
    writer->PutArray(shape, shape ? 1 : 0);
  }

  core::Operand* ReadOperand(Reader* reader) {
    NNAdapterOperandType type = reader->Get<NNAdapterOperandType>();
    const std::vector<float> scales = reader->GetArray<float>();
    const std::vector<uint8_t> buffer = reader->GetArray<uint8_t>();
    const auto shape = reader->GetArray<NNAdapterOperandDimensionType>();
    int32_t codes[3];  // as enumerations they may not be looked at before they are checked
    std::memcpy(codes, &type, sizeof(codes));
    if (codes[0] < NNADAPTER_BOOL8 || codes[0] > NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER ||
        codes[1] < NNADAPTER_NCHW || codes[1] > NNADAPTER_HWNC ||
        codes[2] < NNADAPTER_TEMPORARY_VARIABLE || codes[2] > NNADAPTER_MODEL_OUTPUT)
      throw InvalidParameter("a cached model with an operand of unknown type");
    if (type.dimensions.count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS ||
        type.dimensions.dynamic_count > NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS ||
        (!shape.empty() && shape[0].count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) ||
        buffer.size() > UINT32_MAX)
      throw InvalidParameter("a cached model with an operand of more than 8 dimensions");
    if (IsSymmPerChannel(type.precision)) {
      type.symm_per_channel_params.scales = scales.data();
      type.symm_per_channel_params.scale_count = static_cast<uint32_t>(scales.size());
    }
    return Add(type, buffer.data(), static_cast<uint32_t>(buffer.size()),
               shape.empty() ? nullptr : &shape[0]);
  }

  core::Model model_;
};

}  // namespace hal
}  // namespace nnadapter
