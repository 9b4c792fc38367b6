#include "core/run/run.h"

#include "core/run/run_key.h"

#include <algorithm>
#include <utility>

namespace meshslice {

Stretch common(Stretch one, Stretch other) {
    const Time begin = std::max(one.begin, other.begin);
    return {begin, std::max(begin, std::min(one.end, other.end))};
}

std::vector<RunValue> Run::values(std::size_t /*lane*/, Stretch /*stretch*/) const {
    return {};
}

std::size_t Run::arrows(std::size_t /*part*/, const std::function<void(const RunArrow&)>& /*sink*/) const {
    return 0;
}

std::optional<RunKey> Run::inside(std::size_t /*lane*/, std::uint64_t /*item*/) const {
    return std::nullopt;
}

RunPtr keeping(RunPtr run, std::shared_ptr<const void> with) {
    const Run* const made = run.get();
    return {std::make_shared<const std::pair<std::shared_ptr<const void>, RunPtr>>(std::move(with),
                                                                                   std::move(run)),
            made};
}

std::vector<RunSlice> slices(const Run& run, std::size_t lane) {
    std::vector<RunSlice> all;
    run.visit(lane, {Time(0), run.end()}, 0,
              [&](std::span<const RunSlice> some) { all.insert(all.end(), some.begin(), some.end()); });
    return all;
}

std::optional<std::size_t> find_lane(const Run& run, std::string_view place, std::string_view name) {
    for (std::size_t lane = 0; lane < run.lane_count(); ++lane) {
        const Lane its = run.lane(lane);
        if (its.place == place && its.name == name) {
            return lane;
        }
    }
    return std::nullopt;
}

} // namespace meshslice
