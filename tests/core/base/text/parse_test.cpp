#include "core/base/text/parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace meshslice {
namespace {

TEST(ParseQuantity, ReadsPrefixesUnitsAndBareNumbers) {
    struct Row {
        const char* words;
        const char* unit;
        double value;
    };
    const std::vector<Row> rows = {
        {"45 GB/s", "B/s", 45e9},
        {"45GB/s", "B/s", 45e9},
        {"  4.5e10 B/s ", "B/s", 4.5e10},
        {"45e9", "B/s", 45e9},
        {"45.0\u2009GB/s", "B/s", 45e9}, // As we write it ourselves.
        {"16 GiB", "B", 17'179'869'184.0},
        {"16 GB", "B", 16e9},
        {"1 KiB", "B", 1024.0},
        {"13 us", "s", 13e-6},
        {"13 \u00b5s", "s", 13e-6}, // micro sign
        {"13 \u03bcs", "s", 13e-6}, // Greek mu
        {"5 ms", "s", 5e-3},
        {"5 s", "s", 5.0},
        {"272 TFLOP/s", "FLOP/s", 272e12},
        {"-1 s", "s", -1.0},
        {"90 GB/s", "B/s", 90e9},
        {"2*45 GB/s", "B/s", 90e9},
        {"45 GB/s * 2", "B/s", 90e9},
        {"180 GB/s/2", "B/s", 90e9},
        {"2us", "s", 2e-6},
        {"2 us + 500 ns", "s", 2.5e-6},
        {"(1 + 3) * 2 us", "s", 8e-6},
        {"(4 - 1) us", "s", 3e-6},
        {"3 us / 2 * 4", "s", 6e-6},
        {"1/4", "", 0.25},
        {"-2^2", "", -4.0},
        {"2^-1", "", 0.5},
        {"2^3^2", "", 512.0}, // from the right, as written on paper
        {"10 - 4 - 3", "", 3.0},
    };
    for (const Row& row : rows) {
        const Result<double> read = parse_quantity(row.words, row.unit);
        ASSERT_TRUE(read) << row.words << ": " << read.error().sentence;
        EXPECT_NEAR(*read, row.value, std::abs(row.value) * 1e-15) << row.words;
    }
}

/// To the last digit, whichever way it is written: a millionth itself is not exact, a million is.
TEST(ParseQuantity, IsExactInSmallUnits) {
    EXPECT_EQ(*parse_quantity("45 us", "s"), 4.5e-05);
    EXPECT_EQ(*parse_quantity("45", "s", 1e-6), 4.5e-05);
    EXPECT_EQ(*parse_quantity("13 us", "s"), 1.3e-05);
    EXPECT_EQ(*parse_quantity("7 ns", "s"), 7e-9);
    EXPECT_EQ(*parse_quantity("45 GB/s", "B/s"), 45e9);
}

TEST(ParseQuantity, TakesLongerTimes) {
    EXPECT_EQ(*parse_quantity("10 min", "s"), 600);
    EXPECT_EQ(*parse_quantity("10min", "s"), 600);
    EXPECT_EQ(*parse_quantity("1.5 h + 30 s", "s"), 5430);
    EXPECT_EQ(*parse_quantity("2 d", "s"), 172800);
    EXPECT_EQ(*parse_quantity("2 ms", "s"), 0.002);
    EXPECT_FALSE(parse_quantity("2 min", "B"));
    EXPECT_FALSE(parse_quantity("2 mins", "s"));
}

TEST(ParseQuantity, RefusesEverythingElse) {
    const std::vector<std::string> bad = {"",        " ",        "GB/s",       "45 GB",     "45 gB/s",
                                          "45 KB/s", "4,5 GB/s", "45 GB/s2",   "0x10 B/s",  "nan",
                                          "inf B/s", "1e400",    "1e308 GB/s", "+45",       "45 45",
                                          "45 Gb/s", "1e",       "--1",        "45 B/s B/s"};
    for (const std::string& words : bad) {
        const Result<double> read = parse_quantity(words, "B/s");
        ASSERT_FALSE(read) << words;
        EXPECT_NE(read.error().sentence.find("such as \"90 GB/s\""), std::string::npos)
            << read.error().sentence;
    }
    // The example is one that would be read.
    EXPECT_NE(parse_quantity("x", "s").error().sentence.find("\"5 us\""), std::string::npos);
}

TEST(ParseQuantity, ABareNumberIsInTheUnitsThatTheReaderShows) {
    EXPECT_DOUBLE_EQ(parse_quantity("2500", "s", 1e-9).value(), 2.5e-6);
    EXPECT_DOUBLE_EQ(parse_quantity("2*1250", "s", 1e-9).value(), 2.5e-6);
    EXPECT_DOUBLE_EQ(parse_quantity("2.5 us", "s", 1e-9).value(), 2.5e-6);
}

/// A sum of a time and a bare number, a squared time and a share of times are not times.
TEST(ParseQuantity, UnitsHaveToFit) {
    for (const char* words :
         {"2 us + 1", "2 us * 3 us", "4 us / 2 us", "1 / 2 us", "2^(1 s)", "(2 us)^2", "(2 us) us", "1 us 2",
          "2 us +", "* 2 us", "(2 us", "2 us)", "()", "1/0", "8k"}) {
        EXPECT_FALSE(parse_quantity(words, "s")) << words;
    }
    EXPECT_FALSE(parse_quantity(std::string(200, '(') + "1" + std::string(200, ')'), ""));
    EXPECT_FALSE(parse_quantity(std::string(250, '('), ""));
}

TEST(ParseCount, ReadsNumbersPrefixesAndExpressions) {
    struct Row {
        const char* words;
        std::int64_t value;
    };
    const std::vector<Row> rows = {
        {"0", 0},
        {" 128 ", 128},
        {"8k", 8000},
        {"8 k", 8000},
        {"8Ki", 8192},
        {"1.5k", 1500},
        {"1e3", 1000},
        {"2*64", 128},
        {"(3+1)*2^10", 4096},
        {"2^31 - 1", 2'147'483'647},
        {"12288 / 3", 4096},
        {"-3", -3},
        {"3 * 0.5 * 2", 3},
        {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
        {"2^62 + (2^62 - 1)", std::numeric_limits<std::int64_t>::max()},
    };
    for (const Row& row : rows) {
        const Result<std::int64_t> read = parse_count(row.words);
        ASSERT_TRUE(read) << row.words << ": " << read.error().sentence;
        EXPECT_EQ(*read, row.value) << row.words;
    }
}

/// People who train models count tokens in billions and trillions.
TEST(ParseCount, TakesBillionsWhereNoBytesAreCounted) {
    for (const auto& [words, value] : {std::pair{"300B", 300'000'000'000},
                                       {"1.5 B", 1'500'000'000},
                                       {"2*3B", 6'000'000'000},
                                       {"15T", 15'000'000'000'000},
                                       {"300e9", 300'000'000'000},
                                       {"12", 12}}) {
        EXPECT_EQ(parse_count(words, Billions::taken).value_or(0), value) << words;
    }
    for (const char* words : {"300B", "1.5 B", "3Bi", "3BB"}) {
        EXPECT_FALSE(parse_count(words)) << words;
    }
    EXPECT_FALSE(parse_count("3Bi", Billions::taken));
    EXPECT_FALSE(parse_count("3kB", Billions::taken));
    EXPECT_EQ(parse_quantity("3 B", "B").value_or(0), 3);
}

TEST(ParseCount, RefusesTheRestWithASentence) {
    struct Row {
        const char* words;
        const char* says;
    };
    const std::vector<Row> rows = {
        {"", "\"\" is not a whole number"},
        {"12x", "\"12x\" is not a whole number"},
        {"4 4", "\"4 4\" is not a whole number"},
        {"8K", "8Ki (8192)"},
        {"1.5", "\"1.5\" is 1.5, which is not a whole number."},
        {"1/3", "\"1/3\" is 0.3333333, which is not a whole number."},
        {"9223372036854775808", "\"9223372036854775808\" is too large a number to count with."},
        {"2^63", "too large"},
        {"2^9999", "is not a whole number"},
    };
    for (const Row& row : rows) {
        const Result<std::int64_t> read = parse_count(row.words);
        ASSERT_FALSE(read) << row.words;
        EXPECT_NE(read.error().sentence.find(row.says), std::string::npos) << read.error().sentence;
    }
}

TEST(ParseQuantity, QuotesALongTextShortened) {
    const Result<double> read = parse_quantity(std::string(100'000, 'x'), "B");
    ASSERT_FALSE(read);
    EXPECT_LT(read.error().sentence.size(), 200u);
}

TEST(ParseFactor, ReadsATimesSignOnEitherSide) {
    const struct {
        const char* words;
        double factor;
    } rows[] = {
        {"x 0.5", 0.5},    {"x2", 2},        {"0.5x", 0.5},  {"2 x", 2},    {"X 4", 4},
        {" x 1/4 ", 0.25}, {"\u00d7 3", 3},  {"3\u00d7", 3}, {"x 2^3", 8},  {"x 1e-3", 1e-3},
        {"*2", 2},         {" * 1/4", 0.25}, {"/2", 0.5},    {"/ 4", 0.25}, {"x 0.3333333333", 0.3333333333}};
    for (const auto& row : rows) {
        EXPECT_TRUE(is_factor(row.words)) << row.words;
        const Result<double> factor = parse_factor(row.words);
        ASSERT_TRUE(factor) << row.words;
        EXPECT_DOUBLE_EQ(*factor, row.factor) << row.words;
        EXPECT_DOUBLE_EQ(*parse_factor(factor_text(*factor)), *factor) << row.words;
    }
    for (const char* words : {"", "2", "45 GB/s", "2*3", "2 \u00d7 3"}) {
        EXPECT_FALSE(is_factor(words)) << words;
    }
    for (const char* words :
         {"x", "x x 2", "x 0", "x -1", "x 2 GB/s", "x2x", "0.5", "*", "/", "/0", "*-1", ""}) {
        EXPECT_FALSE(parse_factor(words)) << words;
    }
    EXPECT_EQ(parse_factor("x two").error().sentence,
              "\"x two\" is not a factor above 0; write one such as x 0.5, x 2 or x 1/3.");
}

TEST(ParseWhole, ReadsDigitsOnly) {
    EXPECT_EQ(parse_whole("0").value(), 0);
    EXPECT_EQ(parse_whole(" 42 ").value(), 42);
    EXPECT_EQ(parse_whole("9223372036854775807").value(), std::numeric_limits<std::int64_t>::max());
    for (const char* words : {"", " ", "-1", "+1", "3.9", "1e3", "12x", "1 2", "0x10", "\u0661"}) {
        EXPECT_FALSE(parse_whole(words)) << words;
    }
    EXPECT_EQ(parse_whole("9223372036854775808").error().sentence,
              "9223372036854775808 is too large a number to count with.");
}

} // namespace
} // namespace meshslice
