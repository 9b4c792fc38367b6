// Every table, export and answer of the command line against tests/golden/expected/. tests/golden/update
// writes them.

#include "tests/cli/support/meshslice_command.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice::test {
namespace {

struct Golden {
    std::string file, arguments;
};

std::vector<Golden> golden_tables() {
    std::vector<Golden> all;
    std::ifstream stream(source_file("tests/golden/commands.txt"));
    for (std::string line; std::getline(stream, line);) {
        const std::size_t colon = line.find(": ");
        if (!line.starts_with('#') && colon != std::string::npos) {
            all.push_back({line.substr(0, colon), line.substr(colon + 2)});
        }
    }
    return all;
}

/// The number that `text` begins with, as written; empty where it begins with none.
std::string_view number_at(std::string_view text) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool digit = !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
    return digit && status == std::errc() ? text.substr(0, static_cast<std::size_t>(end - text.data()))
                                          : std::string_view();
}

bool whole(std::string_view number) {
    return number.find_first_of(".e") == std::string_view::npos;
}

/// Whole numbers are counts, bytes and picoseconds, and are the same everywhere. Numbers with a fraction are
/// shares, seconds and fits; the last digits of some come from exp, log and sums that compilers and machines
/// order differently.
bool same_number(std::string_view one, std::string_view other) {
    constexpr double tolerance = 1e-9; // relative
    if (whole(one) && whole(other)) {
        return one == other;
    }
    double first = 0;
    double second = 0;
    std::from_chars(one.data(), one.data() + one.size(), first);
    std::from_chars(other.data(), other.data() + other.size(), second);
    return std::abs(first - second) <= tolerance * std::max(std::abs(first), std::abs(second));
}

std::string line_with(std::string_view text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return std::string(text.substr(begin, text.find('\n', at) - begin));
}

/// Empty where both say the same, else the first lines that differ.
std::string difference(std::string_view expected, std::string_view actual) {
    std::size_t e = 0;
    std::size_t a = 0;
    while (e < expected.size() && a < actual.size()) {
        const std::string_view one = number_at(expected.substr(e));
        const std::string_view other = number_at(actual.substr(a));
        const bool numbers = !one.empty() && !other.empty();
        if (numbers ? !same_number(one, other) : expected[e] != actual[a]) {
            break;
        }
        e += numbers ? one.size() : 1;
        a += numbers ? other.size() : 1;
    }
    if (e == expected.size() && a == actual.size()) {
        return {};
    }
    return fmt::format(
        "line {}\n  expected: {}\n  actual:   {}",
        1 + std::count(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(e), '\n'),
        line_with(expected, e), line_with(actual, a));
}

TEST(GoldenDifference, IsOfWholeNumbersAndTextExactlyAndOfFractionsToTheNinthDigit) {
    EXPECT_EQ(difference("a 1 2.5\n", "a 1 2.5\n"), "");
    EXPECT_EQ(difference("0.1", "0.10000000000000001"), "");
    EXPECT_EQ(difference("1e-3,x", "0.001,x"), "");
    EXPECT_NE(difference("0.1", "0.100000001"), "");
    EXPECT_NE(difference("10000000001", "10000000000"), "");
    EXPECT_NE(difference("1 us", "1 ms"), "");
    EXPECT_NE(difference("one\ntwo", "one\ntwo\n"), "");
    EXPECT_EQ(difference("one\n2.5", "one\n2.6"), "line 2\n  expected: 2.5\n  actual:   2.6");
}

class GoldenTable : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTable, IsWhatWasExpected) {
    const Golden& golden = GetParam();
    const TemporaryFolder folder;
    std::string arguments = golden.arguments;
    const bool written = arguments.find("{folder}") != std::string::npos;
    for (std::size_t at = 0; (at = arguments.find("{folder}")) != std::string::npos;) {
        arguments.replace(at, 8, "\"$2\"");
    }
    const Finished finished = run_process({"/bin/sh", "-c", "cd \"$1\" && \"$0\" " + arguments,
                                           MESHSLICE_COMMAND, source_file(""), folder.path("")});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    const std::string actual = written ? file_content(folder.path(golden.file)) : finished.out;
    const std::string differs =
        difference(file_content(source_file("tests/golden/expected/" + golden.file)), actual);
    EXPECT_EQ(differs, "") << "meshslice " << golden.arguments
                           << "\nIf this is meant, tests/golden/update writes the tables again.";
}

std::string test_name(const testing::TestParamInfo<Golden>& info) {
    std::string name = info.param.file;
    std::ranges::replace_if(
        name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenTable, testing::ValuesIn(golden_tables()), test_name);

} // namespace
} // namespace meshslice::test
