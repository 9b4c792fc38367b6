#include "core/report/json/why_json.h"

#include "core/report/words/why_words.h"

#include <algorithm>

namespace meshslice {
namespace {

using Json = Tree;

constexpr std::array resource_keys = {"vertical_links", "horizontal_links", "third_links", "core"};
static_assert(resource_keys.size() == resource_count);
/// As "bound_by" calls it: the links of the mesh that a ring takes.
std::string key_of(std::size_t place, const Torus& torus) {
    const auto part = static_cast<Part>(static_cast<std::size_t>(Part::vertical_links) + place);
    return std::string(place < core_engine ? id(of_mesh(part, torus)) : resource_keys[place]);
}
constexpr std::array phase_keys = {"prologue", "steady", "epilogue"};
static_assert(phase_keys.size() == phase_count);

Json shares_json(const PathShares& of, const Torus& torus) {
    Json shares = Json::object();
    for (std::size_t place = 0; place < resource_count; ++place) {
        if (of[place] > 0) {
            shares[key_of(place, torus)] = of[place];
        }
    }
    return shares;
}

Json slower_json(const SlowerPart& slower, const Torus& torus) {
    return {{"part", id(of_mesh(slower.part, torus))},
            {"times_slower", slower.times},
            {"time_s", in_seconds(slower.time)},
            {"frees", id(slower.freed)}};
}

Json remedies_json(const Remedies& remedies, const Torus& torus) {
    Json json = Json::object();
    if (remedies.faster_links_percent) {
        json["faster_links_percent_until_compute_sets_the_pace"] = *remedies.faster_links_percent;
    }
    if (remedies.slices) {
        json["slices"] = *remedies.slices;
        json["time_s_with_slices"] = in_seconds(remedies.time_with_slices);
    }
    if (remedies.slower) {
        json["slower_part"] = slower_json(*remedies.slower, torus);
    }
    return json;
}

} // namespace

void add_bound(Json& json, const Bound& bound, const Torus& torus) {
    const Bottleneck& bottleneck = bound.bottleneck;
    if (bound.jitter) {
        json["bound_by"] = "jitter";
    } else if (bound.fault) {
        json["bound_by"] = bound.fault->part;
    } else if (bound.faults_together) {
        json["bound_by"] = "faults";
    } else if (!bottleneck.part) {
        json["bound_by"] = nullptr;
    } else if (bottleneck.nothing_overlaps) {
        json["bound_by"] = "nothing_overlaps";
        json["largest_wait"] = id(of_mesh(bottleneck.largest_wait(), torus));
    } else {
        json["bound_by"] = id(of_mesh(*bottleneck.part, torus));
    }
}

/// What a run with faults or jitter would take without.
void add_times_without(Json& json, const Bound& bound) {
    if (bound.healthy) {
        json["time_s_without_faults_and_jitter"] = in_seconds(*bound.healthy);
        json["time_s_without_faults"] = in_seconds(*bound.repaired);
        json["time_s_without_jitter"] = in_seconds(*bound.steady);
    }
}

Json saves_json(const Bottleneck& bottleneck, const Torus& torus) {
    Json saves = Json::object();
    for (const Part part : all_parts) {
        if (has_part(torus, part)) {
            saves[std::string(id(of_mesh(part, torus)))] = bottleneck.saves[static_cast<std::size_t>(part)];
        }
    }
    return saves;
}

Json times_json(const PhaseTimes& times, const Torus& torus) {
    Json json = Json::object();
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
        for (std::size_t place = 0; place < resource_count; ++place) {
            for (std::size_t activity = 0; activity < activity_count; ++activity) {
                if (const Time time = times[phase].times[place][activity]; time > Time(0)) {
                    json[phase_keys[phase]][key_of(place, torus)]
                        [std::string(name(static_cast<Activity>(activity)))] = in_seconds(time);
                }
            }
        }
    }
    return json;
}

Json why_json(const GemmResult& result, const ProductWhy& why, const Faults& faults, const Torus& torus) {
    Json json;
    json["sentence"] = why_sentence(result, why, faults);
    add_bound(json, why, torus);
    add_times_without(json, why);
    json["critical_path_shares"] = shares_json(why.shares, torus);
    json["critical_path_s"] = times_json(why.path->times, torus);
    json["exposed_s"] = times_json(why.path->exposed, torus);
    Json slack = Json::object();
    for (std::size_t place = 0; place < resource_count; ++place) {
        if (why.path->slack[place]) {
            slack[key_of(place, torus)] = in_seconds(*why.path->slack[place]);
        }
    }
    json["slack_s"] = std::move(slack);
    if (why.fault) {
        json["slowest_part"] = {{"part", why.fault->part},
                                {"speed", why.fault->speed},
                                {"critical_path_s", in_seconds(why.fault->time)},
                                {"repair_saves_s", in_seconds(why.fault->saves)}};
    }
    if (why.slicing) {
        json["slicing"] = {{"gemm_s", in_seconds(why.slicing->sliced)},
                           {"gemm_in_one_slice_s", in_seconds(why.slicing->whole)},
                           {"costs_s", in_seconds(why.slicing->cost())}};
    }
    if (why.uncontended) {
        json["time_s_without_contention"] = in_seconds(*why.uncontended);
    }
    json["remedies"] = remedies_json(why.remedies, torus);
    return json;
}

Json why_json(const TrainingStep& step, const StepWhy& why) {
    Json json;
    json["sentence"] = why_sentence(step, why);
    add_bound(json, why, step.torus);
    add_times_without(json, why);
    json["critical_path_shares"] = shares_json(why.shares, step.torus);
    json["critical_path_s"] = times_json(why.times, step.torus);
    json["exposed_s"] = times_json(why.exposed, step.torus);
    json["slicing_costs_s"] = in_seconds(why.slicing_cost);
    if (why.slower) {
        json["slower_part"] = slower_json(*why.slower, step.torus);
    }
    if (why.uncontended) {
        json["time_s_without_contention"] = in_seconds(*why.uncontended);
    }
    return json;
}

} // namespace meshslice
