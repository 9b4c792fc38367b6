#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/controls/search_bar.h"
#include "ui/timeline/view/timeline_view.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace meshslice::ui {
namespace {

/// Four chips of five rows each, in room for all of them: core, south, north, east, west.
class TimelineRowsTest : public ::testing::Test {
  protected:
    TimelineRowsTest() {
        view.resize(1000, 700);
        session.show(handMadeResults());
        view.follow();
        view.show();
        view.setFocus();
    }
    [[nodiscard]] QString said() { return view.searchBar()->findChild<QLabel*>()->text(); }
    void type(const char* words) {
        line->clear();
        QTest::keyClicks(line, QString::fromLatin1(words));
        EXPECT_TRUE(searched());
    }
    [[nodiscard]] bool searched() {
        return QTest::qWaitFor([this] { return !view.searchJob()->isBusy(); }, patience_ms);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(line, key, modifiers);
    }
    /// The first words of what the names say, line by line.
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (int y = 0; y < view.height(); ++y) {
            const QStringList lines = view.linesAt({20, y});
            if (lines.value(1).startsWith(QStringLiteral("Click")) &&
                (all.empty() || all.back() != lines[0].toStdString())) {
                all.push_back(lines[0].toStdString());
            }
        }
        return all;
    }
    QPoint pointOf(const std::string& name) const {
        for (int y = 0; y < view.height(); ++y) {
            if (view.linesAt({20, y}).value(0).toStdString() == name) {
                return {20, y + 4};
            }
        }
        return {};
    }

    HandMadeSession session;
    Selection& selection = *session.selection();
    TimelineView view{&session};
    QLineEdit* line = view.searchBar()->findChild<QLineEdit*>();
};

TEST_F(TimelineRowsTest, ASlashOpensTheSearchAndEscapeClosesIt) {
    EXPECT_TRUE(view.searchBar()->isHidden());
    const std::vector<std::string> before = names();
    QTest::keyClick(&view, Qt::Key_Slash);
    EXPECT_FALSE(view.searchBar()->isHidden());
    EXPECT_FALSE(line->accessibleName().isEmpty());
    EXPECT_FALSE(view.grab().isNull());
    EXPECT_EQ(names(), before) << "the rows make room";
    press(Qt::Key_Escape);
    EXPECT_TRUE(view.searchBar()->isHidden());
    QTest::keyClick(&view, Qt::Key_Slash);
    QTest::keyClick(&view, Qt::Key_Escape); // from the picture, too
    EXPECT_TRUE(view.searchBar()->isHidden());
}

/// What is found keeps its colour and has a line above it; all else is fainter.
TEST_F(TimelineRowsTest, WhatIsFoundStandsOut) {
    QTest::mouseMove(&view, {2, 2});
    QTest::keyClick(&view, Qt::Key_Slash);
    const QPoint name = pointOf("chip 0,0  south link");
    ASSERT_FALSE(name.isNull());
    // 30 and 60 us of 200: within the link's transfer, and within the core's multiplication in the row above.
    const int left = view.picture().layout.left;
    const auto at = [&](int us, int rows) {
        const int width = view.width() - left - view.findChild<QScrollBar*>()->sizeHint().width() - 1;
        return QPoint(left + us * width / 200, name.y() + 5 + rows * 18);
    };
    const QImage before = view.grab().toImage();
    type("transfer");
    const QImage after = view.grab().toImage();
    EXPECT_EQ(after.pixelColor(at(30, 0)), before.pixelColor(at(30, 0))) << "a hit";
    EXPECT_NE(after.pixelColor(at(60, -1)), before.pixelColor(at(60, -1))) << "none";
    const QColor ink = color(Role::text, Theme::light);
    const auto lines = [&](const QImage& image, int us) {
        int count = 0;
        for (int y = name.y() - 6; y < name.y() + 4; ++y) {
            count += image.pixelColor(at(us, 0).x(), y) == ink ? 1 : 0;
        }
        return count;
    };
    EXPECT_EQ(lines(after, 30), 2);
    EXPECT_EQ(lines(after, 60), 0);
    press(Qt::Key_Escape);
    QTest::keyClick(&view, Qt::Key_Slash);
    type("");
    EXPECT_EQ(view.grab().toImage().pixelColor(at(60, -1)), before.pixelColor(at(60, -1)));
}

