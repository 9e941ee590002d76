#include "lite/kernels/nnadapter/cpu_block.h"

#include <algorithm>
#include <set>

#include "lite/core/program_builder.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

OpDesc FeedOrFetch(const char* type, const std::string& var, size_t column) {
  const bool feed = std::string(type) == "feed";
  OpDesc op;
  op.type = type;
  op.inputs["X"] = {feed ? "feed" : var};
  op.outputs["Out"] = {feed ? var : "fetch"};
  op.attrs["col"] = static_cast<int32_t>(column);
  return op;
}

}  // namespace

CpuBlock::CpuBlock(const BlockSource& source, const std::vector<const Tensor*>& inputs)
    : source_(source) {
  ProgramDesc program;
  BlockDesc& block = program.blocks.emplace_back();
  ParamTable params;
  const std::set<size_t> data(source.data_inputs->begin(), source.data_inputs->end());
  for (size_t i = 0; i < source.data_inputs->size(); ++i)
    block.ops.push_back(FeedOrFetch("feed", (*source.input_names)[(*source.data_inputs)[i]], i));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (data.count(i) != 0) continue;
    Tensor& param = params[(*source.input_names)[i]];
    param.set_meta(inputs[i]->meta());
    param.Bind(const_cast<void*>(inputs[i]->raw_data()), inputs[i]->memory_size());
  }
  block.ops.insert(block.ops.end(), source.block->ops.begin(), source.block->ops.end());
  for (size_t i = 0; i < source.data_outputs->size(); ++i)
    block.ops.push_back(FeedOrFetch("fetch", (*source.output_names)[(*source.data_outputs)[i]], i));
  program_ =
      std::make_unique<RuntimeProgram>(BuildGraph(program, &params).graph, &scope_.NewScope());
}

std::vector<TensorMeta> CpuBlock::MetasOf(const std::vector<const Tensor*>& inputs) const {
  std::vector<TensorMeta> metas;
  for (const size_t i : *source_.data_inputs)
    metas.push_back({inputs[i]->dims(), inputs[i]->dtype(), {}});
  return metas;
}

bool CpuBlock::MayTake(const std::vector<const Tensor*>& inputs) const {
  return std::find(shapes_.begin(), shapes_.end(), MetasOf(inputs)) != shapes_.end();
}

void CpuBlock::Add(const std::vector<const Tensor*>& inputs) {
  shapes_.push_front(MetasOf(inputs));
  if (shapes_.size() > kMaxShapes) shapes_.pop_back();
}

bool CpuBlock::Run(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                   int threads) {
  std::vector<Tensor*> in;
  for (const size_t i : *source_.data_inputs) in.push_back(const_cast<Tensor*>(inputs[i]));
  std::vector<Tensor> results(source_.data_outputs->size());
  std::vector<Tensor*> out;
  for (Tensor& result : results) out.push_back(&result);
  program_->Run(in, out, threads);
  // The memory is the program's, which the next run writes.
  for (size_t i = 0; i < results.size(); ++i)
    outputs[(*source_.data_outputs)[i]]->CopyDataFrom(results[i]);
  return true;
}

}  // namespace paddle::lite::nnadapter_bridge
