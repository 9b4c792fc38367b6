#include "core/question/catalogue/network/hlo_collective.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/questions.h"
#include "core/question/question.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using DeviceGroups = std::set<std::set<std::int64_t>>;

/// The devices that differ along these axes alone, numbered as jax.make_mesh does: the last axis fastest.
DeviceGroups groups_along(const NamedMesh& mesh, unsigned axes) {
    std::vector<std::set<std::int64_t>> by_rest(static_cast<std::size_t>(mesh.devices()));
    for (std::int64_t device = 0; device < mesh.devices(); ++device) {
        std::int64_t left = device, rest = 0, stride = 1;
        for (std::size_t k = mesh.axes.size(); k-- > 0;) {
            const std::int64_t at = left % mesh.axes[k].size;
            left /= mesh.axes[k].size;
            rest += (axes >> k & 1U) != 0 ? 0 : at * stride;
            stride *= mesh.axes[k].size;
        }
        by_rest[static_cast<std::size_t>(rest)].insert(device);
    }
    DeviceGroups made;
    for (std::set<std::int64_t>& one : by_rest) {
        if (!one.empty()) {
            made.insert(std::move(one));
        }
    }
    return made;
}

std::string axes_names(const NamedMesh& mesh, unsigned axes) {
    std::string words;
    for (std::size_t k = 0; k < mesh.axes.size(); ++k) {
        words += (axes >> k & 1U) != 0 ? std::string(1, mesh.axes[k].name) : std::string();
    }
    return words;
}

} // namespace

std::span<const HloShape> hlo_made(const HloOperation& operation) {
    const std::span<const HloShape> all = operation.results;
    const std::size_t operands = operation.operands.size();
    const bool both = operation.opcode.ends_with("-start") && operation.collective != "all-reduce" &&
                      operands > 0 && all.size() >= 2 * operands;
    return both ? all.subspan(operands, operands) : all;
}

double hlo_made_bytes(const HloOperation& operation) {
    double bytes = 0;
    for (const HloShape& one : hlo_made(operation)) {
        if (one.bits() == 0) {
            return 0;
        }
        bytes += one.bytes();
    }
    return bytes;
}

std::string hlo_axes_of(const HloOperation& operation, const NamedMesh& mesh) {
    DeviceGroups groups;
    for (const std::vector<std::int64_t>& one : operation.groups) {
        groups.insert({one.begin(), one.end()});
    }
    const unsigned all = (1U << mesh.axes.size()) - 1;
    const bool everybody = groups.size() == 1 && groups.begin()->empty();
    if (everybody && operation.pairs.empty()) {
        return axes_names(mesh, all);
    }
    std::string found;
    for (unsigned axes = 1; axes <= all && operation.pairs.empty(); ++axes) {
        const std::string names = axes_names(mesh, axes);
        if (groups_along(mesh, axes) == groups && (found.empty() || names.size() < found.size())) {
            found = names;
        }
    }
    for (unsigned axis = 1; axis <= all && !operation.pairs.empty() && found.empty(); axis *= 2) {
        const DeviceGroups along = groups_along(mesh, axis);
        const bool within = std::ranges::all_of(operation.pairs, [&](const auto& pair) {
            return std::ranges::any_of(along, [&](const std::set<std::int64_t>& one) {
                return one.contains(pair.first) && one.contains(pair.second);
            });
        });
        found = within ? axes_names(mesh, axis) : found;
    }
    return found;
}

namespace {

std::int64_t devices_along(const NamedMesh& mesh, unsigned axes) {
    std::int64_t devices = 1;
    for (std::size_t k = 0; k < mesh.axes.size(); ++k) {
        devices *= (axes >> k & 1U) != 0 ? mesh.axes[k].size : 1;
    }
    return devices;
}

std::string devices_text(const std::set<std::int64_t>& devices) {
    return shortened(fmt::format("{}", fmt::join(devices, ", ")));
}

std::string why_pairs_go_along_none(const HloOperation& operation, const NamedMesh& mesh) {
    for (const auto& [from, to] : operation.pairs) {
        unsigned differ = 0;
        std::int64_t a = from, b = to;
        for (std::size_t k = mesh.axes.size(); k-- > 0;) {
            const std::int64_t size = mesh.axes[k].size;
            differ |= a % size != b % size ? 1U << k : 0U;
            a /= size;
            b /= size;
        }
        if ((differ & (differ - 1)) != 0) {
            return say("Device {} sends to {}, which differs along {} of {}; expected pairs along one axis.",
                       from, to, axes_names(mesh, differ), text(mesh));
        }
    }
    return say("Its pairs go along more than one axis of {}.", text(mesh));
}

} // namespace

