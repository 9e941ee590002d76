#include "lite/nnadapter/nnapi/compilation.h"

namespace nnadapter::nnapi {
namespace {

std::string Hex(const uint8_t* bytes, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

bool IsOnly(const std::vector<std::shared_ptr<Device>>& devices, const Device& device) {
  return devices.size() == 1 && devices[0].get() == &device;
}

}  // namespace

Compilation::Compilation(std::shared_ptr<const Model> model,
                         std::vector<std::shared_ptr<Device>> chosen)
    : model_(std::move(model)), chosen_(std::move(chosen)) {
  if (!model_->finished()) FailState("the model is not finished");
}

void Compilation::RequireBuilding() const {
  if (state_ != State::kBuilding) FailState("the compilation is finished");
}

void Compilation::RequireOneDevice() const {
  if (chosen_.size() != 1) FailData("that is for compilations for one chosen device");
}

void Compilation::SetPreference(int32_t preference) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  if (preference < ANEURALNETWORKS_PREFER_LOW_POWER ||
      preference > ANEURALNETWORKS_PREFER_SUSTAINED_SPEED)
    FailData("there is no preference ", preference);
}

void Compilation::SetPriority(int priority) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  if (priority != ANEURALNETWORKS_PRIORITY_LOW && priority != ANEURALNETWORKS_PRIORITY_MEDIUM &&
      priority != ANEURALNETWORKS_PRIORITY_HIGH)
    FailData("there is no priority ", priority);
}

void Compilation::SetTimeout(uint64_t nanoseconds) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  RequireOneDevice();
  timeout_ = nanoseconds;
}

void Compilation::SetCaching(const std::string& dir, const uint8_t* token) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  cache_.dir = dir;
  cache_.token = Hex(token, ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN);
}

void Compilation::Finish() {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  state_ = State::kFailed;  // until all went well
  const Clock::time_point begin = Clock::now();
  Target target;
  std::vector<std::shared_ptr<Device>> devices = chosen_.empty() ? Devices() : chosen_;
  if (chosen_.empty()) {
    bool with_cpu = false;
    for (const auto& device : devices) with_cpu = with_cpu || device == Cpu();
    if (!with_cpu) devices.push_back(Cpu());
    if (!IsOnly(devices, *Cpu()))
      target.fallback = std::make_shared<Context>(std::vector<std::shared_ptr<Device>>{Cpu()});
  }
  target.context = std::make_shared<Context>(devices);
  target.cache = cache_;
  // A client may use one token for two models.
  if (!cache_.token.empty()) target.cache.token += "_" + model_->Digest();
  auto network = std::make_unique<Network>(model_, target);
  if (!network->Prepare())
    for (const std::string& reason : Refusals(*model_, *target.context))
      if (!reason.empty()) FailData(reason);
  const auto taken = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
  if (timeout_ != 0 && static_cast<uint64_t>(taken.count()) > timeout_)
    Fail(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "compiling took ", taken.count(), " ns");
  network_ = std::move(network);
  state_ = State::kFinished;
}

bool Compilation::finished() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return state_ == State::kFinished;
}

const OperandType& Compilation::ArgumentType(uint32_t index, bool output) const {
  if (!finished()) FailState("the compilation is not finished");
  const std::vector<uint32_t>& arguments = output ? model_->outputs() : model_->inputs();
  if (index >= arguments.size())
    FailData("there is no ", output ? "output " : "input ", index, ": there are ",
             arguments.size());
  return model_->operands()[arguments[index]].type;
}

}  // namespace nnadapter::nnapi
