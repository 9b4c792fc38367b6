#pragma once

#include <cstdint>
#include <string_view>

namespace meshslice {

inline constexpr int folds = 5;

/// Which of five folds a group of rows falls into. The same on every machine, whatever its standard library
/// (FNV-1a).
[[nodiscard]] inline int fold_of(std::string_view group) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char letter : group) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
    }
    return static_cast<int>((hash >> 32) % folds);
}

} // namespace meshslice
