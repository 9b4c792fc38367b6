#include "core/execute/chip/warp.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace meshslice {

std::vector<WarpStretch> warp_timeline(const std::vector<WarpBranch>& branches, std::int64_t before,
                                       std::int64_t after) {
    std::int64_t lanes = 0;
    for (const WarpBranch& one : branches) {
        lanes += one.lanes;
    }
    std::vector<WarpStretch> all;
    std::int64_t now = 0;
    const auto add = [&](std::int64_t instructions, std::vector<bool> active) {
        if (instructions > 0) {
            all.push_back({now, now + instructions, std::move(active)});
            now += instructions;
        }
    };
    const std::vector<bool> every(static_cast<std::size_t>(lanes), true);
    add(before, every);
    std::int64_t first = 0;
    for (const WarpBranch& one : branches) {
        std::vector<bool> active(static_cast<std::size_t>(lanes), false);
        std::fill_n(active.begin() + first, one.lanes, true);
        add(one.instructions, std::move(active));
        first += one.lanes;
    }
    add(after, every);
    return all;
}

double active_share(const std::vector<WarpStretch>& timeline) {
    double active = 0, all = 0;
    for (const WarpStretch& one : timeline) {
        const auto cycles = static_cast<double>(one.ends - one.begins);
        active += cycles * static_cast<double>(std::ranges::count(one.active, true));
        all += cycles * static_cast<double>(one.active.size());
    }
    return all == 0 ? 0 : active / all;
}

} // namespace meshslice
