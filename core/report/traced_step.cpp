#include "core/report/traced_step.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/explain/run_links.h"
#include "core/step/run/density.h"
#include "core/step/run/step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr auto unknown_count = static_cast<std::size_t>(-1);

/// Calls `visit(result, timeline, row)` for every row of the chips in every GEMM of the step, one after
/// the other; the copies of a GEMM repeat its timeline and are written once.
template <class Visit>
void for_each_row(const TracedRun& run, Visit visit) {
    for (const GemmResult& result : run.step->gemms) {
        if (!result.timeline) {
            continue;
        }
        const std::vector<Row>& rows = result.timeline->rows();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (std::ranges::binary_search(run.chips, rows[row].chip)) {
                visit(result, *result.timeline, row);
            }
        }
    }
}

/// The same for every busy interval: `visit(result, timeline, row, interval)`.
template <class Visit>
void for_each_interval(const TracedRun& run, Visit visit) {
    for_each_row(run, [&](const GemmResult& result, const Timeline& timeline, std::size_t row) {
        for (const Interval& interval : timeline.intervals(row)) {
            visit(result, timeline, timeline.rows()[row], interval);
        }
    });
}

/// Calls `visit(result, timeline, chip, stream)` for every stream of every memory of the chips that was
/// recorded.
template <class Visit>
void for_each_stream(const TracedRun& run, Visit visit) {
    for (const GemmResult& result : run.step->gemms) {
        if (!result.timeline || !result.timeline->records_memory()) {
            continue;
        }
        for (const Chip chip : run.chips) {
            for (const MemoryStream stream : memory_streams) {
                visit(result, *result.timeline, chip, stream);
            }
        }
    }
}

std::size_t stretch_count(const TracedRun& run) {
    std::size_t stretches = 0;
    for_each_stream(run, [&](const GemmResult&, const Timeline& timeline, Chip chip, MemoryStream stream) {
        stretches += timeline.served(chip, stream).size();
    });
    return stretches;
}

/// Of cores and links.
std::size_t interval_count(const TracedRun& run) {
    std::size_t intervals = 0;
    for_each_row(run, [&](const GemmResult&, const Timeline& timeline, std::size_t row) {
        intervals += timeline.intervals(row).size();
    });
    return intervals;
}

/// All chips of a step.
TracedRun whole_run(const TrainingStep& step, const Scenario* scenario) {
    TracedRun run{&step, scenario, {}};
    for (Chip chip = 0; chip < step.torus.chips(); ++chip) {
        run.chips.push_back(chip);
    }
    return run;
}

/// Of the counters; a small trace is not mostly counters.
std::size_t counted_parts(const TracedRun& run) {
    return std::clamp<std::size_t>(interval_count(run) / 16, 4, 500);
}

std::string all_chips_text(const Torus& torus) {
    return torus.chips() == 1 ? std::string("the chip") : fmt::format("all {} chips", torus.chips());
}

/// The chips of a step that are traced: cores and links, memories, why each core waits, and from afar how
/// busy all cores and links are.
class TracedStep final : public StepRun {
  public:
    TracedStep(const TracedRun& run, std::stop_token stop)
        : StepRun(*run.step), run_(run), stop_(std::move(stop)), parts_(StepRun::parts()) {
        const auto add = [&](bool memory) {
            for (std::size_t row = 0; row < rows().size(); ++row) {
                const bool chosen = std::ranges::binary_search(run.chips, rows()[row].chip);
                if (chosen && rows()[row].memory.has_value() == memory) {
                    shown_.push_back(row);
                }
            }
        };
        lane_of_.assign(rows().size(), 0);
        add(false);
        add(true);
        for (std::size_t lane = 0; lane < shown_.size(); ++lane) {
            lane_of_[shown_[lane]] = lane;
            if (rows()[shown_[lane]].is_core && !rows()[shown_[lane]].memory) {
                cores_.push_back(shown_[lane]);
            }
        }
        counters_ = pieces().empty() || parts_.empty() ? 0 : 2;
    }

    [[nodiscard]] std::size_t lane_count() const override {
        return shown_.size() + cores_.size() + counters_;
    }
    [[nodiscard]] std::size_t place_count() const override { return StepRun::place_count() + 1; }

