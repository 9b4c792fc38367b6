#include "core/lesson/stepper_run.h"

#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/machine/ring_stores.h"
#include "core/step/program_step.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

/// One run of an operation.
using OneRun = std::pair<OperationId, std::uint32_t>;

/// From the first chip's to the last one's, for each of the steps that were recorded.
using Recorded = std::map<OneRun, std::map<std::uint16_t, Stretch>>;

Recorded recorded(const Timeline& timeline) {
    Recorded runs;
    for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
        for (const Interval& one : timeline.intervals(row)) {
            if (one.activity == Activity::launch || one.activity == Activity::sync) {
                continue; // Nothing moves yet.
            }
            auto& steps = runs[{one.operation, one.iteration}];
            const auto [at, is_new] = steps.try_emplace(one.step, Stretch{one.start, one.end});
            if (!is_new) {
                at->second = {std::min(at->second.begin, one.start), std::max(at->second.end, one.end)};
            }
        }
    }
    return runs;
}

/// Part `part` of `parts` of all steps: where the run takes more steps than there are moments, a few of them.
Stretch part_of(const std::map<std::uint16_t, Stretch>& steps, std::size_t part, std::size_t parts) {
    const std::size_t first = std::min(part * steps.size() / parts, steps.size() - 1);
    const std::size_t last = std::max(first + 1, (part + 1) * steps.size() / parts);
    auto at = std::next(steps.begin(), static_cast<std::ptrdiff_t>(first));
    Stretch all = at->second;
    for (std::size_t k = first + 1; k < last; ++k) {
        ++at;
        all = {std::min(all.begin, at->second.begin), std::max(all.end, at->second.end)};
    }
    return all;
}

std::vector<Stretch> moments_in_time(const Stepping& stepping, const Timeline& timeline) {
    const Recorded runs = recorded(timeline);
    const auto run_of = [](const Moment& moment) {
        return OneRun{*moment.line, static_cast<std::uint32_t>(moment.iteration)};
    };
    std::map<OneRun, std::size_t> moments_of, seen;
    for (const Moment& moment : stepping.moments) {
        if (moment.line) {
            ++moments_of[run_of(moment)];
        }
    }
    std::vector<std::optional<Stretch>> known;
    for (const Moment& moment : stepping.moments) {
        std::optional<Stretch>& is = known.emplace_back();
        if (moment.line) {
            const OneRun run = run_of(moment);
            if (const auto steps = runs.find(run); steps != runs.end()) {
                is = part_of(steps->second, seen[run]++, moments_of[run]);
            }
        }
    }
    std::vector<Stretch> all(known.size());
    Time next = timeline.end();
    for (std::size_t k = known.size(); k-- > 0;) {
        all[k] = known[k].value_or(Stretch{next, next});
        next = all[k].begin;
    }
    all.front() = {}; // A and B lie on the chips before anything begins.
    return all;
}

} // namespace

Program enlarged(Program program, std::int64_t factor) {
    const auto larger = [&](GemmShape& shape) {
        shape.m *= factor;
        shape.n *= factor;
        shape.k *= factor;
    };
    larger(program.shape);
    for (Value& value : program.values) {
        value.rows *= factor;
        value.columns *= factor;
    }
    for (Operation& operation : program.operations) {
        if (auto* slice = std::get_if<Slice>(&operation)) {
            slice->slicing.block *= factor;
        } else if (auto* put = std::get_if<PutSlice>(&operation)) {
            put->slicing.block *= factor;
        } else if (auto* multiply = std::get_if<Multiply>(&operation)) {
            larger(multiply->shape);
        }
    }
    for (Fusion& fusion : program.fusions) {
        fusion.tile *= factor * factor;
    }
    return program;
}

Time StepperRun::clock(std::size_t moment) const {
    const Stretch& is = under_way[moment];
    return is.begin + Time((is.end - is.begin).value() / 2);
}

Result<StepperRun> simulate_steps(const Stepping& stepping, const RunControl& control) {
    const Program program = enlarged(stepping.program, simulated_block);
    const int axes = program.torus.axis_count();
    const Result<Machine> hardware = program.fusions.empty() ? machine_preset(axes < 3 ? "tpu-v5e" : "tpu-v4")
                                     : axes == 1             ? machine_preset("t3-paper")
                                                             : machine_preset("t3-torus");
    if (!hardware) {
        return refuse(hardware.error());
    }
    Result<TrainingStep> step = program_step(
        program, say("each number a block of {0} x {0}, on {1}", simulated_block, hardware->title),
        stepping.schedule, *hardware, Depth::simulate, control);
    if (!step) {
        return refuse(step.error());
    }
    const StepConditions made{*hardware, {stepping.schedule, {}}, program.torus};
    StepperRun run{
        std::make_shared<const StepRun>(std::make_shared<const TrainingStep>(*std::move(step)), made), {}};
    run.under_way = moments_in_time(stepping, *run.step().gemms.front().timeline);
    return run;
}

std::size_t moment_at(std::span<const Stretch> under_way, Time now) {
    std::size_t last = 0;
    for (std::size_t k = 1; k < under_way.size(); ++k) {
        if (under_way[k].begin <= now && under_way[k].begin >= under_way[last].begin) {
            last = k;
        }
    }
    return last;
}

} // namespace meshslice
