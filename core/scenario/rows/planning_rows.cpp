#include "core/base/say.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/fields.h"
#include "core/scenario/plan/plan_fields.h"
#include "core/scenario/plan/plan_words.h"
#include "core/scenario/rows/field_rows.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

/// A number that a scenario may have.
Field<Scenario> optional_row(FieldRow its, std::optional<std::int64_t> Planning::*member) {
    its.required = false;
    its.kind = FieldKind::whole;
    its.least = 1;
    return {std::move(its),
            [member](const Scenario& scenario) {
                const std::optional<std::int64_t>& number = scenario.planning.*member;
                return number ? FieldValue(*number) : FieldValue();
            },
            [member](Scenario& scenario, const FieldValue& value) -> Result<void> {
                const auto* number = std::get_if<std::int64_t>(&value);
                scenario.planning.*member = number != nullptr ? std::optional(*number) : std::nullopt;
                return {};
            },
            {},
            [member](const Scenario& scenario) { return !(scenario.planning.*member); }};
}

Field<Scenario> strategy_row() {
    Field<Scenario> row = text_field<Scenario>(
        {.key = "planning.strategy",
         .required = false,
         .name = "strategy of the plan",
         .label = "Strategy",
         .group = training_group,
         .place = 2,
         .help = "How GEMMs are split over the chips of a tensor-parallel group.",
         .flag = "--strategy",
         .flag_help = "1d|2d|summa|all: how GEMMs are split over a group; on a torus 1d|meshslice|wang|"
                      "collective|summa|cannon|all (default all)",
         .tags = of_a_plan | of_plans},
        [](auto& scenario) -> auto& { return scenario.plan.split.strategy; });
    row.kind = FieldKind::choice;
    row.choices = {{"all", "all strategies"},
                   {"1d", "1D: weights split, sequence parallel"},
                   {"2d", "2D: context parallel too"},
                   {"summa", "SUMMA: panels along both axes"}};
    for (const Algorithm& one : algorithms()) { // those of a torus, of which SUMMA is one too
        if (one.torus_axes == 2 && one.id != "summa") {
            row.choices.push_back({std::string(one.id), std::string(one.title)});
        }
    }
    row.omitted = [](const Scenario& scenario) {
        return scenario.plan.split.strategy == SplitAsked{}.strategy;
    };
    return row;
}

/// What a search tries all of unless one or several, with commas between them, are fixed.
Field<Scenario> choice_row(FieldRow its, std::string SplitAsked::*member, std::string ChoiceWords::*words,
                           std::vector<FieldChoice> choices) {
    its.required = false;
    Field<Scenario> row = text_field<Scenario>(
        std::move(its), [member](auto& scenario) -> auto& { return scenario.plan.split.*member; });
    row.set = [member, words](Scenario& scenario, const FieldValue& value) -> Result<void> {
        ChoiceWords all;
        all.*words = std::get<std::string>(value);
        if (const Result<PlanChoices> known = plan_choices(all); !known) {
            return refuse(known.error());
        }
        scenario.plan.split.*member = all.*words;
        return {};
    };
    row.choices = std::move(choices);
    row.omitted = [member](const Scenario& scenario) {
        return scenario.plan.split.*member == SplitAsked{}.*member;
    };
    return row;
}

/// A part of a plan's split; none: the search chooses.
Field<Scenario> part_row(FieldRow its, std::optional<std::int64_t> SplitAsked::*member) {
    its.required = false;
    its.group = training_group;
    its.least = 1;
    its.most = most_planned_chips;
    its.word = "auto";
    its.word_label = "auto";
    its.tags = of_a_plan | of_plans;
    Field<Scenario> row = whole_field<Scenario>(
        std::move(its), [member](auto& scenario) -> auto& { return scenario.plan.split.*member; });
    row.omitted = [member](const Scenario& scenario) { return !(scenario.plan.split.*member); };
    return row;
}

