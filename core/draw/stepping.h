#pragma once

#include "core/base/result.h"
#include "core/cost/schedule.h"
#include "core/execute/dense_matrix.h"
#include "core/execute/execution_watcher.h"
#include "core/program/program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace meshslice {

/// One value on every chip; NaN where something has not arrived.
using OnChips = std::vector<DenseMatrix<double>>;

/// What is where after one step of a program's execution.
struct Moment {
    /// The operation that is under way or was just done; none where A and B lie on the chips and nothing has
    /// happened.
    std::optional<OperationId> line = {};
    std::int64_t iteration = 0; ///< of the loop; 0 outside
    /// Of a communication: how many steps of its rings are done. 0: the operation needs none.
    std::int32_t hop = 0;
    std::int32_t hops = 0;
    /// What has become of the chunks of every chip where a GEMM feeds its collective: while it does each step
    /// makes one chunk of every chip, or carries what was on its way; afterwards, how it ended. Empty where
    /// none is fed.
    std::vector<FedProgress> fed = {};
    std::vector<LinkMessage<double>> crossed; ///< the links in this step
    /// By value; null for a temporary that nothing has written or read.
    std::vector<std::shared_ptr<const OnChips>> values;
    /// Elements that each link has carried so far, in the order of Stepping::links.
    std::vector<std::int64_t> carried;
};

/// A program that was executed on small matrices of whole numbers, with everything that happened on the way:
/// the reading *draw*. To step forward and back is to look at another moment.
struct Stepping {
    Program program;
    Schedule schedule;
    DenseMatrix<double> a, b;
    DenseMatrix<double> product;  ///< gathered from the chips
    DenseMatrix<double> expected; ///< the plain A B
    bool copies_agree = true;
    std::vector<Link> links;
    std::vector<Moment> moments; ///< never empty

    [[nodiscard]] bool right() const { return copies_agree && product == expected; }
    /// The elements of a value on a chip that are others than in the moment before, or arrived just then:
    /// column after column.
    [[nodiscard]] std::vector<bool> changed(std::size_t moment, ValueId value, Chip chip) const;

    /// The rows or columns of a value that the operation of the moment takes as a slice, or puts one into.
    struct Taken {
        Dimension dimension = Dimension::rows;
        std::vector<bool> is; ///< by row or column
    };
    [[nodiscard]] std::optional<Taken> taken(std::size_t moment, ValueId value) const;
};

/// More numbers than these in all moments together are not kept.
inline constexpr std::int64_t most_stepped_numbers = std::int64_t{1} << 23;

/// Executes the program as execute() does and keeps every step: one moment for each step of a communication,
/// one for every other operation. A GEMM and the collective that it feeds have one for every chunk that the
/// chips make, with the GEMM's line, and one for every step of the rings, with the collective's.
/// Refuses what execute() refuses, and what has more numbers than can be kept.
[[nodiscard]] Result<std::shared_ptr<const Stepping>>
step_through(const Program& program, const Schedule& schedule, const DenseMatrix<double>& a,
             const DenseMatrix<double>& b, const std::stop_token& stop = {});

/// The same of a program that is not a GEMM: `source` is the first value on every chip. Its product and the
/// expected one are empty.
[[nodiscard]] Result<std::shared_ptr<const Stepping>> step_through(const Program& program,
                                                                   const Schedule& schedule,
                                                                   const OnChips& source,
                                                                   const std::stop_token& stop = {});

/// A matrix of whole numbers from 0 to `largest` that `seed` chooses.
[[nodiscard]] DenseMatrix<double> small_numbers(std::int64_t rows, std::int64_t columns, std::int64_t largest,
                                                std::uint64_t seed);

} // namespace meshslice
