#pragma once

#include "core/base/field_table.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A field of the scenario and the values that it takes one after the other.
struct Vary {
    std::string key; ///< of the field's row: "batch"
    std::vector<FieldValue> values;

    bool operator==(const Vary&) const = default;
};

/// More values than one reads.
inline constexpr std::size_t most_values = 4096;

/// Whether a sweep can go through the field: it is a number, a choice, a switch, a preset or a mesh.
[[nodiscard]] bool can_vary(const FieldRow& row);

/// Reads the values of a field: a list, "8,16,32", "x0.5,x1,x2", "4x4,8x8", "meshslice,wang"; or a range from
/// and to with what leads from one value to the next, "8:512:x2", "8:64:+8", of whole numbers also "1:8". A
/// factor may stand without its sign: of a number with a unit, which takes factors, "0.5,1,2" are factors,
/// unless one of the list has a unit. Other quantities need their unit, except for 0. Refuses what is not a
/// value of the field, and ranges that are empty or do not end, with what was expected; the sentence starts
/// with `who`, or else with the field's flag.
[[nodiscard]] Result<Vary> parse_values(const Field<Scenario>& field, std::string_view words,
                                        std::string_view who = {});
/// The same with the field in front: "batch=8:512:x2". It is called by its key or its flag without dashes; of
/// several fields with the same flag it is the one that has an effect in the scenario.
[[nodiscard]] Result<Vary> parse_vary(const Scenario& scenario, std::string_view words);

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

/// What is written for each value: "x 0.5", "90.0 GB/s", "8x8", "Wang"; with as many digits as tell different
/// ones apart.
[[nodiscard]] std::vector<std::string> value_words(const Vary& vary);
[[nodiscard]] std::string value_words(const Vary& vary, const FieldValue& value);

/// The values as numbers of one kind; none where one is a word, or some are factors and some are not.
[[nodiscard]] std::optional<std::vector<double>> value_numbers(const Vary& vary);
/// Whether the numbers stand at more equal distances on a logarithmic scale than on a linear one.
[[nodiscard]] bool are_multiplied(std::vector<double> numbers);

} // namespace meshslice