/// A folded group shows what its rows do: blue where its cores multiply, nothing where they wait.
TEST_F(TimelineRowsTest, AFoldedGroupShowsWhatItsRowsDo) {
    view.setRowGroups(RowGroups::resource);
    QTest::mouseMove(&view, {2, 2});
    const QPoint cores = pointOf("cores");
    ASSERT_FALSE(cores.isNull());
    QTest::mouseClick(&view, Qt::LeftButton, {}, cores);
    EXPECT_EQ(view.rowChoice().collapsed.size(), 1u);
    QTest::mouseMove(&view, {2, 2});
    const QImage image = view.grab().toImage();
    std::set<QRgb> found;
    for (int x = 300; x < view.width() - 40; ++x) {
        found.insert(image.pixel(x, cores.y() + 5));
    }
    EXPECT_TRUE(found.contains(color(Role::compute, Theme::light).rgb()));
    EXPECT_TRUE(found.contains(color(Role::panel, Theme::light).rgb()));
    EXPECT_EQ(view.linesAt(cores).size(), 3) << "its columns are explained";
}

/// The grey of a folded group's links is in the legend while one is folded.
TEST_F(TimelineRowsTest, TheLegendHasTheGreyOfFoldedGroups) {
    const auto has_grey = [&] { // a swatch, not a letter
        const QImage image = view.grab().toImage();
        const QRgb grey = color(Role::quietText, Theme::light).rgb();
        int longest = 0;
        for (int y = view.height() - 60; y < view.height(); ++y) {
            int run = 0;
            for (int x = 0; x < view.width(); ++x) {
                run = image.pixel(x, y) == grey ? run + 1 : 0;
                longest = std::max(longest, run);
            }
        }
        return longest >= 6;
    };
    QTest::mouseMove(&view, {2, 2});
    EXPECT_FALSE(has_grey());
    view.setRowGroups(RowGroups::resource);
    QTest::mouseClick(&view, Qt::LeftButton, {}, pointOf("cores"));
    QTest::mouseMove(&view, {2, 2});
    EXPECT_TRUE(has_grey());
    view.setRowGroups(RowGroups::chip);
    EXPECT_FALSE(has_grey());
}

/// A picture of the same results, range and width adds up nothing again; other groups share what one picture
/// may add up.
TEST(GroupSummaries, AreKeptForTheNextPicture) {
    const ResultsPtr results = handMadeResults();
    const StepRuns runs = runsOf(results);
    RowChoice choice;
    choice.groups = RowGroups::resource;
    RowList list = rowList(*runs[0], 0, choice);
    ASSERT_GE(list.groups.size(), 2u);
    list.groups[0].collapsed = true;
    const std::vector<std::vector<RowLine>> lines = {{RowLine{0, true}, RowLine{1, true}}};
    GroupSummaries kept;
    const auto first = kept.of(runs, {list}, lines, wholeOf(runs), 100);
    EXPECT_EQ(kept.added(), 1u);
    ASSERT_EQ(first.size(), 1u);
    ASSERT_EQ(first[0].size(), 1u);
    EXPECT_EQ(first[0].at(0).cores.size(), 50u) << "a part for each two pixels";
    EXPECT_EQ(kept.of(runs, {list}, lines, wholeOf(runs), 100), first);
    EXPECT_EQ(kept.added(), 1u);
    (void)kept.of(runs, {list}, lines, {Time(0), microseconds(10)}, 100);
    EXPECT_EQ(kept.added(), 2u);
    list.groups[1].collapsed = true;
    (void)kept.of(runs, {list}, lines, {Time(0), microseconds(10)}, 100);
    EXPECT_EQ(kept.added(), 4u) << "each of the two has half the room";
}

/// A screen reader asks for all parts at each of its questions: they are made once for what is seen.
TEST_F(TimelineRowsTest, ReadablePartsAreMadeOnce) {
    const auto asked = [&] { return view.readableParts().at(0).text.constData(); };
    const QChar* first = asked();
    EXPECT_EQ(asked(), first);
    selection.select(Selected{0, 0, 0, 1});
    EXPECT_TRUE(view.readableParts().at(0).selected);
    const QString all = view.readableParts().at(0).text;
    selection.setRange({microseconds(0), microseconds(50)});
    EXPECT_NE(view.readableParts().at(0).text, all);
    session.show(nullptr);
    EXPECT_TRUE(view.readableParts().empty());
}

