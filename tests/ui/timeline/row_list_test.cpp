#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/row_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Four chips of a 2x2 torus, five rows each: core, south, north, east, west.
class RowListTest : public ::testing::Test {
  protected:
    [[nodiscard]] RowList list() const { return rowList(*runs[0], 0, choice); }
    const StepRuns runs = runsOf(handMadeResults());
    RowChoice choice;
};

RowLine rowLine(std::size_t index) {
    return {index, false};
}
RowLine groupLine(std::size_t index) {
    return {index, true};
}

TEST_F(RowListTest, HasAllRowsByChip) {
    EXPECT_EQ(list().others, rowsFrom(0, 20));
    EXPECT_THAT(list().pinned, IsEmpty());
    // Panes scroll together: what has scrolled past the end of this one leaves its last rows.
    EXPECT_THAT(list().inSight(18, 3), ElementsAre(rowLine(17), rowLine(18), rowLine(19)));
    EXPECT_EQ(list().inSight(500, 30), rowsFrom(0, 20));
    EXPECT_THAT(list().inSight(2, 2), ElementsAre(rowLine(2), rowLine(3)));
    EXPECT_THAT(list().inSight(0, 0), IsEmpty());
}

TEST_F(RowListTest, PinnedRowsStayWhenTheOthersScroll) {
    choice.pinned = {{{1, 1}, true, Axis::vertical, Direction::forward},
                     {{0, 0}, false, Axis::horizontal, Direction::forward},
                     {{7, 7}, true, Axis::vertical, Direction::forward}}; // of no chip of this mesh
    const RowList made = list();
    EXPECT_THAT(made.pinned, ElementsAre(rowLine(15), rowLine(3)));
    EXPECT_EQ(made.others.size(), 18u);
    EXPECT_THAT(made.inSight(2, 4), ElementsAre(rowLine(15), rowLine(3), rowLine(2), rowLine(4)));
    EXPECT_THAT(made.inSight(2, 1), ElementsAre(rowLine(2))) << "there is room for another";
    EXPECT_EQ(made.placeOf(15), std::nullopt);
    EXPECT_EQ(made.placeOf(4), 3u);
    EXPECT_TRUE(made.shows(15));
    EXPECT_EQ(partOfRow(runs[0]->torus(), runs[0]->rows()[15]), choice.pinned[0]);
}

/// The line between what stays and what scrolls is below what is in sight, however low the picture.
TEST_F(RowListTest, OfPinnedRowsAsManyAreInSightAsLeaveRoom) {
    choice.pinned = {{{1, 1}, true, Axis::vertical, Direction::forward},
                     {{0, 0}, false, Axis::horizontal, Direction::forward}};
    const RowList made = list();
    EXPECT_EQ(made.pinnedInSight(0), 0u);
    EXPECT_EQ(made.pinnedInSight(1), 0u);
    EXPECT_EQ(made.pinnedInSight(2), 1u);
    EXPECT_EQ(made.pinnedInSight(3), 2u);
    EXPECT_EQ(made.pinnedInSight(9), 2u);
}

/// A key of a row of the mesh that is gone is forgotten; the others stay.
TEST_F(RowListTest, OnlyGroupsThatExistStayCollapsed) {
    choice.groups = RowGroups::row;
    choice.collapsed = {1, 7};
    EXPECT_THAT(collapsedThatExist(runs, choice), ElementsAre(1));
    EXPECT_THAT(collapsedThatExist(StepRuns(), choice), IsEmpty());
}

TEST_F(RowListTest, AFilterKeepsWhatMatches) {
    choice.filtered = true;
    EXPECT_THAT(list().others, IsEmpty());
    choice.matching = {{1, 6, 11, 99}};
    EXPECT_THAT(list().others, ElementsAre(rowLine(1), rowLine(6), rowLine(11)));
    EXPECT_FALSE(list().shows(2));
}

TEST_F(RowListTest, ACollapsedChipIsItsCore) {
    choice.collapsed = {0, 2};
    EXPECT_THAT(list().others,
                ElementsAre(rowLine(0), rowLine(5), rowLine(6), rowLine(7), rowLine(8), rowLine(9),
                            rowLine(10), rowLine(15), rowLine(16), rowLine(17), rowLine(18), rowLine(19)));
}

/// Chips 0,0 and 0,1 are row 0, chips 0,0 and 1,0 column 0.
TEST_F(RowListTest, GroupsRowsAndColumnsOfTheMesh) {
    choice.groups = RowGroups::row;
    RowList made = list();
    ASSERT_EQ(made.groups.size(), 2u);
    EXPECT_EQ(made.groups[1].name.toStdString(), "row 1 of the mesh");
    EXPECT_EQ(made.groups[1].rows.size(), 10u);
    EXPECT_EQ(made.others.size(), 22u);
    EXPECT_EQ(made.others[0], groupLine(0));
    EXPECT_EQ(made.others[11], groupLine(1));
    choice.groups = RowGroups::column;
    choice.collapsed = {0};
    made = list();
    EXPECT_EQ(made.others.size(), 12u);
    EXPECT_EQ(made.others[1], groupLine(1));
    EXPECT_EQ(made.others[2], rowLine(5)); // chip 0,1
    EXPECT_TRUE(made.groups[0].collapsed);
}

TEST_F(RowListTest, GroupsResources) {
    choice.groups = RowGroups::resource;
    const RowList made = list();
    ASSERT_EQ(made.groups.size(), 5u);
    EXPECT_EQ(made.groups[0].name.toStdString(), "cores");
    EXPECT_EQ(made.groups[1].name.toStdString(), "south links");
    EXPECT_EQ(made.others[1], rowLine(0));
    EXPECT_EQ(made.others[2], rowLine(5));
}

/// No two chips of a hand-made run are known to be alike; of a real one of a mesh that wraps all are.
TEST_F(RowListTest, GroupsAlikeChips) {
    choice.groups = RowGroups::alike;
    EXPECT_EQ(list().groups.size(), 4u);
    EXPECT_EQ(list().groups[3].name.toStdString(), "chip 1,1, like no other");
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.mesh = {4, 4};
    results->scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    results->steps.push_back(training_step(results->scenario, "meshslice", Depth::simulate).value());
    const StepRuns real = runsOf(results);
    const std::size_t classes = results->steps[0].gemms[0].timeline->classes().count();
    choice.collapsed = {0};
    const RowList made = rowList(*real[0], 0, choice);
    ASSERT_EQ(made.groups.size(), classes);
    ASSERT_EQ(classes, 1u);
    EXPECT_EQ(made.groups[0].name, QStringLiteral("all 16 chips, alike"));
    for (std::size_t line = 1; line <= 5; ++line) { // the representative stands for all
        EXPECT_EQ(made.others[line], rowLine(line - 1));
    }
    EXPECT_TRUE(made.others.size() == 6 || made.others[6].group);
}

} // namespace
} // namespace meshslice::ui
