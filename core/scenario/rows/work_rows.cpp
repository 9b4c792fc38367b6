#include "core/base/language.h"
#include "core/scenario/fields.h"
#include "core/scenario/rows/field_rows.h"

#include <array>

namespace meshslice {
namespace {

/// More sequences or tokens in one sequence than any run has had; products of them still fit 64 bits.
constexpr std::int64_t most_batch = std::int64_t{1} << 24;
constexpr std::int64_t most_sequence = std::int64_t{1} << 24;

/// A GEMM of the size of the paper's largest layers, until the user says another.
constexpr SingleGemm first_gemm{{262'144, 49'152, 12'288}, Dataflow::OS};

constexpr const char* a_gemm = "gemm";

Field<Scenario> task_row() {
    return {{.key = "task",
             .stored = false,
             .name = "task",
             .label = "&Task",
             .group = work_group,
             .help = "The GEMMs of one transformer block in a training step, of which the model has as many "
                     "as layers, "
                     "or one GEMM by itself with a size of your own.",
             .kind = FieldKind::choice,
             .choices = {{"step", "one block"}, {a_gemm, "one GEMM"}}},
            [](const Scenario& scenario) { return FieldValue(std::string(scenario.gemm ? a_gemm : "step")); },
            [](Scenario& scenario, const FieldValue& value) -> Result<void> {
                if (std::get<std::string>(value) != a_gemm) {
                    scenario.gemm.reset();
                } else if (!scenario.gemm) {
                    scenario.gemm = first_gemm;
                }
                return {};
            }};
}

Field<Scenario> model_row() {
    Field<Scenario> row{
        {.key = "model",
         .name = "model",
         .label = "&Model",
         .group = work_group,
         .help = "The transformer whose fully connected layers are multiplied. The button next to it shows "
                 "where each number comes from, and opens the config.json of another model.",
         .flag = "--model",
         .flag_help = "NAME|FILE.json: a preset, or a Hugging Face config.json (default gpt3-175b)",
         .kind = FieldKind::part,
         .tags = of_a_model | of_a_plan},
        [](const Scenario& scenario) -> FieldValue {
            const Result<Transformer> preset = model_preset(scenario.model.name);
            if (preset && *preset == scenario.model) {
                return scenario.model.name;
            }
            const std::string& title =
                scenario.model.title.empty() ? scenario.model.name : scenario.model.title;
            return JsonPart{write_transformer(scenario.model), title};
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const auto* part = std::get_if<JsonPart>(&value);
            const Result<Transformer> model =
                part ? read_any_model(part->json, part->origin) : model_preset(std::get<std::string>(value));
            if (!model) {
                return refuse(model.error());
            }
            scenario.model = *model;
            return {};
        },
        only_of_a_model};
    row.choices = FieldChoices::later([] { return choices_of(model_presets()); });
    row.check = [](const Scenario& scenario) -> Result<void> {
        const Result<Transformer> model = checked(scenario.model);
        return model ? Result<void>() : refuse(model.error());
    };
    return row;
}

/// One of the three sizes of the GEMM.
Field<Scenario> size_row(const char* key, const char* label, const char* unit, const char* help,
                         std::int64_t GemmShape::*size) {
    return {{.key = key,
             .name = label,
             .label = label,
             .group = work_group,
             .unit = unit,
             .help = help,
             .doubling = true,
             .kind = FieldKind::whole,
             .least = 1,
             .most = most_dimension},
            [size](const Scenario& scenario) {
                return FieldValue(scenario.gemm ? scenario.gemm->shape.*size : std::int64_t{1});
            },
            [size](Scenario& scenario, const FieldValue& value) -> Result<void> {
                scenario.gemm = scenario.gemm.value_or(SingleGemm{});
                scenario.gemm->shape.*size = std::get<std::int64_t>(value);
                return {};
            },
            only_of_a_gemm,
            [](const Scenario& scenario) { return !scenario.gemm; }};
}

/// All three of them as the command line says them, "64x64x64".
Field<Scenario> shape_row() {
    Field<Scenario> row{
        {.key = "gemm",
         .stored = false,
         .name = "GEMM",
         .flag = "--gemm",
         .flag_help = "MxNxK: [M, K] times [K, N], only this GEMM instead of a model's training step"},
        [](const Scenario& scenario) {
            return FieldValue(scenario.gemm ? text(scenario.gemm->shape) : std::string());
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const Result<GemmShape> shape = parse_gemm(std::get<std::string>(value));
            if (!shape) {
                return refuse(shape.error());
            }
            scenario.gemm = scenario.gemm.value_or(SingleGemm{});
            scenario.gemm->shape = *shape;
            return {};
        }};
    row.check = [](const Scenario& scenario) -> Result<void> {
        const Result<GemmShape> shape = scenario.gemm ? checked(scenario.gemm->shape) : GemmShape{};
        return shape ? Result<void>() : refuse(shape.error());
    };
    return row;
}

Field<Scenario> dataflow_row() {
    const std::vector<std::pair<Dataflow, std::string>> dataflows = {
        {Dataflow::OS, "OS: C = A B"}, {Dataflow::LS, "LS: C = A Bᵀ"}, {Dataflow::RS, "RS: C = Aᵀ B"}};
    Field<Scenario> row{
        {.key = "gemm.dataflow",
         .name = "dataflow of the GEMM",
         .label = "Dataf&low",
         .group = work_group,
         .help = "Which matrix never leaves its chip. OS, output stationary: C stays. LS, left "
                 "stationary: A stays. RS, right stationary: B stays.",
         .flag = "--dataflow",
         .flag_help = "OS|LS|RS with --gemm (default OS)",
         .kind = FieldKind::choice},
        [](const Scenario& scenario) {
            return FieldValue(std::string(name(scenario.gemm.value_or(SingleGemm{}).dataflow)));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const Result<Dataflow> dataflow = parse_dataflow(std::get<std::string>(value));
            if (!dataflow) {
                return refuse(dataflow.error());
            }
            scenario.gemm = scenario.gemm.value_or(SingleGemm{});
            scenario.gemm->dataflow = *dataflow;
            return {};
        },
        only_of_a_gemm,
        [](const Scenario& scenario) { return !scenario.gemm; }};
    for (const auto& [dataflow, label] : dataflows) {
        row.choices.push_back({std::string(name(dataflow)), label});
    }
    return row;
}

} // namespace

std::string only_of_a_model(const Scenario& scenario) {
    return scenario.gemm ? said("A single GEMM (--gemm) does not use it.") : std::string();
}

std::string only_of_a_gemm(const Scenario& scenario) {
    return scenario.gemm ? std::string() : said("Only a single GEMM (--gemm) uses it.");
}

std::vector<Field<Scenario>> work_rows() {
    return {task_row(), model_row()};
}

std::vector<Field<Scenario>> tokens_rows() {
    Field<Scenario> batch = whole_field<Scenario>(
        {.key = "batch",
         .name = "batch",
         .label = "&Batch",
         .group = work_group,
         .unit = "sequences",
         .help = "Sequences in one training step, over all chips. Batch times sequence length is the number "
                 "of tokens.",
         .doubling = true,
         .flag = "--batch",
         .flag_help = "N: sequences (default 128)",
         .least = 1,
         .most = most_batch,
         .tags = of_a_model | of_a_plan},
        [](auto& scenario) -> auto& { return scenario.batch; });
    batch.objection = only_of_a_model;
    Field<Scenario> sequence = whole_field<Scenario>(
        {.key = "sequence",
         .name = "sequence length",
         .label = "Se&quence",
         .group = work_group,
         .unit = "tokens",
         .help = "Tokens in one sequence.",
         .doubling = true,
         .flag = "--sequence",
         .flag_help = "N: tokens in a sequence (default: the model's own; 2048 where it says none)",
         .least = 1,
         .most = most_sequence,
         .tags = of_a_model | of_a_plan},
        [](auto& scenario) -> auto& { return scenario.sequence; });
    sequence.objection = only_of_a_model;
    return {batch, sequence};
}

std::vector<Field<Scenario>> gemm_rows() {
    return {shape_row(), size_row("gemm.m", "M", "rows", "Rows of the result C.", &GemmShape::m),
            size_row("gemm.n", "N", "columns", "Columns of the result C.", &GemmShape::n),
            size_row("gemm.k", "K", "terms", "The dimension that is summed over: terms in each element of C.",
                     &GemmShape::k),
            dataflow_row()};
}

} // namespace meshslice
