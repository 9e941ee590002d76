#include "lite/nnadapter/runtime/declared_operations.h"

#include <algorithm>
#include <cctype>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

std::string Trim(const std::string& text) {
  size_t begin = 0, end = text.size();
  while (begin < end && std::isspace(static_cast<unsigned char>(text[begin]))) ++begin;
  while (end > begin && std::isspace(static_cast<unsigned char>(text[end - 1]))) --end;
  if (end - begin >= 2 && (text[begin] == '"' || text[begin] == '\'') &&
      text[end - 1] == text[begin]) {
    ++begin;
    --end;
  }
  return text.substr(begin, end - begin);
}

NNAdapterOperationType CodeOf(const std::string& name) {
  constexpr const char kPrefix[] = "NNADAPTER_";
  const std::string bare =
      name.compare(0, sizeof(kPrefix) - 1, kPrefix) == 0 ? name.substr(sizeof(kPrefix) - 1) : name;
  for (const OperationInfo& info : OperationRegistry::Global().All())
    if (info.name() == bare) return info.code();
  FailParameter("no operation is called '", name, "'");
}

void AddNames(const std::string& list, std::set<NNAdapterOperationType>* codes) {
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = Trim(list.substr(begin, end - begin));
    if (!name.empty()) codes->insert(CodeOf(name));
    begin = end + 1;
  }
}

}  // namespace

std::set<NNAdapterOperationType> ParseOperationList(const std::string& list) {
  std::set<NNAdapterOperationType> codes;
  AddNames(list, &codes);
  if (codes.empty()) FailParameter("a list of operations without a name");
  return codes;
}

std::set<NNAdapterOperationType> ParseOperationYaml(const std::string& text) {
  constexpr const char kKey[] = "supported_operations:";
  std::set<NNAdapterOperationType> codes;
  bool in_list = false, in_brackets = false, found = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    line = line.substr(0, line.find('#'));
    const bool indented = !line.empty() && std::isspace(static_cast<unsigned char>(line[0]));
    line = Trim(line);
    if (line.empty()) continue;
    if (!in_brackets && line.compare(0, sizeof(kKey) - 1, kKey) == 0) {
      in_list = found = true;
      line = Trim(line.substr(sizeof(kKey) - 1));
      if (line.empty()) continue;
      if (line[0] != '[') FailParameter("expected [A, B] or lines '- A' after ", kKey);
      line = line.substr(1);
      in_brackets = true;
    }
    if (in_brackets) {
      const size_t close = line.find(']');
      AddNames(line.substr(0, close), &codes);
      if (close != std::string::npos) in_brackets = in_list = false;
    } else if (in_list && line[0] == '-') {
      codes.insert(CodeOf(Trim(line.substr(1))));
    } else if (in_list && indented) {
      FailParameter("expected '- NAME' in the list of ", kKey, " found '", line, "'");
    } else {
      in_list = false;
    }
  }
  if (in_brackets) FailParameter("the list of ", kKey, " has no closing bracket");
  if (!found) FailParameter("there is no key ", kKey);
  return codes;
}

}  // namespace nnadapter::runtime
