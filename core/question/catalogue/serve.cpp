// How fast a model is served: prefill and decode of a static batch, what bounds them, what fits, and the
// frontier over batches and splits.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/serve_text.h"
#include "core/question/sweep.h"
#include "core/serve/arrivals_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
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

/// What has no effect, or cannot be.
Result<void> check_layout(const Asked& asked, const ServingAsked& made) {
    const auto unused = [&](const char* key, const std::string& why) {
        return refuse(say("{} has no effect: {}", asked.called(key), why));
    };
    if (!(made.model.whole.experts > 0)) {
        for (const char* key : {"dp", "ep"}) {
            if (asked.number(key) > 1) {
                return unused(key, say("{} has no experts that groups of chips could share; more replicas do "
                                       "the same.",
                                       made.model.title));
            }
        }
    }
    if (static_cast<double>(made.stages) > made.model.whole.layers) {
        return refuse(say("{} is {}; {} has {} layers.", asked.called("pp"), made.stages, made.model.title,
                          made.model.whole.layers));
    }
    if (made.drafts == 0 && asked.has("acceptance")) {
        return unused("acceptance", say("{} says that there are drafts.", asked.called("drafts")));
    }
    if (!(made.shared > 0) && made.prefixes > 1) {
        return unused("prefixes", say("{} says how much of a prompt they are.", asked.called("prefix")));
    }
    if (made.shared >= 1) {
        return refuse(say("{} is {}; expected less than 1, as a prompt has tokens of its own.",
                          asked.called("prefix"), made.shared));
    }
    if (asked.has("prefill-chips") != asked.has("decode-chips")) {
        return refuse(say("{} and {} go together: pools for one phase each.", asked.called("prefill-chips"),
                          asked.called("decode-chips")));
    }
    if (made.apart()) {
        for (const char* key : {"show", "chips"}) {
            if (asked.has(key)) {
                return unused(key, say("{} and {} say what there is.", asked.called("prefill-chips"),
                                       asked.called("decode-chips")));
            }
        }
        if (asked.text("phase") != "both") {
            return unused("phase", say("pools for one phase each have both."));
        }
    }
    return {};
}

