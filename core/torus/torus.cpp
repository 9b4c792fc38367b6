#include "core/torus/torus.h"

#include "core/base/say.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace meshslice {
namespace {

std::size_t index(Axis axis) {
    return static_cast<std::size_t>(axis);
}

std::string joined(std::span<const TorusAxis> axes) {
    std::string words;
    for (const TorusAxis& axis : axes) {
        words += fmt::format("{}{}", words.empty() ? "" : "x", axis.size);
    }
    return words;
}

} // namespace

Result<Torus> Torus::create(std::vector<TorusAxis> axes) {
    if (axes.empty() || axes.size() > 3) {
        return refuse(say("A torus has one to three axes; this one has {}.", axes.size()));
    }
    std::int64_t chips = 1;
    for (const TorusAxis& axis : axes) {
        if (axis.size < 1) {
            return refuse(say("The mesh {} has an axis of {} chips; every axis needs at least one.",
                              joined(axes), axis.size));
        }
        chips *= axis.size;
        if (chips > most_chips) {
            return refuse(say("The mesh {} has more than {} chips, the most that is simulated.", joined(axes),
                              most_chips));
        }
    }
    Torus torus;
    std::ranges::copy(axes, torus.axes_.begin());
    torus.axis_count_ = static_cast<int>(axes.size());
    torus.chips_ = static_cast<std::int32_t>(chips);
    std::int32_t stride = 1;
    for (std::size_t k = axes.size(); k-- > 0;) {
        torus.sizes_[k] = axes[k].size;
        torus.strides_[k] = stride;
        stride *= axes[k].size;
    }
    return torus;
}

Result<Torus> Torus::create(const std::vector<std::int32_t>& sizes) {
    std::vector<TorusAxis> axes;
    axes.reserve(sizes.size());
    for (const std::int32_t size : sizes) {
        axes.push_back({size, true});
    }
    return create(std::move(axes));
}

bool Torus::wraps(Axis axis) const {
    return static_cast<int>(axis) < axis_count_ && axes_[index(axis)].wraps;
}

bool Torus::folded(Axis axis) const {
    return wraps(axis) && axes_[index(axis)].folded;
}

bool Torus::missing(const Link& link) const {
    const std::int32_t last = link.direction == Direction::forward ? size(link.axis) - 1 : 0;
    return folded(link.axis) && coordinate(link.chip, link.axis) == last;
}

std::int32_t Torus::coordinate(Chip chip, Axis axis) const {
    assert(chip >= 0 && chip < chips_);
    return chip / strides_[index(axis)] % sizes_[index(axis)]; // 0 along an axis it does not have
}

std::optional<Chip> Torus::neighbour(Chip chip, Axis axis, Direction direction) const {
    const std::int32_t size = sizes_[index(axis)];
    if (size == 1) {
        return std::nullopt;
    }
    const std::int32_t here = coordinate(chip, axis);
    const std::int32_t there = here + (direction == Direction::forward ? 1 : -1);
    if ((there < 0 || there >= size) && !wraps(axis)) {
        return std::nullopt;
    }
    return along(chip, axis, (there + size) % size);
}

Chip Torus::along(Chip chip, Axis axis, std::int32_t coordinate) const {
    return chip + (coordinate - this->coordinate(chip, axis)) * strides_[index(axis)];
}

std::vector<Link> Torus::links() const {
    std::vector<Link> links;
    links.reserve(static_cast<std::size_t>(chips_) * static_cast<std::size_t>(link_slots()));
    for (Chip chip = 0; chip < chips_; ++chip) {
        for (int axis = 0; axis < axis_count_; ++axis) {
            for (const Direction direction : both_directions) {
                if (neighbour(chip, static_cast<Axis>(axis), direction)) {
                    links.push_back({chip, static_cast<Axis>(axis), direction});
                }
            }
        }
    }
    return links;
}

std::string_view name(Axis axis) {
    constexpr std::array<std::string_view, 3> names = {"vertical", "horizontal", "third"};
    return names[index(axis)];
}

std::string shape_text(const Torus& torus) {
    return joined(torus.axes());
}

std::string mesh_text(const Torus& torus) {
    if (torus.axis_count() != 1) {
        return shape_text(torus);
    }
    return torus.chips() == 1 ? said("one chip") : say("ring of {}", torus.chips());
}

std::string place_text(const Torus& torus, Chip chip) {
    std::string words;
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        words +=
            fmt::format("{}{}", words.empty() ? "" : ",", torus.coordinate(chip, static_cast<Axis>(axis)));
    }
    return words;
}

std::string link_text(Axis axis, Direction direction) {
    constexpr std::array<std::array<const char*, 2>, 3> names = {
        {{"south link", "north link"}, {"east link", "west link"}, {"up link", "down link"}}};
    return said(names[index(axis)][static_cast<std::size_t>(direction)]);
}

std::string links_text(Axis axis, Direction direction) {
    return say("{}s", link_text(axis, direction));
}

Result<std::vector<std::int32_t>> parse_mesh(const std::string& words) {
    std::vector<std::int32_t> sizes;
    std::size_t begin = 0;
    while (begin <= words.size()) {
        const std::size_t end = std::min(words.find('x', begin), words.size());
        const Result<std::int64_t> size = parse_whole(words.substr(begin, end - begin));
        if (!size || *size < 1 || *size > Torus::most_chips || sizes.size() == 3) {
            return refuse(say("The mesh \"{}\" is not one to three whole numbers of chips joined by x, "
                              "each from 1 to {}, such as 32x8.",
                              words, Torus::most_chips));
        }
        sizes.push_back(static_cast<std::int32_t>(*size));
        begin = end + 1;
    }
    return sizes;
}

} // namespace meshslice
