// How fast a model is served: prefill and decode of a static batch, what bounds them, what fits, and the
// frontier over batches and splits.

#include "core/base/say.h"
#include "core/evidence/inference/inference_evidence.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/serve_text.h"
#include "core/question/sweep.h"
#include "core/serve/arrivals_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// Bytes of an element; formats of four bits have a scale of a byte for each 16 elements (OCP Microscaling
/// Formats 1.0, and NVIDIA's NVFP4).
double element_bytes_of(const std::string& type) {
    return type == "bf16" ? 2 : type.ends_with("8") ? 1 : 0.5625;
}

std::int64_t multiplied_bits(const std::string& compute, const std::string& weights) {
    const std::string& type = compute.empty() ? weights : compute;
    const bool integers = compute.empty() && type.starts_with("int");
    return type == "bf16" || integers ? 16 : type.ends_with("8") ? 8 : 4;
}

/// What was measured near by, and how far measured rows lie from what we say of them.
void add_evidence(Served& served) {
    if (served.one.efficiency == Efficiency::ideal) {
        return;
    }
    const FittedInference& fitted = fitted_inference();
    const Replica& one = served.one;
    InferenceRow row;
    row.load = "static";
    row.engine = engine_of_rows(served.asked.engine);
    row.phase = served.phase == PhaseAsked::prefill  ? InferencePhase::prefill
                : served.phase == PhaseAsked::decode ? InferencePhase::decode
                                                     : InferencePhase::both;
    InferenceAsked& asked = row.asked;
    asked.chip = one.chip.measured != nullptr ? one.chip.measured : &one.chip.chip;
    asked.model = one.model.measured != nullptr ? one.model.measured : &one.model.whole;
    asked.tensor = one.tensor;
    asked.batch = one.batch;
    asked.input = one.input;
    asked.output = one.output;
    asked.weight_bytes = one.weight_bytes;
    asked.cache_bytes = one.cache_bytes;
    asked.bits = one.bits;
    const std::vector<InferenceRow> rows = {row};
    for (const PredictedInference& found : predicted_inference(fitted, measured_inference(), rows)) {
        if (!(found.predicted > 0)) {
            continue;
        }
        const ServedBand band = {found.low / found.predicted, found.high / found.predicted};
        if (found.quantity == InferenceQuantity::ttft) {
            served.ttft_band = band;
        } else if (found.quantity == InferenceQuantity::tpot) {
            served.tpot_band = band;
        } else if (found.quantity == InferenceQuantity::e2e) {
            served.time_band = band;
        }
        const bool times =
            found.quantity == InferenceQuantity::ttft || found.quantity == InferenceQuantity::tpot;
        for (const InferenceRow* near : found.nearest) {
            const auto which = static_cast<std::size_t>(found.quantity);
            const double measured = near->measured[which];
            if (times && measured > 0) {
                const InferenceAsked& its = near->asked;
                served.nearest.push_back(
                    {near->id, near->hardware, near->model, near->engine, std::string(name(found.quantity)),
                     its.tensor, its.batch, its.input, its.output, measured,
                     predicted_results(*near, fitted.values(*its.chip, near->engine))[which]});
            }
        }
    }
}

/// Points of the same model, chip and lengths, for the frontier's chart.
void add_measured_points(Served& served) {
    const Replica& one = served.one;
    for (const InferenceRow& row : measured_inference()) {
        const InferenceAsked& its = row.asked;
        const double tpot = row.measured[static_cast<std::size_t>(InferenceQuantity::tpot)];
        const double out = row.measured[static_cast<std::size_t>(InferenceQuantity::throughput)];
        const double e2e = row.measured[static_cast<std::size_t>(InferenceQuantity::e2e)];
        const bool same = one.chip.measured != nullptr && its.chip == one.chip.measured &&
                          one.model.measured != nullptr && its.model == one.model.measured;
        const bool alike = std::abs(its.input - one.input) <= one.input / 4 &&
                           std::abs(its.output - one.output) <= one.output / 2 &&
                           its.weight_bytes == one.weight_bytes && its.tensor * row.replicas > 0;
        const double all = out > 0 ? out : e2e > 0 ? row.replicas * its.batch * its.output / e2e : 0;
        if (row.load == "static" && same && alike && tpot > 0 && all > 0) {
            NearRow point{row.id,     row.hardware, row.model, row.engine, "tpot",
                          its.tensor, its.batch,    its.input, its.output};
            point.measured = tpot;
            point.per_user = 1 / tpot;
            point.per_chip = all / (its.tensor * row.replicas);
            served.measured_points.push_back(point);
        }
    }
}

