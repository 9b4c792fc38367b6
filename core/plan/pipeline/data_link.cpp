#include "core/plan/pipeline/data_link.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace meshslice {

DataLink::Job DataLink::ask(Time from, Time takes, const PipelineInterval& what) {
    waiting_.push_back({from, takes, what});
    return ends_.size() + waiting_.size() - 1;
}

void DataLink::taken(Time from, Time to, double share) {
    if (share <= 0 || from == to) {
        return;
    }
    assert(share <= 1 && from < to && (taken_.empty() || taken_.back().to <= from));
    if (!taken_.empty() && taken_.back().to == from && taken_.back().share == share) {
        taken_.back().to = to;
    } else {
        taken_.push_back({from, to, share});
    }
}

Time DataLink::end(Time start, Time takes) {
    Time now = start;
    Time left = takes;
    while (!taken_.empty()) {
        const Taken& its = taken_.front();
        if (now < its.from) {
            const Time alone = std::min(left, its.from - now);
            now += alone;
            left -= alone;
        }
        if (left == Time(0)) {
            return now;
        }
        if (now < its.to) {
            const double rate = 1 - its.share;
            const Time room(std::llround(static_cast<double>((its.to - now).value()) * rate));
            if (left < room) {
                return now + Time(std::llround(static_cast<double>(left.value()) / rate));
            }
            left -= room;
            now = its.to;
        }
        taken_.pop_front();
    }
    return now + left;
}

Time DataLink::end_of(Job job, PipelineRun& run, std::size_t stage) {
    while (ends_.size() <= job) {
        assert(!waiting_.empty());
        const Asked& next = waiting_.front();
        PipelineInterval what = next.what;
        what.start = std::max(ends_.empty() ? Time(0) : ends_.back(), next.from);
        what.end = end(what.start, next.takes);
        run.add(stage, PipelineRow::data, what);
        ends_.push_back(what.end);
        waiting_.pop_front();
    }
    return ends_[job];
}

Time DataLink::end_of_all(PipelineRun& run, std::size_t stage) {
    const std::size_t all = ends_.size() + waiting_.size();
    return all == 0 ? Time(0) : end_of(all - 1, run, stage);
}

} // namespace meshslice
