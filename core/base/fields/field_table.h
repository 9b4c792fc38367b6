#pragma once

#include "core/base/fields/field_choices.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {

/// A table of fields says once what each field of a plain value T is: its key in files, its flag on the
/// command line, its label, unit and help in a form, what it may hold and when it has an effect. Reading and
/// writing files, checks, options, forms and refusals are loops over the table, so a new field is its struct
/// member and one row.

/// A part that is described elsewhere, as JSON text (a model written out in full), and where the text is
/// from.
struct JsonPart {
    std::string json;
    std::string origin;

    bool operator==(const JsonPart&) const = default;
};

/// So many times what the preset has that the value came from, or, where it came from none, what it has now.
struct Factor {
    double times = 1.0;

    bool operator==(const Factor&) const = default;
};

/// A field's value on its way from or to a file, a command line or a form. Nothing (monostate) stands for the
/// row's `word`: "auto".
using FieldValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                 std::vector<bool>, std::vector<std::string>, JsonPart, Factor>;

enum class FieldKind : std::uint8_t {
    whole,      ///< std::int64_t
    quantity,   ///< double, in `unit`
    choice,     ///< std::string, the word of one of `choices`
    text,       ///< std::string
    flag,       ///< bool
    whole_list, ///< std::vector<std::int64_t>
    flag_list,  ///< std::vector<bool>
    text_list,  ///< std::vector<std::string>
    part,       ///< std::string, the name of a preset, or a JsonPart
};

/// What a field is, apart from where it is kept.
struct FieldRow {
    // Files
    std::string key;      ///< "batch"; "schedule.ring" stands in the object "schedule"
    bool stored = true;   ///< false: no file has it (it is another way to edit other rows)
    bool required = true; ///< a file (the object, where the key names one and it is there) must have it

    /// In sentences, after "the": "slice count".
    std::string name;

    // Forms
    std::string label = {}; ///< with its mnemonic, "&Batch"; empty: not in the form
    std::string group = {}; ///< the heading it stands under
    int place = 0;          ///< among the rows of its group; equal ones in the order of the table
    std::string unit = {};  ///< of a quantity, as parsed: "s"; of others a word: "sequences", "closed ring"
    std::string form_unit = {}; ///< of a quantity, where a form shows another: "ns"
    double form_scale = 1.0;    ///< one `form_unit` in `unit`s
    std::string help = {};      ///< one or more sentences
    bool doubling = false;      ///< the arrows double and halve
    bool greyed = false;        ///< where it has no effect a form shows it, greyed; else hides it

    // Command line
    std::string flag = {};         ///< "--batch"; rows that never apply together may share one
    std::string flag_aliases = {}; ///< further names of the flag, with commas between them
    std::string flag_help = {};    ///< what the value looks like and means: "N: sequences"
    std::string idle_text = {};    ///< a text that asks for nothing, also where the field has no effect

    // What it may hold
    FieldKind kind = FieldKind::text;
    bool sides = false;     ///< of a whole number: also two that make it, as "4x8", a list of both
    std::int64_t least = 0; ///< of whole numbers
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    double lowest = 0.0; ///< of quantities
    double highest = std::numeric_limits<double>::max();
    std::string range = {};                 ///< these limits in words, where they read better: "1 B to 1 EB"
    std::string example = {};               ///< "34e6 or \"34 MB\"": said with what was expected
    FieldChoices choices = {};              ///< of a choice all there are; of others those that a form offers
    std::vector<std::string> accepted = {}; ///< of a choice: words that are taken, but not offered
    std::string pattern = {}; ///< of a text, the regular expression that a schema says; `set` knows the same
    std::string word = {};    ///< for no value: "auto"; empty: it always has a value
    std::string word_label = {}; ///< in a form; of a line of text, what an empty one shows
    bool word_last = false;      ///< in a form's list the word comes last, else first

    /// Also taken as a factor of what the preset has: "x 0.5". Such a row's `set` is given a Factor.
    bool factors = false;
    /// A value with a source: {"value": .., "source": ".."} in a file.
    bool sourced = false;
    /// For whom it matters; what the numbers mean is up to the table.
    unsigned tags = 0;

