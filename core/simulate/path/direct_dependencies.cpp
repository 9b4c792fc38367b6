#include "core/simulate/path/direct_dependencies.h"

#include "core/simulate/path/run_graph.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace meshslice {
namespace {

/// Of a chip the row of the same core or link as `like`.
std::size_t row_like(const Timeline& timeline, const Row& like, Chip chip) {
    const std::vector<Row>& rows = timeline.rows();
    auto row = std::ranges::partition_point(rows, [&](const Row& one) { return one.chip < chip; });
    while (row->is_core != like.is_core ||
           (!row->is_core && (row->axis != like.axis || row->direction != like.direction))) {
        ++row;
        assert(row != rows.end() && row->chip == chip);
    }
    return static_cast<std::size_t>(row - rows.begin());
}

/// The event that an interval of a representative is. A launch or a copy is recorded in both links of its
/// axis, and named by one of them.
std::optional<std::uint32_t> event_of(const RunGraph& graph, const Timeline& timeline, BarPlace bar) {
    const Row& row = timeline.rows()[bar.row];
    const Interval& interval = timeline.intervals(bar.row)[bar.index];
    std::optional<std::uint32_t> alike;
    for (std::uint32_t id = 0; id < graph.events.size(); ++id) {
        const RunEvent& event = graph.events[id];
        if (event.row == static_cast<std::int32_t>(bar.row) && event.index == bar.index) {
            return id;
        }
        const bool same = event.row >= 0 && event.chip == row.chip && !row.is_core &&
                          event.place == static_cast<Place>(row.axis) && event.start == interval.start &&
                          event.activity == interval.activity && event.operation == interval.operation &&
                          (interval.activity == Activity::launch || interval.activity == Activity::copy);
        alike = same ? std::optional(id) : alike;
    }
    return alike;
}

/// Follows waits from an event, in the order of the graph.
class Follower {
  public:
    Follower(const RunGraph& graph, const Timeline& timeline, bool forwards, const std::stop_token& stop)
        : graph_(graph), timeline_(timeline), forwards_(forwards), stop_(stop) {}

    /// `chip`: whose event it is, where the graph knows that of its representative.
    void follow(std::uint32_t id, Chip chip) {
        for (std::size_t wait = 0; wait < graph_.waits.size() && !stop_.stop_requested(); ++wait) {
            const auto& [before, after] = graph_.waits[wait];
            if ((forwards_ ? before : after) != id) {
                continue;
            }
            const std::uint32_t next = forwards_ ? after : before;
            const std::optional<Chip> there = across(chip, graph_.hops[wait]);
            if (!there) {
                continue;
            }
            const RunEvent& event = graph_.events[next];
            if (event.row < 0) {
                follow(next, *there);
                continue;
            }
            const Row& row = timeline_.rows()[static_cast<std::size_t>(event.row)];
            const BarPlace bar{row_like(timeline_, row, *there), event.index};
            if (std::ranges::find(found_, bar) == found_.end()) {
                found_.push_back(bar);
            }
        }
    }
    [[nodiscard]] std::vector<BarPlace> found() && { return std::move(found_); }

  private:
    [[nodiscard]] std::optional<Chip> across(Chip chip, std::int8_t hop) const {
        if (hop == RunGraph::own_chip) {
            return chip;
        }
        const auto axis = static_cast<Axis>(hop / 2);
        const auto direction = static_cast<Direction>(hop % 2);
        return timeline_.torus().neighbour(chip, axis, forwards_ ? opposite(direction) : direction);
    }

    const RunGraph& graph_;
    const Timeline& timeline_;
    bool forwards_;
    const std::stop_token& stop_;
    std::vector<BarPlace> found_;
};

} // namespace

DirectDependencies direct_dependencies(const Program& program, const Machine& hardware,
                                       const Schedule& schedule, const Conditions& conditions,
                                       const Timeline& timeline, BarPlace bar, const std::stop_token& stop) {
    if (bar.row >= timeline.rows().size()) { // of a memory
        return {};
    }
    const RunGraph graph = run_graph(program, plans(program, hardware, schedule, conditions), schedule,
                                     timeline, stop, Hops::kept);
    const Row& row = timeline.rows()[bar.row];
    const Chip representative = timeline.classes().representative(row.chip);
    const std::optional<std::uint32_t> id =
        stop.stop_requested()
            ? std::nullopt
            : event_of(graph, timeline, {row_like(timeline, row, representative), bar.index});
    if (!id) {
        return {};
    }
    const auto follow = [&](bool forwards) {
        Follower follower(graph, timeline, forwards, stop);
        follower.follow(*id, row.chip);
        return std::move(follower).found();
    };
    DirectDependencies found{follow(false), follow(true)};
    const auto interval = [&](const BarPlace& one) -> const Interval& {
        return timeline.intervals(one.row)[one.index];
    };
    std::ranges::stable_sort(found.before, [&](const BarPlace& one, const BarPlace& other) {
        return interval(one).end > interval(other).end;
    });
    std::ranges::stable_sort(found.after, [&](const BarPlace& one, const BarPlace& other) {
        return interval(one).start < interval(other).start;
    });
    return stop.stop_requested() ? DirectDependencies{} : found;
}

} // namespace meshslice
