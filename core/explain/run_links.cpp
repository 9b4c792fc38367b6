#include "core/explain/run_links.h"

#include "core/explain/recorded_run.h"
#include "core/simulate/machine/plan.h"
#include "core/simulate/path/run_graph.h"

#include <algorithm>
#include <set>
#include <utility>

namespace meshslice {
namespace {

/// The rows of each chip begin here, in the order of the chips.
class RowsOf {
  public:
    explicit RowsOf(const Timeline& timeline) : timeline_(timeline) {
        for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
            if (timeline.rows()[row].is_core) {
                first_.push_back(row);
            }
        }
    }
    [[nodiscard]] std::size_t core(Chip chip) const { return first_[static_cast<std::size_t>(chip)]; }
    /// Of another chip the row of the same core or link.
    [[nodiscard]] std::optional<std::size_t> like(std::size_t row, Chip chip) const {
        const std::vector<Row>& rows = timeline_.rows();
        const Row& as = rows[row];
        for (std::size_t k = core(chip); k < rows.size() && rows[k].chip == chip; ++k) {
            if (rows[k].is_core == as.is_core &&
                (as.is_core || (rows[k].axis == as.axis && rows[k].direction == as.direction))) {
                return k;
            }
        }
        return std::nullopt;
    }

  private:
    const Timeline& timeline_;
    std::vector<std::size_t> first_; ///< by chip: its core's row
};

/// The graph of a run, by events.
class IndexedGraph {
  public:
    IndexedGraph(RunGraph graph) // NOLINT(google-explicit-constructor)
        : graph_(std::move(graph)), after_(graph_.events.size() + 1), before_(graph_.events.size() + 1) {
        for (const auto& [first, second] : graph_.waits) {
            ++after_[first + 1];
            ++before_[second + 1];
        }
        for (std::size_t k = 1; k < after_.size(); ++k) {
            after_[k] += after_[k - 1];
            before_[k] += before_[k - 1];
        }
        waits_after_.resize(graph_.waits.size());
        waits_before_.resize(graph_.waits.size());
        std::vector<std::uint32_t> next = after_;
        std::vector<std::uint32_t> last = before_;
        for (std::uint32_t wait = 0; wait < graph_.waits.size(); ++wait) {
            waits_after_[next[graph_.waits[wait].first]++] = wait;
            waits_before_[last[graph_.waits[wait].second]++] = wait;
        }
    }

    [[nodiscard]] const RunGraph& graph() const { return graph_; }
    /// Of the recorded events on the same chip that wait for this one, which may itself leave no record, the
    /// first to start.
    [[nodiscard]] const RunEvent* next_recorded(std::uint32_t id) const {
        const RunEvent& event = graph_.events[id];
        if (event.row >= 0) {
            return &event;
        }
        const RunEvent* found = nullptr;
        for (std::uint32_t k = after_[id]; k < after_[id + 1]; ++k) {
            const std::uint32_t wait = waits_after_[k];
            if (graph_.hops[wait] != RunGraph::own_chip) {
                continue;
            }
            const RunEvent* one = next_recorded(graph_.waits[wait].second);
            if (one != nullptr && (found == nullptr || one->start < found->start)) {
                found = one;
            }
        }
        return found;
    }
    /// What set the start of an event: the recorded one that ends when it starts, not on a core, and the
    /// chip it ran on.
    struct Cause {
        const RunEvent* event;
        Chip chip;
    };
    [[nodiscard]] std::optional<Cause> cause(std::uint32_t id, Chip chip, const Torus& torus,
                                             int depth = 0) const {
        constexpr int deepest = 8;
        for (std::uint32_t k = before_[id]; k < before_[id + 1] && depth < deepest; ++k) {
            const std::uint32_t wait = waits_before_[k];
            const std::uint32_t first = graph_.waits[wait].first;
            const RunEvent& event = graph_.events[first];
            const std::int8_t hop = graph_.hops[wait];
            const std::optional<Chip> there =
                hop == RunGraph::own_chip
                    ? std::optional(chip)
                    : torus.neighbour(chip, static_cast<Axis>(hop / 2), static_cast<Direction>(hop % 2));
            if (event.end != graph_.events[id].start || !there) {
                continue;
            }
            if (event.row >= 0 && event.place != Place::core) {
                return Cause{&event, *there};
            }
            if (event.row < 0) {
                if (const auto found = cause(first, *there, torus, depth + 1)) {
                    return found;
                }
            }
        }
        return std::nullopt;
    }

