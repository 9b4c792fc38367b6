#pragma once

#include "core/base/fields/field_table.h"
#include "core/machine/machine.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A number that differs from the preset's or, of hardware that came from none, from what it was.
struct EditedNumber {
    std::string key;     ///< in hardware files, of the links with their axis: "sync_in_s"
    std::string name;    ///< "HBM bandwidth"
    std::string value;   ///< "1.38 TB/s"
    std::string preset;  ///< "2.77 TB/s"
    std::string change;  ///< "x 0.5" where that is what was done to it, else the value
    double now = 0.0;    ///< the value in its base unit
    double before = 0.0; ///< the preset's
    std::string source;  ///< as the hardware has it
    bool of_preset = true;

    bool operator==(const EditedNumber&) const = default;
};

/// "HBM bandwidth x 0.5, link bandwidth 90.0 GB/s"; of more than three the first three and how many more.
[[nodiscard]] std::string text(const std::vector<EditedNumber>& edits);

/// The numbers that can be edited: those of the chip, of its fast domain and of the network around all, then
/// the link bandwidth of each axis of a torus, with
/// ranges and words as in machine_fields() and link_fields(). A factor is not theirs to take: see edit().
[[nodiscard]] const std::vector<Field<Machine>>& machine_numbers();
/// The number of the chip with this key of its files.
[[nodiscard]] const Field<Machine>& machine_number(std::string_view key);
/// The bandwidth of the links along an axis of the torus, counted from 0 to 2.
[[nodiscard]] const Field<Machine>& link_number(int axis);

/// Whether both know the same numbers, each of the same value.
[[nodiscard]] bool same_numbers(const Machine& one, const Machine& other);

/// The preset that the hardware says it is based on or, where it says none, whose name and numbers it has;
/// none where it came from none. Any name that machine_preset() knows: h100 and h100-nvs16 too.
[[nodiscard]] std::optional<Machine> origin(const Machine& hardware);

/// What a file has. One with the name of a preset and other numbers is an edited copy of it: name and title
/// say so, as if it had been edited here.
[[nodiscard]] Machine told_apart(Machine hardware);

/// The title for sentences: "TPU v4 (edited)", without what was edited.
[[nodiscard]] std::string short_title(const Machine& hardware);

/// Sets one number to a value or, given a Factor, to so many times what the preset has that the hardware came
/// from; of hardware from elsewhere, what it has now. Then its source says what it was and where that came
/// from, and name and title say in addition that the hardware is edited; a number set back to its preset's
/// gets its source back. Refuses what is out of range.
[[nodiscard]] Result<void> edit(Machine& hardware, const Field<Machine>& number, const FieldValue& value);

/// In the order of machine_numbers(); links that differ alike on all axes are one. Empty where the hardware
/// came from no preset.
[[nodiscard]] std::vector<EditedNumber> edits(const Machine& hardware);
/// The edits of hardware that came from no preset, as their sources tell; what was there before is rounded.
[[nodiscard]] std::vector<EditedNumber> edits_of_no_preset(const Machine& hardware);

/// Edits a hardware as another one is edited: a change that is shown as a factor is the same factor of its
/// own preset, others are the same value. Refuses what it does not have, and edits that are of no preset.
[[nodiscard]] Result<void> edit_alike(Machine& hardware, const Machine& edited);

} // namespace meshslice
