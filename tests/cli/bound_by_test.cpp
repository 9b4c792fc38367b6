// What bounds a run, asked by the flags that a user has.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace meshslice::test {
namespace {

/// On rings that wind through a mesh "vertical_links" are those that --links-vertical makes faster, and
/// "links" those of --links: twice of that saves what was said, and twice of another axis nothing like it.
TEST(CliBoundBy, NamesTheLinksThatTheFlagsHave) {
    for (const auto& [on, named, flag, other] : std::vector<std::array<const char*, 4>>{
             {"16x1", "vertical_links", "--links-vertical", "--links-horizontal"},
             {"1x16", "horizontal_links", "--links-horizontal", "--links-vertical"},
             {"4x4", "links", "--links", "--links-vertical"}}) {
        const std::string mesh = on;
        for (const char* const algorithm : {"fsdp", "1d-tp"}) {
            const auto run = [&](const std::vector<std::string>& more) {
                std::vector<std::string> words = {
                    "simulate",         "--mesh",     mesh, "--hardware",  "tpu-v4-paper", "--gemm",
                    "16384x8192x32768", "--dataflow", "OS", "--algorithm", algorithm};
                words.insert(words.end(), more.begin(), more.end());
                return meshslice_json(words);
            };
            const nlohmann::json one = run({});
            EXPECT_EQ(one.at("bound_by"), named) << mesh << ' ' << algorithm;
            const double time = one.at("time_s");
            const double saves = one.at("saves_if_twice_as_fast").at(named);
            EXPECT_GT(saves, 0.1);
            const nlohmann::json& why = one.at("why").at("critical_path_shares");
            EXPECT_TRUE(why.contains(named)) << "one name for the links everywhere: " << why;
            EXPECT_NEAR(1 - run({flag, "x2"}).at("time_s").get<double>() / time, saves, 0.02)
                << mesh << ' ' << algorithm;
            EXPECT_LT(1 - run({other, "x2"}).at("time_s").get<double>() / time, 0.02)
                << mesh << ' ' << algorithm;
        }
    }
}

} // namespace
} // namespace meshslice::test
