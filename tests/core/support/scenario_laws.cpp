#include "tests/core/support/scenario_laws.h"

#include "core/cost/operation_cost.h"
#include "core/explain/slower_part.h"
#include "core/explain/why.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/step/bottleneck.h"
#include "core/step/run/planned_recording.h"
#include "core/step/training_step.h"
#include "tests/core/support/draw.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_intervals_drawn = 300'000;
constexpr std::size_t most_slice_counts = 12;
constexpr std::int64_t most_faulty_chips = 16; ///< each of which is simulated by itself

void scale(Draw& draw, Machine& hardware) {
    const auto factor = [&] { return draw(0.25, 1.0, 1.0, 4.0); };
    const double compute = factor();
    for (auto& peak : hardware.peak.of) {
        peak.value = FlopRate(peak.value.value() * compute);
    }
    hardware.hbm_bandwidth.value = Bandwidth(hardware.hbm_bandwidth.value.value() * factor());
    for (int axis = 0; axis < hardware.network.torus_axes(); ++axis) {
        Bandwidth& link = hardware.network.torus_links(axis).bandwidth.value;
        link = Bandwidth(link.value() * factor());
    }
    hardware.sync.value = hardware.sync.value * draw(0, 1, 1, 4);
}

Scenario drawn(Draw& draw) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset(
        draw("tpu-v3", "tpu-v4-cloud", "tpu-v4-paper", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e"));
    scenario.hardware.pod = {}; // Every mesh can be had.
    scale(draw, scenario.hardware);
    const std::size_t chosen = draw(0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u);
    const Algorithm& algorithm = algorithms().at(chosen);
    scenario.plan.algorithm = algorithm.id;
    scenario.compare.clear();
    scenario.mesh = {draw(1, 2, 2, 4, 4, 8, 16), draw(1, 2, 4, 4, 8, 16)};
    if (algorithm.torus_axes == 1) {
        scenario.mesh = {draw(2, 4, 8, 16)};
    } else if (algorithm.torus_axes == 3 && scenario.hardware.network.torus_axes() == 3) {
        scenario.mesh = {2, 2, draw(1, 2)};
    }
    const int rings = draw(0, 0, 0, 1, 2);
    scenario.wraps = {rings == 0, rings == 0, rings == 0};
    scenario.folded = rings == 2;
    const auto size = [&] { return draw(512, 1024, 2048, 4096, 8192, 16384, 32768); };
    scenario.gemm = SingleGemm{{size(), size(), size()}, draw(Dataflow::OS, Dataflow::LS, Dataflow::RS)};
    scenario.assume.schedule.type = draw(DataType::bf16, DataType::bf16, DataType::int8);
    scenario.assume.schedule.ring = draw(RingMode::both_ways, RingMode::both_ways, RingMode::one_way);
    scenario.assume.schedule.prefetch.depth = draw(0, 1, 1, 1, 2);
    scenario.assume.schedule.chip =
        draw(ChipModel::by_hardware, ChipModel::by_hardware, ChipModel::tiled, ChipModel::constant_rate);
    return scenario;
}

std::string words(const Scenario& scenario) {
    const SingleGemm& gemm = *scenario.gemm;
    std::vector<double> links;
    for (int axis = 0; axis < scenario.hardware.network.torus_axes(); ++axis) {
        links.push_back(scenario.hardware.network.link_bandwidth(axis).value() / 1e9);
    }
    return fmt::format("{} {} on {} of {} ({:.0f} TFLOP/s, HBM {:.0f} GB/s, links {:.1f} GB/s, sync {:.1f} "
                       "us), {}, {}, S = {}, {}, prefetch {}, {}, {}",
                       scenario.plan.algorithm, name(gemm.dataflow), fmt::join(scenario.mesh, "x"),
                       scenario.hardware.name, scenario.hardware.peak[DataType::bf16].value.value() / 1e12,
                       scenario.hardware.hbm_bandwidth.value.value() / 1e9, fmt::join(links, "/"),
                       in_seconds(scenario.hardware.sync.value) * 1e6, text(gemm.shape),
                       scenario.folded     ? "folded"
                       : scenario.wraps[0] ? "closed"
                                           : "open",
                       scenario.plan.slices.value_or(0), name(scenario.assume.schedule.ring),
                       scenario.assume.schedule.prefetch.depth, name(scenario.assume.schedule.type),
                       name(scenario.assume.schedule.chip));
}

/// How long a run takes, in seconds, with the slower part that is said to make it faster; endless where
/// nothing is said.
double with_slower_part(const Scenario& scenario) {
    const auto step = training_step(scenario, scenario.plan.algorithm, Depth::simulate, {}, 1);
    const auto found = step ? why(*step, scenario) : refuse(Error{});
    return found && found->slower ? in_seconds(found->slower->time) : std::numeric_limits<double>::infinity();
}

/// Seconds; none where it does not run.
std::optional<double> simulated(const Scenario& scenario) {
    const auto step = training_step(scenario, scenario.plan.algorithm, Depth::simulate, {}, 1);
    return step ? std::optional(in_seconds(step->time)) : std::nullopt;
}

double memory_floor(const Program& program, const Machine& hardware, DataType type) {
    double bytes = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (const auto* multiply = std::get_if<Multiply>(&program.operations[id])) {
            bytes += static_cast<double>(hbm_bytes(*multiply, type).value()) *
                     static_cast<double>(program.runs(id));
        }
    }
    return bytes / hardware.hbm_bandwidth.value.value();
}

} // namespace

