#pragma once

#include "core/cost/transfer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace meshslice {

/// What a transfer is asked by, as it is typed.
enum class TransferField : std::uint8_t { slice, from, to, bytes, pcie, gemm };
inline constexpr std::size_t transfer_fields = 6;
using TransferTexts = std::array<std::string, transfer_fields>;
[[nodiscard]] constexpr std::size_t place_of(TransferField field) {
    return static_cast<std::size_t>(field);
}

struct TransferRefusal {
    TransferField field = TransferField::slice;
    Error error;
};

/// Reads "X=4,Y=4", "0,0" or "chips" or "hosts", "3,3", "17 MB", "15 GB/s" (none: usual_pcie) and
/// "8x4096x4096" (none: nothing is done with it). `names`: what the fields are called, with which the errors
/// begin.
[[nodiscard]] tl::expected<TransferAsked, TransferRefusal> read_transfer(const TransferTexts& typed,
                                                                         const TransferTexts& names);

} // namespace meshslice
