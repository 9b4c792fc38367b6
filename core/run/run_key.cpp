#include "core/run/run_key.h"

#include <algorithm>

namespace meshslice {

Result<RunPtr> OpenedRuns::open(const RunKey& key, const RunControl& control) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(kept_, key.key, &Opened::key);
        if (found != kept_.end()) {
            kept_.splice(kept_.begin(), kept_, found);
            return found->run;
        }
    }
    Result<RunPtr> made = key.make(control);
    if (!made) {
        return made;
    }
    const std::lock_guard lock(mutex_);
    kept_.push_front({key.key, *made});
    std::size_t intervals = 0;
    for (auto one = kept_.begin(); one != kept_.end();) {
        intervals += one->run->slice_count();
        one = intervals > most_ && one != kept_.begin() ? kept_.erase(one) : std::next(one);
    }
    return made;
}

void OpenedRuns::clear() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
}

} // namespace meshslice
