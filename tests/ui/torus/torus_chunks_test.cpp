// The tiles of a GEMM that feeds its reduce-scatter, step by step on every chip: T3's Figure 7.

#include "core/machine/catalogue.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/look/palette.h"
#include "ui/torus/torus_view.h"

#include <QComboBox>
#include <QImage>
#include <QTest>
#include <QToolButton>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

/// A GEMM of 128 N x 512 x 64 N on N of the paper's GPUs, of which each chunk is four tiles of 128 x 128.
ResultsPtr fedBy(const char* algorithm, std::int32_t chips) {
    auto results = std::make_shared<Results>();
    Scenario& scenario = results->scenario;
    scenario = default_scenario();
    scenario.hardware = *machine_preset("t3-paper");
    scenario.mesh = {chips};
    scenario.gemm = SingleGemm{{128 * chips, 512, 64 * chips}, Dataflow::LS};
    scenario.assume.schedule.ring = RingMode::one_way;
    scenario.plan.algorithm = algorithm;
    scenario.compare.clear();
    results->steps.push_back(training_step(scenario, algorithm, Depth::simulate).value());
    return results;
}

class TorusChunksTest : public ::testing::Test {
  protected:
    TorusChunksTest() {
        view.resize(960, 600);
        view.show();
    }

    /// By the box in the view, as a user does.
    void showChunks() {
        QTest::keyClick(view.showsBox(), Qt::Key_End);
        ASSERT_EQ(view.shows(), TorusShows::chunks);
    }
    void step(bool on) { QTest::mouseClick(on ? view.forwardButton() : view.backButton(), Qt::LeftButton); }
    [[nodiscard]] const std::vector<FedChunk>& chunks(std::size_t chip) const {
        return view.picture().chunks.chips.at(chip).chunks;
    }
    /// Tiles of all chips.
    [[nodiscard]] std::int64_t tilesIn(TileState state) const {
        std::int64_t all = 0;
        for (const FedProgress& chip : view.picture().chunks.chips) {
            for (const FedChunk& chunk : chip.chunks) {
                all += chunk.in(state);
            }
        }
        return all;
    }
    /// Pixels of a role's colour within the box of a chip.
    [[nodiscard]] int pixelsOf(Role role, Chip chip) {
        QImage image(view.size(), QImage::Format_RGB32);
        view.render(&image);
        const QRgb wanted = color(role, themeOf(view.palette())).rgb();
        const QRect box = view.picture().grid.core(chip).toAlignedRect();
        const QPoint middle = view.pointOf({chip, std::nullopt});
        int found = 0;
        for (int y = middle.y() - box.height() / 2; y < middle.y() + box.height() / 2; ++y) {
            for (int x = middle.x() - box.width() / 2; x < middle.x() + box.width() / 2; ++x) {
                found += image.pixel(x, y) == wanted ? 1 : 0;
            }
        }
        return found;
    }

    HandMadeSession session;
    TorusView view{&session};
};

/// From the beginning to the end of the ring by the button alone, for any number of chips: at each click a
/// chunk is whole in one more state, at the moment that all views share; and the same way back.
TEST_F(TorusChunksTest, StepsThroughFigure7) {
    for (const std::int32_t chips : {2, 4, 8, 16}) {
        const ResultsPtr results = fedBy("t3", chips);
        session.show(results);
        showChunks();
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Home);
        const GemmResult& gemm = results->steps[0].gemms[0];
        const auto run = FedRun::create(*gemm.program, *gemm.timeline, gemm.program->fusions[0]);
        const std::vector<Time> steps = run->steps();
        EXPECT_EQ(tilesIn(TileState::waiting), 4 * chips * chips);
        for (const Time at : steps) {
            step(true);
            ASSERT_EQ(session.selection()->moment(), at) << chips;
        }
        EXPECT_EQ(tilesIn(TileState::sent), 4 * chips * (chips - 1));
        EXPECT_EQ(tilesIn(TileState::complete), 4 * chips) << "its own chunk, on every chip";
        step(true);
        EXPECT_EQ(session.selection()->moment(), steps.back()) << "there is no further one";
        for (auto at = steps.rbegin() + 1; at != steps.rend(); ++at) {
            step(false);
            ASSERT_EQ(session.selection()->moment(), *at) << chips;
        }
    }
}

