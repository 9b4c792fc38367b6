#pragma once

#include "core/cost/schedule.h"
#include "core/count/count.h"
#include "core/execute/dense_matrix.h"
#include "core/execute/execution_watcher.h"
#include "core/execute/rings/tracked_ring.h"
#include "core/program/program.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace meshslice {

/// What the stores of a GEMM that feeds a reduce-scatter did on all chips, in all of its runs.
struct FusedStores {
    Fusion fusion;
    std::int64_t runs = 1;
    bool every_entry_once = true; ///< every tracked tile got all of its updates and not one more
    bool nothing_left = true;     ///< on any link
    // Elements, by chip.
    std::vector<std::int64_t> stored;   ///< by its own GEMM, into its own memory
    std::vector<std::int64_t> updated;  ///< in its memory by what arrived
    std::vector<std::int64_t> read;     ///< of its memory, to be sent
    std::vector<std::int64_t> sent;     ///< to the next chip of its ring
    std::int64_t tiles_of_a_chip = 0;   ///< at most
    std::int64_t most_live_entries = 0; ///< of any chip: tiles with some of their updates at once
};

/// All chips of one run, each with its own copy of every value, and the links between them.
template <class Number>
class Chips {
  public:
    virtual ~Chips() = default;

    /// One operation on all chips, with every chunk moved hop by hop between neighbours. Its values are the
    /// program's; it need not be one of the program's own operations.
    virtual void run(const Operation& operation, std::int64_t iteration) = 0;

    /// Cuts a matrix into shards, as its layout says; chips to which the layout gives the same part get
    /// copies.
    virtual void scatter(ValueId id, const DenseMatrix<Number>& matrix) = 0;
    /// Puts the shards together again. Copies must agree to the last bit: `disagree` says whether any does
    /// not.
    [[nodiscard]] virtual DenseMatrix<Number> gather(ValueId id, std::int64_t rows, std::int64_t columns,
                                                     bool& disagree) = 0;
    /// One value as every chip holds it.
    [[nodiscard]] virtual std::vector<DenseMatrix<Number>>& on_all_chips(ValueId id) = 0;
    /// Keeps what the GEMM of a fusion left on every chip, as one more run of it.
    virtual void keep_made(const Fusion& fusion) = 0;
    /// The collective of a fusion, fed by the tiles of all runs that are kept, in the order and with the
    /// fault that `ring` says. A run's tiles are made while those of the run before are on their way, as far
    /// as the buffers of the schedule allow.
    [[nodiscard]] virtual FusedStores run_fused(const Fusion& fusion, const TrackedRing& ring) = 0;
    /// Puts what is left of a run on every chip into the collective's result.
    virtual void take_sums(const Fusion& fusion, std::size_t run) = 0;
    /// What each existing link has carried so far, in the schedule's type.
    [[nodiscard]] virtual std::vector<LinkTraffic> traffic() const = 0;
    /// Says every step of every communication to `watcher`; null: to nobody. It outlives the machine.
    virtual void watch(ExecutionWatcher<Number>* watcher) = 0;
};

/// Every value starts as zeros. Keeps references to the program and the schedule. For std::int64_t, float and
/// double. Once it is stopped its values mean nothing.
template <class Number>
[[nodiscard]] std::unique_ptr<Chips<Number>> chips_of(const Program& program, const Schedule& schedule,
                                                      const std::stop_token& stop = {});

} // namespace meshslice
