// Whether a layer of experts that is spread over chips computes what one device does, and moves what is
// counted.

#include "core/question/catalogue/verify_experts.h"

#include "core/base/say.h"
#include "core/execute/expert_layer.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"
#include "core/scenario/meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_executed_experts = 1024;
constexpr std::int64_t most_executed_chips = 256;
/// Of a chip and of a token: small enough to run 50 seeds in a moment, and no two of them alike.
constexpr std::int64_t executed_tokens = 32, executed_features = 6, executed_inner = 10;
constexpr std::int64_t executed_bytes = 2;

std::string_view routing_name(TokenRouting routing) {
    switch (routing) {
    case TokenRouting::even: return "even";
    case TokenRouting::skewed: return "skewed";
    case TokenRouting::worst: break;
    }
    return "worst";
}

/// The seeds of one routing at one place.
struct RoutedRuns {
    std::string where; ///< "domain of 4", "torus 4x2"
    TokenRouting routing = TokenRouting::even;
    std::int64_t seeds = 0, correct = 0, as_counted = 0;
    double largest_error = 0;
    std::int64_t least_leaving = 0, most_leaving = 0; ///< rows that dispatch sends to another chip
    std::int64_t most_received = 0;                   ///< rows of the fullest chip
    std::int64_t link_bytes = 0; ///< of the last seed, dispatch and combine; 0 in a domain
};

std::int64_t bytes_on_links(const ExpertRun& run) {
    std::int64_t sum = 0;
    for (const LinkTraffic& one : run.links) {
        sum += one.bytes.value();
    }
    return sum;
}

/// Whether combine moved the same the other way, and links carried each row of both, hop by hop.
bool moves_as_counted(const ExpertLayer& layer, const ExpertRun& run, const ExpertCount& counted) {
    return run.dispatch == counted && run.combine.sent == counted.received &&
           run.combine.received == counted.sent && run.combine.leaving == counted.leaving &&
           bytes_on_links(run) == 2 * counted.hops * layer.features * executed_bytes;
}

/// `torus`: none in a domain.
Result<RoutedRuns> routed_runs(const ExpertLayer& layer, TokenRouting routing, std::int64_t chips,
                               const Torus* torus, std::uint32_t first, std::int64_t seeds,
                               const RunControl& control) {
    RoutedRuns made;
    made.where =
        torus != nullptr ? fmt::format("torus {}", mesh_text(*torus)) : fmt::format("domain of {}", chips);
    made.routing = routing;
    for (std::int64_t k = 0; k < seeds; ++k) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const std::uint32_t seed = first + static_cast<std::uint32_t>(k);
        const Result<TokenRoutes> routes = route_tokens(layer, routing, chips, seed);
        if (!routes) {
            return refuse(routes.error());
        }
        const ExpertRun run = torus != nullptr ? run_experts(layer, *routes, *torus, seed)
                                               : run_experts(layer, *routes, chips, seed);
        const ExpertCount counted =
            torus != nullptr ? count_experts(layer, *routes, *torus) : count_experts(layer, *routes, chips);
        ++made.seeds;
        made.correct += run.largest_error == 0 && run.largest_value > 0 ? 1 : 0;
        made.as_counted += moves_as_counted(layer, run, counted) ? 1 : 0;
        made.largest_error = std::max(made.largest_error, run.largest_error);
        made.least_leaving = k == 0 ? counted.leaving : std::min(made.least_leaving, counted.leaving);
        made.most_leaving = std::max(made.most_leaving, counted.leaving);
        made.most_received = std::max(made.most_received, std::ranges::max(counted.received));
        made.link_bytes = bytes_on_links(run);
    }
    return made;
}

std::string rows_range(const RoutedRuns& one) {
    return one.least_leaving == one.most_leaving
               ? fmt::to_string(one.least_leaving)
               : fmt::format("{} to {}", one.least_leaving, one.most_leaving);
}

