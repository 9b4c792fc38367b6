#include "core/torus/routes.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <utility>

namespace meshslice {
namespace {

/// How many chips a walk through one or several axes visits, and whether the last of them is a neighbour of
/// the first.
struct Length {
    std::int64_t chips = 1;
    bool closed = true;
};

Length length(const Torus& torus, Axis axis) {
    return {torus.size(axis), torus.wraps(axis) && !torus.folded(axis)};
}

/// That of the walk through the chips of both, closed where that can be.
Length through(const Length& one, const Length& other) {
    const bool even = one.chips % 2 == 0 || other.chips % 2 == 0;
    const bool closed = one.chips == 1     ? other.closed
                        : other.chips == 1 ? one.closed
                                           : even || one.closed || other.closed;
    return {one.chips * other.chips, closed};
}

Length length_of_walk(const Torus& torus) {
    Length all;
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        all = through(all, length(torus, static_cast<Axis>(axis)));
    }
    return all;
}

/// Steps through the chips of one or several axes: what each adds to a chip's number.
struct Track {
    std::vector<Chip> offsets;
    bool closed = false; ///< as its length says

    [[nodiscard]] std::size_t size() const { return offsets.size(); }
    [[nodiscard]] Length length() const { return {static_cast<std::int64_t>(size()), closed}; }
};

Track track(const Torus& torus, Axis axis) {
    Track result;
    for (std::int32_t place = 0; place < torus.size(axis); ++place) {
        result.offsets.push_back(torus.along(0, axis, place));
    }
    result.closed = length(torus, axis).closed;
    return result;
}

/// Line by line, every other one back. Where lines are even in number and `across` is closed it comes home.
Track to_and_fro(const Track& across, const Track& along) {
    Track walk;
    for (std::size_t line = 0; line < across.size(); ++line) {
        for (std::size_t k = 0; k < along.size(); ++k) {
            const std::size_t at = line % 2 == 0 ? k : along.size() - 1 - k;
            walk.offsets.push_back(across.offsets[line] + along.offsets[at]);
        }
    }
    return walk;
}

/// The same with the first chip of every line kept free for the way home; an even number of lines.
Track to_and_fro_and_home(const Track& across, const Track& along) {
    const Track rest{{along.offsets.begin() + 1, along.offsets.end()}, false};
    Track walk = to_and_fro(across, rest);
    walk.offsets.insert(walk.offsets.begin(), across.offsets.front() + along.offsets.front());
    for (std::size_t line = across.size() - 1; line > 0; --line) {
        walk.offsets.push_back(across.offsets[line] + along.offsets.front());
    }
    return walk;
}

/// Round every closed line, on to the next: a line walked forward ends one place behind where it began, one
/// walked backward one place ahead, and as many more are walked forward as make one whole turn. At least as
/// many lines as places in one, both odd.
Track winding(const Track& across, const Track& along) {
    Track walk;
    const std::size_t forward = (across.size() + along.size()) / 2;
    std::size_t at = 0;
    for (std::size_t line = 0; line < across.size(); ++line) {
        const std::size_t step = line < forward ? 1 : along.size() - 1;
        for (std::size_t k = 0; k < along.size(); ++k) {
            walk.offsets.push_back(across.offsets[line] + along.offsets[at]);
            at = k + 1 < along.size() ? (at + step) % along.size() : at;
        }
    }
    return walk;
}

/// Along the first ring, then back along the second except for its first place; on through the second place
/// of all other rings; and home to and fro over what is left of them, to the first place of the second, which
/// is next to where it began. Closed rings of an odd number of places on an odd number of lines.
Track round_and_home(const Track& lines, const Track& ring) {
    Track walk;
    const auto add = [&](std::size_t line, std::size_t place) {
        walk.offsets.push_back(lines.offsets[line] + ring.offsets[place]);
    };
    for (std::size_t place = 0; place < ring.size(); ++place) {
        add(0, place);
    }
    for (std::size_t place = ring.size() - 1; place > 0; --place) {
        add(1, place);
    }
    for (std::size_t line = 2; line < lines.size(); ++line) {
        add(line, 1);
    }
    for (std::size_t line = lines.size() - 1; line > 1; --line) {
        for (std::size_t k = 2; k <= ring.size(); ++k) { // 2, 3, ..., 0, or the same backward
            add(line, (line % 2 == 0 ? k : ring.size() + 2 - k) % ring.size());
        }
    }
    add(1, 0);
    return walk;
}

/// A walk through the chips of both, closed where that can be.
Track steps(const Track& one, const Track& other) {
    if (one.size() == 1 || other.size() == 1) {
        return to_and_fro(one, other);
    }
    for (const auto& [across, along] : {std::pair(&one, &other), std::pair(&other, &one)}) {
        if (across->size() % 2 == 0) {
            return across->closed ? to_and_fro(*across, *along) : to_and_fro_and_home(*across, *along);
        }
    }
    if (one.closed && other.closed) {
        return one.size() >= other.size() ? winding(one, other) : winding(other, one);
    }
    if (one.closed || other.closed) {
        return one.closed ? round_and_home(other, one) : round_and_home(one, other);
    }
    return to_and_fro(one, other);
}

std::vector<Chip> chips_of_walk(const Torus& torus) {
    Track walk{{0}, true};
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        const Track next = track(torus, static_cast<Axis>(axis));
        const bool closed = through(walk.length(), next.length()).closed;
        walk = steps(walk, next);
        walk.closed = closed;
    }
    return std::move(walk.offsets);
}

bool has_folded_axis(const Torus& torus) {
    bool folds = false;
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        folds = folds || torus.folded(static_cast<Axis>(axis));
    }
    return folds;
}

Result<void> closes(const Torus& torus) {
    if (!length_of_walk(torus).closed && torus.chips() > 1) {
        return refuse(
            say("No closed ring leads through all chips of the mesh {}: without wrap-around that takes "
                "an even number of chips along one of at least two axes.",
                shape_text(torus)));
    }
    return {};
}

} // namespace

Result<bool> walk_is_folded(const Torus& torus) {
    const Result<void> closed = closes(torus);
    if (!closed && has_folded_axis(torus)) {
        return true;
    }
    return closed.map([] { return false; });
}

Result<Walk> walk_through(const Torus& torus) {
    return walk_is_folded(torus).map([&](bool folded) { return Walk{chips_of_walk(torus), folded}; });
}

Result<std::vector<Chip>> ring_through(const Torus& torus) {
    return closes(torus).map([&] { return chips_of_walk(torus); });
}

} // namespace meshslice