std::string why_no_hlo_axes(const HloOperation& operation, const NamedMesh& mesh) {
    std::int64_t last = -1;
    for (const std::vector<std::int64_t>& group : operation.groups) {
        last = group.empty() ? last : std::max(last, *std::ranges::max_element(group));
    }
    for (const auto& [from, to] : operation.pairs) {
        last = std::max({last, from, to});
    }
    if (last < 0) {
        return said("The text does not say which devices do it together.");
    }
    if (last >= mesh.devices()) {
        return say("Device {} takes part, and {} has {} devices.", last, text(mesh), mesh.devices());
    }
    if (!operation.pairs.empty()) {
        return why_pairs_go_along_none(operation, mesh);
    }
    const std::set<std::int64_t> first(operation.groups.front().begin(), operation.groups.front().end());
    const auto size = static_cast<std::int64_t>(first.size());
    const auto other =
        std::ranges::find_if(operation.groups, [&](const auto& one) { return one.size() != first.size(); });
    if (other != operation.groups.end()) {
        return say("Its groups have {} and {} devices; along axes all have as many.", size, other->size());
    }
    if (size == 1) {
        return said("Each group is one device, which sends nothing.");
    }
    const std::int64_t in_groups = size * static_cast<std::int64_t>(operation.groups.size());
    if (in_groups < mesh.devices()) {
        return say("{} of the {} devices of {} take part.", in_groups, mesh.devices(), text(mesh));
    }
    const unsigned all = (1U << mesh.axes.size()) - 1;
    for (unsigned axes = 1; axes <= all; ++axes) {
        if (devices_along(mesh, axes) == size) {
            return say("Its groups have {} devices, as along {}, but the first one is {}; along {} it is {}.",
                       size, axes_names(mesh, axes), devices_text(first), axes_names(mesh, axes),
                       devices_text(*groups_along(mesh, axes).begin()));
        }
    }
    return say("Its groups have {} devices, and no axes of {} have as many together.", size, text(mesh));
}

namespace {

/// Bytes as the question about collectives takes them, of the whole array over these devices: after a gather,
/// before a scatter; of an all-to-all the parts of all devices; of a permute what one sends. 0: not known.
double whole_bytes(const HloOperation& operation, std::int64_t devices) {
    const bool of_a_part = operation.collective == "reduce-scatter" || operation.collective == "all-to-all";
    return hlo_made_bytes(operation) * (of_a_part ? static_cast<double>(devices) : 1);
}

} // namespace

HloCost hlo_cost(const HloOperation& operation, const NamedMesh& mesh, const std::string& axes,
                 const HloChip& chip) {
    std::string along;
    std::int64_t devices = 1;
    for (const MeshAxis& axis : mesh.axes) {
        if (axes.find(axis.name) != std::string::npos) {
            along += fmt::format("{}{}={}", along.empty() ? "" : ",", axis.name, axis.size);
            devices *= axis.size;
        }
    }
    if (along.empty()) {
        return {.why_not = why_no_hlo_axes(operation, mesh)};
    }
    const double bytes = whole_bytes(operation, devices);
    if (!(bytes > 0)) {
        const auto made = hlo_made(operation);
        const bool known = std::ranges::all_of(made, [](const HloShape& one) { return one.bits() > 0; });
        return {.why_not = known ? said("It makes 0 bytes.") : said("The size of its type is not known.")};
    }
    const std::string what =
        operation.collective == "collective-permute" ? "send-recv" : operation.collective;
    const bool quoted = chip.asked.find(' ') != std::string::npos;
    const std::string on = chip.asked.empty() ? std::string()
                           : quoted           ? fmt::format(" --machine \"{}\"", chip.asked)
                                              : " --machine " + chip.asked;
    HloCost cost{fmt::format("meshslice collective {} --bytes {:.0f} --axes {}{}", what, bytes, along, on)};
    if (!chip.machine) {
        return cost;
    }
    const Question question = collective_question();
    Result<Asked> asked =
        asked_of(question, {{"collective", what}, {"axes", along}, {"bytes", fmt::format("{:.0f}", bytes)}},
                 Speech::flags);
    if (asked) {
        asked->own["hardware"] = chip.value;
    }
    const Result<Tree> numbers = asked ? numbers_of(*asked, {}) : Result<Tree>(refuse(asked.error()));
    if (!numbers) {
        return {.why_not = numbers.error().sentence};
    }
    if (const Tree* const seconds = value_at(*asked, *numbers, "time_in_s")) {
        cost.seconds = seconds->number();
    }
    if (const Tree* const seconds = value_at(*asked, *numbers, "expected_in_s")) {
        cost.expected = seconds->number();
    }
    return cost;
}

} // namespace meshslice
