#include "core/base/language.h"
#include "core/base/text.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_reader.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/migrate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

namespace meshslice {
namespace {

constexpr const char* lesson_key = "meshslice_lesson";
constexpr std::size_t most_claims = 20;
constexpr double most_tolerance = 0.5; ///< half as much and more is not an answer
constexpr double usual_tolerance = 0.02;
constexpr std::size_t most_choices = 5;
constexpr double unlimited = 1e300;

LessonText words(JsonReader& reader, const char* key) {
    if (!reader.is_object(key)) {
        return {{{std::string(), reader.text(key)}}};
    }
    JsonReader by_language = reader.object(key);
    LessonText text;
    std::vector<std::string> codes = languages();
    codes.insert(codes.begin(), "en");
    for (const std::string& code : codes) {
        if (by_language.has(code)) {
            text.in[code] = by_language.text(code);
        }
    }
    by_language.no_other_keys();
    reader.expect(!text.empty(), key,
                  fmt::format("is empty; expected a text for each language ({})", fmt::join(codes, ", ")));
    return text;
}

/// A text of one line, in each language.
LessonText title(JsonReader& reader) {
    LessonText text = words(reader, "title");
    for (const auto& [language, title] : text.in) {
        const Result<void> named = check_name(title);
        reader.expect(named.has_value(), "title", named ? std::string() : named.error().sentence);
    }
    return text;
}

template <class Words>
std::string one_of(const Words& known) {
    return fmt::format("one of {}", fmt::join(known, ", "));
}

/// A word of a few.
template <class Words>
std::string word(JsonReader& reader, const char* key, const Words& known) {
    const std::string found = reader.text(key);
    reader.expect(std::ranges::find(known, found) != known.end(), key,
                  fmt::format("is \"{}\"; expected {}", shortened(found), one_of(known)));
    return found;
}

LessonHighlight highlight(JsonReader reader) {
    using enum LessonHighlight::Kind;
    LessonHighlight points;
    const std::optional<std::string> at = reader.first_of({"field", "view", "lab"});
    if (!at) {
        return points;
    }
    if (*at == "field") {
        points = {field, reader.text("field")};
        const Field<Scenario>* row = field_of(scenario_fields(), points.key);
        reader.expect(row != nullptr && !row->label.empty(), "field",
                      fmt::format("is \"{}\"; expected the key of a field of the form, such as slices",
                                  shortened(points.key)));
    } else if (*at == "view") {
        points = {view, word(reader, "view", lesson_views)};
    } else {
        points = {lab, reader.text("lab")};
    }
    reader.no_other_keys();
    return points;
}

LessonLab lab(JsonReader reader) {
    LessonLab shown;
    std::vector<std::string_view> names;
    std::ranges::transform(lesson_lab_pages(), std::back_inserter(names), &LessonLabPage::name);
    shown.page = reader.has("page") ? word(reader, "page", names) : std::string(names.front());
    const LessonLabPage* const page = lesson_lab_page(shown.page);
    if (page == nullptr) {
        return shown;
    }
    for (std::size_t k = 0; k < page->fields.size(); ++k) {
        const LessonLabField& field = page->fields[k];
        const std::string name(field.name);
        if (k < page->needed || reader.has(name)) {
            shown.fields[name] =
                field.words.empty() ? reader.text(name) : word(reader, name.c_str(), field.words);
        }
    }
    reader.no_other_keys();
    return shown;
}

/// Choices from the smallest number on, which leave no number between two of them out.
std::vector<LessonChoice> choices(JsonReader& reader) {
    std::vector<LessonChoice> made;
    std::vector<JsonReader> all = reader.object_list("choices", most_choices);
    for (std::size_t k = 0; k < all.size(); ++k) {
        JsonReader& one = all[k];
        LessonChoice choice{words(one, "says"), made.empty() ? -unlimited : made.back().most, unlimited};
        if (k + 1 < all.size()) { // the last one has all that is left
            choice.most = one.number("below", -unlimited, unlimited);
            one.expect(choice.most > choice.least, "below", "is not above that of the choice before");
        }
        one.no_other_keys();
        made.push_back(std::move(choice));
    }
    reader.expect(made.size() > 1, "choices", "has fewer than two; expected two to five");
    return made;
}

LessonQuestion question(JsonReader reader, const std::string& origin, const Scenario& scenario,
                        const Questions& questions) {
    LessonQuestion asked;
    asked.ask = words(reader, "ask");
    if (reader.has("choices")) {
        asked.choices = choices(reader);
    }
    if (asked.choices.empty() || reader.has("hint")) {
        asked.hint = words(reader, "hint");
    }
    if (reader.has("because")) {
        asked.because = words(reader, "because");
    }
    asked.unit = word(reader, "unit", lesson_units);
    asked.tolerance =
        reader.has("tolerance") ? reader.number("tolerance", 0, most_tolerance) : usual_tolerance;
    JsonReader answer = reader.object("answer");
    if (reader.ok()) {
        asked.answer = read_lesson_quantity(answer, origin, scenario, questions).value_or(LessonQuantity());
    }
    answer.no_other_keys();
    reader.no_other_keys();
    return asked;
}

LessonClaim claim(JsonReader& reader, const std::string& origin, const Scenario& scenario,
                  const Questions& questions) {
    LessonClaim claimed;
    claimed.says = reader.text("says");
    claimed.least = reader.has("least") ? reader.number("least", -unlimited, unlimited) : -unlimited;
    claimed.most = reader.has("most") ? reader.number("most", -unlimited, unlimited) : unlimited;
    reader.expect(reader.has("least") || reader.has("most"), "says",
                  "has no limit; expected \"least\" or \"most\"");
    claimed.quantity = read_lesson_quantity(reader, origin, scenario, questions).value_or(LessonQuantity());
    reader.no_other_keys();
    return claimed;
}

/// `scenario` is that of the step before, and then of this one.
Result<LessonStep> step(const nlohmann::json& json, const std::string& origin, bool first, Scenario& scenario,
                        const Questions& questions, std::vector<std::string>* all) {
    JsonReader reader(json, origin, all);
    LessonStep made;
    made.title = title(reader);
    made.text = words(reader, "text");
    if (reader.has("scenario")) {
        read_lesson_fields(reader, "scenario", origin, scenario);
    }
    made.scenario = scenario;
    made.view = word(reader, "view", lesson_views);
    if (reader.has("lab")) {
        made.lab = lab(reader.object("lab"));
        reader.expect(made.view == "lab", "view",
                      fmt::format("is \"{}\"; expected lab, as the step says what the lab shows", made.view));
    }
    if (reader.has("highlight")) {
        made.highlight = highlight(reader.object("highlight"));
        if (made.highlight.kind == LessonHighlight::Kind::lab && reader.ok()) {
            const LessonLabPage& page = *lesson_lab_page(made.lab ? made.lab->page : "sharding");
            std::vector<std::string_view> names;
            std::ranges::transform(page.fields, std::back_inserter(names), &LessonLabField::name);
            reader.expect(page.has(made.highlight.key), "highlight",
                          fmt::format("is \"{}\" of the lab; expected {}", shortened(made.highlight.key),
                                      one_of(names)));
        }
    }
    if (reader.has("predict") && reader.ok()) {
        reader.expect(!first, "predict", "is in the first step; expected a step before it, which is shown");
        made.predict = question(reader.object("predict"), origin, scenario, questions);
    }
    if (reader.has("question") && reader.ok()) {
        made.question = question(reader.object("question"), origin, scenario, questions);
    }
    if (reader.has("claims") && reader.ok()) {
        for (JsonReader& one : reader.object_list("claims", most_claims)) {
            if (reader.ok()) {
                made.claims.push_back(claim(one, origin, scenario, questions));
            }
        }
    }
    if (reader.ok()) { // Else some of its keys have not been read.
        reader.no_other_keys();
    }
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    return made;
}

} // namespace

bool is_lesson(std::string_view json) {
    if (json.find(lesson_key) == std::string_view::npos) {
        return false;
    }
    const Result<nlohmann::json> parsed = parse_json(json, "lesson");
    return parsed && parsed->is_object() && parsed->contains(lesson_key);
}

Result<LessonTitle> read_lesson_title(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    LessonTitle read{reader.text("id"), title(reader), words(reader, "needs"),
                     reader.object_list("steps", Lesson::most_steps).size()};
    return reader.ok() ? Result<LessonTitle>(std::move(read)) : refuse(*reader.finding());
}

Result<Lesson> read_lesson(std::string_view json, const std::string& origin, std::vector<std::string>* all) {
    Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    one_machine_by_step(*parsed);
    JsonReader reader(*parsed, origin, all);
    const std::int64_t version = reader.whole(lesson_key, 1, 1'000'000);
    if (reader.ok() && version > lesson_version) {
        return refuse(
            fmt::format("{} is a lesson of version {}; this program reads up to version {}, so a newer "
                        "program is needed.",
                        origin, version, lesson_version));
    }
    Lesson lesson;
    lesson.id = reader.text("id");
    const bool named = !lesson.id.empty() && std::ranges::all_of(lesson.id, [](unsigned char c) {
        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
    });
    reader.expect(named, "id",
                  fmt::format("is \"{}\"; expected small letters, digits and -", shortened(lesson.id)));
    lesson.title = title(reader);
    lesson.needs = words(reader, "needs");
    if (reader.has("seen")) {
        lesson.seen = words(reader, "seen");
    }
    const std::size_t steps = reader.object_list("steps", Lesson::most_steps).size();
    reader.expect(steps > 0, "steps", "has no step; expected at least one");
    if (reader.ok()) { // Else some of its keys have not been read.
        reader.no_other_keys();
    }
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    Scenario scenario = default_scenario();
    const Questions questions = all_questions();
    std::optional<Error> wrong; // of the first step that is, where all are looked at
    for (std::size_t k = 0; k < steps; ++k) {
        Result<LessonStep> one = step((*parsed)["steps"][k], fmt::format("{}, step {}", origin, k + 1),
                                      k == 0, scenario, questions, all);
        if (!one && all == nullptr) {
            return refuse(one.error());
        }
        if (!one) {
            wrong = wrong ? wrong : one.error();
            continue;
        }
        lesson.steps.push_back(*std::move(one));
    }
    if (wrong) {
        return refuse(*wrong);
    }
    return lesson;
}

} // namespace meshslice
