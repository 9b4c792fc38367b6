#pragma once

#include <cstdint>
#include <vector>

namespace meshslice {

/// Lanes of a warp that take the same branch, and the instructions of that branch.
struct WarpBranch {
    std::int64_t lanes = 1;
    std::int64_t instructions = 1;

    bool operator==(const WarpBranch&) const = default;
};

/// Instructions one after the other, which some lanes of a warp do while the others are masked.
struct WarpStretch {
    std::int64_t begins = 0, ends = 0; ///< cycles, an instruction each
    std::vector<bool> active;          ///< by lane

    bool operator==(const WarpStretch&) const = default;
};

/// A warp whose lanes take different branches (How to Scale Your Model, chapter 12: warp divergence): all
/// lanes do what comes before, then each branch by itself with the other lanes masked, then all what comes
/// after. Lanes are in the order of the branches.
[[nodiscard]] std::vector<WarpStretch> warp_timeline(const std::vector<WarpBranch>& branches,
                                                     std::int64_t before, std::int64_t after);

/// Share of the lanes' cycles that they are active.
[[nodiscard]] double active_share(const std::vector<WarpStretch>& timeline);

} // namespace meshslice
