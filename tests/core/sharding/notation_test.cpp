#include "core/sharding/notation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

const NamedMesh xyz{{{'X', 4}, {'Y', 8}, {'Z', 2}}};

TEST(NamedMesh, IsReadAsBooksAndPeopleWriteIt) {
    for (const char* words : {"X=4, Y=8, Z=2", "{X:4, Y:8, Z:2}", " X=4,Y=8,Z=2 ", "X=4 Y=8 Z=2", "4x8x2",
                              " 4 x 8 x 2", "{'X': 4, 'Y': 8, 'Z': 2}"}) {
        const auto mesh = parse_named_mesh(words);
        ASSERT_TRUE(mesh) << words << ": " << mesh.error().sentence;
        EXPECT_EQ(*mesh, xyz) << words;
    }
    EXPECT_EQ(xyz.devices(), 64);
    EXPECT_EQ(text(xyz), "{X:4, Y:8, Z:2}");
    EXPECT_EQ(parse_named_mesh(text(xyz)).value(), xyz);
}

struct Misspelt {
    const char* text;
    std::size_t at; ///< the letter that is meant, from 0
    const char* words;
};

TEST(NamedMesh, PointsAtWhatIsWrong) {
    for (const Misspelt& wrong : {
             Misspelt{"", 0, "expected an axis, one capital letter, and its size, as in X=16"},
             Misspelt{"#=4", 0, "not \"#\""},
             Misspelt{"X=4, X=2", 5, "already has an axis X"},
             Misspelt{"X 4", 2, "the size of axis X, as in X=4"},
             Misspelt{"X=0", 2, "a whole number from 1 on"},
             Misspelt{"X=99999999999999999999", 2, "a whole number from 1 on"},
             Misspelt{"X=1024, Y=2048", 10, "at most 1048576 chips"},
             Misspelt{"{X:4", 4, "a comma or }"},
             Misspelt{"X=4 4", 4, "nothing after the mesh"},
             Misspelt{"4x0", 0, "as in X=16"},
             Misspelt{"2x2x2x2", 0, "as in X=16"},
             Misspelt{"X=4,\u00e9", 4, "not \"\u00e9\""},
             Misspelt{"A=1,B=1,C=1,D=1,E=1,F=1,G=1", 24, "at most 6 axes"},
         }) {
        const auto mesh = parse_named_mesh(wrong.text);
        ASSERT_FALSE(mesh) << wrong.text;
        EXPECT_EQ(mesh.error().begin, wrong.at) << wrong.text;
        EXPECT_THAT(mesh.error().sentence, HasSubstr(wrong.words)) << wrong.text;
    }
}

/// What is printed is what was read, with the book's spaces.
TEST(ShardedArray, GoesRoundThroughText) {
    for (const char* words : {"A[I, J]", "A[I_X, J]", "A[I_XY, J_Z]", "A[I_YX, J]", "W1[D, F_XYZ]",
                              "C[I_X, K]{U_Y}", "C[I, K]{U_XYZ}", "Q[B_X, T, N_Y, H]", "x[B]"}) {
        const auto array = parse_sharded_array(words, xyz);
        ASSERT_TRUE(array) << words << ": " << array.error().sentence;
        EXPECT_EQ(text(*array, xyz), words);
    }
    // X is the major axis of I_XY, and of I_YX Y is.
    const ShardedArray xy = parse_sharded_array(" A [ I_X Y,J ] { U_Z } ", xyz).value();
    EXPECT_EQ(xy.dimensions, (std::vector<ArrayDimension>{{'I', {0, 1}}, {'J', {}}}));
    EXPECT_EQ(xy.unreduced, AxisList{2});
    EXPECT_NE(parse_sharded_array("A[I_YX, J]", xyz), parse_sharded_array("A[I_XY, J]", xyz));
}

