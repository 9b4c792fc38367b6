// The law of shared memory, checked against what a run has recorded.

#include "core/simulate/engine/simulate.h"
#include "core/simulate/machine/shared_memory.h"
#include "core/simulate/machine/wires.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// HBM of the given bytes/s. A core, the copies of two axes and their links want up to 17 x 10^9 of it
/// together, those of three 23 x 10^9; where there is that much, links always get all they want.
Machine with_memory(double bytes_per_second) {
    Machine hardware = tiled_round_hardware(100);
    hardware.hbm_bandwidth.value = Bandwidth(bytes_per_second);
    return hardware;
}
constexpr double holds_jobs = 2.4e10;
constexpr double holds_links = 3e9;

struct Ran {
    Program program;
    Machine hardware;
    Schedule schedule;
    Conditions conditions;
    std::shared_ptr<const Timeline> timeline;

    Ran(Program written, double memory, const Faults& faults, RingMode ring, Folding folding = Folding::none)
        : program(std::move(written)), hardware(with_memory(memory)) {
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

/// What moves bytes: the tiles of a core, a copy, or a transfer.
struct Flow {
    Time start;
    Time end;
    double amount = 0;                                ///< bytes
    double most = 0;                                  ///< bytes/s; 0: no limit of its own
    std::vector<std::pair<std::size_t, double>> uses; ///< resource, and bytes of it for each of its own
    double done = 0;
    double rate = 0;
};

/// All that was recorded. Resources are the memories of chips, then the links.
std::vector<Flow> flows(const Ran& run, const Wires& wires) {
    std::vector<Flow> flows;
    std::set<std::tuple<Chip, Axis, Time>> copies;
    const auto memory = [](Chip chip) { return static_cast<std::size_t>(chip); };
    const auto chips = static_cast<std::size_t>(run.program.torus.chips());
    for (std::size_t r = 0; r < run.timeline->rows().size(); ++r) {
        const Row& row = run.timeline->rows()[r];
        for (const Interval& interval : run.timeline->intervals(r)) {
            const Operation& operation = run.program.operations[interval.operation];
            const auto way = variant(run.program, operation, interval.iteration, row.chip);
            const OperationCost cost =
                operation_cost(run.program, operation, run.hardware, run.schedule, way);
            Flow flow;
            flow.start = interval.start;
            flow.end = interval.end;
            if (interval.activity == Activity::compute) {
                flow.amount = static_cast<double>(cost.memory.value());
                flow.most = flow.amount / in_seconds(wires.compute(row.chip, cost.compute));
                flow.uses = {{memory(row.chip), 1}};
            } else if (interval.activity == Activity::copy) {
                if (!copies.insert({row.chip, row.axis, interval.start}).second) {
                    continue; // Both directions record it.
                }
                EXPECT_EQ(std::ranges::count(cost.copied, Bytes(0)), 1);
                flow.amount = static_cast<double>(std::max(cost.copied[0], cost.copied[1]).value());
                flow.uses = {{memory(row.chip), 1}};
            } else if (interval.activity == Activity::transfer) {
                const auto moves = communication(run.program, operation, run.schedule.ring, way);
                const int slot = link_slot(row.axis, row.direction);
                flow.amount =
                    static_cast<double>(moves->step_bytes(row.direction, run.schedule.type).value());
                for (const std::uint32_t link : wires.way(row.chip, slot)) {
                    flow.uses.emplace_back(chips + link, 1);
                }
                flow.uses.emplace_back(memory(row.chip), static_cast<double>(cost.reads));
                flow.uses.emplace_back(
                    memory(*run.program.torus.neighbour(row.chip, row.axis, row.direction)), 1);
            } else {
                continue;
            }
            flows.push_back(flow);
        }
    }
    return flows;
}

/// The rates of all flows under way, from the definition: all rates rise until a flow has enough or a
/// resource is full; the flows that this stops rise no more.
void share(const std::vector<Flow*>& active, const std::vector<double>& capacities) {
    std::vector<double> left = capacities;
    std::vector<Flow*> rising = active;
    for (Flow* flow : active) {
        flow->rate = 0;
    }
    while (!rising.empty()) {
        std::vector<double> wanted(capacities.size());
        for (const Flow* flow : rising) {
            for (const auto& [resource, weight] : flow->uses) {
                wanted[resource] += weight;
            }
        }
        double more = std::numeric_limits<double>::infinity();
        for (const Flow* flow : rising) {
            more = flow->most > 0 ? std::min(more, flow->most - flow->rate) : more;
            for (const auto& [resource, weight] : flow->uses) {
                more = std::min(more, left[resource] / wanted[resource]);
            }
        }
        for (Flow* flow : rising) {
            flow->rate += more;
            for (const auto& [resource, weight] : flow->uses) {
                left[resource] -= more * weight;
            }
        }
        std::erase_if(rising, [&](const Flow* flow) {
            return (flow->most > 0 && flow->rate >= flow->most * (1 - 1e-12)) ||
                   std::ranges::any_of(flow->uses, [&](const auto& use) {
                       return left[use.first] <= capacities[use.first] * 1e-12;
                   });
        });
    }
}

/// How many flows the law has slowed: those that took longer than alone.
struct Slowed {
    int jobs = 0;
    int transfers = 0;
};

/// Adds up what every flow gets, from change to change.
void expect_everybody_gets_a_fair_share(const Ran& run, Slowed& slowed) {
    const Wires wires(run.program, with_missing_links(run.program.torus, run.conditions),
                      run.hardware.network);
    const Torus& torus = run.program.torus;
    std::vector<double> capacities(static_cast<std::size_t>(torus.chips()),
                                   run.hardware.hbm_bandwidth.value.value());
    for (Chip chip = 0; chip < torus.chips(); ++chip) {
        for (int slot = 0; slot < torus.link_slots(); ++slot) {
            capacities.push_back(wires.bytes_per_second(chip, slot));
        }
    }
    std::vector<Flow> all = flows(run, wires);
    std::ranges::sort(all, {}, &Flow::start);
    std::set<Time> changes;
    for (const Flow& flow : all) {
        changes.insert({flow.start, flow.end});
    }
    std::vector<Flow*> active;
    std::size_t next = 0;
    for (auto change = changes.begin(); change != changes.end() && std::next(change) != changes.end();
         ++change) {
        std::erase_if(active, [&](const Flow* flow) { return flow->end <= *change; });
        for (; next < all.size() && all[next].start == *change; ++next) {
            active.push_back(&all[next]);
        }
        share(active, capacities);
        for (Flow* flow : active) {
            flow->done += flow->rate * in_seconds(*std::next(change) - *change);
        }
    }
    for (const Flow& flow : all) {
        const bool transfers = flow.uses.size() > 1;
        double most = flow.most > 0 ? flow.most : std::numeric_limits<double>::infinity();
        for (const auto& [resource, weight] : flow.uses) {
            most = std::min(most, capacities[resource] / weight);
        }
        EXPECT_NEAR(flow.done, flow.amount, most * 5e-12 + 1e-9 * flow.amount)
            << (transfers ? "transfer" : "job") << " from " << in_seconds(flow.start);
        const bool slower = in_seconds(flow.end - flow.start) > flow.amount / most * 1.0001 + 1e-11;
        (transfers ? slowed.transfers : slowed.jobs) += slower ? 1 : 0;
    }
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

/// Source of the rule: see SharedMemory and Arbitration. For most transfers the duration is known ahead; for
/// those that share links, or whose memories hold them back, only at their end.
TEST(MemoryLaw, EverybodyGetsAFairShare) {
    for (const double memory : {holds_jobs, holds_links}) {
        for (const std::string what : {"", "south 30%", "core 70%", "south dead"}) {
            for (const Time jitter : {Time(0), Time(3'000'000)}) {
                const RingMode ring = jitter > Time(0) ? RingMode::one_way : RingMode::both_ways;
                Slowed slowed;
                for_all_programs(what, [&](const Program& program) {
                    expect_everybody_gets_a_fair_share(
                        Ran(program, memory, faults(program.torus, what, jitter), ring), slowed);
                });
                EXPECT_GT(slowed.jobs, 100) << what << ' ' << memory;
                if (memory == holds_links) {
                    EXPECT_GT(slowed.transfers, 100) << what;
                }
            }
        }
    }
}

/// Alike chips behave alike when their memory is short, too.
TEST(MemoryLaw, AlikeChipsGetTheSame) {
    for (const double memory : {holds_jobs, holds_links}) {
        for (const std::string what : {"", "south 30%", "core 70%", "south dead"}) {
            for_all_programs(what, [&](const Program& program) {
                const Faults given = faults(program.torus, what, {});
                const Ran full(program, memory, given, RingMode::both_ways);
                const Ran folded(program, memory, given, RingMode::both_ways, Folding::alike_chips);
                EXPECT_EQ(*full.timeline, *folded.timeline) << what << ' ' << memory;
            });
        }
    }
}

} // namespace
} // namespace meshslice
