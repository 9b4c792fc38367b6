#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/sharding/notation.h"
#include "core/torus/grid_ways.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

struct Machine;

/// The bandwidth of the PCIe between a chip and its host, one way, where the hardware does not say it: that
/// of most TPUs (How to Scale Your Model, chapter 2).
inline constexpr Bandwidth usual_pcie{16e9};

/// What lies where, and where it is wanted (How to Scale Your Model, chapter 2, questions 5 and 6).
struct TransferAsked {
    enum class From : std::uint8_t {
        chip,  ///< one chip has all of it
        chips, ///< every chip of the slice has an equal share
        hosts  ///< the same, in the memory of its host, behind its PCIe
    };

    NamedMesh slice;
    From from = From::chip;
    GridPlace source; ///< of From::chip
    GridPlace target;
    double bytes = 0;  ///< of all of it, above 0
    Bandwidth pcie{0}; ///< of each chip; 0: as the hardware has it, or else usual_pcie
    double flop = 0;   ///< that the target does with it, at its bf16 peak; 0 for none
};

/// A part of the way that works at the same time as the others.
struct TransferStage {
    std::string name; ///< "links"
    double seconds = 0;
    std::string formula; ///< "15/16 x 17.2 GB / (2 x 45 GB/s)"
};

struct Transfer {
    /// Over which what comes from one chip is spread; none where all chips send.
    std::vector<GridWay> ways;
    std::int64_t hops = 0; ///< of the longest way
    double latency = 0;    ///< s: hops times the latency of a hop
    std::vector<TransferStage> stages;

    [[nodiscard]] const TransferStage& slowest() const; ///< whose time counts, as all work at once
    [[nodiscard]] double seconds() const { return latency + slowest().seconds; }
    /// What takes longer: "latency", or the slowest stage by its name.
    [[nodiscard]] std::string bound() const;
};

/// Refuses what links_of() refuses, a target that is the source, and a slice of one chip or of very many.
[[nodiscard]] Result<Transfer> transfer(const TransferAsked& asked, const Machine& hardware);

/// "(0, 3)"
[[nodiscard]] std::string text(const GridPlace& place);

/// A picture of a slice has at most so many chips.
inline constexpr std::int64_t most_chips_drawn = 512;

/// Reads "0, 3". The error begins with `who`, the flag or the field, and says what was expected.
[[nodiscard]] Result<GridPlace> parse_grid_place(std::string_view words, const NamedMesh& slice,
                                                 std::string_view who);

} // namespace meshslice