/// Four chips, 16 tiles each in one stage: chip p makes chunk p - 1 first, and its stores go to p + 1. Once
/// made all of it is on its way, and of the others the own update has been counted.
TEST_F(TorusChunksTest, SaysAndPaintsWhatBecameOfTheTiles) {
    session.show(fedBy("t3", 4));
    showChunks();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Home);
    EXPECT_EQ(pixelsOf(Role::transferVertical, 1), 0);
    EXPECT_EQ(pixelsOf(Role::compute, 1), 0);
    step(true);
    EXPECT_EQ(chunks(1)[0].map, (MappedChunk{0, MappedChunk::Way::remote, 2, 0}));
    EXPECT_EQ(chunks(1)[0].in(TileState::made), 4);
    EXPECT_EQ(chunks(1)[3].in(TileState::counted), 4);
    EXPECT_GT(pixelsOf(Role::compute, 1), 20) << "the chunk that leaves by its stores";
    EXPECT_THAT(view.picture().title.toStdString(),
                HasSubstr("of 64 tiles on all chips 64 are made, 0 complete and 0 sent"));
    const QString lines = view.linesAt(view.pointOf({1, std::nullopt})).join(QLatin1Char('\n'));
    EXPECT_EQ(lines, QStringLiteral("chip 1\n"
                                    "chunk 0, stored straight to chip 2: 4 made, on the way out\n"
                                    "chunk 3, sent on to chip 2: 4 with 1 of 2 updates\n"
                                    "chunk 2, sent on to chip 2: 4 with 1 of 2 updates\n"
                                    "chunk 1, stays here: 4 with 1 of 2 updates"));
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_GT(pixelsOf(Role::transferVertical, 1), 60) << "three of four chunks are sent";
    EXPECT_GT(pixelsOf(Role::launch, 1), 20) << "its own is complete";
    EXPECT_EQ(pixelsOf(Role::compute, 1), 0);
    const Table table = view.table();
    ASSERT_EQ(table.rows.size(), 16U);
    EXPECT_EQ(table.columns.front(), "chip");
    EXPECT_EQ(table.title, "chunks");
}

/// The full stop and the comma do the same.
TEST_F(TorusChunksTest, StepsByTheKeysToo) {
    session.show(fedBy("t3", 4));
    showChunks();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Home);
    QTest::keyClick(&view, Qt::Key_Period);
    const auto first = session.selection()->moment();
    QTest::keyClick(&view, Qt::Key_Period);
    EXPECT_GT(session.selection()->moment(), first);
    QTest::keyClick(&view, Qt::Key_Comma);
    EXPECT_EQ(session.selection()->moment(), first);
    EXPECT_THAT(view.forwardButton()->toolTip().toStdString(), HasSubstr("chunk"));
    QTest::keyClick(view.showsBox(), Qt::Key_Home);
    EXPECT_EQ(view.shows(), TorusShows::now);
    EXPECT_EQ(view.forwardButton()->toolTip(), QStringLiteral("On to the next event (.)"));
}

/// Where no GEMM feeds its reduce-scatter there is nothing to choose, and what was chosen is given up.
TEST_F(TorusChunksTest, AreOfferedOnlyWhereAGemmFeedsItsRing) {
    session.show(fedBy("tp-ar", 4));
    EXPECT_EQ(view.showsBox()->count(), 4);
    session.show(fedBy("t3", 4));
    EXPECT_EQ(view.showsBox()->count(), 5);
    showChunks();
    session.show(fedBy("tp-ar", 4));
    EXPECT_EQ(view.showsBox()->count(), 4);
    EXPECT_EQ(view.shows(), TorusShows::now);
}

/// A hundred chips have a hundred chunks each: bars that are too thin to tell are one.
TEST_F(TorusChunksTest, AreSummedUpWhereThereIsNoRoom) {
    session.show(fedBy("t3", 64));
    showChunks();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_GT(pixelsOf(Role::transferVertical, 5), 20);
    const QStringList lines = view.linesAt(view.pointOf({5, std::nullopt}));
    EXPECT_EQ(lines.size(), 2);
    EXPECT_EQ(lines.back(), QStringLiteral("all tiles of the other chunks are alike"));
}

} // namespace
} // namespace meshslice::ui