  private:
    RunGraph graph_;
    std::vector<std::uint32_t> after_; ///< by event: where its waits stand
    std::vector<std::uint32_t> before_;
    std::vector<std::uint32_t> waits_after_;
    std::vector<std::uint32_t> waits_before_;
};

std::optional<IndexedGraph> indexed_graph(const GemmResult& gemm, const std::string& id,
                                          const Scenario& scenario, const std::stop_token& stop) {
    const auto conditions = recorded_conditions(gemm, id, step_conditions(scenario));
    if (!conditions) {
        return std::nullopt;
    }
    RunGraph graph = run_graph(*gemm.program,
                               plans(*gemm.program, scenario.hardware, scenario.assume.schedule, *conditions),
                               scenario.assume.schedule, *gemm.timeline, stop, Hops::kept);
    return stop.stop_requested() ? std::nullopt
                                 : std::optional<IndexedGraph>(std::in_place, std::move(graph));
}

/// Of one chip the flows that arrive.
void add_flows(const IndexedGraph& waits, const std::vector<std::uint32_t>& arrivals, Chip chip,
               const std::vector<Chip>& chips, const RowsOf& rows, const Torus& torus, RunLinks& links) {
    std::set<std::pair<std::size_t, std::uint32_t>> sent; // row and index: one flow for each
    for (const std::uint32_t wait : arrivals) {
        const auto [first, second] = waits.graph().waits[wait];
        const std::int8_t hop = waits.graph().hops[wait];
        const RunEvent& from = waits.graph().events[first];
        const auto sender =
            torus.neighbour(chip, static_cast<Axis>(hop / 2), static_cast<Direction>(hop % 2));
        if (from.row < 0 || from.activity != Activity::transfer || !sender) {
            continue;
        }
        const RunEvent* to = waits.next_recorded(second);
        if (to == nullptr) {
            continue;
        }
        const auto from_row = rows.like(static_cast<std::size_t>(from.row), *sender);
        const auto to_row = rows.like(static_cast<std::size_t>(to->row), chip);
        if (!from_row || !to_row || !sent.emplace(*from_row, from.index).second) {
            continue;
        }
        if (std::ranges::binary_search(chips, *sender)) {
            links.flows.push_back({{*from_row, from.index}, {*to_row, to->index}});
        } else {
            ++links.left_out;
        }
    }
}

} // namespace

RunLinks run_links(const GemmResult& gemm, const std::string& algorithm, const Scenario& scenario,
                   const std::vector<Chip>& chips, const std::stop_token& stop) {
    RunLinks links;
    const Timeline& timeline = *gemm.timeline;
    const Torus& torus = timeline.torus();
    const RowsOf rows(timeline);
    const std::optional<IndexedGraph> waits = indexed_graph(gemm, algorithm, scenario, stop);
    std::vector<std::vector<std::uint32_t>> arrivals(timeline.classes().count()); // by class of the receiver
    std::vector<std::vector<std::uint32_t>> multiplications(arrivals.size());     // events, by index
    if (waits) {
        const RunGraph& graph = waits->graph();
        for (std::uint32_t wait = 0; wait < graph.waits.size(); ++wait) {
            if (graph.hops[wait] != RunGraph::own_chip) {
                arrivals[timeline.classes().of(graph.events[graph.waits[wait].second].chip)].push_back(wait);
            }
        }
        for (std::uint32_t id = 0; id < graph.events.size(); ++id) {
            const RunEvent& event = graph.events[id];
            if (event.row >= 0 && event.place == Place::core) {
                auto& own = multiplications[timeline.classes().of(event.chip)];
                own.resize(std::max<std::size_t>(own.size(), event.index + 1U));
                own[event.index] = id;
            }
        }
    }
    for (const Chip chip : chips) {
        if (stop.stop_requested()) {
            break;
        }
        const std::size_t which = timeline.classes().of(chip);
        if (waits) {
            add_flows(*waits, arrivals[which], chip, chips, rows, torus, links);
        }
        const std::size_t core = rows.core(chip);
        Time busy_until;
        const auto intervals = timeline.intervals(core);
        for (std::size_t k = 0; k < intervals.size(); ++k) {
            if (intervals[k].start > busy_until) {
                RunWait one{core, busy_until, intervals[k].start, {}};
                if (waits && k < multiplications[which].size()) {
                    if (const auto cause = waits->cause(multiplications[which][k], chip, torus)) {
                        const auto row = rows.like(static_cast<std::size_t>(cause->event->row), cause->chip);
                        one.until = row ? std::optional(BarPlace{*row, cause->event->index}) : std::nullopt;
                    }
                }
                links.waits.push_back(one);
            }
            busy_until = std::max(busy_until, intervals[k].end);
        }
    }
    return links;
}

} // namespace meshslice
