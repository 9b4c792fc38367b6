#include "core/step/training_step.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/machine/edit.h"
#include "core/plan/evaluate/scenario_memory.h"
#include "core/scenario/choices.h"
#include "core/scenario/examples.h"
#include "core/scenario/suggestions.h"
#include "core/step/distinct_gemms.h"
#include "core/step/run/planned_recording.h"
#include "core/step/run/simulate_gemms.h"
#include "core/step/run/simulated_bottleneck.h"
#include "core/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

/// What is refused of a GEMM in a layer says which it is.
Error in_layer(const Gemm& gemm, const Error& error) {
    const bool bare = gemm.layer.empty() || error.kind == Error::Kind::cancelled;
    return bare ? error : Error{title(gemm) + said(": ") + error.sentence};
}

/// The closed form's usage, where nothing was simulated.
Usage estimated_usage(const Estimate& estimate) {
    return {estimate.compute, estimate.launch,     estimate.sync,   estimate.transfer,
            estimate.copy,    estimate.overlapped, estimate.exposed};
}

/// A GEMM with the best options that the scenario and `slices` leave open.
Result<GemmResult> estimated_gemm(const Scenario& scenario, const Algorithm& algorithm, const Torus& torus,
                                  const Gemm& gemm, std::optional<std::int64_t> slices,
                                  const std::stop_token& stop) {
    auto tuned = tune(algorithm, gemm.shape, gemm.dataflow, torus, gemm_options(scenario), slices,
                      scenario.hardware, scenario.assume.schedule, stop);
    if (!tuned) {
        return refuse(in_layer(gemm, tuned.error()));
    }
    double busy = 0;
    for (const Time engine : tuned->estimate.busy) {
        busy += in_seconds(engine) * static_cast<double>(gemm.copies);
    }
    if (busy > most_countable_seconds) {
        return refuse(in_layer(gemm, too_long(gemm.shape, busy)));
    }
    GemmResult result;
    result.gemm = gemm;
    result.options = tuned->options;
    if (!takes(algorithm, OptionId::packets)) {
        result.options.packets = 0;
    }
    if (!takes(algorithm, OptionId::decomposed)) {
        result.options.decomposed.reset();
    }
    result.estimate = tuned->estimate;
    result.memory = tuned->memory;
    result.usage = estimated_usage(result.estimate);
    result.time = result.estimated();
    return result;
}

/// The sums over the GEMMs, which run one after the other.
void add_up(TrainingStep& step, const Scenario& scenario) {
    step.time = step.estimated = Time(0);
    step.flop = Flop(0);
    step.usage = {};
    double rounded = 0; // seconds: each multiplication's time is a whole number of picoseconds
    for (GemmResult& result : step.gemms) {
        const std::int64_t slices = result.program ? result.program->iterations : result.options.slices;
        rounded += 0.5e-12 * static_cast<double>(slices * result.gemm.copies);
        result.start = step.time;
        step.time += result.time;
        step.estimated += result.estimated();
        step.flop += flop(result.gemm.shape) * result.gemm.copies;
        step.usage += result.usage * result.gemm.copies;
    }
    const double peak = static_cast<double>(step.torus.chips()) *
                        scenario.hardware.peak_rate(scenario.assume.schedule.type).value();
    const auto share_of_peak = [&](Time time) {
        const auto all = static_cast<double>(step.flop.value());
        const double share = all / (peak * in_seconds(time));
        return share > 1 && all <= peak * (in_seconds(time) + rounded) ? 1.0 : share;
    };
    step.utilization = share_of_peak(step.time);
    step.estimated_utilization = share_of_peak(step.estimated);
}

/// Bytes of the GEMM whose buffers need most.
double largest_buffers(const std::vector<GemmResult>& gemms) {
    Bytes largest;
    for (const GemmResult& result : gemms) {
        largest = std::max(largest, result.memory.buffers);
    }
    return static_cast<double>(largest.value());
}

