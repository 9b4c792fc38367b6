#pragma once

#include "core/import/hlo/hlo_operation.h"
#include "core/sharding/notation.h"

#include <string>

namespace meshslice {

/// "Y": the fewest axes of the mesh along which an operation communicates; empty: none.
[[nodiscard]] std::string hlo_axes_of(const HloOperation& operation, const NamedMesh& mesh);
/// "meshslice collective all-gather --bytes 128 --axes X=8" along these axes of the mesh; empty where the
/// bytes are not known.
[[nodiscard]] std::string hlo_cost_command(const HloOperation& operation, const NamedMesh& mesh,
                                           const std::string& axes);

} // namespace meshslice
