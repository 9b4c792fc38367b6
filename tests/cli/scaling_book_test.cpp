// The numbers of resources/docs/scaling-book.md are those of the program.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cmath>
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
        if (of_chapter) { // every such line is a row, and a broken one is no excuse
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

TEST(CliScalingBook, NumbersAreTheEngines) {
    const std::vector<BookRow> rows = book_rows();
    ASSERT_GE(rows.size(), 115u);
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
    EXPECT_GE(chapters[2], 29);
    EXPECT_GE(chapters[3], 56);
    EXPECT_GE(chapters[4], 16);
}

} // namespace
} // namespace meshslice::test
