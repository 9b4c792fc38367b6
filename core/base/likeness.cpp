#include "core/base/likeness.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace meshslice {
namespace {

std::string lower(std::string_view words) {
    std::string small(words);
    std::ranges::transform(small, small.begin(), [](unsigned char letter) { return std::tolower(letter); });
    return small;
}

/// How many letters differ: are others, more or fewer.
std::size_t letters_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t other = corner + (a[i] == b[j] ? 0 : 1);
            corner = row[j + 1];
            row[j + 1] = std::min({other, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string likely(std::string_view typed, const std::vector<std::string>& known) {
    constexpr std::size_t most_typed = 100; // bytes; a slip of a finger is shorter
    constexpr std::size_t most_letters = 2;
    std::string found;
    std::size_t least = most_letters + 1;
    if (typed.size() > most_typed) {
        return found;
    }
    const std::string small = lower(typed);
    for (const std::string& word : known) {
        const std::size_t letters = letters_between(small, lower(word));
        if (letters < least && 2 * letters < std::min(typed.size(), word.size())) {
            least = letters;
            found = word;
        }
    }
    return found;
}

} // namespace meshslice
