#include "lite/nnadapter/runtime/device_manager.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "lite/nnadapter/driver/builtin_device/device.h"
#include "lite/nnadapter/runtime/device_library.h"
#include "lite/nnadapter/runtime/mutex.h"

namespace nnadapter::runtime {
namespace {

// One name; open_mutex lets two threads that ask for it at once open it once.
struct Entry {
  Mutex open_mutex;
  const driver::Device* registered = nullptr;
  std::shared_ptr<Device> device;
};

struct Manager {
  Mutex mutex;
  std::map<std::string, std::shared_ptr<Entry>> entries;
};

void CloseIdleDevices();

// Never destroyed: devices may be used while the process ends.
Manager& TheManager() {
  static Manager* manager = [] {
    auto* made = new Manager;
    const driver::Device* builtin = builtin_device::Get();
    auto entry = std::make_shared<Entry>();
    entry->registered = builtin;
    made->entries.emplace(builtin->name, entry);
    std::atexit(CloseIdleDevices);
    return made;
  }();
  return *manager;
}

// A library's close_device is called as the process ends, unless something still uses the device.
void CloseIdleDevices() {
  Manager& manager = TheManager();
  std::vector<std::shared_ptr<Device>> idle;
  {
    std::lock_guard<Mutex> lock(manager.mutex);
    for (auto& [name, entry] : manager.entries) {
      if (entry->registered || !entry->device || entry->device.use_count() > 1) continue;
      idle.push_back(std::move(entry->device));
      entry->device.reset();
    }
  }
}

bool IsDeviceName(const std::string& name) {
  return !name.empty() && name.size() <= 128 &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
             "0123456789_") == std::string::npos;
}

// Names of devices in the process are not names of files: a Python class is module:Class.
bool IsRegistrableName(const std::string& name) {
  return !name.empty() && name.size() <= 256 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c > ' ' && c < 0x7f && c != ',' && c != ';'; });
}

std::string OwnFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&OwnFolder), &info) || !info.dli_fname) return {};
  const std::string path = info.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

void AddOnce(const std::string& directory, std::vector<std::string>* path) {
  if (!directory.empty() && std::find(path->begin(), path->end(), directory) == path->end())
    path->push_back(directory);
}

// Of an environment variable that separates them by colons.
std::vector<std::string> FoldersIn(const char* variable) {
  std::vector<std::string> folders;
  const char* environment = std::getenv(variable);
  const std::string all = environment ? environment : "";
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find(':', begin), all.size());
    AddOnce(all.substr(begin, end - begin), &folders);
    begin = end + 1;
  }
  return folders;
}

std::shared_ptr<Device> OpenNamedDevice(const std::string& name) {
  const std::string file = "lib" + name + ".so";
  std::string looked;
  for (const std::string& directory : DeviceSearchPath()) {
    const std::string path = directory + "/" + file;
    if (access(path.c_str(), F_OK) != 0) {
      looked += "\n  " + path + ": no such file";
      continue;
    }
    try {
      return OpenDeviceLibrary(path, name);
    } catch (const Error& error) {
      const std::string said = path + ": " + error.what();
      // Another library of this name behind it is not what was asked for.
      if (HoldsDevice(path, name)) {
        Fail(NNADAPTER_DEVICE_NOT_FOUND, "device '", name, "' cannot be used: ", said);
      }
      looked += "\n  " + said;
      Log(0, Text(said, ". It has no device '", name, "': looking further"));
    }
  }
  try {
    return OpenDeviceLibrary(file, name);
  } catch (const Error& error) {
    looked += "\n  " + file + " by the system's loader: " + error.what();
  }
  Fail(NNADAPTER_DEVICE_NOT_FOUND, "there is no device '", name,
       "' that can be used. It is none of this process; looked for:", looked,
       "\nNNADAPTER_DEVICE_PATH names further folders.");
}

}  // namespace

void RegisterDevice(const driver::Device* device) {
  if (!device) FailParameter("the device is null");
  CheckedVersion(device, "a device of this process");
  const std::string name = device->name ? device->name : "";
  if (!IsRegistrableName(name)) FailParameter("'", name, "' cannot be a device's name");
  Manager& manager = TheManager();
  std::lock_guard<Mutex> lock(manager.mutex);
  std::shared_ptr<Entry>& entry = manager.entries[name];
  if (entry && entry->registered) FailParameter("a device '", name, "' is already registered");
  entry = std::make_shared<Entry>();
  entry->registered = device;
}

void UnregisterDevice(const std::string& name) {
  Manager& manager = TheManager();
  std::shared_ptr<Entry> removed;
  std::lock_guard<Mutex> lock(manager.mutex);
  auto found = manager.entries.find(name);
  if (found == manager.entries.end() || !found->second->registered) {
    Fail(NNADAPTER_DEVICE_NOT_FOUND, "no device '", name, "' is registered");
  }
  removed = std::move(found->second);
  manager.entries.erase(found);
}

std::vector<std::string> DeviceSearchPath() {
  std::vector<std::string> path = FoldersIn("NNADAPTER_DEVICE_PATH");
  AddOnce(OwnFolder(), &path);
  return path;
}

std::vector<DeviceInfo> ListDevices() {
  std::vector<DeviceInfo> devices;
  auto known = [&](const std::string& name) {
    return std::any_of(devices.begin(), devices.end(),
                       [&](const DeviceInfo& device) { return device.name == name; });
  };
  {
    Manager& manager = TheManager();
    std::lock_guard<Mutex> lock(manager.mutex);
    for (const auto& [name, entry] : manager.entries)
      if (entry->registered) devices.push_back({name, "", false});
  }
  const std::vector<std::string> path = DeviceSearchPath();
  const auto list = [&](const std::string& directory, bool among_others) {
    for (const std::string& name : DevicesInFolder(directory, among_others))
      devices.push_back({name, directory + "/lib" + name + ".so", known(name)});
  };
  for (const std::string& directory : path) list(directory, false);
  // Where the system's loader looks; an application's own run path is not known here.
  for (const std::string& directory : FoldersIn("LD_LIBRARY_PATH"))
    if (std::find(path.begin(), path.end(), directory) == path.end()) list(directory, true);
  return devices;
}

std::shared_ptr<Device> AcquireDevice(const std::string& name) {
  if (name.empty()) FailParameter("an empty device name");
  Manager& manager = TheManager();
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard<Mutex> lock(manager.mutex);
    if (!manager.entries.count(name) && !IsDeviceName(name)) {
      Fail(NNADAPTER_DEVICE_NOT_FOUND, "'", name,
           "' cannot be a device's name: letters, digits, '_'");
    }
    std::shared_ptr<Entry>& known = manager.entries[name];
    if (!known) known = std::make_shared<Entry>();
    entry = known;
  }
  std::lock_guard<Mutex> lock(entry->open_mutex);
  if (!entry->device) {
    entry->device = entry->registered ? std::make_shared<Device>(name, entry->registered, "")
                                      : OpenNamedDevice(name);
  }
  return entry->device;
}

}  // namespace nnadapter::runtime
