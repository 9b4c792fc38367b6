#include "core/report/words/why_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/report/words/resource_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

std::string when(Phase phase) {
    switch (phase) {
    case Phase::prologue: return said("before the first multiplication");
    case Phase::steady: return said("in the steady state");
    case Phase::epilogue: break;
    }
    return said("after the last multiplication");
}

std::string what_words(Place place, Activity activity, const Torus& torus) {
    if (place == Place::core) {
        return said(activity == Activity::compute ? "multiplications of slower chips"
                                                  : "launches of multiplications");
    }
    const std::string links = resource_words(place, torus);
    return activity == Activity::launch ? say("launches of {}", links)
           : activity == Activity::sync ? say("synchronizations of {}", links)
           : activity == Activity::copy ? say("copies of slices for {}", links)
                                        : say("transfers of {}", links);
}

struct Cause {
    Time time;
    std::string what;
    std::string when;
};

/// What the path does while the core does not multiply, the longest first.
std::vector<Cause> causes_of(const PhaseTimes& exposed, const Torus& torus) {
    std::vector<Cause> causes;
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
        for (std::size_t place = 0; place < resource_count; ++place) {
            for (std::size_t activity = 0; activity < activity_count; ++activity) {
                if (const Time time = exposed[phase].times[place][activity]; time > Time(0)) {
                    causes.push_back(
                        {time, what_words(static_cast<Place>(place), static_cast<Activity>(activity), torus),
                         when(static_cast<Phase>(phase))});
                }
            }
        }
    }
    std::ranges::stable_sort(causes, std::ranges::greater{}, &Cause::time);
    return causes;
}

/// Two causes, saying once what they have in common.
std::string both_words(const Cause& one, const Cause& other) {
    if (one.what == other.what) {
        return say("{} {} and {}", one.what, one.when, other.when);
    }
    if (one.when == other.when) {
        return say("{} and {} {}", one.what, other.what, one.when);
    }
    return say("{} {} and {} {}", one.what, one.when, other.what, other.when);
}

/// "; 7.2% of the time is exposed, mostly synchronizations of the vertical links before the first
/// multiplication": the longest cause, or two where it is less than half of it. With faults the chips of the
/// critical path wait less, or more, than others.
std::string exposed_words(const PhaseTimes& exposed, Time time, const Torus& torus, const Faults& faults) {
    const std::vector<Cause> causes = causes_of(exposed, torus);
    if (causes.empty()) {
        return {};
    }
    const Time all = all_phases(exposed).total();
    const bool two = causes.size() > 1 && ratio(causes.front().time, all) < 0.5;
    const bool more = causes.size() > (two ? 2u : 1u);
    const Time named = causes.front().time + (two ? causes[1].time : Time(0));
    const std::string share = !more                      ? std::string()
                              : ratio(named, all) >= 0.5 ? said("mostly ")
                                                         : said("led by ");
    const std::string led =
        share + (two ? both_words(causes[0], causes[1]) : say("{0} {1}", causes[0].what, causes[0].when));
    return faults.none()
               ? say("; {} of the time is exposed, {}", percent_text(ratio(all, time)), led)
               : say("; {} of the critical path is exposed, {}", percent_text(ratio(all, time)), led);
}

/// "Bound by the vertical links: twice their bandwidth ...", the same answer as the headline's.
std::string bottleneck_words(const Bottleneck& bottleneck, const Torus& torus) {
    const std::string words = capitalized(bound_words(bottleneck, torus));
    const std::string saving = saving_words(bottleneck, torus);
    return saving.empty() ? words : words + said(": ") + saving;
}

bool by_links(const Bottleneck& bottleneck) {
    return bottleneck.part && is_links(*bottleneck.part);
}

std::string faster_words(std::int64_t percent) {
    if (percent < 100) {
        return say("links {}% faster", percent);
    }
    // Rounded up, so that it is enough.
    return say("links {} times as fast", number_text(static_cast<double>((percent + 109) / 10) / 10));
}

bool saves_enough(Time now, Time then) {
    return ratio(now - then, now) >= worth_telling;
}

std::string less_time(Time now, Time then) {
    return say("would take {} less time", percent_text(ratio(now - then, now)));
}

/// "; one chip's GEMM takes 1.54 ms in 8 slices and 1.01 ms whole: slicing costs 531 us, 27% of the time".
std::string slicing_words(const SlicingCost& slicing, Time time) {
    return ratio(slicing.cost(), time) < worth_telling
               ? std::string()
               : say("; one chip's GEMM takes {} in {} slices and {} whole: slicing costs {}, {} of the "
                     "time",
                     text(slicing.sliced), slicing.slices, text(slicing.whole), text(slicing.cost()),
                     percent_text(ratio(slicing.cost(), time)));
}

