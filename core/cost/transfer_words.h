#pragma once

#include "core/cost/transfer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {

/// What a transfer is asked by, as it is typed.
enum class TransferField : std::uint8_t { slice, from, to, bytes, pcie, gemm };
inline constexpr std::size_t transfer_fields = 6;
using TransferTexts = std::array<std::string, transfer_fields>;
[[nodiscard]] constexpr std::size_t place_of(TransferField field) {
    return static_cast<std::size_t>(field);
}

/// From corner to corner of a small slice: what is asked where nothing else is said.
[[nodiscard]] const TransferTexts& transfer_example();
/// A picture of a slice has at most so many chips.
inline constexpr std::int64_t most_chips_drawn = 512;

/// Reads "0, 3". The error begins with `who`, the flag or the field, and says what was expected.
[[nodiscard]] Result<GridPlace> parse_grid_place(std::string_view words, const NamedMesh& slice,
                                                 std::string_view who);

struct TransferRefusal {
    TransferField field = TransferField::slice;
    Error error;
};

/// Reads "X=4,Y=4", "0,0" or "chips" or "hosts", "3,3", "17 MB", "15 GB/s" (none: the hardware's) and
/// "8x4096x4096" (none: nothing is done with it). Refuses a source that is the target. `names`: what the
/// fields are called, with which the errors begin.
[[nodiscard]] tl::expected<TransferAsked, TransferRefusal> read_transfer(const TransferTexts& typed,
                                                                         const TransferTexts& names);

} // namespace meshslice