    [[nodiscard]] Lane lane(std::size_t lane) const override {
        if (lane < shown_.size()) {
            return StepRun::lane(shown_[lane]);
        }
        Lane made;
        if (lane < shown_.size() + cores_.size()) {
            const std::size_t core = cores_[lane - shown_.size()];
            made = StepRun::lane(core);
            made.name = "core waits";
            made.number = 7;
            made.order = 1;
            made.parent = static_cast<std::int32_t>(lane_of_[core]);
            made.exposes = false;
            return made;
        }
        made.place = all_chips_text(step().torus);
        made.name = of_cores(lane) ? "cores that multiply" : "links that are busy";
        made.at = StepRun::place_count();
        made.kind = LaneKind::counter;
        made.counted = Counted::percent;
        return made;
    }

    [[nodiscard]] std::size_t slice_count() const override {
        return interval_count(run_) + stretch_count(run_);
    }

    void visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const override {
        if (lane < shown_.size()) {
            StepRun::visit(shown_[lane], stretch, pixel, sink);
            return;
        }
        const std::size_t core = cores_[lane - shown_.size()];
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            const Stretch within = common(stretch, parts_[part]);
            if (within.end <= within.begin) {
                continue;
            }
            sink(waits_of(part, core, stretch));
        }
    }

    [[nodiscard]] RunLabel label(std::size_t lane, std::uint64_t item) const override {
        if (lane < shown_.size()) {
            return StepRun::label(shown_[lane], item);
        }
        const Bar at = bar(item);
        const std::lock_guard lock(mutex_);
        const RunWait& wait = links_of(at.piece).waits[at.index];
        const GemmResult& result = gemm(at.piece);
        const Timeline& timeline = *result.timeline;
        RunLabel label{"waits", "wait", {}};
        std::string until;
        if (wait.until) {
            const Interval& last = interval_at(timeline, *wait.until);
            label.name = say("{}, waits for {}", result.title(), operation_words(result, last.operation));
            until = part_name(timeline.torus(), timeline.rows()[wait.until->row]);
        }
        label.arguments = {
            {"layer", result.gemm.layer}, {"pass", std::string(name(result.gemm.pass))}, {"until", until}};
        return label;
    }

    [[nodiscard]] std::vector<RunValue> values(std::size_t lane, Stretch stretch) const override {
        const std::size_t parts = counted_parts(run_);
        const Stretch whole{Time(0), step().time};
        const StepDensity busy = density(step(), whole, parts);
        const std::vector<float>& shares = of_cores(lane) ? busy.cores : busy.links;
        std::vector<RunValue> values;
        for (std::size_t part = 0; part <= parts && !shares.empty(); ++part) {
            const Time at(static_cast<std::int64_t>(static_cast<double>(whole.end.value()) *
                                                    static_cast<double>(part) / static_cast<double>(parts)));
            if (stretch.begin <= at && at <= stretch.end) {
                values.push_back({at, part < parts ? 100 * shares[part] : 0.0F});
            }
        }
        return values;
    }

    std::size_t arrows(std::size_t part, const std::function<void(const RunArrow&)>& sink) const override {
        const std::lock_guard lock(mutex_);
        const RunLinks& links = links_of(part);
        const Timeline& timeline = *gemm(part).timeline;
        // In the middle, so that no viewer takes the bar before or after it.
        const auto middle = [&](const BarPlace& bar) {
            const Interval& one = interval_at(timeline, bar);
            return parts_[part].begin + one.start + Time((one.end - one.start).value() / 2);
        };
        for (const RunFlow& flow : links.flows) {
            sink({lane_of_[flow.from.row], middle(flow.from), lane_of_[flow.to.row], middle(flow.to)});
        }
        return links.left_out;
    }

  private:
    [[nodiscard]] std::vector<RunSlice> waits_of(std::size_t part, std::size_t core, Stretch stretch) const {
        const std::lock_guard lock(mutex_);
        const std::vector<RunWait>& waits = links_of(part).waits;
        const auto first = std::ranges::lower_bound(waits, core, {}, &RunWait::row);
        const auto last = std::ranges::upper_bound(waits, core, {}, &RunWait::row);
        std::vector<RunSlice> made;
        for (auto wait = first; wait != last; ++wait) {
            const Time start = parts_[part].begin + wait->start;
            const Time end = parts_[part].begin + wait->end;
            if (end > stretch.begin && start < stretch.end) {
                const auto number = static_cast<std::size_t>(wait - waits.begin());
                made.push_back({start, end, end - start, item(part, number), 1, Role::exposed});
            }
        }
        return made;
    }
    [[nodiscard]] bool of_cores(std::size_t lane) const { return lane == shown_.size() + cores_.size(); }
    [[nodiscard]] static const Interval& interval_at(const Timeline& timeline, const BarPlace& bar) {
        return timeline.intervals(bar.row)[bar.index];
    }
    /// Of the GEMMs that were simulated.
    [[nodiscard]] const GemmResult& gemm(std::size_t part) const {
        for (const GemmResult& result : step().gemms) {
            if (result.timeline && part-- == 0) {
                return result;
            }
        }
        return step().gemms.front(); // not reached
    }
    /// Of the part that was asked for last; the others are made again. The caller has the lock.
    [[nodiscard]] const RunLinks& links_of(std::size_t part) const {
        if (linked_ != part) {
            GemmResult result = gemm(part);
            if (run_.scenario == nullptr) {
                static const Scenario unknown;
                result.program = nullptr; // What waited for what is not known.
                links_ = run_links(result, step().algorithm, unknown, run_.chips, stop_);
            } else {
                links_ = run_links(result, step().algorithm, *run_.scenario, run_.chips, stop_);
            }
            std::ranges::stable_sort(links_.waits, {}, &RunWait::row);
            linked_ = part;
        }
        return links_;
    }

    TracedRun run_;
    std::stop_token stop_;
    std::vector<Stretch> parts_;
    std::vector<std::size_t> shown_;   ///< rows, by lane
    std::vector<std::size_t> lane_of_; ///< by row
    std::vector<std::size_t> cores_;   ///< rows
    std::size_t counters_ = 0;
    mutable std::mutex mutex_;
    mutable std::optional<std::size_t> linked_;
    mutable RunLinks links_;
};

