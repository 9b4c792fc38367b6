#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

/// Devices that do something together.
using HloGroups = std::vector<std::vector<std::int64_t>>;

/// "[2,4]<=[4,2]T(1,0)": `count` groups of `size` of the devices of an array of sizes `of`, counted along its
/// axes in this order, the last one fastest. Empty where the numbers do not go together.
[[nodiscard]] HloGroups counted_hlo_groups(std::int64_t count, std::int64_t size,
                                           const std::vector<std::int64_t>& of,
                                           const std::vector<std::int64_t>& order);

/// A part of an axis of a mesh, as XLA writes it: "'x'" is all of it, "'x':(2)4" the 4 that come after an
/// outer part of 2.
struct HloMeshPart {
    std::size_t axis = 0;
    std::int64_t outer = 1, size = 1;
};
/// "mesh['x'=2,'y'=4] {'y'}": the devices that differ in these parts of axes alone. Empty where a part does
/// not divide its axis, or an axis has two.
[[nodiscard]] HloGroups hlo_groups_of_mesh(const std::vector<std::int64_t>& sizes,
                                           const std::vector<HloMeshPart>& parts);

/// Pairs of "{ {0}: (2, {}, may-alias), {1}: (3, {}) }": result 0 stands where operand or parameter 2 does. A
/// result alone is "{}".
[[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> hlo_aliases(std::string_view braces);

/// "-7": a whole number alone, of at most 12 digits; none of another text.
[[nodiscard]] std::optional<std::int64_t> hlo_whole_number(std::string_view text);
/// 12 of the settings of a backend that say {"known_trip_count":{"n":"12"}}, as they are or as a text in
/// quotes, "{\"known_trip_count\":...}"; none where they do not say it.
[[nodiscard]] std::optional<std::int64_t> known_hlo_trips(std::string_view settings);

} // namespace meshslice
