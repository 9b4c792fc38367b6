// Which machine and model a study of a file is about, and the same study about others.

#include "core/base/say.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/study/study_file.h"
#include "core/scenario/fields.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* machine_key = "hardware";
constexpr const char* model_key = "model";
constexpr const char* sequence_key = "sequence";

/// Where a study has what it is about: in a field of its question, or in the scenario.
enum class Where : std::uint8_t { nowhere, own, scenario };

bool varies(const StudyFile& study, std::string_view key) {
    return std::ranges::find(study.sweep.fields, key, &Vary::key) != study.sweep.fields.end();
}

Where where_is(const StudyFile& study, std::string_view key) {
    const Sweep& sweep = study.sweep;
    if (varies(study, key)) {
        return Where::nowhere;
    }
    if (const auto own = sweep.own.find(std::string(key)); own != sweep.own.end()) {
        const auto* const name = std::get_if<std::string>(&own->second);
        const bool said =
            std::holds_alternative<JsonPart>(own->second) || (name != nullptr && !name->empty());
        return said ? Where::own : Where::nowhere;
    }
    return uses_field(*sweep.over, scenario_field(std::string(key))) ? Where::scenario : Where::nowhere;
}

/// What it has there: the question of its first point.
Result<Asked> own_of(const StudyFile& study) {
    OwnValues own = study.sweep.own;
    for (const Vary& vary : study.sweep.fields) {
        if (vary.own) {
            own[vary.key] = vary.values.front();
        }
    }
    return asked_with(*study.sweep.over, std::move(own), Speech::file);
}

/// A machine or a model: of the scenario, or as the question itself reads it.
template <class Part, class Read>
std::optional<Part> part_of(const StudyFile& study, const char* key, const Part& of_scenario,
                            const Read& read) {
    switch (where_is(study, key)) {
    case Where::scenario: return of_scenario;
    case Where::own:
        if (const Result<Part> own = own_of(study).and_then(read)) {
            return *own;
        }
        break;
    case Where::nowhere: break;
    }
    return std::nullopt;
}

Result<StudyFile> with_part(StudyFile study, const char* key, const JsonPart& part, const std::string& what) {
    Sweep& sweep = study.sweep;
    switch (where_is(study, key)) {
    case Where::nowhere:
        return refuse(say("The study \"{}\" is not about one {} that could be another.", study.name, what));
    case Where::own: sweep.own[key] = part; break;
    case Where::scenario: {
        Result<Scenario> scenario = with_values(sweep.scenario, {{key, {part}}}, {part});
        if (!scenario) {
            return refuse(scenario.error());
        }
        sweep.scenario = *std::move(scenario);
        break;
    }
    }
    for (SweptClaim& claim : study.claims) {
        claim.within.reset();
    }
    if (!study.claims.empty() || !study.orderings.empty()) {
        study.not_judged = say("Not judged against what was published: asked about {}.", part.origin);
    }
    return study;
}

} // namespace

std::optional<Machine> machine_of(const StudyFile& study) {
    return part_of<Machine>(study, machine_key, study.sweep.scenario.hardware, chip_of);
}

std::optional<Transformer> model_of(const StudyFile& study) {
    return part_of<Transformer>(study, model_key, study.sweep.scenario.model,
                                [](const Asked& asked) { return model_of(asked); });
}

std::vector<StudyValue> values_of_all_points(const StudyFile& study) {
    std::vector<StudyValue> all;
    const Scenario& scenario = study.sweep.scenario;
    const bool of_a_gemm = where_is(study, model_key) == Where::scenario && scenario.gemm;
    if (const std::optional<Transformer> model = of_a_gemm ? std::nullopt : model_of(study)) {
        all.push_back({model_key, said("model"), model->title, model->name});
    }
    if (const std::optional<Machine> machine = machine_of(study)) {
        all.push_back({machine_key, said("machine"), machine->title, machine->name});
    }
    const auto add = [&](const FieldRow& row, const FieldValue& value) {
        if (row.key != machine_key && row.key != model_key && !varies(study, row.key)) {
            all.push_back({row.key, said(row.name.c_str()), text(row, value), value});
        }
    };
    Scenario usual = default_scenario(); // the numbers of the machine are those of its name
    usual.hardware = scenario.hardware;
    usual.model = scenario.model;
    for (const Field<Scenario>& row : scenario_fields()) {
        const FieldValue value = row.get(scenario);
        const bool is_said = row.key == sequence_key ? !of_a_gemm : value != row.get(usual);
        if (is_said && uses_field(*study.sweep.over, row) && row.applies(scenario)) {
            add(row, value);
        }
    }
    for (const QuestionField& field : study.sweep.over->fields) {
        const auto own = study.sweep.own.find(field.row.key);
        if (own != study.sweep.own.end() && !std::holds_alternative<std::monostate>(own->second) &&
            text(field.row, own->second) != field.first) {
            add(field.row, own->second);
        }
    }
    return all;
}

Result<StudyFile> with_machine(StudyFile study, const Machine& machine) {
    return with_part(std::move(study), machine_key, {write_machine(machine), machine.title}, said("machine"));
}

Result<StudyFile> with_model(StudyFile study, const Transformer& model) {
    return with_part(std::move(study), model_key, {write_transformer(model), model.title}, said("model"));
}

} // namespace meshslice
