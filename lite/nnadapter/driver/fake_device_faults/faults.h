// Bugs of the SDK that can be switched on: what looks for bugs in drivers is tried on them. A text
// "FAULT@LAYER/CHANNELS,..." names them; docs/debugging_devices.md has the list.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fake_sdk {

// What a fault does to the result of a layer.
struct Result {
  std::vector<int>& dims;
  std::vector<float>& data;
  int run;                      // of this network, from 1
  std::vector<float>& first;    // the layer's result in the first run
  std::map<int, int>& batches;  // by layer kind, the first batch that this process saw
  int kind;

  float largest() const {
    float most = 0;
    for (float v : data) most = std::isfinite(v) ? std::max(most, std::abs(v)) : most;
    return most > 0 ? most : 1.f;
  }
};

inline void Spoil(Result& r) {
  const float step = 0.2f * r.largest();
  for (size_t i = 0; i < r.data.size(); i += 3) r.data[i] += step;
}

inline void MakeChannelsLast(Result& r) {
  if (r.dims.size() != 4) return Spoil(r);
  const size_t channels = r.dims[1], pixels = size_t(r.dims[2]) * r.dims[3];
  const std::vector<float> from = r.data;
  for (size_t i = 0; i < from.size(); ++i) {
    const size_t pixel = i % pixels, channel = i / pixels % channels, image = i / pixels / channels;
    r.data[(image * pixels + pixel) * channels + channel] = from[i];
  }
}

inline void LoseARow(Result& r) {
  const size_t axis = r.dims.size() - 1;
  if (r.dims.empty() || r.dims[axis] < 2) return Spoil(r);
  r.data.resize(r.data.size() / r.dims[axis] * (r.dims[axis] - 1));
  --r.dims[axis];
}

inline void AddNoise(Result& r) {
  static std::minstd_rand random{std::random_device{}()};
  std::uniform_real_distribution<float> noise(0, 0.3f * r.largest());
  for (float& v : r.data) v += noise(random);
}

[[noreturn]] inline void Hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

using Effect = std::function<void(Result&)>;

// Faults of a layer when it runs.
inline const std::map<std::string, Effect>& Effects() {
  static const std::map<std::string, Effect> effects = {
      {"numbers", Spoil},
      {"element",
       [](Result& r) {
         if (!r.data.empty()) r.data.back() += r.largest();
       }},
      {"nan",
       [](Result& r) {
         if (!r.data.empty()) r.data[0] = NAN;
       }},
      {"clip",
       [](Result& r) {
         for (float& v : r.data) v = std::min(v, r.largest() / 2);
       }},
      {"shape", LoseARow},
      {"layout", MakeChannelsLast},
      {"random", AddNoise},
      {"error", [](Result&) { throw std::runtime_error("the SDK reports error 37"); }},
      {"crash", [](Result&) { std::raise(SIGSEGV); }},
      {"hang", [](Result&) { Hang(); }},
      {"second_run",
       [](Result& r) {
         if (r.run > 1) Spoil(r);
       }},
      {"stale_result",
       [](Result& r) {
         if (r.first.size() == r.data.size()) r.data = r.first;
       }},
      {"later_shape",
       [](Result& r) {
         const int batch = r.dims.empty() ? 1 : r.dims[0];
         if (r.batches.emplace(r.kind, batch).first->second != batch) Spoil(r);
       }},
  };
  return effects;
}

class Faults {
 public:
  explicit Faults(const std::string& text) {
    for (size_t start = 0; start < text.size();) {
      const size_t end = std::min(text.find(',', start), text.size());
      faults_.push_back(Parse(text.substr(start, end - start)));
      start = end + 1;
    }
  }

  // Whether a fault is switched on for layers of a kind (-1: any) and number of channels (-1: any).
  bool Has(const char* name, int kind = -1, int channels = -1) const {
    return std::any_of(faults_.begin(), faults_.end(), [&](const Fault& fault) {
      return fault.name == name && Fits(fault, kind, channels);
    });
  }

  bool empty() const { return faults_.empty(); }

  void StartRun() { ++run_; }

  // Does to a layer's result what is switched on for it.
  void Apply(int layer, int kind, std::vector<int>* dims, std::vector<float>* data) {
    static std::mutex mutex;
    static std::map<int, int> batches;
    const int channels = dims->size() > 1 ? (*dims)[1] : 0;
    const std::vector<float> right = *data;
    for (const Fault& fault : faults_) {
      const auto effect = Effects().find(fault.name);
      if (effect == Effects().end() || !Fits(fault, kind, channels)) continue;
      std::lock_guard<std::mutex> lock(mutex);
      Result result{*dims, *data, run_, first_[layer], batches, kind};
      effect->second(result);
    }
    if (run_ == 1) first_[layer] = right;
  }

 private:
  struct Fault {
    std::string name;
    int kind = -1, channels = -1;
  };

  static bool Fits(const Fault& fault, int kind, int channels) {
    return (fault.kind < 0 || kind < 0 || fault.kind == kind) &&
           (fault.channels < 0 || channels < 0 || fault.channels == channels);
  }

  static Fault Parse(const std::string& text) {
    static const std::vector<std::string> others = {
        "inputs", "weights", "fold", "cache", "build_error", "build_crash", "build_hang"};
    static const std::vector<std::string> layers = {
        "add", "average_pool", "convolution", "fully_connected", "relu", "softmax"};
    Fault fault;
    const size_t at = std::min(text.find('@'), text.size());
    fault.name = text.substr(0, at);
    std::string layer = at < text.size() ? text.substr(at + 1) : "";
    const size_t slash = layer.find('/');
    try {
      if (slash != std::string::npos) fault.channels = std::stoi(layer.substr(slash + 1));
    } catch (const std::exception&) {
      throw std::invalid_argument("FAKE_DEVICE_FAULT: \"" + text + "\" has no number behind /");
    }
    layer = layer.substr(0, slash);
    const auto found = std::find(layers.begin(), layers.end(), layer);
    const bool known = std::find(others.begin(), others.end(), fault.name) != others.end();
    if ((!known && !Effects().count(fault.name)) || (found == layers.end() && !layer.empty()))
      throw std::invalid_argument("FAKE_DEVICE_FAULT: \"" + text +
                                  "\" is not FAULT@LAYER/CHANNELS with names that this SDK knows");
    if (found != layers.end()) fault.kind = static_cast<int>(found - layers.begin());
    return fault;
  }

  std::vector<Fault> faults_;
  int run_ = 0;
  std::map<int, std::vector<float>> first_;
};

}  // namespace fake_sdk
