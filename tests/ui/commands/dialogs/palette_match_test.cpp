#include "ui/commands/dialogs/palette_match.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;

PaletteLine line(const char* title, const char* place, const char* more = "") {
    return {QString::fromUtf8(title), QString::fromUtf8(place), {}, QString::fromUtf8(more)};
}

/// The nearer a word is to the beginning of the title, the less it costs.
TEST(PaletteMatch, MeasuresHowFarWhatWasTypedIs) {
    const PaletteLine variant = line("New variant: a copy of this one", "Variants", "Duplicate and compare");
    struct Case {
        const char* typed;
        std::optional<int> expected;
    };
    for (const Case& one : {Case{"", 0},                  // everything
                            Case{"new", 0},               // the title begins with it
                            Case{"NEW", 0},               // in any case
                            Case{"copy", 1},              // another word of it
                            Case{"variants", 2},          // its menu
                            Case{"ariant", 3},            // within
                            Case{"nv", 4},                // letters in their order
                            Case{"duplic", 6},            // other words
                            Case{"new copy", 1},          // both
                            Case{"copy dupl", 7},         //
                            Case{"new elephant", {}},     // one is not found
                            Case{"wn", {}},               // not in this order
                            Case{"  new,  copy! ", 1}}) { // signs count for nothing
        EXPECT_EQ(distance(QString::fromUtf8(one.typed), variant), one.expected) << one.typed;
    }
    EXPECT_EQ(distance(QStringLiteral("theme dark"), line("Dark", "View > Theme")), 2);
    EXPECT_EQ(distance(QStringLiteral("32 8"), line("GPT-3 175B, 32 × 8", "File > Examples")), 0);
}

TEST(PaletteMatch, TheNearestComesFirstThenTheRecentThenTheOrder) {
    const std::vector<PaletteLine> lines = {line("Save", "File"), line("Save as", "File"),
                                            line("Autosave", "File"), line("Timeline", "View"),
                                            line("Torus", "View")};
    EXPECT_THAT(nearest(QStringLiteral("save"), lines, {}), ElementsAre(0U, 1U, 2U));
    EXPECT_THAT(nearest(QStringLiteral("save"), lines, {QStringLiteral("File > Save as")}),
                ElementsAre(1U, 0U, 2U));
    EXPECT_THAT(nearest(QStringLiteral("view"), lines, {}), ElementsAre(3U, 4U));
    EXPECT_THAT(nearest({}, lines, {QStringLiteral("View > Torus"), QStringLiteral("File > Save as")}),
                ElementsAre(4U, 1U, 0U, 2U, 3U));
    EXPECT_TRUE(nearest(QStringLiteral("elephant"), lines, {}).empty());
}

TEST(PaletteMatch, RemembersEachOnceAndNotTooMany) {
    QStringList recent;
    for (int k = 0; k < 20; ++k) {
        recent = withRecent(recent, QString::number(k));
    }
    EXPECT_EQ(recent.size(), 12);
    EXPECT_EQ(recent.front(), QStringLiteral("19"));
    recent = withRecent(recent, QStringLiteral("15"));
    EXPECT_EQ(recent.size(), 12);
    EXPECT_EQ(recent.front(), QStringLiteral("15"));
    EXPECT_EQ(recent.count(QStringLiteral("15")), 1);
}

} // namespace
} // namespace meshslice::ui
