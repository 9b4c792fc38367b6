// How a table of an answer stands in a document: for people, and on a page.

#include "core/report/document/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// Shares are percent, deviations have their sign, and what is far off stands out and says why.
TEST(DocumentTable, MarksWhatIsFarOff) {
    const Table table{"claims",
                      {"statement", "share", "deviation", "holds"},
                      {{std::string("near"), 0.5, 0.012, std::string("yes")},
                       {std::string("far"), 0.25, -0.438, std::string("no")}}};
    const DocumentTable made = document_table(table, 10);
    EXPECT_THAT(made.rows[0], ElementsAre("near", "50%", "+1.2%", "yes"));
    EXPECT_THAT(made.rows[1], ElementsAre("far", "25%", "-43.8%", "no"));
    EXPECT_THAT(made.marked, ElementsAre(Pair(1, 2), Pair(1, 3)));
    EXPECT_THAT(made.notes, ElementsAre("Marked: more than 20% off."));
}

/// 20% off is not yet far off.
TEST(DocumentTable, MarksNothingWhereAllIsNear) {
    const Table table{"", {"of", "error"}, {{std::string("a"), 0.2}, {std::string("b"), -0.0001}}};
    EXPECT_EQ(document_table(table, 10).rows[1][1], "0.0%");
    EXPECT_THAT(document_table(table, 10).marked, IsEmpty());
    EXPECT_THAT(document_table(table, 10).notes, IsEmpty());
}

/// A "no" says itself why it stands out; the deviation is near.
TEST(DocumentTable, ExplainsMarksOfDeviationsAlone) {
    const Table table{"", {"deviation", "fits"}, {{0.1, std::string("no")}, {0.1, std::string("yes")}}};
    EXPECT_THAT(document_table(table, 10).marked, ElementsAre(Pair(0, 1)));
    EXPECT_THAT(document_table(table, 10).notes, IsEmpty());
}

/// The largest error of a check is as large as its elements, and no share of anything.
TEST(DocumentTable, ReadsAbsoluteErrorsAsNumbers) {
    const Table table{"",
                      {"of", "largest_error", "mean_error"},
                      {{std::string("a"), 0.5, 0.1}, {std::string("b"), 2.0, 0.1}}};
    const DocumentTable made = document_table(table, 10);
    EXPECT_THAT(made.rows[0], ElementsAre("a", "0.5", "+10.0%"));
    EXPECT_THAT(made.marked, IsEmpty());
}

/// "ttft_s" is a key of programs; units stand with the values.
TEST(DocumentTable, NamesColumnsInWords) {
    const Table table{"", {"tp", "ttft_s", "flop_utilization"}, {{2.0, 0.5, 0.4}, {4.0, 0.25, 0.3}}};
    const DocumentTable made = document_table(table, 10);
    EXPECT_THAT(made.columns, ElementsAre("tensor (tp)", "time to first token", "FLOP utilization"));
    EXPECT_EQ(made.rows[1][2], "30%");
}

/// Of twelve columns one is empty and nine say the same everywhere: two are left, and a sentence.
TEST(DocumentTable, SaysOnceWhatAllRowsOfAWideTableShare) {
    Table table{"", {"model"}, {{std::string("a")}, {std::string("b")}}};
    for (int k = 0; k < 9; ++k) {
        table.columns.push_back("same" + std::to_string(k));
        table.rows[0].emplace_back(std::int64_t{k});
        table.rows[1].emplace_back(std::int64_t{k});
    }
    table.columns.insert(table.columns.end(), {"nothing", "time_s"});
    table.rows[0].insert(table.rows[0].end(), {std::string(), 1.0});
    table.rows[1].insert(table.rows[1].end(), {std::string(), 2.0});
    const DocumentTable made = document_table(table, 10);
    EXPECT_THAT(made.columns, ElementsAre("model", "time"));
    EXPECT_THAT(made.notes,
                ElementsAre("The same in all rows: same0 0, same1 1, same2 2, same3 3, same4 4, same5 5, "
                            "same6 6, same7 7, same8 8."));
}

/// Forty columns that differ are not cut into pieces: the first eleven stand, and the rest is counted.
TEST(DocumentTable, EndsWhereAPageEnds) {
    Table table{"", {}, {{}, {}}};
    for (int k = 0; k < 40; ++k) {
        table.columns.push_back("c" + std::to_string(k));
        table.rows[0].emplace_back(std::int64_t{k});
        table.rows[1].emplace_back(std::int64_t{k + 1});
    }
    const DocumentTable made = document_table(table, 10);
    EXPECT_EQ(made.columns.size(), 11u);
    EXPECT_EQ(made.rows[0].size(), 11u);
    EXPECT_THAT(made.notes, ElementsAre("The first 11 of 40 columns."));
}

/// One row of many columns is a list of names and values.
TEST(DocumentTable, StandsUprightWhereItHasOneRow) {
    const Table table{"one",
                      {"model", "time_s", "fits", "tp", "pp"},
                      {{std::string("a"), 2.0, std::string("no"), std::int64_t{8}, std::int64_t{4}}}};
    const DocumentTable made = document_table(table, 10);
    EXPECT_THAT(made.columns, IsEmpty());
    ASSERT_EQ(made.rows.size(), 5u);
    EXPECT_THAT(made.rows[2], ElementsAre("fits", "no"));
    EXPECT_THAT(made.rows[3], ElementsAre("tensor (tp)", "8"));
    EXPECT_THAT(made.marked, ElementsAre(Pair(2, 1)));
    EXPECT_EQ(made.left_aligned, 2u);
}

/// Words behind numbers stand left as well, and no empty cell makes a column one of words.
TEST(DocumentTable, AlignsEveryColumnOfWords) {
    const Table table{
        "",
        {"n", "time_s", "why"},
        {{std::int64_t{1}, 1.0, std::string("first")}, {std::int64_t{2}, std::string(), std::string()}}};
    const DocumentTable made = document_table(table, 10);
    EXPECT_FALSE(made.is_left(0));
    EXPECT_FALSE(made.is_left(1));
    EXPECT_TRUE(made.is_left(2));
}

} // namespace
} // namespace meshslice
