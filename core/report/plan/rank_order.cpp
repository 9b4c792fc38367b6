#include "core/report/plan/rank_order.h"

#include <array>
#include <numeric>
#include <utility>

namespace meshslice {
namespace {

constexpr std::array<std::pair<std::int64_t RankPlace::*, std::int64_t Placement::*>, 4> rank_groups = {
    {{&RankPlace::tensor1, &Placement::tensor1},
     {&RankPlace::tensor2, &Placement::tensor2},
     {&RankPlace::stage, &Placement::pipeline},
     {&RankPlace::data, &Placement::data}}};

} // namespace

RankOrder::RankOrder(const Plan& plan, bool torus) {
    Placement left{plan.tensor1, plan.tensor2, plan.data, plan.pipeline};
    const auto add = [&](const Placement& unit) {
        std::int64_t joined = 1;
        for (const auto& [of, count] : rank_groups) {
            if (unit.*count > 1) {
                digits_.push_back({of, unit.*count});
                joined *= unit.*count;
                left.*count /= unit.*count;
            }
        }
        levels_.push_back(joined);
    };
    if (torus) {
        for (const Placement& axis : plan.axes) {
            add(axis);
        }
    } else {
        Placement within;
        for (std::size_t level = 0; level < plan.placed_levels(); ++level) {
            const Placement& all = plan.placed(level);
            Placement unit;
            for (const auto& group : rank_groups) {
                unit.*group.second = all.*group.second / within.*group.second;
            }
            add(unit);
            within = all;
        }
    }
    add(Placement(left));
}

std::int64_t RankOrder::ranks() const {
    return std::accumulate(levels_.begin(), levels_.end(), std::int64_t{1},
                           [](std::int64_t all, std::int64_t one) { return all * one; });
}

std::int64_t RankOrder::rank(RankPlace place) const {
    std::int64_t made = 0, stride = 1;
    for (const Digit& digit : digits_) {
        made += place.*digit.of % digit.count * stride;
        place.*digit.of /= digit.count;
        stride *= digit.count;
    }
    return made;
}

RankPlace RankOrder::place(std::int64_t rank) const {
    RankPlace made, strides{1, 1, 1, 1};
    for (const Digit& digit : digits_) {
        made.*digit.of += rank % digit.count * strides.*digit.of;
        strides.*digit.of *= digit.count;
        rank /= digit.count;
    }
    return made;
}

} // namespace meshslice
