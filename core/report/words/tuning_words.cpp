#include "core/report/words/tuning_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/gemm/algorithms.h"
#include "core/report/words/block_words.h"
#include "core/report/words/headline.h"
#include "core/report/words/machine_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::array<std::string_view, 3> link_names = {"vertical links", "horizontal links",
                                                        "third axis' links"};

/// How long the links of each axis work for all GEMMs, hidden or not.
std::array<Time, 3> communication(const TrainingStep& step) {
    std::array<Time, 3> sums{};
    for (const GemmResult& result : step.gemms) {
        for (std::size_t axis = 0; axis < sums.size(); ++axis) {
            sums[axis] += result.estimate.busy[axis] * result.gemm.copies;
        }
    }
    return sums;
}

Time total(const std::array<Time, 3>& axes) {
    return axes[0] + axes[1] + axes[2];
}

/// The axis of which at least half of what is exposed must be, because the others do not work for as
/// long.
std::optional<std::size_t> mostly_exposed(const TrainingStep& step) {
    const auto axes = communication(step);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if ((total(axes) - axes[axis]) * 2 <= step.usage.exposed) {
            return axis;
        }
    }
    return std::nullopt;
}

/// What it loses is either multiplied, or waited for.
std::string time_reason(const Candidate& candidate, const Candidate& best) {
    const TrainingStep& own = candidate.step;
    if (own.time <= best.step.time) {
        return said("as fast");
    }
    const Time multiplied = own.usage.compute - best.step.usage.compute;
    if (multiplied * 2 >= own.time - best.step.time) {
        return say("{} more of multiplying", text(multiplied));
    }
    const std::string exposed =
        say("{} of waiting (the best: {})", text(own.usage.exposed), text(best.step.usage.exposed));
    if (total(communication(own)) <= total(communication(best.step))) {
        return exposed;
    }
    const auto axis = mostly_exposed(own);
    const bool one_ring = algorithm(own.algorithm).value()->torus_axes == 1;
    return axis ? say("{}, mostly on its {}", exposed, one_ring ? said("ring") : said(link_names[*axis]))
                : exposed;
}

std::string after(const DataflowSearch& search, const DataflowPlan& plan) {
    if (plan.transpositions.empty()) {
        return said("nothing is transposed between layers");
    }
    std::vector<std::string> names;
    for (const std::size_t layer : plan.transpositions) {
        names.push_back(search.layers[layer].name);
    }
    return transposition_unavoidable(plan.layers)
               ? say("transposes the activations after {}, unavoidably", fmt::join(names, ", "))
               : say("transposes the activations after {}", fmt::join(names, ", "));
}

/// Which of the first candidates were simulated with the faults; empty where there are none, or none was.
std::string faults_note(const Tuning& tuning, const Scenario& scenario, std::size_t count) {
    std::vector<std::string> with;
    std::size_t simulated = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const Candidate& one = tuning.ranked[k];
        simulated += one.simulated ? 1 : 0;
        if (one.simulated_with_faults.value_or(false)) {
            with.push_back(one.title);
        }
    }
    if (scenario.assume.faults.parts.empty() || simulated == 0) {
        return {};
    }
    const std::string mesh = fmt::format("{}", fmt::join(scenario.mesh, "x"));
    if (with.size() == simulated) {
        return say("Simulated with the faults of {}.", mesh);
    }
    if (with.empty()) {
        return say("Simulated without the faults: they name places of {}, and none of these is on that "
                   "mesh. --mesh {} simulates with them.",
                   mesh, mesh);
    }
    return with.size() == 1
               ? say("On {}, {} is simulated with the faults; on other meshes their places are others, so "
                     "the rest is simulated without.",
                     mesh, listed(with))
               : say("On {}, {} are simulated with the faults; on other meshes their places are others, so "
                     "the rest is simulated without.",
                     mesh, listed(with));
}

} // namespace

std::string reason(const Tuning& tuning, const Candidate& candidate) {
    const Candidate& best = tuning.ranked.front();
    if (!candidate.step.fits()) {
        return say("does not fit: {}{}", room_text(candidate.step.memory.bytes(), candidate.step.capacity),
                   best.step.fits() && candidate.step.time < best.step.time ? said(", though faster")
                                                                            : std::string());
    }
    return &candidate == &best ? std::string() : time_reason(candidate, best);
}

