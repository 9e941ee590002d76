// A ProgramDesc and its parameters as the bytes of a `.nb` file.
#pragma once

#include <string>
#include <vector>

#include "lite/core/naive_buffer.h"
#include "tests/cpp/nb_builder.h"

namespace paddle::lite::testing {

inline Ref EncodeAttr(const std::string& name, const Attribute& value) {
  return std::visit(
      [&](const auto& v) -> Ref {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>)
          return Attr(name, 6, {F(8, v)});
        else if constexpr (std::is_same_v<T, int32_t>)
          return Attr(name, 0, {F(2, v)});
        else if constexpr (std::is_same_v<T, int64_t>)
          return Attr(name, 9, {F(11, v)});
        else if constexpr (std::is_same_v<T, float>)
          return Attr(name, 1, {F(3, v)});
        else if constexpr (std::is_same_v<T, double>)
          return Attr(name, 15, {F(14, v)});
        else if constexpr (std::is_same_v<T, std::string>)
          return Attr(name, 2, {F(4, Str(v))});
        else if constexpr (std::is_same_v<T, std::vector<bool>>)
          return Attr(name, 7, {F(9, Scalars(std::vector<uint8_t>(v.begin(), v.end())))});
        else if constexpr (std::is_same_v<T, std::vector<int32_t>>)
          return Attr(name, 3, {F(5, Scalars(v))});
        else if constexpr (std::is_same_v<T, std::vector<int64_t>>)
          return Attr(name, 11, {F(13, Scalars(v))});
        else if constexpr (std::is_same_v<T, std::vector<float>>)
          return Attr(name, 4, {F(6, Scalars(v))});
        else if constexpr (std::is_same_v<T, std::vector<double>>)
          return Attr(name, 12, {F(15, Scalars(v))});
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return Attr(name, 5, {F(7, Strs(v))});
        else
          return Attr(name, 0, {});
      },
      value);
}

inline Ref EncodeOp(const OpDesc& op) {
  std::vector<Ref> inputs, outputs, attrs;
  for (const auto& [slot, names] : op.inputs) inputs.push_back(Slot(slot, names));
  for (const auto& [slot, names] : op.outputs) outputs.push_back(Slot(slot, names));
  for (const auto& [name, value] : op.attrs) attrs.push_back(EncodeAttr(name, value));
  return Op(op.type, inputs, outputs, attrs);
}

inline std::string Encode(const NaiveBufferModel& model) {
  std::vector<Ref> blocks, params;
  for (const BlockDesc& block : model.program.blocks) {
    std::vector<Ref> vars, ops;
    for (const VarDesc& var : block.vars)
      vars.push_back(Var(var.name, var.type, var.persistable, var.dims, var.data_type));
    for (const OpDesc& op : block.ops) ops.push_back(EncodeOp(op));
    blocks.push_back(Block(vars, ops));
  }
  for (const auto& [name, tensor] : model.params) {
    const auto* bytes = static_cast<const char*>(tensor.raw_data());
    params.push_back(Param(name, static_cast<int32_t>(tensor.dtype()), tensor.dims().Vectorize(),
                           std::vector<char>(bytes, bytes + tensor.memory_size())));
  }
  return FileMeta2(Program(blocks), params, true);
}

}  // namespace paddle::lite::testing