/// Transfers to one of the chips, which flows can begin at, by the chip that sends.
struct FlowCount {
    std::size_t inside = 0;  ///< from a chip of the trace
    std::size_t outside = 0; ///< from another one
};

FlowCount about_flows(const TracedRun& run, const std::stop_token& stop) {
    FlowCount flows;
    for (const GemmResult& result : run.step->gemms) {
        if (run.scenario == nullptr || !result.timeline) {
            continue;
        }
        const Timeline& timeline = *result.timeline;
        std::vector<std::size_t> transfers(timeline.classes().count() * 6, unknown_count);
        for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
            const Row& own = timeline.rows()[row];
            const auto receiver =
                own.is_core ? std::nullopt : timeline.torus().neighbour(own.chip, own.axis, own.direction);
            if (stop.stop_requested() || !receiver || !std::ranges::binary_search(run.chips, *receiver)) {
                continue;
            }
            std::size_t& count = transfers[timeline.classes().of(own.chip) * 6 +
                                           static_cast<std::size_t>(link_slot(own.axis, own.direction))];
            if (count == unknown_count) { // alike chips do the same
                count = static_cast<std::size_t>(
                    std::ranges::count(timeline.intervals(row), Activity::transfer, &Interval::activity));
            }
            (std::ranges::binary_search(run.chips, own.chip) ? flows.inside : flows.outside) += count;
        }
    }
    return flows;
}

std::size_t wait_count(const TracedRun& run, const std::stop_token& stop) {
    std::size_t waits = 0;
    for_each_row(run, [&](const GemmResult&, const Timeline& timeline, std::size_t row) {
        if (!timeline.rows()[row].is_core || stop.stop_requested()) {
            return;
        }
        Time busy_until;
        for (const Interval& interval : timeline.intervals(row)) {
            waits += interval.start > busy_until ? 1 : 0;
            busy_until = std::max(busy_until, interval.end);
        }
    });
    return waits;
}

} // namespace