TEST(ShardedArray, PointsAtWhatIsWrong) {
    for (const Misspelt& wrong : {
             // The book's own example of what cannot be.
             Misspelt{"A[I_X, J_X]", 9,
                      "Axis X already splits I, and an axis can do that once only. Still free: Y and Z."},
             Misspelt{"A[I_XX, J]", 5, "Axis X already splits I"},
             Misspelt{"A[I_X, J]{U_X}", 12, "Axis X already splits I"},
             Misspelt{"A[I]{U_YY}", 8, "already holds partial sums"},
             Misspelt{"A[I_XYZ, J_Y]", 11, "once only."},
             Misspelt{"A[I_W, J]", 4, "The mesh has no axis W; it has X, Y and Z."},
             Misspelt{"A[I, I]", 5, "I already names a dimension of A"},
             Misspelt{"A[I_, J]", 4, "expected an axis of the mesh (X, Y and Z)"},
             Misspelt{"A[1]", 2, "a dimension, one capital letter,"},
             Misspelt{"A[I", 3, "before the end of the text"},
             Misspelt{"[I]", 0, "the name of an array"},
             Misspelt{"A(I)", 1, "expected ["},
             Misspelt{"A[I]{X}", 5, "U_"},
             Misspelt{"A[I] B", 5, "nothing after the array"},
             Misspelt{"A[I_X J]", 6, "The mesh has no axis J"},
             Misspelt{"", 0, "before the end of the text"},
         }) {
        const auto array = parse_sharded_array(wrong.text, xyz);
        ASSERT_FALSE(array) << wrong.text;
        EXPECT_EQ(array.error().begin, wrong.at) << wrong.text;
        EXPECT_THAT(array.error().sentence, HasSubstr(wrong.words)) << wrong.text;
    }
    EXPECT_EQ(in_text("A[I_W]", {"There is none.", 4, 1}).sentence, "A[I_W], character 5: There is none.");
}

/// As JAX prints them: jax.sharding.PartitionSpec, a tuple where several axes split a dimension.
TEST(ShardedArray, GoesRoundThroughPartitionSpecs) {
    const auto spec = [](const char* words) {
        return partition_spec(parse_sharded_array(words, xyz).value(), xyz);
    };
    EXPECT_EQ(spec("A[I_X, J]"), "P('X', None)");
    EXPECT_EQ(spec("A[I_XY, J_Z]"), "P(('X', 'Y'), 'Z')");
    EXPECT_EQ(spec("A[I, J]"), "P(None, None)");
    // As JAX's own tests have it: partial sums along Y and Z.
    EXPECT_EQ(spec("A[I_X, J]{U_YZ}"), "P('X', None, unreduced={'Y', 'Z'})");
    EXPECT_EQ(make_mesh_text(xyz), "jax.make_mesh((4, 8, 2), ('X', 'Y', 'Z'))");
    EXPECT_EQ(make_mesh_text({{{'X', 4}}}), "jax.make_mesh((4,), ('X',))");
    for (const char* words : {"A[I, J]", "A[I_X, J]", "A[I_YX, J_Z]", "A[I, J_XYZ]", "A[I_X, J]{U_YZ}"}) {
        const ShardedArray array = parse_sharded_array(words, xyz).value();
        EXPECT_EQ(parse_partition_spec(partition_spec(array, xyz), "A", "IJ", xyz).value(), array) << words;
    }
    const auto same = [](const char* python, const char* book) {
        const auto array = parse_partition_spec(python, "A", "IJ", xyz);
        ASSERT_TRUE(array) << python << ": " << array.error().sentence;
        EXPECT_EQ(text(*array, xyz), book) << python;
    };
    same("PartitionSpec('X',)", "A[I_X, J]");
    same("P()", "A[I, J]");
    same("P(\"X\", ('Y', \"Z\",))", "A[I_X, J_YZ]");
    same("P((), 'X')", "A[I, J_X]");
    same("P('X', unreduced={'Y'},)", "A[I_X, J]{U_Y}");
}

TEST(ShardedArray, PointsAtWhatIsWrongInAPartitionSpec) {
    for (const Misspelt& wrong : {
             Misspelt{"P('X', 'X')", 8, "already splits I"},
             Misspelt{"P('W')", 3, "no axis W"},
             Misspelt{"P(None, None, None)", 14, "no more than 2 dimensions"},
             Misspelt{"P(X)", 2, "an axis in quotes"},
             Misspelt{"P('X', unreduced={'X'})", 19, "Axis X already splits I"},
             Misspelt{"P('X', unreduced='Y')", 17, "={"},
             Misspelt{"P('X'", 5, "a comma or )"},
             Misspelt{"P('X\")", 4, "a quote after one letter"},
             Misspelt{"Q('X')", 0, "P( or PartitionSpec("},
             Misspelt{"P(('X', ", 8, "an axis in quotes"},
         }) {
        const auto array = parse_partition_spec(wrong.text, "A", "IJ", xyz);
        ASSERT_FALSE(array) << wrong.text;
        EXPECT_EQ(array.error().begin, wrong.at) << wrong.text;
        EXPECT_THAT(array.error().sentence, HasSubstr(wrong.words)) << wrong.text;
    }
}

} // namespace
} // namespace meshslice
