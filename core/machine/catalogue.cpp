#include "core/machine/catalogue.h"

#include "core/base/preset_shelf.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/nearest.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace meshslice {
namespace {

constexpr std::string_view domain_suffix = "-nvs";
/// Those that are compared in domains of 4, 8 and 64, as in arXiv 2410.00273.
constexpr std::array<std::string_view, 4> in_three_sizes = {"a100", "b200", "h100", "h200"};
constexpr std::int64_t least_domain = 2;
constexpr std::int64_t most_domain = 65'536;

/// As their files have them.
const PresetShelf<Machine>& machine_files() {
    static const PresetShelf<Machine> files(
        embedded_machines(),
        [](std::string_view json, const std::string& origin) { return read_machine(json, origin); });
    return files;
}

/// One with a fast domain: its title says how many chips are in it.
Machine as_its_file_has_it(const Machine& machine) {
    Machine made = machine;
    made.title = with_domain(machine, switched_domain(machine.network)->units.value).title;
    return made;
}

} // namespace

const std::vector<Machine>& machine_presets() {
    static const std::vector<Machine> presets = [] {
        std::vector<Machine> made;
        for (const Machine& one : machine_files().all()) {
            const Level* const domain = switched_domain(one.network);
            if (domain == nullptr) {
                made.push_back(one);
                continue;
            }
            if (std::ranges::find(in_three_sizes, one.name) == in_three_sizes.end()) {
                made.push_back(as_its_file_has_it(one));
                continue;
            }
            for (const std::int64_t chips : {4, 8, 64}) {
                made.push_back(with_domain(one, chips));
            }
        }
        return made;
    }();
    return presets;
}

Result<Machine> machine_preset(std::string_view name) {
    const std::size_t suffix = name.rfind(domain_suffix);
    const std::string_view chip = name.substr(0, suffix);
    const Machine* const file = machine_files().find(chip);
    const Level* domain = file == nullptr ? nullptr : switched_domain(file->network);
    if (file == nullptr || (domain == nullptr && suffix != std::string_view::npos)) {
        std::vector<std::string> names;
        for (const Machine& one : machine_files().all()) {
            names.push_back(one.name);
        }
        for (const Machine& one : machine_presets()) {
            names.push_back(one.name);
        }
        const std::string instead =
            likely_names(name, names).empty()
                ? say("there are {}. Those with a fast domain are also there with -nvs4, -nvs8, -nvs64 or "
                      "another number of chips in it, such as b200-nvs8.",
                      names_of(machine_files().all()))
                : suggestion(name, names);
        return refuse(say("There is no machine \"{}\"; {}", shortened(name), instead));
    }
    if (domain == nullptr) {
        return *file;
    }
    if (suffix == std::string_view::npos) {
        return as_its_file_has_it(*file);
    }
    const std::string_view words = name.substr(suffix + domain_suffix.size());
    const Result<std::int64_t> chips = parse_whole(words);
    if (!chips || *chips < least_domain || *chips > most_domain) {
        return refuse(
            say("The machine \"{}\" has a fast domain of \"{}\" chips; expected a whole number from {} to "
                "{}, such as {}-nvs8.",
                shortened(name), shortened(words), least_domain, most_domain, chip));
    }
    return with_domain(*file, *chips);
}

std::string preset_title(std::string_view name) {
    const Machine* const file = machine_files().find(name);
    const Result<Machine> preset = file == nullptr ? machine_preset(name) : *file;
    return preset ? preset->title : std::string();
}

std::vector<Machine> presets_that(bool (*have)(const Machine&)) {
    std::vector<Machine> some;
    std::ranges::copy_if(machine_presets(), std::back_inserter(some), have);
    return some;
}

std::string names_of(const std::vector<Machine>& machines) {
    std::vector<std::string> names;
    for (const Machine& one : machines) {
        names.push_back(one.name);
    }
    return listed(names);
}

bool is_torus(const Machine& machine) {
    return machine.network.torus_axes() > 0;
}

bool has_domains(const Machine& machine) {
    return !is_torus(machine) && outer_network(machine.network) != nullptr;
}

bool is_plain_torus(const Machine& machine) {
    return is_torus(machine) && !feeds_rings(machine);
}

bool trains_by_plan(const Machine& machine) {
    return machine.vector_rate.value > FlopRate(0) && (is_torus(machine) || has_domains(machine));
}

Machine with_domain(const Machine& machine, std::int64_t chips) {
    Machine made = machine;
    const Level* const domain = switched_domain(made.network);
    for (Level& level : made.network.levels) {
        if (&level == domain) {
            level.units = {chips,
                           fmt::format("The cluster's name: {}{}{}", machine.name, domain_suffix, chips)};
        }
    }
    made.name += fmt::format("{}{}", domain_suffix, chips);
    made.title += fmt::format(", domains of {}", chips);
    return made;
}

} // namespace meshslice
