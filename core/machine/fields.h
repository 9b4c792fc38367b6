#pragma once

#include "core/base/fields/field_table.h"
#include "core/machine/machine.h"
#include "core/machine/network.h"

#include <string>
#include <vector>

namespace meshslice {

/// In a file: the preset whose numbers were edited. Files before version 3 do not have it.
inline constexpr const char* based_on_key = "based_on";

/// Tags of rows: what only rings of GPUs have, so that the steps of a torus know nothing of it; and what no
/// step knows, only plans of whole training runs or what a pod adds up to, so that a scenario has no field of
/// it.
inline constexpr unsigned of_ring_stores = 1;
inline constexpr unsigned of_no_step = 2;

/// The numbers of a chip: of each its key in hardware files, its words, its range and where it is kept.
/// Files, checks and what is shown of hardware are loops over it, so a new number is a member and a row.
[[nodiscard]] const std::vector<Field<Machine>>& machine_fields();

/// The same of an axis of a torus, and of a level that is a switch.
[[nodiscard]] const std::vector<Field<TorusLinks>>& link_fields();
[[nodiscard]] const std::vector<Field<Level>>& switch_fields();

/// One number as it is shown.
struct MachineFact {
    std::string label;  ///< "HBM bandwidth"
    std::string value;  ///< "1.2 TB/s"
    std::string source; ///< where it comes from
    std::string help;   ///< what it means; empty where the label says it
    std::string preset; ///< what the preset has that the hardware came from; empty where that is the same

    bool operator==(const MachineFact&) const = default;
};
/// Every number that the hardware gives, of the chip first, then of its network level by level. Axes in a
/// row that are equal are shown once.
[[nodiscard]] std::vector<MachineFact> facts(const Machine& hardware);

} // namespace meshslice
