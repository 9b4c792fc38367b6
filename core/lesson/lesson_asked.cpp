// What a lesson file asks the engine.

#include "core/base/text.h"
#include "core/lesson/lesson_reader.h"
#include "core/machine/catalogue.h"
#include "core/question/catalogue/common_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

/// Reads the parts of one quantity; notes what is wrong in the reader of its object.
class QuantityReader {
  public:
    QuantityReader(JsonReader& reader, const std::string& origin) : reader_(reader), origin_(origin) {}

    /// The first field under the question's own name, what a flag says under the flag's.
    QuestionNumber number_of(const Question& question, const Scenario& scenario) {
        OwnTexts texts;
        for (const QuestionField& field : question.fields) {
            const bool first = &field == &question.fields.front();
            const std::string& key = first ? question.id : field.row.key;
            if (reader_.has(key)) {
                texts[field.row.key] = reader_.text(key);
            }
            for (const FieldAlias& alias : field.aliases) {
                const std::string said = QuestionField::key_of(alias);
                if (!alias.word.empty() && reader_.has(said) && reader_.flag(said)) {
                    texts.try_emplace(field.row.key, alias.word);
                }
            }
        }
        QuestionNumber asked{question.id, {}, reader_.text("key")};
        const Result<Asked> read = asked_of(question, texts, Speech::file);
        if (!read) {
            note(read.error().sentence);
            return asked;
        }
        asked.own = read->own;
        if (!question.uses.none()) {
            asked.scenario = scenario;
        }
        if (asked.scenario || !reader_.ok()) {
            return asked; // a long answer waits until it is asked for
        }
        const Result<Tree> values = question.numbers(*read, {});
        if (!values) {
            note(values.error().sentence);
        } else if (values->at(asked.path) == nullptr) {
            note(fmt::format("there is no number \"{}\" of {}; there are {}", shortened(asked.path),
                             question.id, fmt::join(number_paths(*values), ", ")));
        }
        return asked;
    }

    LessonQuantity sharding() {
        const std::string words = reader_.text("sharding");
        const std::optional<NamedMesh> devices = mesh("mesh");
        const std::string typed_sizes = reader_.text("sizes");
        const Result<DimensionSizes> sizes = parse_dimension_sizes(typed_sizes);
        if (!sizes && reader_.ok()) {
            note(sizes.error().sentence);
        }
        const DataType type = kind("data_type", DataType::bf16);
        const bool gemm = words.find("->") != std::string::npos;
        const std::string plan = gemm && reader_.has("plan") ? reader_.text("plan") : std::string();
        const std::optional<Machine> chips = gemm ? hardware() : std::nullopt;
        const std::string wanted = key(gemm ? plan_keys() : shards_keys());
        if (!reader_.ok() || !devices || !sizes) {
            return {};
        }
        if (gemm) {
            const Read<ShardedGemm> read = parse_sharded_gemm(words, *devices);
            if (!read) {
                note(in_text(words, read.error()).sentence);
                return {};
            }
            return {PlanQuantity{*read, *devices, *sizes, type, chips.value_or(Machine()), plan, wanted}, {}};
        }
        const Read<ShardedArray> read = parse_sharded_array(words, *devices);
        if (!read) {
            note(in_text(words, read.error()).sentence);
            return {};
        }
        return {ShardsQuantity{*read, *devices, *sizes, bits(type), wanted}, {}};
    }

  private:
    void note(const std::string& sentence) {
        reader_.note({fmt::format("{}: {}{}", origin_, sentence, sentence.ends_with('.') ? "" : ".")});
    }
    void expect(bool holds, const char* key, const std::string& found, std::string_view expected) {
        reader_.expect(holds, key, fmt::format("is \"{}\"; {} was expected", shortened(found), expected));
    }

    std::optional<NamedMesh> mesh(const char* key) {
        const std::string typed = reader_.text(key);
        const Read<NamedMesh> read = parse_named_mesh(typed);
        if (!read) {
            if (reader_.ok()) {
                note(in_text(typed, read.error()).sentence);
            }
            return std::nullopt;
        }
        return *read;
    }

    std::optional<Machine> hardware() {
        const std::string wanted = reader_.has("hardware") ? reader_.text("hardware") : usual_chip;
        const Result<Machine> known = machine_preset(wanted);
        if (!known) {
            note(known.error().sentence);
            return std::nullopt;
        }
        return *known;
    }

    DataType kind(const char* key, DataType usual) {
        if (!reader_.has(key)) {
            return usual;
        }
        const std::string typed = reader_.text(key);
        const Result<DataType> known = parse_data_type(typed);
        expect(known.has_value(), key, typed, data_type_names());
        return known.value_or(usual);
    }

    std::string key(const std::vector<std::string_view>& known) {
        std::string wanted = reader_.text("key");
        expect(std::ranges::find(known, wanted) != known.end(), "key", wanted,
               fmt::format("one of {}", fmt::join(known, ", ")));
        return wanted;
    }

    JsonReader& reader_;
    const std::string& origin_;
};

} // namespace

std::optional<LessonQuantity> read_lesson_quantity(JsonReader& reader, const std::string& origin,
                                                   const Scenario& scenario, const Questions& questions) {
    std::vector<std::string> kinds = {"run"};
    std::ranges::transform(questions, std::back_inserter(kinds), &Question::id);
    kinds.emplace_back("sharding");
    const auto of = std::ranges::find_if(kinds, [&](const std::string& kind) { return reader.has(kind); });
    if (of == kinds.end()) {
        reader.note({fmt::format("{} does not say what the engine is asked; \"{}\" was expected.", origin,
                                 fmt::join(kinds, "\", \""))});
        return std::nullopt;
    }
    LessonQuantity quantity;
    QuantityReader asked(reader, origin);
    if (*of == "run") {
        RunQuantity run{scenario, reader.text("run"), reader.has("with")};
        if (run.another) {
            read_lesson_fields(reader, "with", origin, run.scenario);
        }
        quantity.of = std::move(run);
    } else if (*of == "sharding") {
        quantity = asked.sharding();
    } else {
        quantity.of = asked.number_of(*question_of(questions, *of), scenario);
    }
    if (reader.has("over") && reader.ok()) {
        JsonReader lower = reader.object("over");
        reader.expect(!lower.has("over"), "over", "is divided again; one division was expected");
        if (reader.ok()) {
            if (std::optional<LessonQuantity> read =
                    read_lesson_quantity(lower, origin, scenario, questions)) {
                quantity.over.push_back(*std::move(read));
            }
            lower.no_other_keys();
        }
    }
    return reader.ok() ? std::optional(std::move(quantity)) : std::nullopt;
}

} // namespace meshslice
