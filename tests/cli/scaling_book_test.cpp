// The numbers of resources/docs/scaling-book.md are those of the program.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

struct BookRow {
    std::string where, command, field, exact, printed;
};

std::vector<std::string> cells_of(const std::string& words, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(words);
    for (std::string part; std::getline(stream, part, at);) {
        const std::size_t begin = part.find_first_not_of(' ');
        const std::size_t end = part.find_last_not_of(' ');
        parts.push_back(begin == std::string::npos ? "" : part.substr(begin, end - begin + 1));
    }
    return parts;
}

/// The rows of the table whose third column is a command.
std::vector<BookRow> book_rows() {
    std::vector<BookRow> rows;
    std::istringstream document(file_content(source_file("resources/docs/scaling-book.md")));
    for (std::string line; std::getline(document, line);) {
        const std::vector<std::string> cells = cells_of(line, '|');
        const bool of_chapter = cells.size() > 1 && cells[1].size() > 1 && std::isdigit(cells[1][0]) != 0;
        if (of_chapter) { // every such line is a row, and a broken one does not excuse it
            EXPECT_TRUE(cells.size() == 7 && cells[4].starts_with('/')) << line;
        }
        if (of_chapter && cells.size() == 7) {
            rows.push_back({cells[1] + ": " + cells[2], cells[3], cells[4], cells[5], cells[6]});
        }
    }
    return rows;
}

/// The field with a plan's number in the place of its name: "/plans/{AllGather_X A, Multiply}/held_bytes".
std::string numbered(const std::string& field, const nlohmann::json& answer) {
    const std::size_t begin = field.find('{');
    const std::size_t end = field.rfind('}');
    if (begin == std::string::npos || end < begin) {
        return field;
    }
    const std::string plan = field.substr(begin + 1, end - begin - 1);
    for (std::size_t k = 0; k < answer.at("plans").size(); ++k) {
        if (answer["plans"][k].at("plan") == plan) {
            return field.substr(0, begin) + std::to_string(k) + field.substr(end + 1);
        }
    }
    return "/plans/none of that name";
}

/// What chapters 1 to 4 work out, question by question, as numbers in base units: each is in a row of the
/// table for its chapter, or is met otherwise, or has no command for the reason that stands next to it.
struct BookNumber {
    double value = 0;
    const char* otherwise = ""; ///< how it is met without a row of its own, or why it is not
};
struct BookQuestion {
    const char* id;
    std::vector<BookNumber> numbers;
};
const std::vector<BookQuestion> book_questions = {
    {"ch1-ex3", {{0.4995119570522206}, {0.5}}},
    {"ch1-ex5",
     {{240, "240 tokens is what is asked about: the book's approximation of the intensity by the batch"},
      {226.71586715867159},
      {255.21298533709498}}},
    {"ch1-ex6", {{2097152}, {16384}}},
    {"ch1-ex8",
     {{256},
      {137438953472},
      {570425344, "a row has the bytes of one of its 64 tiles"},
      {240.94117647058823}}},
    {"ch1-q2", {{120.1219512195122}}},
    {"ch1-q4", {{1.9990239141044412}}},
    {"ch2-ex1",
     {{49152000000000, "a chip's peak is a number of its file, not worked out from a clock"},
      {196608000000000, "the same"}}},
    {"ch2-ex2", {{4.11264e+18}}},
    {"ch2-ex3", {{11.05499438832772}, {17820000000000}}},
    {"ch2-ex5", {{4096}, {8960}, {64}, {140}, {2240}}},
    {"ch2-ex6", {{8}, {15}, {6}}},
    {"ch2-table",
     {{155.55555555555554},
      {229.16666666666666},
      {163.92857142857142},
      {243.20987654320987},
      {575},
      {700},
      {3055.5555555555557},
      {2550},
      {2188.8888888888887},
      {5111.111111111111}}},
    {"ch2-q1", {{12500000000}, {0.010416666666666666}}},
    {"ch2-q2",
     {{32}, {256}, {5.0432e+16}, {4096000000000}, {2240}, {17920}, {4.11264e+18}, {860160000000000}}},
    {"ch2-q3", {{61333.333333333336}}},
    {"ch2-q4", {{262.7085700518638}, {11.092417059331106}, {8.60867950617284e-05}, {0.00017441491557360406}}},
    {"ch2-q6",
     {{17179869184},
      {0.07158278826666667},
      {0.17895697066666666},
      {0.02120971504197531},
      {0.0013953193245888325},
      {0, "a word: `bound` of the same command is links"},
      {0.17895697066666666}}},
    {"ch2-app1", {{262144, "no time has the size of the registers"}, {4096, "the same of the vector units"}}},
    {"ch2-pad",
     {{128, "a GEMM has the rate of its type; what padding wastes is in the measured tables alone"},
      {384, "a GEMM has the rate of its type; what padding wastes is in the measured tables alone"},
      {0.6103515625, "the same"},
      {0.2288818359375, "the same"}}},
    {"ch3-pq1",
     {{64},
      {4096},
      {1048576},
      {3.0840470588235295e-07, "its bandwidth is a GPU's, and the division is all there is"}}},
    {"ch3-lat1", {{45000}}},
    {"ch3-pq2",
     {{33554432},
      {0.0003728270222222222},
      {0.0005592405333333334},
      {32768},
      {7.281777777777778e-07, "a row has three such hops"},
      {3e-06}}},
    {"ch3-ar",
     {{0.00035555555555555557}, {0.00035555555555555557}, {0.0007111111111111111}, {2, "of two rows"}}},
    {"ch3-a2a2",
     {{8.888888888888889e-05}, {2.2222222222222223e-05}, {5.555555555555556e-06}, {2.2222222222222223e-05}}},
    {"ch3-kron",
     {{7, "a definition of transposes; verify multiplies with both"},
      {7, "a definition of transposes; verify multiplies with both"},
      {17, "the same"}}},
    {"ch3-q1", {{16}}},
    {"ch3-q4",
     {{2550},
      {2550},
      {1.6062745098039215, "a row has the D at which X = 4 is on the edge"},
      {1024, "two rows are equal at this D"},
      {5100, "two rows are equal at this D"},
      {0.0029826161777777777},
      {0.0003728270222222222},
      {0.009581800677786492},
      {0.0059652323555555555}}},
    {"ch3-q9", {{4, "of two rows"}}},
    {"ch3-zh1", {{0.0003728270222222222}, {0.0005592405333333334}}},
    {"ch4-ex1", {{8192}, {8388608}, {4294967296}}},
    {"ch4-ex4", {{704643072}, {150994944}, {4227858432}, {905969664}, {402653184}}},
    {"ch4-ex6",
     {{83886080000000},
      {4194304000000},
      {29360128000000},
      {1.3333333333333333, "plan --recompute full counts it for a whole model"}}},
    {"ch4-ex7", {{8589934592}}},
    {"ch4-q2", {{137438953472}, {549755813888}, {4294967296}}},
    {"ch4-q3", {{32768}}},
    {"ch4-q4",
     {{2048, "a fused attention is not a GEMM"},
      {3640.8888888888887, "the same"},
      {0.9998779445868424, "the same"},
      {7.9921951219512195, "the same"},
      {480, "the same"},
      {240, "the same"}}},
    {"ch4-q7",
     {{1.5196572e+25, "hours times a peak, no model of ours in it"},
      {3.2856e+24, "the same"},
      {0.21620665502719955, "the same"}}},
};

