#include "ui/lineup/lineup_geometry.h"

#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

LineupRoom room(std::vector<std::size_t> lanes) {
    LineupRoom made;
    made.lanes = std::move(lanes);
    made.names = 100;
    made.places = 80;
    made.ends = 60;
    made.controls = false;
    return made;
}

TEST(LineupGeometry, OneAlgorithmWithRoomToSpare) {
    // Title 32, GEMM 20 and time axis 24 above; legend 24 below: 500 - 100 = 400 for the body, from 76 on.
    const LineupLayout layout = layoutLineup({800, 500}, room({3}));
    EXPECT_EQ(layout.ruler, QRect(180, 52, 560, 24)); // 100 + 80 names, 60 for times at the right
    EXPECT_EQ(layout.body, QRect(0, 76, 800, 400));
    EXPECT_EQ(layout.rowHeight, 30); // as high as rows get
    ASSERT_EQ(layout.blocks.size(), 1u);
    EXPECT_EQ(layout.blocks[0].phases, QRect(180, 80, 560, 16));
    EXPECT_EQ(layout.blocks[0].lanes[0], QRect(180, 96, 560, 30));
    EXPECT_EQ(layout.blocks[0].lanes[2], QRect(180, 156, 560, 30));
    EXPECT_EQ(layout.blocks[0].area, QRect(0, 80, 800, 106));
    EXPECT_EQ(layout.hidden, 0);
}

TEST(LineupGeometry, RowsShareWhatThereIs) {
    // Of 400 pixels, 4 stay free above; two algorithms need a strip of 16 and a gap of 10 each, two
    // objections 22 each: 400 - 4 - 52 - 44 = 300 for six lanes would be 50 each; 30 is the most, gaps take
    // the rest.
    const LineupLayout roomy = layoutLineup({800, 500}, room({3, 3, 0, 0}));
    EXPECT_EQ(roomy.rowHeight, 30);
    EXPECT_EQ(roomy.blocks[1].area.top() - roomy.blocks[0].area.bottom() - 1, 28);
    EXPECT_EQ(roomy.blocks[2].area.height(), 22);
    EXPECT_TRUE(roomy.blocks[2].lanes.empty());
    EXPECT_FALSE(roomy.blocks[0].separator.has_value());
    EXPECT_TRUE(roomy.blocks[1].separator.has_value());
    EXPECT_TRUE(roomy.blocks[2].separator.has_value());
    EXPECT_FALSE(roomy.blocks[3].separator.has_value()) << "objections stand together";
    // Six algorithms: (400 - 4 - 6 x 26) / 18 = 13 pixels each.
    EXPECT_EQ(layoutLineup({800, 500}, room({3, 3, 3, 3, 3, 3})).rowHeight, 13);
}

TEST(LineupGeometry, AWindowScrollsRatherThanSqueezes) {
    LineupRoom many = room({3, 3, 3, 3, 3, 3});
    many.scrollBar = 14;
    const LineupLayout layout = layoutLineup({800, 400}, many);
    EXPECT_EQ(layout.rowHeight, 14);
    // 4 + 6 x (16 + 42 + 10) = 412, of which 300 are seen.
    EXPECT_EQ(layout.hidden, 112);
    many.scrolled = 100;
    const LineupLayout below = layoutLineup({800, 400}, many);
    EXPECT_EQ(below.hidden, 112);
    EXPECT_EQ(below.blocks[0].area.top(), layout.blocks[0].area.top() - 100);
    // A file cannot be scrolled: rows become as low as it takes, and the strips give way first.
    const LineupLayout file = layoutLineup({800, 300}, room({3, 3, 3, 3, 3, 3}));
    EXPECT_EQ(file.hidden, 0);
    EXPECT_EQ(file.blocks[0].phases.height(), 0);
    EXPECT_EQ(file.rowHeight, (200 - 4 - 60) / 18);
}

TEST(LineupGeometry, NamesGiveWayToData) {
    EXPECT_EQ(layoutLineup({500, 400}, room({3})).left, 180);
    EXPECT_EQ(layoutLineup({499, 400}, room({3})).left, 100); // less than 260 pixels would be left of it
    EXPECT_EQ(layoutLineup({240, 400}, room({3})).left, 80);
    for (const QSize size : {QSize(1, 1), QSize(60, 20)}) {
        const LineupLayout tiny = layoutLineup(size, room({3, 0}));
        EXPECT_GE(tiny.dataWidth(), 0);
    }
}

TEST(LineupGeometry, FindsWhatIsAtAPoint) {
    const LineupLayout layout = layoutLineup({800, 500}, room({3, 0}));
    const auto lane = placeAt(layout, {400, 130});
    ASSERT_TRUE(lane.has_value());
    EXPECT_EQ(lane->block, 0u);
    EXPECT_EQ(lane->lane, std::optional<std::size_t>(1)); // from 126 to 155
    EXPECT_TRUE(placeAt(layout, {400, 85})->phases);
    EXPECT_FALSE(placeAt(layout, {20, 130})->lane.has_value()); // the name
    EXPECT_EQ(placeAt(layout, layout.blocks[1].area.center())->block, 1u);
    EXPECT_FALSE(placeAt(layout, {400, 10}).has_value());
    EXPECT_FALSE(placeAt(layout, {400, 190}).has_value()); // between the two
}

} // namespace
} // namespace meshslice::ui
