// Power modes on made-up folders of processors: what is read, which cores a mode has, and that runs
// and the pool's workers stay on them.
#include "lite/core/base/core_binding.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include "lite/api/light_predictor.h"
#include "lite/core/base/errors.h"
#include "lite/core/base/system.h"
#include "lite/core/base/thread_pool.h"
#include "tests/cpp/check.h"

namespace paddle::lite {
namespace {

namespace fs = std::filesystem;

// A folder like /sys/devices/system/cpu, gone with the object.
class Machine {
 public:
  explicit Machine(const std::string& online) {
    std::string name = (fs::temp_directory_path() / "cpu_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    Write("online", online);
  }
  ~Machine() { fs::remove_all(folder_); }

  void Write(const std::string& file, const std::string& text) {
    fs::create_directories((fs::path(folder_) / file).parent_path());
    std::ofstream(fs::path(folder_) / file) << text << "\n";
  }
  void WriteAll(const std::string& file, const std::vector<std::string>& texts) {
    for (size_t i = 0; i < texts.size(); ++i)
      Write("cpu" + std::to_string(i) + "/" + file, texts[i]);
  }
  void WriteCache(int core, int index, const char* level, const char* type, const char* size) {
    const std::string cache =
        "cpu" + std::to_string(core) + "/cache/index" + std::to_string(index) + "/";
    Write(cache + "level", level);
    Write(cache + "type", type);
    Write(cache + "size", size);
  }
  const std::string& folder() const { return folder_; }
  CoreSet Cores(PowerMode mode) const { return CoresOf(mode, ReadCores(folder_)); }

 private:
  std::string folder_;
};

CoreSet SetOf(const std::vector<int>& numbers) {
  CoreSet set;
  for (const int number : numbers) set[number] = true;
  return set;
}

void TestThreeClusters() {
  Machine phone("0-7");
  phone.WriteAll("cpu_capacity", {"325", "325", "325", "325", "828", "828", "828", "1024"});
  // Frequencies say something else: capacities count.
  phone.WriteAll("cpufreq/cpuinfo_max_freq", {"9", "9", "9", "9", "1", "1", "1", "1"});
  CHECK(phone.Cores(PowerMode::kHigh) == SetOf({4, 5, 6, 7}));
  CHECK(phone.Cores(PowerMode::kRandHigh) == SetOf({4, 5, 6, 7}));
  CHECK(phone.Cores(PowerMode::kLow) == SetOf({0, 1, 2, 3}));
  CHECK(phone.Cores(PowerMode::kRandLow) == SetOf({0, 1, 2, 3}));
  CHECK(phone.Cores(PowerMode::kFull).count() == 8);
  CHECK(phone.Cores(PowerMode::kNoBind).none());
}

void TestOldKernel() {
  Machine board("0-1,4-5");
  board.WriteAll("cpufreq/cpuinfo_max_freq",
                 {"1416000", "1416000", "1800000", "1800000", "1800000", "1800000"});
  CHECK(board.Cores(PowerMode::kHigh) == SetOf({4, 5}));  // 2 and 3 are off
  CHECK(board.Cores(PowerMode::kLow) == SetOf({0, 1}));
}

void TestEqualCores() {
  Machine unknown("0-3");
  CHECK(unknown.Cores(PowerMode::kHigh).count() == 4);
  CHECK(unknown.Cores(PowerMode::kLow).count() == 4);
  Machine turbo("0-3");
  turbo.WriteAll("cpufreq/cpuinfo_max_freq", {"5200000", "5000000", "5000000", "5200000"});
  CHECK(turbo.Cores(PowerMode::kHigh).count() == 4);
}

void TestDamagedFolders() {
  for (const char* online : {"", "x", "-1", "3-", "5-2", "99999999999"}) {
    Machine broken(online);
    CHECK(broken.Cores(PowerMode::kHigh).none());
    CHECK(ReadCaches(broken.folder()).l1 == 32 << 10);
  }
  CHECK(ReadCores("/nonexistent").empty());
  Machine wide("0-999999");
  CHECK(wide.Cores(PowerMode::kFull).count() == 1024);
  Machine wrong("0-1");
  wrong.WriteAll("cpu_capacity", {"1024", "many"});
  CHECK(wrong.Cores(PowerMode::kHigh).count() == 2);
}

void TestCaches() {
  Machine machine("0-1");
  machine.WriteCache(0, 0, "1", "Data", "32K");
  machine.WriteCache(0, 1, "1", "Instruction", "16K");
  machine.WriteCache(0, 2, "2", "Unified", "256K");
  machine.WriteCache(1, 0, "1", "Data", "64K");
  machine.WriteCache(1, 1, "2", "Unified", "1M");
  machine.WriteCache(1, 2, "3", "Unified", "4M");
  CHECK(ReadCaches(machine.folder()).l1 == 32 << 10);
  CHECK(ReadCaches(machine.folder()).l2 == 256 << 10);
  machine.Write("cpu0/cache/index2/size", "huge");
  CHECK(ReadCaches(machine.folder()).l2 == 1 << 20);
  Machine silent("0");
  CHECK(ReadCaches(silent.folder()).l1 == 32 << 10);
  CHECK(ReadCaches(silent.folder()).l2 == 512 << 10);
}

// The cores of the two threads that take part in a ParallelFor: the caller's and a worker's.
std::vector<CoreSet> CoresInParallel() {
  std::mutex mutex;
  std::vector<CoreSet> seen(2);
  const auto caller = std::this_thread::get_id();
  for (int tries = 0; tries < 1000 && seen[1].none(); ++tries) {
    ParallelFor(2, 64, [&](int64_t) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      const std::lock_guard<std::mutex> lock(mutex);
      seen[std::this_thread::get_id() == caller ? 0 : 1] = system::ThreadCores();
    });
  }
  return seen;
}

// Two cores that this process may use, or the only one twice.
std::vector<int> SomeCores(const CoreSet& allowed) {
  std::vector<int> numbers;
  for (size_t i = 0; i < allowed.size() && numbers.size() < 2; ++i)
    if (allowed[i]) numbers.push_back(static_cast<int>(i));
  if (numbers.size() == 1) numbers.push_back(numbers[0]);
  return numbers;
}

void TestBinding() {
  const CoreSet allowed = system::ThreadCores();
  const std::vector<int> two = SomeCores(allowed);
  for (const int core : two) {
    {
      const CoreBinding binding(SetOf({core}));
      const std::vector<CoreSet> bound = CoresInParallel();
      CHECK(bound[0] == SetOf({core}));
      CHECK(bound[1] == SetOf({core}));
    }
    CHECK(system::ThreadCores() == allowed);
    CHECK(CoreBinding::Current() == nullptr);
    // The worker is free again, but for the caller's core, though a bound thread started it.
    const CoreSet worker = CoresInParallel()[1];
    CHECK((worker & allowed) == worker && worker.count() >= allowed.count() - 1 && worker.any());
  }
  const CoreBinding elsewhere(~allowed);
  CHECK(CoreBinding::Current() == nullptr && system::ThreadCores() == allowed);
}

// That runs are on a mode's cores is seen by tests/api/test_power_mode.py.
void TestPredictor() {
  const CoreSet allowed = system::ThreadCores();
  const std::vector<int> two = SomeCores(allowed);
  Machine machine(std::to_string(two[0]) + "," + std::to_string(two[1]));
  machine.Write("cpu" + std::to_string(two[0]) + "/cpu_capacity", "400");
  machine.Write("cpu" + std::to_string(two[1]) + "/cpu_capacity", "1024");
  setenv("LITE_CPU_FOLDER", machine.folder().c_str(), 1);
  const auto predictor = LightPredictor::FromFile(LITE_TEST_DATA "/conv.x86.214.nb");
  predictor->set_threads(4);
  const auto result = [](LightPredictor* runs) {
    TensorMeta meta;
    meta.dims = {2, 3, 8, 8};
    const std::vector<float> values(2 * 3 * 8 * 8, 0.5f);
    const Tensor y = std::move(runs->Run({{meta, values.data(), values.size() * 4}}).at(0));
    return std::vector<float>(y.data<float>(), y.data<float>() + y.numel());
  };
  const std::vector<float> expected = result(predictor.get());
  for (int mode = 0; mode < 6; ++mode) {
    predictor->set_power_mode(static_cast<PowerMode>(mode));
    CHECK(result(predictor.get()) == expected);
    CHECK(result(predictor->Clone().get()) == expected);
    CHECK(system::ThreadCores() == allowed && predictor->threads() == 4);
  }
  CHECK_THROWS(ConfigError, predictor->set_power_mode(static_cast<PowerMode>(6)),
               "power mode is 6");
}

}  // namespace
}  // namespace paddle::lite

int main() {
  using namespace paddle::lite;  // NOLINT
  TestThreeClusters();
  TestOldKernel();
  TestEqualCores();
  TestDamagedFolders();
  TestCaches();
  TestBinding();
  TestPredictor();
  return testing::g_failures ? 1 : 0;
}