/// Of a GEMM that its links bound.
std::string link_remedies(const Remedies& remedies, const Program& program) {
    const bool paced = remedies.faster_links_percent == 0; // by compute already
    const std::string slices = !paced && remedies.slices && remedies.slices_make_compute_set_the_pace
                                   ? fmt::format("S = {}", *remedies.slices)
                                   : std::string();
    std::vector<std::string> means;
    if (remedies.faster_links_hide_transfers) {
        means.push_back(faster_words(*remedies.faster_links_percent));
    }
    if (!slices.empty()) {
        means.push_back(slices);
    }
    std::string words = means.empty()
                            ? std::string()
                            : say("; {} would hide the transfers of the steady state", listed(means, "or"));
    if (!remedies.faster_links_percent && program.iterations > 1) {
        const std::string because =
            !remedies.overheads_outlast_compute ? said("communication and compute wait for each other")
            : remedies.copies_slices
                ? said("launches, copies of slices and synchronizations alone last longer than the "
                       "multiplications")
                : said("launches and synchronizations alone last longer than the multiplications");
        words += say("; even infinitely fast links would not make it compute-bound: {}", because);
    }
    return words;
}

/// "; without contention for memory it would take 1.36 ms, 11% less time".
std::string contention_words(const std::optional<Time>& uncontended, Time time) {
    return !uncontended || ratio(time - *uncontended, time) < worth_telling
               ? std::string()
               : say("; without contention for memory it would take {}, {} less time", text(*uncontended),
                     percent_text(ratio(time - *uncontended, time)));
}

/// "; with the ring's links at 25% of their bandwidth it would take 14% less time: in bursts they take HBM
/// bandwidth that the multiplications need".
std::string slower_words(const std::optional<SlowerPart>& slower, Time time, const Torus& torus) {
    if (!slower) {
        return {};
    }
    const Part part = slower->part;
    const std::string percent = percent_text(1 / slower->times);
    const std::string with =
        part == Part::latency
            ? say("with launches and synchronizations {} times as long", number_text(slower->times))
        : part == Part::memory ? say("with {} of the HBM bandwidth", percent)
        : is_links(part)       ? say("with {} at {} of their bandwidth", part_words(part, torus), percent)
                               : say("with {} of the FLOP/s", percent);
    const std::string saves = say("; {} it {}", with, less_time(time, slower->time));
    const std::string because =
        slower->freed == Freed::folded_links
            ? said("chips then send in step and share the folded ring's links less")
        : slower->freed == Freed::memory_for_cores
            ? said("in bursts they take HBM bandwidth that the multiplications need")
        : slower->freed == Freed::memory_for_links
            ? said(part == Part::links || torus.axis_count() == 1
                       ? "in bursts they take HBM bandwidth from each other and from copies"
                       : "in bursts they take HBM bandwidth that other links and copies need")
            : std::string();
    return because.empty() ? saves : saves + said(": ") + because;
}

std::string healthy_words(Time healthy, const Faults& faults) {
    return faults.parts.empty()      ? say("; without jitter it would take {}.", text(healthy))
           : faults.jitter > Time(0) ? say("; without faults and jitter it would take {}.", text(healthy))
                                     : say("; without faults it would take {}.", text(healthy));
}

std::string fault_words(const FaultOnPath& fault, Time time) {
    const std::string saves = percent_text(ratio(fault.saves, time));
    return fault.speed == 0
               ? say("The dead {} sets the pace: repairing it would save {} of the time", fault.part, saves)
               : say("The {} at {}% of its speed sets the pace: repairing it would save {} of the time",
                     fault.part, number_text(100 * fault.speed), saves);
}

/// What bounds a run: one fault, all of them, or a part of every chip.
std::string bound_words(const Bound& bound, Time time, const Torus& torus) {
    if (bound.jitter) {
        return say("Bound by jitter: without it {} of the time would be saved",
                   percent_text(ratio(time - *bound.steady, time)));
    }
    if (bound.fault) {
        return fault_words(*bound.fault, time);
    }
    return bound.faults_together ? say("Bound by its faults together: their repair would save {} of the time",
                                       percent_text(ratio(time - *bound.repaired, time)))
                                 : bottleneck_words(bound.bottleneck, torus);
}

} // namespace

std::string bound_by(const TrainingStep& step, const StepWhy& why) {
    const Bound& bound = why.products.size() == 1 ? static_cast<const Bound&>(why.products.front()) : why;
    return bound.jitter            ? said("bound by jitter")
           : bound.fault           ? say("bound by {}", bound.fault->part)
           : bound.faults_together ? said("bound by its faults together")
                                   : bound_words(bound.bottleneck, step.torus);
}

