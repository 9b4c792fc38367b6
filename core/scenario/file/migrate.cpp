#include "core/scenario/file/migrate.h"

#include "core/base/json/json_reader.h"
#include "core/machine/catalogue.h"
#include "core/scenario/meshes.h"
#include "core/torus/torus.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace meshslice {
namespace {

using nlohmann::json;

constexpr const char* version_key = "meshslice_scenario";
/// For which version 1 planned where it said nothing.
constexpr const char* planned_machine = "b200-nvs8";
constexpr std::int64_t planned_chips = 1024;

/// What an object says under a key, if it is of that type.
template <class T>
std::optional<T> said_under(const json& object, const char* key) {
    if (!object.is_object() || !object.contains(key)) {
        return std::nullopt;
    }
    const auto at = object.find(key);
    if constexpr (std::is_same_v<T, std::string>) {
        return at->is_string() ? std::optional(at->template get<std::string>()) : std::nullopt;
    } else {
        return at->is_number_integer() ? std::optional(at->template get<T>()) : std::nullopt;
    }
}

/// A tensor-parallel group of a plan had its rings in its machine, and has them in its wraps now.
void take_rings_out(json& machine, const Machine& preset) {
    const auto take = [&](const char* key, std::int64_t number, const std::string& source) {
        const auto at = machine.find(key);
        if (at != machine.end() &&
            said_under<std::string>(*at, "source") == "part of the larger torus of a plan") {
            if (source.empty()) {
                machine.erase(at);
            } else {
                *at = {{"value", number}, {"source", source}};
            }
        }
    };
    take("ring_axis_multiple_in_chips", preset.pod.ring_axis.value, preset.pod.ring_axis.source);
    take("ring_mesh_multiple_in_chips", preset.pod.ring_mesh.value, preset.pod.ring_mesh.source);
}

/// The mesh stays where the planned machine has it.
void fit_mesh(json& scenario, const Machine& machine) {
    Mesh mesh;
    const json sizes = scenario.value("mesh", json::array());
    if (!is_torus(machine) || !sizes.is_array() || sizes.size() > 3) {
        return;
    }
    for (const json& size : sizes) {
        const std::int64_t chips = size.is_number_integer() ? size.get<std::int64_t>() : 0;
        if (chips < 1 || chips > Torus::most_chips || chips * chips_of(mesh) > Torus::most_chips) {
            return; // The reader says what is wrong with it.
        }
        mesh.push_back(static_cast<std::int32_t>(chips));
    }
    if (!checked(mesh, machine)) {
        scenario["mesh"] = {1, 1};
        scenario.erase("wraps");
        scenario.erase("folded");
    }
}

/// Embedding, head, loss, logits, the optimizer's step, a reserve, and pipelines that do not divide.
void leave_out_of_plans(json& scenario) {
    if (!scenario.is_object() || (scenario.contains("planning") && !scenario["planning"].is_object())) {
        return; // and what is wrong with it the reader says
    }
    json& planning = scenario["planning"];
    planning["ends"] = "off";
    planning["optimizer_step"] = false;
    planning["reserve_in_bytes"] = 0;
    planning["stages"] = "even";
}

} // namespace

std::optional<json> one_machine(json& scenario) {
    if (said_under<std::int64_t>(scenario, version_key) != 1) {
        return std::nullopt;
    }
    scenario[version_key] = 2;
    const json asked = scenario.value("planning", json::object());
    const json cluster = asked.is_object() ? asked.value("cluster", json(planned_machine)) : json();
    if ((!scenario.contains("planning") && !scenario.contains("plan")) || !cluster.is_string()) {
        return std::nullopt; // and what is wrong with it the reader says
    }
    const Result<Machine> planned = machine_preset(cluster.get<std::string>());
    json rest = asked;
    rest.erase("cluster");
    rest["chips"] = asked.value("chips", json(planned_chips));
    const auto own = scenario.find("hardware");
    const bool named = own != scenario.end() && own->is_string() && *own == cluster;
    const auto its = [&](const char* key) { return own->contains(key) && (*own)[key] == cluster; };
    const bool group = planned && asked.contains("batch") && own != scenario.end() && own->is_object() &&
                       (its("name") || its("based_on"));
    if (named || group) {
        scenario["planning"] = std::move(rest);
        if (group) {
            take_rings_out(*own, *planned);
        }
        return std::nullopt;
    }
    json of_plan = scenario;
    of_plan["hardware"] = cluster;
    of_plan["planning"] = std::move(rest);
    of_plan.erase("gemm");
    of_plan.erase("faults"); // of the other machine's links
    if (planned) {           // Else the reader says which machines there are.
        fit_mesh(of_plan, *planned);
    }
    scenario.erase("planning");
    scenario.erase("plan");
    return of_plan;
}

void one_machine_by_step(json& lesson) {
    const auto steps = lesson.is_object() ? lesson.find("steps") : lesson.end();
    if (!lesson.is_object() || steps == lesson.end() || !steps->is_array()) {
        return;
    }
    json own = "tpu-v4-paper"; // of a new scenario
    json shown = own;
    std::optional<json> planned;
    for (json& step : *steps) {
        if (!step.is_object() || (step.contains("scenario") && !step["scenario"].is_object())) {
            continue;
        }
        if (json* scenario = step.contains("scenario") ? &step["scenario"] : nullptr) {
            if (scenario->contains("hardware")) {
                own = shown = (*scenario)["hardware"];
            }
            if (const auto planning = scenario->find("planning");
                planning != scenario->end() && planning->is_object() && planning->contains("cluster")) {
                planned = (*planning)["cluster"];
                planning->erase("cluster");
            }
        }
        const json& wanted = planned && said_under<std::string>(step, "view") == "plan" ? *planned : own;
        if (wanted != shown) {
            shown = wanted;
            step["scenario"]["hardware"] = wanted;
        }
    }
}

const std::vector<Migration>& scenario_migrations() {
    // Version 2 has one machine, which plans are for too.
    // A plan of version 2 left out what version 3 counts.
    static const std::vector<Migration> steps = {[](json& file) { (void)one_machine(file); },
                                                 leave_out_of_plans};
    return steps;
}

Result<void> migrate(json& file, std::string_view kind, const std::string& version_key,
                     const std::vector<Migration>& steps, const std::string& origin) {
    JsonReader reader(file, origin);
    const std::int64_t version = reader.whole(version_key, 1, std::numeric_limits<std::int64_t>::max());
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    const auto newest = static_cast<std::int64_t>(steps.size()) + 1;
    if (version > newest) {
        return refuse(fmt::format(
            "{} is a {} of version {}; this program reads up to version {}, so a newer program is "
            "needed.",
            origin, kind, version, newest));
    }
    for (std::size_t step = static_cast<std::size_t>(version) - 1; step < steps.size(); ++step) {
        steps[step](file);
    }
    file[version_key] = newest;
    return {};
}

} // namespace meshslice
