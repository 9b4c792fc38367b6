#pragma once

#include "core/base/result.h"
#include "core/gemm/algorithms.h"
#include "core/machine/machine.h"
#include "core/model/gemm.h"
#include "core/torus/torus.h"
#include "core/tune/tune.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

namespace meshslice {

/// Remembers what tune() found for the GEMMs of tensor-parallel groups, refusals too, by all that it depends
/// on: the hardware, the algorithm, the mesh, and the GEMM's shape and dataflow. Searches that share one tune
/// only what none of them had before: another batch, number of chips or schedule leaves most groups as they
/// are. Several threads may use it at once.
class TunedGroups {
  public:
    /// A search of GPT-3 175B over 1024 chips of TPU v5p tunes some 37,000 GEMMs, and what is remembered of
    /// one takes less than 500 bytes: three searches that have nothing in common, in less than 66 MB.
    static constexpr std::size_t most_remembered = 131'072;

    /// When there is no room for what was tuned, all that was remembered is forgotten.
    explicit TunedGroups(std::size_t most = most_remembered) : most_(most) {}

    /// The same value for every equal hardware while anything of it is in use or remembered, so that nothing
    /// has to be compared again.
    [[nodiscard]] std::shared_ptr<const Machine> known(const Machine& hardware);

    /// Each GEMM with its best options, everything else as it comes; those that are new are tuned. `hardware`
    /// is one that known() gave. Refuses what tune() refuses of the first GEMM that it refuses, in the words
    /// of the first caller.
    [[nodiscard]] Result<std::vector<TunedGemm>> tuned(const std::shared_ptr<const Machine>& hardware,
                                                       const Algorithm& algorithm, const Torus& mesh,
                                                       std::span<const Gemm> gemms);

    /// How many GEMMs were tuned: that were asked for and not remembered.
    [[nodiscard]] std::int64_t tunings() const;
    /// How many are remembered.
    [[nodiscard]] std::size_t size() const;

  private:
    using AxisKey = std::tuple<std::int32_t, bool, bool, std::array<bool, 3>>;
    /// The hardware by its address, which no other one has as long as this keeps it.
    using Key = std::tuple<std::shared_ptr<const Machine>, const Algorithm*, std::array<AxisKey, 3>, Dataflow,
                           std::array<std::int64_t, 3>>;

    [[nodiscard]] static Key key(const std::shared_ptr<const Machine>& hardware, const Algorithm& algorithm,
                                 const Torus& mesh, const Gemm& gemm);

    const std::size_t most_;
    mutable std::mutex guard_; ///< of all of the following
    std::vector<std::weak_ptr<const Machine>> hardware_;
    std::map<Key, Result<TunedGemm>> remembered_;
    std::int64_t tunings_ = 0;
};

} // namespace meshslice
