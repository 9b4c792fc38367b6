// `meshslice flows`: collectives on the links of switches.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

/// A data-parallel sum of two groups of 16 over leaves that have a fourth of the links: four times as long as
/// on a network that is not oversubscribed.
TEST(CliFlows, SaysWhatOversubscriptionCosts) {
    const auto time = [](const std::string& factor) {
        return meshslice_json({"flows", "all-reduce", "--bytes", "256 MB", "--group", "2", "--stride", "16",
                               "--machine", "h100", "--leaf", "16", "--oversubscription", factor})
            .at("exchanges")
            .at(0);
    };
    const nlohmann::json one = time("1"), four = time("4");
    EXPECT_NEAR(one.at("time_in_s").get<double>() / one.at("planned_in_s").get<double>(), 1, 1e-6);
    EXPECT_NEAR(four.at("time_in_s").get<double>() / one.at("time_in_s").get<double>(), 4, 0.01);
}

TEST(CliFlows, SaysWhatOtherTrafficCosts) {
    const nlohmann::json both =
        meshslice_json({"flows", "all-to-all", "--bytes", "64 MB", "--group", "8", "--stride", "4", "--with",
                        "all-to-all", "--machine", "h100-nvs4"});
    ASSERT_EQ(both.at("exchanges").size(), 2u);
    EXPECT_EQ(both.at("exchanges").at(1).at("bytes"), 64e6);
    EXPECT_GT(both.at("exchanges").at(0).at("slower_ratio").get<double>(), 1.3);
    EXPECT_EQ(both.at("levels").size(), 2u);
}

TEST(CliFlows, WritesWhatEachLinkDoes) {
    const TemporaryFolder folder;
    const std::string path = folder.path("links.json");
    EXPECT_THAT(printed({"flows", "all-gather", "--bytes", "1 MB", "--group", "8", "--chips", "8",
                         "--machine", "h100", "--trace", path}),
                HasSubstr("56 flows"));
    std::ifstream stream(path);
    const std::string trace{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_THAT(trace, HasSubstr("chip 7"));
    EXPECT_THAT(trace, HasSubstr("switch of 8 out"));
}

TEST(CliFlows, RefusesInItsWords) {
    const auto refused = [](std::vector<std::string> more) {
        std::vector<std::string> all = {"flows", "all-gather", "--bytes", "1 MB", "--machine", "h100"};
        all.insert(all.end(), more.begin(), more.end());
        return meshslice_command(all).err;
    };
    EXPECT_THAT(refused({"--wiring", "rails"}), HasSubstr("--leaf 16 works"));
    for (const char* field : {"--with-bytes", "--with-group", "--with-stride"}) {
        EXPECT_THAT(refused({field, "4"}), HasSubstr(field + std::string(" is about the other traffic")));
        EXPECT_EQ(refused({"--group", "8", "--with", "all-gather", field, "4"}), "");
    }
    EXPECT_THAT(refused({"--ports", "3"}), HasSubstr("--ports has \"3\"; expected a chip's number"));
    EXPECT_THAT(refused({"--ports", "3=0.5,3=0.5"}), HasSubstr("The port of chip 3 is named twice"));
    EXPECT_THAT(refused({"--ports", "3=1e-4"}), HasSubstr("0.001 to 1 or 0 for a dead port"));
    EXPECT_THAT(meshslice_command(
                    {"flows", "all-reduce", "--bytes", "1e18", "--ports", "3=0.001", "--machine", "h100"})
                    .err,
                HasSubstr("take more than 4e+06 s"));
    EXPECT_THAT(refused({"--group", "5"}), HasSubstr("Groups of 5 chips do not divide 32 chips."));
}

} // namespace
} // namespace meshslice::test