/// The sides of the tensor-parallel grid.
Field<Scenario> tensor_grid_row() {
    Field<Scenario> row = text_field<Scenario>(
        {.key = "planning.tp",
         .required = false,
         .name = "tensor-parallel grid of the plan",
         .label = "Tensor parallel",
         .group = training_group,
         .place = 5,
         .help = "Chips that share the GEMMs of a layer, rows x columns, such as 8x1. The second number "
                 "splits the sequence of a 2D plan (context parallel). 8xany leaves it open; any: the "
                 "search chooses.",
         .flag = "--tp",
         .flag_help = "M1xM2: tensor-parallel grid, likewise; 8xany and anyx4 fix one of its sides "
                      "(default any)",
         .pattern = "^(any|([1-9][0-9]*|any)(x([1-9][0-9]*|any))?)$",
         .tags = of_a_plan | of_plans},
        [](auto& scenario) -> auto& { return scenario.plan.split.tensor; });
    row.set = [](Scenario& scenario, const FieldValue& value) {
        return parse_grid(std::get<std::string>(value)).map([&](const GridSides& grid) {
            scenario.plan.split.tensor = text(grid);
        });
    };
    row.omitted = [](const Scenario& scenario) { return scenario.plan.split.tensor == SplitAsked{}.tensor; };
    return row;
}

/// How many data-parallel chips share the experts; one for a model without experts.
Field<Scenario> experts_row() {
    return part_row(
        {.key = "planning.ep",
         .name = "expert-parallel size of the plan",
         .label = "Expert parallel",
         .place = 5,
         .unit = "chips",
         .help = "Data-parallel chips that have a part of the experts each and send tokens to each other: 1, "
                 "all have all experts; auto: the search chooses among powers of two. On a torus 1.",
         .flag = "--ep",
         .flag_help = "N|auto: data-parallel chips that have a part of the experts each (expert parallel); "
                      "auto tries powers of two for a model with experts in fast domains (default auto)"},
        &SplitAsked::experts);
}

/// Parts of the split, as a search may keep them.
std::vector<Field<Scenario>> split_rows() {
    return {
        part_row({.key = "planning.dp",
                  .name = "data-parallel size of the plan",
                  .label = "Data parallel",
                  .place = 3,
                  .unit = "copies",
                  .help = "Copies of the model, each with its part of the batch; auto: the search chooses.",
                  .flag = "--dp",
                  .flag_help = "N: data-parallel size. --dp, --pp and --tp together are one plan, which is "
                               "read instead of a search; some of them narrow the search down (default "
                               "auto)"},
                 &SplitAsked::data),
        part_row({.key = "planning.pp",
                  .name = "number of pipeline stages of the plan",
                  .label = "Pipeline",
                  .place = 4,
                  .unit = "stages",
                  .help = "Stages that the layers are cut into; auto: the search chooses.",
                  .flag = "--pp",
                  .flag_help = "N: pipeline stages, likewise (default auto)"},
                 &SplitAsked::pipeline),
        tensor_grid_row(),
        experts_row(),
        part_row({.key = "planning.micro_batch",
                  .name = "micro-batch of the plan",
                  .label = "Micro-batch",
                  .place = 6,
                  .unit = "samples",
                  .help = "Samples that go through the pipeline together; auto: the search chooses.",
                  .flag = "--micro-batch",
                  .flag_help = "N: samples of a micro-batch (default auto; of one plan 1)"},
                 &SplitAsked::micro_batch),
        part_row({.key = "planning.panels",
                  .name = "number of panels of the plan",
                  .label = "Panels",
                  .place = 11,
                  .help = "Panels that a SUMMA plan cuts its GEMMs into; auto: the search chooses.",
                  .flag = "--panels",
                  .flag_help = "N: panels of SUMMA plans (default auto, the fastest)"},
                 &SplitAsked::panels)};
}

