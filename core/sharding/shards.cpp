#include "core/sharding/shards.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace meshslice {
namespace {

constexpr double most_counted_elements = 4.611686018427388e18; // 2^62

std::int64_t parts_of(const AxisList& axes, const NamedMesh& mesh) {
    std::int64_t parts = 1;
    for (const std::size_t axis : axes) {
        parts *= mesh.axes[axis].size;
    }
    return parts;
}

/// The next axis of the mesh, from `axis` on, splits each dimension, at each place among the axes that split
/// it already, or none.
void place_axes(std::size_t axis, const NamedMesh& mesh, ShardedArray& array,
                std::vector<ShardedArray>& all) {
    if (axis == mesh.axes.size()) {
        all.push_back(array);
        return;
    }
    place_axes(axis + 1, mesh, array, all);
    for (ArrayDimension& dimension : array.dimensions) {
        for (std::size_t place = 0; place <= dimension.axes.size(); ++place) {
            const auto at = dimension.axes.begin() + static_cast<std::ptrdiff_t>(place);
            dimension.axes.insert(at, axis);
            place_axes(axis + 1, mesh, array, all);
            dimension.axes.erase(dimension.axes.begin() + static_cast<std::ptrdiff_t>(place));
        }
    }
}

} // namespace

Result<DimensionSizes> parse_dimension_sizes(std::string_view words) {
    DimensionSizes sizes;
    std::string_view rest = words;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        std::string_view one = rest.substr(0, comma);
        rest = comma == rest.size() ? std::string_view() : rest.substr(comma + 1);
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        const std::size_t equals = one.find('=');
        std::string_view letter = one.substr(0, equals);
        while (letter.ends_with(' ')) {
            letter.remove_suffix(1);
        }
        const auto capital = letter.size() == 1
                                 ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter[0])))
                                 : '\0';
        if (equals == std::string_view::npos || capital < 'A' || capital > 'Z') {
            return refuse(say("\"{}\" is not a size of a dimension; expected one capital letter and a "
                              "number, as in I=1024, J=8Ki.",
                              shortened(one)));
        }
        const Result<std::int64_t> size = parse_count(one.substr(equals + 1));
        if (!size || *size < 1) {
            return refuse(say("The size of dimension {} is \"{}\"; expected a whole number from 1 on.",
                              std::string(1, capital), shortened(one.substr(equals + 1))));
        }
        if (!sizes.emplace(capital, *size).second) {
            return refuse(say("Dimension {} is given twice.", std::string(1, capital)));
        }
    }
    return sizes;
}

Result<Shards> shards(const ShardedArray& array, const NamedMesh& mesh, const DimensionSizes& sizes,
                      std::int64_t bits) {
    Shards found;
    double elements = 1;
    for (const ArrayDimension& dimension : array.dimensions) {
        const std::string letter(1, dimension.letter);
        const auto size = sizes.find(dimension.letter);
        if (size == sizes.end()) {
            return refuse(say("The size of {} in {} is missing; add it, as in {}=1024.", letter,
                              text(array, mesh), letter));
        }
        const std::int64_t parts = parts_of(dimension.axes, mesh);
        if (size->second % parts != 0) {
            const std::int64_t below = size->second / parts * parts;
            const std::string near = below > 0 && below <= std::numeric_limits<std::int64_t>::max() - parts
                                         ? say("{} or {}", below, below + parts)
                                         : std::to_string(below > 0 ? below : parts);
            return refuse(say("{} = {} is not divisible into {} parts, as {} asks; use {}.", letter,
                              size->second, parts, text(array, mesh), near));
        }
        found.shape.push_back(size->second);
        found.local.push_back(size->second / parts);
        found.blocks *= parts;
        elements *= static_cast<double>(size->second);
    }
    if (elements > most_counted_elements) {
        return refuse(say("{} has more elements than can be counted, 2^62.", text(array, mesh)));
    }
    found.partial_sums = parts_of(array.unreduced, mesh);
    found.copies = mesh.devices() / found.blocks / found.partial_sums;
    found.bytes = elements * static_cast<double>(bits) / 8;
    found.bytes_per_device = found.bytes / static_cast<double>(found.blocks);
    found.bytes_in_all = found.bytes_per_device * static_cast<double>(mesh.devices());
    return found;
}

std::vector<std::int64_t> coordinates(const NamedMesh& mesh, std::int64_t device) {
    std::vector<std::int64_t> along(mesh.axes.size());
    for (std::size_t axis = mesh.axes.size(); axis-- > 0;) {
        along[axis] = device % mesh.axes[axis].size;
        device /= mesh.axes[axis].size;
    }
    return along;
}

std::vector<std::int64_t> block_of(const ShardedArray& array, const NamedMesh& mesh, std::int64_t device) {
    const std::vector<std::int64_t> along = coordinates(mesh, device);
    std::vector<std::int64_t> blocks;
    for (const ArrayDimension& dimension : array.dimensions) {
        std::int64_t block = 0;
        for (const std::size_t axis : dimension.axes) {
            block = block * mesh.axes[axis].size + along[axis];
        }
        blocks.push_back(block);
    }
    return blocks;
}

std::vector<ShardedArray> all_shardings(const std::string& name, std::string_view letters,
                                        const NamedMesh& mesh) {
    ShardedArray array;
    array.name = name;
    for (const char letter : letters) {
        array.dimensions.push_back({letter, {}});
    }
    std::vector<ShardedArray> all;
    place_axes(0, mesh, array, all);
    return all;
}

} // namespace meshslice