std::string finding(const Tuning& tuning) {
    const Candidate& best = tuning.ranked.front();
    const TrainingStep& step = best.step;
    const std::string slices = slices_text(step);
    const std::string what = fmt::format("{} {}{}{}", best.title, mesh_text(step.torus),
                                         slices.empty() ? std::string() : said(", "), slices);
    const std::string time = say("{}, {} of peak", block_time_words(step), percent_text(step.utilization));
    const std::string room = room_text(step.memory.bytes(), step.capacity);
    if (!tuning.anything_fits()) {
        return say("Nothing fits into the memory of a chip. {} needs the least: {} per chip; {}. On more "
                   "chips{} each needs less.",
                   what, room, time, step.blocks > 0 ? said(", or with a smaller batch,") : std::string());
    }
    const auto equals = std::ranges::count_if(tuning.ranked,
                                              [&](const Candidate& one) {
                                                  return one.step.fits() && one.step.time == step.time;
                                              }) -
                        1;
    const std::string others = equals == 0   ? std::string()
                               : equals == 1 ? said("; one other is as fast")
                                             : say("; {} others are as fast", equals);
    return say("Best: {}: {}; {}{}", what, time, room, others);
}

std::string rings_note(const Tuning& tuning, const Scenario& scenario, std::size_t most) {
    std::vector<std::string> open; // meshes, the one that the note is of first
    std::string note;
    for (std::size_t k = 0; k < std::min(most, tuning.ranked.size()); ++k) {
        const Scenario one = applied(scenario, tuning.ranked[k]);
        const std::string mesh = fmt::format("{}", fmt::join(one.mesh, "x"));
        std::string own = ring_note(one);
        if (!own.empty() && std::ranges::find(open, mesh) == open.end()) {
            note = open.empty() ? std::move(own) : note;
            open.push_back(mesh);
        }
    }
    if (open.size() < 2) {
        return note;
    }
    open.erase(open.begin());
    return note + said(" ") +
           (open.size() == 1 ? say("{} has open rings too.", listed(open))
                             : say("{} have open rings too.", listed(open)));
}

std::string finding(const DataflowSearch& search) {
    const DataflowPlan& own = search.heuristic;
    std::string words =
        say("The largest matrix of each layer stays: {}, {}.", text(own.time), after(search, own));
    if (search.fastest.time == own.time) {
        words += said(" No other choice is faster.");
    } else {
        words +=
            say(" The fastest of all: {}, {}.", text(search.fastest.time), after(search, search.fastest));
        if (!search.fastest.transpositions.empty()) {
            words += say(" Without any transposition: {}.", text(search.untransposed.time));
        }
    }
    return words;
}

std::string simulation_note(const Tuning& tuning, const Scenario& scenario, std::size_t most) {
    const std::size_t count = std::min(most, tuning.ranked.size());
    std::vector<std::string> sentences;
    if (std::string note = faults_note(tuning, scenario, count); !note.empty()) {
        sentences.push_back(std::move(note));
    }
    std::array<const Candidate*, 2> last{}; // Without and with faults: only alike ones are compared.
    bool disagree = false;                  // is said once
    std::size_t missing = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const Candidate& one = tuning.ranked[k];
        if (!one.simulated) {
            if (++missing == 1) {
                sentences.push_back(say("{} on {} could not be simulated: {}", one.title,
                                        mesh_text(one.step.torus), one.not_simulated));
            }
            continue;
        }
        const Candidate*& before = last[one.simulated_with_faults.value_or(false) ? 1 : 0];
        if (before && !disagree && *one.simulated < *before->simulated && before->step.time < one.step.time) {
            disagree = true;
            sentences.push_back(
                say("Estimate and simulation disagree on the order: by estimate {} on {} comes "
                    "before {} on {} ({} against {}), by simulation after it ({} against {}).",
                    before->title, mesh_text(before->step.torus), one.title, mesh_text(one.step.torus),
                    text(before->step.time), text(one.step.time), text(*before->simulated),
                    text(*one.simulated)));
        }
        before = &one;
    }
    if (missing > 1) {
        sentences.push_back(missing == 2 ? said("1 other could not be simulated either.")
                                         : say("{} others could not be simulated either.", missing - 1));
    }
    return fmt::format("{}", fmt::join(sentences, said(" ")));
}

} // namespace meshslice
