// Rows of memories in the timeline, where GEMMs are made in stages.

#include "core/machine/catalogue.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/details/details_text.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/bars/piece_text.h"
#include "ui/timeline/fault_menu.h"
#include "ui/timeline/row_list.h"
#include "ui/timeline/view/timeline_geometry.h"
#include "ui/timeline/view/timeline_view.h"

#include <QMenu>
#include <QScrollBar>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;

/// A GEMM of 1024 x 1024 x 512 on four of the paper's GPUs, which feeds its ring.
ResultsPtr fedRing() {
    auto results = std::make_shared<Results>();
    Scenario& scenario = results->scenario;
    scenario = default_scenario();
    scenario.hardware = *machine_preset("t3-paper");
    scenario.mesh = {4};
    scenario.gemm = SingleGemm{{1024, 1024, 512}, Dataflow::LS};
    scenario.assume.schedule.ring = RingMode::one_way;
    scenario.plan.algorithm = "t3";
    scenario.compare.clear();
    results->steps.push_back(training_step(scenario, "t3", Depth::simulate).value());
    return results;
}

class MemoryRowsTest : public ::testing::Test {
  protected:
    /// Rows: 4 x (core, forward, backward), then 4 x (GEMM, communication, collectives).
    static constexpr std::size_t gemm_of_chip_1 = 12 + 3;
    static constexpr std::size_t communication_of_chip_1 = 12 + 4;
    static constexpr std::size_t collectives_of_chip_1 = 12 + 5;

    [[nodiscard]] QString linesOfBar(std::size_t row, std::size_t bar) const {
        return barLines(*runs[0], row, runs[0]->slice(row, StepRun::item(0, bar))).join(QLatin1Char('\n'));
    }

    const ResultsPtr results = fedRing();
    const StepRuns runs = runsOf(results);
};

TEST_F(MemoryRowsTest, StandBelowTheLinksOfTheirChip) {
    const RowList list = rowList(*runs[0], 0, {});
    ASSERT_EQ(list.others.size(), 24u);
    std::vector<std::size_t> first(12);
    for (std::size_t line = 0; line < first.size(); ++line) {
        first[line] = list.others[line].index;
    }
    EXPECT_THAT(first, ElementsAre(0, 1, 2, 12, 13, 14, 3, 4, 5, 15, 16, 17));
    EXPECT_EQ(runs[0]->chip_rows().size(), 12u) << "cores and links alone";
}

TEST_F(MemoryRowsTest, AreGroupsOfTheirOwnAmongTheResources) {
    RowChoice choice;
    choice.groups = RowGroups::resource;
    const RowList list = rowList(*runs[0], 0, choice);
    ASSERT_EQ(list.groups.size(), 6u);
    EXPECT_EQ(list.groups[3].name, QStringLiteral("memories: GEMM"));
    EXPECT_THAT(list.groups[3].rows, ElementsAre(12, 15, 18, 21));
    EXPECT_EQ(list.groups[4].name, QStringLiteral("memories: communication"));
    EXPECT_EQ(list.groups[5].name, QStringLiteral("memories: collectives"));
}

/// A fault of the link with the same axis and direction is none of the memory.
TEST_F(MemoryRowsTest, AreNoPartsThatCanFail) {
    const Torus& torus = runs[0]->torus();
    const Row& memory = runs[0]->rows()[communication_of_chip_1];
    EXPECT_FALSE(isPart({{1}, false, memory.axis, memory.direction}, torus, memory));
    HandMadeSession session(results);
    QMenu menu;
    addFaults(menu, session, 0, torus, memory);
    EXPECT_TRUE(menu.actions().isEmpty());
    addFaults(menu, session, 0, torus, runs[0]->rows()[0]);
    EXPECT_FALSE(menu.actions().isEmpty());
}

