#include "lite/kernels/cpu/quantised/weight_groups.h"

#include "lite/kernels/cpu/math/byte_groups.h"

namespace paddle::lite {

void RequireInput(const InferContext& c, const char* slot, DataType type, const DDim& dims) {
  const TensorMeta& found = c.Input(slot);
  if (found.dtype != type)
    throw DataTypeError(
        StrCat("input ", slot, " is ", Name(found.dtype), ", expected ", Name(type)));
  c.Require(found.dims == dims, "input ", slot, " has shape ", found.dims, ", expected ", dims);
}

void RequireWeightGroups(const InferContext& c, int64_t k, bool experts) {
  const DDim& y = c.Input("Y").dims;
  const int64_t bits = c.Attr<int>("bits"), block = c.Attr<int>("block_size");
  c.Require(bits == 4 || bits == 8, "attribute bits is ", bits, ", expected 4 or 8");
  c.Require(block > 0 && block % 8 == 0, "attribute block_size is ", block,
            ", expected a positive multiple of 8");
  const int64_t blocks = (k + block - 1) / block;
  const int lead = experts ? 1 : 0;
  c.Require(y.size() == lead + 3 && y[0] > 0 && y[lead] > 0 && y[lead + 1] == blocks &&
                y[lead + 2] == block * bits / 8,
            "input Y has shape ", y, ", expected [", experts ? "experts, " : "", "columns, ",
            blocks, ", ", block * bits / 8, "] for rows of ", k);
  RequireInput(c, "Y", DataType::kUInt8, y);
  DDim of_groups = {blocks, y[lead]};
  if (experts) of_groups = {y[0], blocks, y[lead]};
  RequireInput(c, "Scales", DataType::kFP32, of_groups);
  if (c.HasInput("ZeroPoints")) RequireInput(c, "ZeroPoints", DataType::kUInt8, of_groups);
}

math::PackedGroups PackWeightGroups(const KernelContext& c, int64_t matrix) {
  const Tensor& y = c.Input("Y");
  const DDim& dims = y.dims();
  const auto rank = dims.size();
  math::UnpackedGroups groups;
  groups.bits = c.Attr<int>("bits");
  groups.rows = c.Attr<int>("block_size");
  groups.n = dims[rank - 3];
  groups.blocks = dims[rank - 2];
  const int64_t count = groups.n * groups.blocks;
  groups.integers = y.data<uint8_t>() + matrix * count * dims[rank - 1];
  groups.scales = c.Input("Scales").data<float>() + matrix * count;
  if (c.HasInput("ZeroPoints"))
    groups.zeros = c.Input("ZeroPoints").data<uint8_t>() + matrix * count;
  return math::PackGroups(groups, c.threads());
}

void MultiplyWeightGroups(const KernelContext& c, int64_t m, int64_t k, const float* x,
                          const math::PackedGroups& weights, float* out,
                          const math::Epilogue& epilogue) {
  const auto product = c.Attr<int>("accuracy_level") == 4 ? math::GemmByteGroups : math::GemmGroups;
  product(c.threads(), m, k, x, weights, out, epilogue);
}

}  // namespace paddle::lite