void add_memory(TrainingStep& step, const Scenario& scenario, const Algorithm& algorithm) {
    const double buffers = largest_buffers(step.gemms);
    if (scenario.gemm) {
        step.memory = {};
        step.memory.activations = static_cast<double>(step.gemms.front().memory.shards().value());
        step.memory.buffers = buffers;
        step.block_memory = step.memory;
        return;
    }
    const auto element = static_cast<double>(element_bytes(scenario.assume.schedule.type));
    const std::optional<PlannedRun> group = group_of_plan(scenario);
    const PlannedRun run = group ? *group : run_on_mesh(scenario, algorithm, step.torus);
    step.plan = group ? std::optional(group->plan) : std::nullopt;
    step.ends_counted = run.run.ends;
    step.keeps = run.run.keeps;
    step.memory = memory_use(run, algorithm.id, buffers, element);
    step.block_memory = memory_use(one_block(run), algorithm.id, buffers, element);
}

/// What the chips have and hold.
void add_machine(TrainingStep& step, const Scenario& scenario, const Algorithm& algorithm) {
    step.hardware_edits =
        scenario.hardware.based_on.empty() ? edits_of_no_preset(scenario.hardware) : edits(scenario.hardware);
    step.blocks = scenario.gemm ? 0 : scenario.model.layers;
    step.sequence = scenario.gemm ? 0 : scenario.sequence;
    add_memory(step, scenario, algorithm);
    step.capacity = scenario.hardware.hbm.value;
    step.in_stages = staged(scenario.assume.schedule, scenario.hardware);
    step.memory_counted = chip_model(scenario.assume.schedule, scenario.hardware) != ChipModel::constant_rate;
    if (step.in_stages && !algorithm.takes_turns) {
        step.arbitration = scenario.assume.schedule.arbitration;
    }
    if (step.in_stages && algorithm.orders_chunks) {
        step.chunk_order = scenario.plan.chunk_order;
    }
}

/// What bounds the GEMMs together, by the time that each takes.
void add_bottlenecks(TrainingStep& step) {
    std::vector<TimedBottleneck> runs;
    for (const GemmResult& result : step.gemms) {
        runs.push_back({result.bottleneck, result.time});
    }
    step.bottleneck = together(runs);
}

/// Whether the tuner chose anything for the GEMMs that the scenario leaves open.
bool leaves_options_open(const Scenario& scenario, const Algorithm& algorithm) {
    return (takes(algorithm, OptionId::slices) && !scenario.plan.slices) ||
           (takes(algorithm, OptionId::packets) && gemm_options(scenario).packets == 0) ||
           (takes(algorithm, OptionId::decomposed) && !gemm_options(scenario).decomposed);
}

/// What each part twice as fast would save where slices are open, which are then chosen again: those that
/// hide slow links are too many where something else is slow.
Result<void> choose_again_with_twice(TrainingStep& step, const Scenario& scenario, const Algorithm& algorithm,
                                     const std::stop_token& stop) {
    if (!leaves_options_open(scenario, algorithm)) {
        return {};
    }
    std::vector<Gemm> gemms;
    for (GemmResult& result : step.gemms) {
        gemms.push_back(result.gemm);
        result.options_with_twice.assign(part_count, result.options);
    }
    for (const Part part : all_parts) {
        if (!has_part(step.torus, part)) {
            continue;
        }
        const auto which = static_cast<std::size_t>(part);
        Scenario faster = scenario;
        faster.hardware = with_twice(scenario.hardware, step.torus, part);
        const Result<TrainingStep> then = estimated_step(faster, algorithm, gemms, {}, stop);
        if (!then) {
            if (then.error().kind == Error::Kind::cancelled) {
                return refuse(then.error());
            }
            continue; // The GEMMs save what they save with the same options.
        }
        for (std::size_t k = 0; k < step.gemms.size(); ++k) {
            GemmResult& result = step.gemms[k];
            const Time now = result.estimate.total;
            if (now > Time(0)) {
                result.bottleneck.saves[which] =
                    std::max(0.0, ratio(now - then->gemms[k].estimate.total, now));
            }
            result.options_with_twice[which] = then->gemms[k].options;
        }
    }
    for (GemmResult& result : step.gemms) {
        result.bottleneck.part = largest(result.bottleneck.saves);
    }
    return {};
}

