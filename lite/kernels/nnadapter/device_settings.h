// DeviceSettings: what the user asked of devices other than the plan's CPU.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace paddle::lite {

struct DeviceSettings {
  // In order of preference.
  std::vector<std::string> device_names;
  // "key=value;key=value", handed to every device.
  std::string context_properties;
  // Devices may ask it for things; see their documentation.
  int (*context_callback)(int event_id, void* user_data) = nullptr;
  // Where compiled subgraphs are kept; empty: nowhere.
  std::string model_cache_dir;
  // Compiled subgraphs by token.
  std::map<std::string, std::string> model_cache_buffers;
  // By input name: the complete shapes that it will have.
  std::map<std::string, std::vector<std::vector<int64_t>>> dynamic_shape_info;
  // By input name: axes along which zeros at the end do no harm. Inputs are padded to the smallest
  // of those shapes that holds them, and the outputs cut.
  std::map<std::string, std::vector<int>> padded_axes;
  // A device that cannot compile is an error, not a reason to take the next one.
  bool strict = false;
  // Threads for devices that compute on the CPU.
  int threads = 1;
};

}  // namespace paddle::lite
