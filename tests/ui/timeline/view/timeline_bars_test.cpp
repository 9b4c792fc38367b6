#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/step_runs.h"
#include "ui/timeline/view/timeline_bars.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace meshslice::ui {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

constexpr int top = 10;
constexpr int height = 14; // seven steps of two pixels

struct Bar {
    double start;
    double end;
    Role role;
};

Bars merge(const std::vector<Bar>& row, int left = 0, int right = 100) {
    Bars bars;
    RowMerger merger(bars, left, right, top, height);
    for (const Bar& bar : row) {
        merger.add(bar.start, bar.end, bar.role);
    }
    merger.finish();
    return bars;
}

const Bars::Group* groupOf(const Bars& bars, Role role) {
    for (const Bars::Group& group : bars.groups) {
        if (group.role == role) {
            return &group;
        }
    }
    return nullptr;
}

std::vector<QRect> rects(const Bars& bars, Role role) {
    const Bars::Group* group = groupOf(bars, role);
    return group ? group->rects : std::vector<QRect>();
}

std::uint64_t mergedBars(const Bars& bars) {
    std::uint64_t sum = 0;
    for (const Bars::Group& group : bars.groups) {
        for (const std::uint32_t count : group.merged) {
            sum += count;
        }
    }
    return sum;
}

TEST(RowMerger, WideBarsKeepTheirEdges) {
    const Bars bars = merge({{0, 10.4, Role::compute}, {10.4, 20.6, Role::launch}, {30, 31, Role::compute}});
    EXPECT_THAT(rects(bars, Role::compute),
                ElementsAre(QRect(0, top, 10, height), QRect(30, top, 1, height)));
    EXPECT_THAT(rects(bars, Role::launch), ElementsAre(QRect(10, top, 11, height)));
}

TEST(RowMerger, CutsAtTheSides) {
    const Bars bars = merge({{-50, 20, Role::compute}, {90, 150, Role::compute}}, 10, 100);
    EXPECT_THAT(rects(bars, Role::compute),
                ElementsAre(QRect(10, top, 10, height), QRect(90, top, 10, height)));
}

TEST(RowMerger, AColumnIsFilledByItsShares) {
    // Pixel 5: 0.25 synchronization, 0.5 transfer, 0.25 idle: of seven steps, 1.75 -> 2 and up to 5.25 -> 5.
    const Bars bars = merge({{5.0, 5.25, Role::sync}, {5.3, 5.8, Role::transferVertical}});
    EXPECT_THAT(rects(bars, Role::sync), ElementsAre(QRect(5, top + height - 4, 1, 4)));
    EXPECT_THAT(rects(bars, Role::transferVertical), ElementsAre(QRect(5, top + height - 10, 1, 6)));
    EXPECT_EQ(mergedBars(bars), 2u);
}

TEST(RowMerger, OneThinBarIsStillSeen) {
    const Bars bars = merge({{7.2, 7.21, Role::transferHorizontal}});
    EXPECT_THAT(rects(bars, Role::transferHorizontal), ElementsAre(QRect(7, top + height - 2, 1, 2)));
    EXPECT_EQ(mergedBars(bars), 1u);
}

TEST(RowMerger, EqualNeighboursJoin) {
    // 0.5-pixel bars end to end over pixels 3 to 6, two to a pixel: one full block of eight.
    std::vector<Bar> row;
    for (int k = 0; k < 8; ++k) {
        row.push_back({3 + 0.5 * k, 3.5 + 0.5 * k, Role::compute});
    }
    const Bars bars = merge(row);
    EXPECT_THAT(rects(bars, Role::compute), ElementsAre(QRect(3, top, 4, height)));
    EXPECT_THAT(groupOf(bars, Role::compute)->merged, ElementsAre(8u));
}

TEST(RowMerger, BarsOfSevenTenthsLookFull) {
    // They cross pixel edges; each pixel is still busy throughout.
    std::vector<Bar> row;
    for (int k = 0; k < 10; ++k) {
        row.push_back({20 + 0.7 * k, 20 + 0.7 * (k + 1), Role::transferThird});
    }
    EXPECT_THAT(rects(merge(row), Role::transferThird), ElementsAre(QRect(20, top, 7, height)));
}

TEST(RowMerger, ThinBarsNeverHideAWideOne) {
    // The wide bar keeps [10, 12) although thin ones end in pixel 9 and begin in pixel 11.
    const Bars bars = merge({{9.6, 9.9, Role::sync}, {9.9, 11.6, Role::compute}, {11.6, 11.9, Role::sync}});
    EXPECT_THAT(rects(bars, Role::compute), Contains(QRect(10, top, 2, height)));
    for (const QRect& rect : rects(bars, Role::sync)) {
        EXPECT_FALSE(rect.intersects(QRect(10, top, 2, height)));
    }
}

