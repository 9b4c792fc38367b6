#include "core/cost/transfer_words.h"

#include "core/base/parse.h"
#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace meshslice {

Result<GridPlace> parse_grid_place(std::string_view words, const NamedMesh& slice, std::string_view who) {
    GridPlace place;
    std::size_t begin = 0;
    bool read = !slice.axes.empty();
    while (read && begin <= words.size()) {
        const std::size_t comma = std::min(words.find(',', begin), words.size());
        const Result<std::int64_t> at = parse_whole(words.substr(begin, comma - begin));
        read = at && place.size() < slice.axes.size() && *at >= 0 && *at < slice.axes[place.size()].size;
        if (read) {
            place.push_back(*at);
        }
        begin = comma + 1;
    }
    if (!read || place.size() != slice.axes.size()) {
        GridPlace last;
        std::ranges::transform(slice.axes, std::back_inserter(last),
                               [](const MeshAxis& axis) { return axis.size - 1; });
        return refuse(say("{} is \"{}\"; expected a place along each axis of {}, up to {}.", who,
                          shortened(words), text(slice), fmt::format("{}", fmt::join(last, ","))));
    }
    return place;
}

} // namespace meshslice
