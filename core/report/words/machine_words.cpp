#include "core/report/words/machine_words.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"
#include "core/machine/edit.h"
#include "core/machine/fields.h"
#include "core/scenario/meshes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace meshslice {

std::string ring_note(const Scenario& scenario) {
    constexpr std::array<std::string_view, 3> names = {"vertical", "horizontal", "third"};
    const Pod& pod = scenario.hardware.pod;
    const std::int64_t chips = chips_of(scenario.mesh);
    std::vector<std::string> open;
    for (std::size_t axis = 0; axis < scenario.mesh.size() && axis < names.size(); ++axis) {
        if (scenario.wraps[axis] && !scenario.is_group() && !closes(pod, scenario.mesh[axis], chips)) {
            open.push_back(said(names[axis]));
        }
    }
    if (open.empty()) {
        return {};
    }
    std::string where = pod.ring_axis.value > 0
                            ? say("along axes whose size is a multiple of {}", pod.ring_axis.value)
                            : said("along every axis");
    if (pod.ring_mesh.value > 0) {
        where += say(" in meshes whose number of chips is a multiple of {}", pod.ring_mesh.value);
    }
    const std::string mesh = fmt::format("{}", fmt::join(scenario.mesh, "x"));
    return open.size() == 1 ? say("{} has no wrap-around links along the {} axis of {}: it has them {}.",
                                  scenario.hardware.title, listed(open), mesh, where)
                            : say("{} has no wrap-around links along the {} axes of {}: it has them {}.",
                                  scenario.hardware.title, listed(open), mesh, where);
}

std::string assumed_note(const Machine& hardware, AssumedFor what) {
    // How the source of a number begins that no publication states.
    constexpr std::array<std::string_view, 4> unpublished = {"Assumed", "Estimate", "Fitted",
                                                             "Chosen by the fit"};
    std::vector<std::string> assumed;
    for (const MachineFact& fact : facts(hardware)) {
        if (what == AssumedFor::plans && fact.source.ends_with("plans do not use it")) {
            continue;
        }
        if (std::ranges::any_of(unpublished,
                                [&](std::string_view word) { return fact.source.starts_with(word); })) {
            assumed.push_back(fmt::format("{} ({})", said(fact.label), fact.value));
        }
    }
    std::string note = assumed.empty()
                           ? std::string()
                           : say("Assumed, estimated or fitted, not published: {}.", listed(assumed));
    if (hardware.network.torus_axes() > 0 && hardware.pod.ring_axis.value == 0 &&
        hardware.pod.ring_mesh.value == 0) {
        note += (note.empty() ? "" : " ") +
                said("Which meshes have wrap-around links is not known: every axis is taken as a ring.");
    }
    return note;
}

std::string edited_note(const Machine& hardware) {
    std::vector<std::string> changes;
    const std::vector<EditedNumber> own = edits_of_no_preset(hardware);
    for (const EditedNumber& one : own.empty() ? edits(hardware) : own) {
        changes.push_back(say("{} {} instead of {}{}", said(one.name), one.value, one.preset,
                              one.change == one.value ? std::string() : fmt::format(" ({})", one.change)));
    }
    if (changes.empty()) {
        return {};
    }
    return own.empty() ? say("The hardware is {} with {}.", origin(hardware)->title, listed(changes))
                       : say("The hardware is {}, with {}.", hardware.title, listed(changes));
}

} // namespace meshslice
