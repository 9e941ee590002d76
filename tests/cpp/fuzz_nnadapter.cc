// Hostile input for the NNAdapter runtime: damaged caches, property strings, drivers that answer
// nonsense, calls of the C API in any order with any handle. Every call returns one of the API's
// codes, and what succeeds computes the right numbers.
//
//   fuzz_nnadapter [--seed N] [--count N]
//
// Without --seed every run takes another one, and prints it. Exits with 1 on a violation.
#include <unistd.h>

#include <cstdlib>
#include <random>

#include "lite/nnadapter/runtime/cache.h"
#include "tests/cpp/nnadapter_probe.h"
#include "tests/cpp/watch.h"

namespace paddle::lite::testing {
namespace {

using nnadapter::runtime::CacheEntries;

constexpr const char kSplit[] = "PROBE_TAKES=52,3";

struct Fuzzer {
  std::mt19937_64 random;
  uint64_t accepted = 0, refused = 0, violations = 0;

  uint64_t Below(uint64_t limit) { return random() % limit; }
  template <typename T, size_t N>
  const T& Pick(const T (&choices)[N]) {
    return choices[Below(N)];
  }
  // Every result code passes here.
  bool Code(int code) {
    if (code < NNADAPTER_NO_ERROR || code > NNADAPTER_FEATURE_NOT_SUPPORTED) ++violations;
    if (code != NNADAPTER_NO_ERROR && NNAdapter_getLastErrorMessage()[0] == '\0') ++violations;
    ++(code == NNADAPTER_NO_ERROR ? accepted : refused);
    return code == NNADAPTER_NO_ERROR;
  }
};

// Compiles and runs; `must_succeed` where a model is there to fall back to.
void Use(Fuzzer* fuzzer, NNAdapterModel* model, const std::vector<uint8_t>& cache,
         const std::string& properties, bool must_succeed) {
  NNAdapterContext* context = MakeContext(properties);
  NNAdapterCompilation* compilation = nullptr;
  bool right = false;
  const bool ran = fuzzer->Code(NNAdapterCompilation_create(
                       model, "t", const_cast<uint8_t*>(cache.data()),
                       static_cast<uint32_t>(cache.size()), "", context, &compilation)) &&
                   fuzzer->Code(NNAdapterCompilation_finish(compilation)) &&
                   fuzzer->Code(RunDiamond(compilation, 3, &right));
  if (must_succeed && (!ran || !right)) ++fuzzer->violations;
  NNAdapterCompilation_destroy(compilation);
  NNAdapterContext_destroy(context);
}

std::vector<uint8_t> Damage(Fuzzer* fuzzer, std::vector<uint8_t> bytes) {
  if (fuzzer->Below(4) == 0) {
    bytes.resize(fuzzer->Below(bytes.size() + 1));
    for (uint64_t i = fuzzer->Below(4); i > 0 && !bytes.empty(); --i)
      bytes[fuzzer->Below(bytes.size())] = static_cast<uint8_t>(fuzzer->random());
    return bytes;
  }
  // Under a right checksum.
  CacheEntries entries = nnadapter::runtime::UnpackCache(bytes.data(), bytes.size());
  for (uint64_t i = fuzzer->Below(3) + 1; i > 0 && !entries.empty(); --i) {
    auto entry = std::next(entries.begin(), static_cast<long>(fuzzer->Below(entries.size())));
    std::vector<uint8_t>& value = entry->second;
    const uint64_t kind = fuzzer->Below(8);
    if (kind == 0) {
      entries.erase(entry);
    } else if (kind == 1) {
      value.resize(fuzzer->Below(value.size() * 2 + 2));
    } else if (value.size() >= 4) {
      const int32_t numbers[] = {0, 1, -1, 2, 8, 9, 25, 1 << 30, INT32_MAX, INT32_MIN, -65535};
      const int32_t number = fuzzer->Pick(numbers);
      std::memcpy(&value[fuzzer->Below(value.size() / 4) * 4], &number, sizeof(number));
    }
  }
  return nnadapter::runtime::PackCache(entries);
}

// The bytes of a split diamond's cache.
std::vector<uint8_t> MakeCache(NNAdapterModel* model) {
  char folder[] = "/tmp/fuzz_nnadapter_XXXXXX";
  if (!mkdtemp(folder)) return {};
  NNAdapterContext* context = MakeContext(kSplit);
  NNAdapterCompilation* compilation = nullptr;
  NNAdapterCompilation_create(model, "t", nullptr, 0, folder, context, &compilation);
  NNAdapterCompilation_finish(compilation);
  NNAdapterCompilation_destroy(compilation);
  NNAdapterContext_destroy(context);
  const std::string path = nnadapter::runtime::CachePath(folder, "t");
  const auto bytes = nnadapter::runtime::ReadCacheFile(path);
  unlink(path.c_str());
  rmdir(folder);
  return bytes.value_or(std::vector<uint8_t>());
}

void FuzzCache(Fuzzer* fuzzer, NNAdapterModel* model, const std::vector<uint8_t>& cache) {
  const std::vector<uint8_t> damaged = Damage(fuzzer, cache);
  if (damaged.empty()) return;
  Use(fuzzer, nullptr, damaged, kSplit, false);
  Use(fuzzer, model, damaged, std::string(kSplit) + ";a=b", true);
}

void FuzzDriver(Fuzzer* fuzzer, NNAdapterModel* model) {
  static const char* const kFaults[] = {
      "context_throws", "context_99",     "validate_throws",    "validate_99", "validate_6",
      "validate_7",     "create_throws",  "create_throws_int",  "create_99",   "create_null",
      "create_2",       "execute_throws", "execute_throws_int", "execute_-1",  "execute_2",
      "dims_negative",  "dims_unknown",   "dims_rank",          "dims_huge",   "dims_null",
      "no_output",      "destroy_throws", "restore_5",          "none"};
  std::string properties = std::string("PROBE_FAULT=") + fuzzer->Pick(kFaults);
  if (fuzzer->Below(2)) properties += std::string(";") + kSplit;
  Use(fuzzer, model, {}, properties, false);
}

void FuzzProperties(Fuzzer* fuzzer) {
  static const char* const kParts[] = {"a",  "=",     ";", "PROBE_FAULT", "SUPPORTED_OPERATIONS",
                                       "\n", "ADD,,", " ", "\xff",        "PROBE_TAKES=52"};
  std::string text;
  for (uint64_t i = fuzzer->Below(12); i > 0; --i) text += fuzzer->Pick(kParts);
  NNAdapterDevice* device = nullptr;
  NNAdapterContext* context = nullptr;
  NNAdapterDevice_acquire(kProbes[0], &device);
  // The probe itself reads its list with std::stoi: that throws, too.
  fuzzer->Code(NNAdapterContext_create(&device, 1, text.c_str(), nullptr, &context));
  NNAdapterContext_destroy(context);
  NNAdapterDevice_release(device);
}

// Handles of all kinds, live and dead, in calls of all kinds.
class Calls {
 public:
  explicit Calls(Fuzzer* fuzzer) : fuzzer_(*fuzzer) {
    handles_ = {nullptr, reinterpret_cast<void*>(uintptr_t{0x1230}), MakeModel()};
  }
  ~Calls() {
    for (void* handle : handles_) {
      NNAdapterModel_destroy(static_cast<NNAdapterModel*>(handle));
      NNAdapterContext_destroy(static_cast<NNAdapterContext*>(handle));
      NNAdapterCompilation_destroy(static_cast<NNAdapterCompilation*>(handle));
      NNAdapterExecution_destroy(static_cast<NNAdapterExecution*>(handle));
      NNAdapterDevice_release(static_cast<NNAdapterDevice*>(handle));
    }
  }

