#include "core/run/open_path.h"

#include "core/base/say.h"
#include "core/run/run_key.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_named = 8;

/// The bar of this name that opens; of the others some names are collected.
std::optional<RunKey> find(const Run& run, std::string_view wanted, std::vector<std::string>& names) {
    for (std::size_t number = 0; number < run.lane_count(); ++number) {
        const Lane lane = run.lane(number);
        if (lane.kind == LaneKind::counter) {
            continue;
        }
        for (const RunSlice& bar : slices(run, number)) {
            const std::string name = run.label(number, bar.item).name;
            const bool fits = name == wanted || lane.place + " " + name == wanted;
            if (!fits && (names.size() >= most_named || std::ranges::find(names, name) != names.end())) {
                continue;
            }
            std::optional<RunKey> inside = run.inside(number, bar.item);
            if (inside && fits) {
                return inside;
            }
            if (inside) {
                names.push_back(name);
            }
        }
    }
    return std::nullopt;
}

} // namespace

Result<RunPtr> open_path(RunPtr run, const std::string& path, const RunControl& control) {
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string wanted = path.substr(begin, end - begin);
        std::vector<std::string> names;
        const std::optional<RunKey> key = find(*run, wanted, names);
        if (!key) {
            std::string some;
            for (const std::string& name : names) {
                some += (some.empty() ? "" : ", ") + name;
            }
            return refuse(names.empty() ? say("Nothing inside \"{}\" can be opened.", run->title())
                                        : say("\"{}\" has no bar \"{}\" that opens; it has {}.", run->title(),
                                              wanted, some));
        }
        Result<RunPtr> inner = key->make(control);
        if (!inner) {
            return inner;
        }
        run = *std::move(inner);
        begin = end + 1;
    }
    return run;
}

} // namespace meshslice
