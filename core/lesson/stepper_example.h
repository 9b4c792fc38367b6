#pragma once

#include "core/draw/exchange_program.h"
#include "core/draw/stepping.h"
#include "core/gemm/algorithms.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// A program small enough to look at every number: a GEMM by one of the algorithms, or an exchange by itself.
struct StepperExample {
    std::string algorithm = "meshslice";     ///< its id; without a meaning where there is an exchange
    std::optional<Collective> exchange = {}; ///< a collective by itself
    std::vector<std::int32_t> mesh = {2, 2};
    bool rings = true; ///< else open lines
    RingMode ring = RingMode::both_ways;
    Dataflow dataflow = Dataflow::OS;
    std::int64_t slices = 2;
    /// Of A, B and C: contiguous slices instead of every S-th block (see contiguous_slices()).
    std::array<bool, 3> contiguous{};

    bool operator==(const StepperExample&) const = default;
};

/// Reads an example from named words: "program" is an algorithm or a collective, "mesh" as in 2x2, "dataflow"
/// OS, LS or RS, "slices" a count, "slicing" the matrices with contiguous slices, as in AB, "links" rings or
/// lines, "ways" both or one-way. What is not named is as in StepperExample. Refuses what there is not, and
/// what does not work together.
[[nodiscard]] Result<StepperExample> stepper_example(const std::map<std::string, std::string>& named);

/// The program of the example, of the smallest matrices that show what it does: at least two rows and columns
/// of every matrix on a chip, and two blocks in every slice. Refuses what the algorithm or the exchange
/// refuses, in its words.
[[nodiscard]] Result<Program> program_of(const StepperExample& example);
/// The example on matrices of small whole numbers, always the same.
[[nodiscard]] Result<std::shared_ptr<const Stepping>> step_through(const StepperExample& example,
                                                                   const std::stop_token& stop = {});

/// The example with the nearest of what can be: another dataflow, mesh or slice count where its own does not
/// work, and no contiguous slices of what is not sliced.
[[nodiscard]] StepperExample nearest(StepperExample example);

/// Meshes of up to 16 chips that the algorithm or exchange can have, with these other choices.
[[nodiscard]] std::vector<std::vector<std::int32_t>> stepper_meshes(const StepperExample& example);
/// The slice counts, or unrolled iterations, up to 4 that work on the example's mesh; {1} where it takes
/// none.
[[nodiscard]] std::vector<std::int64_t> stepper_slices(const StepperExample& example);
/// The dataflows that the algorithm has; OS for an exchange, which has none.
[[nodiscard]] std::vector<Dataflow> stepper_dataflows(const StepperExample& example);
/// Whether the program slices A, B or C, block by block.
[[nodiscard]] std::array<bool, 3> sliced(const Program& program);

/// The program with contiguous slices of A, B or C: what Algorithm 2 must not do in one direction alone.
/// Whether the product is then still right is for execution to say.
[[nodiscard]] Program contiguous_slices(Program program, const std::array<bool, 3>& of);

} // namespace meshslice
