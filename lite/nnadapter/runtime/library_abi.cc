#include "lite/nnadapter/runtime/library_abi.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

namespace nnadapter::runtime {
namespace {

// A file in memory, read only.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      void* mapped =
          mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) {
        data_ = static_cast<const char*>(mapped);
        size_ = static_cast<size_t>(status.st_size);
      }
    }
    close(file);
  }
  ~MappedFile() {
    if (data_) munmap(const_cast<char*>(data_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Null where the file ends before.
  const char* At(uint64_t offset, uint64_t size) const {
    return offset <= size_ && size <= size_ - offset ? data_ + offset : nullptr;
  }

 private:
  const char* data_ = nullptr;
  size_t size_ = 0;
};

struct Signs {
  bool old_text = false, new_text = false;    // std::string
  bool old_lists = false, new_lists = false;  // std::list
  bool other_library = false;
};

bool StartsWith(std::string_view name, std::string_view with) {
  return name.substr(0, with.size()) == with;
}

bool Has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

void Read(std::string_view name, Signs* signs) {
  if (!StartsWith(name, "_Z")) return;
  if (Has(name, "St3__1") || Has(name, "St6__ndk1")) signs->other_library = true;
  if (Has(name, "St7__cxx11")) {
    signs->new_text = true;
    if (Has(name, "St7__cxx114list") || Has(name, "St7__cxx1110_List")) signs->new_lists = true;
  } else if (Has(name, "St4listI") || Has(name, "St10_List_base")) {
    signs->old_lists = true;
  }
  if (StartsWith(name, "_ZNSs") || StartsWith(name, "_ZNKSs") || Has(name, "RKSs") ||
      Has(name, "RKSbI")) {
    signs->old_text = true;
  }
}

template <typename Visit>
void ForEachSymbol(const MappedFile& file, Visit&& visit) {
  ElfW(Ehdr) header;
  const char* start = file.At(0, sizeof(header));
  if (!start) return;
  std::memcpy(&header, start, sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32) ||
      header.e_shentsize != sizeof(ElfW(Shdr))) {
    return;
  }
  const auto section = [&](uint64_t index, ElfW(Shdr) * to) {
    const char* at = index < header.e_shnum
                         ? file.At(header.e_shoff + index * sizeof(*to), sizeof(*to))
                         : nullptr;
    if (at) std::memcpy(to, at, sizeof(*to));
    return at != nullptr;
  };
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) symbols, names;
    if (!section(i, &symbols)) break;
    if (symbols.sh_type != SHT_DYNSYM && symbols.sh_type != SHT_SYMTAB) continue;
    if (!section(symbols.sh_link, &names)) continue;
    const char* table = file.At(symbols.sh_offset, symbols.sh_size);
    const char* text = file.At(names.sh_offset, names.sh_size);
    if (!table || !text) continue;
    for (uint64_t at = 0; at + sizeof(ElfW(Sym)) <= symbols.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      std::memcpy(&symbol, table + at, sizeof(symbol));
      if (symbol.st_name >= names.sh_size) continue;
      const char* name = text + symbol.st_name;
      visit(std::string_view(name, strnlen(name, names.sh_size - symbol.st_name)));
    }
  }
}

}  // namespace

const char* LibraryAbiName(LibraryAbi abi) {
  switch (abi) {
    case LibraryAbi::kOldLists:
      return "libstdc++ (_GLIBCXX_USE_CXX11_ABI=0)";
    case LibraryAbi::kForeign:
      return "libc++";
    case LibraryAbi::kSame:
      break;
  }
  return "libstdc++";
}

bool HasSymbol(const std::string& path, const std::string& name) {
  bool found = false;
  ForEachSymbol(MappedFile(path), [&](std::string_view one) { found = found || one == name; });
  return found;
}

LibraryAbi LibraryAbiOf(const std::string& path) {
  Signs signs;
  ForEachSymbol(MappedFile(path), [&](std::string_view name) { Read(name, &signs); });
  // Lists are what matters; a library that shows none was compiled as its texts were.
  if (signs.old_lists != signs.new_lists)
    return signs.old_lists ? LibraryAbi::kOldLists : LibraryAbi::kSame;
  if (signs.old_text && !signs.new_text) return LibraryAbi::kOldLists;
  if (signs.other_library && !signs.new_text) return LibraryAbi::kForeign;
  return LibraryAbi::kSame;
}

}  // namespace nnadapter::runtime
