#include "core/question/catalogue/common_fields.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text/nearest.h"
#include "core/cost/collective/exchange_bound.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/scenario/scenario.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

bool has_levels(const Machine& machine) {
    return is_plain_torus(machine) || has_domains(machine);
}

} // namespace

std::string lower_case(std::string words) {
    std::ranges::transform(words, words.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return words;
}

QuestionField chip_field(ChipsOffered offered, std::string help, int width) {
    const bool tori = offered == ChipsOffered::tori;
    FieldRow row{
        .key = "hardware",
        .name = said("Chip"),
        .help = std::move(help),
        .flag = "--machine",
        .flag_help =
            tori ? "NAME|FILE.json: chips that form a torus, as listed by `meshslice presets` (default "
                   "tpu-v5e)"
                 : "NAME|FILE.json: the chip and its network (default tpu-v5e)",
        .kind = FieldKind::part};
    row.choices = FieldChoices::later(
        [fits = tori                           ? is_plain_torus
                : offered == ChipsOffered::any ? has_levels
                                               : trains_by_plan] { return choices_of(presets_that(fits)); });
    return {.row = std::move(row), .first = usual_chip, .aliases = {{"--hardware", {}, {}}}, .width = width};
}

Result<Machine> chip_of(const Asked& asked) {
    const auto* part = std::get_if<JsonPart>(&asked.value("hardware"));
    return part != nullptr ? read_machine(part->json, part->origin).map(told_apart)
                           : preset_machine(asked.text("hardware"));
}

Result<Machine> preset_machine(const std::string& name) {
    if (Result<Machine> exact = machine_preset(name)) {
        return exact; // without the list of all
    }
    std::vector<std::string> names;
    std::ranges::transform(machine_presets(), std::back_inserter(names), &Machine::name);
    const std::string meant = resolved(name, names);
    const Result<Machine> known = machine_preset(meant.empty() ? lower_case(name) : meant);
    return known ? known : machine_preset(name); // A refusal repeats what was typed.
}

Result<Transformer> model_of(const Asked& asked) {
    if (const auto* part = std::get_if<JsonPart>(&asked.value("model"))) {
        return read_any_model(part->json, part->origin);
    }
    const std::string name = asked.text("model");
    std::vector<std::string> names;
    std::ranges::transform(model_presets(), std::back_inserter(names), &Transformer::name);
    const std::string meant = resolved(name, names);
    return model_preset(meant.empty() ? name : meant);
}

std::vector<std::string> taken_sequence(const Asked& asked) {
    const std::string file = asked.said.words("--model");
    if (asked.scenario == nullptr || asked.scenario->gemm || asked.said.file ||
        asked.said.has("--sequence") || !looks_like_a_file(file)) {
        return {};
    }
    const std::int64_t tokens = asked.scenario->sequence;
    const bool from_file = asked.scenario->model.sequence > 0;
    return {from_file
                ? say("A sequence has {} tokens, the most that {} says; --sequence sets another number.",
                      tokens, file)
                : say("A sequence has {} tokens, as {} says nothing of it; --sequence sets another number.",
                      tokens, file)};
}

std::string taken_lengths_words(const Asked& asked, const Transformer& model) {
    const std::string file = asked.said.words("--model");
    if (!looks_like_a_file(file) || model.sequence <= 0 || asked.said.has("--input") ||
        asked.said.has("--output") || asked.said.has("--arrivals")) {
        return {};
    }
    return say("A request has {} and {} tokens; --input and --output set others, together at most the {} "
               "that {} says.",
               asked.number("input"), asked.number("output"), model.sequence, file);
}

Result<NamedMesh> named_mesh_of(const Asked& asked, std::string_view key) {
    const std::string typed = asked.text(key);
    const Read<NamedMesh> mesh = parse_named_mesh(typed);
    if (mesh) {
        return *mesh;
    }
    return refuse(asked.called(key) + " " + in_text(typed, mesh.error()).sentence);
}

QuestionField element_field(FieldRow row) {
    row.kind = FieldKind::choice;
    for (const DataType type : all_data_types) {
        row.choices.push_back({std::string(name(type)), {}});
    }
    row.accepted = {"fp32", "fp16"};
    return {.row = std::move(row)};
}

QuestionField text_flag(std::string flag, std::string help) {
    QuestionField field;
    field.row.key = QuestionField::key_of({flag, {}, {}});
    field.row.name = field.row.key;
    std::ranges::replace(field.row.name, '_', ' ');
    field.row.flag = std::move(flag);
    field.row.flag_help = std::move(help);
    return field;
}

QuestionField switch_flag(std::string flag, std::string help) {
    QuestionField field = text_flag(std::move(flag), std::move(help));
    field.row.kind = FieldKind::flag;
    return field;
}

QuestionField whole_flag(std::string flag, std::string help, std::int64_t most) {
    QuestionField field = text_flag(std::move(flag), std::move(help));
    field.row.kind = FieldKind::whole;
    field.row.least = 1;
    field.row.most = most;
    return field;
}

QuestionField choice_flag(std::string flag, std::string help, const std::vector<std::string>& words) {
    QuestionField field = text_flag(std::move(flag), std::move(help));
    field.row.kind = FieldKind::choice;
    for (const std::string& word : words) {
        field.row.choices.push_back({word, {}});
    }
    field.first = words.front();
    return field;
}

QuestionField file_flag(std::string flag, std::string help) {
    QuestionField field = text_flag(std::move(flag), std::move(help));
    field.row.kind = FieldKind::part;
    field.file = true;
    return field;
}

DataType element_of(const Asked& asked, std::string_view key, DataType usual) {
    return parse_data_type(asked.text(key)).value_or(usual);
}

FieldRow memory_rate_row(FieldRow row) {
    row.kind = FieldKind::quantity;
    row.unit = "B/s";
    row.lowest = least_memory_rate;
    row.highest = most_memory_rate;
    row.range = said("1 MB/s to 1 EB/s");
    row.example = "\"15 GB/s\"";
    return row;
}

FieldRow exchange_bytes_row(FieldRow row) {
    row.kind = FieldKind::quantity;
    row.unit = "B";
    row.lowest = 1;
    row.highest = most_exchanged_bytes;
    row.range = said("1 B to 1 EB");
    row.example = "34e6 or \"34 MB\"";
    return row;
}

} // namespace meshslice
