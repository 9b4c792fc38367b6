#include "core/simulate/engine/simulate.h"
#include "core/simulate/path/critical_path.h"
#include "core/simulate/path/run_graph.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>
#include <stop_token>

namespace meshslice {
namespace {

using testing::Optional;

struct RecordedRun {
    Program program;
    Machine hardware;
    Conditions conditions;
    Schedule schedule;
    std::shared_ptr<const Timeline> timeline;
    CriticalPath path;
};

RecordedRun recorded(Program program, const std::vector<std::string>& faults = {}, Time jitter = {},
                     const Schedule& schedule = {}, Folding folding = Folding::alike_chips,
                     const Machine& hardware = round_hardware()) {
    RecordedRun run{std::move(program), hardware, {}, schedule, {}, {}};
    Faults given{{}, jitter, 1};
    for (const std::string& fault : faults) {
        given.parts.push_back(*parse_fault(fault));
    }
    run.conditions = *conditions(run.program.torus, given);
    const auto timeline = simulate(run.program, hardware, schedule, run.conditions, {}, folding);
    EXPECT_TRUE(timeline) << (timeline ? "" : timeline.error().sentence);
    run.timeline = *timeline;
    run.path = critical_path(run.program, hardware, schedule, run.conditions, *run.timeline);
    return run;
}

const CauseTimes& phase(const CriticalPath& path, Phase phase) {
    return path.times[static_cast<std::size_t>(phase)];
}

std::optional<Time> slack(const CriticalPath& path, Place place) {
    return path.slack[static_cast<std::size_t>(place)];
}

using Parts = std::vector<std::tuple<Place, Activity, Time>>;

CauseTimes causes(const Parts& parts) {
    CauseTimes causes;
    for (const auto& [place, activity, time] : parts) {
        causes.at(place, activity) = time;
    }
    return causes;
}

/// (4000, 6000, 8000) on 2 x 2: A's gather takes 10 us launch + 1 us sync + 8 MB at 10^9 B/s, B's one sync,
/// one launch and 12 MB, the multiplication 96 ms. B's gather and the multiplication are the path; A's ends 4
/// ms before it is needed. With a single multiplication there is no steady state.
TEST(CriticalPath, OfACollectiveIsTheLongerGatherAndTheMultiplication) {
    const RecordedRun one =
        recorded(written("collective", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2})));
    const CauseTimes gather = causes({{Place::vertical_links, Activity::launch, us(10)},
                                      {Place::vertical_links, Activity::sync, us(1)},
                                      {Place::vertical_links, Activity::transfer, us(12'000)}});
    EXPECT_EQ(phase(one.path, Phase::prologue), gather);
    EXPECT_EQ(phase(one.path, Phase::steady), CauseTimes{});
    EXPECT_EQ(phase(one.path, Phase::epilogue), causes({{Place::core, Activity::compute, us(96'000)}}));
    EXPECT_EQ(all_phases(one.path.exposed), gather);
    EXPECT_THAT(slack(one.path, Place::vertical_links), Optional(us(0)));
    EXPECT_THAT(slack(one.path, Place::core), Optional(us(0)));
    EXPECT_THAT(slack(one.path, Place::horizontal_links), Optional(us(4'000)));
    EXPECT_EQ(slack(one.path, Place::third_links), std::nullopt);
    // South link of chip 0,0 (row 1): launch, sync, transfer; then its core.
    ASSERT_EQ(one.path.events.size(), 4u);
    EXPECT_EQ(one.path.events[0],
              (CriticalEvent{us(0), us(10), 1, 0, 0, Place::vertical_links, Activity::launch}));
    EXPECT_EQ(one.path.events[2],
              (CriticalEvent{us(11), us(12'011), 1, 2, 0, Place::vertical_links, Activity::transfer}));
    EXPECT_EQ(one.path.events[3],
              (CriticalEvent{us(12'011), us(108'011), 0, 0, 0, Place::core, Activity::compute}));
}

/// The same in two slices: gathers of 4011 and 6011 us, multiplications of 48 ms each. After the first
/// slice's gathers the core never waits. B's second gather ends at 12022 us and is needed at 54011 us, A's at
/// 8022 us.
TEST(CriticalPath, OfMeshSliceThatIsBoundByCompute) {
    const RecordedRun one =
        recorded(written("meshslice", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}), {2, 1}));
    const CauseTimes gather = causes({{Place::vertical_links, Activity::launch, us(10)},
                                      {Place::vertical_links, Activity::sync, us(1)},
                                      {Place::vertical_links, Activity::transfer, us(6'000)}});
    const CauseTimes multiplication = causes({{Place::core, Activity::compute, us(48'000)}});
    EXPECT_EQ(phase(one.path, Phase::prologue), gather);
    EXPECT_EQ(phase(one.path, Phase::steady), multiplication);
    EXPECT_EQ(phase(one.path, Phase::epilogue), multiplication);
    EXPECT_EQ(all_phases(one.path.exposed), gather);
    EXPECT_THAT(slack(one.path, Place::core), Optional(us(0)));
    EXPECT_THAT(slack(one.path, Place::vertical_links), Optional(us(54'011 - 12'022)));
    EXPECT_THAT(slack(one.path, Place::horizontal_links), Optional(us(54'011 - 8'022)));
}

/// (400, 600, 8000) in two slices: gathers of 411 and 611 us, multiplications of 480 us. B's two gathers
/// follow each other, then the second multiplication; the core waits 611 us before the first and 131 us, all
/// of it transfer, before the second.
TEST(CriticalPath, OfMeshSliceThatIsBoundByItsLinks) {
    const RecordedRun one =
        recorded(written("meshslice", {400, 600, 8000}, Dataflow::OS, *Torus::create({2, 2}), {2, 1}));
    const CauseTimes gather = causes({{Place::vertical_links, Activity::launch, us(10)},
                                      {Place::vertical_links, Activity::sync, us(1)},
                                      {Place::vertical_links, Activity::transfer, us(600)}});
    EXPECT_EQ(phase(one.path, Phase::prologue), gather);
    EXPECT_EQ(phase(one.path, Phase::steady), gather);
    EXPECT_EQ(phase(one.path, Phase::epilogue), causes({{Place::core, Activity::compute, us(480)}}));
    EXPECT_EQ(all_phases(one.path.exposed), causes({{Place::vertical_links, Activity::launch, us(10)},
                                                    {Place::vertical_links, Activity::sync, us(1)},
                                                    {Place::vertical_links, Activity::transfer, us(731)}}));
    EXPECT_EQ(one.path.exposed[static_cast<std::size_t>(Phase::steady)],
              causes({{Place::vertical_links, Activity::transfer, us(131)}}));
    EXPECT_THAT(slack(one.path, Place::vertical_links), Optional(us(0)));
    EXPECT_THAT(slack(one.path, Place::core), Optional(us(131)));
    EXPECT_THAT(slack(one.path, Place::horizontal_links), Optional(us(400)));
}

/// A quarter of the rate makes the east link of chip 1,0 take 32 ms for its 8 MB; all other gathers are done
/// after 12011 us.
TEST(CriticalPath, GoesOverASlowLink) {
    const RecordedRun one = recorded(
        written("collective", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2})), {"1,0 east 25%"});
    ASSERT_EQ(one.timeline->end(), us(128'011));
    for (const CriticalEvent& event : one.path.events) {
        const Row& row = one.timeline->rows()[static_cast<std::size_t>(event.row)];
        EXPECT_EQ(place_text(one.program.torus, row.chip), "1,0");
        EXPECT_TRUE(row.is_core || (row.axis == Axis::horizontal && row.direction == Direction::forward));
    }
    EXPECT_EQ(all_phases(one.path.exposed),
              causes({{Place::horizontal_links, Activity::launch, us(10)},
                      {Place::horizontal_links, Activity::sync, us(1)},
                      {Place::horizontal_links, Activity::transfer, us(32'000)}}));
    EXPECT_THAT(slack(one.path, Place::vertical_links), Optional(us(20'000)));
}

/// A core at half speed multiplies for 192 ms; in a collective its neighbours wait for no other chip, so only
/// it ends late, and none of its own waiting is for another chip's multiplication.
TEST(CriticalPath, EndsOnASlowCore) {
    const RecordedRun one = recorded(
        written("collective", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2})), {"0,1 core 50%"});
    EXPECT_EQ(one.timeline->end(), us(12'011 + 192'000));
    EXPECT_EQ(place_text(one.program.torus, one.path.events.back().chip), "0,1");
    EXPECT_EQ(all_phases(one.path.times).at(Place::core, Activity::compute), us(192'000));
    EXPECT_EQ(all_phases(one.path.exposed).of(Place::core), us(0));
}

/// In a GEMM that scatters its sums (left stationary, (4000, 6000, 8000)), the other chips need the slow
/// core's sums: they wait for a multiplication of another chip.
TEST(CriticalPath, SaysThatOthersWaitForASlowCore) {
    const RecordedRun one =
        recorded(written("meshslice", {4000, 6000, 8000}, Dataflow::LS, *Torus::create({2, 2}), {2, 1}),
                 {"0,1 core 50%"});
    Time elsewhere;
    const Chip last = one.path.events.back().chip;
    for (const CriticalEvent& event : one.path.events) {
        if (event.place == Place::core && event.chip != last) {
            elsewhere += event.end - event.start;
        }
    }
    // The chip that ends last is chip 0,0, the lowest of its row; all of the path's multiplications are
    // 0,1's, each twice as long as 0,0's own.
    EXPECT_EQ(place_text(one.program.torus, last), "0,0");
    EXPECT_EQ(elsewhere, us(192'000));
    EXPECT_EQ(all_phases(one.path.exposed).at(Place::core, Activity::compute), us(96'000));
}

/// The law of a run: each event starts when the last one that it waits for ends, so the record is explained
/// in full.
void expect_explained(const RecordedRun& run) {
    const RunGraph graph =
        run_graph(run.program, plans(run.program, run.hardware, run.schedule, run.conditions), run.schedule,
                  *run.timeline);
    std::vector<Time> ready(graph.events.size());
    for (const auto& [before, after] : graph.waits) {
        ready[after] = std::max(ready[after], graph.events[before].end);
    }
    std::size_t late = 0;
    std::set<std::pair<std::int32_t, std::uint32_t>> seen;
    for (std::size_t id = 0; id < graph.events.size(); ++id) {
        const RunEvent& event = graph.events[id];
        late += event.start == ready[id] ? 0 : 1;
        if (event.row < 0) {
            continue;
        }
        seen.insert({event.row, event.index});
        const Interval& interval = run.timeline->intervals(static_cast<std::size_t>(event.row))[event.index];
        EXPECT_EQ(std::tuple(event.start, event.end, event.activity),
                  std::tuple(interval.start, interval.end, interval.activity));
    }
    EXPECT_EQ(late, 0u) << "of " << graph.events.size();
    EXPECT_GE(seen.size(), graph.events.empty() ? 0u : 1u);
}

/// The chain has no gap and its parts are the run, to the picosecond.
void expect_lawful(const RecordedRun& run) {
    const CriticalPath& path = run.path;
    Time at;
    for (const CriticalEvent& event : path.events) {
        EXPECT_EQ(event.start, at);
        EXPECT_LT(event.start, event.end);
        at = event.end;
        if (event.row >= 0) {
            const Interval& interval =
                run.timeline->intervals(static_cast<std::size_t>(event.row))[event.index];
            EXPECT_EQ(std::tuple(interval.start, interval.end, interval.activity),
                      std::tuple(event.start, event.end, event.activity));
        } else {
            EXPECT_EQ(event.activity, Activity::launch);
        }
    }
    EXPECT_EQ(at, run.timeline->end());
    EXPECT_EQ(all_phases(path.times).total(), run.timeline->end());
    Time multiplies;
    const Row core{path.events.back().chip, true, Axis::vertical, Direction::forward};
    const auto row = std::ranges::find(run.timeline->rows(), core) - run.timeline->rows().begin();
    for (const Interval& interval : run.timeline->intervals(static_cast<std::size_t>(row))) {
        multiplies += interval.activity == Activity::compute ? interval.end - interval.start : Time(0);
    }
    EXPECT_EQ(all_phases(path.exposed).total() + multiplies, run.timeline->end());
    for (const std::optional<Time>& slack : path.slack) {
        EXPECT_GE(slack.value_or(Time(0)), Time(0));
    }
}

void for_all_programs(const std::vector<Torus>& toruses, const std::function<void(const Program&)>& visit) {
    std::set<std::pair<std::string_view, Dataflow>> seen;
    for (const Torus& torus : toruses) {
        for (const Algorithm& algorithm : algorithms()) {
            for (const Dataflow dataflow : algorithm.dataflows) {
                const GemmShape shape{720, 1440, 2160};
                const auto counts = algorithm.slice_counts(shape, dataflow, torus, {});
                if (!counts) {
                    continue;
                }
                const std::int64_t slices = (*counts)[counts->size() / 2];
                SCOPED_TRACE(testing::Message() << algorithm.id << ' ' << name(dataflow) << ' '
                                                << shape_text(torus) << " S=" << slices);
                visit(written(algorithm.id, shape, dataflow, torus, {slices, 1}));
                seen.insert({algorithm.id, dataflow});
            }
        }
    }
    std::size_t all = 0;
    for (const Algorithm& algorithm : algorithms()) {
        all += algorithm.dataflows.size();
    }
    EXPECT_EQ(seen.size(), all);
}

const std::vector<Torus>& toruses() {
    static const std::vector<Torus> all = {*Torus::create(std::vector<std::int32_t>{8}),
                                           *Torus::create({4, 4}),
                                           *Torus::create({3, 6}),
                                           *Torus::create({{4, true}, {5, false}}),
                                           *Torus::create({{3, false}, {4, false}}),
                                           *Torus::create({4, 4, 2}),
                                           *Torus::create({{4, true, true}, {4, true}}),
                                           *Torus::create({{2, true}, {3, true}, {4, false}})};
    return all;
}

/// The window asks for a path after every run and drops it when the next edit comes.
TEST(CriticalPath, IsNotFoundWhenStopped) {
    const RecordedRun run =
        recorded(written("meshslice", {64, 64, 64}, Dataflow::OS, *Torus::create({4, 4}), {4, 1}));
    ASSERT_NE(run.path, CriticalPath{});
    const auto found = [&](const std::stop_token& stop) {
        return critical_path(run.program, run.hardware, run.schedule, run.conditions, *run.timeline, {stop});
    };
    std::stop_source stop;
    EXPECT_EQ(found(stop.get_token()), run.path);
    stop.request_stop();
    EXPECT_EQ(found(stop.get_token()), CriticalPath{});
}

/// What is announced before a large run is looked into: streams in packets wait for most.
TEST(CriticalPath, TakesNoMoreWaitsThanIsAnnounced) {
    for (const char* algorithm : {"summa", "meshslice"}) {
        const std::int64_t packets = 64;
        const RecordedRun run = recorded(
            written(algorithm, {4096, 4096, 4096}, Dataflow::OS, *Torus::create({16, 16}), {16, 8, packets}),
            {}, us(1));
        const auto intervals = run.timeline->stored_intervals();
        ASSERT_GT(intervals, 10'000u) << algorithm;
        const RunGraph graph =
            run_graph(run.program, plans(run.program, run.hardware, run.schedule, run.conditions),
                      run.schedule, *run.timeline);
        EXPECT_LE(graph.waits.size(), room_for_waits(intervals)) << algorithm;
    }
}

/// Every algorithm, dataflow and way to use the rings, on rings and on lines; once for all alike chips and
/// for every chip by itself, whose paths take the same.
TEST(CriticalPath, ExplainsEveryRun) {
    for_all_programs(toruses(), [](const Program& program) {
        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
            const Schedule schedule{DataType::bf16, ring, {1}};
            const RecordedRun folded = recorded(program, {}, {}, schedule);
            const RecordedRun full = recorded(program, {}, {}, schedule, Folding::none);
            expect_explained(folded);
            expect_explained(full);
            expect_lawful(folded);
            expect_lawful(full);
            EXPECT_EQ(folded.path.times, full.path.times);
            EXPECT_EQ(folded.path.exposed, full.path.exposed);
            EXPECT_EQ(folded.path.slack, full.path.slack);
        }
    });
}

TEST(CriticalPath, ExplainsEveryRunUnderFaults) {
    const std::vector<Torus> square = {*Torus::create({4, 4}), *Torus::create({4, 4, 2}),
                                       *Torus::create(std::vector<std::int32_t>{8})};
    for_all_programs(square, [](const Program& program) {
        const std::string chip = program.torus.axis_count() == 3   ? "1,2,0"
                                 : program.torus.axis_count() == 1 ? "3"
                                                                   : "1,2";
        for (const Time jitter : {us(0), us(3)}) {
            expect_explained(recorded(program, {chip + " south 30%"}, jitter));
            expect_lawful(recorded(program, {chip + " south 30%", chip + " core 90%"}, jitter));
            expect_explained(recorded(program, {chip + " south dead"}, jitter));
            expect_lawful(recorded(program, {chip + " south dead"}, jitter));
        }
    });
}

/// A synchronization or launch that takes no time is not recorded.
TEST(CriticalPath, ExplainsRunsWhoseStepsBeginAtOnce) {
    Machine hardware = round_hardware();
    hardware.sync.value = Time(0);
    for (const Time launch : {Time(0), us(10)}) {
        hardware.launch[Collective::all_gather].value = launch;
        for_all_programs(toruses(), [&](const Program& program) {
            const RecordedRun folded = recorded(program, {}, {}, {}, Folding::alike_chips, hardware);
            const RecordedRun full = recorded(program, {}, {}, {}, Folding::none, hardware);
            expect_explained(folded);
            expect_lawful(full);
            EXPECT_EQ(*folded.timeline, *full.timeline);
        });
    }
}

/// Prefetch depths change what waits for what: without buffers the parts follow one after the other.
TEST(CriticalPath, ExplainsRunsOfEveryPrefetchDepth) {
    for (const std::int64_t depth : {std::int64_t{0}, std::int64_t{2}, Prefetch::without_bound}) {
        const Schedule schedule{DataType::bf16, RingMode::both_ways, {depth}};
        for (const Dataflow dataflow : all_dataflows) {
            const RecordedRun one =
                recorded(written("meshslice", {720, 1440, 2160}, dataflow, *Torus::create({3, 4}), {6, 1}),
                         {}, {}, schedule);
            expect_explained(one);
            expect_lawful(one);
        }
    }
}

/// Where chips are modelled tile by tile, links copy slices and share the memory with the core, so that how
/// long something takes depends on what else goes on; what waits for what does not.
TEST(CriticalPath, ExplainsRunsThatShareTheMemory) {
    std::size_t copies = 0;
    for_all_programs(toruses(), [&](const Program& program) {
        Schedule schedule;
        schedule.chip = ChipModel::tiled;
        const RecordedRun folded = recorded(program, {}, {}, schedule);
        const RecordedRun full = recorded(program, {}, {}, schedule, Folding::none);
        expect_explained(folded);
        expect_explained(full);
        expect_lawful(folded);
        expect_lawful(full);
        EXPECT_EQ(folded.path.times, full.path.times);
        EXPECT_EQ(folded.path.slack, full.path.slack);
        for (const CriticalEvent& event : full.path.events) {
            copies += event.activity == Activity::copy ? 1 : 0;
        }
    });
    EXPECT_GT(copies, 0u);
}

} // namespace
} // namespace meshslice