TEST(CliScalingBook, EveryQuestionIsARowOrSaysWhyNot) {
    const std::vector<BookRow> rows = book_rows();
    EXPECT_EQ(book_questions.size(), 37U);
    int in_rows = 0, otherwise = 0;
    for (const BookQuestion& question : book_questions) {
        for (const BookNumber& number : question.numbers) {
            if (*number.otherwise != 0) {
                std::printf("%-9s %g has no row: %s\n", question.id, number.value, number.otherwise);
                ++otherwise;
                continue;
            }
            ++in_rows;
            EXPECT_TRUE(std::ranges::any_of(rows,
                                            [&](const BookRow& row) {
                                                return row.where[0] == question.id[2] &&
                                                       std::abs(std::stod(row.exact) - number.value) <=
                                                           1e-3 * std::abs(number.value);
                                            }))
                << question.id << ' ' << number.value;
        }
    }
    std::printf("%d numbers in rows, %d not\n", in_rows, otherwise);
}

TEST(CliScalingBook, NumbersAreTheEngines) {
    const std::vector<BookRow> rows = book_rows();
    ASSERT_GE(rows.size(), 128u);
    int chapters[5] = {};
    for (const BookRow& row : rows) {
        ASSERT_TRUE(row.where[0] >= '1' && row.where[0] <= '4') << row.where;
        ++chapters[row.where[0] - '0'];
        const nlohmann::json answer = meshslice_json(cells_of(row.command, ' '));
        const nlohmann::json::json_pointer field(numbered(row.field, answer));
        ASSERT_TRUE(answer.contains(field)) << row.where << "\n" << row.command;
        const double exact = std::stod(row.exact);
        EXPECT_NEAR(answer.at(field).get<double>(), exact, 1e-3 * std::abs(exact)) << row.where << "\n"
                                                                                   << row.command;
        // What the book prints is the same quantity, rounded on the way.
        if (!row.printed.empty()) {
            EXPECT_NEAR(std::stod(row.printed), exact, 0.11 * exact) << row.where;
        }
    }
    EXPECT_GE(chapters[1], 14);
    EXPECT_GE(chapters[2], 41);
    EXPECT_GE(chapters[3], 56);
    EXPECT_GE(chapters[4], 16);
}

} // namespace
} // namespace meshslice::test
