#include "core/report/plan/astra_files.h"

#include "core/base/json/json_writer.h"
#include "core/machine/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// A level of more than one unit.
struct AstraDimension {
    const char* topology = "Switch";
    std::int64_t count = 1;
    double gigabytes_per_s = 0;
    double nanoseconds = 0; ///< of a link
};

std::vector<AstraDimension> astra_dimensions(const PlanModel& model, const StepGraph& graph) {
    const Machine& machine = model.hardware();
    const std::vector<std::int64_t>& counts = graph.order().levels();
    const auto axes = static_cast<std::size_t>(machine.network.torus_axes());
    std::vector<AstraDimension> made;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (counts[k] == 1) {
            continue;
        }
        if (axes > 0 && k < 3) { // the places on a torus are three, whatever it has
            made.push_back(
                {"Ring", counts[k],
                 machine.network.link_bandwidth(static_cast<int>(std::min(k, axes - 1))).value() / 1e9,
                 in_seconds(machine.sync.value) * 1e9});
            continue;
        }
        const std::size_t level = axes > 0 ? k - 2 : k;
        const Level& its = machine.network.levels[std::min(level, machine.network.levels.size() - 1)];
        made.push_back({"Switch", counts[k], its.line_rate() * its.efficiency.value / 1e9,
                        in_seconds(its.latency.value) * 1e9 / 2});
    }
    if (made.empty()) {
        made.push_back({"Ring", 1, 1, 0});
    }
    return made;
}

template <class Member>
std::string list_of(const std::vector<AstraDimension>& dimensions, Member AstraDimension::*member) {
    std::vector<Member> all;
    for (const AstraDimension& one : dimensions) {
        all.push_back(one.*member);
    }
    return fmt::format("[ {} ]", fmt::join(all, ", "));
}

} // namespace

std::string astra_groups(const StepGraph& graph) {
    Tree groups = Tree::object();
    for (std::size_t k = 0; k < graph.groups().size(); ++k) {
        groups[std::to_string(k + 1)] = graph.groups()[k];
    }
    return json_file(groups);
}

std::string astra_network(const PlanModel& model, const StepGraph& graph) {
    const std::vector<AstraDimension> all = astra_dimensions(model, graph);
    return fmt::format("topology: {}\nnpus_count: {}\nbandwidth: {}  # GB/s, one way\nlatency: {}  # ns\n",
                       list_of(all, &AstraDimension::topology), list_of(all, &AstraDimension::count),
                       list_of(all, &AstraDimension::gigabytes_per_s),
                       list_of(all, &AstraDimension::nanoseconds));
}

std::string astra_system(const PlanModel& model, const StepGraph& graph) {
    const Machine& machine = model.hardware();
    Tree rings = Tree::array();
    for (std::size_t k = 0; k < astra_dimensions(model, graph).size(); ++k) {
        rings.push_back("ring");
    }
    return json_file({{"scheduling-policy", "FIFO"},
                      {"endpoint-delay", 0},
                      {"active-chunks-per-dimension", 1},
                      {"preferred-dataset-splits", 4},
                      {"all-reduce-implementation", rings},
                      {"all-gather-implementation", rings},
                      {"reduce-scatter-implementation", rings},
                      {"all-to-all-implementation", rings},
                      {"collective-optimization", "localBWAware"},
                      {"local-mem-bw", machine.hbm_bandwidth.value.value() / 1e9},
                      {"peak-perf", machine.effective_rate(DataType::bf16).value() / 1e12},
                      {"roofline-enabled", 0},
                      {"boost-mode", 0}});
}

} // namespace meshslice