/// Folded rows of a mesh that is gone are not folded in the next one.
TEST_F(TimelineRowsTest, FoldedGroupsGoWithTheirRows) {
    view.setRowGroups(RowGroups::row);
    QTest::mouseClick(&view, Qt::LeftButton, {}, pointOf("row 1 of the mesh"));
    EXPECT_EQ(view.rowChoice().collapsed.size(), 1u);
    session.show(combResults(4)); // one chip
    view.follow();
    EXPECT_TRUE(view.rowChoice().collapsed.empty());
}

/// A synchronization of a south link in each of two GEMMs on four chips; row 1 is the first south link.
TEST_F(TimelineRowsTest, EnterGoesFromOneToTheNext) {
    QTest::keyClick(&view, Qt::Key_Slash);
    type("sync");
    EXPECT_EQ(said(), QStringLiteral("8 found"));
    EXPECT_EQ(selection.selected(), std::nullopt) << "typing selects nothing";
    press(Qt::Key_Return);
    EXPECT_EQ(said(), QStringLiteral("1 of 8"));
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 1, 1}));
    press(Qt::Key_Return);
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 1, 1}));
    press(Qt::Key_Return);
    EXPECT_EQ(said(), QStringLiteral("3 of 8"));
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 6, 1}));
    press(Qt::Key_Return, Qt::ShiftModifier);
    press(Qt::Key_Return, Qt::ShiftModifier);
    press(Qt::Key_Return, Qt::ShiftModifier); // round to the last
    EXPECT_EQ(said(), QStringLiteral("8 of 8"));
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 16, 1}));
    press(Qt::Key_Return);
    EXPECT_EQ(said(), QStringLiteral("1 of 8"));
    type("nothing of the kind");
    EXPECT_EQ(said(), QStringLiteral("nothing found"));
    press(Qt::Key_Return);
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 1, 1}));
}

TEST_F(TimelineRowsTest, AMatchIsScrolledIntoView) {
    view.resize(1000, 300);
    auto* scroll = view.findChild<QScrollBar*>();
    selection.setRange({microseconds(0), microseconds(30)});
    QTest::keyClick(&view, Qt::Key_Slash);
    type("sync 1,1 backward");
    press(Qt::Key_Return); // of chip 1,1 at 110 us
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 16, 1}));
    EXPECT_GT(scroll->value(), 0);
    EXPECT_LE(selection.range().begin, microseconds(110));
    EXPECT_GE(selection.range().end, microseconds(115));
    // It stays in sight while only some rows are shown, and when all are shown again.
    view.searchBar()->findChild<QCheckBox*>()->setChecked(true);
    EXPECT_THAT(names(), testing::Contains("chip 1,1  south link"));
    EXPECT_EQ(scroll->value(), 0);
    press(Qt::Key_Escape);
    EXPECT_THAT(names(), testing::Contains("chip 1,1  south link"));
    EXPECT_GT(scroll->value(), 0);
}

TEST_F(TimelineRowsTest, OnlyMatchingRowsAreShown) {
    QTest::keyClick(&view, Qt::Key_Slash);
    type("south sync");
    auto* filter = view.searchBar()->findChild<QCheckBox*>();
    QTest::mouseClick(filter, Qt::LeftButton, Qt::NoModifier, QPoint(8, filter->height() / 2));
    ASSERT_TRUE(filter->isChecked());
    EXPECT_THAT(names(), testing::ElementsAre("chip 0,0  south link", "chip 0,1  south link",
                                              "chip 1,0  south link", "chip 1,1  south link"));
    type("no such bar");
    EXPECT_THAT(names(), testing::IsEmpty());
    EXPECT_FALSE(view.grab().isNull());
    type("core 1,1");
    EXPECT_THAT(names(), testing::ElementsAre("chip 1,1  core"));
    // Whoever goes to a bar elsewhere sees it.
    selection.goTo(Selected{0, 0, 1, 1});
    EXPECT_FALSE(filter->isChecked());
    EXPECT_EQ(names().size(), 20u);
    filter->setChecked(true);
    press(Qt::Key_Escape);
    EXPECT_EQ(names().size(), 20u) << "closing the search shows all rows";
}

