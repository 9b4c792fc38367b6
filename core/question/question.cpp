#include "core/question/question.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace meshslice {
namespace {

std::string called_in(Speech speech, const QuestionField& field) {
    switch (speech) {
    case Speech::flags: return field.row.flag.empty() ? field.row.key : field.row.flag;
    case Speech::form: return field.row.label.empty() ? field.row.name : field.row.label;
    case Speech::file: break;
    }
    return field.row.key;
}

bool empty(const FieldValue& value) {
    const auto* words = std::get_if<std::string>(&value);
    return std::holds_alternative<std::monostate>(value) || (words != nullptr && words->empty());
}

Error no_field(const Question& question, std::string_view key) {
    std::vector<std::string_view> keys;
    std::ranges::transform(question.fields, std::back_inserter(keys),
                           [](const QuestionField& one) { return std::string_view(one.row.key); });
    return {say("{} has no field \"{}\"; it has {}.", question.title, shortened(key), fmt::join(keys, ", "))};
}

} // namespace

std::string QuestionField::key_of(const FieldAlias& alias) {
    std::string key = alias.flag.substr(std::min(alias.flag.find_first_not_of('-'), alias.flag.size()));
    std::ranges::replace(key, '-', '_');
    return key;
}

const QuestionField* Question::field(std::string_view key) const {
    const auto found = std::ranges::find(fields, key, [](const QuestionField& one) { return one.row.key; });
    return found == fields.end() ? nullptr : &*found;
}

const Question* question_of(const Questions& questions, std::string_view id) {
    const auto found = std::ranges::find(questions, id, &Question::id);
    return found == questions.end() ? nullptr : &*found;
}

Result<Tree> numbers_of(const Asked& asked, const RunControl& control) {
    return asked.question.numbers ? asked.question.numbers(asked, control)
                                  : asked.question.answer(asked, control).map(&Answer::values);
}

const Tree* value_at(const Asked& asked, const Tree& values, const std::string& path) {
    const Tree* const found = values.at(path);
    return found != nullptr || !asked.question.path ? found : values.at(asked.question.path(asked, path));
}

const FieldValue& Asked::value(std::string_view key) const {
    static const FieldValue none;
    const auto found = own.find(key);
    return found == own.end() ? none : found->second;
}

bool Asked::has(std::string_view key) const {
    return !empty(value(key));
}

std::string Asked::text(std::string_view key) const {
    const auto* words = std::get_if<std::string>(&value(key));
    return words == nullptr ? std::string() : *words;
}

double Asked::number(std::string_view key) const {
    if (const auto* whole = std::get_if<std::int64_t>(&value(key))) {
        return static_cast<double>(*whole);
    }
    const auto* quantity = std::get_if<double>(&value(key));
    return quantity == nullptr ? 0 : *quantity;
}

bool Asked::flag(std::string_view key) const {
    const auto* on = std::get_if<bool>(&value(key));
    return on != nullptr && *on;
}

std::string Asked::called(std::string_view key) const {
    const QuestionField* const field = question.field(key);
    assert(field != nullptr);
    return called_in(speech, *field);
}

std::string Asked::setting(std::string_view key, std::string_view word) const {
    const QuestionField& field = *question.field(key);
    if (speech == Speech::form) {
        if (word.empty()) {
            return field.row.word_label;
        }
        const auto choice = std::ranges::find(field.row.choices, word, &FieldChoice::word);
        return choice == field.row.choices.end() || choice->label.empty() ? std::string(word) : choice->label;
    }
    const auto alias = std::ranges::find_if(
        field.aliases, [&](const FieldAlias& one) { return one.word == word || word.empty(); });
    if (speech == Speech::flags && alias != field.aliases.end() && !alias->word.empty()) {
        return word.empty() ? say("leaving out {}", alias->flag) : alias->flag;
    }
    return word.empty() ? say("leaving out {}", called(key)) : fmt::format("{} {}", called(key), word);
}

Result<FieldValue> parse_own(const Question& /*question*/, const QuestionField& field, std::string_view words,
                             Speech speech) {
    return words.empty() ? Result<FieldValue>(FieldValue())
                         : parse(field.row, words, called_in(speech, field));
}

Result<Asked> asked_of(const Question& question, const OwnTexts& texts, Speech speech) {
    OwnValues own;
    for (const auto& [key, words] : texts) {
        const QuestionField* const field = question.field(key);
        if (field == nullptr) {
            return refuse(no_field(question, key));
        }
        const Result<FieldValue> value = parse_own(question, *field, words, speech);
        if (!value) {
            return refuse(value.error());
        }
        own[key] = *value;
    }
    return asked_with(question, std::move(own), speech);
}

Result<Asked> asked_with(const Question& question, OwnValues own, Speech speech) {
    for (const auto& [key, value] : own) {
        if (question.field(key) == nullptr) {
            return refuse(no_field(question, key));
        }
    }
    for (const QuestionField& field : question.fields) {
        if (own.contains(field.row.key)) {
            continue;
        }
        const Result<FieldValue> first = parse_own(question, field, field.first, speech);
        assert(first && "a field begins with what it may hold");
        own[field.row.key] = first.value_or(FieldValue());
    }
    for (const QuestionField& field : question.fields) {
        if (field.needed && field.row.kind != FieldKind::text && empty(own[field.row.key])) {
            const std::string called = called_in(speech, field);
            const Result<FieldValue> none = parse(field.row, "", called);
            return refuse(none ? Error{say("{} has no value; expected {}.", called, expectation(field.row))}
                               : none.error());
        }
    }
    return Asked{question, std::move(own), speech};
}

std::string first_words(const QuestionField& field) {
    return field.shown.empty() ? field.first : field.shown;
}

Asked asked_over(const Asked& asked, const Question& over, std::initializer_list<std::string_view> own_keys) {
    Asked its{over, asked.own, asked.speech, asked.scenario, asked.said};
    std::erase_if(its.own, [&](const auto& one) { return over.field(one.first) == nullptr; });
    for (const std::string_view key : own_keys) {
        if (asked.question.field(key) != nullptr) {
            its.said.flags.erase(asked.called(key));
        }
    }
    for (const AnswerFile& file : asked.question.files) {
        its.said.flags.erase(file.flag);
    }
    return its;
}

} // namespace meshslice
