#include "lite/nnadapter/driver/builtin_device/support.h"

#include <optional>

#include "lite/core/base/errors.h"
#include "lite/core/infer_op.h"
#include "lite/nnadapter/driver/builtin_device/lowering.h"
#include "lite/nnadapter/runtime/error.h"

namespace nnadapter::builtin_device {
namespace {

// By value; nothing where a dimension is not known.
using Metas = std::vector<std::optional<lite::TensorMeta>>;

std::optional<lite::TensorMeta> MetaOf(const GraphBuilder::Feed& feed) {
  const NNAdapterOperandType& type = feed.operand->type;
  lite::TensorMeta meta;
  const bool real = feed.real && runtime::IsQuantized(type.precision);
  meta.dtype = real ? lite::DataType::kFP32 : StorageType(type.precision);
  for (uint32_t i = 0; i < type.dimensions.count; ++i) {
    if (type.dimensions.data[i] == NNADAPTER_UNKNOWN) return std::nullopt;
    meta.dims.push_back(type.dimensions.data[i]);
  }
  return meta;
}

// Infers one CPU operator where its inputs are known; throws LiteError where it refuses them.
void Infer(const lite::Graph& graph, const lite::OpLite& op, Metas* metas) {
  const auto outputs = lite::InferOutputs(op, [&](size_t s, size_t i) {
    const auto at = static_cast<size_t>(op.inputs()[s][i]);
    const std::optional<lite::TensorMeta>& meta = (*metas)[at];
    return lite::KnownInput{meta ? &*meta : nullptr, graph.values[at].constant.get()};
  });
  if (!outputs) return;
  for (size_t s = 0; s < op.outputs().size(); ++s)
    for (size_t i = 0; i < op.outputs()[s].size(); ++i)
      (*metas)[static_cast<size_t>(op.outputs()[s][i])] = (*outputs)[s][i];
}

}  // namespace

std::string RefusalOf(const core::Operation& operation) {
  try {
    for (const core::Operand* output : operation.output_operands)
      if (output != nullptr) StorageType(output->type.precision);
    GraphBuilder builder;
    builder.Lower(operation);
    const lite::Graph& graph = builder.graph();
    Metas metas(graph.values.size());
    for (size_t i = 0; i < metas.size(); ++i)
      if (graph.values[i].constant != nullptr) metas[i] = graph.values[i].constant->meta();
    for (const auto& [value, feed] : builder.feeds())
      metas[static_cast<size_t>(value)] = MetaOf(feed);
    for (const lite::OpLite& op : graph.ops)
      if (!op.info().data_dependent()) Infer(graph, op, &metas);
  } catch (const runtime::Error& error) {
    return error.what();
  } catch (const lite::LiteError& error) {
    return error.what();
  }
  return "";
}

}  // namespace nnadapter::builtin_device
