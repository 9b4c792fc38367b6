// A machine file of three levels, two dies in a package, a switch of eight packages and a network around
// them, answers without a line of C++: the numbers are worked by hand.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// 2 TB/s and 1 us within a package; 18 ports of 25 GB/s, of which 70% are reached, and 2 us to the switch;
/// 50 GB/s and 5 us to the network.
std::string machine() {
    return source_file("tests/support/three-levels.json");
}

json collective(const std::string& what, const std::string& bytes, const std::string& chips) {
    return meshslice_json({"collective", what, "--bytes", bytes, "--chips", chips, "--hardware", machine()});
}

/// 32 chips: 2 in a package, 8 packages to a switch, 2 switches.
///
/// By the book each level sends what its units lack, over the ports of all chips of a unit: half of 3.2 GB at
/// 2 TB/s, 0.8 ms; 7/8 at 2 x 450 GB/s, 3.11 ms; half at 16 x 50 GB/s, 2 ms. The switch is the slowest.
///
/// In plans a ring passes all chips: 31/32 of 3.2 GB, 3.1 GB, over each level, which reaches 2 TB/s, 630 GB/s
/// and 800 GB/s: 4.92 ms. Of its 31 steps 16 stay in a package, 14 cross a switch, one the network: 49 us.
TEST(CliThreeLevels, CollectivesAreWorkedByHand) {
    const double book = 3.2 * 7 / 8 / 900, ring = 3.1 / 630 + (16 * 1 + 14 * 2 + 5) * 1e-6;
    for (const char* const what : {"all-gather", "reduce-scatter"}) {
        const json found = collective(what, "3.2e9", "32");
        EXPECT_NEAR(found.at("time_in_s"), book, 1e-12) << what;
        EXPECT_NEAR(found.at("modelled_in_s"), ring, 1e-12) << what;
        EXPECT_EQ(found.at("hops"), 31);
        EXPECT_EQ(found.at("bound"), "bandwidth");
        ASSERT_EQ(found.at("levels").size(), 3u);
        EXPECT_NEAR(found.at("levels").at(0).at("bandwidth_in_s"), 3.2 / 2 / 2000, 1e-12);
        EXPECT_NEAR(found.at("levels").at(1).at("bandwidth_in_s"), book, 1e-12);
        EXPECT_NEAR(found.at("levels").at(2).at("bandwidth_in_s"), 3.2 / 2 / 800, 1e-12);
        EXPECT_NEAR(found.at("levels").at(0).at("modelled_transfer_in_s"), 3.1 / 2000, 1e-12);
        EXPECT_NEAR(found.at("levels").at(2).at("modelled_transfer_in_s"), 3.1 / 800, 1e-12);
    }
    // There and back again.
    const json reduced = collective("all-reduce", "3.2e9", "32");
    EXPECT_NEAR(reduced.at("time_in_s"), 2 * book, 1e-12);
    EXPECT_NEAR(reduced.at("modelled_in_s"), 2 * ring, 1e-12);
    // Each chip has a 32nd of 3.2 GB, 0.1 GB, and for each chip a 32nd of that: 16 are behind the network.
    const json all = collective("all-to-all", "3.2e9", "32");
    EXPECT_NEAR(all.at("time_in_s"), 0.1 * 16 / 32 / 50, 1e-12);
    EXPECT_NEAR(all.at("modelled_in_s"), 0.1 * 16 / 32 / 50 + 5e-6, 1e-12);
    EXPECT_NEAR(all.at("levels").at(1).at("bandwidth_in_s"), 0.1 * 14 / 32 / 450, 1e-12);
    // Two chips are the dies of one package.
    const json dies = collective("all-gather", "1e9", "2");
    EXPECT_EQ(dies.at("levels").size(), 1u);
    EXPECT_NEAR(dies.at("modelled_in_s"), 0.5 / 2000 + 1e-6, 1e-12);
}

/// A switch that reduces has all of an all-reduce go up once and down once: 1.6 GB at 450 GB/s.
TEST(CliThreeLevels, ASwitchMayReduce) {
    json file = json::parse(file_content(source_file("resources/machines/h100.json")));
    file["levels"][0]["reduces"] = true;
    const TemporaryFolder folder;
    const std::string path = folder.file("reducing.json", file.dump());
    const json found =
        meshslice_json({"collective", "all-reduce", "--bytes", "1.6e9", "--chips", "8", "--hardware", path});
    EXPECT_NEAR(found.at("time_in_s"), 1.6 / 450, 1e-12);
    EXPECT_NEAR(found.at("modelled_in_s"), 1.6 / 315 + 2 * 2.5e-6, 1e-12);
    const json plain = meshslice_json(
        {"collective", "all-reduce", "--bytes", "1.6e9", "--chips", "8", "--hardware", "h100"});
    EXPECT_NEAR(plain.at("time_in_s").get<double>() / found.at("time_in_s").get<double>(), 1.75, 1e-9);
}

