#include "lite/kernels/nnadapter/support.h"

#include <memory>
#include <set>

#include "lite/core/base/errors.h"
#include "lite/kernels/nnadapter/block_shapes.h"
#include "lite/kernels/nnadapter/device_session.h"
#include "lite/kernels/nnadapter/model_builder.h"
#include "lite/kernels/nnadapter/operand_type.h"
#include "lite/kernels/nnadapter/value.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

using Reasons = std::map<int, std::string>;

template <typename Function>
void ForEachName(const std::map<std::string, std::vector<std::string>>& slots, Function&& visit) {
  for (const auto& entry : slots)
    for (const std::string& name : entry.second) visit(name);
}

class Checker {
 public:
  Checker(const SupportQuery& query, const DeviceSettings& settings)
      : query_(query),
        settings_(settings),
        block_(query.program->blocks.at(static_cast<size_t>(query.block))),
        shapes_(query.counted) {
    // A block inside another reads the outer one's variables.
    for (const BlockDesc& block : query.program->blocks)
      for (const VarDesc& var : block.vars) vars_.emplace(var.name, &var);
    for (const VarDesc& var : block_.vars) vars_[var.name] = &var;
    options_.op_versions = query.op_versions;
    try {
      // Where the shapes of all that is fed are complete, those of the rest follow.
      if (query.block == 0)
        infers_ = shapes_.SetInputs(block_, vars_, *query.params, query.input_shapes);
    } catch (const LiteError&) {  // whoever reads such a variable is told
    }
  }

  Reasons Run() {
    std::unique_ptr<DeviceSession> session;
    if (!query_.declaration_only) {
      session = std::make_unique<DeviceSession>(settings_);
      options_.driver_version = session->lowest_version();
    }
    ConvertAll();
    // Without devices, one cluster was converted just now.
    if (session != nullptr || query_.clusters.size() > 1)
      for (const std::vector<int>& cluster : query_.clusters) AskDevices(session.get(), cluster);
    return std::move(reasons_);
  }

 private:
  const std::vector<int64_t>& DeclaredDims(const VarDesc& var) const {
    const auto shape = query_.input_shapes.find(var.name);
    return shape == query_.input_shapes.end() ? var.dims : shape->second;
  }

  // Converts the clusters' operators in the block's order; what is known of every variable that
  // stands between clusters comes from the conversion, from the shapes that follow from the
  // inputs', or from the program.
  void ConvertAll() {
    std::set<int> candidates;
    for (const std::vector<int>& cluster : query_.clusters)
      candidates.insert(cluster.begin(), cluster.end());
    ModelBuilder builder(options_);
    for (int i = 0; i < static_cast<int>(block_.ops.size()); ++i) {
      const OpDesc& op = block_.ops[static_cast<size_t>(i)];
      bool converted = false;
      if (candidates.count(i) != 0) {
        try {
          DeclareInputs(&builder, op);
          builder.Convert(op);
          converted = true;
        } catch (const NotOffloadable& refused) {
          reasons_[i] = refused.reason;
        } catch (const LiteError& error) {
          reasons_[i] = error.what();
        }
      }
      ForEachName(op.outputs, [&](const std::string& name) {
        if (!converted || !builder.Has(name)) return;
        types_[name] = builder.TypeOf(name);
        if (builder.IsZeroDim(name)) types_[name].dimensions.count = 0;
      });
      if (infers_ && op.type != "feed") shapes_.InferOrForget(op);
    }
  }

  void DeclareInputs(ModelBuilder* builder, const OpDesc& op) {
    for (const auto& [slot, names] : op.inputs)
      for (size_t i = 0; i < names.size(); ++i)
        Declare(builder, names[i], ScaleOf(op, StrCat(slot, i, "_scale")));
  }

  // The scale of an int8 tensor that the operator reads; 0 where it has none.
  static float ScaleOf(const OpDesc& op, const std::string& attr) {
    const auto found = op.attrs.find(attr);
    const auto* scales =
        found == op.attrs.end() ? nullptr : std::get_if<std::vector<float>>(&found->second);
    return scales != nullptr && scales->size() == 1 ? (*scales)[0] : 0;
  }

  void Declare(ModelBuilder* builder, const std::string& name, float scale) {
    if (builder->Has(name)) return;
    const auto param = query_.params->find(name);
    if (param != query_.params->end()) return builder->AddParameter(name, param->second);
    if (vars_.count(name) != 0 || types_.count(name) != 0)
      builder->AddInput(name, TypeOf(name, scale));
  }

  NNAdapterOperandType TypeOf(const std::string& name, float scale) const {
    const auto known = types_.find(name);
    if (known != types_.end()) {
      NNAdapterOperandType type = known->second;
      type.lifetime = NNADAPTER_TEMPORARY_VARIABLE;
      return type;
    }
    const auto found = vars_.find(name);
    if (found == vars_.end())
      throw ModelFormatError(StrCat("the program does not declare the variable '", name, "'"));
    const VarDesc& var = *found->second;
    const bool typed = IsDataType(var.data_type);
    const auto declared = typed ? static_cast<DataType>(var.data_type) : DataType::kFP32;
    const TensorMeta* meta = infers_ ? shapes_.Find(name) : nullptr;
    if (meta == nullptr) return OperandTypeOf(DDim(DeclaredDims(var)), declared, scale);
    // Shapes are inferred in floats: who reads integers has their scale.
    const bool is_converted = meta->dtype == DataType::kInt8;
    const DataType type = scale > 0 ? DataType::kInt8 : is_converted ? declared : meta->dtype;
    return OperandTypeOf(meta->dims, type, scale);
  }

