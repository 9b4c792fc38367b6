#pragma once

#include "core/import/hlo/hlo_module.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// An array of a program, from the operation that makes it to the last that reads it, both counted from 0 in
/// their computation.
struct HloBuffer {
    std::string name; ///< of the operation that makes it
    HloShape shape;
    std::size_t first = 0, last = 0;
    bool input = false;                         ///< a parameter or a constant, which is there all the time
    std::int64_t first_line = 0, last_line = 0; ///< of the text, of these operations

    [[nodiscard]] bool held_at(std::size_t operation) const {
        return first <= operation && operation <= last;
    }
};

/// What a program holds in HBM while each of its operations runs, in the order of the text. An array is held
/// from the operation that makes it to the last one that reads it; parameters, constants and what the program
/// returns to the end. Tuples, bitcasts, and what waits for a copy or a collective are the memory of their
/// operands, and donated results that of their parameters. What a loop changes, an update of a slice, and
/// what the text says to be an alias stand where their operand does if nothing reads that afterwards and it
/// is not a parameter or constant of the program; otherwise both are held. A loop or a call holds what its
/// own operations hold most at once; what a loop goes on with stands where it began unless the operation that
/// makes it reads that, other than element by element, or a later one does. XLA may put the result of another
/// operation where an operand was, and leaves gaps between arrays: both are not counted.
struct HloMemory {
    std::vector<HloBuffer> buffers; ///< in HBM, whose bytes are known
    std::vector<double> held;       ///< bytes, with tiles filled, by operation
    std::vector<double> within;     ///< of these what a loop or a call holds by itself
    std::vector<HloBuffer> at_peak; ///< that are there then, also within a loop or a call
    std::size_t peak = 0;           ///< the operation at which most is held
    double inputs = 0;              ///< bytes of parameters and constants, with tiles filled

    [[nodiscard]] double most() const { return held.empty() ? 0 : held[peak]; }
};
/// Of the program's main computation.
[[nodiscard]] HloMemory hlo_memory(const HloModule& module);

} // namespace meshslice