std::string_view name(Law law) {
    static constexpr std::array<std::string_view, all_laws.size()> names = {
        "a faster part takes no more time",
        "not above the HBM",
        "not above the cores",
        "automatic S is the best",
        "bound_by saves most",
        "the estimate is the simulation",
        "a fault makes nothing faster",
        "and no faster part with a fault",
        "a slower part that helps is named"};
    return names[static_cast<std::size_t>(law)];
}

/// Something slow, dead or late; by its words. None where the machine has no such part.
std::optional<std::string> plant_fault(std::uint32_t seed, Scenario& scenario) {
    Draw draw(seed);
    const std::string words = draw("jitter", "0,0 core 50%", "0,0 south 50%", "0,0 east 50%",
                                   "0,0 south dead", "0,0 east dead", "0,0 west 25%", "0,0 core 90%");
    if (words == "jitter") {
        scenario.assume.faults.jitter = seconds(draw(0.5e-6, 2e-6, 10e-6));
    } else {
        scenario.assume.faults.parts.push_back(*parse_fault(words));
    }
    return checked(scenario) ? std::optional(words) : std::nullopt;
}

/// What so many times as much of a part saves of a run, as a share of its time; below 0 where it takes
/// longer.
struct Saved {
    Part part = Part::compute;
    double times = 1;
    double share = 0;
};
std::vector<Saved> saved_by_parts(const Scenario& scenario, const Torus& torus, double time,
                                  const std::vector<double>& asked = {std::begin(asked_times),
                                                                      std::end(asked_times)}) {
    std::vector<Saved> all;
    for (const Part part : all_parts) {
        for (const double times : asked) {
            if (has_part(torus, part)) {
                Scenario faster = scenario;
                faster.hardware = with_times(scenario.hardware, torus, part, times);
                if (const auto there = simulated(faster)) {
                    all.push_back({part, times, 1 - *there / time});
                }
            }
        }
    }
    return all;
}

/// The part that, when it is faster, makes it slower than any other does.
Saved worst_of(const std::vector<Saved>& saved) {
    return saved.empty() ? Saved{} : *std::ranges::min_element(saved, {}, &Saved::share);
}
std::string words(const Saved& one) {
    return fmt::format("{} x{}", id(one.part), one.times);
}