TEST_F(MemoryRowsTest, ABarSaysWhatMemoryServesAndThePiecesStory) {
    const QString update = linesOfBar(communication_of_chip_1, 0);
    EXPECT_TRUE(update.startsWith(QStringLiteral("update: "))) << update.toStdString();
    EXPECT_TRUE(update.contains(QStringLiteral("chip 1  memory: communication")));
    EXPECT_TRUE(update.contains(QStringLiteral("of the memory's bandwidth")));
    EXPECT_TRUE(update.contains(QStringLiteral("takes as long as 2 writes")));
    // What is added first is the first piece of the neighbour's first chunk: 16 tiles of 128 x 128 a chunk.
    EXPECT_TRUE(
        update.contains(QStringLiteral("piece: 1 of 16 of the chunk that chip 0 makes as number 1 of 4")))
        << update.toStdString();
    for (const char* event : {"made: ", "counted: not on this chip", "triggered: ", "sent: ", "arrived: ",
                              "after a flight of 500", "added: ", "waited: "}) {
        EXPECT_TRUE(update.contains(QLatin1String(event))) << event << "\n" << update.toStdString();
    }
    const QString write = linesOfBar(gemm_of_chip_1, 0);
    EXPECT_TRUE(write.startsWith(QStringLiteral("write: "))) << write.toStdString();
    EXPECT_TRUE(write.contains(QStringLiteral("stage 1 of 1"))) << write.toStdString();
    EXPECT_FALSE(write.contains(QStringLiteral("triggered")));
}

/// The gather that follows: 2 x 150 GB/s of 1 TB/s, and no story of a piece.
TEST_F(MemoryRowsTest, ABarOfACollectiveThatNoGemmFeedsSaysWhatItTakes) {
    const QString gather = linesOfBar(collectives_of_chip_1, 0);
    EXPECT_TRUE(gather.startsWith(QStringLiteral("read and write: gather C along the")))
        << gather.toStdString();
    EXPECT_TRUE(gather.contains(QStringLiteral("chip 1  memory: collectives")));
    EXPECT_TRUE(gather.contains(QStringLiteral("30% of the memory's bandwidth"))) << gather.toStdString();
    EXPECT_FALSE(gather.contains(QStringLiteral("triggered")));
    EXPECT_TRUE(detailsText(results, Selected{0, 0, collectives_of_chip_1, 0})
                    .contains(QStringLiteral("read and write")));
}

TEST_F(MemoryRowsTest, DetailsHaveWhatHappensToThePiece) {
    const QString text = detailsText(results, Selected{0, 0, communication_of_chip_1, 0});
    EXPECT_TRUE(text.contains(QStringLiteral("What happens to this piece")));
    EXPECT_TRUE(text.contains(QStringLiteral("triggered")));
    EXPECT_FALSE(text.contains(QStringLiteral("step of the ring")));
    // The link that sends it says the same; a core's bar does not.
    const QString link = detailsText(results, Selected{0, 0, std::size_t{4}, 0});
    EXPECT_TRUE(link.contains(QStringLiteral("What happens to this piece")));
    const QString core = detailsText(results, Selected{0, 0, std::size_t{3}, 0});
    EXPECT_FALSE(core.contains(QStringLiteral("What happens to this piece")));
}

/// A click selects what memory serves; what waits for what is known of cores and links, and [ and ] say so.
TEST_F(MemoryRowsTest, AClickSelectsABarAndBracketsSayWhatTheyKnow) {
    HandMadeSession session;
    TimelineView view(&session);
    view.setPalette(widgetPalette(Theme::light));
    view.resize(1000, 700); // all 24 rows
    session.show(results);
    view.show();
    Selection& selection = *session.selection();
    const auto middle = [&](std::size_t row, std::size_t bar) {
        const TimelinePicture& shown = view.picture();
        const RunSlice placed = runs[0]->slice(row, StepRun::item(0, bar));
        const double x = (shown.scale.x(placed.start) + shown.scale.x(placed.end)) / 2;
        return QPoint(static_cast<int>(x), shown.placeOf(0, row)->center().y());
    };
    for (const std::size_t row : {gemm_of_chip_1, communication_of_chip_1}) {
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middle(row, 0));
        const std::optional<Selected> clicked = selection.selected();
        ASSERT_TRUE(clicked && clicked->row && clicked->interval) << row;
        EXPECT_EQ(*clicked->row, row);
        EXPECT_EQ(*clicked->interval, 0u);
        EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("chip 1  memory: ")));
        for (const Qt::Key key : {Qt::Key_BracketLeft, Qt::Key_BracketRight}) {
            QTest::keyClick(&view, key);
            EXPECT_EQ(selection.selected(), clicked) << "it stays where it is";
            EXPECT_EQ(view.readOut(), QStringLiteral("only cores and links show what waits for what"));
        }
        if (row == gemm_of_chip_1) {
            continue; // one stage, which writes once
        }
        QTest::keyClick(&view, Qt::Key_Period); // to the next of the row, as in every row
        EXPECT_EQ(selection.selected()->row, row);
        EXPECT_EQ(selection.selected()->interval, 1u);
        EXPECT_TRUE(view.readOut().isEmpty()) << view.readOut().toStdString();
    }
}

} // namespace
} // namespace meshslice::ui