std::string why_sentence(const GemmResult& result, const ProductWhy& why, const Faults& faults) {
    const Torus& torus = result.program->torus;
    const Time time = result.timeline->end();
    const bool links = by_links(why.bottleneck);
    std::string sentence = bound_words(why, time, torus);
    if (!links || !faults.none()) {
        sentence += exposed_words(why.path->exposed, time, torus, faults);
    }
    if (why.healthy) {
        return sentence + healthy_words(*why.healthy, faults);
    }
    sentence += contention_words(why.uncontended, time);
    if (links) {
        sentence += link_remedies(why.remedies, *result.program);
    }
    if (why.slicing) {
        sentence += slicing_words(*why.slicing, time);
    }
    if (why.remedies.slices && saves_enough(time, why.remedies.time_with_slices)) {
        sentence += say("; S = {} {}", *why.remedies.slices, less_time(time, why.remedies.time_with_slices));
    }
    sentence += slower_words(why.remedies.slower, time, torus);
    return sentence + said(".");
}

namespace {

/// "all GEMMs", "3 of 12 GEMMs".
std::string gemms_words(std::size_t count, const TrainingStep& step) {
    return count == step.gemms.size() ? said("all GEMMs") : say("{} of {} GEMMs", count, step.gemms.size());
}

/// What would help the GEMMs of a step that their links bound.
std::string link_remedies(const TrainingStep& step, const StepWhy& why) {
    std::size_t bound = 0;
    std::size_t helped = 0;
    std::size_t hopeless = 0;
    std::int64_t percent = 0;
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        const ProductWhy& product = why.products[k];
        if (!by_links(step.gemms[k].bottleneck) || step.gemms[k].bottleneck.balanced()) {
            continue;
        }
        ++bound;
        if (product.remedies.faster_links_hide_transfers) {
            ++helped;
            percent = std::max(percent, *product.remedies.faster_links_percent);
        }
        // A single multiplication has no pace.
        hopeless += !product.remedies.faster_links_percent && step.gemms[k].program->iterations > 1 ? 1 : 0;
    }
    const bool most = by_links(step.bottleneck);
    std::string words;
    if (bound > 0 && !most) {
        words = bound == 1 ? say("; {} is bound by links", gemms_words(bound, step))
                           : say("; {} are bound by links", gemms_words(bound, step));
    }
    if (percent > 0) {
        words += say("; {} would hide the transfers of the steady state of {}", faster_words(percent),
                     gemms_words(helped, step));
    } else if (hopeless > 0 && most) {
        words +=
            say("; even infinitely fast links would not make {} compute-bound", gemms_words(hopeless, step));
    }
    return words;
}

/// What the best slice count of each GEMM would save, where they are given.
std::string slice_remedies(const TrainingStep& step, const StepWhy& why) {
    Time then;
    std::int64_t least = step.gemms.front().options.slices;
    std::int64_t most = 0;
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        const GemmResult& result = step.gemms[k];
        const Remedies& remedies = why.products[k].remedies;
        then += (remedies.slices ? remedies.time_with_slices : result.timeline->end()) * result.gemm.copies;
        const std::int64_t slices = remedies.slices.value_or(result.options.slices);
        least = k == 0 ? slices : std::min(least, slices);
        most = std::max(most, slices);
    }
    if (!saves_enough(step.time, then)) {
        return {};
    }
    const std::string slices =
        least == most ? fmt::format("S = {}", least) : say("the best S of each GEMM ({} to {})", least, most);
    return say("; {} {}", slices, less_time(step.time, then));
}

} // namespace

std::string why_sentence(const TrainingStep& step, const StepWhy& why) {
    if (step.gemms.empty()) {
        return {};
    }
    if (step.gemms.size() == 1) {
        return why_sentence(step.gemms.front(), why.products.front(), step.faults);
    }
    const Torus& torus = step.torus;
    std::string sentence = bound_words(why, step.time, torus);
    sentence += exposed_words(why.exposed, step.time, torus, step.faults);
    if (why.healthy) {
        return sentence + healthy_words(*why.healthy, step.faults);
    }
    sentence += contention_words(why.uncontended, step.time);
    sentence += link_remedies(step, why);
    if (ratio(why.slicing_cost, step.time) >= worth_telling) {
        sentence += say("; slices make the GEMMs themselves {} slower, {} of the time",
                        text(why.slicing_cost), percent_text(ratio(why.slicing_cost, step.time)));
    }
    return sentence + slice_remedies(step, why) + slower_words(why.slower, step.time, torus) + said(".");
}

} // namespace meshslice
