#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

// A row of W is its smallest and largest number, then the row itself in bytes, four in the place
// of a float: byte b stands for min + b * (max - min) / 256.
void InferLookupTableDequant(InferContext& c) {
  const TensorMeta& w = c.Input("W");
  const TensorMeta& ids = c.Input("Ids");
  RequireIndexType(ids.dtype, "Ids");
  c.Require(w.dims.size() == 2 && w.dims[1] >= 2, "W has shape ", w.dims,
            ", expected two dimensions, the last of at least 2");
  c.Require(!ids.dims.empty() && ids.dims.back() == 1, "Ids has shape ", ids.dims,
            ", expected a last dimension of 1");
  DDim out = ids.dims;
  out[out.size() - 1] = (w.dims[1] - 2) * 4;
  c.SetOutput("Out", out, DataType::kFP32, ids.lod);
}

void RunLookupTableDequant(KernelContext& c) {
  const Tensor& w = c.Input("W");
  const int64_t rows = w.dims()[0], width = w.dims()[1], count = (width - 2) * 4;
  const int64_t padding = c.Attr<int64_t>("padding_idx");
  float* to = c.Output("Out").mutable_data<float>();
  for (const int64_t id : IntValues(c, "Ids")) {
    if (id < 0 || id >= rows)
      throw ShapeError(StrCat("Ids has ", id, ", expected an index from 0 to ", rows - 1));
    const float* row = w.data<float>() + id * width;
    const auto* bytes = reinterpret_cast<const uint8_t*>(row + 2);
    const float scale = (row[1] - row[0]) / 256;
    for (int64_t i = 0; i < count; ++i)
      to[i] = id == padding ? 0 : scale * static_cast<float>(bytes[i]) + row[0];
    to += count;
  }
}

REGISTER_LITE_OP(lookup_table_dequant)
    .Input("W")
    .Input("Ids")
    .Output("Out")
    .Attr<int64_t>("padding_idx", -1)
    .InferShape(InferLookupTableDequant);
REGISTER_LITE_FUNCTION(lookup_table_dequant, kHost, kFloat, kNCHW, RunLookupTableDequant, def);

}  // namespace
}  // namespace paddle::lite
