// A plan as the entries of a cache.
#include <algorithm>
#include <cstring>

#include "lite/nnadapter/runtime/compilation.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

// Programs and tensors that a cache may hold; a real one has far fewer.
constexpr uint64_t kMaxPrograms = 1 << 16;

std::string Key(size_t program, const char* what) {
  return "cache_" + std::to_string(program) + "_" + what;
}

template <typename T>
std::vector<uint8_t> BytesOf(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<uint8_t> BytesOf(const std::string& text) { return {text.begin(), text.end()}; }

// Pointers mean nothing in a file.
std::vector<NNAdapterOperandType> WithoutPointers(std::vector<NNAdapterOperandType> types) {
  for (NNAdapterOperandType& type : types) {
    if (!IsPerChannel(PrecisionOf(type))) continue;
    type.symm_per_channel_params.scales = nullptr;
    type.symm_per_channel_params.scale_count = 0;
  }
  return types;
}

class Reader {
 public:
  explicit Reader(CacheEntries entries) : entries_(std::move(entries)) {}

  bool Has(const std::string& key) const { return entries_.count(key) != 0; }
  // Empty where the key is missing: empty lists are not written by every writer.
  template <typename T>
  std::vector<T> List(const std::string& key) const {
    auto found = entries_.find(key);
    if (found == entries_.end()) return {};
    const std::vector<uint8_t>& bytes = found->second;
    if (bytes.size() % sizeof(T) != 0) {
      FailParameter("the cache is damaged: ", key, " has ", bytes.size(), " bytes");
    }
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::vector<NNAdapterOperandType> Types(const std::string& key) const {
    auto types = List<NNAdapterOperandType>(key);
    for (const NNAdapterOperandType& type : types) {
      try {
        CheckType(type, /*scales_readable=*/false);
      } catch (const Error& error) {
        FailParameter("the cache is damaged: ", key, ": ", error.what());
      }
    }
    return WithoutPointers(std::move(types));
  }
  std::vector<uint8_t> Take(const std::string& key) {
    auto found = entries_.find(key);
    if (found == entries_.end()) FailParameter("the cache has no ", key);
    return std::move(found->second);
  }

 private:
  CacheEntries entries_;
};

const DeviceContext* FindDevice(const Context& context, const std::string& name) {
  for (const auto& device : context.devices())
    if (device->name() == name) return device.get();
  FailParameter("the cache holds a program for device '", name, "', which the context has not");
}

// Old containers of one program hold no indexes.
std::vector<int32_t> Indexes(const Reader& reader, const std::string& key, size_t count,
                             uint64_t programs) {
  std::vector<int32_t> indexes = reader.List<int32_t>(key);
  if (indexes.empty() && programs == 1) {
    for (size_t i = 0; i < count; ++i) indexes.push_back(-1 - static_cast<int32_t>(i));
  }
  if (indexes.size() != count) {
    FailParameter("the cache is damaged: ", key, " has ", indexes.size(), " numbers for ", count,
                  " types");
  }
  return indexes;
}

}  // namespace

CacheEntries EncodePlan(const Plan& plan, const std::string& fingerprint) {
  CacheEntries entries;
  entries["input_types"] = BytesOf(WithoutPointers(plan.input_types));
  entries["output_types"] = BytesOf(WithoutPointers(plan.output_types));
  entries["num_caches"] = BytesOf(std::vector<uint64_t>{plan.programs.size()});
  entries["fingerprint"] = BytesOf(fingerprint);
  for (size_t i = 0; i < plan.programs.size(); ++i) {
    const Program& program = *plan.programs[i];
    entries[Key(i, "device_name")] = BytesOf(program.device->name());
    entries[Key(i, "input_types")] = BytesOf(WithoutPointers(program.cache.input_types));
    entries[Key(i, "output_types")] = BytesOf(WithoutPointers(program.cache.output_types));
    entries[Key(i, "input_indexes")] = BytesOf(program.input_indexes);
    entries[Key(i, "output_indexes")] = BytesOf(program.output_indexes);
    entries[Key(i, "model_buffer")] = program.cache.buffer;
  }
  return entries;
}

Plan DecodePlan(CacheEntries entries, const Context& context) {
  Reader reader(std::move(entries));
  Plan plan;
  plan.input_types = reader.Types("input_types");
  plan.output_types = reader.Types("output_types");
  const auto counts = reader.List<uint64_t>("num_caches");
  if (counts.size() != 1 || counts[0] == 0 || counts[0] > kMaxPrograms) {
    FailParameter("the cache is damaged: num_caches is no number of programs");
  }
  int32_t passing = 0;
  for (size_t i = 0; i < counts[0]; ++i) {
    const std::vector<uint8_t> name = reader.Take(Key(i, "device_name"));
    auto program =
        std::make_unique<Program>(FindDevice(context, std::string(name.begin(), name.end())));
    program->cache.input_types = reader.Types(Key(i, "input_types"));
    program->cache.output_types = reader.Types(Key(i, "output_types"));
    program->input_indexes =
        Indexes(reader, Key(i, "input_indexes"), program->cache.input_types.size(), counts[0]);
    program->output_indexes =
        Indexes(reader, Key(i, "output_indexes"), program->cache.output_types.size(), counts[0]);
    program->cache.buffer = reader.Take(Key(i, "model_buffer"));
    if (program->cache.buffer.empty()) FailParameter("the cache holds an empty program");
    passing += static_cast<int32_t>(program->output_indexes.size());
    plan.programs.push_back(std::move(program));
  }
  plan.passing_precisions.assign(static_cast<size_t>(passing), kUnknownPrecision);
  CheckPlan(plan);
  return plan;
}

void CheckElementSizes(const Plan& plan) {
  for (const auto& program : plan.programs) {
    for (size_t i = 0; i < program->input_indexes.size(); ++i) {
      const int32_t index = program->input_indexes[i];
      if (index >= 0) continue;
      const NNAdapterOperandType& given = plan.input_types[-1 - index];
      if (PrecisionSize(PrecisionOf(program->cache.input_types[i])) >
          PrecisionSize(PrecisionOf(given))) {
        FailParameter("the cache is damaged: a program reads input ", -1 - index,
                      " as another type than ", TypeText(given));
      }
    }
    for (size_t i = 0; i < program->output_indexes.size(); ++i) {
      const int32_t index = program->output_indexes[i];
      if (index >= 0) continue;
      const NNAdapterOperandType& promised = plan.output_types[-1 - index];
      if (PrecisionSize(PrecisionOf(program->cache.output_types[i])) !=
          PrecisionSize(PrecisionOf(promised))) {
        FailParameter("the cache is damaged: a program writes output ", -1 - index,
                      " as another type than ", TypeText(promised));
      }
    }
  }
}

void CheckPlan(const Plan& plan) {
  const auto inputs = static_cast<int64_t>(plan.input_types.size());
  const auto outputs = static_cast<int64_t>(plan.output_types.size());
  std::vector<bool> output_written(plan.output_types.size(), false);
  std::vector<bool> passing_written(plan.passing_precisions.size(), false);
  const auto require = [](bool condition, const char* what) {
    if (!condition) FailParameter("the programs do not fit together: ", what);
  };
  require(outputs > 0, "there is no output");
  for (const auto& program : plan.programs) {
    for (const int64_t index : program->input_indexes) {
      if (index < 0) {
        require(-1 - index < inputs, "an input of the model that it has not");
      } else if (index >= kShared) {
        require(index - kShared < outputs && output_written[index - kShared],
                "an output of the model is read before it is written");
      } else {
        require(static_cast<size_t>(index) < passing_written.size() && passing_written[index],
                "a tensor is read before it is written");
      }
    }
    for (const int64_t index : program->output_indexes) {
      if (index < 0) {
        require(-1 - index < outputs && !output_written[-1 - index],
                "an output of the model that it has not, or that is written twice");
        output_written[-1 - index] = true;
      } else {
        require(static_cast<size_t>(index) < passing_written.size() && !passing_written[index],
                "a tensor is written twice");
        passing_written[index] = true;
      }
    }
  }
  for (const bool written : output_written) require(written, "an output is never written");
}

}  // namespace nnadapter::runtime
