#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/import/hlo/hlo_operation.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

/// A line of a computation.
struct HloLine {
    std::int64_t line = 0; ///< of the file, from 1
    HloOperation operation;
    bool root = false; ///< what the computation returns
};

struct HloComputation {
    std::string name;
    std::vector<HloLine> lines; ///< in the order of the text
};

/// What XLA dumps of a program (--xla_dump_to, jax's compiled.as_text()): computations of operations, in the
/// order in which they run where it is scheduled.
struct HloModule {
    std::string name;
    bool scheduled = false;
    std::vector<HloComputation> computations;
    std::size_t entry = 0; ///< of the computations: where the program begins
    /// Results that stand in the memory of a parameter: which of the root's arrays, and of which parameter.
    std::vector<std::pair<std::int64_t, std::int64_t>> donated;

    [[nodiscard]] const HloComputation& main() const { return computations[entry]; }
    /// By its name; null where there is none.
    [[nodiscard]] const HloComputation* computation(std::string_view name) const;
};

/// Reads such a text, or the lines of operations alone, as a computation without a name. Operands without a
/// shape get that of the operation that they name. Refuses an operation that contradicts itself; errors name
/// the line.
[[nodiscard]] Result<HloModule> read_hlo_module(std::string_view text, const std::string& origin,
                                                const RunControl& control = {});

} // namespace meshslice