/// What a search leaves out, and what software hides.
std::vector<Field<Scenario>> search_rows() {
    const auto flag = [](FieldRow its, bool SplitAsked::*member) {
        its.required = false;
        its.group = training_group;
        its.tags = of_a_plan | of_plans;
        Field<Scenario> row = flag_field<Scenario>(
            std::move(its), [member](auto& scenario) -> auto& { return scenario.plan.split.*member; });
        row.omitted = [member](const Scenario& scenario) {
            return scenario.plan.split.*member == SplitAsked{}.*member;
        };
        return row;
    };
    return {flag({.key = "planning.fits_only",
                  .name = "choice of plans that fit",
                  .label = "Memory",
                  .place = 10,
                  .unit = "only plans that fit",
                  .help = "Leaves out plans that need more memory than a chip has."},
                 &SplitAsked::fits_only),
            flag({.key = "planning.fewer_chips",
                  .name = "choice of fewer chips",
                  .label = "Fewer chips",
                  .place = 1,
                  .unit = "if faster",
                  .help = "The run takes fewer of its chips where a step is faster with them: 1000 chips may "
                          "beat 1024 where the batch is 1000."},
                 &SplitAsked::fewer_chips),
            flag({.key = "planning.overlap_tensor",
                  .name = "overlap of tensor-parallel communication",
                  .label = "Tensor overlap",
                  .place = 12,
                  .unit = "hidden by GEMMs",
                  .help = "GEMMs hide their own tensor-parallel communication but its first step; whether "
                          "they do depends on the software."},
                 &SplitAsked::tensor_overlap),
            flag({.key = "planning.overlap_data",
                  .name = "overlap of data-parallel communication",
                  .label = "Data overlap",
                  .place = 13,
                  .unit = "hidden by layers",
                  .help = "Layers hide the data-parallel communication of their neighbors."},
                 &SplitAsked::data_overlap)};
}

/// A schema's pattern of one or several such words.
std::string several_of(const std::string& word) {
    return "^(" + word + ")(,(" + word + "))*$";
}

/// A field that a file leaves out where it is as usual.
Field<Scenario> of_planning(Field<Scenario> row) {
    row.required = false;
    row.omitted = [get = row.get](const Scenario& scenario) {
        Scenario usual;
        return get(scenario) == get(usual);
    };
    return row;
}

Field<Scenario> ends_row() {
    Field<Scenario> row{
        {.key = "planning.ends",
         .name = "count of embedding, output head and loss",
         .label = "Ends",
         .group = training_group,
         .place = 20,
         .help = "Whether a plan counts embedding, output head, loss and logits: auto where the model's "
                 "vocabulary is known.",
         .kind = FieldKind::choice,
         .choices = {{"auto", "where the vocabulary is known"}, {"on", "counted"}, {"off", "left out"}},
         .tags = of_plans},
        [](const Scenario& scenario) {
            const std::optional<bool>& ends = scenario.planning.ends;
            return FieldValue(std::string(!ends ? "auto" : *ends ? "on" : "off"));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const std::string& word = std::get<std::string>(value);
            scenario.planning.ends = word == "auto" ? std::nullopt : std::optional(word == "on");
            return {};
        }};
    row.check = [](const Scenario& scenario) -> Result<void> {
        if (!scenario.planning.ends.value_or(false) || scenario.model.vocabulary > 0) {
            return {};
        }
        return refuse(say("{} gives no vocabulary, so its embedding and output head cannot be counted.",
                          scenario.model.title.empty() ? scenario.model.name : scenario.model.title));
    };
    return row;
}

/// Of one of some types of elements; none, where the member may hold none.
template <class Member>
Field<Scenario> type_row(FieldRow its, const std::vector<std::pair<Member, std::string>>& types,
                         Member Planning::*member) {
    its.kind = FieldKind::choice;
    for (const auto& [type, word] : types) {
        its.choices.push_back({word, {}});
    }
    return {std::move(its),
            [types, member](const Scenario& scenario) {
                const auto at = std::ranges::find(types, scenario.planning.*member,
                                                  &std::pair<Member, std::string>::first);
                return FieldValue((at == types.end() ? types.begin() : at)->second);
            },
            [types, member](Scenario& scenario, const FieldValue& value) -> Result<void> {
                const auto at = std::ranges::find(types, std::get<std::string>(value),
                                                  &std::pair<Member, std::string>::second);
                scenario.planning.*member = at->first;
                return {};
            }};
}

