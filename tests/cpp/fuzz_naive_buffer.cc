// Damaged `.nb` files must be read, or refused with a LiteError: no crash, no hang, no read out of
// bounds, no allocation beyond max(4 x the file's size, 16 MB). A file that is read is also built
// into a predictor and run.
//
//   fuzz_naive_buffer [--seed N] [--count N] [--first NUMBER] [--only NUMBER] [--save FILE]
//   [BASE.nb
//   ...]
//
// One half of the mutants have damaged bytes, the other half are sound files of damaged programs.
// Without --seed every run takes another one, and prints it. Exits with 1 on a violation.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "lite/api/light_predictor.h"
#include "lite/core/memory.h"
#include "lite/core/naive_buffer.h"
#include "lite/kernels/control_flow/loop_limit.h"
#include "tests/cpp/mutate.h"
#include "tests/cpp/mutate_program.h"
#include "tests/cpp/nb_encode.h"
#include "tests/cpp/nb_samples.h"
#include "tests/cpp/watch.h"

namespace paddle::lite::testing {
namespace {

constexpr size_t kMemoryLimit = size_t{64} << 20, kLargestInput = size_t{16} << 20;

struct Options {
  uint64_t seed = std::random_device{}() | uint64_t{std::random_device{}()} << 32;
  uint64_t first = 0, count = 20000;
  int64_t only = -1;
  bool read_only = false;
  std::string save;  // where the last mutant is written
  std::vector<std::string> files;
};

struct Totals {
  uint64_t refused = 0, built = 0, ran = 0, violations = 0;
  size_t most_allocated = 0;
};

Options ParseOptions(int argc, char** argv) {
  Options options;
  const auto number = [&](int* i) {
    if (++*i >= argc) std::exit((std::fprintf(stderr, "%s needs a number\n", argv[*i - 1]), 2));
    return std::strtoull(argv[*i], nullptr, 10);
  };
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seed")
      options.seed = number(&i);
    else if (argument == "--count")
      options.count = number(&i);
    else if (argument == "--first")
      options.first = number(&i);
    else if (argument == "--only")
      options.only = static_cast<int64_t>(number(&i));
    else if (argument == "--save" && ++i < argc)
      options.save = argv[i];
    else if (argument == "--read-only")
      options.read_only = true;
    else
      options.files.push_back(argument);
  }
  return options;
}

struct Bases {
  std::vector<std::string> names, bytes;
  std::vector<NaiveBufferModel> models;
  void Add(const std::string& name, const std::string& content) {
    names.push_back(name);
    bytes.push_back(content);
    // Bases are sound: an error ends the fuzzer.
    models.push_back(ReadNaiveBuffer(reinterpret_cast<const uint8_t*>(content.data()),
                                     content.size(), nullptr, name));
    for (auto& [param, tensor] : models.back().params) {
      Tensor copy;
      copy.CopyDataFrom(tensor);  // `content` does not stay
      tensor = copy;
    }
  }
};

Bases MakeBases(const std::vector<std::string>& files) {
  Bases bases;
  bases.Add("linear, meta 2", FileMeta2(LinearProgram(), LinearParams()));
  bases.Add("linear, aligned", FileMeta2(LinearProgram(), LinearParams(), true));
  bases.Add("linear, meta 1", FileMeta1(LinearProgram(), LinearParams()));
  bases.Add("attributes, meta 2", FileMeta2(EveryAttributeProgram(), EveryParam()));
  bases.Add("attributes, meta 1", FileMeta1(EveryAttributeProgram(), EveryParam()));
  bases.Add("while", FileMeta2(WhileProgram(), {Param<int64_t>("zero", 3, {1}, {0})}));
  for (const std::string& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(file)), {});
    if (content.empty()) std::exit((std::fprintf(stderr, "cannot read %s\n", path.c_str()), 2));
    bases.Add(path, content);
  }
  return bases;
}

class Fuzzer {
 public:
  explicit Fuzzer(const Options& options) : options_(options), bases_(MakeBases(options.files)) {}

