#include "core/run/listed_run.h"

#include "core/run/slice_merger.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace meshslice {

std::size_t ListedRun::add_lane(Lane lane) {
    places_ = std::max(places_, lane.at + 1);
    lanes_.push_back({std::move(lane), {}, {}});
    return lanes_.size() - 1;
}

void ListedRun::add(std::size_t lane, Bar bar) {
    std::vector<Bar>& bars = lanes_[lane].bars;
    assert(bars.empty() || bars.back().end <= bar.start);
    end_ = std::max(end_, bar.end);
    bars.push_back(std::move(bar));
}

std::size_t ListedRun::slice_count() const {
    std::size_t count = 0;
    for (const Listed& one : lanes_) {
        count += one.bars.size();
    }
    return count;
}

void ListedRun::visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const {
    const std::vector<Bar>& bars = lanes_[lane].bars;
    SliceMerger merger(stretch, pixel, sink);
    const auto first =
        std::ranges::partition_point(bars, [&](const Bar& bar) { return bar.end <= stretch.begin; });
    for (auto bar = first; bar != bars.end() && bar->start < stretch.end; ++bar) {
        merger.add({bar->start, bar->end, bar->end - bar->start,
                    static_cast<std::uint64_t>(bar - bars.begin()), 1, bar->role});
    }
}

std::vector<RunValue> ListedRun::values(std::size_t lane, Stretch stretch) const {
    const std::vector<RunValue>& all = lanes_[lane].values;
    const auto after =
        std::ranges::partition_point(all, [&](const RunValue& one) { return one.from <= stretch.begin; });
    std::vector<RunValue> values;
    for (auto one = after == all.begin() ? after : std::prev(after);
         one != all.end() && one->from <= stretch.end; ++one) {
        values.push_back({std::max(one->from, stretch.begin), one->value});
    }
    if (values.empty()) {
        return values;
    }
    const Time last = std::min(stretch.end, std::max(end_, all.back().from)); // nothing is known of later
    if (values.back().from < last) {
        values.push_back({last, values.back().value});
    }
    return values;
}

RunLabel ListedRun::label(std::size_t lane, std::uint64_t item) const {
    return lanes_[lane].bars[item].label;
}

RunTotals ListedRun::totals() const {
    RunTotals totals;
    totals.seconds = in_seconds(end_);
    for (const Listed& one : lanes_) {
        for (const Bar& bar : one.lane.kind == LaneKind::busy ? one.bars : std::vector<Bar>()) {
            totals.busy[static_cast<std::size_t>(bar.role)] += in_seconds(bar.end - bar.start);
        }
    }
    return totals;
}

std::optional<RunKey> ListedRun::inside(std::size_t lane, std::uint64_t item) const {
    return lanes_[lane].bars[item].inside;
}

} // namespace meshslice