Field<Scenario> reserve_row() {
    return {{.key = "planning.reserve_in_bytes",
             .name = "reserve of a chip's memory",
             .label = "Reserve",
             .group = training_group,
             .place = 20,
             .unit = "B",
             .help = "Memory of a chip that a plan leaves to driver, framework and network.",
             .flag = "--memory-reserve",
             .flag_help = "BYTES: memory of a chip that holds no tensor: driver, framework, NCCL's buffers, "
                          "fragments (default auto: 2 GB of a GPU, none of a TPU)",
             .kind = FieldKind::quantity,
             .highest = 1e12,
             .range = "0 B to 1 TB",
             .example = "2 GB",
             .word = "auto",
             .word_label = "auto",
             .tags = of_a_plan | of_plans},
            [](const Scenario& scenario) {
                const std::optional<double>& bytes = scenario.planning.reserve;
                return bytes ? FieldValue(*bytes) : FieldValue();
            },
            [](Scenario& scenario, const FieldValue& value) -> Result<void> {
                const auto* bytes = std::get_if<double>(&value);
                scenario.planning.reserve = bytes != nullptr ? std::optional(*bytes) : std::nullopt;
                return {};
            }};
}

Field<Scenario> uneven_row() {
    return {{.key = "planning.stages",
             .name = "layers of the stages",
             .label = "Stages",
             .group = training_group,
             .place = 20,
             .help = "Whether some stages may have a layer more than others.",
             .flag = "--stages",
             .flag_help =
                 "any|even: whether stages may have a layer more than others; those that are left over "
                 "stand in the middle (default any)",
             .kind = FieldKind::choice,
             .choices = {{"any", "as even as possible"}, {"even", "equally many"}},
             .tags = of_a_plan | of_plans},
            [](const Scenario& scenario) {
                return FieldValue(std::string(scenario.planning.uneven_stages ? "any" : "even"));
            },
            [](Scenario& scenario, const FieldValue& value) -> Result<void> {
                scenario.planning.uneven_stages = std::get<std::string>(value) == "any";
                return {};
            }};
}

/// What is counted, and as what it is kept.
std::vector<Field<Scenario>> counted_rows() {
    using enum DataType;
    return {
        of_planning(ends_row()),
        of_planning(flag_field<Scenario>(
            {.key = "planning.optimizer_step",
             .name = "count of the optimizer's step",
             .label = "Optimizer",
             .group = training_group,
             .place = 20,
             .unit = "counted",
             .help = "Whether a plan counts the optimizer's step.",
             .tags = of_plans},
            [](auto& scenario) -> auto& { return scenario.planning.optimizer_step; })),
        of_planning(
            type_row<DataType>({.key = "planning.gradients",
                                .name = "type of gradients",
                                .label = "Gradients",
                                .group = training_group,
                                .place = 20,
                                .help = "Type in which the gradients of the weights are kept.",
                                .flag = "--gradients",
                                .flag_help = "bf16|fp32: type in which gradients are kept (default bf16)",
                                .tags = of_a_plan | of_plans},
                               {{bf16, "bf16"}, {fp32, "fp32"}}, &Planning::gradients)),
        of_planning(type_row<DataType>(
            {.key = "planning.optimizer_state",
             .name = "type of the optimizer's state",
             .label = "Optimizer state",
             .group = training_group,
             .place = 20,
             .help = "Type of Adam's two moments; the copy of the weight stays in fp32.",
             .flag = "--optimizer-state",
             .flag_help = "fp32|bf16|int8: type of Adam's two moments; the copy of the weight "
                          "stays in fp32 (default fp32)",
             .tags = of_a_plan | of_plans},
            {{fp32, "fp32"}, {bf16, "bf16"}, {int8, "int8"}}, &Planning::moments)),
        of_planning(type_row<DataType>(
            {.key = "planning.logits",
             .name = "type of logits",
             .label = "Logits",
             .group = training_group,
             .place = 20,
             .help = "Type of the logits that the loss keeps.",
             .flag = "--logits",
             .flag_help = "fp32|bf16: type of the logits that the loss keeps (default fp32)",
             .tags = of_a_plan | of_plans},
            {{fp32, "fp32"}, {bf16, "bf16"}}, &Planning::logits)),
        of_planning(type_row<std::optional<DataType>>(
            {.key = "planning.logit_gradients",
             .name = "type of the logits' gradient",
             .label = "Logit gradient",
             .group = training_group,
             .place = 20,
             .help = "Type of the logits' gradient; none: it takes their place, as in Megatron-LM.",
             .flag = "--logit-gradients",
             .flag_help = "fp32|bf16|none: type of the logits' gradient; none: it takes their place "
                          "(default fp32)",
             .tags = of_a_plan | of_plans},
            {{fp32, "fp32"}, {bf16, "bf16"}, {std::nullopt, "none"}}, &Planning::logit_gradients)),
        of_planning(whole_field<Scenario>(
            {.key = "planning.loss_chunks",
             .name = "number of chunks of the loss",
             .label = "Loss chunks",
             .group = training_group,
             .place = 20,
             .help = "Parts of a micro-batch whose logits are there one after the other.",
             .flag = "--loss-chunks",
             .flag_help = "N: parts of a micro-batch whose logits are there one after the other (default 1)",
             .least = 1,
             .most = most_loss_chunks,
             .tags = of_a_plan | of_plans},
            [](auto& scenario) -> auto& { return scenario.planning.loss_chunks; })),
        of_planning(uneven_row()),
        of_planning(reserve_row())};
}

