#include "core/question/catalogue/serve/serve_text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

Tree pools_tree(const Served& served) {
    const auto chips = [&](std::int64_t of) { return static_cast<double>(of) / served.one.chips(); };
    const double prefilled = served.times.prefilled * chips(served.asked.prefill_chips);
    const double decoded = served.times.decoded * chips(served.asked.decode_chips);
    return {{"prefill_chips", served.asked.prefill_chips},
            {"decode_chips", served.asked.decode_chips},
            {"prefill_requests_per_s", prefilled},
            {"decode_requests_per_s", decoded > 0 ? Tree(decoded) : Tree()},
            {"transfer_s", served.transfer_s()},
            {"bound", decoded > 0 && decoded < prefilled ? "decode" : "prefill"}};
}

Tree served_step_tree(const ServedOperations& costs) {
    Tree tree = {{"time_s", seconds_of(costs)}};
    for (const ServedOperation& one : costs) {
        std::string key(one.name);
        std::ranges::replace(key, ' ', '_');
        tree[key] = {{"time_s", one.seconds}, {"compute_s", one.compute}, {"memory_s", one.memory},
                     {"flop", one.flop},      {"bytes", one.bytes},       {"bound", name(one.bound)}};
    }
    return tree;
}

Tree served_point_tree(const ServingPoint& one) {
    return {{"tp", one.tensor},
            {"batch", one.batch},
            {"ttft_s", one.times.ttft},
            {"tpot_s", one.times.tpot},
            {"tokens_per_s_per_user", one.times.per_user},
            {"tokens_per_s_per_chip", one.times.per_chip},
            {"memory_bytes", one.memory},
            {"fits", one.fits},
            {"best", one.best}};
}

Tree spread_tree(const TimeSpread& spread) {
    return {{"mean_s", spread.mean},
            {"p50_s", spread.p50},
            {"p95_s", spread.p95},
            {"p99_s", spread.p99},
            {"most_s", spread.most}};
}

/// Without ramp-up and drain; nothing where that leaves no time.
Tree steady_tree(const SteadyRates& steady) {
    if (!steady.any()) {
        return {};
    }
    return {{"from_s", steady.from},
            {"to_s", steady.to},
            {"tokens_per_s", steady.tokens_per_s},
            {"requests_per_s", steady.requests_per_s}};
}

Tree served_load_tree(const ServedLoad& served) {
    const ServingSummary& found = served.summary;
    return {{"rate", served.load.rate > 0 ? Tree(served.load.rate) : Tree()},
            {"requests", found.requests},
            {"finished", found.finished},
            {"refused", found.refused},
            {"seed", static_cast<std::int64_t>(served.load.seed)},
            {"ttft", spread_tree(found.ttft)},
            {"tpot", spread_tree(found.tpot)},
            {"e2e", spread_tree(found.e2e)},
            {"queue", spread_tree(found.queue)},
            {"tokens_per_s", found.tokens_per_s},
            {"requests_per_s", found.requests_per_s},
            {"steady", steady_tree(found.steady)},
            {"good_share", found.good_share},
            {"good_requests_per_s", found.good_per_s},
            {"utilization", found.utilization},
            {"decode_batch", found.decode_batch},
            {"preemptions", found.preemptions},
            {"reused_share", found.reused_share},
            {"cache_room_tokens", served.cache_room},
            {"capacity_requests_per_s", served.capacity},
            {"saturated", served.overloaded()},
            {"servers", served.servers},
            {"failures", served.failures},
            {"restarts", found.restarts},
            {"lost", found.lost}};
}

} // namespace

