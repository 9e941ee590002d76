// The container of compiled programs: a .nnc file, or the same bytes in memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nnadapter::runtime {

using CacheEntries = std::map<std::string, std::vector<uint8_t>>;

std::vector<uint8_t> PackCache(const CacheEntries& entries);
// Writes the checksum of what follows the header; there must be a header.
void SealCache(std::vector<uint8_t>* bytes);
// Throws Error(INVALID_PARAMETER) saying what is damaged. Reads nothing outside [data, data +
// size).
CacheEntries UnpackCache(const uint8_t* data, size_t size);

// With its parents, where it is not there. Throws Error(INVALID_PARAMETER) where it cannot be made.
void MakeFolder(const std::string& dir);
// <dir>/<token>.nnc. Throws Error(INVALID_PARAMETER) where the token would leave the folder.
std::string CachePath(const std::string& dir, const std::string& token);
// Nothing where there is no such file. Throws Error where it cannot be read.
std::optional<std::vector<uint8_t>> ReadCacheFile(const std::string& path);
// Readers see the old file or the whole new one. Throws Error where it cannot be written.
void WriteCacheFile(const std::string& path, const std::vector<uint8_t>& bytes);

}  // namespace nnadapter::runtime