Result<ServingAsked> read_serving(const Asked& asked) {
    const Result<Transformer> model = model_of(asked);
    if (!model) {
        return refuse(model.error());
    }
    Result<ServedModel> served = served_model(*model);
    if (!served) {
        return refuse(served.error());
    }
    Result<Machine> chip = chip_of(asked);
    if (!chip) {
        return refuse(chip.error());
    }
    ServingAsked made{*std::move(served), *std::move(chip), asked.text("engine")};
    made.efficiency = asked.text("efficiency") == "ideal" ? Efficiency::ideal : Efficiency::measured;
    made.chips = static_cast<std::int64_t>(asked.number("chips"));
    made.tensor = static_cast<std::int64_t>(asked.number("tp"));
    made.batch = static_cast<std::int64_t>(asked.number("batch"));
    made.input = static_cast<std::int64_t>(asked.number("input"));
    made.output = static_cast<std::int64_t>(asked.number("output"));
    made.weight_bytes = element_bytes_of(asked.text("weights"));
    made.cache_bytes = element_bytes_of(asked.text("cache"));
    made.bits = multiplied_bits(asked.text("compute"), asked.text("weights"));
    if (made.chips > 0 && made.tensor > 0 && made.chips % made.tensor != 0) {
        return refuse(say("{} chips cannot be shared by replicas of {}; {} works.", made.chips, made.tensor,
                          asked.setting("tp", "auto")));
    }
    return made;
}

enum class ServedEvidence : bool { none, near };

/// The requests that come, where any do.
Result<std::optional<OfferedLoad>> read_load(const Asked& asked) {
    OfferedLoad load{asked.number("rate"),
                     static_cast<std::int64_t>(asked.number("requests")),
                     {},
                     static_cast<std::uint64_t>(asked.number("seed"))};
    if (const auto* const file = std::get_if<JsonPart>(&asked.value("arrivals"))) {
        Result<std::vector<ServingRequest>> list = read_arrivals(file->json, file->origin);
        if (!list) {
            return refuse(list.error());
        }
        load.list = *std::move(list);
        if (!asked.said.has("--requests")) {
            load.requests = static_cast<std::int64_t>(load.list.size());
        }
    } else if (!asked.has("rate")) {
        return std::nullopt;
    } else if (!(load.rate > 0)) {
        return refuse(say("{} is 0; expected how many requests come in a second.", asked.called("rate")));
    }
    return load;
}

/// The times that a goal asks of each request.
ServiceGoal goal_of(const std::vector<ServingLimit>& limits) {
    ServiceGoal goal;
    for (const ServingLimit& limit : limits) {
        if (limit.below) {
            (limit.quantity == "ttft"   ? goal.ttft
             : limit.quantity == "tpot" ? goal.tpot
                                        : goal.e2e) = limit.value;
        } else { // tokens/s of a user
            goal.tpot = std::min(goal.tpot, 1 / limit.value);
        }
    }
    return goal;
}