Answer answer_of_experts(const ExpertLayer& layer, const std::vector<RoutedRuns>& all,
                         const std::string& what) {
    std::int64_t runs = 0, correct = 0, counted = 0;
    Tree values{{"run", what}, {"routings", Tree::array()}};
    Table table{
        what, {"where", "routing", "seeds", "correct", "as_counted", "rows_that_leave", "fullest"}, {}};
    Paragraph lines{{},
                    {{"where", "routing", "correct", "as counted", "rows that leave", "fullest chip gets"}},
                    2,
                    false};
    for (const RoutedRuns& one : all) {
        runs += one.seeds;
        correct += one.correct;
        counted += one.as_counted;
        values["routings"].push_back(
            {{"where", one.where},
             {"routing", std::string(routing_name(one.routing))},
             {"seeds", one.seeds},
             {"correct", one.correct},
             {"as_counted", one.as_counted},
             {"largest_error", one.largest_error},
             {"most_rows_that_leave", one.most_leaving},
             {"most_bytes_that_leave", one.most_leaving * layer.features * executed_bytes},
             {"most_rows_of_a_chip", one.most_received},
             {"link_bytes", one.link_bytes}});
        const std::string name(routing_name(one.routing));
        lines.lines.push_back({one.where, name, fmt::format("{} of {}", one.correct, one.seeds),
                               fmt::format("{} of {}", one.as_counted, one.seeds), rows_range(one),
                               fmt::to_string(one.most_received)});
        table.rows.push_back(
            {one.where, name, one.seeds, one.correct, one.as_counted, one.most_leaving, one.most_received});
    }
    const bool sound = correct == runs && counted == runs;
    values["correct"] = correct == runs;
    values["bytes_as_counted"] = counted == runs;
    Answer answer{std::move(values), say("{}: {} of {} correct", what, correct, runs), what,
                  Confidence::exact};
    answer.words = {{fmt::format("{}\n{}: of {} runs {} equal the network on one device, and {} move what is "
                                 "counted\n\n",
                                 what, sound ? "correct" : "WRONG", runs, correct, counted)},
                    std::move(lines)};
    answer.checks.push_back({said("The product is right."), correct == runs});
    answer.checks.push_back({said("Dispatch and combine move the bytes that are counted."), counted == runs});
    answer.tables.push_back(NamedTable::of("routings", std::move(table)));
    return answer;
}

} // namespace

std::vector<QuestionField> expert_layer_fields() {
    const auto whole = [](const char* key, std::string name, std::string help, const char* flag,
                          const char* flag_help, std::int64_t most) {
        return QuestionField{.row = {.key = key,
                                     .name = std::move(name),
                                     .help = std::move(help),
                                     .flag = flag,
                                     .flag_help = flag_help,
                                     .kind = FieldKind::whole,
                                     .least = 1,
                                     .most = most}};
    };
    return {whole("experts", said("Experts"), said("Runs a layer of so many experts instead of a GEMM"),
                  "--experts", "N: runs a layer of N experts on real matrices instead of a GEMM",
                  most_executed_experts),
            whole("top", said("Experts of a token"), said("How many of the experts a token goes to"), "--top",
                  "K: of --experts, how many a token goes to (default 2, or 1 of 1)", most_executed_experts),
            whole("ep", said("Chips of a domain"), said("Chips of a domain that share the experts"), "--ep",
                  "N: chips of a domain that share the experts (default: the chips of --mesh, on its torus)",
                  most_executed_chips)};
}

Result<Answer> verified_experts(const Asked& asked, const Scenario& scenario, const RunControl& control) {
    ExpertLayer layer{executed_tokens, executed_features, executed_inner,
                      static_cast<std::int64_t>(asked.number("experts")), 1};
    layer.routed = asked.has("top") ? static_cast<std::int64_t>(asked.number("top"))
                                    : std::min<std::int64_t>(2, layer.experts);
    const auto first = static_cast<std::uint32_t>(asked.number("seed"));
    const auto seeds = static_cast<std::int64_t>(asked.number("seeds"));
    std::vector<RoutedRuns> all;
    const auto add = [&](std::int64_t chips, const Torus* torus) -> Result<void> {
        for (const TokenRouting routing : all_token_routings) {
            Result<RoutedRuns> one = routed_runs(layer, routing, chips, torus, first, seeds, control);
            if (!one) {
                return refuse(one.error());
            }
            all.push_back(*std::move(one));
        }
        return {};
    };
    if (asked.has("ep")) {
        if (const Result<void> done = add(static_cast<std::int64_t>(asked.number("ep")), nullptr); !done) {
            return refuse(done.error());
        }
    }
    if (!asked.has("ep") || asked.said.has("--mesh")) {
        const Result<const Algorithm*> known = algorithm(scenario.plan.algorithm);
        if (!known) {
            return refuse(known.error());
        }
        const Result<Torus> torus = torus_of(scenario, **known);
        if (!torus) {
            return refuse(torus.error());
        }
        if (torus->chips() > most_executed_chips) {
            return refuse(say("A layer of experts is run on at most {} chips, and the mesh has {}.",
                              most_executed_chips, torus->chips()));
        }
        if (const Result<void> done = add(torus->chips(), &*torus); !done) {
            return refuse(done.error());
        }
    }
    return answer_of_experts(layer, all,
                             fmt::format("Layer of {} experts, {} of a token, {} tokens a chip",
                                         layer.experts, layer.routed, layer.tokens));
}

} // namespace meshslice
