#include "core/import/machines/plain_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

TEST(PlainYaml, ReadsKeysListsAndBrackets) {
    const auto read = parse_plain_yaml(R"(# a comment
data_dir: data/own # relative
gpu:
  mem_bw: 456000000000
  factor: 0.5
  name: 'a # b'
  one: "two: three"
  nothing:
node:
    ring: [ Ring, Switch ]   # in brackets
    counts: [ 4,
              8 ]
    memory: {1: 0, 2: 300}
list:
- 1
- two
  
last: yes
)",
                                       "own.yaml");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, Json::parse(R"({"data_dir": "data/own",
        "gpu": {"mem_bw": 456000000000, "factor": 0.5, "name": "a # b", "one": "two: three", "nothing": null},
        "node": {"ring": ["Ring", "Switch"], "counts": [4, 8], "memory": {"1": 0, "2": 300}},
        "list": [1, "two"], "last": "yes"})"));
}

TEST(PlainYaml, ReadsTheFirstDictionaryOfPython) {
    const auto read = parse_plain_yaml(R"(# source: http://example.org
import math
chips: dict = {
    "a": {"bandwith": 900e9, 'INT8': 62e12,},  # = 2 {
    'b': {'real': True, 'none': None}
}
other = {"c": 1}
)",
                                       "own.py");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read,
              Json::parse(R"({"a": {"bandwith": 900e9, "INT8": 62e12}, "b": {"real": true, "none": null}})"));
}

TEST(PlainYaml, NamesTheLineOfWhatItDoesNotKnow) {
    const auto refusal = [](const std::string& text) {
        const auto read = parse_plain_yaml(text, "own.yaml");
        return read ? "taken: " + read->dump() : read.error().sentence;
    };
    EXPECT_THAT(refusal("a: 1\nb: &anchor 2\n"), HasSubstr("own.yaml, line 2: found \"&anchor 2\""));
    EXPECT_THAT(refusal("a: 1\na: 2\n"), HasSubstr("line 2: \"a\" is there twice"));
    EXPECT_THAT(refusal("a: [1, 2\n"), HasSubstr("a bracket without its end"));
    EXPECT_THAT(refusal("a: 'b\n"), HasSubstr("line 1: a text without its end"));
    EXPECT_THAT(refusal("a:\n  b: 1\n    c: 2\n"), HasSubstr("line 3"));
    EXPECT_THAT(refusal("words\n"), HasSubstr("found \"words\" without a value"));
    EXPECT_THAT(refusal(std::string(100, '[')), HasSubstr("brackets in each other"));
    EXPECT_THAT(refusal("a: |\n  text\n"), HasSubstr("line 1"));
    EXPECT_THAT(refusal("l:\n- 2\n- a: 1\n  b: 2\n"), HasSubstr("line 3: found \"a: 1\""));
    EXPECT_THAT(refusal("l:\n- a:   # none\n"), HasSubstr("line 2: found \"a:"));
    EXPECT_THAT(refusal("l:\n- - 1\n"), HasSubstr("line 2: found \"- 1\""));
    EXPECT_EQ(refusal("a: 1\nb: [400\xBD]\n"),
              "own.yaml, line 2: byte 0xBD is not UTF-8; expected a file of text.");
    EXPECT_EQ(refusal("a: \xE5\xAE\xBD\n"), "taken: {\"a\":\"\xE5\xAE\xBD\"}");
    EXPECT_EQ(refusal("l:\n- http://a\n"), "taken: {\"l\":[\"http://a\"]}");
}

TEST(PlainYaml, TakesJsonAsItIs) {
    EXPECT_EQ(parse_json_or_yaml(R"({"a": [1, {"b": "c\u0041"}]})", "x")->dump(), R"({"a":[1,{"b":"cA"}]})");
    EXPECT_THAT(parse_json_or_yaml("{\"a\": 1,, \"b\": 2}", "x.json").error().sentence, HasSubstr("x.json"));
}

} // namespace
} // namespace meshslice
