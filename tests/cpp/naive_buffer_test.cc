// The `.nb` reader: what files mean, and what each kind of damage is answered with.
#include "lite/core/naive_buffer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "lite/core/memory.h"
#include "tests/cpp/check.h"
#include "tests/cpp/nb_encode.h"
#include "tests/cpp/nb_samples.h"

namespace paddle::lite::testing {
namespace {

NaiveBufferModel Read(const std::string& bytes) {
  // A block of its own size, so that a sanitizer sees every step beyond its end.
  std::shared_ptr<uint8_t> copy(new uint8_t[bytes.size()], std::default_delete<uint8_t[]>());
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  return ReadNaiveBuffer(copy.get(), bytes.size(), copy, "test.nb");
}
ProgramDesc ReadTopo(const Ref& program) {
  const std::string bytes = Layout::Of(program);
  return ReadProgramDesc(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), "topo");
}

template <typename T>
bool Holds(const ParamTable& params, const std::string& name, const DDim& dims,
           const std::vector<T>& values) {
  const Tensor& tensor = params.at(name);
  if (tensor.dims() != dims || static_cast<size_t>(tensor.numel()) != values.size()) return false;
  return std::memcmp(tensor.data<T>(), values.data(), values.size() * sizeof(T)) == 0 &&
         tensor.persistable();
}

void TestLinear() {
  for (const std::string& file :
       {FileMeta1(LinearProgram(), LinearParams()), FileMeta2(LinearProgram(), LinearParams()),
        FileMeta2(LinearProgram(), LinearParams(), true)}) {
    const NaiveBufferModel model = Read(file);
    CHECK(model.writer_version == "v2.13-rc");
    CHECK(model.program.version == 2006002);
    CHECK(model.program.blocks.size() == 1);
    const BlockDesc& block = model.program.blocks[0];
    CHECK(block.vars.size() == 8 && block.ops.size() == 5);
    CHECK(block.vars[0].name == "feed" && block.vars[0].type == 9 && block.vars[0].persistable);
    CHECK(block.vars[2].dims == (std::vector<int64_t>{-1, 3}) && !block.vars[2].persistable);
    CHECK(block.ops[1].type == "mul" && block.ops[1].inputs.at("Y")[0] == "w");
    CHECK(block.ops[1].outputs.at("Out")[0] == "m");
    CHECK(block.ops[3].attrs.at("axis") == Attribute(int32_t{-1}));
    CHECK(Holds<float>(model.params, "w", {3, 2}, {1, 2, 3, 4, 5, 6}));
    CHECK(Holds<float>(model.params, "b", {2}, {0.5f, -0.5f}));
  }
}

void TestAttributes() {
  const ProgramDesc program = ReadTopo(EveryAttributeProgram());
  const AttributeMap& attrs = program.blocks.at(0).ops.at(0).attrs;
  CHECK(attrs.size() == 16);
  CHECK(attrs.at("int") == Attribute(int32_t{-7}));
  CHECK(attrs.at("float") == Attribute(0.25f));
  CHECK(attrs.at("string") == Attribute(std::string("text")));
  CHECK(attrs.at("ints") == Attribute(std::vector<int32_t>{1, -2, 3}));
  CHECK(attrs.at("floats") == Attribute(std::vector<float>{0.5f, -1.5f}));
  CHECK(attrs.at("strings") ==
        Attribute(std::vector<std::string>{"a", "", "a string that is not short"}));
  CHECK(attrs.at("boolean") == Attribute(true));
  CHECK(attrs.at("booleans") == Attribute(std::vector<bool>{true, false, true}));
  CHECK(attrs.at("block") == Attribute(int32_t{1}));
  CHECK(attrs.at("long") == Attribute(int64_t{1} << 40));
  CHECK(attrs.at("blocks") == Attribute(std::vector<int32_t>{1}));
  CHECK(attrs.at("longs") == Attribute(std::vector<int64_t>{-1, int64_t{1} << 50}));
  CHECK(attrs.at("float64s") == Attribute(std::vector<double>{1e-300, 2.5}));
  CHECK(attrs.at("var") == Attribute(std::string("v")));
  CHECK(attrs.at("vars") == Attribute(std::vector<std::string>{"v", "w"}));
  CHECK(attrs.at("float64") == Attribute(1e300));
}

// Absent fields: zero, false, an empty string or list.
void TestDefaults() {
  std::vector<Ref> attrs;
  for (int32_t type = 0; type <= 15; ++type)
    if (type != 8) attrs.push_back(Attr("a" + std::to_string(type), type, {}));
  const ProgramDesc program = ReadTopo(
      Table({F(0, List({Table({F(3, List({Table({F(0, Str("op")), F(3, List(attrs))})}))})}))}));
  CHECK(program.version == 0 && program.blocks.size() == 1 && program.blocks[0].vars.empty());
  const OpDesc& op = program.blocks.at(0).ops.at(0);
  CHECK(op.inputs.empty() && op.outputs.empty() && op.attrs.size() == 15);
  CHECK(op.attrs.at("a0") == Attribute(int32_t{0}));
  CHECK(op.attrs.at("a1") == Attribute(0.0f));
  CHECK(op.attrs.at("a2") == Attribute(std::string()));
  CHECK(op.attrs.at("a3") == Attribute(std::vector<int32_t>{}));
  CHECK(op.attrs.at("a5") == Attribute(std::vector<std::string>{}));
  CHECK(op.attrs.at("a6") == Attribute(false));
  CHECK(op.attrs.at("a7") == Attribute(std::vector<bool>{}));
  CHECK(op.attrs.at("a9") == Attribute(int64_t{0}));
  CHECK(op.attrs.at("a12") == Attribute(std::vector<double>{}));
  CHECK(op.attrs.at("a15") == Attribute(0.0));
}

void TestParams() {
  const float inf = std::numeric_limits<float>::infinity();
  const Ref program = Program({Block({}, {})});
  for (const std::string& file :
       {FileMeta1(program, EveryParam()), FileMeta2(program, EveryParam()),
        FileMeta2(program, EveryParam(), true)}) {
    const ParamTable params = Read(file).params;
    CHECK(params.size() == 10);
    CHECK(params.at("bool").data<bool>()[0] && !params.at("bool").data<bool>()[1]);
    CHECK(Holds<int16_t>(params, "int16", {2}, {-300, 300}));
    CHECK(Holds<int32_t>(params, "int32", {}, {-70000}));
    CHECK(Holds<int64_t>(params, "int64", {1, 2}, {int64_t{1} << 40, -1}));
    CHECK(
        Holds<float>(params, "float16", {8}, {1, -2, 0x1p-24f, -0.0f, 65504, inf, -inf, 0x1p-14f}));
    CHECK(Holds<float>(params, "float32", {1, 2, 2}, {1, 2, 3, 4}));
    CHECK(Holds<double>(params, "float64", {1}, {0.1}));
    CHECK(Holds<uint8_t>(params, "uint8", {2}, {0, 255}));
    CHECK(Holds<int8_t>(params, "int8", {2}, {-128, 127}));
    CHECK(params.at("empty").numel() == 0 && params.at("empty").has_data());
  }
}

// An aligned file is borrowed, any other copied, so that the file's bytes may go.
void TestBorrowing() {
  const Ref program = Program({Block({}, {})});
  const std::vector<float> values(100000, 1.5f);
  const auto params = [&] {
    return std::vector<Ref>{Param("a", 5, {100000}, values), Param("b", 5, {100000}, values)};
  };
  for (bool aligned : {true, false}) {
    const std::string file = FileMeta2(program, params(), aligned);
    std::shared_ptr<void> buffer = AllocateAligned(file.size() + 4);
    // 4 bytes off the alignment, an unaligned file's data may be aligned by chance.
    for (size_t shift : {0, 4}) {
      auto* bytes = static_cast<uint8_t*>(buffer.get()) + shift;
      std::memcpy(bytes, file.data(), file.size());
      const NaiveBufferModel model = ReadNaiveBuffer(bytes, file.size(), buffer, "test.nb");
      const auto* data = static_cast<const uint8_t*>(model.params.at("a").raw_data());
      const bool borrowed = data >= bytes && data < bytes + file.size();
      CHECK(reinterpret_cast<uintptr_t>(data) % 16 == 0);
      if (aligned) CHECK(borrowed == (shift == 0));
      CHECK((buffer.use_count() > 1) == borrowed);
      CHECK(Holds(model.params, "b", {100000}, values));
    }
  }
}

void TestSection() {
  const Ref program = Program({Block({}, {})});
  const std::string head = Header(2, Layout::Of(program));
  const std::string one = Layout::Of(Param<float>("p", 5, {1}, {1}));
  const auto value = [](const std::string& file) {
    return Read(file).params.at("p").data<float>()[0];
  };
  CHECK(value(head + SectionHead(1) + Record(one)) == 1);
  CHECK(value(head + SectionHead(1, "meta", "extra") + Record(one, 9)) == 1);
  CHECK(value(head + SectionHead(1) + Record(one) + "trailing junk") == 1);
  CHECK(Read(head + SectionHead(0)).params.empty());

  CHECK_THROWS(ModelFormatError, Read(head), "the file ends after 0");
  CHECK_THROWS(ModelFormatError, Read(head + std::string("\1\0\0\0\6\0", 6)), "has version 1");
  CHECK_THROWS(ModelFormatError, Read(head + std::string("\0\0\0\0\5\0aaaaa", 11)),
               "header has 5 bytes");
  CHECK_THROWS(ModelFormatError, Read(head + SectionHead(2) + Record(one)), "parameter 1 of 2");
  CHECK_THROWS(ModelFormatError, Read(head + SectionHead(65535)), "parameter 0 of 65535");
  CHECK_THROWS(ModelFormatError, Read(head + SectionHead(2) + Record(one) + Record(one)),
               "parameter 'p' occurs twice");
  std::string cut = head + SectionHead(1) + Record(one);
  CHECK_THROWS(ModelFormatError, Read(cut.substr(0, cut.size() - 1)), "but the file ends after");
  std::string bad_offset = cut;
  bad_offset[head.size() + SectionHead(1).size() + 4] = 3;
  CHECK_THROWS(ModelFormatError, Read(bad_offset), "cannot have its content at 3");
}

void TestBadParams() {
  const Ref program = Program({Block({}, {})});
  const auto read = [&](const Ref& param) { return Read(FileMeta2(program, {param})); };
  using Dims = std::vector<int64_t>;
  const auto param = [](int32_t type, const Dims& dims) {
    return Param<float>("p", type, dims, {1, 2});
  };
  CHECK(read(param(5, {2})).params.size() == 1);
  CHECK_THROWS(ModelFormatError, read(param(5, {-2})), "shape [-2] is negative");
  CHECK_THROWS(ModelFormatError, read(param(5, {-1, -2})), "is negative");
  CHECK_THROWS(ModelFormatError, read(param(5, {3})),
               "float32 tensor of shape [3] has 12 bytes, but the file holds 8");
  CHECK_THROWS(ModelFormatError, read(param(5, {int64_t{1} << 62, 4})), "too large");
  CHECK_THROWS(ModelFormatError, read(param(5, {int64_t{1} << 61, 0, 64})), "parameter 'p'");
  CHECK_THROWS(ModelFormatError, read(param(5, Dims(10, 1))), "10 dimensions");
  CHECK_THROWS(ModelFormatError, read(param(7, {2})), "data type 7");
  CHECK_THROWS(ModelFormatError, read(param(22, {2})), "data type 22");
  CHECK_THROWS(ModelFormatError, read(param(-1, {2})), "data type -1");
  CHECK_THROWS(ModelFormatError, read(Param<uint8_t>("p", 0, {2}, {1, 2})), "neither 0 nor 1");
  CHECK_THROWS(ModelFormatError, read(Param<float>("p\xff", 5, {1}, {1})), "'p\\xff'");
  const Ref other_tag = Table({F(1, Str("p")), F(2, uint8_t{2}), F(3, Table({}))});
  CHECK_THROWS(ModelFormatError, read(other_tag), "of the kind 2");
}

void TestBadHeader() {
  const std::string good = FileMeta2(LinearProgram(), LinearParams());
  CHECK_THROWS(ModelFormatError, Read(""), "test.nb: the file is empty");
  CHECK_THROWS(ModelFormatError, Read(good.substr(0, 1)), "it is no .nb file");
  CHECK_THROWS(ModelFormatError, Read(good.substr(0, 25)), "within the header");
  CHECK_THROWS(ModelFormatError, Read(good.substr(0, 100)), "the program is said to have");
  const auto with = [&](const std::string& start) { return start + good.substr(start.size()); };
  CHECK_THROWS(ModelFormatError, Read(with(std::string(2, '\0'))), "before 2.7");
  CHECK_THROWS(ModelFormatError, Read(with(std::string("\3\0", 2))), "begins with 03 00");
  CHECK_THROWS(ModelFormatError, Read(with("\x0a\xb9")), "a .pdmodel or __model__ file");
  CHECK_THROWS(ModelFormatError, Read(with("{\"base")), "inference.json");
  CHECK_THROWS(ModelFormatError, Read(with("PK\3\4")), "zip archive");
  CHECK_THROWS(ModelFormatError, Read(with("version https://git-lfs")), "git lfs pull");
  std::string huge = good;
  huge.replace(18, 8, std::string("\0\0\0\0\0\1\0\0", 8));
  CHECK_THROWS(ModelFormatError, Read(huge), "1099511627776 bytes");
  std::string garbage = good;
  garbage.replace(2, 16, "\xff no zero at all");
  CHECK(Read(garbage).writer_version == "? no zero at all");
}

void TestBadProgram() {
  const auto with_op = [](const Ref& op) { return Program({Block({}, {op}), Block({}, {})}); };
  CHECK_THROWS(ModelFormatError, ReadTopo(Program({})), "has no block");
  CHECK_THROWS(ModelFormatError, ReadTopo(with_op(Op("", {}, {}))), "type is empty");
  CHECK_THROWS(ModelFormatError, ReadTopo(with_op(Table({}))), "lacks an operator's type");
  CHECK_THROWS(ModelFormatError, ReadTopo(with_op(Op("a\n\xc0", {}, {}))), "'a\\x0a\\xc0'");
  CHECK_THROWS(ModelFormatError, ReadTopo(with_op(Op("x", {}, {}, {Attr("a", 16, {})}))),
               "block 0, operator 0 (x): attribute a: at byte");
  const auto refers = [&](int32_t type, int slot, int32_t block) {
    return with_op(Op("while", {}, {}, {Attr("sub_block", type, {F(slot, block)})}));
  };
  CHECK(ReadTopo(refers(8, 10, 1)).blocks.size() == 2);
  CHECK_THROWS(ModelFormatError, ReadTopo(refers(8, 10, 2)), "block 2 cannot be a sub-block");
  CHECK_THROWS(ModelFormatError, ReadTopo(refers(0, 2, -1)), "block -1 cannot be a sub-block");
  CHECK_THROWS(ModelFormatError, ReadTopo(refers(0, 2, 0)), "block 0 cannot be a sub-block");
  const Ref same = with_op(Op("x", {Slot("X", {"a"}), Slot("X", {"a"})}, {},
                              {Attr("a", 0, {F(2, 1)}), Attr("a", 0, {F(2, 1)})}));
  CHECK(ReadTopo(same).blocks[0].ops[0].attrs.size() == 1);
  CHECK_THROWS(
      ModelFormatError,
      ReadTopo(with_op(Op("x", {}, {}, {Attr("a", 0, {F(2, 1)}), Attr("a", 0, {F(2, 2)})}))),
      "attribute a occurs twice");
  CHECK_THROWS(ModelFormatError,
               ReadTopo(with_op(Op("x", {Slot("X", {"a"}), Slot("X", {"b"})}, {}))),
               "input slot X occurs twice");
}

Ref EnterBlock(int32_t block) {
  return Op("while", {}, {}, {Attr("sub_block", 8, {F(10, block)})});
}

void TestNesting() {
  CHECK_THROWS(ModelFormatError,
               ReadTopo(Program({Block({}, {EnterBlock(1)}), Block({}, {EnterBlock(2)}),
                                 Block({}, {EnterBlock(1)})})),
               "block 1 contains itself, through block 2");
  CHECK_THROWS(ModelFormatError, ReadTopo(Program({Block({}, {}), Block({}, {EnterBlock(1)})})),
               "block 1 contains itself");
  // Each block enters the next one `times` times.
  const auto chain = [](int32_t length, int times) {
    std::vector<Ref> blocks;
    for (int32_t i = 1; i <= length; ++i) {
      std::vector<Ref> ops;
      for (int k = 0; k < times && i < length; ++k) ops.push_back(EnterBlock(i));
      blocks.push_back(Block({}, ops));
    }
    return Program(blocks);
  };
  CHECK(ReadTopo(chain(60, 1)).blocks.size() == 60);
  CHECK_THROWS(ModelFormatError, ReadTopo(chain(10000, 1)), "nest more than 64 deep");
  CHECK(ReadTopo(chain(10, 2)).blocks.size() == 10);
  CHECK_THROWS(ModelFormatError, ReadTopo(chain(40, 2)), "more than 65536 times");
}

// A few kilobytes whose shared offsets describe gigabytes.
void TestAmplification() {
  const Ref text = Shared(Str(std::string(20000, 'x')));
  const Ref bomb = Program(
      {Block({}, {Op("x", {}, {}, {Attr("a", 5, {F(7, List(std::vector<Ref>(20000, text)))})})})});
  CHECK_THROWS(ModelFormatError, ReadTopo(bomb), "far more memory");
  const Ref op = Shared(Op("x", {Slot("X", std::vector<std::string>(1000, "a"))}, {}));
  CHECK_THROWS(ModelFormatError, ReadTopo(Program({Block({}, std::vector<Ref>(20000, op))})),
               "far more memory");
  std::vector<Ref> params;
  const Ref data = Shared(Scalars(std::vector<char>(400000, 0)));
  for (int i = 0; i < 1000; ++i)
    params.push_back(
        Table({F(1, Str("p" + std::to_string(i))), F(2, uint8_t{1}),
               F(3, Table({F(2, Scalars<int64_t>({200000})), F(3, int32_t{4}), F(4, data)}))}));
  CHECK_THROWS(ModelFormatError, Read(FileMeta1(Program({Block({}, {})}), params)),
               "far more memory");
}

// Every truncation, and every byte set to a few values: an error or a model, nothing else.
void TestEveryByte() {
  for (const std::string& good : {FileMeta2(EveryAttributeProgram(), EveryParam()),
                                  FileMeta1(WhileProgram(), EveryParam())}) {
    int refused = 0;
    const auto attempt = [&](const std::string& bytes) {
      try {
        Read(bytes);
      } catch (const ModelFormatError&) {
        ++refused;
      }
    };
    for (size_t size = 0; size < good.size(); ++size) attempt(good.substr(0, size));
    CHECK(refused > static_cast<int>(good.size()) * 9 / 10);
    for (size_t i = 0; i < good.size(); ++i)
      for (int flip : {1, 0x80, 0xff}) {
        std::string bytes = good;
        bytes[i] = static_cast<char>(bytes[i] ^ flip);
        attempt(bytes);
      }
  }
}

std::string TemporaryFolder() {
  std::string path = "/tmp/lite_nb_test_XXXXXX";
  if (mkdtemp(path.data()) == nullptr) std::abort();
  return path;
}
void Write(const std::string& path, const std::string& bytes) {
  FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    std::abort();
  std::fclose(file);
}

void TestFiles() {
  const std::string folder = TemporaryFolder(), path = folder + "/model.nb";
  const std::vector<float> values(1 << 20, 2.5f);
  Write(path,
        FileMeta2(Program({Block({}, {})}),
                  {Param("a", 5, {1 << 20}, values), Param("b", 5, {1 << 20}, values)}, true));
  NaiveBufferModel model = ReadNaiveBufferFile(path);
  Tensor a;
  a.ShareDataWith(model.params.at("a"));
  model.params.clear();  // gives b's pages back, and must not touch a's
  CHECK(std::memcmp(a.raw_data(), values.data(), values.size() * 4) == 0);

  const auto code = [](const std::string& file) {
    try {
      ReadNaiveBufferFile(file);
    } catch (const FileError& error) {
      return error.code();
    }
    return 0;
  };
  CHECK(code(folder + "/none.nb") == ENOENT);
  CHECK(code(folder) == EISDIR);
  CHECK(code("/dev/zero") == EINVAL);
  CHECK(code(std::string("a\0b", 3)) == EINVAL);
  const std::string fifo = folder + "/fifo";
  CHECK(mkfifo(fifo.c_str(), 0600) == 0 && code(fifo) == EINVAL);
  if (geteuid() != 0) {  // root may read everything
    chmod(path.c_str(), 0);
    CHECK(code(path) == EACCES);
  }
  const std::string empty = folder + "/empty.nb";
  Write(empty, "");
  CHECK_THROWS(ModelFormatError, ReadNaiveBufferFile(empty), "empty.nb': the file is empty");
  for (const std::string& file : {path, fifo, empty}) unlink(file.c_str());
  rmdir(folder.c_str());
}

}  // namespace
}  // namespace paddle::lite::testing

int main() {
  using namespace paddle::lite::testing;
  TestLinear();
  TestAttributes();
  TestDefaults();
  TestParams();
  TestBorrowing();
  TestSection();
  TestBadParams();
  TestBadHeader();
  TestBadProgram();
  TestNesting();
  TestAmplification();
  TestEveryByte();
  TestFiles();
  return TEST_EXIT_CODE();
}
