#include "core/import/hlo/hlo_lists.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>

namespace meshslice {
namespace {

constexpr double most_listed_devices = 1 << 20;

double product(const std::vector<std::int64_t>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1.0,
                           [](double all, std::int64_t one) { return all * static_cast<double>(one); });
}

/// A whole number at the beginning; none where there is another letter.
std::optional<std::int64_t> number_at_begin(std::string_view text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    constexpr std::size_t most_digits = 9;
    if (end == 0 || end > most_digits) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    for (const char digit : text.substr(0, end)) {
        value = 10 * value + (digit - '0');
    }
    return value;
}

} // namespace

HloGroups counted_hlo_groups(std::int64_t count, std::int64_t size, const std::vector<std::int64_t>& of,
                             const std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> sorted = order, axes(of.size());
    std::ranges::sort(sorted);
    std::iota(axes.begin(), axes.end(), 0);
    const double devices = product(of);
    if (sorted != axes || devices < 1 || devices > most_listed_devices || devices != product({count, size})) {
        return {};
    }
    std::vector<std::int64_t> strides(of.size(), 1);
    for (std::size_t k = of.size(); k-- > 1;) {
        strides[k - 1] = strides[k] * of[k];
    }
    HloGroups all(static_cast<std::size_t>(count));
    for (std::int64_t place = 0; place < static_cast<std::int64_t>(devices); ++place) {
        std::int64_t left = place, device = 0;
        for (std::size_t k = order.size(); k-- > 0;) {
            const auto axis = static_cast<std::size_t>(order[k]);
            device += left % of[axis] * strides[axis];
            left /= of[axis];
        }
        all[static_cast<std::size_t>(place / size)].push_back(device);
    }
    return all;
}

HloGroups hlo_groups_of_mesh(const std::vector<std::int64_t>& sizes, const std::vector<HloMeshPart>& parts) {
    // Each axis is cut into what is outside of its part, the part, and what is inside.
    std::vector<std::int64_t> of, among, others;
    double together = 1;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        const auto part = std::ranges::find(parts, axis, &HloMeshPart::axis);
        const std::int64_t outer = part == parts.end() ? 1 : part->outer;
        const std::int64_t size = part == parts.end() ? 1 : part->size;
        if (std::ranges::count(parts, axis, &HloMeshPart::axis) > 1 || outer < 1 || size < 1 ||
            outer > sizes[axis] || size > sizes[axis] / outer || sizes[axis] % (outer * size) != 0) {
            return {};
        }
        const auto at = static_cast<std::int64_t>(of.size());
        of.insert(of.end(), {outer, size, sizes[axis] / (outer * size)});
        others.insert(others.end(), {at, at + 2});
        among.push_back(at + 1);
        together *= static_cast<double>(size);
    }
    const double devices = product(of);
    if (devices < 1 || devices > most_listed_devices) {
        return {};
    }
    others.insert(others.end(), among.begin(), among.end());
    return counted_hlo_groups(static_cast<std::int64_t>(devices / together),
                              static_cast<std::int64_t>(together), of, others);
}

std::vector<std::pair<std::int64_t, std::int64_t>> hlo_aliases(std::string_view braces) {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    int depth = 0;
    std::size_t open = 0;
    for (std::size_t at = 0; at < braces.size(); ++at) {
        if (braces[at] == '{') {
            open = depth == 1 ? at : open;
            ++depth;
        } else if (braces[at] == '}') {
            if (--depth == 0) {
                break;
            }
        } else if (braces[at] == '(' && depth == 1) {
            const auto operand = number_at_begin(braces.substr(at + 1));
            const auto result = number_at_begin(braces.substr(open + 1));
            const bool alone = braces.substr(open).starts_with("{}");
            if (operand && (result || alone)) {
                all.emplace_back(result.value_or(0), *operand);
            }
            const std::size_t end = braces.find(')', at);
            at = end == std::string_view::npos ? braces.size() - 1 : end;
        }
    }
    return all;
}

std::optional<std::int64_t> hlo_whole_number(std::string_view text) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    constexpr std::size_t most_digits = 12;
    if (text.empty() || text.size() > most_digits ||
        text.find_first_not_of("0123456789") != std::string_view::npos) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    for (const char digit : text) {
        value = 10 * value + (digit - '0');
    }
    return negative ? -value : value;
}

std::optional<std::int64_t> known_hlo_trips(std::string_view settings) {
    constexpr std::string_view key = "known_trip_count", between = "\\\":{ \t\r\n";
    const std::size_t found = settings.find(key);
    if (found == std::string_view::npos) {
        return std::nullopt;
    }
    settings.remove_prefix(found + key.size());
    settings.remove_prefix(std::min(settings.find_first_not_of(between), settings.size()));
    if (!settings.starts_with('n')) {
        return std::nullopt;
    }
    settings.remove_prefix(1);
    settings.remove_prefix(std::min(settings.find_first_not_of(between), settings.size()));
    return hlo_whole_number(settings.substr(0, settings.find_first_not_of("0123456789")));
}

} // namespace meshslice
