#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace meshslice {

/// Draws the parts of random cases: the same ones for the same seed.
class Draw {
  public:
    explicit Draw(std::uint32_t seed) : random_(seed) {}

    /// One of these values.
    template <class... Choices>
    auto operator()(Choices... choices) {
        const std::common_type_t<Choices...> all[] = {choices...};
        return all[index(std::size(all))];
    }
    /// One of the first few slice counts that work; there are some.
    std::int64_t slices(const std::vector<std::int64_t>& counts) {
        return counts[index(std::min<std::size_t>(6, counts.size()))];
    }

  private:
    std::size_t index(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
    }

    std::mt19937 random_;
};

} // namespace meshslice