/// Programs, what they move and what bounds them; those that are the same are kept once.
Result<void> write_programs(TrainingStep& step, const Scenario& scenario, const Algorithm& algorithm,
                            const std::stop_token& stop) {
    const std::vector<std::size_t> first = first_of_its_kind(step.gemms);
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        GemmResult& result = step.gemms[k];
        if (first[k] != k) {
            result.program = step.gemms[first[k]].program;
            result.count = step.gemms[first[k]].count;
            result.bottleneck = step.gemms[first[k]].bottleneck;
            continue;
        }
        auto program = algorithm.write(result.gemm.shape, result.gemm.dataflow, step.torus, result.options);
        if (!program) {
            return refuse(in_layer(result.gemm, program.error()));
        }
        result.program = std::make_shared<const Program>(*std::move(program));
        result.count = std::make_shared<const Count>(count(*result.program, scenario.assume.schedule));
        result.bottleneck = bottleneck(*result.program, scenario.hardware, scenario.assume.schedule);
        if (stop.stop_requested()) {
            return cancelled();
        }
    }
    if (auto chosen = choose_again_with_twice(step, scenario, algorithm, stop); !chosen) {
        return chosen;
    }
    add_bottlenecks(step);
    return {};
}

/// The GEMMs' times are added up, each as often as it has copies.
Result<void> countable_together(const std::vector<GemmResult>& gemms, const Scenario& scenario,
                                const Conditions& conditions) {
    double longest = 0;
    for (const GemmResult& result : gemms) {
        longest +=
            longest_run_seconds(*result.program, scenario.hardware, scenario.assume.schedule, conditions) *
            static_cast<double>(result.gemm.copies);
    }
    if (longest > most_simulated_seconds) {
        return refuse(
            conditions.healthy()
                ? say("The GEMMs could take {:.1e} s; runs of up to {:.1e} s are simulated, so take more "
                      "chips or smaller GEMMs.",
                      longest, most_simulated_seconds)
                : say("The GEMMs could take {:.1e} s with these faults; runs of up to {:.1e} s are "
                      "simulated, so take more chips or smaller GEMMs, or milder faults.",
                      longest, most_simulated_seconds));
    }
    return {};
}

} // namespace

double TrainingStep::hidden_share() const {
    const Time communication = usage.communication();
    return communication == Time(0) ? 1.0 : ratio(usage.overlapped, communication);
}

Result<TrainingStep> estimated_step(const Scenario& scenario, const std::string& id,
                                    const std::vector<std::int64_t>& unroll, const std::stop_token& stop) {
    const Result<AlgorithmAndGemms> found = algorithm_and_gemms(scenario, id);
    if (!found) {
        return refuse(found.error());
    }
    return estimated_step(scenario, *found->algorithm, found->gemms, unroll, stop);
}

namespace {

/// Gives every GEMM whose buffers have no room next to the rest of the step, of the slice counts whose
/// buffers do, the smallest that takes hardly longer than the fastest. Leaves a step as it is where some GEMM
/// has none.
Result<void> take_slices_that_fit(TrainingStep& step, const Scenario& scenario, const Algorithm& algorithm,
                                  const std::stop_token& stop) {
    // Slices change buffers of GEMMs alone.
    const Bytes others = whole_bytes(step.memory.total() - largest_buffers(step.gemms));
    if (others > step.capacity) {
        return {};
    }
    const Bytes room = step.capacity - others;
    std::vector<GemmResult> gemms = step.gemms;
    const std::vector<std::size_t> first = first_of_its_kind(gemms);
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        if (first[k] != k) {
            const Gemm own = gemms[k].gemm;
            gemms[k] = gemms[first[k]];
            gemms[k].gemm = own;
            gemms[k].time = gemms[k].estimated();
            continue;
        }
        if (gemms[k].memory.buffers <= room) {
            continue;
        }
        const Gemm& gemm = gemms[k].gemm;
        const auto counts = algorithm.slice_counts(gemm.shape, gemm.dataflow, step.torus, gemms[k].options);
        std::vector<GemmResult> fitting; // fewer slices first
        for (std::size_t c = 0; counts && c < counts->size(); ++c) {
            auto other = estimated_gemm(scenario, algorithm, step.torus, gemm, (*counts)[c], stop);
            if (!other && other.error().kind == Error::Kind::cancelled) {
                return refuse(other.error());
            }
            if (other && other->memory.buffers <= room) {
                fitting.push_back(*std::move(other));
            }
        }
        if (fitting.empty()) {
            return {};
        }
        const Time fastest = std::ranges::min_element(fitting, {}, &GemmResult::time)->time;
        gemms[k] = *std::ranges::find_if(
            fitting, [&](const GemmResult& one) { return one.time <= most_with_fewer_slices(fastest); });
    }
    step.gemms = std::move(gemms);
    return {};
}

} // namespace

