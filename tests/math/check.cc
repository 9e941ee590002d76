#include "check.h"

#include <cstdlib>
#include <cstring>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math::test {

std::vector<Case>& Cases() {
  static std::vector<Case> cases;
  return cases;
}

std::mt19937& Random() {
  static std::mt19937 random(1);
  return random;
}

int64_t Pick(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(Random());
}

std::vector<float> RandomFloats(int64_t count, float low, float high) {
  std::uniform_real_distribution<float> distribution(low, high);
  std::vector<float> values(count);
  for (float& v : values) v = distribution(Random());
  return values;
}

double RelativeError(const std::vector<float>& got, const std::vector<double>& expected) {
  // Inputs are about 1: where an epilogue takes nearly all away, rounding is of what was taken.
  double largest = 1, difference = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i]) != std::isnan(got[i])) return INFINITY;
    if (std::isinf(expected[i]) && expected[i] != got[i]) return INFINITY;
    if (!std::isfinite(expected[i])) continue;
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(expected[i] - got[i]));
  }
  return difference / largest;
}

void CheckClose(const std::vector<float>& got, const std::vector<double>& expected,
                const std::string& what, double tolerance) {
  const double error =
      got.size() == expected.size() ? RelativeError(got, expected) : static_cast<double>(INFINITY);
  Check(error <= tolerance, what + ": relative error " + std::to_string(error));
}

double Activate(const Activation& act, double x) {
  const double a = act.a, b = act.b, c = act.c;
  const auto clip = [](double v, double low, double high) {
    return v < low ? low : v > high ? high : v;
  };
  switch (act.kind) {
    case Act::kNone:
      return x;
    case Act::kRelu:
      return x < 0 ? 0 : x;
    case Act::kRelu6:
      return clip(x, 0, a);
    case Act::kLeakyRelu:
      return x < 0 ? a * x : x;
    case Act::kHardSwish:
      return x * clip(x + c, 0, a) / b;
    case Act::kHardSigmoid:
      return clip(a * x + b, 0, 1);
    case Act::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Act::kSwish:
      return x / (1 + std::exp(-a * x));
    case Act::kTanh:
      return std::tanh(x);
    case Act::kGelu:
      return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    case Act::kGeluTanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Act::kAbs:
      return std::abs(x);
    case Act::kExp:
      return std::exp(x);
    case Act::kErf:
      return std::erf(x);
    case Act::kSqrt:
      return std::sqrt(x);
    case Act::kRsqrt:
      return 1 / std::sqrt(x);
    case Act::kSquare:
      return x * x;
    case Act::kReciprocal:
      return 1 / x;
    case Act::kElu:
      return x < 0 ? a * (std::exp(x) - 1) : x;
    case Act::kClip:
      return clip(x, a, b);
    case Act::kAffine:
      return a * x + b;
    case Act::kSteps:  // divided in single precision, as the next whole number depends on it
      return clip(std::nearbyint(static_cast<float>(x) / act.a), b, c) * a;
  }
  return x;
}

namespace {

Activation RandomActivation() {
  switch (Pick(0, 9)) {
    case 0:
      return {Act::kRelu, 0, 0, 0};
    case 1:
      return {Act::kRelu6, 6, 0, 0};
    case 2:
      return {Act::kLeakyRelu, 0.1f, 0, 0};
    case 3:
      return {Act::kHardSwish, 6, 6, 3};
    case 4:
      return {Act::kHardSigmoid, 0.2f, 0.5f, 0};
    case 5:
      return {Act::kSigmoid, 0, 0, 0};
    case 6:
      return {Act::kSwish, 1, 0, 0};
    case 7:
      return {Act::kGelu, 0, 0, 0};
    default:
      return {};
  }
}

}  // namespace