  Totals Run() {
    const uint64_t begin =
        options_.only < 0 ? options_.first : static_cast<uint64_t>(options_.only);
    const uint64_t end = options_.only < 0 ? begin + options_.count : begin + 1;
    for (number_ = begin; number_ < end; ++number_) {
      // Every mutant depends on the seed and its number alone.
      Random random(options_.seed * 0x2545f4914f6cdd1du + number_);
      const size_t base = random.Below(bases_.bytes.size());
      base_ = bases_.names[base].c_str();
      BeginInput(options_.seed, number_, base_);
      const std::string bytes = random.Below(2) == 0 ? Mutator(bases_.bytes, base, &random).Mutate()
                                                     : MutateProgram(base, &random);
      if (!options_.save.empty()) std::ofstream(options_.save, std::ios::binary) << bytes;
      Try(bytes, &random);
      EndInput();
    }
    return totals_;
  }

 private:
  void Violation(const std::string& what) {
    ++totals_.violations;
    std::fprintf(stderr,
                 "violation at mutant %" PRIu64 " (base %s): %s; again: --seed %" PRIu64
                 " --only %" PRIu64 "\n",
                 number_, base_, what.c_str(), options_.seed, number_);
  }

  // Runs `step`; true where it succeeded, false where it threw what it may throw.
  template <typename Step>
  bool Allowed(const char* what, const Step& step) {
    try {
      step();
      return true;
    } catch (const LiteError& error) {
      if (options_.only >= 0) std::printf("%s: %s\n", what, error.what());
      if (std::strlen(error.what()) == 0) Violation(std::string(what) + ": an empty message");
    } catch (const std::bad_alloc&) {
      Violation(std::string(what) + ": memory was asked for that there is not");
    } catch (const std::exception& error) {
      Violation(std::string(what) + ": not a LiteError: " + error.what());
    }
    return false;
  }

  std::string MutateProgram(size_t base, Random* random) const {
    NaiveBufferModel model = bases_.models[base];
    const NaiveBufferModel& other = bases_.models[random->Below(bases_.models.size())];
    ProgramMutator(&model, other, random).Mutate();
    return Encode(model);
  }

  void Try(const std::string& bytes, Random* random) {
    // Of exactly this size, so that a sanitizer sees a step beyond the end.
    std::shared_ptr<uint8_t> copy(new uint8_t[bytes.size()], std::default_delete<uint8_t[]>());
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    TakeAllocations();
    const bool read =
        Allowed("read", [&] { ReadNaiveBuffer(copy.get(), bytes.size(), copy, "mutant"); });
    // A file from the disk is held in memory besides.
    const size_t allocated = TakeAllocations().total + bytes.size();
    totals_.most_allocated = std::max(totals_.most_allocated, allocated);
    if (kCountsAllocations && allocated > std::max<size_t>(4 * bytes.size(), 16'000'000))
      Violation("reading " + std::to_string(bytes.size()) + " bytes allocated " +
                std::to_string(allocated));
    if (!read) {
      ++totals_.refused;
      return;
    }
    if (options_.read_only) return;
    std::shared_ptr<LightPredictor> predictor;
    if (!Allowed("build",
                 [&] { predictor = LightPredictor::FromBuffer(copy.get(), bytes.size(), copy); }))
      return;
    ++totals_.built;
    for (int64_t size : {1, 3})
      if (Allowed("run", [&] { RunOnce(predictor.get(), size, random); })) ++totals_.ran;
    predictor.reset();
    const size_t largest = TakeAllocations().largest_new;
    if (largest > kMemoryLimit)
      Violation("a container of " + std::to_string(largest) +
                " bytes was asked for past the memory limit");
  }

