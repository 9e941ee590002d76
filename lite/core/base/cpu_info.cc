#include "lite/core/base/cpu_info.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <sstream>

#include "lite/core/base/found_once.h"
#include "lite/core/base/system.h"

namespace paddle::lite {
namespace {

constexpr int kMostCores = 1024;
constexpr int kMostCaches = 16;

// The first word of a file; empty where there is none.
std::string ReadWord(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

// A number that may end in K or M; 0 where the text is another.
int64_t Number(const std::string& text) {
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (end == text.c_str() || value <= 0 || value > (int64_t{1} << 40)) return 0;
  const std::string unit = end;
  return unit.empty() ? value : unit == "K" ? value << 10 : unit == "M" ? value << 20 : 0;
}

// The numbers of a list such as "0-3,6"; what is not one ends it.
std::vector<int> NumbersOf(const std::string& list) {
  std::vector<int> numbers;
  std::istringstream in(list);
  in.imbue(std::locale::classic());  // a comma is no part of a number
  for (int first; in >> first && first >= 0 && first < kMostCores; in.get()) {
    int last = first;
    if (in.peek() == '-') {
      in.get();
      if (!(in >> last)) break;
    }
    for (int i = first; i <= last && i < kMostCores; ++i) numbers.push_back(i);
    if (in.peek() != ',') break;
  }
  return numbers;
}

std::vector<int> OnlineCores(const std::string& folder) {
  return NumbersOf(ReadWord(folder + "/online"));
}

std::string FolderOf(const std::string& folder, int core) {
  return folder + "/cpu" + std::to_string(core);
}

const char* NamedFolder() { return std::getenv("LITE_CPU_FOLDER"); }

// From the system where it knows them, which is quicker. On Arm it does not.
CacheSizes FindCaches() {
  const int64_t l1 = system::CacheBytes(1), l2 = system::CacheBytes(2);
  if (NamedFolder() == nullptr && l1 > 0 && l2 > 0)
    return {static_cast<size_t>(l1), static_cast<size_t>(l2)};
  return ReadCaches(CpuFolder());
}

}  // namespace

std::string CpuFolder() {
  const char* named = NamedFolder();
  return named != nullptr ? named : "/sys/devices/system/cpu";
}

CacheSizes ReadCaches(const std::string& folder) {
  size_t found[2] = {};
  for (const int core : OnlineCores(folder)) {
    for (int i = 0; i < kMostCaches; ++i) {
      const std::string cache = FolderOf(folder, core) + "/cache/index" + std::to_string(i);
      const int64_t level = Number(ReadWord(cache + "/level"));
      if (level == 0) break;
      const int64_t bytes = Number(ReadWord(cache + "/size"));
      if (level > 2 || bytes == 0 || ReadWord(cache + "/type") == "Instruction") continue;
      size_t& smallest = found[level - 1];
      smallest = smallest == 0 ? bytes : std::min<size_t>(smallest, bytes);
    }
  }
  CacheSizes sizes;
  if (found[0] != 0) sizes.l1 = found[0];
  if (found[1] != 0) sizes.l2 = found[1];
  return sizes;
}

const CacheSizes& ThisCaches() { return FoundOnce<FindCaches>(); }

std::vector<CpuCore> ReadCores(const std::string& folder) {
  std::vector<CpuCore> cores;
  for (const char* file : {"/cpu_capacity", "/cpufreq/cpuinfo_max_freq"}) {
    cores.clear();
    for (const int core : OnlineCores(folder))
      cores.push_back({core, Number(ReadWord(FolderOf(folder, core) + file))});
    const auto known = [](const CpuCore& core) { return core.capacity > 0; };
    if (std::all_of(cores.begin(), cores.end(), known)) return cores;
  }
  for (CpuCore& core : cores) core.capacity = 1;
  return cores;
}

}  // namespace paddle::lite