Result<void> read_layout(const Asked& asked, ServingAsked& made) {
    const auto whole = [&](const char* key) { return static_cast<std::int64_t>(asked.number(key)); };
    made.data = std::max<std::int64_t>(whole("dp"), 1);
    made.stages = std::max<std::int64_t>(whole("pp"), 1);
    made.expert_groups = whole("ep");
    made.drafts = whole("drafts");
    made.acceptance = asked.number("acceptance");
    made.shared = asked.number("prefix");
    made.prefixes = std::max<std::int64_t>(whole("prefixes"), 1);
    made.prefill_chips = whole("prefill-chips");
    made.decode_chips = whole("decode-chips");
    const std::string routing = asked.text("routing");
    made.routing = routing == "round-robin"    ? Routing::round_robin
                   : routing == "prefix-aware" ? Routing::prefix_aware
                                               : Routing::least_loaded;
    return check_layout(asked, made);
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
    made.bits_are_said = asked.has("compute");
    made.integers = asked.text("weights").starts_with("int");
    if (const Result<void> read = read_layout(asked, made); !read) {
        return refuse(read.error());
    }
    const std::int64_t replica = made.replica_chips(std::max<std::int64_t>(made.tensor, 1));
    for (const std::int64_t chips : {made.chips, made.prefill_chips, made.decode_chips}) {
        if (chips > 0 && made.tensor > 0 && chips % replica != 0) {
            return refuse(say("{} chips cannot be shared by replicas of {}; {} works.", chips, replica,
                              asked.setting("tp", "auto")));
        }
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

/// What means something only where requests come in time, or only where they do not.
Result<void> check_load(const Asked& asked, const ServingAsked& serving, bool comes) {
    if (comes && serving.stages > 1) {
        return refuse(say("{} has no effect: stages are answered for a static batch, without {}.",
                          asked.called("pp"), asked.called("rate")));
    }
    if (!comes && serving.routing != Routing::least_loaded) {
        return refuse(say("{} has no effect: a static batch is there at once; {} lets requests come in time.",
                          asked.called("routing"), asked.called("rate")));
    }
    if (!comes && serving.apart() && asked.has("goal")) {
        return refuse(say("{} needs {}: pools of one phase each meet a goal by how requests come.",
                          asked.called("goal"), asked.called("rate")));
    }
    if (serving.shared > 0 && std::holds_alternative<JsonPart>(asked.value("arrivals"))) {
        return refuse(say("{} has no effect: the file says which requests come.", asked.called("prefix")));
    }
    return {};
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

/// A server of prompts takes one after the other.
Replica one_prompt(Replica one) {
    one.batch = 1;
    return one;
}

/// Of pools for one phase each, of which the slower one says how many requests they serve.
ServedTimes times_apart(const Served& served) {
    const Replica& one = served.one;
    const ServedTimes prompts = served_times(one_prompt(one));
    ServedTimes made = served_times(one);
    made.ttft = prompts.ttft;
    made.prompt_per_chip = prompts.prompt_per_chip;
    made.prefilled = prompts.prefilled;
    made.e2e = made.ttft + served.transfer_s() + (one.output - 1) * made.tpot;
    const double prefilled = made.prefilled * static_cast<double>(served.asked.prefill_chips);
    const double decoded = made.decoded * static_cast<double>(served.asked.decode_chips);
    made.per_chip = (decoded > 0 ? std::min(prefilled, decoded) : prefilled) / one.chips() * one.output /
                    static_cast<double>(served.chips);
    return made;
}

ServedPools pools_of(const Served& served) {
    const ServingAsked& asked = served.asked;
    const auto servers = [&](std::int64_t chips) {
        return static_cast<std::int64_t>(static_cast<double>(chips) / served.one.chips());
    };
    ServedPools made;
    made.routing = asked.routing;
    made.prefixes = asked.prefixes;
    made.replicas = servers(asked.apart() ? asked.decode_chips : served.chips);
    made.prefill = asked.apart() ? servers(asked.prefill_chips) : 0;
    made.transfer = {asked.apart() ? served.transfer_rate : std::numeric_limits<double>::infinity(), 0};
    return made;
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
    if (const Result<void> whole = check_load(asked, *serving, load->has_value()); !whole) {
        return refuse(whole.error());
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
    made.chips = made.asked.apart()     ? made.asked.prefill_chips + made.asked.decode_chips
                 : made.asked.chips > 0 ? made.asked.chips
                                        : static_cast<std::int64_t>(made.one.chips());
    if (made.asked.apart()) {
        const Result<double> rate = rate_between(made.asked.machine, made.chips);
        if (!rate) {
            return refuse(rate.error());
        }
        made.transfer_rate = *rate * made.one.chips();
    }
    made.price = asked.number("price");
    made.times = made.asked.apart() ? times_apart(made) : served_times(made.one);
    made.prefill = step_costs(made.asked.apart() ? one_prompt(made.one) : made.one, ServedPhase::prefill, 0);
    made.decode = step_costs(made.one, ServedPhase::decode, middle_context(made.one));
    made.memory = served_memory(made.one);
    made.most_batch = most_batch(made.one);
    made.critical_batch = critical_batch(made.one);
    made.points = std::move(points);
    made.limits = std::move(limits);
    made.advice = std::move(advice);
    made.frontier = frontier;
    if (evidence == ServedEvidence::near) {
        add_serving_evidence(made);
    }
    if (*load && cache_room_of(made.one) > 0) { // else not even the weights fit
        made.one = with_lengths_of(**load, made.one);
        Result<ServedLoad> simulated =
            served_load(made.one, pools_of(made), made.asked.engine, **load, goal_of(made.limits), control);
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
            {"reused_share", found.reused_share},
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
        {"dp", static_cast<std::int64_t>(one.data)},
        {"ep", static_cast<std::int64_t>(one.expert_groups)},
        {"pp", static_cast<std::int64_t>(one.stages)},
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
    using Words = std::string (*)(double);
    for (const auto& [name, path, words] :
         {std::tuple("chips", "chips", Words(number_text)),
          std::tuple("first token", "ttft_s", Words(seconds_text)),
          std::tuple("next token", "tpot_s", Words(seconds_text)),
          std::tuple("tokens/s of a user", "tokens_per_s_per_user", Words(number_text)),
          std::tuple("of a chip", "tokens_per_s_per_chip", Words(number_text)),
          std::tuple("memory", "memory_bytes", Words(bytes_text))}) {
        all.text.push_back({name, [path = std::string(path), words = words](const SweepPoint& point) {
                                const std::optional<double> number = point.number(path);
                                return Table::Cell(number ? words(*number) : std::string("-"));
                            }});
    }
    all.text.push_back({"fits", [](const SweepPoint& point) {
                            return Table::Cell(std::string(point.fits() ? "yes" : "no"));
                        }});
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
