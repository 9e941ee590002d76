// Tensors that are made, copied or converted.
#include <cmath>

#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {

INFER(ASSIGN) {
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
  PassValues(c, "input", "output", static_cast<size_t>(c.Rank("input")));
}

INFER(CAST) {
  const int64_t dtype = c.Int("dtype");
  c.Require(dtype >= NNADAPTER_BOOL8 && dtype <= NNADAPTER_FLOAT64, "dtype is ", dtype,
            ", expected the code of a type from 0 (BOOL8) to 11 (FLOAT64)");
  const auto to = static_cast<int32_t>(dtype);
  c.SetOutput("output", to, c.DimsOf("input"));
  if ((PrecisionBit(to) & kIndex) && (PrecisionBit(c.Precision("input")) & kIndex))
    PassValues(c, "input", "output", static_cast<size_t>(c.Rank("input")));
}

namespace {

// A short list of one integer is the start of many a shape.
void FoldList(InferContext& c, const Dims& dims) {
  const auto value = c.Values("value");
  if (!value || value->size() != 1 || dims.size() > 1) return;
  const int32_t count = dims.empty() ? 1 : dims[0];
  if (count >= 0 && count <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    c.SetValues("output", Dims(static_cast<size_t>(count), (*value)[0]));
}

}  // namespace

INFER(FILL) {
  const Dims dims = ShapeListOf(c, "shape");
  const int64_t count = Product(c.DimsOf("value"), 0, c.DimsOf("value").size());
  c.Require(count == 1 || count == kUnknown, "value has shape ", DimsText(c.DimsOf("value")),
            ", expected one number");
  c.SetOutput("output", c.Precision("value"), dims);
  FoldList(c, dims);
}

INFER(FILL_LIKE) {
  RequireCount(c, "value", 1);
  c.SetOutput("output", c.Precision("value"), c.DimsOf("input"));
}

namespace {

struct Bounds {
  double start, end, step;
};

// Nothing where one is computed as the model runs.
std::optional<Bounds> BoundsOf(const InferContext& c) {
  double found[3];
  const char* const names[] = {"start", "end", "step"};
  for (int i = 0; i < 3; ++i) {
    const bool one = Product(c.DimsOf(names[i]), 0, static_cast<size_t>(c.Rank(names[i]))) == 1;
    c.Require(one, names[i], " has shape ", DimsText(c.DimsOf(names[i])), ", expected one number");
    c.Require(c.Precision(names[i]) == c.Precision("start"), names[i], " is ",
              PrecisionName(c.Precision(names[i])), ", but start is ",
              PrecisionName(c.Precision("start")));
  }
  for (int i = 0; i < 3; ++i) {
    const bool integer = (PrecisionBit(c.Precision(names[i])) & kIndex) != 0;
    const auto values = c.Values(names[i]);
    if (c.IsConstant(names[i]) && c.Precision(names[i]) != NNADAPTER_FLOAT64)
      found[i] = integer ? static_cast<double>(c.Int(names[i])) : c.Float(names[i]);
    else if (values && values->size() == 1 && (*values)[0] != kUnknown)
      found[i] = (*values)[0];
    else
      return std::nullopt;
  }
  return Bounds{found[0], found[1], found[2]};
}

}  // namespace

INFER(RANGE) {
  const auto bounds = BoundsOf(c);
  const int32_t precision = c.Precision("start");
  if (!bounds) return c.SetOutput("output", precision, {kUnknown});
  const auto [start, end, step] = *bounds;
  c.Require(std::isfinite(start) && std::isfinite(end) && std::isfinite(step) && step != 0 &&
                (start == end || (start < end) == (step > 0)),
            "steps of ", step, " never lead from ", start, " to ", end);
  const double count = std::ceil((end - start) / step);
  c.Require(count <= INT32_MAX, "a range of ", count, " numbers");
  const auto length = static_cast<int32_t>(count);
  c.SetOutput("output", precision, {length});
  if (!(PrecisionBit(precision) & kIndex) || length > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) return;
  Dims values;
  for (int32_t i = 0; i < length; ++i) values.push_back(static_cast<int32_t>(start + i * step));
  c.SetValues("output", values);
}

INFER(MESHGRID) {
  const size_t count = c.Count("input");
  c.Require(c.OutputCount("output") == count, "there are ", count, " inputs and ",
            c.OutputCount("output"), " outputs, expected as many");
  c.Require(count <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS, "there are ", count,
            " inputs, at most 8 are possible");
  Dims dims;
  for (size_t i = 0; i < count; ++i) {
    const Dims input = c.DimsOf("input", i);
    c.Require(input.size() <= 1, "input", i, " has shape ", DimsText(input),
              ", expected one dimension");
    dims.push_back(input.empty() ? 1 : input[0]);
  }
  for (size_t i = 0; i < count; ++i) c.SetOutput("output", c.Precision("input", i), dims, i);
}

namespace {

// What the output is where the caller leaves it open.
int32_t InferPrecision(const InferContext& c, size_t scales, int32_t zero_point) {
  const int32_t given = c.GivenPrecision("output");
  if (given != NNADAPTER_UNKNOWN) {
    c.Require(IsQuantized(given), "output is declared as ", PrecisionName(given),
              ", expected a quantised type");
    return given;
  }
  if (zero_point != 0) return NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER;
  return scales == 1 ? NNADAPTER_QUANT_INT8_SYMM_PER_LAYER : NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL;
}

}  // namespace

INFER(QUANTIZE) {
  const Dims dims = c.DimsOf("input");
  const auto scales = c.Floats("scale");
  const auto zero_points = c.Has("zero_point") ? c.Floats("zero_point") : std::vector<float>{0};
  int axis = 0;
  c.Require(!scales.empty(), "scale is empty, expected one number or one a channel");
  if (scales.size() > 1) {
    axis = CanonicalAxis(c, c.Int("axis", 1), c.Rank("input"));
    const int32_t channels = dims[static_cast<size_t>(axis)];
    c.Require(channels == NNADAPTER_UNKNOWN || static_cast<size_t>(channels) == scales.size(),
              "scale has ", scales.size(), " numbers, expected 1 or ", channels);
  }
  for (const float scale : scales)
    c.Require(scale > 0 && std::isfinite(scale), "a scale is ", scale, ", expected more than 0");
  c.Require(zero_points.size() == 1 || zero_points.size() == scales.size(), "zero_point has ",
            zero_points.size(), " numbers, scale has ", scales.size());
  const float zero_point = zero_points[0];
  c.Require(std::fabs(zero_point) <= 65535 && zero_point == std::floor(zero_point) &&
                (zero_point == 0 || scales.size() == 1),
            "zero_point is ", zero_point,
            ", expected an integer, and 0 where there are several scales");
  for (const float other : zero_points)
    c.Require(other == zero_point, "zero_point has different numbers for the channels");
  c.SetOutput("output", InferPrecision(c, scales.size(), static_cast<int32_t>(zero_point)), dims);
  c.SetQuantization("output", scales, axis, static_cast<int32_t>(zero_point));
}

INFER(DEQUANTIZE) { c.SetOutput("output", NNADAPTER_FLOAT32, c.DimsOf("input")); }

}  // namespace nnadapter::runtime
