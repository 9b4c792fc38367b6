// `meshslice pod`: what a slice adds up to.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

/// 8 x 16 of TPU v5e, half a pod: 128 chips of 1.97e14 FLOP/s and 16 GB, eight to a host; the long axis alone
/// is a ring.
TEST(CliPod, AddsUpASlice) {
    const nlohmann::json half = meshslice_json({"pod", "8x16"});
    EXPECT_EQ(half.at("chips"), 128);
    EXPECT_EQ(half.at("hosts"), 16);
    EXPECT_EQ(half.at("cores"), 128);
    EXPECT_EQ(half.at("cubes"), 0);
    EXPECT_DOUBLE_EQ(half.at("flop_per_s"), 128 * 1.97e14);
    EXPECT_DOUBLE_EQ(half.at("hbm_bytes"), 128 * 16e9);
    EXPECT_EQ(half.at("rings"), (std::vector<bool>{false, true}));
    EXPECT_DOUBLE_EQ(meshslice_json({"pod", "8x16", "--data-type", "int8"}).at("flop_per_s"), 128 * 3.94e14);
    // A part of a cube is not a cube, and a host that is not full is one all the same.
    const nlohmann::json part = meshslice_json({"pod", "2x2x4", "--hardware", "tpu-v4"});
    EXPECT_EQ(part.at("cubes"), 0);
    EXPECT_EQ(meshslice_json({"pod", "8x8x1", "--hardware", "tpu-v4"}).at("cubes"),
              0); // 64 chips, and no cube
    EXPECT_EQ(meshslice_json({"pod", "4x4x8", "--hardware", "tpu-v4"}).at("cubes"), 2);
    EXPECT_EQ(part.at("rings"), (std::vector<bool>{false, false, false}));
    EXPECT_EQ(meshslice_json({"pod", "1x3", "--hardware", "tpu-v4"}).at("hosts"), 1);
    EXPECT_TRUE(meshslice_json({"pod", "4x4", "--hardware", "tpu-v4-paper"}).at("hosts").is_null());
}

TEST(CliPod, SaysWhatWouldWork) {
    const auto said = [](const std::vector<std::string>& arguments) {
        const Finished finished = meshslice_command(arguments);
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_EQ(finished.out, "");
        return finished.err;
    };
    EXPECT_THAT(said({"pod", "17x2"}), HasSubstr("has up to 16"));
    EXPECT_THAT(said({"pod", "17x17x32", "--hardware", "tpu-v5p"}), HasSubstr("8960"));
    EXPECT_THAT(said({"pod", "4by4"}), HasSubstr("such as 32x8"));
    EXPECT_THAT(said({"pod", "4x4", "--hardware", "b200-nvs8"}), HasSubstr("--machine tpu-v5p is one"));
    EXPECT_THAT(said({"pod", "4x4", "--data-type", "f9"}), HasSubstr("--data-type"));
}

} // namespace
} // namespace meshslice::test
