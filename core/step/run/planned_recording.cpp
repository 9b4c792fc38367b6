#include "core/step/run/planned_recording.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"
#include "core/step/distinct_gemms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace meshslice {
namespace {

bool fits(const Scenario& scenario, const RunControl& control) {
    const auto planned = planned_recording(scenario, scenario.plan.algorithm, control);
    return planned && planned->fits();
}

/// The largest slice count that fits; none where none does, or slices are not what is too many.
std::optional<std::int64_t> slices_that_fit(const Scenario& scenario, const RunControl& control) {
    const std::vector<std::int64_t> counts = slice_choices(scenario);
    const auto with = [&](std::int64_t count) {
        Scenario fewer = scenario;
        fewer.plan.slices = count;
        return fewer;
    };
    // More slices never leave fewer intervals.
    const auto first_too_many =
        std::ranges::partition_point(counts, [&](std::int64_t count) { return fits(with(count), control); });
    return first_too_many == counts.begin() ? std::nullopt : std::optional(*std::prev(first_too_many));
}

/// On more chips than this, asking what would fit takes longer than a person waits for a refusal.
constexpr std::int64_t most_asked_chips = 4096;

/// The first mesh that fits and on which the algorithm runs when the longest axis is halved again and again.
std::optional<std::vector<std::int32_t>> mesh_that_fits(Scenario scenario, const RunControl& control) {
    for (;;) {
        const auto longest = std::ranges::max_element(scenario.mesh);
        if (longest == scenario.mesh.end() || *longest % 2 != 0 || control.stop.stop_requested()) {
            return std::nullopt;
        }
        *longest /= 2;
        if (chips_of(scenario.mesh) <= most_asked_chips && fits(scenario, control)) {
            return scenario.mesh;
        }
    }
}

} // namespace

std::string text(const Recording& recording) {
    const auto count = static_cast<double>(recording.most());
    const std::string bytes = text(recording.bytes());
    const std::string all = count < 1e6
                                ? say("{} busy intervals, {}", number_text(count), bytes)
                                : say("{} million busy intervals, {}", number_text(count / 1e6), bytes);
    return recording.cuts > 0 ? say("up to {}", all) : all;
}

std::vector<std::size_t> first_of_its_kind(const std::vector<GemmResult>& results) {
    std::vector<Gemm> gemms;
    for (const GemmResult& result : results) {
        gemms.push_back(result.gemm);
    }
    return distinct_gemms(gemms);
}

std::vector<std::int64_t> planned_intervals(const std::vector<GemmResult>& gemms, const Scenario& scenario,
                                            const Conditions& conditions, const std::stop_token& stop) {
    std::vector<std::int64_t> intervals(gemms.size());
    const std::vector<std::size_t> first = first_of_its_kind(gemms);
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        if (first[k] == k) { // Else it shares the other's.
            intervals[k] = recorded_intervals(*gemms[k].program, scenario.hardware, scenario.assume.schedule,
                                              conditions, stop);
        }
    }
    return intervals;
}

Recording recording_of(const std::vector<std::int64_t>& intervals) {
    // A GEMM that would not fit a thousand times over counts like one that would not fit ten thousand
    // times, so that no sum overflows.
    constexpr std::int64_t most = 10'000 * most_intervals;
    Recording recording;
    for (const std::int64_t product : intervals) {
        recording.intervals += std::min(product, most);
        recording.largest = std::max(recording.largest, std::min(product, most));
    }
    return recording;
}

Result<Recording> planned_recording(const Scenario& scenario, const std::string& algorithm_id,
                                    const RunControl& control) {
    const auto step = training_step(scenario, algorithm_id, Depth::estimate, {control.stop, nullptr});
    if (!step) {
        return refuse(step.error());
    }
    const auto algorithm = meshslice::algorithm(algorithm_id);
    const Result<Conditions> conditions = conditions_of(scenario, **algorithm);
    if (!conditions) {
        return refuse(conditions.error());
    }
    const std::vector<std::int64_t> planned =
        planned_intervals(step->gemms, scenario, *conditions, control.stop);
    Recording recording = recording_of(planned);
    const std::vector<std::size_t> first = first_of_its_kind(step->gemms);
    for (std::size_t k = 0; k < first.size(); ++k) {
        if (first[k] == k) {
            recording.cuts += most_cuts(*step->gemms[k].program, scenario.hardware, scenario.assume.schedule,
                                        *conditions, control.stop);
        }
    }
    return control.stop.stop_requested() ? Result<Recording>(cancelled()) : recording;
}

Error too_large(const Recording& recording, const Scenario& scenario, const std::string& algorithm,
                const RunControl& control) {
    Scenario with = scenario;
    with.plan.algorithm = algorithm;
    std::vector<std::string> ways;
    if (const auto slices =
            chips_of(scenario.mesh) <= most_asked_chips ? slices_that_fit(with, control) : std::nullopt) {
        ways.push_back(fmt::format("S = {}", *slices));
    }
    if (const auto mesh = mesh_that_fits(with, control)) {
        ways.push_back(say("the mesh {}", fmt::join(*mesh, "x")));
    }
    if (recording.largest < recording.intervals && Recording{recording.largest}.fits()) {
        ways.push_back(said("one GEMM alone"));
    }
    if (control.stop.stop_requested()) {
        return cancelled().value();
    }
    return {
        ways.empty()
            ? say("Too large to simulate: {}; at most {}, are kept in memory. A smaller mesh may fit; the "
                  "estimate has no such limit.",
                  text(recording), text(Recording{most_intervals}))
            : say("Too large to simulate: {}; at most {}, are kept in memory. It fits with {}; the estimate "
                  "has no such limit.",
                  text(recording), text(Recording{most_intervals}), listed(ways, "or"))};
}

} // namespace meshslice
