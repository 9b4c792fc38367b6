#pragma once

#include <string>
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

} // namespace meshslice