/// It reads every bar: nobody who types waits for it, and Enter goes to the match once it is found.
TEST_F(TimelineRowsTest, TheWindowDoesNotWaitForTheSearch) {
    QTest::keyClick(&view, Qt::Key_Slash);
    {
        const Gate gate(view.searchJob());
        QTest::keyClicks(line, QStringLiteral("sync 1,1 backward"));
        EXPECT_EQ(said(), QStringLiteral("searching…"));
        press(Qt::Key_Return);
        EXPECT_FALSE(selection.selected());
    }
    EXPECT_TRUE(searched());
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 16, 1}));
    {
        const Gate gate(view.searchJob());
        QTest::keyClicks(line, QStringLiteral(" link"));
        press(Qt::Key_Escape);
        EXPECT_FALSE(view.searchJob()->isBusy()) << "closed, it looks for nothing";
    }
}

TEST_F(TimelineRowsTest, NewResultsAreSearchedAgain) {
    QTest::keyClick(&view, Qt::Key_Slash);
    type("sync");
    session.show(handMadeResults(true));
    EXPECT_TRUE(searched());
    EXPECT_EQ(said(), QStringLiteral("16 found"));
    session.show(combResults(3));
    EXPECT_TRUE(searched());
    EXPECT_EQ(said(), QStringLiteral("nothing found"));
    press(Qt::Key_Return);
    session.show(nullptr);
    press(Qt::Key_Return);
    EXPECT_FALSE(view.grab().isNull());
}

/// The rows of what was found stay until the new results are searched, also where a step has none of them and
/// fewer rows than another.
TEST_F(TimelineRowsTest, TheFilterStaysWhileNewResultsAreSearched) {
    const auto smallFirst = [] {
        auto both = std::make_shared<Results>(*handMadeResults(true));
        both->steps[0] = combResults(3)->steps[0];
        return both;
    };
    session.show(smallFirst());
    QTest::keyClick(&view, Qt::Key_Slash);
    type("sync");
    view.searchBar()->setFilters(true);
    const std::vector<std::string> south = {"chip 0,0  south link", "chip 0,1  south link",
                                            "chip 1,0  south link", "chip 1,1  south link"};
    ASSERT_EQ(names(), south) << "the first step has one row, which does not synchronize";
    {
        const Gate gate(view.searchJob());
        session.show(smallFirst());
        ASSERT_TRUE(view.searchJob()->isBusy());
        EXPECT_EQ(names(), south);
    }
    EXPECT_TRUE(searched());
    EXPECT_EQ(names(), south);
}

TEST_F(TimelineRowsTest, PinnedRowsStayOnTop) {
    view.resize(1000, 250);
    auto* scroll = view.findChild<QScrollBar*>();
    view.pin(0, 16, true);
    EXPECT_EQ(names().front(), "chip 1,1  south link");
    EXPECT_EQ(names()[1], "chip 0,0  core");
    scroll->setValue(5);
    EXPECT_EQ(names().front(), "chip 1,1  south link");
    EXPECT_EQ(names()[1], "chip 0,1  core");
    session.show(handMadeResults()); // the same link of the next run
    EXPECT_EQ(names().front(), "chip 1,1  south link");
    view.pin(0, 16, false);
    scroll->setValue(0);
    EXPECT_EQ(names().front(), "chip 0,0  core");
}

TEST_F(TimelineRowsTest, AClickOnANameFoldsItsGroup) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, pointOf("chip 0,0  core"));
    EXPECT_EQ(names()[1], "chip 0,1  core");
    EXPECT_FALSE(view.grab().isNull());
    selection.goTo(Selected{0, 0, 1, 1}); // a bar of a folded link unfolds it
    EXPECT_EQ(names()[1], "chip 0,0  south link");

    view.setRowGroups(RowGroups::resource);
    EXPECT_EQ(names().size(), 25u);
    EXPECT_EQ(names()[0], "cores");
    EXPECT_EQ(names()[2], "chip 0,1  core");
    const QPoint cores = pointOf("cores");
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {500, cores.y()}); // anywhere on its line
    EXPECT_EQ(names()[1], "south links");
    EXPECT_FALSE(view.grab().isNull());
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 1, 1})) << "folding selects nothing";
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, cores);
    EXPECT_EQ(names().size(), 25u);
}

/// Bars are where their rows are: a click on the second core of the group of cores.
TEST_F(TimelineRowsTest, AClickSelectsTheBarOfItsRow) {
    view.setRowGroups(RowGroups::resource);
    const int y = pointOf("chip 0,1  core").y();
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {420, y});
    ASSERT_TRUE(selection.selected());
    EXPECT_EQ(selection.selected()->row, 5u);
}

} // namespace
} // namespace meshslice::ui
