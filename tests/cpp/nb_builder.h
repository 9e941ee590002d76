// Writes flatbuffers and `.nb` files for tests, also such as no honest writer would: an encoder
// that shares nothing with the one under test. Objects are laid out forwards, parents first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace paddle::lite::testing {

struct Object;
using Ref = std::shared_ptr<Object>;

// A field of a table: a scalar's bytes or an object.
struct Field {
  int slot;
  std::string scalar;
  Ref object;
};

struct Object {
  enum Kind { kTable, kScalars, kList } kind = kTable;
  std::vector<Field> fields;  // kTable
  std::string bytes;          // kScalars, with the zero of a string
  size_t count = 0;           // kScalars
  size_t element = 1;         // kScalars
  std::vector<Ref> items;     // kList
  bool shared = false;        // laid out once, after everything that refers to it
  size_t emitted_at = 0;
  std::vector<size_t> waiting;  // offsets to patch
};

template <typename T>
std::string Bytes(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <typename T>
Field F(int slot, T value) {
  return {slot, Bytes(value), nullptr};
}
inline Field F(int slot, Ref object) { return {slot, {}, std::move(object)}; }

inline Ref Table(std::vector<Field> fields) {
  auto object = std::make_shared<Object>();
  object->fields = std::move(fields);
  return object;
}
template <typename T>
Ref Scalars(const std::vector<T>& values) {
  auto object = std::make_shared<Object>();
  object->kind = Object::kScalars;
  for (const T value : values) object->bytes += Bytes(value);
  object->count = values.size();
  object->element = sizeof(T);
  return object;
}
inline Ref Str(const std::string& text) {
  auto object = std::make_shared<Object>();
  object->kind = Object::kScalars;
  object->bytes = text + '\0';
  object->count = text.size();
  return object;
}
inline Ref List(std::vector<Ref> items) {
  auto object = std::make_shared<Object>();
  object->kind = Object::kList;
  object->items = std::move(items);
  return object;
}
inline Ref Strs(const std::vector<std::string>& texts) {
  std::vector<Ref> items;
  for (const auto& text : texts) items.push_back(Str(text));
  return List(std::move(items));
}
inline Ref Shared(Ref object) {
  object->shared = true;
  return object;
}

class Layout {
 public:
  // The flatbuffer whose root is `root`.
  static std::string Of(const Ref& root) {
    Layout layout;
    layout.out_.assign(4, '\0');
    layout.Refer(0, root);
    for (size_t i = 0; i < layout.later_.size(); ++i) {
      const Ref object = layout.later_[i];
      layout.Emit(object);
      for (size_t at : object->waiting) layout.Patch(at, object->emitted_at);
      object->waiting.clear();
    }
    return layout.out_;
  }

 private:
  void Pad(size_t align, size_t remainder) {
    while (out_.size() % align != remainder) out_ += '\0';
  }
  void Patch(size_t at, size_t target) {
    const auto offset = static_cast<uint32_t>(target - at);
    std::memcpy(&out_[at], &offset, 4);
  }
  void Refer(size_t at, const Ref& object) {
    if (object->shared) {
      if (object->waiting.empty()) later_.push_back(object);
      object->waiting.push_back(at);
      return;
    }
    Emit(object);
    Patch(at, object->emitted_at);
  }

  void Emit(const Ref& object) {
    if (object->kind == Object::kTable) return EmitTable(object);
    // The length stands on 4 bytes, the first element on its own size.
    Pad(8, 4);
    object->emitted_at = out_.size();
    const bool list = object->kind == Object::kList;
    out_ += Bytes(static_cast<uint32_t>(list ? object->items.size() : object->count));
    if (!list) {
      out_ += object->bytes;
      return;
    }
    const size_t begin = out_.size();
    out_.append(4 * object->items.size(), '\0');
    for (size_t i = 0; i < object->items.size(); ++i) Refer(begin + 4 * i, object->items[i]);
  }

  void EmitTable(const Ref& object) {
    int slots = 0;
    for (const Field& field : object->fields) slots = std::max(slots, field.slot + 1);
    std::vector<uint16_t> vtable(2 + static_cast<size_t>(slots), 0);
    // The table begins on 4 modulo 8, so that 8-byte fields right behind its head are aligned.
    size_t size = 4;
    const auto place = [&](size_t width) {
      for (const Field& field : object->fields) {
        if ((field.object ? 4 : field.scalar.size()) != width) continue;
        vtable[2 + static_cast<size_t>(field.slot)] = static_cast<uint16_t>(size);
        size += width;
      }
    };
    for (size_t width : {8, 4, 2, 1}) place(width);
    vtable[0] = static_cast<uint16_t>(2 * vtable.size());
    vtable[1] = static_cast<uint16_t>(size);
    Pad(2, 0);
    const size_t vtable_at = out_.size();
    for (uint16_t entry : vtable) out_ += Bytes(entry);
    Pad(8, 4);
    const size_t at = out_.size();
    object->emitted_at = at;
    out_ += Bytes(static_cast<int32_t>(at - vtable_at));
    out_.append(size - 4, '\0');
    for (const Field& field : object->fields) {
      const size_t field_at = at + vtable[2 + static_cast<size_t>(field.slot)];
      if (field.object)
        Refer(field_at, field.object);
      else
        std::memcpy(&out_[field_at], field.scalar.data(), field.scalar.size());
    }
  }

  std::string out_;
  std::vector<Ref> later_;
};

// The tables of a `.nb` file.
inline Ref Attr(const std::string& name, int32_t type, std::vector<Field> value) {
  value.push_back(F(0, Str(name)));
  value.push_back(F(1, type));
  return Table(std::move(value));
}
inline Ref Slot(const std::string& name, const std::vector<std::string>& arguments) {
  return Table({F(0, Str(name)), F(1, Strs(arguments))});
}
inline Ref Op(const std::string& type, std::vector<Ref> inputs, std::vector<Ref> outputs,
              std::vector<Ref> attrs = {}) {
  return Table({F(0, Str(type)), F(1, List(std::move(inputs))), F(2, List(std::move(outputs))),
                F(3, List(std::move(attrs)))});
}
inline Ref Var(const std::string& name, int32_t type, bool persistable,
               const std::vector<int64_t>& dims, int32_t data_type = 5) {
  const Ref tensor = Table({F(0, data_type), F(1, Scalars(dims))});
  return Table(
      {F(0, Str(name)), F(1, Table({F(0, type), F(2, Table({F(0, tensor)}))})), F(2, persistable)});
}
inline Ref Block(std::vector<Ref> vars, std::vector<Ref> ops) {
  return Table({F(2, List(std::move(vars))), F(3, List(std::move(ops)))});
}
inline Ref Program(std::vector<Ref> blocks) {
  return Table({F(0, List(std::move(blocks))), F(1, Table({F(0, int64_t{2006002})}))});
}
template <typename T>
Ref Param(const std::string& name, int32_t type, const std::vector<int64_t>& dims,
          const std::vector<T>& values) {
  std::string raw;
  for (const T value : values) raw += Bytes(value);
  const Ref data = Scalars(std::vector<char>(raw.begin(), raw.end()));
  return Table({F(1, Str(name)), F(2, uint8_t{1}),
                F(3, Table({F(2, Scalars(dims)), F(3, type), F(4, data)}))});
}

inline std::string Header(uint16_t meta, const std::string& program) {
  return Bytes(meta) + std::string("v2.13-rc\0\0\0\0\0\0\0\0", 16) +
         Bytes(static_cast<uint64_t>(program.size())) + program;
}
inline std::string FileMeta1(const Ref& program, std::vector<Ref> params) {
  return Header(1, Layout::Of(program)) + Layout::Of(Table({F(0, List(std::move(params)))}));
}
// A record, with `slack` bytes before its flatbuffer.
inline std::string Record(const std::string& flatbuffer, size_t slack = 0) {
  return Bytes(static_cast<uint32_t>(4 + slack + flatbuffer.size())) +
         Bytes(static_cast<uint32_t>(4 + slack)) + std::string(slack, '\x55') + flatbuffer;
}
inline std::string SectionHead(size_t count, const std::string& meta = {},
                               const std::string& extra = {}) {
  return Bytes(uint16_t{0}) + Bytes(static_cast<uint16_t>(meta.size())) + meta +
         Bytes(static_cast<uint16_t>(6 + extra.size())) + Bytes(static_cast<uint16_t>(count)) +
         Bytes(uint32_t{0}) + extra;
}
// With `align`, the flatbuffer's slack puts every parameter's data on 64 bytes of the file.
inline std::string FileMeta2(const Ref& program, const std::vector<Ref>& params,
                             bool align = false) {
  std::string file = Header(2, Layout::Of(program)) + SectionHead(params.size());
  for (const Ref& param : params) {
    const std::string flatbuffer = Layout::Of(param);
    size_t slack = 0;
    if (align) {
      const size_t data_at = param->fields[2].object->fields[2].object->emitted_at + 4;
      slack = (64 - (file.size() + 8 + data_at) % 64) % 64;
    }
    file += Record(flatbuffer, slack);
  }
  return file;
}

}  // namespace paddle::lite::testing
