#pragma once

#include "core/base/fields/field_table.h"
#include "core/scenario/scenario.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

/// A field and the values that it takes one after the other.
struct Vary {
    std::string key; ///< of the field's row: "batch"
    std::vector<FieldValue> values;
    bool own = false; ///< the field is a question's own; else one of the scenario

    bool operator==(const Vary&) const = default;
};

/// More values than one reads.
inline constexpr std::size_t most_values = 32'768;

/// Whether a sweep can go through the field: it is a number, a choice, a switch, a preset or a mesh.
[[nodiscard]] bool can_vary(const FieldRow& row);

/// What is in a file of this name.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;

/// Reads the values of a field: a list, "8,16,32", "x0.5,x1,x2", "4x4,8x8", "meshslice,wang"; or a range from
/// and to with what leads from one value to the next, "8:512:x2", "8:64:+8", of a few whole numbers also
/// "1:8". A factor may stand without its sign: of a number with a unit, which takes factors, "0.5,1,2" are
/// factors, unless one of the list has a unit. Other quantities need their unit, except for 0. A part may be
/// a file, which `read_file` reads; without it only presets are taken. Refuses what is not a value of the
/// field, and ranges that are empty or do not end, with what was expected; the sentence starts with `who`, or
/// else with the field's flag.
[[nodiscard]] Result<Vary> parse_values(const FieldRow& row, std::string_view words,
                                        std::string_view who = {}, const ReadFile& read_file = {});
/// The same, of a part also whether there is such a preset and whether the file can be read.
[[nodiscard]] Result<Vary> parse_values(const Field<Scenario>& field, std::string_view words,
                                        std::string_view who = {}, const ReadFile& read_file = {});
/// "batch" and "8:512:x2" of "batch=8:512:x2"; refused where there are no values.
[[nodiscard]] Result<std::pair<std::string_view, std::string_view>> name_and_values(std::string_view words);
/// Whether people call the field so: by its key, or by its flag without dashes, with "-" for "_".
[[nodiscard]] bool is_called(const FieldRow& row, std::string_view name);

/// Whether the field's number has factors: not where the preset has 0.
[[nodiscard]] bool takes_factors(const Field<Scenario>& field, const Scenario& scenario);
/// Why there are no values around what the scenario has: the field has no effect, or the hardware says
/// nothing about it. Empty where there are.
[[nodiscard]] std::string nothing_to_vary(const Field<Scenario>& field, const Scenario& scenario);

/// Values around what the scenario has, as parse_values() reads them: of a number half and twice of it and
/// more, of a choice all there are, of a mesh those of as many chips.
[[nodiscard]] std::string suggested_values(const Field<Scenario>& field, const Scenario& scenario);

/// The forms that values of the field may be written in, for an empty line: "8:512:x2 or 8, 16, 32".
[[nodiscard]] std::string values_form(const Field<Scenario>& field);

/// What is written for each value of a field: "x 0.5", "90.0 GB/s", "8x8", "Wang"; with as many digits as
/// tell different ones apart.
[[nodiscard]] std::vector<std::string> value_words(const FieldRow& row,
                                                   const std::vector<FieldValue>& values);

/// The values as numbers of one kind; none where one is a word, or some are factors and some are not.
[[nodiscard]] std::optional<std::vector<double>> value_numbers(const Vary& vary);
/// Whether the numbers stand at more equal distances on a logarithmic scale than on a linear one.
[[nodiscard]] bool are_multiplied(std::vector<double> numbers);

} // namespace meshslice
