// Which machine and model a study of a file is about, and the same study about others.

#include "core/base/say.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/study/study_file.h"
#include "core/scenario/fields.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

constexpr const char* machine_key = "hardware";
constexpr const char* model_key = "model";

/// Where a study has what it is about: in a field of its question, or in the scenario.
enum class Where : std::uint8_t { nowhere, own, scenario };

Where where_is(const StudyFile& study, std::string_view key) {
    const Sweep& sweep = study.sweep;
    const bool varies = std::ranges::find(sweep.fields, key, &Vary::key) != sweep.fields.end();
    if (varies) {
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
    const Where where = where_is(study, machine_key);
    if (where == Where::scenario) {
        return study.sweep.scenario.hardware;
    }
    const Result<Machine> own =
        where == Where::own ? own_of(study).and_then([](const Asked& asked) { return chip_of(asked); })
                            : Result<Machine>(refuse(""));
    return own ? std::optional(*own) : std::nullopt;
}

std::optional<Transformer> model_of(const StudyFile& study) {
    const Where where = where_is(study, model_key);
    if (where == Where::scenario) {
        return study.sweep.scenario.model;
    }
    const Result<Transformer> own =
        where == Where::own ? own_of(study).and_then([](const Asked& asked) { return model_of(asked); })
                            : Result<Transformer>(refuse(""));
    return own ? std::optional(*own) : std::nullopt;
}

Result<StudyFile> with_machine(StudyFile study, const Machine& machine) {
    return with_part(std::move(study), machine_key, {write_machine(machine), machine.title}, said("machine"));
}

Result<StudyFile> with_model(StudyFile study, const Transformer& model) {
    return with_part(std::move(study), model_key, {write_transformer(model), model.title}, said("model"));
}

} // namespace meshslice