  void Next();

 private:
  static void* MakeModel() {
    NNAdapterModel* model = nullptr;
    NNAdapterModel_create(&model);
    return model;
  }
  // Recent handles mostly, so that calls often fit together.
  template <typename Handle>
  Handle* Any() {
    const size_t size = handles_.size();
    const size_t recent = fuzzer_.Below(4) ? std::min<size_t>(size, 8) : size;
    return static_cast<Handle*>(handles_[size - 1 - fuzzer_.Below(recent)]);
  }
  std::vector<NNAdapterOperand*> Operands() {
    std::vector<NNAdapterOperand*> list(fuzzer_.Below(4));
    for (NNAdapterOperand*& operand : list)
      operand = operands_.empty() || fuzzer_.Below(12) == 0
                    ? nullptr
                    : operands_[operands_.size() - 1 -
                                fuzzer_.Below(std::min<size_t>(operands_.size(), 6))];
    return list;
  }
  void Keep(void* handle) {
    if (handle) handles_.push_back(handle);
  }
  void AddOperand();
  void AddOperation();

  Fuzzer& fuzzer_;
  std::vector<void*> handles_;
  std::vector<NNAdapterOperand*> operands_;
};

void Calls::AddOperand() {
  static const int32_t kDims[] = {0, 1, 2, 3, -1, NNADAPTER_UNKNOWN, INT32_MAX};
  NNAdapterOperandType type = TypeOf(NNADAPTER_FLOAT32, {});
  const int32_t precision =
      fuzzer_.Below(6) ? NNADAPTER_FLOAT32 : static_cast<int32_t>(fuzzer_.Below(40)) - 2;
  std::memcpy(&type.precision, &precision, sizeof(precision));
  type.dimensions.count = static_cast<uint32_t>(fuzzer_.Below(20) ? fuzzer_.Below(4) : 1000);
  for (int32_t& extent : type.dimensions.data) extent = fuzzer_.Below(5) ? 2 : fuzzer_.Pick(kDims);
  type.dimensions.dynamic_count = static_cast<uint32_t>(fuzzer_.Below(10) ? 0 : fuzzer_.Below(12));
  NNAdapterOperand* operand = nullptr;
  fuzzer_.Code(NNAdapterModel_addOperand(Any<NNAdapterModel>(), &type, &operand));
  if (operand) operands_.push_back(operand);
}

void Calls::AddOperation() {
  std::vector<NNAdapterOperand*> inputs = Operands(), outputs = Operands();
  NNAdapterOperation* operation = nullptr;
  const auto type = static_cast<NNAdapterOperationType>(fuzzer_.Below(2) ? uint64_t{NNADAPTER_RELU}
                                                                         : fuzzer_.Below(98));
  fuzzer_.Code(NNAdapterModel_addOperation(
      Any<NNAdapterModel>(), type, static_cast<uint32_t>(inputs.size()), inputs.data(),
      static_cast<uint32_t>(outputs.size()), outputs.data(), &operation));
}

void Calls::Next() {
  static std::vector<uint8_t> bytes(256, 1);
  NNAdapterDevice* device = nullptr;
  NNAdapterContext* context = nullptr;
  NNAdapterCompilation* compilation = nullptr;
  NNAdapterExecution* execution = nullptr;
  HostTensor tensor{{2, 2}, std::vector<float>(4, 1)};
  switch (fuzzer_.Below(15)) {
    case 0:
      return Keep(MakeModel());
    case 1:
    case 2:
      return AddOperand();
    case 3:
    case 4:
      return AddOperation();
    case 5: {
      auto list = Operands();
      if (list.empty()) return;
      // Never freed while a model may refer to it: `bytes` is static.
      fuzzer_.Code(NNAdapterModel_setOperandValue(
          list[0], bytes.data(), static_cast<uint32_t>(fuzzer_.Below(5) * 8), fuzzer_.Below(2)));
      return;
    }
    case 6: {
      auto inputs = Operands(), outputs = Operands();
      fuzzer_.Code(NNAdapterModel_identifyInputsAndOutputs(
          Any<NNAdapterModel>(), static_cast<uint32_t>(inputs.size()), inputs.data(),
          static_cast<uint32_t>(outputs.size()), outputs.data()));
      return;
    }
    case 7:
      fuzzer_.Code(NNAdapterModel_finish(Any<NNAdapterModel>()));
      return;
    case 8:
      fuzzer_.Code(NNAdapterDevice_acquire(fuzzer_.Pick(kProbes), &device));
      return Keep(device);
    case 9:
      device = Any<NNAdapterDevice>();
      fuzzer_.Code(NNAdapterContext_create(&device, 1, nullptr, nullptr, &context));
      return Keep(context);
    case 10:
      fuzzer_.Code(NNAdapterCompilation_create(Any<NNAdapterModel>(), nullptr, nullptr, 0, nullptr,
                                               Any<NNAdapterContext>(), &compilation));
      return Keep(compilation);
    case 11:
      fuzzer_.Code(NNAdapterCompilation_finish(Any<NNAdapterCompilation>()));
      return;
    case 12:
      fuzzer_.Code(NNAdapterExecution_create(Any<NNAdapterCompilation>(), &execution));
      return Keep(execution);
    case 13:
      execution = Any<NNAdapterExecution>();
      fuzzer_.Code(NNAdapterExecution_setInput(execution, 0, &tensor, ReadTensor));
      fuzzer_.Code(NNAdapterExecution_setOutput(execution, 0, &tensor, WriteTensor));
      fuzzer_.Code(NNAdapterExecution_compute(execution));
      return;
    default:
      if (fuzzer_.Below(3)) return;
      NNAdapterModel_destroy(Any<NNAdapterModel>());
      NNAdapterContext_destroy(Any<NNAdapterContext>());
      NNAdapterCompilation_destroy(Any<NNAdapterCompilation>());
  }
}

int Main(int argc, char** argv) {
  uint64_t seed = std::random_device{}(), count = 10000;
  for (int i = 1; i + 1 < argc; i += 2)
    (std::string(argv[i]) == "--seed" ? seed : count) = std::strtoull(argv[i + 1], nullptr, 10);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  RegisterProbes();
  WatchProcess();
  Fuzzer fuzzer;
  NNAdapterModel* model = MakeDiamond();
  const std::vector<uint8_t> cache = MakeCache(model);
  if (cache.empty()) return 1;
  for (uint64_t number = 0; number < count; ++number) {
    fuzzer.random.seed(seed + number);
    BeginInput(seed, number, "nnadapter");
    const uint64_t before = fuzzer.violations;
    const uint64_t kind = fuzzer.Below(8);
    if (kind < 3) {
      FuzzCache(&fuzzer, model, cache);
    } else if (kind < 5) {
      FuzzDriver(&fuzzer, model);
    } else if (kind < 6) {
      FuzzProperties(&fuzzer);
    } else {
      Calls calls(&fuzzer);
      for (uint64_t i = fuzzer.Below(60); i > 0; --i) calls.Next();
    }
    EndInput();
    if (fuzzer.violations > before)
      std::fprintf(stderr, "violation: --seed %llu --count 1\n",
                   static_cast<unsigned long long>(seed + number));
  }
  std::printf("%llu calls accepted, %llu refused, %llu violations\n",
              static_cast<unsigned long long>(fuzzer.accepted),
              static_cast<unsigned long long>(fuzzer.refused),
              static_cast<unsigned long long>(fuzzer.violations));
  Use(&fuzzer, model, {}, kSplit, true);
  NNAdapterModel_destroy(model);
  return fuzzer.violations == 0 && fuzzer.accepted > count / 10 ? 0 : 1;
}

}  // namespace
}  // namespace paddle::lite::testing

int main(int argc, char** argv) { return paddle::lite::testing::Main(argc, argv); }
