// meshslice transfer.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

std::vector<std::string> with(std::vector<std::string> more) {
    std::vector<std::string> words = {"transfer", "--slice", "X=4,Y=4", "--to", "3,3", "--bytes", "16777216"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(CliTransfer, SaysTheWaysAndWhatBounds) {
    const std::string corner = meshslice_command(with({"--from", "0,0"})).out;
    EXPECT_THAT(corner, HasSubstr("first byte after 6 x 1.00 µs = 6.00 µs\n"));
    EXPECT_THAT(corner, HasSubstr("last byte after 6.00 µs + 186 µs = 192 µs, bound by links\n"));
    EXPECT_THAT(corner,
                HasSubstr("2 shortest ways, which share no link:\n  (0, 0) (1, 0) (2, 0) (3, 0) (3, 1)"));
    EXPECT_THAT(meshslice_command(with({"--from", "3,0"})).out,
                HasSubstr("The shortest way:\n  (3, 0) (3, 1) (3, 2) (3, 3)\n"));
    const std::string hosts = meshslice_command(with({"--from", "hosts"})).out;
    EXPECT_THAT(hosts, HasSubstr("longest way 6 x 1.00 µs"));
    EXPECT_THAT(hosts, HasSubstr("1.05 MB / 16.0 GB/s")) << "the chip's own PCIe";
    const std::string ring = meshslice_command({"transfer", "--slice", "X=64", "--from", "0", "--to", "32",
                                                "--bytes", "1e6", "--hardware", "tpu-v4-paper"})
                                 .out;
    EXPECT_THAT(ring, HasSubstr(" (22) ... (32)\n")) << "long ways are cut";
}

TEST(CliTransfer, IsWrittenForPrograms) {
    const nlohmann::json one = meshslice_json(with({"--from", "0,0"}));
    EXPECT_EQ(one.at("from"), (nlohmann::json{0, 0}));
    EXPECT_EQ(one.at("hops"), 6);
    EXPECT_EQ(one.at("bound"), "links");
    EXPECT_EQ(one.at("ways").size(), 2u);
    EXPECT_NEAR(one.at("time_in_s").get<double>(), 6e-6 + 16777216 / 90e9, 1e-9);
    const nlohmann::json all = meshslice_json(with({"--from", "hosts", "--pcie", "1 GB/s"}));
    EXPECT_EQ(all.at("from"), "hosts");
    EXPECT_EQ(all.at("bound"), "PCIe of each chip");
    EXPECT_TRUE(all.at("ways").empty());
}

TEST(CliTransfer, RefusesInWords) {
    for (const auto& [more, says] : std::vector<std::pair<std::vector<std::string>, const char*>>{
             {{"--from", "0"}, "--from is \"0\"; expected a place along each axis of {X:4, Y:4}, up to 3,3."},
             {{"--from", "3,3"}, "--from and --to are the same chip, 3,3."},
             {{"--from", "0,0", "--pcie", "1 GB/s"}, "--from hosts works"},
             {{"--from", "hosts", "--pcie", "fast"}, "--pcie is \"fast\"; expected 1 MB/s to 1 EB/s"},
             {{"--from", "chips", "--gemm", "8x8"}, "--gemm"},
             {{"--from", "chips", "--hardware", "h100-nvs8"}, "tpu-v5e has a torus"},
             {{"--from", "chips", "--hardware", "nonsense"}, "nonsense"}}) {
        const Finished refused = meshslice_command(with(more));
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_THAT(refused.err, HasSubstr(says));
        EXPECT_EQ(refused.out, "");
    }
}

} // namespace
} // namespace meshslice::test