Breaches drawn_breaches(std::uint32_t seed) {
    Draw draw(seed);
    while (true) {
        Scenario scenario = drawn(draw);
        if (scenario.hardware.measured_products.value.size() > 0 || !checked(scenario)) {
            continue;
        }
        const auto planned = training_step(scenario, scenario.plan.algorithm, Depth::estimate);
        if (!planned ||
            recording_of(planned_intervals(planned->gemms, scenario, {})).intervals > most_intervals_drawn) {
            continue;
        }
        const auto step = training_step(scenario, scenario.plan.algorithm, Depth::simulate, {}, 1);
        if (!step) {
            continue;
        }
        const GemmResult& gemm = step->gemms.front();
        const double time = in_seconds(step->time);
        Breaches found;
        found.algorithm = scenario.plan.algorithm;
        const auto add = [&](Law law, double share, std::string what = {}) {
            found.all.push_back({law, std::max(0.0, share), std::move(what)});
        };
        add(Law::estimate, std::abs(in_seconds(step->estimated) / time - 1));
        const double flop_floor =
            in_seconds(gemm.program->operations.empty()
                           ? Time(0)
                           : flop(gemm.gemm.shape) /
                                 scenario.hardware.effective_rate(scenario.assume.schedule.type)) /
            static_cast<double>(step->torus.chips());
        add(Law::compute_floor, flop_floor / time - 1);
        if (chip_model(scenario.assume.schedule, scenario.hardware) != ChipModel::constant_rate) {
            add(Law::memory_floor,
                memory_floor(*gemm.program, scenario.hardware, scenario.assume.schedule.type) / time - 1);
        }
        const Algorithm& algorithm = **meshslice::algorithm(scenario.plan.algorithm);
        if (takes(algorithm, OptionId::slices)) {
            const auto counts =
                algorithm.slice_counts(gemm.gemm.shape, gemm.gemm.dataflow, step->torus, gemm.options);
            double best = time;
            std::int64_t at = gemm.options.slices;
            for (std::size_t k = 0; counts && k < std::min(counts->size(), most_slice_counts); ++k) {
                Scenario other = scenario;
                other.plan.slices = (*counts)[k];
                if (const auto there = simulated(other); there && *there < best) {
                    best = *there;
                    at = (*counts)[k];
                }
            }
            add(Law::automatic_s, time / best - 1, fmt::format("S = {}", at));
        }
        const Scenario open = scenario;
        // Whatever was chosen stays as it is while parts get faster.
        scenario.plan.slices = gemm.options.slices;
        if (takes(algorithm, OptionId::packets)) {
            scenario.plan.packets = gemm.options.packets;
        }
        scenario.plan.decomposed = gemm.options.decomposed;
        found.words = words(scenario);
        const std::vector<Saved> saved = saved_by_parts(scenario, step->torus, time);
        const Saved worst = worst_of(saved);
        add(Law::faster_parts, -worst.share, words(worst));
        if (1 - 1 / (1 - worst.share) > least_saved_by_slower) {
            Scenario faster = scenario;
            faster.hardware = with_times(scenario.hardware, step->torus, worst.part, worst.times);
            add(Law::slower_told, with_slower_part(faster) / time - 1, words(worst));
        }
        double most_saved = 0;
        double named = 0;
        std::string saves_most;
        // But of the part to buy, slices are chosen again where they are open.
        const std::vector<Saved> bought =
            open == scenario ? saved : saved_by_parts(open, step->torus, time, {2.0});
        for (const Saved& one : bought) {
            if (one.times != 2) {
                continue;
            }
            if (counted(one.part, one.share) > most_saved) {
                most_saved = counted(one.part, one.share);
                saves_most = id(one.part);
            }
            if (one.part == step->bottleneck.part) {
                named = counted(one.part, one.share);
            }
        }
        if (step->bottleneck.part) {
            add(Law::bound_by, most_saved - named,
                fmt::format("{} named, {} saves most", id(*step->bottleneck.part), saves_most));
        }
        if (const auto fault = plant_fault(seed, scenario);
            fault && step->torus.chips() <= most_faulty_chips) {
            if (const auto faulty = simulated(scenario)) {
                add(Law::faults_cost, time / *faulty - 1, *fault);
                const Saved slower = worst_of(saved_by_parts(scenario, step->torus, *faulty));
                add(Law::faulty_parts, -slower.share, fmt::format("{}, {}", *fault, words(slower)));
            }
        }
        return found;
    }
}

} // namespace meshslice
