// Small programs for the tests of the `.nb` reader and the seeds of its fuzzer.
#pragma once

#include <string>
#include <vector>

#include "tests/cpp/nb_builder.h"

namespace paddle::lite::testing {

inline Ref Feed(const std::string& name, int32_t col = 0) {
  return Op("feed", {Slot("X", {"feed"})}, {Slot("Out", {name})}, {Attr("col", 0, {F(2, col)})});
}
inline Ref Fetch(const std::string& name, int32_t col = 0) {
  return Op("fetch", {Slot("X", {name})}, {Slot("Out", {"fetch"})}, {Attr("col", 0, {F(2, col)})});
}

// x [-1, 3] * w [3, 2] + b [2], then a softmax.
inline Ref LinearProgram() {
  return Program(
      {Block({Var("feed", 9, true, {}), Var("fetch", 10, true, {}), Var("x", 7, false, {-1, 3}),
              Var("w", 7, true, {3, 2}), Var("b", 7, true, {2}), Var("m", 7, false, {-1, 2}),
              Var("a", 7, false, {-1, 2}), Var("y", 7, false, {-1, 2})},
             {Feed("x"),
              Op("mul", {Slot("X", {"x"}), Slot("Y", {"w"})}, {Slot("Out", {"m"})},
                 {Attr("x_num_col_dims", 0, {F(2, int32_t{1})}),
                  Attr("y_num_col_dims", 0, {F(2, int32_t{1})})}),
              Op("elementwise_add", {Slot("X", {"m"}), Slot("Y", {"b"})}, {Slot("Out", {"a"})},
                 {Attr("axis", 0, {F(2, int32_t{1})})}),
              Op("softmax", {Slot("X", {"a"})}, {Slot("Out", {"y"})},
                 {Attr("axis", 0, {F(2, int32_t{-1})})}),
              Fetch("y")})});
}
inline std::vector<Ref> LinearParams() {
  return {Param<float>("b", 5, {2}, {0.5f, -0.5f}),
          Param<float>("w", 5, {3, 2}, {1, 2, 3, 4, 5, 6})};
}

// One attribute of every type, all with the value away from the default.
inline std::vector<Ref> EveryAttribute() {
  return {Attr("int", 0, {F(2, int32_t{-7})}),
          Attr("float", 1, {F(3, 0.25f)}),
          Attr("string", 2, {F(4, Str("text"))}),
          Attr("ints", 3, {F(5, Scalars<int32_t>({1, -2, 3}))}),
          Attr("floats", 4, {F(6, Scalars<float>({0.5f, -1.5f}))}),
          Attr("strings", 5, {F(7, Strs({"a", "", "a string that is not short"}))}),
          Attr("boolean", 6, {F(8, true)}),
          Attr("booleans", 7, {F(9, Scalars<uint8_t>({1, 0, 1}))}),
          Attr("block", 8, {F(10, int32_t{1})}),
          Attr("long", 9, {F(11, int64_t{1} << 40)}),
          Attr("blocks", 10, {F(12, Scalars<int32_t>({1}))}),
          Attr("longs", 11, {F(13, Scalars<int64_t>({-1, int64_t{1} << 50}))}),
          Attr("float64s", 12, {F(15, Scalars<double>({1e-300, 2.5}))}),
          Attr("var", 13, {F(4, Str("v"))}),
          Attr("vars", 14, {F(7, Strs({"v", "w"}))}),
          Attr("float64", 15, {F(14, 1e300)})};
}
inline Ref EveryAttributeProgram() {
  return Program({Block({}, {Op("scale", {}, {}, EveryAttribute())}), Block({}, {})});
}

// A parameter of every type that a file may hold, of every rank from 0 to 3 and an empty one.
inline std::vector<Ref> EveryParam() {
  return {Param<uint8_t>("bool", 0, {3}, {1, 0, 1}),
          Param<int16_t>("int16", 1, {2}, {-300, 300}),
          Param<int32_t>("int32", 2, {}, {-70000}),
          Param<int64_t>("int64", 3, {1, 2}, {int64_t{1} << 40, -1}),
          Param<uint16_t>("float16", 4, {8},
                          {0x3c00, 0xc000, 0x0001, 0x8000, 0x7bff, 0x7c00, 0xfc00, 0x0400}),
          Param<float>("float32", 5, {1, 2, 2}, {1, 2, 3, 4}),
          Param<double>("float64", 6, {1}, {0.1}),
          Param<uint8_t>("uint8", 20, {2}, {0, 255}),
          Param<int8_t>("int8", 21, {2}, {-128, 127}),
          Param<float>("empty", 5, {2, 0}, {})};
}

// A `while` whose body counts `i` down; real files keep the body's position as an INT.
inline Ref WhileProgram() {
  return Program(
      {Block(
           {Var("feed", 9, true, {}), Var("fetch", 10, true, {}), Var("i", 7, false, {1}, 3),
            Var("zero", 7, true, {1}, 3), Var("go", 7, false, {1}, 0), Var("steps", 11, false, {})},
           {Feed("i"),
            Op("less_than", {Slot("X", {"zero"}), Slot("Y", {"i"})}, {Slot("Out", {"go"})}),
            Op("while", {Slot("X", {"i", "zero"}), Slot("Condition", {"go"})},
               {Slot("Out", {"i"}), Slot("StepScopes", {"steps"})},
               {Attr("sub_block", 0, {F(2, int32_t{1})}), Attr("is_test", 6, {F(8, true)})}),
            Fetch("i")}),
       Block({},
             {Op("increment", {Slot("X", {"i"})}, {Slot("Out", {"i"})},
                 {Attr("step", 1, {F(3, -1.0f)})}),
              Op("less_than", {Slot("X", {"zero"}), Slot("Y", {"i"})}, {Slot("Out", {"go"})})})});
}

// relu(x [-1, 3] * w [3, 2] + b [2]) as a subgraph for a device, then a softmax; LinearParams.
inline Ref SubgraphProgram() {
  return Program(
      {Block(
           {Var("feed", 9, true, {}), Var("fetch", 10, true, {}), Var("x", 7, false, {-1, 3}),
            Var("w", 7, true, {3, 2}), Var("b", 7, true, {2}), Var("m", 7, false, {-1, 2}),
            Var("a", 7, false, {-1, 2}), Var("r", 7, false, {-1, 2}), Var("y", 7, false, {-1, 2})},
           {Feed("x"),
            Op("subgraph", {Slot("Inputs", {"x", "w", "b"})}, {Slot("Outputs", {"r"})},
               {Attr("sub_block", 0, {F(2, int32_t{1})}),
                Attr("input_data_names", 5, {F(7, Strs({"x"}))}),
                Attr("output_data_names", 5, {F(7, Strs({"r"}))})}),
            Op("softmax", {Slot("X", {"r"})}, {Slot("Out", {"y"})},
               {Attr("axis", 0, {F(2, int32_t{-1})})}),
            Fetch("y")}),
       Block({}, {Op("mul", {Slot("X", {"x"}), Slot("Y", {"w"})}, {Slot("Out", {"m"})},
                     {Attr("x_num_col_dims", 0, {F(2, int32_t{1})}),
                      Attr("y_num_col_dims", 0, {F(2, int32_t{1})})}),
                  Op("elementwise_add", {Slot("X", {"m"}), Slot("Y", {"b"})}, {Slot("Out", {"a"})},
                     {Attr("axis", 0, {F(2, int32_t{-1})})}),
                  Op("relu", {Slot("X", {"a"})}, {Slot("Out", {"r"})})})});
}

}  // namespace paddle::lite::testing