Result<std::vector<TracedRun>> traced_runs(std::span<const TrainingStep> steps,
                                           std::span<const Scenario* const> scenarios,
                                           const TraceChips& chips) {
    std::vector<TracedRun> runs;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        auto chosen = traced_chips(chips, steps[step]);
        if (!chosen) {
            return refuse(chosen.error());
        }
        runs.push_back({&steps[step], scenarios[step], *std::move(chosen)});
    }
    return runs;
}

TraceSize about_trace_size(const std::vector<TracedRun>& runs, const std::stop_token& stop) {
    constexpr std::int64_t per_interval = 205;
    constexpr std::int64_t per_stretch = 200;
    constexpr std::int64_t per_wait = 195;
    constexpr std::int64_t per_flow = 180; // both ends
    constexpr std::int64_t per_row = 210;  // its name and its place
    constexpr std::int64_t per_count = 95;
    std::int64_t bytes = 0;
    std::size_t left_out = 0;
    const auto add = [&](std::size_t count, std::int64_t each) {
        bytes += static_cast<std::int64_t>(count) * each;
    };
    for (const TracedRun& run : runs) {
        if (stop.stop_requested()) {
            break;
        }
        const FlowCount flows = about_flows(run, stop);
        left_out += flows.outside;
        add(interval_count(run), per_interval);
        add(stretch_count(run), per_stretch);
        add(wait_count(run, stop), per_wait);
        add(flows.inside, per_flow);
        add(2 * (counted_parts(run) + 1), per_count);
        if (!run.step->gemms.empty() && run.step->gemms.front().timeline) {
            const auto& rows = run.step->gemms.front().timeline->rows();
            const std::size_t each = rows.size() / static_cast<std::size_t>(run.step->torus.chips());
            const bool memories = run.step->gemms.front().timeline->records_memory();
            add(run.chips.size() * (each + (memories ? 4 : 2)), per_row);
        }
    }
    return {Bytes(bytes), left_out};
}

std::vector<RunPtr> trace_of(const std::vector<TracedRun>& runs, const std::stop_token& stop) {
    std::vector<RunPtr> all;
    for (const TracedRun& run : runs) {
        all.push_back(std::make_shared<const TracedStep>(run, stop));
    }
    return all;
}

std::vector<RunPtr> trace_of(const TrainingStep& step) {
    return trace_of({whole_run(step, nullptr)});
}

Bytes about_timeline_csv_size(const TrainingStep& step) {
    constexpr std::int64_t per_interval = 74;
    constexpr std::int64_t per_stretch = 90;
    const TracedRun run = whole_run(step, nullptr);
    return Bytes(static_cast<std::int64_t>(interval_count(run)) * per_interval +
                 static_cast<std::int64_t>(stretch_count(run)) * per_stretch);
}

void write_timeline_csv(const TrainingStep& step, std::ostream& out) {
    out << "chip,resource,kind,start_ps,end_ps,bytes,slice,layer,pass,memory_share\n";
    for_each_interval(whole_run(step, nullptr), [&](const GemmResult& result, const Timeline& timeline,
                                                    const Row& row, const Interval& interval) {
        out << fmt::format("\"{}\",{},{},{},{},{},{},{},{},\n", place_text(timeline.torus(), row.chip),
                           resource_name(timeline.torus(), row), name(interval.activity),
                           (result.start + interval.start).value(), (result.start + interval.end).value(),
                           timeline.bytes(row, interval).value(), interval.iteration, result.gemm.layer,
                           name(result.gemm.pass));
    });
    for_each_stream(whole_run(step, nullptr), [&](const GemmResult& result, const Timeline& timeline,
                                                  Chip chip, MemoryStream stream) {
        for (const MemoryStretch& one : timeline.served(chip, stream)) {
            out << fmt::format("\"{}\",{},{},{},{},{},{},{},{},{:.6g}\n", place_text(timeline.torus(), chip),
                               stream_name(stream), access_name(one.use), (result.start + one.start).value(),
                               (result.start + one.end).value(), std::llround(one.bytes), one.use.iteration,
                               result.gemm.layer, name(result.gemm.pass), one.share);
        }
    });
}

} // namespace meshslice
