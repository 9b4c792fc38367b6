// resources/docs/developers/recipes.md says how the program is extended; here its recipes are followed.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <regex>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// The file that each recipe begins with, by its heading: "A machine".
std::map<std::string, std::string> recipes() {
    const std::string text = file_content(source_file("resources/docs/developers/recipes.md"));
    static const std::regex recipe("\n## ([^\n]+)\n(?:\nBegin with: `([^`]+)`\n)?");
    std::map<std::string, std::string> files;
    for (std::sregex_iterator at(text.begin(), text.end(), recipe), end; at != end; ++at) {
        files[(*at)[1]] = (*at)[2];
    }
    return files;
}

json file_of(const std::string& recipe) {
    return json::parse(file_content(source_file(recipes().at(recipe))));
}

TEST(Recipes, EachBeginsWithAFile) {
    EXPECT_FALSE(recipes().empty());
    for (const auto& [recipe, file] : recipes()) {
        EXPECT_TRUE(std::filesystem::is_regular_file(source_file(file))) << recipe << " begins with " << file;
    }
}

/// TPU v5e has 197 TFLOP/s and 810 GB/s; with 405 TFLOP/s it does 500 FLOP in the time of a byte.
TEST(Recipes, AMachineIsReadFromAnyFolder) {
    json machine = file_of("A machine");
    machine["name"] = "mine";
    machine["peak_bf16_in_flop_per_s"]["value"] = 405e12;
    const TemporaryFolder folder;
    const json answer = meshslice_json(
        {"roofline", "--gemm", "1x1x1", "--hardware", folder.file("mine.json", machine.dump())});
    EXPECT_DOUBLE_EQ(answer["memory"]["ridge_in_flop_per_byte"].get<double>(), 500);
}

TEST(Recipes, AModelIsReadFromAnyFolder) {
    json model = file_of("A model");
    model["name"] = "mine";
    model["layers"] = 7;
    const TemporaryFolder folder;
    EXPECT_THAT(printed({"estimate", "--model", folder.file("mine.json", model.dump())}),
                HasSubstr("All 7 blocks"));
}

TEST(Recipes, ALessonIsReadFromAnyFolder) {
    json lesson = file_of("A lesson");
    lesson["id"] = "mine";
    lesson["steps"].erase(lesson["steps"].begin() + 2, lesson["steps"].end());
    const TemporaryFolder folder;
    EXPECT_THAT(printed({"lesson", folder.file("mine.json", lesson.dump())}),
                HasSubstr("All 2 steps run, and what they claim is so."));
}

} // namespace
} // namespace meshslice::test