  // One model for a cluster: the driver, if there is one, says which of its operations it takes.
  void AskDevices(DeviceSession* session, const std::vector<int>& cluster) {
    ModelBuilder builder(options_);
    std::set<std::string> written, read;
    std::vector<int> converted;
    for (const int i : cluster) {
      if (reasons_.count(i) != 0) return;  // it leaves: the cluster forms anew and is asked then
      const OpDesc& op = block_.ops[static_cast<size_t>(i)];
      DeclareInputs(&builder, op);
      ForEachName(op.inputs, [&](const std::string& name) { read.insert(name); });
      try {
        builder.Convert(op);
      } catch (const NotOffloadable& refused) {
        reasons_[i] = refused.reason;
        return;
      }
      ForEachName(op.outputs, [&](const std::string& name) { written.insert(name); });
      converted.push_back(i);
    }
    if (session == nullptr) return;
    builder.Finish(OutputsOf(builder, cluster, written));
    const NNAdapterApi& api = LoadNNAdapter();
    std::unique_ptr<bool[]> takes(new bool[static_cast<size_t>(builder.operation_count()) + 1]());
    const int code = api.NNAdapterModel_getSupportedOperations(
        builder.model(), session->Context(settings_.device_names), takes.get());
    // A single device that cannot be asked gets what the declaration allows.
    if (code == NNADAPTER_FEATURE_NOT_SUPPORTED && settings_.device_names.size() == 1) return;
    CheckNNAdapter(code, "ask the devices which operations they take");
    for (size_t k = 0; k < converted.size(); ++k) {
      if (BecomesConstant(builder, converted[k])) continue;
      for (const int operation : builder.operations_of()[k])
        if (!takes[static_cast<size_t>(operation)])
          reasons_.emplace(converted[k],
                           StrCat("the driver of ", session->Describe(settings_.device_names),
                                  " does not take it", RefusalOf(operation)));
    }
  }

  // Arithmetic with shapes, which a driver does not see when the shapes are known.
  bool BecomesConstant(const ModelBuilder& builder, int op) const {
    bool shapes = settings_.dynamic_shape_info.empty();
    ForEachName(block_.ops[static_cast<size_t>(op)].outputs, [&](const std::string& name) {
      shapes =
          shapes && builder.Has(name) && builder.TypeOf(name).lifetime == NNADAPTER_TEMPORARY_SHAPE;
    });
    return shapes;
  }

  // ": what the drivers said about an operation when they were asked last", or nothing.
  static std::string RefusalOf(int operation) {
    const auto get = LoadNNAdapter().NNAdapterModel_getRefusal;
    const char* text = nullptr;
    const bool known =
        get != nullptr && get(static_cast<uint32_t>(operation), &text) == NNADAPTER_NO_ERROR;
    const std::string said = known ? text : "";
    return said.empty() ? "" : ": " + said;
  }

  // What is written in the cluster and read outside, or by nobody, or belongs to another block.
  std::vector<std::string> OutputsOf(const ModelBuilder& builder, const std::vector<int>& cluster,
                                     const std::set<std::string>& written) const {
    const std::set<int> inside(cluster.begin(), cluster.end());
    std::set<std::string> read_inside, read_outside;
    for (int i = 0; i < static_cast<int>(block_.ops.size()); ++i)
      ForEachName(block_.ops[static_cast<size_t>(i)].inputs, [&](const std::string& name) {
        (inside.count(i) ? read_inside : read_outside).insert(name);
      });
    std::vector<std::string> outputs;
    std::set<std::string> own;
    for (const VarDesc& var : block_.vars) own.insert(var.name);
    for (const std::string& name : written) {
      const bool inner = read_inside.count(name) != 0 && read_outside.count(name) == 0;
      if (builder.Has(name) && (!inner || own.count(name) == 0)) outputs.push_back(name);
    }
    return outputs;
  }

  const SupportQuery& query_;
  const DeviceSettings& settings_;
  const BlockDesc& block_;
  ConvertOptions options_;
  std::map<std::string, const VarDesc*> vars_;
  std::map<std::string, NNAdapterOperandType> types_;
  BlockShapes shapes_;
  bool infers_ = false;
  Reasons reasons_;
};

}  // namespace

std::map<int, std::string> CheckSupport(const SupportQuery& query, const DeviceSettings& settings) {
  if (query.block < 0 || static_cast<size_t>(query.block) >= query.program->blocks.size())
    throw ModelFormatError(StrCat("there is no block ", query.block));
  const auto count =
      static_cast<int>(query.program->blocks[static_cast<size_t>(query.block)].ops.size());
  for (const std::vector<int>& cluster : query.clusters)
    for (const int i : cluster)
      if (i < 0 || i >= count)
        throw LiteError(StrCat("block ", query.block, " has no operator ", i));
  return Checker(query, settings).Run();
}

}  // namespace paddle::lite::nnadapter_bridge
