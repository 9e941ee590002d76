#include "lite/nnadapter/device_test/bench.h"

#include "lite/nnadapter/device_test/compare.h"
#include "lite/nnadapter/device_test/execute.h"
#include "lite/nnadapter/device_test/model.h"
#include "nnadapter/hal/names.h"

namespace device_test {
namespace {

std::string ErrorText(const std::string& function, int code) {
  const char* known = nnadapter::hal::ResultCodeName(code);
  const std::string name = known != nullptr ? known : "code " + std::to_string(code);
  const std::string said = NNAdapter_getLastErrorMessage();
  return function + ": " + name + (said.empty() ? "" : ": " + said);
}

std::string Compared(const Case& given, const std::vector<Found>& results) {
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string text =
        Difference(results[i], given.expected[i], given.tolerance, given.levels);
    if (!text.empty())
      return results.size() > 1 ? "output " + std::to_string(i) + ": " + text : text;
  }
  return "";
}

}  // namespace

ApiError::ApiError(const std::string& function, int code)
    : std::runtime_error(ErrorText(function, code)), code(code) {}

Bench::Bench(const std::string& device, const std::string& properties) {
  int code = NNAdapterDevice_acquire(device.c_str(), &device_);
  if (code) throw ApiError("NNAdapterDevice_acquire", code);
  code = NNAdapterContext_create(&device_, 1, properties.c_str(), nullptr, &context_);
  if (!code) return;
  const ApiError error("NNAdapterContext_create", code);
  NNAdapterDevice_release(device_);
  throw error;
}

Bench::~Bench() {
  NNAdapterContext_destroy(context_);
  NNAdapterDevice_release(device_);
}

Verdict Bench::Run(const Case& given, const std::function<void(const char*)>& stage) {
  stage("the runtime built the model");
  std::unique_ptr<Model> model;
  try {
    model = std::make_unique<Model>(given);
  } catch (const ApiError& error) {
    return {Outcome::kFailed, std::string("the runtime refuses the model: ") + error.what()};
  }
  stage("it was asked (validate_program)");
  const Model::Answer answer = model->Ask(context_);
  if (answer.asked && !answer.taken) return {Outcome::kNotTaken, answer.why};
  stage("it compiled (create_program)");
  std::unique_ptr<Execution> execution;
  try {
    execution = std::make_unique<Execution>(*model, context_);
  } catch (const ApiError& error) {
    // A device that cannot be asked has no other way to say no.
    const bool refused = !answer.asked || error.code == NNADAPTER_FEATURE_NOT_SUPPORTED;
    return {refused ? Outcome::kNotTaken : Outcome::kFailed, error.what()};
  }
  std::string why;
  for (const bool again : {false, true}) {
    stage(again ? "it ran again (execute_program)" : "it ran (execute_program)");
    std::string text = Compared(given, execution->Run());
    if (text.empty()) text = execution->ChangedInputs();
    if (text.empty()) continue;
    why = again ? "second run: " + text : text;
    break;
  }
  stage("it released the program (destroy_program)");
  execution.reset();
  return {why.empty() ? Outcome::kPassed : Outcome::kFailed, why};
}

}  // namespace device_test
