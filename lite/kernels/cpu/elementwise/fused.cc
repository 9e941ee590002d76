#include <cmath>
#include <cstring>

#include "lite/kernels/cpu/activation/activation.h"
#include "lite/kernels/cpu/elementwise/byte_table.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/int8.h"

namespace paddle::lite {
namespace {

// A run of elementwise operators in one walk over memory; made by the plan, never in a file.
using Step = math::EpilogueStep;

// The tile that the plan's strides refer to.
struct Tile {
  int64_t rows = 1, cols = 1, rows_per_image = 1;
};

Tile TileOf(const Tensor& x) {
  const DDim& dims = x.dims();
  Tile tile;
  if (x.layout() == DataLayoutType::kNHWC && dims.size() == 4) {
    tile.rows_per_image = dims[2] * dims[3];
    tile.rows = dims[0] * tile.rows_per_image;
    tile.cols = dims[1];
  } else if (!dims.empty()) {
    tile.rows = tile.rows_per_image = dims.Count(0, dims.size() - 1);
    tile.cols = dims.back();
  }
  return tile;
}

// The same work as one long row, where no step depends on the row or the column alone.
bool Flatten(const Tile& tile, const std::vector<Step>& steps, std::vector<Step>* flat) {
  for (const Step& step : steps) {
    const bool whole =
        step.col_stride == 1 && step.row_stride == tile.cols &&
        (tile.rows == tile.rows_per_image || step.image_stride == tile.rows_per_image * tile.cols);
    const bool scalar = step.col_stride == 0 && step.row_stride == 0 && step.image_stride == 0;
    if (step.op != Step::kAct && !whole && !scalar) return false;
    flat->push_back(step);
    flat->back().row_stride = flat->back().image_stride = 0;
  }
  return true;
}

void RunElementwiseChain(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const auto* from = x.data<float>();
  auto* to = out.mutable_data<float>();
  const int64_t count = x.numel();
  if (count == 0) return;

  const Tile tile = TileOf(x);
  const std::vector<Step>& steps = c.ResolveSteps();
  std::vector<Step> flat;
  math::Epilogue epilogue;
  epilogue.step_count = static_cast<int>(steps.size());
  const bool dense = x.pixel_stride() == 0 && out.pixel_stride() == 0;
  if (tile.rows == 1 || (dense && Flatten(tile, steps, &flat))) {
    epilogue.steps = tile.rows == 1 ? steps.data() : flat.data();
    math::ParallelRange(
        c.threads(), count, math::kElementGrain,
        [&](int64_t begin, int64_t end) {
          const int64_t n = end - begin;
          math::RunEpilogue(1, n, from + begin, n, to + begin, n, epilogue, 0, begin);
        },
        16);
    return;
  }
  epilogue.steps = steps.data();
  epilogue.rows_per_image = tile.rows_per_image;
  const int64_t ldx = x.pixel_stride() != 0 ? x.pixel_stride() : tile.cols;
  const int64_t ldy = out.pixel_stride() != 0 ? out.pixel_stride() : tile.cols;
  math::ParallelRange(c.threads(), tile.rows, math::kElementGrain / tile.cols + 1,
                      [&](int64_t begin, int64_t end) {
                        math::RunEpilogue(end - begin, tile.cols, from + begin * ldx, ldx,
                                          to + begin * ldy, ldy, epilogue, begin, 0);
                      });
}

void InferElementwiseChain(InferContext& c) {
  RequireFloat(c, "X");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

bool KeepsBytes(const OpLite&, const MetaOfSlot&) { return true; }

REGISTER_LITE_OP(elementwise_chain).Input("X").Output("Out").InferShape(InferElementwiseChain);
REGISTER_LITE_FUNCTION(elementwise_chain, kHost, kFloat, kNCHW, RunElementwiseChain, def, true,
                       false, false, false, KeepsBytes);
REGISTER_LITE_KERNEL(elementwise_chain, kHost, kUInt8, kNCHW, ElementwiseOfBytes, def);
REGISTER_LITE_FUNCTION(elementwise_chain, kHost, kFloat, kNHWC, RunElementwiseChain, def, true,
                       false, true, true, KeepsBytes);
REGISTER_LITE_KERNEL(elementwise_chain, kHost, kUInt8, kNHWC, ElementwiseOfBytes, def);

using Step = math::EpilogueStep;

template <Step::Op op>
void RunFusionElementwiseActivation(KernelContext& c) {
  RunBinaryFloat(c, op, NamedActivation(c.op()));
}

template <typename Binary>
void RunWithoutStep(KernelContext& c, Binary&& binary) {
  const math::Activation activation = NamedActivation(c.op());
  ApplyBroadcast<float, float>(
      c,
      [&](float x, float y) {
        return static_cast<float>(ApplyActivation(activation, binary(x, y)));
      },
      c.Attr<int>("axis"));
}

void RunPow(KernelContext& c) {
  RunWithoutStep(c, [](float x, float y) { return std::pow(x, y); });
}

void RunFloorDiv(KernelContext& c) {
  RunWithoutStep(c, [](float x, float y) { return FloorDivide(x, y); });
}

// `alpha` is the slope of act_type leaky_relu. What follows is called on the declaration.
#define REGISTER_FUSED_ELEMENTWISE(type, Kernel)                   \
  REGISTER_LITE_FUNCTION(type, kHost, kFloat, kNCHW, Kernel, def); \
  REGISTER_LITE_FUNCTION(type, kHost, kFloat, kNHWC, Kernel, def); \
  REGISTER_LITE_OP(type)                                           \
      .Input("X")                                                  \
      .Input("Y")                                                  \
      .Output("Out")                                               \
      .Attr<int>("axis", -1)                                       \
      .Attr<std::string>("act_type", "")                           \
      .Attr<float>("alpha", 0.02f)                                 \
      .InferShape(InferBinaryActivation)

// With the step that the plan may fold.
#define REGISTER_FUSED_STEP(type, step)                                        \
  REGISTER_FUSED_ELEMENTWISE(type, RunFusionElementwiseActivation<Step::step>) \
      .AsBinary(Step::step)                                                    \
      .AsActivation(NamedActivation)

REGISTER_FUSED_STEP(fusion_elementwise_add_activation, kAdd);
REGISTER_FUSED_STEP(fusion_elementwise_sub_activation, kSub);
REGISTER_FUSED_STEP(fusion_elementwise_mul_activation, kMul);
REGISTER_FUSED_STEP(fusion_elementwise_div_activation, kDiv);
REGISTER_FUSED_STEP(fusion_elementwise_max_activation, kMax);
REGISTER_FUSED_STEP(fusion_elementwise_min_activation, kMin);
REGISTER_FUSED_ELEMENTWISE(fusion_elementwise_pow_activation, RunPow);
REGISTER_FUSED_ELEMENTWISE(fusion_elementwise_floordiv_activation, RunFloorDiv);

// The sum of any number of tensors of one shape.
void InferSum(InferContext& c) {
  const TensorMeta& first = c.Input("X");
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const TensorMeta& x = c.Input("X", i);
    c.Require(x.dims == first.dims, "X[", i, "] has shape ", x.dims, ", expected ", first.dims,
              " like X[0]");
    if (x.dtype != first.dtype)
      throw DataTypeError(
          StrCat("X[", i, "] is ", Name(x.dtype), ", expected ", Name(first.dtype), " like X[0]"));
  }
  c.SetOutput("Out", first.dims, first.dtype, first.lod);
}

void RunSumFloat(KernelContext& c) {
  const Tensor& first = c.Input("X");
  const auto* x = first.data<float>();
  std::vector<math::EpilogueStep> steps(c.InputCount("X") - 1);
  math::Epilogue epilogue;
  epilogue.steps = steps.data();
  epilogue.step_count = static_cast<int>(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].op = math::EpilogueStep::kAdd;
    steps[i].data = c.Input("X", i + 1).data<float>();
    steps[i].col_stride = 1;
  }
  auto* out = c.Output("Out").mutable_data<float>();
  math::ParallelRange(
      c.threads(), first.numel(), math::kElementGrain,
      [&](int64_t begin, int64_t end) {
        const int64_t n = end - begin;
        math::RunEpilogue(1, n, x + begin, n, out + begin, n, epilogue, 0, begin);
      },
      16);
}

template <typename T>
void RunSumAs(KernelContext& c) {
  const Tensor& first = c.Input("X");
  const T* x = first.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  const int64_t count = first.numel();
  std::copy(x, x + count, out);
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const T* more = c.Input("X", i).data<T>();
    for (int64_t j = 0; j < count; ++j) out[j] = WrapAdd(out[j], more[j]);
  }
}

void RunSum(KernelContext& c) {
  const Tensor& x = c.Input("X");
  c.Output("Out").set_layout(x.layout());
  if (x.dtype() == DataType::kFP32) return RunSumFloat(c);
  ForTypes<double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) { RunSumAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(sum).Inputs("X").Output("Out").InferShape(InferSum);
REGISTER_LITE_FUNCTION(sum, kHost, kAny, kNCHW, RunSum, def);
REGISTER_LITE_FUNCTION(sum, kHost, kFloat, kNHWC, RunSum, def);

}  // namespace
}  // namespace paddle::lite
