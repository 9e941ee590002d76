#include "lite/core/flatbuffer_view.h"

#include "lite/core/base/errors.h"

namespace paddle::lite::flatbuffer {

void Buffer::Fail(size_t position, const std::string& what) const {
  throw ModelFormatError(StrCat("at byte ", file_offset + position, ": ", what));
}

size_t Buffer::Follow(size_t position, const char* what) const {
  if (!Holds(position, 1, 4)) Fail(position, StrCat("the offset of ", what, " is cut off"));
  const size_t offset = Load<uint32_t>(position);
  const size_t target = position + offset;
  if (offset < 4 || !Holds(target, 1, 4))
    Fail(position, StrCat("the offset ", offset, " of ", what, " leaves the ", size,
                          " bytes of the flatbuffer"));
  if (target % 4 != 0)
    Fail(position, StrCat("the offset ", offset, " of ", what, " is not aligned to 4 bytes"));
  return target;
}

std::string_view Buffer::StringAt(size_t position, const char* what) const {
  const size_t length = Load<uint32_t>(position);
  // One byte more: the zero at the end.
  if (!Holds(position + 4, length + 1, 1))
    Fail(position, StrCat(what, " has ", length, " characters, more than the flatbuffer holds"));
  if (data[position + 4 + length] != 0) Fail(position, StrCat(what, " has no zero at its end"));
  Spend(position, 4 + length);
  return {reinterpret_cast<const char*>(data) + position + 4, length};
}

Table TableVector::operator[](size_t i) const {
  const size_t at = begin + i * 4;
  return {*buffer, buffer->Follow(at, "a table"), "a table"};
}

std::string_view StringVector::operator[](size_t i) const {
  return buffer->StringAt(buffer->Follow(begin + i * 4, "a string"), "a string");
}

Table Table::Root(const Buffer& buffer, const char* what) {
  return {buffer, buffer.Follow(0, what), what};
}

Table::Table(const Buffer& buffer, size_t position, const char* what)
    : buffer_(&buffer), position_(position), what_(what) {
  const auto vtable =
      static_cast<int64_t>(position) - static_cast<int64_t>(buffer.Load<int32_t>(position));
  if (vtable < 0 || vtable % 2 != 0 || !buffer.Holds(static_cast<size_t>(vtable), 1, 4))
    Fail(StrCat("the vtable of ", what, " lies at ", vtable, ", outside of the flatbuffer"));
  vtable_ = static_cast<size_t>(vtable);
  vtable_size_ = buffer.Load<uint16_t>(vtable_);
  table_size_ = buffer.Load<uint16_t>(vtable_ + 2);
  if (vtable_size_ < 4 || vtable_size_ % 2 != 0 || !buffer.Holds(vtable_, vtable_size_, 1))
    Fail(StrCat("the vtable of ", what, " has an impossible size of ", vtable_size_, " bytes"));
  if (table_size_ < 4 || !buffer.Holds(position, table_size_, 1))
    Fail(StrCat(what, " has an impossible size of ", table_size_, " bytes"));
  buffer.Spend(position, table_size_);
}

size_t Table::Field(int slot, size_t bytes) const {
  const size_t entry = 4 + 2 * static_cast<size_t>(slot);
  if (entry + 2 > vtable_size_) return 0;
  const size_t offset = buffer_->Load<uint16_t>(vtable_ + entry);
  if (offset == 0) return 0;
  if (offset < 4 || offset + bytes > table_size_)
    Fail(StrCat("field ", slot, " of ", what_, " lies outside of its table"));
  return position_ + offset;
}

std::optional<Table> Table::Child(int slot, const char* what) const {
  const size_t at = Field(slot, 4);
  if (at == 0) return std::nullopt;
  return Table(*buffer_, buffer_->Follow(at, what), what);
}

Table Table::RequiredChild(int slot, const char* what) const {
  auto child = Child(slot, what);
  if (!child) Fail(StrCat(what_, " lacks ", what));
  return *child;
}

std::string_view Table::String(int slot, const char* what) const {
  const size_t at = Field(slot, 4);
  if (at == 0) return {};
  return buffer_->StringAt(buffer_->Follow(at, what), what);
}

std::string_view Table::RequiredString(int slot, const char* what) const {
  if (Field(slot, 4) == 0) Fail(StrCat(what_, " lacks ", what));
  return String(slot, what);
}

VectorBase Table::Vector(int slot, size_t element_size, const char* what) const {
  const size_t at = Field(slot, 4);
  if (at == 0) return {};
  const size_t start = buffer_->Follow(at, what);
  const size_t count = buffer_->Load<uint32_t>(start);
  if (!buffer_->Holds(start + 4, count, element_size))
    buffer_->Fail(start, StrCat(what, " claims ", count, " elements of ", element_size,
                                " bytes, more than the flatbuffer holds"));
  buffer_->Spend(start, 4 + count * element_size);
  return {buffer_, start + 4, count};
}

}  // namespace paddle::lite::flatbuffer
