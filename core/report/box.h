#pragma once

namespace meshslice {

/// A place in a picture, in pixels; y grows downward.
struct Point {
    double x = 0;
    double y = 0;

    bool operator==(const Point&) const = default;
};

/// A rectangle in a picture, in pixels.
struct Box {
    double left = 0;
    double top = 0;
    double width = 0;
    double height = 0;

    [[nodiscard]] double right() const { return left + width; }
    [[nodiscard]] double bottom() const { return top + height; }
    [[nodiscard]] Point center() const { return {left + width / 2, top + height / 2}; }
    /// Whether they have more than an edge in common.
    [[nodiscard]] bool intersects(const Box& other) const {
        return left < other.right() && other.left < right() && top < other.bottom() && other.top < bottom();
    }

    bool operator==(const Box&) const = default;
};

} // namespace meshslice