    /// The text form, where it is not that of the kind.
    std::function<Result<FieldValue>(std::string_view)> from_text = {};
    std::function<std::string(const FieldValue&)> to_text = {};
};

/// A row and where its value is kept.
template <class T>
struct Field : FieldRow {
    std::function<FieldValue(const T&)> get;
    /// Takes a value that `fits` the row; refuses what only the field itself knows to be wrong.
    std::function<Result<void>(T&, const FieldValue&)> set;
    /// Why the field has no effect in this value, as a sentence; empty where it has one. None: it always has.
    std::function<std::string(const T&)> objection = {};
    /// Whether a file leaves it out. None: never.
    std::function<bool(const T&)> omitted = {};
    /// What has to hold beyond the row's own limits. None: nothing.
    std::function<Result<void>(const T&)> check = {};
    /// Where the value's source is kept, of sourced rows and of those that edit such ones.
    std::function<std::string&(T&)> source = {};
    /// Whether a form hides it where it stands greyed elsewhere: nothing about this value is of its kind.
    /// None: never.
    std::function<bool(const T&)> absent = {};

    [[nodiscard]] bool applies(const T& value) const { return !objection || objection(value).empty(); }
};

/// Whether the value is one that the row may hold; if not, "The batch is 0; expected a whole number from 1 to
/// 8."
[[nodiscard]] Result<void> fits(const FieldRow& row, const FieldValue& value);
/// What was expected instead of a wrong value: "a whole number from 1 to 8", "auto, Y, X or W".
[[nodiscard]] std::string expectation(const FieldRow& row);
/// Reads the text of a command line or a form strictly: the whole text, or nothing of it. `bare` is the unit
/// of a quantity without one. The sentence starts with `who`: "--batch" gives "--batch is "x"; ...".
[[nodiscard]] Result<FieldValue> parse(const FieldRow& row, std::string_view words, std::string_view who,
                                       double bare = 1.0);
/// So many times the number that the row has now; of a whole number a whole one. Refused where it has none.
/// The sentence starts with `who`.
[[nodiscard]] Result<FieldValue> multiplied(const FieldRow& row, const FieldValue& now, double factor,
                                            std::string_view who);
/// The text that `parse` reads as this value.
[[nodiscard]] std::string text(const FieldRow& row, const FieldValue& value, double bare = 1.0);

/// The row with this key; null where there is none.
template <class T>
const Field<T>* field_of(const std::vector<Field<T>>& table, std::string_view key) {
    for (const Field<T>& field : table) {
        if (field.key == key) {
            return &field;
        }
    }
    return nullptr;
}

/// Reads a text into a value. A refused text changes nothing of it.
template <class T>
[[nodiscard]] Result<void> set_text(const Field<T>& field, T& value, std::string_view words,
                                    std::string_view who, double bare = 1.0) {
    const Result<FieldValue> parsed = parse(field, words, who, bare);
    if (!parsed) {
        return refuse(parsed.error());
    }
    T next = value;
    if (const Result<void> taken = field.set(next, *parsed); !taken) {
        return taken;
    }
    value = std::move(next);
    return {};
}

/// What a table has against a value, and by which of its rows.
struct RowRefusal {
    const FieldRow* row;
    Error error;
};

/// The first row that refuses the value, in the order of the table; none where the value is right.
template <class T>
[[nodiscard]] std::optional<RowRefusal> first_refusal(const std::vector<Field<T>>& table, const T& value) {
    for (const Field<T>& field : table) {
        if (!field.stored || field.kind == FieldKind::part) {
            continue; // What a part may be is said by its own check, without writing it out.
        }
        if (const Result<void> own = fits(field, field.get(value)); !own) {
            return RowRefusal{&field, own.error()};
        }
    }
    for (const Field<T>& field : table) {
        if (const Result<void> more = field.check ? field.check(value) : Result<void>(); !more) {
            return RowRefusal{&field, more.error()};
        }
    }
    return std::nullopt;
}

/// Checks a value row by row, in the order of the table.
template <class T>
[[nodiscard]] Result<void> check_fields(const std::vector<Field<T>>& table, const T& value) {
    const std::optional<RowRefusal> refusal = first_refusal(table, value);
    return refusal ? Result<void>(refuse(refusal->error)) : Result<void>();
}