TEST(RowMerger, NoBarOfAPixelIsEverLost) {
    std::mt19937 random(7);
    std::exponential_distribution<double> length(1.2);
    for (int round = 0; round < 200; ++round) {
        std::vector<Bar> row;
        double at = 0;
        while (at < 95) {
            const double start = at + (random() % 3 == 0 ? length(random) : 0.0);
            const double end = start + length(random) + 0.001;
            row.push_back({start, end, random() % 2 ? Role::compute : Role::sync});
            at = end;
        }
        const Bars bars = merge(row);
        std::vector<QRect> all;
        for (const Bars::Group& group : bars.groups) {
            all.insert(all.end(), group.rects.begin(), group.rects.end());
        }
        for (std::size_t one = 0; one < all.size(); ++one) {
            for (std::size_t other = 0; other < one; ++other) {
                ASSERT_FALSE(all[one].intersects(all[other]));
            }
        }
        for (const Bar& bar : row) {
            const int from = static_cast<int>(std::floor(bar.start + 0.5));
            const int to = std::min(100, static_cast<int>(std::floor(bar.end + 0.5)));
            if (bar.end - bar.start >= 1 && from < 100) {
                const std::vector<QRect> own = rects(bars, bar.role);
                const int high = bar.role == Role::sync ? (height + 1) / 2 : height; // the lower half
                ASSERT_NE(
                    std::find(own.begin(), own.end(), QRect(from, top + height - high, to - from, high)),
                    own.end())
                    << bar.start << " to " << bar.end;
            }
        }
    }
}

TEST(RowMerger, PartsBarsThatTouch) {
    // Three slices end to end, one after a pause, a thin one, another colour: two hairlines.
    const Bars bars = merge({{0, 10, Role::compute},
                             {10, 20, Role::compute},
                             {20, 30, Role::compute},
                             {31, 40, Role::compute},
                             {40, 43, Role::compute},
                             {43, 50, Role::compute},
                             {50, 60, Role::launch}});
    EXPECT_THAT(groupOf(bars, Role::compute)->seams,
                ElementsAre(QRect(10, top, 1, height), QRect(20, top, 1, height)));
    EXPECT_TRUE(groupOf(bars, Role::launch)->seams.empty());
    EXPECT_THAT(rects(bars, Role::compute),
                Contains(QRect(10, top, 10, height))); // drawn over, not taken off
}

/// The rectangles of a lane of a step in a row of 14 pixels from `top` on.
Bars barsOf(const StepRun& run, std::size_t lane, const TimeScale& scale) {
    std::vector<RunSlice> slices;
    run.visit(lane, scale.range, scale.picosecondsPerPixel(),
              [&](std::span<const RunSlice> some) { slices.insert(slices.end(), some.begin(), some.end()); });
    Bars bars;
    buildRow(bars, slices, run.lane(lane).exposes ? run.recorded() : std::vector<Stretch>(), run.end(), scale,
             QRect(scale.left, top, scale.width, height));
    return bars;
}

TEST(BuildRow, ShowsTheWaitsOfTheCore) {
    const StepRuns runs = runsOf(handMadeResults());
    // 100 pixels for 100 us: the first GEMM, chip 0's core.
    const TimeScale scale{{Time(0), microseconds(100)}, 0, 100};
    const Bars bars = barsOf(*runs[0], 0, scale);
    EXPECT_THAT(bars.waits, ElementsAre(QRect(0, top, 40, 14), QRect(90, top, 10, 14)));
    EXPECT_THAT(rects(bars, Role::launch), ElementsAre(QRect(40, top, 2, 14)));
    EXPECT_THAT(rects(bars, Role::compute), ElementsAre(QRect(42, top, 48, 14)));
}

TEST(BuildRow, ColoursLinksByTheirAxis) {
    const StepRuns runs = runsOf(handMadeResults());
    const TimeScale scale{{Time(0), microseconds(100)}, 0, 100};
    const Bars bars = barsOf(*runs[0], 1, scale);
    EXPECT_THAT(rects(bars, Role::launch), ElementsAre(QRect(0, top, 10, 14)));
    EXPECT_THAT(rects(bars, Role::sync), ElementsAre(QRect(10, top + 7, 5, 7)));
    EXPECT_THAT(rects(bars, Role::transferVertical), ElementsAre(QRect(15, top, 26, 14)));
    EXPECT_TRUE(bars.waits.empty()); // a link that rests costs nothing
}

/// Two GEMMs; the wait at the end of one and the wait at the begin of the next are one.
TEST(BuildRow, GoesOnFromGemmToGemm) {
    const StepRuns runs = runsOf(handMadeResults());
    const TimeScale scale{{Time(0), microseconds(200)}, 0, 400};
    EXPECT_EQ(barsOf(*runs[0], 0, scale).count(), 2u * (2 + 2) - 1u);
    EXPECT_EQ(barsOf(*runs[0], 0, {}).count(), 0u);
}

/// What was only estimated has no bars, and no waits.
TEST(BuildRow, DoesNotWaitWhereNothingWasSimulated) {
    auto results = std::make_shared<Results>(*handMadeResults());
    results->steps[0].gemms[0].timeline = nullptr;
    const StepRuns runs = runsOf(results);
    const TimeScale scale{{Time(0), microseconds(200)}, 0, 200};
    EXPECT_THAT(barsOf(*runs[0], 0, scale).waits,
                ElementsAre(QRect(100, top, 40, 14), QRect(190, top, 10, 14)));
}

TEST(BuildRow, AMillionBarsBecomeAFewRectangles) {
    const StepRuns runs = runsOf(combResults(1'000'000));
    const TimeScale scale{wholeOf(runs), 0, 1000};
    const Bars bars = barsOf(*runs[0], 0, scale);
    // A thousand to a pixel, each pixel busy half the time: 3.5 of seven steps, and all alike.
    EXPECT_LE(bars.count(), 4u);
    EXPECT_EQ(mergedBars(bars), 1'000'000u);
    ASSERT_FALSE(rects(bars, Role::compute).empty());
    EXPECT_NEAR(rects(bars, Role::compute)[0].height(), 7, 1);
}

} // namespace
} // namespace meshslice::ui
