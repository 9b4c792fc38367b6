#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/cost/mesh_links.h"
#include "core/hardware/hardware.h"
#include "core/sharding/notation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Where a chip stands along each axis of a slice, from 0.
using ChipPlace = std::vector<std::int64_t>;
/// Reads "0, 3". The error begins with `who`, the flag or the field, and says what was expected.
[[nodiscard]] Result<ChipPlace> parse_chip_place(std::string_view words, const NamedMesh& slice,
                                                 std::string_view who);
/// "(0, 3)"
[[nodiscard]] std::string text(const ChipPlace& place);

/// The bandwidth of the PCIe between a chip and its host, one way (How to Scale Your Model, chapter 2, which
/// has twice as much for TPU v6e).
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
    ChipPlace source; ///< of From::chip
    ChipPlace target;
    double bytes = 0;            ///< of all of it, above 0
    Bandwidth pcie = usual_pcie; ///< of each chip
    double flop = 0;             ///< that the target does with it; 0 for none
};

/// A part of the way that works at the same time as the others.
struct TransferStage {
    std::string name; ///< "links"
    double seconds = 0;
    std::string formula; ///< "17.2 GB x 15/16 / (2 x 45 GB/s)"
};

/// From chip to chip, both ends included.
using TransferRoute = std::vector<ChipPlace>;

struct Transfer {
    /// Shortest ways that share no link, as many as there are links that lead towards the target: what comes
    /// from one chip is spread over them. None where all chips send.
    std::vector<TransferRoute> routes;
    std::int64_t hops = 0; ///< of the longest way
    double latency = 0;    ///< s: hops times the latency of a hop, until the first byte is there
    std::vector<TransferStage> stages;

    [[nodiscard]] const TransferStage& slowest() const; ///< whose time counts, as all work at once
    [[nodiscard]] double seconds() const { return latency + slowest().seconds; }
};

/// Refuses what links_of() refuses, a target that is the source, and a slice of one chip.
[[nodiscard]] Result<Transfer> transfer(const TransferAsked& asked, const Hardware& hardware);

/// Where bytes from all chips of a slice, equally many from each, meet the narrowest place on their way to
/// one of them.
struct InwardCut {
    std::int64_t chips = 0; ///< whose bytes have to pass
    Bandwidth links;        ///< of all links that lead in, together
    std::int64_t count = 0; ///< of these links

    /// For so many bytes from each chip.
    [[nodiscard]] double seconds(double bytes_of_each) const {
        return static_cast<double>(chips) * bytes_of_each / links.value();
    }
};
/// By maximum flow: no way to send is faster than its narrowest place allows, and one is as fast (Ford and
/// Fulkerson, 1956). The links into the target are the narrowest place on most slices, but not next to the
/// end of a line.
[[nodiscard]] InwardCut narrowest_cut(const NamedMesh& slice, const std::vector<MeshLinks>& links,
                                      const ChipPlace& target);

} // namespace meshslice
