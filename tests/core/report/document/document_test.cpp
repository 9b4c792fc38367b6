#include "core/report/document/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Document small() {
    Document document{"Report: test", "A < B & C", "5 ms", "Half of it waits.", {}, "Made by hand."};
    document.sections.push_back(
        {"Words", {DocumentText{{"One | two."}, true}, DocumentList{{"first", "second"}, true}}});
    document.sections.push_back(
        {"Numbers",
         {DocumentTable{"times", {"part", "time"}, {{"a<b>", "1 s"}, {"c", "2 s"}}},
          DocumentBar{"Time", {{"compute", "4 ms", 0.8}, {"wait", "1 ms", 0.2, Role::waits}}},
          DocumentCode{{}, "meshslice plan <x>"}}});
    return document;
}

TEST(Document, IsOneHtmlPage) {
    const std::string page = html(small());
    EXPECT_THAT(page, AllOf(HasSubstr("<h1>A &lt; B &amp; C</h1>"), HasSubstr("<p class=\"number\">5 ms</p>"),
                            HasSubstr("<div class=\"warns\">\n<p>One | two.</p>"),
                            HasSubstr("<ol>\n<li>first</li>\n<li>second</li>\n</ol>"),
                            HasSubstr("<td class=\"words\">a&lt;b&gt;</td><td>1 s</td>"),
                            HasSubstr("width:80.000%"), HasSubstr("<td>20.0%</td>"),
                            HasSubstr("<pre>meshslice plan &lt;x&gt;</pre>")));
    EXPECT_THAT(page, Not(HasSubstr("<x>")));
}

/// What follows the answer is a list below it, before all sections.
TEST(Document, ListsWhatFollowsTheAnswer) {
    Document document = small();
    document.further = {"The next is a < b.", "It fits."};
    EXPECT_THAT(html(document),
                HasSubstr("<p class=\"answer\">Half of it waits.</p>\n<ul>\n<li>The next is a "
                          "&lt; b.</li>\n<li>It fits.</li>\n</ul>\n<h2>Words</h2>"));
    EXPECT_THAT(markdown(document),
                HasSubstr("Half of it waits.\n\n- The next is a \\< b.\n- It fits.\n\n## Words"));
}

/// Each chart is there twice, for a page and for a phone; a hatch that is defined in the one that is not
/// shown would draw nothing in the other.
TEST(Document, PicturesForPhonesHaveTheirOwnHatch) {
    ChartPanel panel{"", {"time", ChartUnit::seconds}, {"GEMM"}};
    panel.y.categories = {"QKV"};
    panel.series = {{"waits", SeriesKind::stack, {1.0}, {}, Role::exposed}};
    Document document = small();
    document.sections.push_back({"Pictures", {Chart{"It waits", {panel}}}});
    const std::string page = html(document);
    const std::size_t narrow = page.find("<svg class=\"narrow\"");
    ASSERT_NE(narrow, std::string::npos);
    EXPECT_THAT(page.substr(0, narrow), AllOf(HasSubstr("id=\"hatch\""), HasSubstr("url(#hatch)")));
    EXPECT_THAT(page.substr(narrow), AllOf(HasSubstr("id=\"narrow-hatch\""), HasSubstr("url(#narrow-hatch)"),
                                           Not(HasSubstr("url(#hatch)"))));
}

TEST(Document, IsMarkdownInWhichNothingIsAMark) {
    const std::string page = markdown(small());
    EXPECT_THAT(page,
                AllOf(HasSubstr("# A \\< B & C\n"), HasSubstr("**5 ms**"), HasSubstr("> One \\| two."),
                      HasSubstr("| part | time |\n| :-- | --: |\n| a\\<b\\> | 1 s |\n"),
                      HasSubstr("| compute | 4 ms | 80% |"), HasSubstr("```text\nmeshslice plan <x>\n```")));
}

/// Units leave the heads and stand with the values; counts are exact; what is cut is said.
TEST(Document, TakesATableAsPeopleReadIt) {
    const Table table{"GEMMs",
                      {"layer", "m", "time_s", "moved_bytes"},
                      {{"FF1", std::int64_t{131072}, 0.002, 2e6},
                       {"FF2", std::int64_t{1}, 0.5, 1e9},
                       {"QKV", std::int64_t{2}, 1.0, 1.0}}};
    const DocumentTable made = document_table(table, 2);
    EXPECT_THAT(made.columns, ElementsAre("layer", "m", "time", "moved"));
    ASSERT_EQ(made.rows.size(), 2u);
    EXPECT_EQ(made.rows[0][1], "131072");
    EXPECT_THAT(made.rows[0][2], HasSubstr("2.00"));
    EXPECT_THAT(made.rows[1][3], HasSubstr("1.00"));
    EXPECT_EQ(made.left_aligned, 1u);
    EXPECT_EQ(made.caption, "GEMMs; 2 of 3 rows");
}

} // namespace
} // namespace meshslice
