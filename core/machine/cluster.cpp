#include "core/machine/cluster.h"

#include "core/base/embedded_resources.h"
#include "core/base/listing.h"
#include "core/base/parse.h"
#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <variant>

namespace meshslice {
namespace {

constexpr std::string_view domain_suffix = "-nvs";
constexpr std::int64_t least_domain = 2;
constexpr std::int64_t most_domain = 65'536;

/// As their files have them.
const std::vector<Machine>& cluster_files() {
    static const std::vector<Machine> files = [] {
        std::vector<Machine> read;
        for (const EmbeddedFile& file : embedded_clusters()) {
            const Result<Machine> hardware = read_machine(file.text, std::string(file.name));
            assert(hardware && "a cluster that comes with the program must be readable");
            if (hardware) {
                read.push_back(*hardware);
            }
        }
        return read;
    }();
    return files;
}

std::string there_are() {
    std::vector<std::string> names;
    for (const Machine& one : cluster_files()) {
        names.push_back(one.name);
    }
    return listed(names);
}

} // namespace

const std::vector<Machine>& cluster_presets() {
    static const std::vector<Machine> presets = [] {
        std::vector<Machine> made;
        for (const Machine& one : cluster_files()) {
            for (const std::int64_t chips : {4, 8, 64}) {
                made.push_back(with_domain(one, chips));
            }
        }
        return made;
    }();
    return presets;
}

Result<Machine> cluster(std::string_view name) {
    const std::size_t suffix = name.rfind(domain_suffix);
    const std::string_view chip = name.substr(0, suffix);
    const auto file = std::ranges::find(cluster_files(), chip, &Machine::name);
    if (file == cluster_files().end()) {
        const auto torus = std::ranges::find(hardware_presets(), name, &Machine::name);
        if (torus != hardware_presets().end() && torus->network.torus_axes() > 0) {
            return *torus;
        }
        return refuse(
            say("There is no cluster called \"{}\"; there are {}, each also with -nvs4, -nvs8, -nvs64 "
                "or another number of chips in its fast domain, such as b200-nvs8, and the torus of a TPU, "
                "such as "
                "tpu-v5p.",
                shortened(name), there_are()));
    }
    if (suffix == std::string_view::npos) {
        const SwitchedDomain* domain = switched_domain(file->network);
        Machine made = *file;
        if (domain != nullptr) {
            made.title = with_domain(*file, domain->chips.value).title;
        }
        return made;
    }
    const std::string_view words = name.substr(suffix + domain_suffix.size());
    const Result<std::int64_t> chips = parse_whole(words);
    if (!chips || *chips < least_domain || *chips > most_domain) {
        return refuse(
            say("The cluster \"{}\" has a fast domain of \"{}\" chips; a whole number from {} to {} was "
                "expected, such as {}-nvs8.",
                shortened(name), shortened(words), least_domain, most_domain, chip));
    }
    return with_domain(*file, *chips);
}

const SwitchedDomain* switched_domain(const Network& network) {
    for (const NetworkLevel& level : network.levels) {
        if (const auto* domain = std::get_if<SwitchedDomain>(&level)) {
            return domain;
        }
    }
    return nullptr;
}

const OuterNetwork* outer_network(const Network& network) {
    for (const NetworkLevel& level : network.levels) {
        if (const auto* outer = std::get_if<OuterNetwork>(&level)) {
            return outer;
        }
    }
    return nullptr;
}

Machine with_domain(const Machine& cluster, std::int64_t chips) {
    Machine made = cluster;
    for (NetworkLevel& level : made.network.levels) {
        if (auto* domain = std::get_if<SwitchedDomain>(&level)) {
            domain->chips = {chips,
                             fmt::format("The cluster's name: {}{}{}", cluster.name, domain_suffix, chips)};
        }
    }
    made.name += fmt::format("{}{}", domain_suffix, chips);
    made.title += fmt::format(", domains of {}", chips);
    return made;
}

} // namespace meshslice
