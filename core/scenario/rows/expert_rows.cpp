// How the tokens of a training run go to experts that chips share.

#include "core/base/say.h"
#include "core/model/block.h"
#include "core/scenario/fields.h"
#include "core/scenario/plan/planning.h"
#include "core/scenario/rows/field_rows.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

/// A row about what only a model with experts has.
Field<Scenario> of_exchange(FieldRow its, FieldValue (*get)(const ExpertExchange&),
                            void (*set)(ExpertExchange&, const FieldValue&)) {
    its.required = false;
    its.group = training_group;
    its.tags = of_a_plan | of_plans;
    its.place = 20;
    Field<Scenario> row{std::move(its),
                        [get](const Scenario& scenario) { return get(scenario.planning.exchange); },
                        [set](Scenario& scenario, const FieldValue& value) -> Result<void> {
                            set(scenario.planning.exchange, value);
                            return {};
                        }};
    row.omitted = [get](const Scenario& scenario) {
        return get(scenario.planning.exchange) == get(ExpertExchange{});
    };
    row.objection = [](const Scenario& scenario) {
        if (scenario.gemm) {
            return said("One GEMM has no plan of a training run.");
        }
        const bool routes = std::ranges::any_of(block_kinds(scenario.model), [](const KindCount& one) {
            return one.blocks > 0 && one.kind.feed_forward.experts > 1;
        });
        return routes ? std::string() : said("The model has no experts that chips could share.");
    };
    return row;
}

Field<Scenario> dispatch_row() {
    return of_exchange(
        {.key = "planning.dispatch",
         .name = "type of dispatched tokens",
         .label = "Dispatch",
         .help = "Type in which tokens are sent to experts, forward and backward: fp8 with a scale in fp32 "
                 "for each 128 numbers. What experts made comes back in bf16.",
         .flag = "--dispatch",
         .flag_help = "bf16|fp8: type in which tokens are sent to experts; what these made comes back in "
                      "bf16 (default bf16)",
         .kind = FieldKind::choice,
         .choices = {{"bf16", "bf16, 2 bytes"}, {"fp8", "fp8 with scales, 1.03 bytes"}}},
        [](const ExpertExchange& exchange) {
            return FieldValue(std::string(exchange.dispatch == DataType::fp8 ? "fp8" : "bf16"));
        },
        [](ExpertExchange& exchange, const FieldValue& value) {
            exchange.dispatch = std::get<std::string>(value) == "fp8" ? DataType::fp8 : DataType::bf16;
        });
}

Field<Scenario> domains_row() {
    return of_exchange(
        {.key = "planning.expert_domains",
         .name = "number of domains that a token goes to",
         .label = "Domains of a token",
         .help = "Fast domains that the experts of a token may stand in, at most (node-limited routing); 0: "
                 "any number; model: as the groups say that the model's router chooses experts from.",
         .flag = "--expert-domains",
         .flag_help = "model|N: fast domains that the experts of a token may stand in, at most; 0: any "
                      "number (default model: as its router's groups of experts say)",
         .kind = FieldKind::whole,
         .least = 0,
         .most = most_planned_chips,
         .word = "model",
         .word_label = "as the model's groups say"},
        [](const ExpertExchange& exchange) {
            return exchange.domains ? FieldValue(*exchange.domains) : FieldValue();
        },
        [](ExpertExchange& exchange, const FieldValue& value) {
            const auto* most = std::get_if<std::int64_t>(&value);
            exchange.domains = most != nullptr ? std::optional(*most) : std::nullopt;
        });
}

Field<Scenario> copies_row() {
    return of_exchange(
        {.key = "planning.expert_copies",
         .name = "number of copies of a dispatched token",
         .label = "Copies of a token",
         .help = "once: a token crosses to each domain once, for all of its experts there, and is handed on "
                 "to their chips; what comes back is added up first. each: it is sent to each expert by "
                 "itself.",
         .flag = "--expert-copies",
         .flag_help = "once|each: a token crosses to a domain once for all of its experts there, and is "
                      "handed on inside; or goes to each expert by itself (default once, as DeepEP)",
         .kind = FieldKind::choice,
         .choices = {{"once", "one to each domain"}, {"each", "one to each expert"}}},
        [](const ExpertExchange& exchange) {
            return FieldValue(std::string(exchange.once ? "once" : "each"));
        },
        [](ExpertExchange& exchange, const FieldValue& value) {
            exchange.once = std::get<std::string>(value) == "once";
        });
}

Field<Scenario> expert_overlap_row() {
    return of_exchange(
        {.key = "planning.expert_overlap",
         .name = "overlap of dispatch and combine",
         .label = "Expert overlap",
         .help = "What hides dispatch and combine: the shared expert of the same layer, or the passes of "
                 "another micro-batch, which is kept in addition. Either leaves 112 of 132 cores of a "
                 "GPU to what it hides behind. auto: another micro-batch in DualPipe, else nothing.",
         .flag = "--expert-overlap",
         .flag_help = "auto|none|shared|microbatch: what hides dispatch and combine, the shared expert or "
                      "another micro-batch (default auto: another micro-batch in DualPipe, else nothing)",
         .kind = FieldKind::choice,
         .choices = {{"auto", "auto"},
                     {"none", "nothing"},
                     {"shared", "the shared expert"},
                     {"microbatch", "another micro-batch"}}},
        [](const ExpertExchange& exchange) {
            return FieldValue(std::string(exchange.overlap ? name(*exchange.overlap) : "auto"));
        },
        [](ExpertExchange& exchange, const FieldValue& value) {
            exchange.overlap.reset();
            for (const ExpertOverlap one : all_expert_overlaps) {
                if (std::get<std::string>(value) == name(one)) {
                    exchange.overlap = one;
                }
            }
        });
}

Field<Scenario> balance_row() {
    return of_exchange(
        {.key = "planning.expert_balance",
         .name = "tokens of the fullest chip over the mean",
         .label = "Fullest chip",
         .help =
             "Tokens that the experts of the fullest chip get, over those of the mean chip: 1, the router "
             "spreads them evenly; what you measured; worst: all tokens choose the same experts.",
         .flag = "--expert-balance",
         .flag_help = "X|worst: tokens of the fullest chip's experts over those of the mean chip, as you "
                      "measured; worst: all tokens choose the same experts (default 1, even)",
         .kind = FieldKind::quantity,
         .lowest = 1,
         .highest = 1e6,
         .example = "1.3",
         .word = "worst",
         .word_label = "worst: all choose the same",
         .word_last = true},
        [](const ExpertExchange& exchange) {
            return exchange.fullest ? FieldValue(*exchange.fullest) : FieldValue();
        },
        [](ExpertExchange& exchange, const FieldValue& value) {
            const auto* times = std::get_if<double>(&value);
            exchange.fullest = times != nullptr ? std::optional(*times) : std::nullopt;
        });
}

} // namespace

std::vector<Field<Scenario>> expert_rows() {
    return {dispatch_row(), domains_row(), copies_row(), expert_overlap_row(), balance_row()};
}

} // namespace meshslice
