#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>

namespace meshslice {

/// At most `Most` values in an order, kept in place: programs are written by the thousand, and lists of two
/// or three that each ask for memory of their own would be most of that work.
template <class T, std::size_t Most>
class ShortList {
  public:
    constexpr ShortList() = default;
    constexpr ShortList(std::initializer_list<T> values) {
        assert(values.size() <= Most);
        for (const T& value : values) {
            values_[size_++] = value;
        }
    }

    constexpr void push_back(T value) {
        assert(size_ < Most);
        values_[size_++] = value;
    }
    [[nodiscard]] constexpr const T& operator[](std::size_t place) const { return values_[place]; }

    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr const T* begin() const { return values_.data(); }
    [[nodiscard]] constexpr const T* end() const { return values_.data() + size_; }

    /// What lies beyond the size is never written, so it is equal.
    constexpr bool operator==(const ShortList&) const = default;

  private:
    std::array<T, Most> values_{};
    std::size_t size_ = 0;
};

} // namespace meshslice
