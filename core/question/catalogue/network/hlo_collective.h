#pragma once

#include "core/base/fields/field_table.h"
#include "core/import/hlo/hlo_operation.h"
#include "core/machine/machine.h"
#include "core/sharding/notation.h"

#include <optional>
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
/// A chip as it was asked for, and what that is; none where none was.
struct HloChip {
    std::string asked = {};
    FieldValue value = {}; ///< the same as a question takes it
    std::optional<Machine> machine = {};
};

/// What an operation costs, by the question about collectives.
struct HloCost {
    std::string command = {}; ///< "meshslice collective all-gather --bytes 128 --axes X=8"
    std::optional<double> seconds =
        {}; ///< by the closed form, on the chip; none: none was asked for, or it is not known
    std::string why_not = {};            ///< a sentence: why it lacks a command, or the chip takes none
    std::optional<double> expected = {}; ///< seconds, by measured runs, where there are some
};

/// Along these axes of the mesh.
[[nodiscard]] HloCost hlo_cost(const HloOperation& operation, const NamedMesh& mesh, const std::string& axes,
                               const HloChip& chip);

} // namespace meshslice