  // Inputs of the declared shapes, with `size` where a dimension is open.
  static void RunOnce(LightPredictor* predictor, int64_t size, Random* random) {
    for (size_t i = 0; i < predictor->inputs().size(); ++i) {
      const VarDesc& desc = predictor->inputs()[i];
      TensorMeta meta;
      for (int64_t dim : desc.dims) meta.dims.push_back(dim < 0 ? size : dim);
      if (random->Below(8) == 0 && !meta.dims.empty())
        meta.dims[static_cast<int>(random->Below(desc.dims.size()))] =
            static_cast<int64_t>(random->Below(5));
      if (IsDataType(desc.data_type)) meta.dtype = static_cast<DataType>(desc.data_type);
      if (!meta.dims.empty()) meta.lod = MakeLoD(meta.dims[0], random);
      Tensor tensor(meta);
      if (tensor.memory_size() > kLargestInput) throw ShapeError("an input that is too large");
      tensor.Allocate(meta.dims, meta.dtype);
      Fill(&tensor, random);
      predictor->SetInput(i, {meta, tensor.raw_data(), tensor.memory_size()});
    }
    predictor->set_threads(1 + static_cast<int>(random->Below(2)));
    predictor->Run();
    for (size_t i = 0; i < predictor->outputs().size(); ++i) {
      const Tensor output = predictor->CopyOutput(i);
      // Every byte is read, so that a sanitizer sees what lies out of bounds.
      const auto* bytes = static_cast<const uint8_t*>(output.raw_data());
      volatile uint8_t sum = 0;
      for (size_t k = 0; k < output.memory_size(); ++k) sum = static_cast<uint8_t>(sum + bytes[k]);
    }
  }

  // None, mostly; else one level of sequences, sometimes of the wrong length.
  static LoD MakeLoD(int64_t rows, Random* random) {
    if (random->Below(2) == 0 || rows > 1000) return {};
    std::vector<uint64_t> level{0};
    while (level.back() < static_cast<uint64_t>(rows) && level.size() < 8)
      level.push_back(level.back() + random->Below(static_cast<size_t>(rows) + 1));
    if (random->Below(4) != 0) level.back() = static_cast<uint64_t>(rows);
    return {level};
  }

  // Small numbers; integers are sometimes far outside of any index.
  static void Fill(Tensor* tensor, Random* random) {
    const size_t count = static_cast<size_t>(tensor->numel()), width = SizeOf(tensor->dtype());
    auto* bytes = static_cast<uint8_t*>(tensor->raw_data());
    for (size_t i = 0; i < count; ++i) {
      int64_t value =
          static_cast<int64_t>(random->Below(tensor->dtype() == DataType::kBool ? 2 : 4));
      if (tensor->dtype() != DataType::kBool && random->Below(256) == 0)
        value = static_cast<int64_t>(random->Next());
      const float number = static_cast<float>(random->Below(200)) / 100 - 1;
      const double wide = number;
      const void* from = &value;
      if (tensor->dtype() == DataType::kFP32) from = &number;
      if (tensor->dtype() == DataType::kFP64) from = &wide;
      std::memcpy(bytes + i * width, from, width);
    }
  }

  const Options options_;
  const Bases bases_;
  Totals totals_;
  uint64_t number_ = 0;
  const char* base_ = "";
};

}  // namespace
}  // namespace paddle::lite::testing

int main(int argc, char** argv) {
  using namespace paddle::lite;
  using namespace paddle::lite::testing;
  const Options options = ParseOptions(argc, argv);
  std::printf("seed %" PRIu64 ", %" PRIu64 " mutants\n", options.seed, options.count);
  std::fflush(stdout);
  WatchProcess();
  SetMemoryLimit(kMemoryLimit);
  SetLoopLimit(2000);
  const auto begin = std::chrono::steady_clock::now();
  const Totals totals = Fuzzer(options).Run();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%.0f mutants/s; %" PRIu64 " refused, %" PRIu64 " built, %" PRIu64
              " runs; at most %zu bytes allocated to read one%s; %" PRIu64 " violations\n",
              static_cast<double>(options.count) / seconds, totals.refused, totals.built,
              totals.ran, totals.most_allocated,
              kCountsAllocations ? "" : " (not counted under a sanitizer)", totals.violations);
  return totals.violations == 0 ? 0 : 1;
}
