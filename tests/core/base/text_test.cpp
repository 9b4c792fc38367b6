#include "core/base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// "14.2 ms" with the thin space that the forms really have.
std::string thin(std::string words) {
    const auto space = words.find(' ');
    return words.replace(space, 1, "\u2009");
}

TEST(Text, TimeHasThreeDigitsAndTheLargestPrefixThatFits) {
    struct Row {
        double seconds;
        const char* words;
    };
    const std::vector<Row> rows = {
        {0.0, "0 s"},         {1e-12, "1.00 ps"},    {13e-6, "13.0 \u00b5s"}, {0.0142, "14.2 ms"},
        {0.9994, "999 ms"},   {0.9996, "1.00 s"}, // Rounds up to the next prefix, never "1000 ms".
        {0.9999, "1.00 s"},   {9.994, "9.99 s"},     {9.996, "10.0 s"},       {99.96, "100 s"},
        {999.4, "999 s"},     {999.9, "1000 s"}, // Not "1.00 ks".
        {12345.0, "12345 s"}, {-0.0142, "-14.2 ms"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(text(seconds(row.seconds)), thin(row.words)) << row.seconds;
    }
}

TEST(Text, SentencesBeginWithACapital) {
    EXPECT_EQ(capitalized("time of a step"), "Time of a step");
    EXPECT_EQ(capitalized("TPU v4"), "TPU v4");
    EXPECT_EQ(capitalized("\u00e9tude"), "\u00e9tude");
    EXPECT_EQ(capitalized(""), "");
}

TEST(Text, CountsHaveNoThousandthParts) {
    EXPECT_EQ(text(Bytes(0)), thin("0 B"));
    EXPECT_EQ(text(Bytes(3)), thin("3 B"));
    EXPECT_EQ(text(Bytes(999)), thin("999 B"));
    EXPECT_EQ(text(Bytes(1000)), thin("1.00 kB"));
    EXPECT_EQ(text(Bytes(999'499)), thin("999 kB"));
    EXPECT_EQ(text(Bytes(999'500)), thin("1.00 MB"));
    EXPECT_EQ(text(Bytes(134'217'728)), thin("134 MB")); // 128 MiB, shown with the SI prefix that it says.
    EXPECT_EQ(text(Flop(7)), thin("7 FLOP"));
    EXPECT_EQ(text(Flop(std::int64_t{1} << 62)), thin("4.61 EFLOP"));
}

TEST(Text, EveryPowerOfTenBeginsItsOwnPrefix) {
    // Scaling by powers of ten leaves 999.999.. where 1000 is meant; no row may say "1000".
    const std::vector<std::string> prefixes = {"p", "n", "\u00b5", "m", "", "k", "M", "G", "T", "P", "E"};
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
        const double size = std::stod("1e" + std::to_string(3 * static_cast<int>(i) - 12));
        EXPECT_EQ(si_text(size, "B/s"), "1.00\u2009" + prefixes[i] + "B/s");
        EXPECT_EQ(si_text(size * 0.99999, "B/s"), "1.00\u2009" + prefixes[i] + "B/s");
    }
    EXPECT_EQ(text(Bandwidth(45e9)), thin("45.0 GB/s"));
    EXPECT_EQ(text(FlopRate(272e12)), thin("272 TFLOP/s"));
    EXPECT_EQ(si_text(-0.0, "B/s"), thin("0 B/s"));
    EXPECT_EQ(si_text(std::numeric_limits<double>::infinity(), "B/s"), thin("inf B/s"));
    EXPECT_EQ(si_text(1e-320, "B/s"), thin("0.000 pB/s")); // Too small for the smallest prefix, and no crash.
}

TEST(Text, NumbersWithoutUnit) {
    struct Row {
        double value;
        const char* words;
    };
    const std::vector<Row> rows = {{0.0, "0"},
                                   {0.01234, "0.0123"},
                                   {1.5, "1.5"},
                                   {155'648.0, "156000"},
                                   {1'234'567.0, "1230000"},
                                   {9'994'999.0, "9990000"},
                                   {9'996'000.0, "1.00e+07"},
                                   {0.000999, "9.99e-04"},
                                   {-42.0, "-42"}};
    for (const Row& row : rows) {
        EXPECT_EQ(number_text(row.value), row.words) << row.value;
    }
}

/// Whole bytes and picoseconds, and no overflow beyond 64 bits of them.
TEST(Text, AnySizeHasWords) {
    EXPECT_EQ(bytes_text(1.5e20), "150\u2009EB");
    EXPECT_EQ(bytes_text(1e22), "10000\u2009EB");
    EXPECT_EQ(bytes_text(65.6666e9), "65.7\u2009GB");
    EXPECT_EQ(bytes_text(2.4), "2\u2009B");
    EXPECT_EQ(seconds_text(1e9), "1e+09\u2009s");
    EXPECT_EQ(seconds_text(3.2333), "3.23\u2009s");
    EXPECT_EQ(seconds_text(1e-14), "0\u2009s");
}

TEST(Text, PercentHasDecimalsOnlyBelowTen) {
    EXPECT_EQ(percent_text(0.0), "0%");
    EXPECT_EQ(percent_text(0.084), "8.4%");
    EXPECT_EQ(percent_text(0.0994), "9.9%");
    EXPECT_EQ(percent_text(0.0996), "10%");
    EXPECT_EQ(percent_text(0.714), "71%");
    EXPECT_EQ(percent_text(1.0), "100%");
}

/// What cannot be seen has no sign.
TEST(Text, DeviationsHaveASign) {
    EXPECT_EQ(deviation_text(0.035), "+3.5%");
    EXPECT_EQ(deviation_text(-0.438), "-43.8%");
    EXPECT_EQ(deviation_text(0.0), "0.0%");
    EXPECT_EQ(deviation_text(-0.0004), "0.0%");
    EXPECT_EQ(deviation_text(0.0004), "0.0%");
    EXPECT_EQ(deviation_text(-0.0006), "-0.1%");
}

TEST(Shortened, CutsBetweenCharacters) {
    EXPECT_EQ(shortened(std::string(60, 'a')), std::string(60, 'a'));
    EXPECT_EQ(shortened(std::string(61, 'a')), std::string(57, 'a') + "...");
    // 56 letters and then characters of three bytes: the cut at byte 57 falls inside the first of them.
    EXPECT_EQ(shortened(std::string(56, 'a') + "\u4e00\u4e00\u4e00"), std::string(56, 'a') + "...");
}

} // namespace
} // namespace meshslice
