// `subgraph`: a block that NNAdapter devices run. Its slots list all variables of the block,
// weights and intermediate results too; the attributes say which of them are read and wanted.
#include "lite/core/infer_context.h"
#include "lite/core/op_registry.h"
#include "lite/kernels/nnadapter/engine.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

void InferSubgraph(InferContext&) { throw NeedsData(); }

std::shared_ptr<BlockOp> MakeEngine(const BlockOpSource& source) {
  return std::make_shared<Engine>(source);
}

REGISTER_LITE_OP(subgraph)
    .Inputs("Inputs")
    .Outputs("Outputs")
    .RequiredAttr<int32_t>("sub_block")
    .RequiredAttr<std::vector<std::string>>("input_data_names")
    .RequiredAttr<std::vector<std::string>>("output_data_names")
    .InferShape(InferSubgraph)
    .DataDependent();

[[maybe_unused]] const bool registered =
    RegisterBlockOp("subgraph", {&MakeEngine, /*wants_session=*/true});

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