const std::vector<std::string> plan_of_32 = {"plan",       "--model", "llama-3-8b", "--batch", "32",
                                             "--sequence", "2048",    "--cluster",  machine()};

std::vector<std::string> plan_with(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = plan_of_32;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(CliThreeLevels, PlansSayWhereGroupsStandOnEachLevel) {
    const json found = meshslice_json(plan_with({"--chips", "32", "--json"}));
    const json& best = found.at("plans").at(0).at("plan");
    ASSERT_EQ(best.at("placement").size(), 8u) << "four groups in a package, and four in a server";
    std::int64_t package = 1, server = 1;
    for (std::size_t group = 0; group < 4; ++group) {
        package *= best.at("placement").at(group).get<std::int64_t>();
        server *= best.at("placement").at(4 + group).get<std::int64_t>();
    }
    EXPECT_EQ(package, 2);
    EXPECT_EQ(server, 16);

    const std::vector<std::string> split = {"--dp", "2", "--pp", "2", "--tp", "8x1"};
    const auto time = [&](const std::string& placement) {
        std::vector<std::string> more = split;
        more.insert(more.end(), {"--placement", placement, "--json"});
        return meshslice_json(plan_with(more)).at("time_s").get<double>();
    };
    // Groups of 8 in whole packages of one server, then over two packages' worth of dies, then over servers.
    const double packed = time("2,1,1,1/8,1,1,2");
    EXPECT_LT(packed, time("1,1,1,2/8,1,1,2"));
    EXPECT_LT(time("1,1,1,2/8,1,1,2"), time("1,1,1,1/1,1,1,1"));
    // Left open, the fastest is taken, which is one of these or better.
    std::vector<std::string> open = split;
    open.push_back("--json");
    EXPECT_LE(meshslice_json(plan_with(open)).at("time_s").get<double>(), packed);

    std::vector<std::string> words = split;
    words.insert(words.end(), {"--placement", "2,1,1,1/8,1,1,2"});
    EXPECT_THAT(printed(plan_with(words)), HasSubstr("in one switch of 2: tp 2x1, dp 1, pp 1; in one switch "
                                                     "of 8: tp 8x1, dp 1, pp 2"));
}

/// A reduce-scatter of 2,048 x 4,096 elements of 2 bytes among 8 chips: 7/8 of 16.8 MB at 630 GB/s, 23.302
/// us, and of the 7 steps 4 within a package and 3 across the switch, 10 us.
TEST(CliThreeLevels, APlansCollectiveOpensToThePortsOfEachLevel) {
    const TemporaryFolder folder;
    const std::string path = folder.path("trace.json");
    EXPECT_THAT(printed(plan_with({"--dp", "2", "--pp", "2", "--tp", "8x1", "--placement", "2,1,1,1/8,1,1,2",
                                   "--simulate", "1", "--open",
                                   "stage 1 forward 1/layer 1/FF2/reduce-scatter", "--trace", path})),
                HasSubstr("simulated"));
    const std::string trace = file_content(path);
    EXPECT_THAT(trace, AllOf(HasSubstr("ports to the switch of 2"), HasSubstr("ports to the switch of 8"),
                             HasSubstr("step 7 of 7"), Not(HasSubstr("outer network"))));
    double end = 0;
    const json events = json::parse(trace).at("traceEvents");
    for (const json& event : events) {
        end = std::max(end, event.value("ts", 0.0) + event.value("dur", 0.0));
    }
    EXPECT_NEAR(end, 2048.0 * 4096 * 2 * 7 / 8 / 630e3 + 4 * 1 + 3 * 2, 1e-4) << "us";
}

TEST(CliThreeLevels, PlacementsAreRefusedByLevel) {
    const auto refusal = [&](const std::string& placement) {
        const Finished finished =
            meshslice_command(plan_with({"--dp", "2", "--pp", "2", "--tp", "8x1", "--placement", placement}));
        EXPECT_EQ(finished.exit_code, 2) << placement;
        return finished.err;
    };
    EXPECT_THAT(refusal("4,1,1,1/8,1,1,2"), HasSubstr("puts 4 chips into a fast domain of 2"));
    EXPECT_THAT(refusal("2,1,1,1/1,1,1,2"), HasSubstr("does not divide by 2,1,1,1"));
    EXPECT_THAT(refusal("2,1,1,1/8,1,1,2/8,1,2,2"), HasSubstr("is for 3 levels of units; the network has 2"));
    EXPECT_THAT(refusal("2,1,1/8,1,1,2"), HasSubstr("such as 2,1,1,1/8,1,1,1"));
}

} // namespace
} // namespace meshslice::test
