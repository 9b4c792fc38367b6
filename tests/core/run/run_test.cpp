#include "core/run/listed_run.h"
#include "core/run/open_path.h"
#include "core/run/run_key.h"
#include "core/run/slice_merger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace meshslice {
namespace {

Lane busy(std::string place, std::string name) {
    Lane lane;
    lane.place = std::move(place);
    lane.name = std::move(name);
    return lane;
}

ListedRun::Bar bar(std::int64_t start, std::int64_t end, Role role, std::string name) {
    return {Time(start), Time(end), role, {std::move(name), "x", {}}, {}};
}

/// Ten bars of 1 ps, computing and transferring in turns; columns of 4 ps hold two of each.
TEST(Run, BarsWithinAPixelComeAsOneForEachRole) {
    ListedRun run("r", RunReading::measured);
    const std::size_t lane = run.add_lane(busy("here", "core"));
    for (std::int64_t k = 0; k < 10; ++k) {
        run.add(lane, bar(k, k + 1, k % 2 == 0 ? Role::compute : Role::transferThird, "b"));
    }
    std::vector<RunSlice> merged;
    run.visit(lane, {Time(0), Time(10)}, 4,
              [&](std::span<const RunSlice> some) { merged.insert(merged.end(), some.begin(), some.end()); });
    ASSERT_EQ(merged.size(), 6u) << "columns 0..4, 4..8 and 8..10, two roles each";
    EXPECT_EQ(merged[0].count, 2u);
    EXPECT_EQ(merged[0].busy, Time(2));
    EXPECT_EQ(merged[1].role, Role::transferThird);
    EXPECT_EQ(merged[4].count, 1u);
    EXPECT_EQ(slices(run, lane).size(), 10u);
    EXPECT_DOUBLE_EQ(run.totals().of(Role::compute), 5e-12);
    EXPECT_DOUBLE_EQ(run.totals().seconds, 1e-11);
    // From the middle on: a bar that is cut belongs to both parts.
    EXPECT_EQ(run.slice_count(), 10u);
}

/// Bars of 1 us every 10 us: of 15 us the second one is the only whole one, and the last starts at 90 us.
TEST(Run, BarsAreFoundNextToATime) {
    ListedRun run("r", RunReading::measured);
    const std::size_t lane = run.add_lane(busy("here", "core"));
    for (std::int64_t k = 0; k < 10; ++k) {
        run.add(lane, bar(k * 10'000'000, k * 10'000'000 + 1'000'000, Role::compute, "b"));
    }
    const LaneUse use = use_in(run, lane, {Time(500'000), Time(15'000'000)});
    EXPECT_EQ(use.count, 2u);
    EXPECT_EQ(use.busy, Time(1'500'000));
    EXPECT_EQ(use.longest->item, 1u);
    EXPECT_EQ(bar_from(run, lane, 1, Time(0))->item, 1u);
    EXPECT_EQ(bar_from(run, lane, 0, Time(31'000'001))->item, 4u) << "the first that ends later";
    EXPECT_FALSE(bar_from(run, lane, 10, Time(90'000'000)));
    EXPECT_EQ(bar_before(run, lane, 9, Time(90'000'000))->item, 8u);
    EXPECT_FALSE(bar_before(run, lane, 0, Time(0)));
}

/// A bar that opens into a run whose bar opens into a third.
TEST(Run, APathGoesFromBarToBar) {
    const auto nested = [](const std::string& name, const std::function<Result<RunPtr>()>& make) {
        auto run = std::make_shared<ListedRun>(name, RunReading::estimated);
        const std::size_t lane = run->add_lane(busy("stage 1", "x"));
        run->add(lane, bar(0, 1, Role::compute, "plain"));
        ListedRun::Bar opens = bar(1, 3, Role::compute, "opens");
        opens.inside =
            RunKey{"key " + name, "inside " + name, 2e-12, [make](const RunControl&) { return make(); }};
        run->add(lane, opens);
        return RunPtr(run);
    };
    int made = 0;
    const auto innermost = [&]() -> Result<RunPtr> {
        ++made;
        return RunPtr(std::make_shared<ListedRun>("innermost", RunReading::simulated));
    };
    const RunPtr outer = nested("outer", [&] { return Result<RunPtr>(nested("middle", innermost)); });
    EXPECT_EQ((*open_path(outer, "opens"))->title(), "middle");
    EXPECT_EQ((*open_path(outer, "stage 1 opens/opens"))->title(), "innermost");
    EXPECT_EQ(open_path(outer, "plain").error().sentence,
              "\"outer\" has no bar \"plain\" that opens; it has opens.");
    EXPECT_EQ(open_path(outer, "opens/opens/x").error().sentence,
              "Nothing inside \"innermost\" can be opened.");

    made = 0;
    OpenedRuns opened;
    const RunPtr middle = *open_path(outer, "opens");
    const RunKey key = *middle->inside(0, 1);
    const RunPtr once = *opened.open(key);
    EXPECT_EQ(*opened.open(key), once) << "kept";
    EXPECT_EQ(made, 1);
}

} // namespace
} // namespace meshslice
