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

LaneUse use_in(const Run& run, std::size_t lane, Stretch stretch) {
    LaneUse use;
    Time longest;
    run.visit(lane, stretch, 0, [&](std::span<const RunSlice> some) {
        use.count += some.size();
        for (const RunSlice& slice : some) {
            const Time inside = std::min(slice.end, stretch.end) - std::max(slice.start, stretch.begin);
            use.busy += inside;
            if (!use.longest || inside > longest) {
                use.longest = slice;
                longest = inside;
            }
        }
    });
    return use;
}

namespace {

/// The first or last bar that `takes` in stretches that grow from a time on, later or earlier.
template <class Takes>
std::optional<RunSlice> nearest(const Run& run, std::size_t lane, Time near, bool later, Takes takes) {
    constexpr std::int64_t first_look = 1'000'000; // a microsecond
    std::optional<RunSlice> found;
    for (std::int64_t look = first_look;; look *= 4) {
        const Stretch stretch =
            later ? Stretch{near - Time(1), near + Time(look)} : Stretch{near - Time(look), near + Time(1)};
        run.visit(lane, stretch, 0, [&](std::span<const RunSlice> some) {
            for (const RunSlice& slice : some) {
                if (takes(slice) && (!later || !found)) {
                    found = slice;
                }
            }
        });
        if (found || (later ? stretch.end > run.end() : stretch.begin < Time(0))) {
            return found;
        }
    }
}

} // namespace

std::optional<RunSlice> bar_from(const Run& run, std::size_t lane, std::uint64_t item, Time near) {
    return nearest(run, lane, near, true, [&](const RunSlice& slice) { return slice.item >= item; });
}

std::optional<RunSlice> bar_before(const Run& run, std::size_t lane, std::uint64_t item, Time near) {
    return nearest(run, lane, near, false, [&](const RunSlice& slice) { return slice.item < item; });
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
