// The lab as a lesson shows it.

#include "core/base/text/parse.h"
#include "core/cost/collective/collective_costs.h"
#include "core/lesson/lesson_reader.h"
#include "core/lesson/stepper_example.h"
#include "core/machine/catalogue.h"
#include "core/torus/torus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

namespace meshslice {
namespace {

/// The fields of the lab as what the engine is asked about them.
nlohmann::json asked_by(const LessonLab& lab, const char* of,
                        std::initializer_list<std::pair<const char*, const char*>> keys) {
    nlohmann::json asked;
    for (const auto& [key, field] : keys) {
        if (const std::string words = lab.field(field); !words.empty()) {
            asked[key] = words;
        }
    }
    asked["key"] = of;
    return asked;
}

std::optional<std::string> fault_of(const nlohmann::json& asked) {
    JsonReader reader(asked, "The lab");
    const auto quantity = read_lesson_quantity(reader, "The lab", default_scenario(), all_questions());
    if (!quantity) {
        return reader.finding()->sentence;
    }
    const Result<double> value = value_of(*quantity);
    return value ? std::nullopt : std::optional(value.error().sentence);
}

/// Of a plan in words: "Slice_{X, J} B, Multiply" has two.
std::size_t steps_of(std::string_view plan) {
    std::size_t steps = 1;
    int braces = 0;
    for (const char letter : plan) {
        braces += letter == '{' ? 1 : letter == '}' ? -1 : 0;
        steps += letter == ',' && braces == 0 ? 1 : 0;
    }
    return steps;
}

std::optional<std::string> fault_of_sharding(const LessonLab& lab) {
    const Read<NamedMesh> mesh = parse_named_mesh(lab.field("mesh"));
    if (mesh && (mesh->devices() > most_lab_chips || mesh->axes.size() > most_lab_axes)) {
        return fmt::format("\"mesh\" is \"{}\"; the lab draws at most {} axes and {} chips.",
                           lab.field("mesh"), most_lab_axes, most_lab_chips);
    }
    nlohmann::json asked = asked_by(lab, "flop_per_chip",
                                    {{"mesh", "mesh"},
                                     {"sizes", "sizes"},
                                     {"hardware", "hardware"},
                                     {"data_type", "type"},
                                     {"plan", "plan"}});
    asked["sharding"] =
        fmt::format("{} . {} -> {}", lab.field("left"), lab.field("right"), lab.field("result"));
    if (const std::optional<std::string> wrong = fault_of(asked)) {
        return wrong;
    }
    const std::string done = lab.field("done");
    if (done.empty()) {
        return std::nullopt;
    }
    const Result<std::int64_t> steps = parse_whole(done);
    const std::string plan = lab.field("plan");
    if (!steps || *steps < 0 || (!plan.empty() && *steps > static_cast<std::int64_t>(steps_of(plan)))) {
        return fmt::format("\"done\" is \"{}\"; expected how many steps of the plan are done{}.", done,
                           plan.empty() ? std::string() : fmt::format(", 0 to {}", steps_of(plan)));
    }
    return std::nullopt;
}

/// What is not named is as the page begins.
std::optional<std::string> fault_of_question(const LessonLab& lab, const Question& question) {
    OwnTexts texts;
    for (const QuestionField& field : question.fields) {
        const auto named = lab.fields.find(field.row.key);
        texts[field.row.key] = named == lab.fields.end() ? first_words(field) : named->second;
    }
    const Result<Asked> asked = asked_of(question, texts, Speech::file);
    if (!asked) {
        return asked.error().sentence;
    }
    const Result<Answer> answer = question.answer(*asked, {});
    if (!answer) {
        return answer.error().sentence;
    }
    return answer->charts.empty() && !answer->notes.empty() ? std::optional(answer->notes.front())
                                                            : std::nullopt;
}

/// A page as lessons name its fields.
LessonLabPage page_of(const Question& question) {
    LessonLabPage page{question.page, {}, 0};
    for (const QuestionField& field : question.fields) {
        page.fields.push_back({field.row.key, {}});
        if (field.row.kind == FieldKind::choice) {
            std::ranges::transform(field.row.choices, std::back_inserter(page.fields.back().words),
                                   &FieldChoice::word);
        }
    }
    return page;
}

} // namespace

Result<StepperExample> stepper_example(const std::map<std::string, std::string>& named) {
    StepperExample example;
    const auto word = [&](const char* key) {
        const auto found = named.find(key);
        return found == named.end() ? std::string() : found->second;
    };
    if (const Result<Collective> exchange = parse_exchange(word("program"))) {
        example.exchange = *exchange;
    } else if (const Result<const Algorithm*> known = algorithm(word("program"))) {
        example.algorithm = (*known)->id;
    } else {
        return refuse(known.error());
    }
    std::optional<Error> wrong;
    const auto read = [&](const char* key, const auto& parse, auto& member) {
        const std::string words = word(key);
        if (words.empty() || wrong) {
            return;
        }
        if (const auto value = parse(words)) {
            member = *value;
        } else {
            wrong = value.error();
        }
    };
    read("mesh", parse_mesh, example.mesh);
    read("dataflow", parse_dataflow, example.dataflow);
    read("slices", parse_whole, example.slices);
    read("ways", parse_ring_mode, example.ring);
    if (wrong) {
        return refuse(*wrong);
    }
    for (const char letter : word("slicing")) {
        if (letter < 'A' || letter > 'C') {
            return refuse(fmt::format(
                "\"slicing\" is \"{}\"; expected the matrices with contiguous slices, such as A or AB.",
                word("slicing")));
        }
        example.contiguous[static_cast<std::size_t>(letter - 'A')] = true;
    }
    example.rings = word("links") != "lines";
    const Result<Program> program = program_of(example);
    return program ? Result<StepperExample>(example) : refuse(program.error());
}

std::string LessonLab::field(const std::string& name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? std::string() : found->second;
}

bool LessonLabPage::has(std::string_view field) const {
    return std::ranges::find(fields, field, &LessonLabField::name) != fields.end();
}

const std::vector<LessonLabPage>& lesson_lab_pages() {
    static const std::vector<LessonLabPage> pages = [] {
        std::vector<LessonLabPage> all = {{"sharding",
                                           {{"mesh"},
                                            {"sizes"},
                                            {"left"},
                                            {"right"},
                                            {"result"},
                                            {"hardware"},
                                            {"type"},
                                            {"plan"},
                                            {"done"},
                                            {"below", {"blocks", "plans", "timeline", "torus"}}},
                                           6},
                                          {"stepper",
                                           {{"program"},
                                            {"mesh"},
                                            {"dataflow"},
                                            {"slices"},
                                            {"slicing"},
                                            {"links", {"rings", "lines"}},
                                            {"ways", {"both", "one-way"}},
                                            {"done"}},
                                           1}};
        for (const Question& question : all_questions()) {
            if (!question.page.empty()) {
                all.push_back(page_of(question));
            }
        }
        return all;
    }();
    return pages;
}

const LessonLabPage* lesson_lab_page(std::string_view name) {
    const auto found = std::ranges::find(lesson_lab_pages(), name, &LessonLabPage::name);
    return found == lesson_lab_pages().end() ? nullptr : &*found;
}

std::optional<std::string> fault_of(const LessonLab& lab) {
    // Words that are chosen are so when a file is read.
    if (lab.page == "sharding") {
        return fault_of_sharding(lab);
    }
    if (lab.page == "stepper") {
        const Result<StepperExample> example = stepper_example(lab.fields);
        const std::string done = lab.field("done");
        const Result<std::int64_t> steps = parse_whole(done);
        return !example ? std::optional(example.error().sentence)
               : !done.empty() && (!steps || *steps < 0)
                   ? std::optional(fmt::format("\"done\" is \"{}\"; expected how many steps are done.", done))
                   : std::nullopt;
    }
    const Questions questions = all_questions();
    const auto question = std::ranges::find(questions, lab.page, &Question::page);
    return question == questions.end() ? std::optional(fmt::format("There is no page \"{}\".", lab.page))
                                       : fault_of_question(lab, *question);
}

} // namespace meshslice
