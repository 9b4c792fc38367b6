#include "core/gemm/algorithms.h"
#include "core/report/words/slice_words.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// C = A B of 256 x 256 x 1024 on 2 x 4 chips: a chip has 1024 / 4 = 256 columns of A and 1024 / 2 = 512 rows
/// of B.
std::vector<std::string> slices_of(const char* id, std::int64_t slices, std::int64_t block) {
    GemmOptions options;
    options.slices = slices;
    options.block = block;
    return slice_words(
        *(*algorithm(id))->write({256, 256, 1024}, Dataflow::OS, *Torus::create({2, 4}), options));
}

TEST(SliceWords, SayWhichColumnsASliceHas) {
    EXPECT_THAT(
        slices_of("meshslice", 8, 8),
        ElementsAre("Slice 1 of 8 of A is columns 0 to 7, 64 to 71, 128 to 135 and so on of the 256 "
                    "that a chip has, in blocks of 8.",
                    "Slice 1 of 8 of B is rows 0 to 7, 64 to 71, 128 to 135 and so on of the 512 that "
                    "a chip has, in blocks of 8."));
    // The naive way takes every eighth.
    EXPECT_THAT(slices_of("meshslice", 8, 1),
                ElementsAre("Slice 1 of 8 of A is columns 0, 8, 16 and so on of the 256 that a chip has, in "
                            "blocks of 1.",
                            "Slice 1 of 8 of B is rows 0, 8, 16 and so on of the 512 that a chip has, in "
                            "blocks of 1."));
    EXPECT_THAT(slices_of("meshslice", 2, 64),
                ElementsAre("Slice 1 of 2 of A is columns 0 to 63 and 128 to 191 of the 256 that a chip has, "
                            "in blocks of 64.",
                            "Slice 1 of 2 of B is rows 0 to 63, 128 to 191, 256 to 319 and so on of the 512 "
                            "that a chip has, in blocks of 64."));
}

TEST(SliceWords, AreNoneWhereNothingIsSliced) {
    EXPECT_THAT(slices_of("meshslice", 1, 8), IsEmpty());
    EXPECT_THAT(slices_of("collective", 1, 8), IsEmpty());
}

} // namespace
} // namespace meshslice
