#pragma once

#include "core/base/json/tree.h"
#include "core/cost/collective/achieved_collective.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What joins the chips of machines with some word in their names.
struct FabricsOfHardware {
    std::vector<std::string> words; ///< in small letters
    std::string inside, outside;
    std::int64_t domain = 0; ///< chips that `inside` joins, over servers; 0: one server
    std::int64_t pair = 0;   ///< chips that `inside` joins, within a server; 0: all of it
    std::string beyond_pairs;

    bool operator==(const FabricsOfHardware&) const = default;
};

/// The fabrics that there are, and which hardware has which.
struct FabricCatalogue {
    std::vector<Fabric> fabrics;
    std::vector<FabricsOfHardware> hardware;

    [[nodiscard]] const Fabric* fabric(std::string_view name) const;
    /// The first that has a word in the name, with capitals or without; null where none has.
    [[nodiscard]] const FabricsOfHardware* of(std::string_view hardware) const;
};
[[nodiscard]] Result<FabricCatalogue> read_fabrics(std::string_view json, const std::string& origin);
/// Of resources/measured/fabrics.json.
[[nodiscard]] const FabricCatalogue& known_fabrics();

/// The three constants of a cell, as people and files have them.
struct FittedCell {
    AchievedCell cell;
    CellKind kind = CellKind::size;
    double latency = 0; ///< s
    double rate = 0;    ///< bytes/s
    double third = 0;
    CellLogs errors{}; ///< standard errors, as shares
    std::int64_t rows = 0, groups = 0;

    bool operator==(const FittedCell&) const = default;
};

/// Constants, what each was fitted on, and how far each row was off when its group was left out.
struct FittedCollectives {
    AchievedConstants constants;
    std::vector<FittedCell> cells;
    std::map<std::string, double> left_out; ///< by the row's id: ln(predicted / measured)
};
[[nodiscard]] Tree values_of(const FittedCollectives& fitted);
[[nodiscard]] Result<FittedCollectives> read_fitted_collectives(std::string_view json,
                                                                const std::string& origin);
/// Of resources/measured/collective-constants.json, which `meshslice evidence collectives --fit` writes.
[[nodiscard]] const FittedCollectives& fitted_collectives();

} // namespace meshslice
