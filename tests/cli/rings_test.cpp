// Rings of chips: what long ones take, and which ones close.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

// GCC defines names, clang answers questions.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized_build = true;
#elif defined(__has_feature)
constexpr bool sanitized_build = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized_build = false;
#endif

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A ring of 65,536 chips needs what its 65,536 places need, not the square of that, which is gigabytes: a
/// number of four bytes for every send of every chip alone is 17 GB. On 512 chips SUMMA records 4.71 million
/// intervals of 24 bytes, 113 MB, and with jitter, where no chip is like another, 512 chips of MeshSlice 1.05
/// million. Addresses are more than memory: programs, libraries, stacks, huge pages.
TEST(Rings, OfManyChipsRunInAGigabyteOfAddresses) {
    if (sanitized_build) {
        GTEST_SKIP() << "A sanitizer reserves terabytes of addresses, which a limit forbids.";
    }
    for (const char* arguments : {"--mesh 1x65536", "--mesh 65536x1", "--mesh 1x512 --algorithm summa",
                                  "--mesh 1x1x32768 --algorithm meshslice-dp", "--mesh 1x512 --jitter 1us"}) {
        const Finished finished = run_process(
            {"/bin/sh", "-c",
             std::string("ulimit -v 1000000; \"$0\" simulate --gemm 65536x65536x65536 ") + arguments,
             MESHSLICE_COMMAND});
        EXPECT_EQ(finished.exit_code, 0) << arguments << ": " << finished.err;
        EXPECT_THAT(finished.out, HasSubstr(" of peak; ")) << arguments;
    }
}

/// Nine chips with wrap-around along columns alone: 00 10 20 21 22 02 12 11 01 and back up is one ring.
TEST(Rings, OneThroughAnOddMeshClosesWithOneWrapAround) {
    const Finished finished = meshslice_command(
        {"verify", "--algorithm", "1d-tp", "--mesh", "3x3", "--gemm", "9x9x9", "--wrap", "vertical"});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(finished.out,
                AllOf(StartsWith("1D tensor parallel OS 9x9x9 on 9, "), HasSubstr("correct: ")));
}

/// 2.5D passes shards round closed rings. MeshSlice + DP on 1x1x64 adds gradients up over the third axis
/// alone: round a ring of 64 both ways, half of 2 x 63/64 each way; on a line all of it passes the link in
/// the middle.
TEST(Rings, WithoutWrapAroundTheThirdAxisIsOpenToo) {
    const Finished shifts = meshslice_command({"simulate", "--mesh", "4x4x4", "--hardware", "tpu-v4",
                                               "--algorithm", "2.5d", "--batch", "8", "--wrap", "none"});
    EXPECT_EQ(shifts.exit_code, 2);
    EXPECT_THAT(shifts.err, HasSubstr("axis of the mesh 4x4x4 has no wrap-around"));
    const auto transfer = [](std::vector<std::string> more) {
        std::vector<std::string> all = {"estimate",    "--mesh",       "1x1x64",  "--hardware", "tpu-v4",
                                        "--algorithm", "meshslice-dp", "--batch", "64"};
        all.insert(all.end(), more.begin(), more.end());
        return meshslice_json(all).at("transfer_s").get<double>();
    };
    const double closed = transfer({});
    EXPECT_NEAR(transfer({"--wrap", "none"}), 2 * closed, 1e-9 * closed);
}

} // namespace
} // namespace meshslice::test
