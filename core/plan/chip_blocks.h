#pragma once

#include "core/plan/share.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace meshslice {

/// Remembers what one chip does for a block of one run by one set of rules. No machine has a say in it, so
/// that searches on several machines, and for several numbers of chips, make the tasks of each
/// tensor-parallel grid, micro-batch and panel count once. Several threads may use it at once.
class ChipBlocks {
  public:
    /// One takes some 8 kB.
    static constexpr std::size_t most_remembered = 16'384;

    /// Of a plan; `make` where it is not known.
    template <class Make> // -> std::shared_ptr<const ChipTasks>
    [[nodiscard]] std::shared_ptr<const ChipTasks> of(const Plan& plan, const Make& make) {
        const Key its{plan.strategy,    plan.algorithm, plan.tensor1, plan.tensor2,
                      plan.micro_batch, plan.panels,    plan.experts, plan.context};
        const std::lock_guard lock(guard_);
        if (remembered_.size() == most_remembered) {
            remembered_.clear();
        }
        std::shared_ptr<const ChipTasks>& known = remembered_[its];
        if (!known) {
            known = make();
        }
        return known;
    }

  private:
    using Key = std::tuple<TensorStrategy, const Algorithm*, std::int64_t, std::int64_t, std::int64_t,
                           std::int64_t, std::int64_t, ContextExchange>;

    std::mutex guard_;
    std::map<Key, std::shared_ptr<const ChipTasks>> remembered_;
};

} // namespace meshslice
