#include "core/report/machine_words.h"

#include "core/base/listing.h"
#include "core/hardware/edit.h"
#include "core/hardware/fields.h"
#include "core/scenario/meshes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
        if (scenario.wraps[axis] && !closes(pod, scenario.mesh[axis], chips)) {
            open.emplace_back(names[axis]);
        }
    }
    if (open.empty()) {
        return {};
    }
    std::string where = pod.ring_axis.value > 0
                            ? fmt::format("along axes whose size is a multiple of {}", pod.ring_axis.value)
                            : std::string("along every axis");
    if (pod.ring_mesh.value > 0) {
        where += fmt::format(" in meshes whose number of chips is a multiple of {}", pod.ring_mesh.value);
    }
    return fmt::format("{} has no wrap-around links along the {} {} of {}: it has them {}.",
                       scenario.hardware.title, listed(open), open.size() == 1 ? "axis" : "axes",
                       fmt::join(scenario.mesh, "x"), where);
}

std::string assumed_note(const Hardware& hardware) {
    std::vector<std::string> assumed;
    for (const HardwareFact& fact : facts(hardware)) {
        if (fact.source.starts_with("Assumed") || fact.source.starts_with("Estimate")) {
            assumed.push_back(fmt::format("{} ({})", fact.label, fact.value));
        }
    }
    return assumed.empty() ? std::string()
                           : fmt::format("Assumed or estimated, not published: {}.", listed(assumed));
}

std::string edited_note(const Hardware& hardware) {
    std::vector<std::string> changes;
    const std::vector<EditedNumber> own = edits_of_no_preset(hardware);
    for (const EditedNumber& one : own.empty() ? edits(hardware) : own) {
        changes.push_back(fmt::format("{} {} instead of {}{}", one.name, one.value, one.preset,
                                      one.change == one.value ? "" : fmt::format(" ({})", one.change)));
    }
    if (changes.empty()) {
        return {};
    }
    return own.empty() ? fmt::format("The hardware is {} with {}.", origin(hardware)->title, listed(changes))
                       : fmt::format("The hardware is {}, with {}.", hardware.title, listed(changes));
}

} // namespace meshslice
