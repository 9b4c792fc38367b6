#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/edit.h"
#include "core/model/gemm.h"
#include "core/report/summary/summary.h"
#include "core/report/words/block_words.h"
#include "core/report/words/headline.h"
#include "core/report/words/machine_words.h"
#include "core/report/words/why_words.h"
#include "core/step/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshslice {
namespace {

/// What the core does not multiply for, by place and activity.
struct Wait {
    const char* name; ///< to be said()
    Role role;
};
Wait wait_for(Place place, Activity activity) {
    switch (activity) {
    case Activity::launch: return {"launches", Role::launch};
    case Activity::sync: return {"synchronization", Role::sync};
    case Activity::compute: return {"waits for other chips", Role::waits};
    case Activity::transfer:
        switch (place) {
        case Place::vertical_links: return {"exposed vertical transfers", Role::transferVertical};
        case Place::horizontal_links: return {"exposed horizontal transfers", Role::transferHorizontal};
        default: return {"exposed transfers of the third axis", Role::transferThird};
        }
    default: return {"copies of slices", Role::slicing};
    }
}

void add(std::vector<SummaryPart>& parts, const Wait& wait, double amount, bool exposed) {
    if (amount <= 0) {
        return;
    }
    const std::string name = said(wait.name);
    const auto same = std::ranges::find(parts, name, &SummaryPart::name);
    if (same != parts.end()) {
        same->amount += amount;
    } else {
        parts.push_back({name, amount, 0, wait.role, exposed});
    }
}

/// All of it, as the chip that ends last spends it; empty where nothing is known of it.
std::vector<SummaryPart> waits_of(const StepWhy& why) {
    const CauseTimes all = all_phases(why.exposed);
    std::vector<SummaryPart> parts;
    for (std::size_t place = 0; place < resource_count; ++place) {
        for (std::size_t activity = 0; activity < activity_count; ++activity) {
            const Time time = all.times[place][activity];
            const auto kind = static_cast<Activity>(activity);
            add(parts, wait_for(static_cast<Place>(place), kind), in_seconds(time),
                kind == Activity::transfer || kind == Activity::compute);
        }
    }
    return parts;
}

/// The same of the average chip, where no path was followed.
std::vector<SummaryPart> waits_of(const TrainingStep& step) {
    std::vector<SummaryPart> parts;
    const double exposed = in_seconds(step.usage.exposed);
    add(parts, {"exposed communication", Role::transferHorizontal}, exposed, true);
    add(parts, {"launches", Role::launch}, in_seconds(step.time) - in_seconds(step.usage.compute) - exposed,
        false);
    return parts;
}

std::vector<SummaryPart> time_of(const TrainingStep& step, const StepWhy* why) {
    std::vector<SummaryPart> waits = why != nullptr ? waits_of(*why) : std::vector<SummaryPart>();
    if (waits.empty()) {
        waits = waits_of(step);
    }
    std::ranges::stable_sort(waits, std::ranges::greater{}, &SummaryPart::amount);
    const double all = in_seconds(step.time);
    double computes = all;
    for (const SummaryPart& wait : waits) {
        computes -= wait.amount;
    }
    std::vector<SummaryPart> parts = {{said("multiplication"), computes, 0, Role::compute, false}};
    parts.insert(parts.end(), waits.begin(), waits.end());
    for (SummaryPart& part : parts) {
        part.share = all > 0 ? part.amount / all : 0;
    }
    return parts;
}

std::string chips_words(const TrainingStep& step, const Scenario& scenario) {
    return say("{} chips of {}", step.torus.chips(), short_title(scenario.hardware));
}

/// FLOP utilization as the paper defines it, section 5.1.1.
std::string utilization_formula(const TrainingStep& step, const Scenario& scenario) {
    return say("FLOP utilization = {} / ({} chips x {} x {}) = {}", text(step.flop), step.torus.chips(),
               text(scenario.hardware.peak_rate(scenario.assume.schedule.type)), text(step.time),
               percent_text(step.utilization));
}

std::vector<std::string> warnings_of(const TrainingStep& step, const Scenario& scenario,
                                     const std::string& estimated_because) {
    std::vector<std::string> warnings;
    if (!estimated_because.empty()) {
        warnings.push_back(say("Estimated by the closed form. {}", estimated_because));
        if (!scenario.assume.faults.none() && step.faults.none()) {
            warnings.push_back(said("Its faults are left out: an estimate assumes a healthy machine."));
        }
    }
    for (const std::string& note : {memory_note(step, scenario), edited_note(scenario.hardware),
                                    ring_note(scenario), assumed_note(scenario.hardware)}) {
        if (!note.empty()) {
            warnings.push_back(note);
        }
    }
    return warnings;
}

} // namespace

Summary step_summary(const TrainingStep& step, const Scenario& scenario, const StepWhy* why,
                     const std::string& estimated_because) {
    Summary made;
    const std::string where = chips_words(step, scenario);
    made.of = step.blocks == 0
                  ? say("One GEMM, {}, on {}",
                        step.gemms.empty() ? std::string() : text(step.gemms[0].gemm.shape), where)
                  : say("One block of {}, forward and backward, on {}", scenario.model.title, where);
    made.how = way_words(step);
    made.seconds = in_seconds(step.time);
    made.number = text(step.time);
    made.of_peak = say("{} of the peak of all chips, {} each in {}", percent_text(step.utilization),
                       text(scenario.hardware.peak_rate(scenario.assume.schedule.type)),
                       name(scenario.assume.schedule.type));
    made.warnings = warnings_of(step, scenario, estimated_because);
    made.not_counted = left_out_words(step);
    made.parameters =
        step.blocks == 0
            ? 0.0
            : static_cast<double>(layer_parameters(scenario.model) + embedding_parameters(scenario.model));
    made.chips = step.torus.chips();
    made.fits = step.fits();
    const std::string room = room_text(step.memory.bytes(), step.capacity);
    made.fit = made.fits ? say("Fits: {} of a chip", room) : say("Does not fit: {} of a chip", room);
    made.capacity = static_cast<double>(step.capacity.value());
    made.memory = memory_summary(step.memory, step.blocks == 0);
    made.bound = why != nullptr ? bound_by(step, *why) : bound_by(step);
    made.time = time_of(step, why);
    made.formulas = {utilization_formula(step, scenario), memory_formula(made)};
    return made;
}

} // namespace meshslice
