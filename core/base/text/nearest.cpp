#include "core/base/text/nearest.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t most_suggested = 3;

/// In small letters, with hyphens for underscores.
std::string plain(std::string_view words) {
    std::string out;
    for (const char c : words) {
        out += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
}

/// Also without hyphens.
std::string bare(std::string_view words) {
    std::string out = plain(words);
    std::erase(out, '-');
    return out;
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

std::string resolved(std::string_view typed, const std::vector<std::string>& names) {
    const std::string meant = plain(typed);
    if (meant.empty()) {
        return {};
    }
    std::vector<std::string> begun;
    for (const std::string& name : names) {
        if (plain(name) == meant) {
            return name;
        }
        if (plain(name).starts_with(meant) && std::ranges::find(begun, name) == begun.end()) {
            begun.push_back(name);
        }
    }
    return begun.size() == 1 ? begun.front() : std::string();
}

std::vector<std::string> likely_names(std::string_view typed, const std::vector<std::string>& names) {
    const std::string meant = bare(typed);
    if (meant.empty()) {
        return {};
    }
    // Two letters that changed places differ in two; of a short word one letter is much.
    const std::size_t most = meant.size() < 4 ? 1 : std::max<std::size_t>(2, meant.size() / 4);
    std::vector<std::pair<std::size_t, std::string>> likely;
    for (const std::string& name : names) {
        const std::string one = bare(name);
        const std::size_t letters = one.starts_with(meant) ? 0 : letters_between(meant, one);
        if (letters <= most && std::ranges::find(likely, std::pair(letters, name)) == likely.end()) {
            likely.emplace_back(letters, name);
        }
    }
    std::ranges::stable_sort(likely, {}, &std::pair<std::size_t, std::string>::first);
    std::vector<std::string> nearest;
    for (const auto& [letters, name] : likely) {
        if (letters == likely.front().first && nearest.size() < most_suggested) {
            nearest.push_back(name);
        }
    }
    return nearest;
}

std::string suggestion(std::string_view typed, const std::vector<std::string>& names) {
    const std::vector<std::string> likely = likely_names(typed, names);
    return likely.empty() ? say("there are {}.", listed(names))
                          : say("did you mean {}?", listed(likely, "or"));
}

} // namespace meshslice