Tree served_values(const Served& served) {
    const Replica& one = served.one;
    const auto in = [](bool there, double value) { return there ? Tree(value) : Tree(); };
    const auto at = [](const std::optional<ServedBand>& band, double ServedBand::*end, double value) {
        return band ? Tree(value * (*band).*end) : Tree();
    };
    const double chips = static_cast<double>(served.chips), replicas = served.replicas();
    const double per_chip = served.tokens_per_s_per_chip();
    const bool prefills = served.prefills(), decodes = served.decodes();
    Tree values = {
        {"model", one.model.name},
        {"hardware", served.asked.machine.name},
        {"chips", served.chips},
        {"tp", static_cast<std::int64_t>(one.tensor)},
        {"dp", static_cast<std::int64_t>(one.data)},
        {"ep", static_cast<std::int64_t>(one.expert_groups)},
        {"pp", static_cast<std::int64_t>(one.stages)},
        {"cp", one.layout.context},
        {"weights_across", one.layout.weights_across},
        {"cache_across", one.layout.cache_across},
        {"replicas", static_cast<std::int64_t>(replicas)},
        {"batch", static_cast<std::int64_t>(one.batch)},
        {"users", served.at_once()},
        {"input", served.asked.input},
        {"output", served.asked.output},
        {"weights", served.weights},
        {"cache", served.cache},
        {"compute_bits", one.bits},
        {"efficiency", one.efficiency == Efficiency::ideal ? "ideal" : "measured"},
        {"constants", one.chip.constants},
        {"ttft_s", in(prefills, served.times.ttft)},
        {"tpot_s", in(decodes, served.times.tpot)},
        {"e2e_s", in(served.phase == PhaseAsked::both, served.times.e2e)},
        {"time_s", served.time()},
        {"time_low_s", at(served.time_band, &ServedBand::low, served.time())},
        {"time_high_s", at(served.time_band, &ServedBand::high, served.time())},
        {"ttft_low_s", prefills ? at(served.ttft_band, &ServedBand::low, served.times.ttft) : Tree()},
        {"ttft_high_s", prefills ? at(served.ttft_band, &ServedBand::high, served.times.ttft) : Tree()},
        {"tpot_low_s", decodes ? at(served.tpot_band, &ServedBand::low, served.times.tpot) : Tree()},
        {"tpot_high_s", decodes ? at(served.tpot_band, &ServedBand::high, served.times.tpot) : Tree()},
        {"tokens_per_s", per_chip * chips},
        {"tokens_per_s_per_chip", per_chip},
        {"tokens_per_s_per_user", in(decodes, served.times.per_user)},
        {"prompt_tokens_per_s_per_chip", in(prefills, served.times.prompt_per_chip)},
        {"decode_tokens_per_s_per_chip", in(decodes, served.times.decode_per_chip)},
        // Where replicas either prefill or decode: so many of the ones for each of the others.
        {"prefill_replicas_per_decode_replica",
         in(served.phase == PhaseAsked::both, served.times.ttft / (served.times.tpot * one.output))},
        {"memory_bytes", served.memory.total()},
        {"memory",
         {{"weights_bytes", served.memory.weights},
          {"cache_bytes", served.memory.cache},
          {"activation_bytes", served.memory.activations},
          {"runtime_bytes", served.memory.runtime},
          {"capacity_bytes", one.chip.chip.memory}}},
        {"cache_bytes_per_token", one.stages * (chip_cache_bytes(one, 1, one.input + one.output) -
                                                chip_cache_bytes(one, 1, one.input + one.output - 1))},
        {"fits", served.fits()},
        {"most_batch", served.most_batch},
        {"critical_batch", in(served.critical_batch > 0, served.critical_batch)},
        {"bound_prefill", prefills ? Tree(name(bound_of(served.prefill))) : Tree()},
        {"bound_decode", decodes ? Tree(name(bound_of(served.decode))) : Tree()}};
    if (one.drafts > 0) {
        values["drafts"] = static_cast<std::int64_t>(one.drafts);
        values["tokens_per_step"] = one.accepted;
    }
    if (served.asked.apart()) {
        values["pools"] = pools_tree(served);
    }
    if (prefills) {
        values["prefill"] = served_step_tree(served.prefill);
    }
    if (decodes) {
        values["decode"] = served_step_tree(served.decode);
    }
    if (served.price > 0) {
        constexpr double hour = 3600, million = 1e6;
        const double a_second = served.price / hour; // of a chip
        values["cost_per_million_tokens"] = per_chip > 0 ? Tree(million * a_second / per_chip) : Tree();
        values["cost_per_million_input_tokens"] =
            in(prefills, million * a_second / served.times.prompt_per_chip);
        values["cost_per_million_output_tokens"] =
            in(decodes, million * a_second / served.times.decode_per_chip);
    }
    if (!served.clients.empty()) { // of a replica, whose requests each begin where another one ends
        values["clients"] = Tree::object();
        for (const ServedExpectation& one : served.clients) {
            values["clients"][one.quantity] = {
                {"expected", one.expected}, {"low", one.low}, {"high", one.high}};
        }
    }
    values["nearest"] = Tree::array();
    for (const NearRow& near : served.nearest) {
        values["nearest"].push_back({{"id", near.id},
                                     {"hardware", near.hardware},
                                     {"model", near.model},
                                     {"engine", near.engine},
                                     {"quantity", near.quantity},
                                     {"tp", near.tensor},
                                     {"batch", near.batch},
                                     {"input", near.input},
                                     {"output", near.output},
                                     {"measured_s", near.measured},
                                     {"predicted_s", near.predicted},
                                     {"error", near.error()}});
    }
    if (served.load) {
        values["simulated"] = served_load_tree(*served.load);
    }
    if (served.frontier) {
        values["frontier"] = Tree::array();
        for (const ServingPoint& point : served.points) {
            values["frontier"].push_back(served_point_tree(point));
        }
    }
    if (served.cache_layout) {
        values["kv_cache"] = cache_tree(served);
    }
    if (served.schedules) {
        values["schedules"] = schedules_tree(*served.schedules);
    }
    if (served.shardings) {
        values["shardings"] = shardings_tree(served);
    }
    if (!served.limits.empty()) {
        Tree met = Tree::array();
        for (const ServingPoint& point : served.advice.meeting) {
            met.push_back(served_point_tree(point));
        }
        values["goal"] = served.rated
                             ? rated_tree(served)
                             : Tree{{"met", !served.advice.meeting.empty()}, {"deployments", std::move(met)}};
    }
    return values;
}

} // namespace meshslice