Result<Served> find_served(const Asked& asked, ServedEvidence evidence, const RunControl& control) {
    Result<ServingAsked> serving = read_serving(asked);
    if (!serving) {
        return refuse(serving.error());
    }
    std::vector<ServingLimit> limits;
    if (asked.has("goal")) {
        Result<std::vector<ServingLimit>> read = parse_goal(asked.text("goal"));
        if (!read) {
            return refuse(read.error());
        }
        limits = *std::move(read);
    }
    std::vector<ServingPoint> points;
    ServingAdvice advice;
    const bool frontier = asked.has("show");
    const Result<std::optional<OfferedLoad>> load = read_load(asked);
    if (!load) {
        return refuse(load.error());
    }
    if (*load && asked.text("phase") != "both") {
        return refuse(
            say("{} has no effect: requests that come in time have both phases.", asked.called("phase")));
    }
    // A static batch cannot choose for requests that come in time; of these the share is said that meets it.
    const bool chooses = !limits.empty() && !*load;
    if (frontier || chooses) {
        Result<std::vector<ServingPoint>> found = serving_frontier(*serving, control);
        if (!found) {
            return refuse(found.error());
        }
        points = *std::move(found);
        advice = serving_advice(points, limits);
    }
    ServingAsked chosen = *serving;
    if (chooses && !advice.meeting.empty()) {
        chosen.tensor = advice.meeting.front().tensor;
        chosen.batch = advice.meeting.front().batch;
    }
    Result<Replica> one = chosen_replica(chosen);
    if (!one) {
        return refuse(one.error());
    }
    Served made{*std::move(serving), *std::move(one)};
    made.phase = asked.text("phase") == "prefill"  ? PhaseAsked::prefill
                 : asked.text("phase") == "decode" ? PhaseAsked::decode
                                                   : PhaseAsked::both;
    made.weights = asked.text("weights");
    made.cache = asked.text("cache");
    made.chips = made.asked.chips > 0 ? made.asked.chips : static_cast<std::int64_t>(made.one.tensor);
    made.price = asked.number("price");
    made.times = served_times(made.one);
    made.prefill = step_costs(made.one, ServedPhase::prefill, 0);
    made.decode = step_costs(made.one, ServedPhase::decode, middle_context(made.one));
    made.memory = served_memory(made.one);
    made.most_batch = most_batch(made.one);
    made.critical_batch = critical_batch(made.one);
    made.points = std::move(points);
    made.limits = std::move(limits);
    made.advice = std::move(advice);
    made.frontier = frontier;
    if (evidence == ServedEvidence::near) {
        add_evidence(made);
    }
    if (*load && cache_room_of(made.one) > 0) { // else not even the weights fit
        made.one = with_lengths_of(**load, made.one);
        Result<ServedLoad> simulated = served_load(made.one, static_cast<std::int64_t>(made.replicas()),
                                                   made.asked.engine, **load, goal_of(made.limits), control);
        if (!simulated) {
            return refuse(simulated.error());
        }
        made.load = *std::move(simulated);
    }
    if (!made.points.empty()) {
        add_measured_points(made);
    }
    return made;
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
            {"good_share", found.good_share},
            {"good_requests_per_s", found.good_per_s},
            {"utilization", found.utilization},
            {"decode_batch", found.decode_batch},
            {"preemptions", found.preemptions},
            {"cache_room_tokens", served.cache_room},
            {"capacity_requests_per_s", served.capacity},
            {"saturated", served.overloaded()}};
}

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
        {"replicas", static_cast<std::int64_t>(replicas)},
        {"batch", static_cast<std::int64_t>(one.batch)},
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
        {"cache_bytes_per_token",
         one.cache_bytes * (one.model.cached_numbers(one.input + one.output, one.tensor) -
                            one.model.cached_numbers(one.input + one.output - 1, one.tensor))},
        {"fits", served.fits()},
        {"most_batch", served.most_batch},
        {"critical_batch", in(served.critical_batch > 0, served.critical_batch)},
        {"bound_prefill", prefills ? Tree(name(bound_of(served.prefill))) : Tree()},
        {"bound_decode", decodes ? Tree(name(bound_of(served.decode))) : Tree()}};
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
    if (!served.limits.empty()) {
        Tree met = Tree::array();
        for (const ServingPoint& point : served.advice.meeting) {
            met.push_back(served_point_tree(point));
        }
        values["goal"] = {{"met", !served.advice.meeting.empty()}, {"deployments", std::move(met)}};
    }
    return values;
}

std::shared_ptr<const SweptQuestion> serving_points() {
    SweptQuestion all;
    all.together = true;
    all.numbers = [](const Asked& asked, const RunControl& control) {
        return find_served(asked, ServedEvidence::none, control).map([](const Served& one) {
            return served_values(one);
        });
    };
    all.columns = {"chips",
                   "tp",
                   "ttft_s",
                   "tpot_s",
                   "e2e_s",
                   "tokens_per_s",
                   "tokens_per_s_per_chip",
                   "tokens_per_s_per_user",
                   "memory_bytes",
                   "fits",
                   "most_batch",
                   "bound_prefill",
                   "bound_decode"};
    all.measures = {{"tokens_per_s_per_chip", said("tokens/s of a chip"), ChartUnit::none, Better::more},
                    {"time_s", said("time"), ChartUnit::seconds, Better::less}};
    return std::make_shared<const SweptQuestion>(std::move(all));
}

} // namespace

Question serve_question() {
    Question question{
        "serve",
        said("Serving"),
        "serving",
        said(
            "Says how fast a model answers requests: time to the first token, time per token, tokens/s, what "
            "bounds them, and what fits"),
        {},
        serve_fields(),
        [](const Asked& asked, const RunControl& control) {
            return find_served(asked, ServedEvidence::near, control).map([](const Served& one) {
                return served_values(one);
            });
        },
        [](const Asked& asked, const RunControl& control) {
            return find_served(asked, ServedEvidence::near, control).map([](const Served& one) {
                Answer answer{served_values(one), served_headline(one)};
                add_served(one, answer);
                return answer;
            });
        }};
    question.files = {{AnswerFile::Of::chart,
                       {},
                       "--svg",
                       "FILE.svg: draws what a step consists of, or with --frontier the frontier"}};
    question.says_fit = true;
    question.swept = serving_points();
    question.examples = {"--model llama-3-70b --machine h100-nvs8 --chips 8 --tp 8 --weights fp8",
                         "--model llama-3-8b --machine tpu-v5e --efficiency ideal --phase decode",
                         "--model gpt-oss-120b --machine b200 --batch 16 --json"};
    return question;
}

} // namespace meshslice
