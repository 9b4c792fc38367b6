#include "core/gemm/algorithms.h"
#include "core/program/operation_words.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace meshslice {
namespace {

/// A program of one operation, whose values are A, B, C and a part of A.
Program program_of(Operation operation, const Torus& torus) {
    Program program;
    program.torus = torus;
    program.values = {{"A", 4, 4, Value::Role::left},
                      {"B", 4, 4, Value::Role::right},
                      {"C", 4, 4, Value::Role::output},
                      {"A_s", 4, 2},
                      {"C'", 4, 2}};
    program.operations.push_back(std::move(operation));
    return program;
}

/// Links of the horizontal axis lie along a row of chips, those of the vertical one along a column.
TEST(OperationWords, SayWhatMovesAndWhere) {
    const Torus mesh = *Torus::create(std::vector<std::int32_t>{2, 2});
    const auto said = [&](Operation operation) { return operation_words(program_of(operation, mesh), 0); };
    EXPECT_EQ(said(AllGather{3, 3, Axis::horizontal, Dimension::columns}), "gather A along the row");
    EXPECT_EQ(said(AllGather{1, 1, Axis::vertical, Dimension::rows}), "gather B along the column");
    EXPECT_EQ(said(ReduceScatter{4, 2, Axis::horizontal, Dimension::columns}),
              "reduce-scatter C along the row");
    EXPECT_EQ(said(Shift{0, 0, Axis::vertical, 1}), "shift A along the column");
    EXPECT_EQ(said(Slice{0, 3, {}}), "cut a slice from A");
    EXPECT_EQ(said(Multiply{0, 1, 2, false, false, false, {}}), "multiply");
    EXPECT_EQ(
        brief_operation_words(program_of(AllGather{3, 3, Axis::horizontal, Dimension::columns}, mesh), 0),
        "gather A");
}

/// One axis is a ring, whichever way it lies.
TEST(OperationWords, AreOfTheRingWhereThereIsOneAxis) {
    const Torus ring = *Torus::create(std::vector<std::int32_t>{4});
    EXPECT_EQ(operation_words(program_of(AllGather{0, 0, Axis::vertical, Dimension::rows}, ring), 0),
              "gather A along the ring");
}

} // namespace
} // namespace meshslice
