// Every question of the registry, asked for words, JSON and CSV.

#include "core/question/catalogue/questions.h"
#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using Arguments = std::vector<std::string>;

/// The smallest thing that a question can be asked.
const std::map<std::string, Arguments>& smallest() {
    static const TemporaryFolder folder;
    static const std::string report = folder.path("report.html");
    static const Arguments gemm = {"--gemm", "64x64x64", "--mesh", "2x2"};
    static const std::map<std::string, Arguments> all = {
        {"simulate", gemm},
        {"estimate", gemm},
        {"tune", gemm},
        {"sweep", {"--gemm", "64x64x64", "--mesh", "2x2", "--vary", "slices=1,2"}},
        {"verify", {}},
        {"reproduce", {"dataflows"}},
        {"calibrate", {"--gemms", source_file("tests/fuzz/seeds/measurements/gemms.csv")}},
        {"evidence", {"collectives"}},
        {"plan", {"--model", "llama-3-8b", "--chips", "8", "--batch", "8", "--top", "2"}},
        {"scale",
         {"--model", "llama-3-8b", "--machine", "h100", "--chips", "8", "--batch", "8", "--strategy", "1d",
          "--to", "16"}},
        {"report", {report, "--gemm", "64x64x64", "--mesh", "2x2"}},
        {"launch", {"megatron", "--model", "llama-3-8b", "--chips", "8", "--batch", "8", "--strategy", "1d"}},
        {"serve", {"--model", "llama-3-8b"}},
        {"roofline", {"--gemm", "256x8192x8192"}},
        {"pipeline", {}},
        {"split", {"--layer", "1Mix8192x32768", "--mesh", "4x4"}},
        {"collective", {"all-gather", "--bytes", "34e6", "--axes", "X=16"}},
        {"flows", {"all-gather", "--bytes", "34e6", "--group", "8", "--chips", "8", "--machine", "h100"}},
        {"transfer", {"--slice", "X=4,Y=4", "--from", "0,0", "--to", "3,3", "--bytes", "34e6"}},
        {"pod", {"8x16"}},
        {"systolic", {}},
        {"warps", {}},
        {"sensitivity", gemm},
        {"machine", {"from-topo", source_file("tests/core/import/machines/eight-gpus.txt")}},
        {"hlo", {"%a = bf16[64]{0} all-gather(bf16[16]{0} %x), replica_groups={{0,1,2,3}}"}},
        {"trace", {source_file("tests/core/import/kineto.json")}},
        {"model", {"llama-3-8b"}},
        {"share", {"--model", "llama-3-8b", "--mesh", "4x4"}},
        {"shard", {"A[I_X, J]", "--mesh", "X=4", "--sizes", "I=8,J=8"}}};
    return all;
}

Finished asked(const std::string& id, const Arguments& more) {
    Arguments arguments = {id};
    const Arguments& its = smallest().at(id);
    arguments.insert(arguments.end(), its.begin(), its.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return meshslice_command(std::move(arguments));
}

TEST(EveryQuestion, IsAnsweredInWordsJsonAndCsv) {
    const TemporaryFolder folder;
    for (const Question& question : all_questions()) {
        SCOPED_TRACE(question.id);
        ASSERT_TRUE(smallest().contains(question.id)) << "ask it here";
        const Finished words = asked(question.id, {});
        EXPECT_EQ(words.exit_code, 0) << words.err;
        EXPECT_THAT(words.out, testing::EndsWith("\n"));
        const Finished json = asked(question.id, {"--json"});
        EXPECT_TRUE(nlohmann::json::accept(json.out)) << json.err;
        const Finished csv = asked(question.id, {"--csv"});
        EXPECT_THAT(csv.out, testing::HasSubstr("\n"));
        // To a file the same, and then the words are printed as well.
        const std::string file = folder.path(question.id + ".csv");
        const Finished both = asked(question.id, {"--csv", file});
        EXPECT_EQ(file_content(file), csv.out);
        EXPECT_EQ(both.out, words.out);
    }
}

} // namespace
} // namespace meshslice::test
