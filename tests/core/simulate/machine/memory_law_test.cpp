// What a recorded run says of the memory of its chips, worked out again from what is recorded.

#include "core/simulate/engine/simulate.h"
#include "core/simulate/machine/shared_memory.h"
#include "core/simulate/machine/wires.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace meshslice {
namespace {

/// HBM that a core and its links want more of than there is.
Hardware scarce() {
    Hardware hardware = tiled_round_hardware(100);
    hardware.hbm_bandwidth.value = Bandwidth(1.2e10);
    return hardware;
}

struct Ran {
    Program program;
    Hardware hardware = scarce();
    Schedule schedule;
    Conditions conditions;
    std::shared_ptr<const Timeline> timeline;

    Ran(Program written, const Faults& faults, RingMode ring, Folding folding = Folding::none)
        : program(std::move(written)) {
        schedule.chip = ChipModel::tiled;
        schedule.ring = ring;
        const auto met = meshslice::conditions(program.torus, faults);
        EXPECT_TRUE(met) << (met ? "" : met.error().sentence);
        conditions = met ? *met : Conditions();
        const auto simulated = simulate(program, hardware, schedule, conditions, {}, folding);
        EXPECT_TRUE(simulated) << (simulated ? "" : simulated.error().sentence);
        timeline = *simulated;
    }
};

struct Job {
    Time start;
    Time end;
    double alone = 0; ///< ps
    double most = 0;  ///< bytes/s
    double done = 0;  ///< ps at its own pace
};

/// By engine: what a chip's core and axes do in its memory, and by time: how much more its links take.
struct Uses {
    std::array<std::vector<Job>, engine_count> jobs;
    std::map<Time, double> links;
};

Uses uses(const Ran& run, const Wires& wires, Chip chip) {
    Uses uses;
    std::set<std::pair<Axis, Time>> copies;
    for (std::size_t r = 0; r < run.timeline->rows().size(); ++r) {
        const Row& row = run.timeline->rows()[r];
        const bool sends = row.chip == chip;
        const bool receives =
            !row.is_core && run.program.torus.neighbour(row.chip, row.axis, row.direction) == chip;
        if (!sends && !receives) {
            continue;
        }
        for (const Interval& interval : run.timeline->intervals(r)) {
            const OperationCost cost = operation_cost(
                run.program, run.program.operations[interval.operation], run.hardware, run.schedule,
                variant(run.program, run.program.operations[interval.operation], interval.iteration,
                        row.chip));
            if (interval.activity == Activity::compute) {
                const auto alone = static_cast<double>(wires.compute(chip, cost.compute).value());
                uses.jobs[core_engine].push_back({interval.start, interval.end, alone,
                                                  static_cast<double>(cost.memory.value()) / alone * 1e12});
            } else if (interval.activity == Activity::copy && sends) {
                if (copies.insert({row.axis, interval.start}).second) { // Both directions record it.
                    EXPECT_EQ(std::ranges::count(cost.copied, Bytes(0)), 1);
                    const Bytes bytes = std::max(cost.copied[0], cost.copied[1]);
                    const auto alone = static_cast<double>(cost.all_copying().value());
                    uses.jobs[static_cast<std::size_t>(row.axis)].push_back(
                        {interval.start, interval.end, alone,
                         static_cast<double>(bytes.value()) / alone * 1e12});
                }
            } else if (interval.activity == Activity::transfer) {
                const int slot = link_slot(row.axis, row.direction);
                const Bandwidth rate = cost.rate[static_cast<std::size_t>(row.direction)];
                const double pace = wires.shares(row.chip, slot) ? 1 : wires.pace(row.chip, slot, rate);
                const double takes =
                    rate.value() * pace * static_cast<double>((sends ? cost.reads : 0) + (receives ? 1 : 0));
                uses.links[interval.start] += takes;
                uses.links[interval.end] -= takes;
            }
        }
    }
    return uses;
}

/// Adds up what every job gets of its memory, from change to change. Returns how many were slowed.
int expect_everybody_gets_his_share(const Ran& run) {
    int slowed = 0;
    const Wires wires(run.program, with_missing_links(run.program.torus, run.conditions),
                      run.hardware.network);
    for (Chip chip = 0; chip < run.program.torus.chips(); ++chip) {
        Uses of = uses(run, wires, chip);
        std::set<Time> changes;
        for (const auto& [time, more] : of.links) {
            changes.insert(time);
        }
        for (const std::vector<Job>& jobs : of.jobs) {
            for (const Job& job : jobs) {
                changes.insert({job.start, job.end});
            }
        }
        std::array<std::size_t, engine_count> next{};
        double links = 0;
        for (auto change = changes.begin(); change != changes.end(); ++change) {
            const auto more = of.links.find(*change);
            links += more == of.links.end() ? 0 : more->second;
            if (std::next(change) == changes.end()) {
                break;
            }
            std::array<double, engine_count> most{};
            std::array<Job*, engine_count> active{};
            for (std::size_t engine = 0; engine < engine_count; ++engine) {
                std::vector<Job>& jobs = of.jobs[engine];
                while (next[engine] < jobs.size() && jobs[next[engine]].end <= *change) {
                    ++next[engine];
                }
                if (next[engine] < jobs.size() && jobs[next[engine]].start <= *change) {
                    active[engine] = &jobs[next[engine]];
                    most[engine] = active[engine]->most;
                }
            }
            const double level = fair_level(run.hardware.hbm_bandwidth.value.value() - links, most);
            for (Job* const job : active) {
                if (job != nullptr) {
                    job->done += static_cast<double>((*std::next(change) - *change).value()) *
                                 std::min(1.0, level / job->most);
                }
            }
        }
        for (const std::vector<Job>& jobs : of.jobs) {
            for (const Job& job : jobs) {
                EXPECT_NEAR(job.done, job.alone, 4 + 1e-9 * job.alone) << "ps, chip " << chip;
                slowed += static_cast<double>((job.end - job.start).value()) > job.alone + 4 ? 1 : 0;
            }
        }
    }
    return slowed;
}

const std::vector<Torus>& toruses() {
    static const std::vector<Torus> all = {*Torus::create(std::vector<std::int32_t>{6}),
                                           *Torus::create({4, 4}),
                                           *Torus::create({3, 6}),
                                           *Torus::create({{3, false}, {4, false}}),
                                           *Torus::create({4, 4, 2}),
                                           *Torus::create({{4, true, true}, {4, true}})};
    return all;
}

/// On every torus that is not cut by `fault`.
void for_all_programs(const std::string& fault, const std::function<void(const Program&)>& visit) {
    for (const Torus& torus : toruses()) {
        if (fault == "south dead" && (!torus.wraps(Axis::vertical) || torus.folded(Axis::vertical))) {
            continue;
        }
        for (const Algorithm& algorithm : algorithms()) {
            for (const Dataflow dataflow : algorithm.dataflows) {
                const GemmShape shape{1440, 1440, 2880};
                const auto counts = algorithm.slice_counts(shape, dataflow, torus, {});
                if (counts) {
                    const std::int64_t slices = (*counts)[counts->size() / 2];
                    SCOPED_TRACE(testing::Message() << algorithm.id << ' ' << name(dataflow) << ' '
                                                    << shape_text(torus) << " S=" << slices);
                    visit(written(algorithm.id, shape, dataflow, torus, {slices, 1}));
                }
            }
        }
    }
}

Faults faults(const Torus& torus, const std::string& what, Time jitter) {
    const std::string chip = torus.axis_count() == 3 ? "1,2,0" : torus.axis_count() == 1 ? "3" : "1,2";
    Faults faults{{}, jitter, 1};
    if (!what.empty()) {
        faults.parts.push_back(*parse_fault(chip + " " + what));
    }
    return faults;
}

/// Source of the rule: see SharedMemory. Of transfers that share links only the end tells how long they take,
/// so they are told to the memory in another way than the others.
TEST(MemoryLaw, EverybodyGetsHisShare) {
    for (const std::string what : {"", "south 30%", "core 70%", "south dead"}) {
        for (const Time jitter : {Time(0), Time(3'000'000)}) {
            for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                int slowed = 0;
                for_all_programs(what, [&](const Program& program) {
                    slowed += expect_everybody_gets_his_share(
                        Ran(program, faults(program.torus, what, jitter), ring));
                });
                EXPECT_GT(slowed, 100) << what;
            }
        }
    }
}

/// Chips that live alike live alike when their memory is short, too.
TEST(MemoryLaw, AlikeChipsGetTheSame) {
    for (const std::string what : {"", "south 30%", "core 70%", "south dead"}) {
        for_all_programs(what, [&](const Program& program) {
            const Faults given = faults(program.torus, what, {});
            const Ran full(program, given, RingMode::both_ways);
            const Ran folded(program, given, RingMode::both_ways, Folding::alike_chips);
            EXPECT_EQ(*full.timeline, *folded.timeline) << what;
        });
    }
}

} // namespace
} // namespace meshslice
