// Positions of every operation's operands by name: Input(operation, hal::Conv2D::kFilter).
// A position from the end, as that of CONCAT's axis, is negative.
#pragma once

namespace nnadapter {
namespace hal {

struct Abs {
  enum { kInput = 0 };
};
struct AdaptiveAveragePool2D {
  enum { kInput = 0, kOutputShape };
};
struct AdaptiveMaxPool2D {
  enum { kInput = 0, kOutputShape, kReturnIndices, kReturnIndicesDtype };
  struct Out {
    enum { kOutput = 0, kIndices };
  };
};
struct Add {
  enum { kInput0 = 0, kInput1, kFuseCode };
};
struct And {
  enum { kInput0 = 0, kInput1 };
};
struct ArgMax {
  enum { kInput = 0, kAxis, kKeepdim, kDtype };
};
struct ArgMin {
  enum { kInput = 0, kAxis, kKeepdim, kDtype };
};
struct Assign {
  enum { kInput = 0 };
};
struct AveragePool2D {
  enum {
    kInput = 0,
    kAutoPad,
    kPads,
    kKernelShape,
    kStrides,
    kCeilMode,
    kCountIncludePad,
    kFuseCode
  };
};
struct BatchNormalization {
  enum { kInput = 0, kScale, kBias, kMean, kVariance, kEpsilon };
};
struct Cast {
  enum { kInput = 0, kDtype };
};
struct ChannelShuffle {
  enum { kInput = 0, kGroup };
};
struct Clip {
  enum { kInput = 0, kMin, kMax };
};
struct Concat {
  // Inputs from 0: as many as there are.
  enum { kAxis = -1 };
};
struct Conv2D {
  enum { kInput = 0, kFilter, kBias, kAutoPad, kPads, kStrides, kGroup, kDilations, kFuseCode };
};
struct Conv2DTranspose {
  enum {
    kInput = 0,
    kFilter,
    kBias,
    kAutoPad,
    kPads,
    kStrides,
    kGroup,
    kDilations,
    kOutputPadding,
    kOutputShape,
    kFuseCode
  };
};
struct Cos {
  enum { kInput = 0 };
};
struct CumSum {
  enum { kInput = 0, kAxis, kExclusive, kReverse };
};
struct DeformableConv2D {
  enum {
    kInput = 0,
    kOffset,
    kMask,
    kFilter,
    kBias,
    kPads,
    kStrides,
    kGroup,
    kDeformableGroup,
    kDilations,
    kFuseCode
  };
};
struct Dequantize {
  enum { kInput = 0 };
};
struct Div {
  enum { kInput0 = 0, kInput1, kFuseCode };
};
struct Equal {
  enum { kInput0 = 0, kInput1 };
};
struct Exp {
  enum { kInput = 0 };
};
struct Expand {
  enum { kInput = 0, kShape };
};
struct Fill {
  enum { kShape = 0, kValue };
};
struct FillLike {
  enum { kInput = 0, kValue };
};
struct Flatten {
  enum { kInput = 0, kStartAxis, kEndAxis };
};
struct Floor {
  enum { kInput = 0 };
};
struct FloorDiv {
  enum { kInput0 = 0, kInput1, kFuseCode };
};
struct FullyConnected {
  enum { kInput = 0, kWeight, kBias, kFuseCode };
};
struct Gather {
  enum { kInput = 0, kIndices, kAxis };
};
struct Gelu {
  enum { kInput = 0, kApproximate };
};
struct Greater {
  enum { kInput0 = 0, kInput1 };
};
struct GreaterEqual {
  enum { kInput0 = 0, kInput1 };
};
struct GridSample {
  enum { kInput = 0, kGrid, kAlignCorners, kMode, kPadMode };
};
struct GroupNormalization {
  enum { kInput = 0, kScale, kBias, kEpsilon, kGroups };
};
struct HardSigmoid {
  enum { kInput = 0, kAlpha, kBeta };
};
struct HardSwish {
  enum { kInput = 0, kAlpha, kBeta };
};
struct InstanceNormalization {
  enum { kInput = 0, kScale, kBias, kEpsilon };
};
struct LayerNormalization {
  enum { kInput = 0, kScale, kBias, kBeginNormAxis, kEpsilon };
};
struct LeakyRelu {
  enum { kInput = 0, kAlpha };
};
struct Less {
  enum { kInput0 = 0, kInput1 };
};
struct LessEqual {
  enum { kInput0 = 0, kInput1 };
};
struct Log {
  enum { kInput = 0 };
};
struct LogSoftmax {
  enum { kInput = 0, kAxis };
};
struct LpNormalization {
  enum { kInput = 0, kAxis, kP, kEpsilon };
};
struct Lrn {
  enum { kInput = 0, kSize, kBias, kAlpha, kBeta };
};
struct MatMul {
  enum { kX = 0, kY, kTransposeX, kTransposeY };
};
struct Max {
  enum { kInput0 = 0, kInput1, kFuseCode };
};
struct MaxPool2D {
  enum {
    kInput = 0,
    kAutoPad,
    kPads,
    kKernelShape,
    kStrides,
    kCeilMode,
    kReturnIndices,
    kReturnIndicesDtype,
    kFuseCode
  };
  struct Out {
    enum { kOutput = 0, kIndices };
  };
};
struct Meshgrid {
  // Inputs from 0: as many as there are.
};
struct Min {
  enum { kInput0 = 0, kInput1, kFuseCode };
};
struct Mul {
  enum { kInput0 = 0, kInput1, kFuseCode };
};
struct Not {
  enum { kInput = 0 };
};
struct NotEqual {
  enum { kInput0 = 0, kInput1 };
};
struct Or {
  enum { kInput0 = 0, kInput1 };
};
struct Pad {
  enum { kInput = 0, kPads, kMode, kValue };
};
struct Pow {
  enum { kInput0 = 0, kInput1, kFuseCode };
};
struct PriorBox {
  enum {
    kInput = 0,
    kImage,
    kMinSizes,
    kMaxSizes,
    kAspectRatios,
    kVariances,
    kFlip,
    kClip,
    kStepW,
    kStepH,
    kOffset,
    kMinMaxAspectRatiosOrder
  };
  struct Out {
    enum { kBoxes = 0, kVariances };
  };
};
struct Prelu {
  enum { kInput = 0, kSlope };
};
struct Quantize {
  enum { kInput = 0, kAxis, kScale, kZeroPoint };
};
struct Range {
  enum { kStart = 0, kEnd, kStep };
};
struct ReduceMean {
  enum { kInput = 0, kAxes, kKeepdim };
};
struct ReduceMax {
  enum { kInput = 0, kAxes, kKeepdim };
};
struct ReduceSum {
  enum { kInput = 0, kAxes, kKeepdim };
};
struct Relu {
  enum { kInput = 0 };
};
struct Relu6 {
  enum { kInput = 0 };
};
struct Reshape {
  enum { kInput = 0, kShape };
};
struct ResizeNearest {
  enum { kInput = 0, kShape, kScales, kAlignCorners };
};
struct ResizeLinear {
  enum { kInput = 0, kShape, kScales, kAlignCorners, kAlignMode };
};
struct RoiAlign {
  enum {
    kInput = 0,
    kRois,
    kBatchIndices,
    kOutputHeight,
    kOutputWidth,
    kSamplingRatio,
    kSpatialScale,
    kAligned
  };
};
struct Roll {
  enum { kInput = 0, kShifts, kAxes };
};
struct Rsqrt {
  enum { kInput = 0 };
};
struct Shape {
  enum { kInput = 0, kDtype };
};
struct Sigmoid {
  enum { kInput = 0 };
};
struct Sin {
  enum { kInput = 0 };
};
struct Slice {
  enum { kInput = 0, kAxes, kStarts, kEnds, kSteps };
};
struct Softmax {
  enum { kInput = 0, kAxis };
};
struct Softplus {
  enum { kInput = 0, kBeta, kThreshold };
};
struct Split {
  enum { kInput = 0, kAxis, kSplit };
};
struct Square {
  enum { kInput = 0 };
};
struct Squeeze {
  enum { kInput = 0, kAxes };
};
struct Stack {
  // Inputs from 0: as many as there are.
  enum { kAxis = -1 };
};
struct Sub {
  enum { kInput0 = 0, kInput1, kFuseCode };
};
struct Sum {
  // Inputs from 0: as many as there are.
};
struct Swish {
  enum { kInput = 0 };
};
struct Tanh {
  enum { kInput = 0 };
};
struct Tile {
  enum { kInput = 0, kRepeats };
};
struct TopK {
  enum { kInput = 0, kK, kAxis, kLargest, kSorted, kReturnIndicesDtype };
  struct Out {
    enum { kOutput = 0, kIndices };
  };
};
struct Transpose {
  enum { kInput = 0, kPerm };
};
struct Unsqueeze {
  enum { kInput = 0, kAxes };
};
struct Unstack {
  enum { kInput = 0, kAxis, kNum };
};
struct Where {
  enum { kCondition = 0, kInput0, kInput1 };
};
struct Xor {
  enum { kInput0 = 0, kInput1 };
};
struct NonMaxSuppression {
  enum {
    kBboxes = 0,
    kScores,
    kRoisNum,
    kBackgroundLabel,
    kScoreThreshold,
    kNmsTopK,
    kNmsThreshold,
    kNmsEta,
    kKeepTopK,
    kNormalized,
    kReturnIndex
  };
  struct Out {
    enum { kOutput = 0, kOutRoisNum, kIndex };
  };
};
struct YoloBox {
  enum {
    kInput = 0,
    kImgsize,
    kAnchors,
    kClassNum,
    kConfThresh,
    kDownsampleRatio,
    kClipBbox,
    kScaleXY,
    kIouAware,
    kIouAwareFactor
  };
  struct Out {
    enum { kBoxes = 0, kScores };
  };
};

}  // namespace hal
}  // namespace nnadapter