Result<TrainingStep> estimated_step(const Scenario& scenario, const Algorithm& algorithm,
                                    const std::vector<Gemm>& gemms, const std::vector<std::int64_t>& unroll,
                                    const std::stop_token& stop) {
    const Result<Torus> torus = torus_of(scenario, algorithm);
    if (!torus) {
        return refuse(torus.error());
    }
    TrainingStep step;
    step.algorithm = algorithm.id;
    step.mesh = scenario.mesh;
    step.torus = *torus;
    step.gemms.reserve(gemms.size());
    const bool unrolls = takes_at_most(algorithm, OptionId::slices) && unroll.size() == gemms.size();
    const std::vector<std::size_t> first = distinct_gemms(gemms);
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        const Gemm& gemm = gemms[k];
        if (first[k] != k && (!unrolls || unroll[first[k]] == unroll[k])) {
            GemmResult same = step.gemms[first[k]];
            same.gemm = gemm;
            same.time = same.estimated();
            step.gemms.push_back(std::move(same));
            continue;
        }
        auto result = estimated_gemm(scenario, algorithm, *torus, gemm,
                                     unrolls ? std::optional(unroll[k]) : scenario.plan.slices, stop);
        if (!result) {
            return refuse(result.error());
        }
        step.gemms.push_back(*std::move(result));
    }
    add_up(step, scenario);
    add_machine(step, scenario, algorithm);
    if (!step.fits() && !scenario.plan.slices && unroll.empty() && takes(algorithm, OptionId::slices)) {
        if (const auto taken = take_slices_that_fit(step, scenario, algorithm, stop); !taken) {
            return refuse(taken.error());
        }
        add_up(step, scenario);
        add_machine(step, scenario, algorithm);
    }
    return step;
}

std::string title(const TrainingStep& step) {
    if (!step.variant.empty()) {
        return shown_name(step.variant);
    }
    const Result<const Algorithm*> known = algorithm(step.algorithm);
    return known ? std::string((*known)->title) : step.algorithm;
}

std::size_t most_gemms(const std::vector<TrainingStep>& steps) {
    std::size_t most = 0;
    for (const TrainingStep& step : steps) {
        most = std::max(most, step.gemms.size());
    }
    return most;
}

Result<TrainingStep> training_step(const Scenario& scenario, const std::string& id, Depth depth,
                                   const RunControl& control, unsigned threads) {
    if (const Result<Scenario> valid = checked(scenario); !valid) {
        return refuse(valid.error());
    }
    if (const auto found = algorithm_and_gemms(scenario, id); !found) {
        return refuse(found.error()); // Another mesh would not help.
    }
    Result<TrainingStep> step = estimated_step(scenario, id, {}, control.stop);
    if (!step) {
        return refuse(with_suggestions(step.error(), scenario, id));
    }
    const Algorithm& algorithm = **meshslice::algorithm(id);
    if (const auto written = write_programs(*step, scenario, algorithm, control.stop); !written) {
        return refuse(written.error());
    }
    if (depth == Depth::estimate) {
        step->not_counted = scenario.assume.faults;
        return step;
    }
    const Result<Conditions> conditions = conditions_of(scenario, algorithm);
    if (!conditions) {
        return refuse(conditions.error());
    }
    step->faults = scenario.assume.faults;
    // All timelines of a step are kept, so they must fit together.
    if (const auto countable = countable_together(step->gemms, scenario, *conditions); !countable) {
        return refuse(countable.error());
    }
    const std::vector<std::int64_t> planned =
        planned_intervals(step->gemms, scenario, *conditions, control.stop);
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    if (const Recording all = recording_of(planned); !all.fits()) {
        return refuse(too_large(all, scenario, id, control));
    }
    if (const auto simulated =
            simulate_gemms(step->gemms, planned, scenario, *conditions, control, threads, most_intervals);
        !simulated) {
        return refuse(simulated.error());
    }
    if (step->in_stages && conditions->healthy()) {
        if (const auto found =
                find_bottlenecks(step->gemms, algorithm, scenario, *conditions, control.stop, threads);
            !found) {
            return refuse(found.error());
        }
        add_bottlenecks(*step);
    }
    add_up(*step, scenario);
    return step;
}

} // namespace meshslice
