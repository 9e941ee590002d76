#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "lite/nnadapter/runtime/cache.h"
#include "tests/cpp/device_bench.h"
#include "tests/cpp/device_cases.h"
#include "tests/cpp/hostile_hal.h"

namespace paddle::lite::testing {

using nnadapter::runtime::CacheEntries;

struct CacheCases::Base {
  ModelPlan plan;
  bool split = false;
  std::string bytes;
  CacheEntries entries;
};

namespace {

constexpr size_t kBases = 24;

std::vector<NNAdapterDevice*> DevicesOf(Bench* bench, bool split) {
  std::vector<NNAdapterDevice*> devices{bench->Device("builtin_device")};
  if (split) devices.insert(devices.begin(), bench->Device("hostile"));
  return devices;
}

// Flipped bits, odd numbers where numbers stand, pieces that are gone or doubled.
void Damage(std::vector<uint8_t>* bytes, Random* random) {
  static constexpr uint64_t kNumbers[] = {
      0,   1,        2,         3,        7,          8,           9,          24,
      255, 1u << 16, INT32_MAX, 1u << 31, UINT32_MAX, 4294901761u, UINT64_MAX, 1ull << 62};
  for (size_t n = 1 + random->Below(3); n > 0 && !bytes->empty(); --n) {
    const size_t at = random->Below(bytes->size());
    switch (random->Below(8)) {
      case 0:
      case 1:
        (*bytes)[at] = static_cast<uint8_t>((*bytes)[at] ^ (1u << random->Below(8)));
        break;
      case 2:
        bytes->resize(at);
        break;
      case 3:
        bytes->insert(bytes->begin() + static_cast<long>(at), 1 + random->Below(9), 0);
        break;
      case 4: {
        const size_t from = random->Below(bytes->size());
        const size_t count = std::min(random->Below(64), bytes->size() - std::max(from, at));
        std::memmove(&(*bytes)[at], &(*bytes)[from], count);
        break;
      }
      default: {
        const size_t width = random->Below(2) ? 4 : 8, aligned = at - at % width;
        uint64_t number = kNumbers[random->Below(std::size(kNumbers))];
        if (aligned + width > bytes->size()) break;
        if (random->Below(3) == 0) {
          std::memcpy(&number, &(*bytes)[aligned], width);
          number += random->Below(9) - 4;
        }
        std::memcpy(&(*bytes)[aligned], &number, width);
      }
    }
  }
}

}  // namespace

CacheCases::CacheCases() {
  char folder[] = "/tmp/fuzz_devices.XXXXXX";
  if (mkdtemp(folder) == nullptr) std::exit((std::perror("mkdtemp"), 2));
  folder_ = folder;
  // The same files in every run: only their damage depends on the seed.
  for (uint64_t seed = 0; bases_.size() < kBases && seed < 2000; ++seed) {
    Random random(seed);
    Base base;
    base.split = seed % 2 == 1;
    base.plan = RandomParts(&random, 0).Plan();
    HostileHal hal(0, "hostile", &random, 0);
    Bench bench(&random);
    NNAdapterModel* model = bench.Model(base.plan);
    if (!model || base.plan.operations.size() < 2) continue;
    NNAdapterContext* context = bench.Context(DevicesOf(&bench, base.split), "");
    const std::string token = std::to_string(seed);
    if (!bench.Compile(model, token.c_str(), folder, {}, context)) continue;
    std::ifstream file(folder_ + "/" + token + ".nnc", std::ios::binary);
    base.bytes.assign(std::istreambuf_iterator<char>(file), {});
    if (base.bytes.empty()) continue;
    base.entries = nnadapter::runtime::UnpackCache(
        reinterpret_cast<const uint8_t*>(base.bytes.data()), base.bytes.size());
    bases_.push_back(std::move(base));
  }
  if (bases_.size() < kBases) std::exit((std::fprintf(stderr, "no .nnc files were made\n"), 2));
}

CacheCases::~CacheCases() {
  if (DIR* directory = opendir(folder_.c_str())) {
    while (const dirent* entry = readdir(directory))
      unlink((folder_ + "/" + entry->d_name).c_str());
    closedir(directory);
  }
  rmdir(folder_.c_str());
}

std::string CacheCases::Mutant(const Base& base, Random* random) const {
  std::vector<uint8_t> bytes(base.bytes.begin(), base.bytes.end());
  const size_t kind = random->Below(8);
  if (kind == 0) {
    Damage(&bytes, random);  // the checksum sees most of it
  } else {
    CacheEntries entries = base.entries;
    for (size_t n = 1 + random->Below(2); n > 0; --n) {
      auto entry = std::next(entries.begin(), static_cast<long>(random->Below(entries.size())));
      // The programs are what a driver reads.
      if (random->Below(2)) entry = entries.find("cache_0_model_buffer");
      if (entry == entries.end()) break;
      const CacheEntries& other = bases_[random->Below(bases_.size())].entries;
      switch (random->Below(12)) {
        case 0:
          entries.erase(entry);
          break;
        case 1:
          if (other.count(entry->first)) entry->second = other.at(entry->first);
          break;
        case 2:
          entries["cache_" + std::to_string(random->Below(4)) + "_input_indexes"] =
              std::vector<uint8_t>(4 * random->Below(3), static_cast<uint8_t>(random->Below(256)));
          break;
        default:
          Damage(&entry->second, random);
      }
      if (entries.empty()) break;
    }
    bytes = nnadapter::runtime::PackCache(entries);
    if (kind == 1 && bytes.size() > 24) {  // lengths of entries, under a checksum that is right
      std::vector<uint8_t> body(bytes.begin() + 24, bytes.end());
      Damage(&body, random);
      bytes.resize(24);
      bytes.insert(bytes.end(), body.begin(), body.end());
      nnadapter::runtime::SealCache(&bytes);
    }
  }
  return {bytes.begin(), bytes.end()};
}

int CacheCases::Run(Random* random) {
  const Base& base = bases_[random->Below(bases_.size())];
  const std::string bytes = Mutant(base, random);
  HostileHal hal(0, "hostile", random, 0);
  Bench bench(random);
  NNAdapterModel* model = random->Below(3) ? nullptr : bench.Model(base.plan);
  NNAdapterContext* context = bench.Context(DevicesOf(&bench, base.split), "");
  NNAdapterCompilation* compilation = nullptr;
  if (random->Below(2)) {
    compilation = bench.Compile(model, random->Below(2) ? "token" : nullptr, nullptr,
                                {bytes.begin(), bytes.end()}, context);
  } else {
    std::ofstream(folder_ + "/mutant.nnc", std::ios::binary) << bytes;
    compilation = bench.Compile(model, "mutant", folder_.c_str(), {}, context);
  }
  if (model && !compilation) throw Violation("a damaged cache stands in a sound model's way");
  if (compilation) bench.Execute(compilation, false);
  bench.DestroyAll();
  return bench.computed;
}

}  // namespace paddle::lite::testing