namespace field_detail {

template <class M>
struct IsOptional : std::false_type {};
template <class M>
struct IsOptional<std::optional<M>> : std::true_type {};

} // namespace field_detail

/// Makers of rows for the usual members. `access` returns the member of a T, const or not:
/// `[](auto& scenario) -> auto& { return scenario.batch; }`. A member that is optional has the row's word for
/// none.

/// A number of any whole type.
template <class T, class Access>
Field<T> whole_field(FieldRow row, Access access) {
    row.kind = FieldKind::whole;
    Field<T> field{std::move(row), {}, {}};
    using Member = std::remove_cvref_t<decltype(access(std::declval<T&>()))>;
    if constexpr (field_detail::IsOptional<Member>::value) {
        field.get = [access](const T& value) {
            const auto& member = access(value);
            return member ? FieldValue(static_cast<std::int64_t>(*member)) : FieldValue();
        };
        field.set = [access](T& value, const FieldValue& given) -> Result<void> {
            const auto* number = std::get_if<std::int64_t>(&given);
            access(value) =
                number ? Member(static_cast<typename Member::value_type>(*number)) : Member(std::nullopt);
            return {};
        };
    } else {
        field.get = [access](const T& value) { return FieldValue(static_cast<std::int64_t>(access(value))); };
        field.set = [access](T& value, const FieldValue& given) -> Result<void> {
            access(value) = static_cast<Member>(std::get<std::int64_t>(given));
            return {};
        };
    }
    return field;
}

/// A number in `row.unit`; `from` and `to` turn a double into the member's type and back.
template <class T, class Access, class From, class To>
Field<T> quantity_field(FieldRow row, Access access, From from, To to) {
    row.kind = FieldKind::quantity;
    Field<T> field{std::move(row), {}, {}};
    field.get = [access, to](const T& value) { return FieldValue(static_cast<double>(to(access(value)))); };
    field.set = [access, from](T& value, const FieldValue& given) -> Result<void> {
        access(value) = from(std::get<double>(given));
        return {};
    };
    return field;
}

template <class T, class Access>
Field<T> flag_field(FieldRow row, Access access) {
    row.kind = FieldKind::flag;
    Field<T> field{std::move(row), {}, {}};
    field.get = [access](const T& value) { return FieldValue(static_cast<bool>(access(value))); };
    field.set = [access](T& value, const FieldValue& given) -> Result<void> {
        access(value) = std::get<bool>(given);
        return {};
    };
    return field;
}

template <class T, class Access>
Field<T> text_field(FieldRow row, Access access) {
    row.kind = FieldKind::text;
    Field<T> field{std::move(row), {}, {}};
    field.get = [access](const T& value) { return FieldValue(std::string(access(value))); };
    field.set = [access](T& value, const FieldValue& given) -> Result<void> {
        access(value) = std::get<std::string>(given);
        return {};
    };
    return field;
}

/// One of a few values with a `name()`, each with its label in a form.
template <class T, class Value, class Access>
Field<T> choice_field(FieldRow row, const std::vector<std::pair<Value, std::string>>& values, Access access) {
    row.kind = FieldKind::choice;
    std::vector<Value> order;
    for (const auto& [value, label] : values) {
        row.choices.push_back({std::string(name(value)), label});
        order.push_back(value);
    }
    Field<T> field{std::move(row), {}, {}};
    using Member = std::remove_cvref_t<decltype(access(std::declval<T&>()))>;
    field.get = [access](const T& value) {
        const auto& member = access(value);
        if constexpr (field_detail::IsOptional<Member>::value) {
            return member ? FieldValue(std::string(name(*member))) : FieldValue();
        } else {
            return FieldValue(std::string(name(member)));
        }
    };
    field.set = [access, order](T& value, const FieldValue& given) -> Result<void> {
        if constexpr (field_detail::IsOptional<Member>::value) {
            if (std::holds_alternative<std::monostate>(given)) {
                access(value).reset();
                return {};
            }
        }
        for (const Value one : order) {
            if (name(one) == std::get<std::string>(given)) {
                access(value) = one;
            }
        }
        return {};
    };
    return field;
}

} // namespace meshslice
