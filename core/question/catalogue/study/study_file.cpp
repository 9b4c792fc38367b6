#include "core/question/catalogue/study/study_file.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/study/study_check.h"
#include "core/report/sweep/sweep_table.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

namespace meshslice {
namespace {

constexpr const char* study_file_key = "meshslice_swept_study";
constexpr std::int64_t study_file_version = 1;
constexpr std::size_t most_statements = 1000;

using NamedWords = std::vector<std::pair<std::string, std::string>>;

/// The members of an object of texts, "batch": "64"; numbers may stand as numbers.
NamedWords words_by_name(JsonReader& reader, const std::string& key) {
    NamedWords all;
    if (!reader.has(key)) {
        return all;
    }
    const nlohmann::json object = nlohmann::json::parse(reader.json_text(key), nullptr, false);
    reader.expect(object.is_object(), key, "must be an object of names and words");
    if (!object.is_object()) {
        return all;
    }
    for (const auto& [name, value] : object.items()) {
        reader.expect(value.is_string() || value.is_number() || value.is_boolean(), key,
                      fmt::format("must have a text or a number for \"{}\"", name));
        all.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return all;
}

/// Reads files that a study names, from the folder that the study is in.
ReadFile files_of(const std::string& origin) {
    return [folder = std::filesystem::path(origin).parent_path()](const std::string& path) {
        return read_text_file((folder / path).string());
    };
}

/// What a field of the question's own has after a flag: a part may be a file.
Result<FieldValue> own_value(const Question& over, const QuestionField& field, const std::string& words,
                             const ReadFile& read_file) {
    if (field.row.kind != FieldKind::part || !(field.file || looks_like_a_file(words))) {
        return parse_own(over, field, words, Speech::file);
    }
    return read_file(words).map([&](std::string text) {
        return FieldValue(JsonPart{std::move(text), words});
    });
}

/// One value of a field of the question or of its scenario.
Result<std::pair<Vary, FieldValue>> one_value(const Question& over, const Scenario& scenario,
                                              const std::string& name, const std::string& words,
                                              const ReadFile& read_file) {
    Result<Vary> vary = parse_vary(over, scenario, name + "=" + words, read_file);
    if (!vary) {
        return refuse(vary.error());
    }
    if (vary->values.size() != 1) {
        return refuse(say("\"{}\" has {} values here; expected one.", name, vary->values.size()));
    }
    FieldValue value = vary->values.front();
    return std::pair(*std::move(vary), std::move(value));
}

class StudyReader {
  public:
    StudyReader(const nlohmann::json& json, const std::string& origin, std::vector<std::string>* all)
        : reader_(json, origin, all), origin_(origin), read_file_(files_of(origin)) {}

    Result<StudyFile> read() {
        const std::int64_t version = reader_.whole(study_file_key, 1, 1'000'000);
        reader_.expect(
            version <= study_file_version, study_file_key,
            fmt::format("is {}, but this program reads files up to version {}", version, study_file_version));
        study_.name = reader_.name("name");
        study_.title = reader_.name("title");
        study_.question = reader_.text("question");
        study_.source = optional_text("source");
        study_.section = optional_text("section");
        study_.note = optional_text("note");
        read_sweep();
        if (reader_.ok()) {
            read_statements();
        }
        // What was not looked at for an error before it is not unknown.
        for (const char* const key :
             {"of", "scenario", "set", "vary", "number", "number_name", "claims", "orderings"}) {
            if (reader_.has(key)) {
                static_cast<void>(reader_.json_text(key));
            }
        }
        reader_.no_other_keys();
        return reader_.ok() ? Result<StudyFile>(std::move(study_)) : refuse(*reader_.finding());
    }

  private:
    std::string optional_text(const char* key) {
        return reader_.has(key) ? reader_.text(key) : std::string();
    }

    void read_sweep() {
        const std::string of = reader_.has("of") ? reader_.text("of") : std::string("estimate");
        static const Questions all = all_questions(); // to make them takes longer than to read a file
        const Question* const over = question_of(all, of);
        std::vector<std::string> ids;
        for (const Question& one : all) {
            if (!one.over && one.id != "reproduce") {
                ids.push_back(one.id);
            }
        }
        if (std::ranges::find(ids, of) == ids.end()) {
            reader_.expect(false, "of", fmt::format("must be one of {}", fmt::join(ids, ", ")));
            return;
        }
        Sweep& sweep = study_.sweep;
        sweep.over = std::make_shared<const Question>(*over);
        sweep.scenario = default_scenario();
        sweep.scenario.compare.clear();
        if (reader_.has("scenario")) {
            const std::string text =
                reader_.is_text("scenario") ? reader_.text("scenario") : reader_.json_text("scenario");
            const Result<Variant> variant =
                read_project(text, origin_ + ", scenario").and_then([](const Project& project) {
                    return variant_of(project, {});
                });
            if (!variant) {
                reader_.note(variant.error());
                return;
            }
            sweep.scenario = variant->scenario;
        }
        read_own(*over);
        const std::vector<std::string> varies = reader_.text_list("vary");
        reader_.expect(!varies.empty() && varies.size() <= 2, "vary", "must have one field or two");
        for (const std::string& words : varies) {
            Result<Vary> vary = parse_vary(*sweep.over, sweep.scenario, words, read_file_);
            if (!vary) {
                reader_.object_to("vary", vary.error());
                return;
            }
            sweep.fields.push_back(*std::move(vary));
        }
        sweep.number = optional_text("number");
        study_.number_name = optional_text("number_name");
        if (!study_.number_name.empty()) {
            reader_.expect(!sweep.number.empty(), "number_name",
                           "names the number under \"number\", which is missing");
            name_number(sweep, study_.number_name);
        }
        if (reader_.ok()) {
            if (const Result<void> valid = checked(sweep); !valid) {
                reader_.object_to("vary", valid.error());
            }
        }
    }

    /// What "set" says of the question's own fields and of the scenario.
    void read_own(const Question& over) {
        Sweep& sweep = study_.sweep;
        const Result<Asked> begun = asked_of(over, {}, Speech::file);
        OwnValues own;
        for (const QuestionField& field : over.fields) {
            const Result<FieldValue> first = parse_own(over, field, field.first, Speech::file);
            own[field.row.key] = first.value_or(FieldValue());
        }
        sweep.own = begun ? begun->own : own;
        const NamedWords set = words_by_name(reader_, "set");
        std::vector<Vary> fields;
        std::vector<FieldValue> values;
        bool has_sequence = false;
        for (const auto& [name, words] : set) {
            const auto field = std::ranges::find_if(over.fields, [&called = name](const QuestionField& one) {
                return is_called(one.row, called);
            });
            if (field != over.fields.end()) { // of any kind, also those that cannot vary
                const Result<FieldValue> value = own_value(over, *field, words, read_file_);
                if (!value) {
                    reader_.object_to("set", value.error());
                    return;
                }
                sweep.own[field->row.key] = *value;
                continue;
            }
            const auto one = one_value(over, sweep.scenario, name, words, read_file_);
            if (!one) {
                const bool known = std::ranges::any_of(
                    scenario_fields(), [&called = name](const auto& row) { return is_called(row, called); });
                reader_.object_to("set", known ? one.error()
                                               : Error{say("{} has no field \"{}\"; {}", over.id,
                                                           shortened(name), unknown_field(over, name))});
                return;
            }
            has_sequence = has_sequence || one->first.key == "sequence";
            fields.push_back(one->first);
            values.push_back(one->second);
        }
        const Result<Scenario> scenario = with_values(sweep.scenario, fields, values);
        if (!scenario) {
            reader_.object_to("set", scenario.error());
            return;
        }
        sweep.scenario = *scenario;
        if (!reader_.has("scenario") && !has_sequence && !sweep.scenario.gemm) {
            sweep.scenario.sequence = usual_sequence(sweep.scenario.model);
        }
    }

    /// The place of a point that is named by the values of all fields that vary.
    std::size_t place_of(JsonReader& reader, const std::string& key) {
        const Sweep& sweep = study_.sweep;
        const NamedWords at = words_by_name(reader, key);
        std::vector<std::optional<std::size_t>> places(sweep.fields.size());
        for (const auto& [name, words] : at) {
            const auto one = one_value(*sweep.over, sweep.scenario, name, words, read_file_);
            if (!one) {
                reader.object_to(key, one.error());
                return 0;
            }
            const auto field = std::ranges::find(sweep.fields, one->first.key, &Vary::key);
            const auto value = field == sweep.fields.end() ? std::vector<FieldValue>::const_iterator()
                                                           : std::ranges::find(field->values, one->second);
            if (field == sweep.fields.end() || value == field->values.end()) {
                reader.expect(false, key,
                              fmt::format("names \"{}\" {}, which is not a point of the sweep", name, words));
                return 0;
            }
            places[static_cast<std::size_t>(field - sweep.fields.begin())] =
                static_cast<std::size_t>(value - field->values.begin());
        }
        std::size_t place = 0;
        for (std::size_t k = 0; k < places.size(); ++k) {
            reader.expect(places[k].has_value(), key,
                          fmt::format("must say a value of \"{}\" too", sweep.fields[k].key));
            place = place * sweep.fields[k].values.size() + places[k].value_or(0);
        }
        return place;
    }

    std::string number_of(JsonReader& reader) {
        const bool own = reader.has("number");
        reader.expect(own || !study_.sweep.number.empty(), "number",
                      "must say which number of a point, as the study says none for all");
        return own ? reader.text("number") : study_.sweep.number;
    }

    void read_statements() {
        if (reader_.has("claims")) {
            for (JsonReader& one : reader_.object_list("claims", most_statements)) {
                read_claim(one);
            }
        }
        if (reader_.has("orderings")) {
            for (JsonReader& one : reader_.object_list("orderings", most_statements)) {
                read_ordering(one);
            }
        }
    }

    void read_claim(JsonReader& one) {
        SweptClaim claim;
        claim.id = one.name("id");
        claim.statement = one.text("statement");
        claim.section = one.has("section") ? one.text("section") : std::string();
        const std::optional<ClaimKind> kind = claim_kind(one.text("kind"));
        one.expect(kind.has_value(), "kind", "must be " + claim_kind_names());
        claim.kind = kind.value_or(ClaimKind::time);
        claim.value = one.number("value", 0, 1e18);
        claim.point = place_of(one, "at");
        if (one.has("over")) {
            claim.over = place_of(one, "over");
        }
        if (one.has("within")) {
            claim.within = one.number("within", 0, 1e6);
        }
        claim.number = number_of(one);
        one.no_other_keys();
        study_.claims.push_back(std::move(claim));
    }

    void read_ordering(JsonReader& one) {
        SweptOrdering ordering;
        ordering.id = one.name("id");
        ordering.statement = one.text("statement");
        ordering.section = one.has("section") ? one.text("section") : std::string();
        const std::string shape = one.text("shape");
        static constexpr std::array shapes = {"rises", "falls", "least-at", "most-at"};
        const auto* const found = std::ranges::find(shapes, shape);
        one.expect(found != shapes.end(), "shape", "must be rises, falls, least-at or most-at");
        ordering.shape = static_cast<SweptShape>(found == shapes.end() ? 0 : found - shapes.begin());
        const bool at = ordering.shape == SweptShape::least_at || ordering.shape == SweptShape::most_at;
        if (at) {
            ordering.point = place_of(one, "at");
        } else {
            one.expect(study_.sweep.fields.size() == 1, "shape",
                       "must be least-at or most-at where two fields vary");
        }
        ordering.number = number_of(one);
        one.no_other_keys();
        study_.orderings.push_back(std::move(ordering));
    }

    JsonReader reader_;
    std::string origin_;
    ReadFile read_file_;
    StudyFile study_;
};

} // namespace

void name_number(Sweep& sweep, const std::string& called) {
    Question named = *sweep.over;
    SweptQuestion swept = named.swept ? *named.swept : SweptQuestion();
    const auto known = std::ranges::find(swept.measures, sweep.number, &Measure::path);
    if (known != swept.measures.end()) {
        known->name = called;
    } else {
        swept.finding = {}; // which is about the others
        swept.measures.push_back(measure_of(sweep.number, called));
    }
    named.swept = std::make_shared<const SweptQuestion>(std::move(swept));
    sweep.over = std::make_shared<const Question>(std::move(named));
}

Result<StudyFile> read_study_file(std::string_view json, const std::string& origin,
                                  std::vector<std::string>* all) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    return parsed ? StudyReader(*parsed, origin, all).read() : refuse(parsed.error());
}

Result<void> check_study_file(std::string_view json, const std::string& origin,
                              std::vector<std::string>* all) {
    return read_study_file(json, origin, all).and_then([](const StudyFile& study) {
        return check_points(study);
    });
}

} // namespace meshslice
