#include <algorithm>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

struct SequenceWindow {
  int64_t start, length, before, after;  // rows of padding before and after a sequence
};

SequenceWindow ReadWindow(int64_t start, int64_t length) {
  return {start, length, std::max<int64_t>(0, -start), std::max<int64_t>(0, start + length - 1)};
}

void InferSequenceConv(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& filter = c.Dims("Filter");
  OnlyOffsets(x, "X");
  const int64_t length = c.Attr<int32_t>("contextLength");
  c.Require(c.Attr<int32_t>("contextStride") == 1, "attribute contextStride is ",
            c.Attr<int32_t>("contextStride"), ", expected 1");
  c.Require(length > 0, "attribute contextLength is ", length, ", expected a positive number");
  c.Require(x.dims.size() == 2 && filter.size() == 2 && filter[0] == length * x.dims[1],
            "input X has shape ", x.dims, " and Filter ", filter, ", expected [rows, width] and [",
            length, " * width, outputs]");
  if (x.dtype != DataType::kFP32 || c.Input("Filter").dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), " and Filter ",
                               Name(c.Input("Filter").dtype), ", expected float32"));
  if (c.Attr<bool>("paddingTrainable")) {
    const SequenceWindow window = ReadWindow(c.Attr<int32_t>("contextStart"), length);
    c.Require(c.HasInput("PaddingData"), "input PaddingData is absent, paddingTrainable needs it");
    c.Require(c.Dims("PaddingData") == DDim({window.before + window.after, x.dims[1]}),
              "input PaddingData has shape ", c.Dims("PaddingData"), ", expected [",
              window.before + window.after, ", ", x.dims[1], "]");
  }
  c.SetOutput("Out", {x.dims[0], filter[1]}, x.dtype, x.lod);
}

// Row p of the matrix holds rows p + start ... p + start + length - 1 of the sequence.
void FillContext(const float* x, int64_t count, int64_t width, const SequenceWindow& window,
                 const float* padding, float* to) {
  for (int64_t p = 0; p < count; ++p) {
    for (int64_t k = 0; k < window.length; ++k, to += width) {
      const int64_t row = p + window.start + k;
      const float* from = nullptr;
      if (row >= 0 && row < count)
        from = x + row * width;
      else if (padding != nullptr)
        from = padding + (window.before + (row < 0 ? row : row - count)) * width;
      if (from != nullptr)
        std::copy(from, from + width, to);
      else
        std::fill(to, to + width, 0.0f);
    }
  }
}

void RunSequenceConv(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& offsets = OnlyOffsets(x.meta(), "X");
  const int64_t width = x.dims()[1];
  const SequenceWindow window =
      ReadWindow(c.Attr<int32_t>("contextStart"), c.Attr<int32_t>("contextLength"));
  const float* padding =
      c.Attr<bool>("paddingTrainable") ? c.Input("PaddingData").data<float>() : nullptr;
  const Tensor& filter = c.Input("Filter");
  Tensor context;
  context.Allocate({x.dims()[0], filter.dims()[0]}, DataType::kFP32);
  float* matrix = context.mutable_data<float>();
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const auto begin = static_cast<int64_t>(offsets[i]), end = static_cast<int64_t>(offsets[i + 1]);
    FillContext(x.data<float>() + begin * width, end - begin, width, window, padding,
                matrix + begin * filter.dims()[0]);
  }
  Tensor& out = c.Output("Out");
  math::MatMul product;
  product.m = x.dims()[0];
  product.n = filter.dims()[1];
  product.k = filter.dims()[0];
  product.a = matrix;
  product.lda = product.k;
  product.b = filter.data<float>();
  product.ldb = product.n;
  product.c = out.mutable_data<float>();
  product.ldc = product.n;
  math::GemmUnpacked(c.threads(), product, {});
}

}  // namespace

REGISTER_LITE_OP(sequence_conv)
    .Input("X")
    .OptionalInput("PaddingData")
    .Input("Filter")
    .Output("Out")
    .Attr<bool>("paddingTrainable", false)
    .RequiredAttr<int32_t>("contextLength")
    .Attr<int32_t>("contextStart", 0)
    .Attr<int32_t>("contextStride", 1)
    .InferShape(InferSequenceConv);
REGISTER_LITE_FUNCTION(sequence_conv, kHost, kFloat, kNCHW, RunSequenceConv, def);

}  // namespace paddle::lite
