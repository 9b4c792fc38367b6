#pragma once

#include "core/import/hlo/hlo_operation.h"
#include "core/sharding/notation.h"

#include <span>
#include <string>

namespace meshslice {

/// "Y": the fewest axes of the mesh along which an operation communicates; empty: none.
[[nodiscard]] std::string hlo_axes_of(const HloOperation& operation, const NamedMesh& mesh);
/// Where there are none, a sentence that says why.
[[nodiscard]] std::string why_no_hlo_axes(const HloOperation& operation, const NamedMesh& mesh);
/// The arrays that an operation makes. A start's tuple holds its operands first, then the results, then what
/// the done needs; that of an all-reduce has the results alone.
[[nodiscard]] std::span<const HloShape> hlo_made(const HloOperation& operation);
/// Of these, which one device has afterwards; 0: not known.
[[nodiscard]] double hlo_made_bytes(const HloOperation& operation);
/// "meshslice collective all-gather --bytes 128 --axes X=8" along these axes of the mesh; empty where the
/// bytes are not known. `machine`: the chip as it was asked for; empty: none was.
[[nodiscard]] std::string hlo_cost_command(const HloOperation& operation, const NamedMesh& mesh,
                                           const std::string& axes, const std::string& machine);

} // namespace meshslice
