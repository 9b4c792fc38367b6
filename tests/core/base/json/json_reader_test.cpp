#include "core/base/json/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

constexpr std::int64_t most_whole = std::numeric_limits<std::int64_t>::max();

std::string refusal(const std::string& text) {
    const Result<nlohmann::json> parsed = parse_json(text, "a.json");
    return parsed ? "accepted" : parsed.error().sentence;
}

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) {
        text += open;
    }
    text += "1";
    for (std::size_t i = 0; i < depth; ++i) {
        text += close;
    }
    return text;
}

TEST(ParseJson, ReadsOneValue) {
    EXPECT_TRUE(parse_json("{\"a\": [1, {\"a\": 2}]}", "a.json")); // The same key in two objects is fine.
    EXPECT_TRUE(parse_json("\xEF\xBB\xBF{}", "a.json")); // A byte order mark, as some editors write.
}

TEST(ParseJson, SaysWhatIsWrongAndWhere) {
    struct Row {
        std::string text;
        const char* words;
    };
    const std::vector<Row> rows = {
        {"", "a.json is not valid JSON: it is empty."},
        {" \n ", "it is empty"},
        {"<!DOCTYPE html><html></html>", "it looks like a web page"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"},
        {"{\"layers\": 9", "it breaks off at its end"},
        {"{\n  \"layers\": x\n}", "syntax error at line 2, column 13: found x, expected a value."},
        {"{} {}", "syntax error at line 1, column 4: found {, expected the end of the text."},
        {"{\"a\": 1,}",
         "syntax error at line 1, column 9: found }, expected a key in quotes (is there a comma too many?)."},
        {"{\"a\" 1}", "found 1, expected \":\"."},
        {"{\"a\": 1 \"b\": 2}", "found \", expected \",\" or \"}\"."},
        {"[1 2]", "found 2, expected \",\" or \"]\"."},
        {"{\"a\": \"b\n\"}", "control character"},
        {"{// a comment\n}", "found /, expected a key in quotes."},
        {"{\"a\": NaN}", "found N, expected a value."},
        {"{\"a\": 01}", "found 1, expected \",\" or \"}\"."},
        {"{\"a\": \"\xFF\"}", "ill-formed UTF-8 byte"},
        {"{\"a\": 1e999}", "a number that is out of range at line 1"},
        {"{\"a\": 1, \"b\": 2, \"a\": 3}", "gives the key \"a\" twice"},
        {"[{\"a\": {\"b\": 1, \"b\": 1}}]", "gives the key \"b\" twice"},
    };
    for (const Row& row : rows) {
        EXPECT_THAT(refusal(row.text), HasSubstr(row.words)) << row.text;
        EXPECT_THAT(refusal(row.text), HasSubstr("a.json")) << row.text;
    }
}

TEST(ParseJson, DepthIsLimited) {
    EXPECT_TRUE(parse_json(nested(32, "[", "]"), "a.json"));
    EXPECT_EQ(refusal(nested(33, "[", "]")), "a.json is nested more than 32 deep.");
    EXPECT_EQ(refusal(nested(33, "{\"a\":", "}")), "a.json is nested more than 32 deep.");
    EXPECT_EQ(refusal(nested(100'000, "[", "]")), "a.json is nested more than 32 deep.");
    EXPECT_EQ(refusal(nested(100'000, "{\"a\":", "}")), "a.json is nested more than 32 deep.");
    EXPECT_EQ(refusal(std::string(100'000, '[')), "a.json is nested more than 32 deep.");
}

TEST(ParseJson, SizeIsLimited) {
    EXPECT_THAT(refusal(std::string(most_json_bytes + 1, ' ')), HasSubstr("at most 16777216 are read"));
}

/// The quadratic way takes minutes, longer than this program may run.
TEST(ParseJson, ALongListTakesLinearTime) {
    std::string text = "[{}";
    for (int i = 0; i < 300'000; ++i) {
        text += ",{}";
    }
    text += "]";
    EXPECT_TRUE(parse_json(text, "a.json"));
}

/// Reads "n" of {"n": <words>} as a whole number and gives the finding.
std::string whole_finding(const std::string& words, std::int64_t least, std::int64_t most) {
    const nlohmann::json value = parse_json("{\"n\": " + words + "}", "a.json").value();
    JsonReader reader(value, "a.json");
    const std::int64_t number = reader.whole("n", least, most);
    EXPECT_TRUE(number >= least && number <= most) << words; // Harmless whatever was found.
    return reader.ok() ? "fine" : reader.finding()->sentence;
}

TEST(JsonReader, WholeNumbersAreWholeAndInRange) {
    for (const char* words : {"1", "96", "100", "1000"}) {
        EXPECT_EQ(whole_finding(words, 1, 1000), "fine") << words;
    }
    EXPECT_EQ(whole_finding("9223372036854775807", 0, most_whole), "fine");
    EXPECT_EQ(whole_finding("-5", -10, -1), "fine");
    EXPECT_EQ(whole_finding("3.9", 1, 1000),
              "a.json: \"/n\" is 3.9; expected a whole number from 1 to 1000.");
    for (const char* words :
         {"3.0", "1e2", "1e20", "-1", "0", "1001", "\"96\"", "true", "null", "[96]", "{}",
          "18446744073709551615", "9223372036854775808", "123456789012345678901234567890"}) {
        EXPECT_THAT(whole_finding(words, 1, 1000), HasSubstr("from 1 to 1000")) << words;
    }
    EXPECT_THAT(whole_finding("9223372036854775808", 0, most_whole), HasSubstr("expected"));
    EXPECT_THAT(whole_finding("0", -10, -1), HasSubstr("expected"));
}

TEST(JsonReader, ReadsEveryKindOfField) {
    const nlohmann::json value =
        parse_json(R"({"n": 2.5, "whole": 7, "flag": true, "text": "x", "list": [1, 2],
                                                "object": {"inner": 3}, "null": null})",
                   "a.json")
            .value();
    JsonReader reader(value, "a.json");
    EXPECT_EQ(reader.number("n", 0, 10), 2.5);
    EXPECT_EQ(reader.number("whole", 0, 10), 7.0);
    EXPECT_TRUE(reader.flag("flag"));
    EXPECT_EQ(reader.text("text"), "x");
    EXPECT_EQ(reader.whole_list("list", 0, 10), (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(reader.json_text("object"), "{\"inner\":3}");
    EXPECT_EQ(reader.object("object").whole("inner", 0, 10), 3);
    EXPECT_FALSE(reader.has("null"));
    EXPECT_FALSE(reader.has("absent"));
    EXPECT_TRUE(reader.is_text("text"));
    EXPECT_TRUE(reader.is_object("object"));
    EXPECT_EQ(reader.first_of({"null", "absent", "whole", "n"}), "whole");
    EXPECT_TRUE(reader.ok());
    reader.no_other_keys();
    EXPECT_THAT(reader.finding()->sentence, HasSubstr("\"/null\" is null"));
}

TEST(JsonReader, TheFirstFindingIsKeptWithItsPlace) {
    const nlohmann::json value = parse_json(R"({"chip": {"cores": -1}, "flag": 1})", "a.json").value();
    JsonReader reader(value, "a.json");
    JsonReader chip = reader.object("chip");
    EXPECT_EQ(chip.whole("cores", 1, 8), 1);
    EXPECT_FALSE(reader.flag("flag"));
    EXPECT_FALSE(reader.ok());
    EXPECT_EQ(reader.finding()->sentence,
              "a.json: \"/chip/cores\" is -1; expected a whole number from 1 to 8.");
}

TEST(JsonReader, WrongTypesAreFindings) {
    const nlohmann::json value =
        parse_json(R"({"text": "x", "list": [1, 9223372036854775808], "number": 5})", "a.json").value();
    const auto finding = [&](const auto& read) {
        JsonReader reader(value, "a.json");
        read(reader);
        return reader.ok() ? std::string("fine") : reader.finding()->sentence;
    };
    EXPECT_THAT(finding([](JsonReader& r) { (void)r.number("text", 0, 1); }),
                HasSubstr("\"/text\" is \"x\""));
    EXPECT_THAT(finding([](JsonReader& r) { (void)r.number("number", 0, 1); }),
                HasSubstr("a number from 0 to 1"));
    EXPECT_THAT(finding([](JsonReader& r) { (void)r.text("number"); }), HasSubstr("is 5; expected a text"));
    EXPECT_THAT(finding([](JsonReader& r) { (void)r.object("number").whole("x", 0, 1); }),
                HasSubstr("an object"));
    EXPECT_THAT(finding([](JsonReader& r) { (void)r.whole_list("number", 0, 1); }),
                HasSubstr("a list of whole"));
    EXPECT_THAT(finding([](JsonReader& r) { (void)r.whole_list("list", 0, most_whole); }),
                HasSubstr("a list with 9223372036854775808"));
    EXPECT_THAT(finding([](JsonReader& r) { (void)r.whole("absent", 0, 1); }),
                HasSubstr("lacks \"/absent\""));
    const nlohmann::json list = parse_json("[1]", "a.json").value();
    EXPECT_EQ(JsonReader(list, "a.json").finding()->sentence,
              "a.json holds a list; expected an object {...}.");
}

TEST(JsonReader, LongTextsAreRefusedAndQuotedShortened) {
    const nlohmann::json value = {{"text", std::string(5000, 'x')}, {std::string(5000, 'k'), 1}};
    JsonReader reader(value, "a.json");
    EXPECT_EQ(reader.text("text"), "");
    EXPECT_LT(reader.finding()->sentence.size(), 200u);
    JsonReader other(value, "a.json");
    other.no_other_keys();
    EXPECT_LT(other.finding()->sentence.size(), 200u);
}

class ReadTextFile : public testing::Test {
  protected:
    ReadTextFile() {
        directory_ =
            std::filesystem::temp_directory_path() /
            ("meshslice_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(directory_);
    }
    ~ReadTextFile() override { std::filesystem::remove_all(directory_); }

    std::string write(const std::string& text) const {
        const auto path = directory_ / "file.json";
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }

    std::filesystem::path directory_;
};

TEST_F(ReadTextFile, ReadsWhole) {
    const std::string text = "{\n\"a\": \"\u00b5\"}\r\n" + std::string(200'000, ' ');
    EXPECT_EQ(read_text_file(write(text)).value(), text);
    EXPECT_EQ(read_text_file(write("")).value(), ""); // Parsing says that it is empty.
}

TEST_F(ReadTextFile, SaysWhyNot) {
    EXPECT_THAT(read_text_file((directory_ / "absent.json").string()).error().sentence,
                HasSubstr("There is no file"));
    EXPECT_THAT(read_text_file(directory_.string()).error().sentence, HasSubstr("is a directory"));
    EXPECT_THAT(read_text_file(write(std::string(most_json_bytes + 1, ' '))).error().sentence,
                HasSubstr("more than 16777216 bytes"));
}

/// Of {"modle", "Mesh"} both are mistyped; which is first is the order of the file.
TEST(JsonReader, AMistypedKeyIsNamedBeforeTheOneThatIsMissing) {
    const nlohmann::json json = {{"modle", "x"}};
    JsonReader reader(json, "a.json");
    (void)reader.text("model");
    (void)reader.whole("batch", 1, 9);
    EXPECT_EQ(reader.finding()->sentence, "a.json lacks \"/model\" and \"/batch\".");
    reader.expect(false, "batch", "is too small"); // as what is missing is taken for 1
    reader.no_other_keys();
    EXPECT_EQ(reader.finding()->sentence, "a.json has an unknown key \"/modle\"; did you mean \"model\"?");
}

TEST(JsonReader, ACapitalIsAMistypedKeyAndAnotherWordIsNot) {
    const nlohmann::json capital = {{"Mesh", "x"}};
    JsonReader one(capital, "a.json");
    (void)one.text("mesh");
    one.no_other_keys();
    EXPECT_EQ(one.finding()->sentence, "a.json has an unknown key \"/Mesh\"; did you mean \"mesh\"?");
    const nlohmann::json strange = {{"colour", "x"}};
    JsonReader other(strange, "a.json");
    (void)other.text("mesh");
    other.no_other_keys();
    EXPECT_EQ(other.finding()->sentence, "a.json has an unknown key \"/colour\".");
}

TEST(JsonReader, TextsMayHaveLinesAndNamesMayNot) {
    const nlohmann::json json = {
        {"text", "a\nb\tc"}, {"name", "a\nb"}, {"bell", "a\u0007"}, {"long", std::string(101, 'x')}};
    JsonReader text(json, "a.json");
    EXPECT_EQ(text.text("text"), "a\nb\tc");
    EXPECT_TRUE(text.ok());
    EXPECT_TRUE(text.finding() == std::nullopt);
    (void)text.name("name");
    EXPECT_EQ(text.finding()->sentence, "a.json: \"/name\" has the character U+000A, which does not show.");
    JsonReader bell(json, "a.json");
    (void)bell.text("bell");
    EXPECT_EQ(bell.finding()->sentence, "a.json: \"/bell\" has the character U+0007, which does not show.");
    JsonReader too_long(json, "a.json");
    (void)too_long.name("long");
    EXPECT_FALSE(too_long.ok());
}

} // namespace
} // namespace meshslice
