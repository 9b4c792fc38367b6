#include "core/report/words/slice_words.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace meshslice {
namespace {

/// The blocks of the first slice, so many of them as show the pattern.
constexpr std::int64_t shown_blocks = 3;

std::string slice_sentence(const Program& program, ValueId sliced, const Slicing& slicing) {
    const auto& matrix = program.values[sliced];
    const bool columns = slicing.dimension == Dimension::columns;
    const std::int64_t size = columns ? matrix.columns : matrix.rows;
    const std::int64_t stride = slicing.count * slicing.block;
    const std::int64_t blocks = size / stride;
    std::vector<std::string> parts;
    for (std::int64_t k = 0; k < std::min(blocks, shown_blocks); ++k) {
        const std::int64_t begin = k * stride;
        parts.push_back(slicing.block == 1 ? fmt::format("{}", begin)
                                           : say("{} to {}", begin, begin + slicing.block - 1));
    }
    if (blocks > shown_blocks) {
        parts.push_back(said("so on"));
    }
    const std::string places = listed(parts, "and");
    return columns ? say("Slice 1 of {} of {} is columns {} of the {} that a chip has, in blocks of {}.",
                         slicing.count, matrix.name, places, size, slicing.block)
                   : say("Slice 1 of {} of {} is rows {} of the {} that a chip has, in blocks of {}.",
                         slicing.count, matrix.name, places, size, slicing.block);
}

} // namespace

std::vector<std::string> slice_words(const Program& program) {
    std::vector<std::string> all;
    for (const Operation& operation : program.operations) {
        std::string words;
        if (const auto* slice = std::get_if<Slice>(&operation)) {
            words = slice->slicing.count > 1 ? slice_sentence(program, slice->source, slice->slicing)
                                             : std::string();
        } else if (const auto* put = std::get_if<PutSlice>(&operation)) {
            words =
                put->slicing.count > 1 ? slice_sentence(program, put->target, put->slicing) : std::string();
        }
        if (!words.empty() && std::ranges::find(all, words) == all.end()) {
            all.push_back(std::move(words));
        }
    }
    return all;
}

} // namespace meshslice
