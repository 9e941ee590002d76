// A slot that the operator does not declare is an error that names operator and slot, in whatever
// way a shape function or a kernel asks for it.
#include "lite/core/infer_context.h"

#include <functional>

#include "lite/core/kernel.h"
#include "tests/cpp/check.h"

namespace paddle::lite {
namespace {

std::string MessageOf(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const LiteError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void Run() {
  OpInfo info("add_two");
  info.Input("X").Output("Out").Attr<float>("alpha", 1.0f);
  const OpLite op(&info, {{"X", {0}}}, {{"Out", {1}}}, {});
  const TensorMeta meta{{2, 3}, DataType::kFP32, {}};
  const std::vector<std::vector<const TensorMeta*>> metas{{&meta}};
  const std::vector<std::vector<const Tensor*>> known{{nullptr}};
  std::vector<std::vector<TensorMeta>> outputs{{{}}};
  InferContext infer(op, metas, known, &outputs);
  KernelContext kernel(op);

  const std::string input = "add_two declares no input x",
                    output = "add_two declares no output out";
  CHECK(infer.Dims("X") == meta.dims);
  CHECK(MessageOf([&] { infer.Input("x"); }) == input);
  CHECK(MessageOf([&] { infer.Dims("x"); }) == input);
  CHECK(MessageOf([&] { infer.HasInput("x"); }) == input);
  CHECK(MessageOf([&] { infer.InputCount("x"); }) == input);
  CHECK(MessageOf([&] { infer.IntValues("x"); }) == input);
  CHECK(MessageOf([&] { infer.IntList("x"); }) == input);
  CHECK(MessageOf([&] { infer.FloatValues("x"); }) == input);
  CHECK(MessageOf([&] { infer.NumberValue("x"); }) == input);
  CHECK(MessageOf([&] { infer.HasOutput("out"); }) == output);
  CHECK(MessageOf([&] { infer.SetOutput("out", {1}, DataType::kFP32); }) == output);
  CHECK(MessageOf([&] { infer.Input("X", 1); }) == "input X[1] is absent");
  CHECK(MessageOf([&] { kernel.Input("x"); }) == input);
  CHECK(MessageOf([&] { kernel.InputCount("x"); }) == input);
  CHECK(MessageOf([&] { kernel.HasOutput("out"); }) == output);
  CHECK(MessageOf([&] { op.Input("x"); }) == input);
  CHECK(MessageOf([&] { op.Attr<float>("Alpha"); }) == "add_two declares no attribute Alpha");
}

}  // namespace
}  // namespace paddle::lite

int main() {
  paddle::lite::Run();
  return paddle::lite::testing::g_failures == 0 ? 0 : 1;
}