RandomEpilogue::RandomEpilogue(int64_t rows, int64_t columns, int64_t rows_per_image, float* result)
    : rows(rows), columns(columns) {
  epilogue.rows_per_image = rows_per_image;
  if (Pick(0, 2) > 0) {
    bias = RandomFloats(columns);
    epilogue.bias = bias.data();
  }
  epilogue.act = RandomActivation();
  const int64_t images = rows_per_image > 0 ? (rows + rows_per_image - 1) / rows_per_image : 1;
  const int64_t image_rows = rows_per_image > 0 ? rows_per_image : rows;
  const int64_t count = Pick(0, 1) == 0 ? 0 : Pick(1, 3);
  for (int64_t i = 0; i < count; ++i) {
    EpilogueStep step;
    const bool slopes = i == 0 && Pick(0, 5) == 0;  // of channels, right behind the sums
    if (slopes) epilogue.act = {};
    if (!slopes && Pick(0, 3) == 0) {
      step.act = RandomActivation();
      steps.push_back(step);
      continue;
    }
    step.op =
        OneOf({EpilogueStep::kAdd, EpilogueStep::kSub, EpilogueStep::kRsub, EpilogueStep::kMul,
               EpilogueStep::kDiv, EpilogueStep::kMax, EpilogueStep::kMin, EpilogueStep::kPrelu});
    if (slopes) step.op = EpilogueStep::kPrelu;
    const int64_t kind = Pick(0, 4);
    if (kind == 0 && !slopes && residual.empty()) {  // the result's own memory
      residual = RandomFloats(rows * columns, 1, 2);
      std::copy(residual.begin(), residual.end(), result);
      step.data = result;
      step.image_stride = image_rows * columns;
      step.row_stride = columns;
      step.col_stride = 1;
    } else {
      const int64_t per_image = slopes ? 0 : Pick(0, 1), per_row = slopes ? 0 : Pick(0, 1);
      step.col_stride = Pick(0, 1);
      const int64_t width = step.col_stride ? columns : 1;
      step.row_stride = per_row * width;
      step.image_stride = per_image * width * (per_row ? image_rows : 1);
      operands.push_back(RandomFloats(images * image_rows * columns, 0.5, 2));
      step.data = operands.back().data();
    }
    steps.push_back(step);
  }
  epilogue.steps = steps.data();
  epilogue.step_count = static_cast<int>(steps.size());
}

void RandomEpilogue::Apply(std::vector<double>* values) const {
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t per_image = epilogue.rows_per_image > 0 ? epilogue.rows_per_image : rows;
    for (int64_t j = 0; j < columns; ++j) {
      double& v = (*values)[r * columns + j];
      if (epilogue.bias != nullptr) v += bias[j];
      v = Activate(epilogue.act, v);
      for (const EpilogueStep& step : steps) {
        if (step.op == EpilogueStep::kAct) {
          v = Activate(step.act, v);
          continue;
        }
        const int64_t at = r / per_image * step.image_stride + r % per_image * step.row_stride +
                           j * step.col_stride;
        const bool own = !residual.empty() && step.row_stride == columns &&
                         std::none_of(operands.begin(), operands.end(),
                                      [&](const auto& o) { return o.data() == step.data; });
        const double d = own ? residual[at] : step.data[at];
        switch (step.op) {
          case EpilogueStep::kAdd:
            v += d;
            break;
          case EpilogueStep::kSub:
            v -= d;
            break;
          case EpilogueStep::kRsub:
            v = d - v;
            break;
          case EpilogueStep::kMul:
            v *= d;
            break;
          case EpilogueStep::kDiv:
            v /= d;
            break;
          case EpilogueStep::kRdiv:
            v = d / v;
            break;
          case EpilogueStep::kMax:
            v = std::max(v, d);
            break;
          case EpilogueStep::kMin:
            v = std::min(v, d);
            break;
          case EpilogueStep::kPrelu:
            v *= v < 0 ? d : 1;
            break;
          case EpilogueStep::kAct:
            break;
        }
      }
    }
  }
}

std::string RandomEpilogue::Describe() const {
  std::string text = bias.empty() ? "" : " bias";
  text += " act" + std::to_string(static_cast<int>(epilogue.act.kind));
  for (const EpilogueStep& s : steps) {
    text += " op" + std::to_string(s.op) + "(" + std::to_string(s.image_stride) + "," +
            std::to_string(s.row_stride) + "," + std::to_string(s.col_stride) + ")";
  }
  return text;
}

}  // namespace paddle::lite::math::test

// usage: math_tests [seed] [name part]
int main(int argc, char** argv) {
  using namespace paddle::lite::math;
  using namespace paddle::lite::math::test;
  if (argc > 1) Random().seed(static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)));
  const char* wanted = std::getenv("LITE_ISA");
  std::printf("instruction set %s\n", IsaName());
  // The caller must ask for a level that this machine has: else nothing new would be tested.
  if (wanted != nullptr && std::strcmp(wanted, IsaName()) != 0) return 77;
  for (const Case& test : Cases()) {
    if (argc > 2 && std::strstr(test.name, argv[2]) == nullptr) continue;
    const int before = failures;
    test.run();
    std::printf("%s %s\n", failures == before ? "ok    " : "FAILED", test.name);
  }
  std::printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}
