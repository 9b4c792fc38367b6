// How fast a model is served: prefill and decode of a static batch, what bounds them, what fits, and the
// frontier over batches and splits.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/evidence/inference/inference_evidence.h"
#include "core/evidence/inference/serving_rows.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/serve/serve_text.h"
#include "core/question/sweep.h"
#include "core/serve/arrivals_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
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
    const bool two_dimensions = made.weights_across > 1;
    const std::string grid =
        asked.setting("tp", fmt::format("{}x{}", made.weights_across, made.tensor / made.weights_across));
    if (two_dimensions && made.cache_across > 1) {
        return unused("cache-across", say("{} divides requests as it divides the weights.", grid));
    }
    if (made.cache_across > 1 && made.tensor == 0) {
        return refuse(say("{} needs a number of chips in {}, which it divides.", asked.called("cache-across"),
                          asked.called("tp")));
    }
    const std::string layout = two_dimensions          ? grid
                               : made.cache_across > 1 ? asked.called("cache-across")
                               : made.context > 1      ? asked.called("cp")
                                                       : std::string();
    for (const char* key : {"dp", "ep", "cp"}) {
        if (!layout.empty() && asked.number(key) > 1 && asked.called(key) != layout) {
            return refuse(say("{} does not go with {}; expected one of them.", asked.called(key), layout));
        }
    }
    if (static_cast<double>(made.stages) > made.model.whole.layers) {
        return refuse(say("{} is {}; {} has {} layers.", asked.called("pp"), made.stages, made.model.title,
                          made.model.whole.layers));
    }
    if (made.drafts == 0 && asked.said.has("--svg-drafts")) {
        return refuse(say("{} has no effect: {}", "--svg-drafts",
                          say("{} says that there are drafts.", asked.called("drafts"))));
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
            if (asked.has(key) && asked.text(key) != "cache") {
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
    made.context = std::max<std::int64_t>(whole("cp"), 1);
    made.cache_across = std::max<std::int64_t>(whole("cache-across"), 1);
    made.expert_groups = whole("ep");
    made.drafts = whole("drafts");
    made.acceptance = asked.number("acceptance");
    made.shared = asked.number("prefix");
    made.prefixes = std::max<std::int64_t>(whole("prefixes"), 1);
    made.prefill_chips = whole("prefill-chips");
    made.decode_chips = whole("decode-chips");
    made.fail_every = asked.number("fail-every");
    made.autoscale = whole("autoscale");
    if (asked.has("start-delay")) {
        made.start_delay = asked.number("start-delay");
    }
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
    if (const std::string words = taken_lengths_words(asked, *model); !words.empty()) {
        served->notes.push_back(words);
    }
    ServingAsked made{*std::move(served), *std::move(chip), asked.text("engine")};
    made.efficiency = asked.text("efficiency") == "ideal" ? Efficiency::ideal : Efficiency::measured;
    made.chips = static_cast<std::int64_t>(asked.number("chips"));
    made.tensor = static_cast<std::int64_t>(asked.number("tp"));
    if (const auto* const sides = std::get_if<std::vector<std::int64_t>>(&asked.value("tp"))) {
        made.tensor = sides->front() * sides->back();
        made.weights_across = sides->front();
    }
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
    for (const char* key : {"fail-every", "autoscale", "start-delay", "span"}) {
        if (!comes && asked.has(key)) {
            return refuse(say("{} has no effect: a static batch is there at once; {} lets requests come in "
                              "time.",
                              asked.called(key), asked.called("rate")));
        }
    }
    if (asked.has("start-delay") && !asked.has("fail-every") && !asked.has("autoscale")) {
        return refuse(say("{} has no effect: {} or {} lets servers start.", asked.called("start-delay"),
                          asked.called("fail-every"), asked.called("autoscale")));
    }
    if (asked.has("fail-every") && !(serving.fail_every > 0)) {
        return refuse(say("{} is 0; expected the time between two failures.", asked.called("fail-every")));
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

constexpr std::int64_t most_kept_stretches = 50'000;

/// "60:120" as seconds of a simulation, either of which may be left out.
Result<KeptStretch> kept_stretch(const Asked& asked) {
    KeptStretch made{most_kept_stretches};
    const std::string words = asked.text("span");
    if (words.empty()) {
        return made;
    }
    const std::size_t between = words.find(':');
    const std::string from = words.substr(0, between);
    const std::string to = between == std::string::npos ? std::string() : words.substr(between + 1);
    const auto read = [](const std::string& text, double otherwise) {
        return text.empty() ? Result<double>(otherwise) : parse_quantity(text, "s");
    };
    const Result<double> begin = read(from, made.from), end = read(to, made.to);
    if (between == std::string::npos || !begin || !end || !(*begin >= 0) || !(*end > *begin)) {
        return refuse(say("{} is \"{}\"; expected two times in seconds, the earlier one first, such as "
                          "60:120.",
                          asked.called("span"), words));
    }
    made.from = *begin;
    made.to = *end;
    return made;
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
    made.fail_every = asked.fail_every;
    made.most_servers = asked.autoscale;
    made.start_delay = asked.start_delay;
    made.transfer = {asked.apart() ? served.transfer_rate : std::numeric_limits<double>::infinity(), 0};
    return made;
}

/// Of the chips that a goal needs.
void take_deployment(const RatedDeployment& found, ServingAsked& asked) {
    const std::int64_t replica = asked.replica_chips(found.tensor);
    asked.tensor = found.tensor;
    asked.batch = found.batch;
    asked.chips = found.apart() ? 0 : found.chips;
    asked.prefill_chips = found.prefill * replica;
    asked.decode_chips = found.apart() ? found.replicas * replica : 0;
    asked.autoscale = found.most_servers;
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
    const bool frontier = asked.text("show") == "frontier";
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
    const ServingAsked as_asked = *serving;
    const std::int64_t batch = asked.said.has("--batch") ? serving->batch : 0;
    std::optional<RatedSearch> rated;
    if (*load && !limits.empty() && !serving->apart()) {
        Result<RatedSearch> found = cheapest_deployments(*serving, batch, **load, limits, control);
        if (!found) {
            return refuse(found.error());
        }
        if (found->met()) {
            take_deployment(found->kinds.front().found, *serving);
        } else {
            serving->autoscale = 0; // what follows is of the servers that the chips make
        }
        rated = *std::move(found);
    }
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
        add_evidence(made);
        if (rated && rated->met()) {
            Result<std::vector<RatedChange>> changes = changed_deployments(
                as_asked, batch, **load, made.limits, rated->kinds.front().found, control);
            if (!changes) {
                return refuse(changes.error());
            }
            made.changes = *std::move(changes);
        }
    }
    made.rated = std::move(rated);
    made.may_scale = as_asked.autoscale > 0;
    if (*load && cache_room_of(made.one) > 0) { // else not even the weights fit
        made.one = with_lengths_of(**load, made.one);
        const ServedPools pools = pools_of(made);
        if (pools.most_servers > 0 && pools.most_servers < pools.replicas) {
            return refuse(say("{} is {}, and {} servers are there at first; expected at least as many.",
                              asked.called("autoscale"), pools.most_servers, pools.replicas));
        }
        const Result<KeptStretch> kept =
            evidence == ServedEvidence::near ? kept_stretch(asked) : KeptStretch();
        if (!kept) {
            return refuse(kept.error());
        }
        Result<ServedLoad> simulated =
            served_load(made.one, pools, made.asked.engine, **load, goal_of(made.limits), control, *kept);
        if (!simulated) {
            return refuse(simulated.error());
        }
        if (simulated->result != nullptr && !(simulated->kept.to > simulated->kept.from)) {
            return refuse(say("{} begins at {}, and the simulation ends at {}; expected an earlier time.",
                              asked.called("span"), seconds_text(kept->from),
                              seconds_text(simulated->result->end)));
        }
        made.load = *std::move(simulated);
    }
    if (!made.points.empty()) {
        add_measured_points(made);
    }
    if (asked.text("show") == "cache") {
        made.cache_layout = cache_pages(made.one, made.asked.prefixes);
        made.contexts = context_costs(made.one);
    }
    if (asked.text("show") == "schedules") {
        Result<ComparedSchedules> schedules =
            compared_schedules(made.asked, made.one, *load ? (*load)->rate : 0, control);
        if (!schedules) {
            return refuse(schedules.error());
        }
        made.schedules = *std::move(schedules);
    }
    if (asked.text("show") == "shardings") {
        Result<ServingShardings> layouts = serving_shardings(made.asked, made.chips, made.at_once(), control);
        if (!layouts) {
            return refuse(layouts.error());
        }
        Result<std::vector<LayerExchange>> exchanges =
            layer_exchanges(made.asked, made.one.batch * (1 + made.one.drafts));
        if (!exchanges) {
            return refuse(exchanges.error());
        }
        made.shardings = *std::move(layouts);
        made.exchanges = *std::move(exchanges);
    }
    return made;
}

std::shared_ptr<const SweptQuestion> serving_points() {
    SweptQuestion all;
    all.together = true;
    all.numbers = [](const Asked& asked, const RunControl& control) {
        return find_served(asked, ServedEvidence::none, control).map([](const Served& one) {
            Tree values = served_values(one);
            if (one.load) { // medians of the simulation
                const ServingSummary& found = one.load->summary;
                values["ttft_s"] = found.ttft.p50;
                values["tpot_s"] = found.tpot.most > 0 ? Tree(found.tpot.p50) : Tree();
                values["e2e_s"] = values["time_s"] = found.e2e.p50;
                values["tokens_per_s"] = found.tokens_per_s;
                values["tokens_per_s_per_chip"] = found.tokens_per_s / static_cast<double>(one.chips);
                values["tokens_per_s_per_user"] = found.tpot.p50 > 0 ? Tree(1 / found.tpot.p50) : Tree();
            }
            return values;
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
    for (const auto& [part, flag, help] :
         {std::tuple("memory", "--svg-memory", "FILE.svg: draws the memory of a chip, by the batch too"),
          std::tuple("batches", "--svg-batches", "FILE.svg: draws a decode step by the batch"),
          std::tuple("cache", "--svg-cache", "FILE.svg: draws what --show cache says"),
          std::tuple("shardings", "--svg-shardings", "FILE.svg: draws what --show shardings says"),
          std::tuple("schedules", "--svg-schedules", "FILE.svg: draws what --show schedules says"),
          std::tuple("exchanges", "--svg-exchanges",
                     "FILE.svg: draws what links take in one dimension and in two, with --show shardings"),
          std::tuple("drafts", "--svg-drafts", "FILE.svg: draws what drafts do, with --drafts")}) {
        question.files.push_back({AnswerFile::Of::chart, part, flag, help});
    }
    question.files.push_back({AnswerFile::Of::runs,
                              {},
                              "--trace",
                              "FILE: writes servers and their requests over time, or with --phase the "
                              "operations of a step, for Perfetto (Chrome trace)"});
    question.says_fit = true;
    question.kept = kept_deployment;
    question.swept = serving_points();
    question.examples = {"--model llama-3-70b --machine h100-nvs8 --chips 8 --tp 8 --weights fp8",
                         "--model llama-3-8b --machine tpu-v5e --efficiency ideal --phase decode",
                         "--model gpt-oss-120b --machine b200 --batch 16 --json"};
    return question;
}

} // namespace meshslice