constexpr const char* no_plan = "none";

Field<Scenario> plan_row() {
    Field<Scenario> row{
        {.key = "plan", .required = false, .name = "plan", .kind = FieldKind::part},
        [](const Scenario& scenario) -> FieldValue {
            return scenario.plan.loaded ? FieldValue(JsonPart{write_plan(*scenario.plan.loaded), "plan"})
                                        : FieldValue(std::string(no_plan));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const auto* part = std::get_if<JsonPart>(&value);
            if (part == nullptr) {
                const auto& word = std::get<std::string>(value);
                if (word != no_plan) {
                    return refuse(say("The plan is \"{}\"; expected none or an object.", shortened(word)));
                }
                scenario.plan.loaded.reset();
                return {};
            }
            const Result<Plan> plan = read_plan(part->json, part->origin);
            if (!plan) {
                return refuse(plan.error());
            }
            scenario.plan.loaded = *plan;
            return {};
        },
        {},
        [](const Scenario& scenario) { return !scenario.plan.loaded; }};
    row.check = [](const Scenario& scenario) {
        return scenario.plan.loaded ? check_plan_fields(*scenario.plan.loaded) : Result<void>();
    };
    return row;
}

} // namespace

std::vector<Field<Scenario>> planning_rows() {
    std::vector<Field<Scenario>> rows = {
        optional_row({.key = "planning.chips",
                      .name = "number of chips of the run",
                      .label = "Chips",
                      .group = training_group,
                      .place = 0,
                      .help = "Chips of the whole run, over all domains; mesh: those of the mesh.",
                      .doubling = true,
                      .flag = "--chips",
                      .flag_help = "N: chips of the whole run (default: those of the mesh, or of one plan)",
                      .most = most_planned_chips,
                      .word = "mesh",
                      .word_label = "those of the mesh",
                      .tags = of_a_plan | of_plans},
                     &Planning::chips),
        // Of a scenario that is one group of its plan.
        optional_row({.key = "planning.batch",
                      .name = "batch of the plan",
                      .label = "Batch of the run",
                      .group = training_group,
                      .place = 1,
                      .unit = "sequences",
                      .help = "Sequences in one training step, where the batch of the work is that of one "
                              "tensor-parallel group of the plan; the work's: both are the same.",
                      .most = most_planned_chips,
                      .word = "scenario",
                      .word_label = "the work's",
                      .tags = of_a_plan | of_plans},
                     &Planning::batch),
        optional_row(
            {.key = "planning.tokens",
             .name = "number of tokens of the training",
             .label = "Tokens",
             .group = training_group,
             .place = 14,
             .help = "Tokens that the whole training sees, to get its days; none: they are not said.",
             .flag = "--tokens",
             .flag_help = "N: of a whole training, such as 1T or 300e9: says its days too",
             .most = most_trained_tokens,
             .example = "1T",
             .word = "none",
             .word_label = "none",
             .tags = of_a_plan | of_plans},
            &Planning::tokens),
        of_planning(measured_step_row()), strategy_row(),
        choice_row(
            {.key = "planning.schedule",
             .name = "schedule of the plan's pipeline",
             .label = "Schedule",
             .group = training_group,
             .place = 7,
             .help = "Order in which the stages of a pipeline pass micro-batches on: any, or a list of 1f1b, "
                     "interleaved, interleaved:V, gpipe, zero-bubble and dualpipe.",
             .flag = "--schedule",
             .flag_help =
                 "any, or a list of 1f1b|interleaved|interleaved:V|gpipe, zero-bubble and dualpipe: of "
                 "the pipeline; "
                 "interleaved tries every number V of chunks, any this and 1f1b (default any; "
                 "of one plan or by published rules 1f1b)",
             .pattern = several_of("any|1f1b|gpipe|zero-bubble|dualpipe|interleaved(:([2-9]|[1-9][0-9]+))?"),
             .tags = of_a_plan | of_plans},
            &SplitAsked::schedule, &ChoiceWords::schedule,
            {{"any", "auto: 1F1B or interleaved"},
             {"1f1b", "1F1B"},
             {"interleaved", "interleaved 1F1B, any number of chunks"},
             {"gpipe", "GPipe"},
             {"zero-bubble", "zero bubble (ZB-H1)"},
             {"dualpipe", "DualPipe"}}),
        choice_row(
            {.key = "planning.recompute",
             .name = "recomputation of the plan",
             .label = "Recomputation",
             .group = training_group,
             .place = 8,
             .help =
                 "What the backward pass computes again instead of keeping it: any, or a list of none, "
                 "attention, full, and of Megatron-LM's modules core_attn, layernorm, act and mlp, several "
                 "of which + joins: layernorm+act.",
             .flag = "--recompute",
             .flag_help =
                 "any, or a list of none|attention|full and of sets such as layernorm+act of the modules "
                 "core_attn, layernorm, act and mlp: in the backward pass (default any, the first three; "
                 "else none)",
             .pattern = several_of("any|none|[a-z_]+([+][a-z_]+)*"),
             .tags = of_a_plan | of_plans},
            &SplitAsked::recompute, &ChoiceWords::recompute,
            {{"any", "auto"},
             {"none", "nothing is computed again"},
             {"attention", "attention"},
             {"layernorm+act", "norms and activations"},
             {"mlp", "feed-forward networks"},
             {"full", "whole layers"}}),
        choice_row(
            {.key = "planning.zero",
             .name = "ZeRO level of the plan",
             .label = "Sharding (ZeRO)",
             .group = training_group,
             .place = 9,
             .help =
                 "What data-parallel chips share instead of each keeping it whole: any, or a list of levels.",
             .flag = "--zero",
             .flag_help = "any, or a list of 0|1|2|3: what data-parallel chips share (default any; else 1)",
             .pattern = several_of("any|[0-3]"),
             .tags = of_a_plan | of_plans},
            &SplitAsked::zero, &ChoiceWords::zero,
            {{"any", "auto"},
             {"0", "0: nothing is shared"},
             {"1", "1: optimizer state"},
             {"2", "2: gradients too"},
             {"3", "3: weights too"}}),
        recipe_row(), plan_row()};
    for (std::vector<Field<Scenario>> more : {split_rows(), copies_rows(), adapter_rows(), search_rows(),
                                              counted_rows(), expert_rows(), price_rows()}) {
        rows.insert(rows.end() - 1, std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
    }
    for (Field<Scenario>& row : rows) {
        if (row.group == training_group && !row.objection) {
            row.objection = [](const Scenario& scenario) {
                return scenario.gemm ? said("One GEMM has no plan of a training run.") : std::string();
            };
        }
    }
    return rows;
}

} // namespace meshslice
