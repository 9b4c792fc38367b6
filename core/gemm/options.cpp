#include "core/gemm/options.h"

#include <algorithm>
#include <iterator>

namespace meshslice {

std::string_view verb(OptionId id) {
    static constexpr std::array<std::string_view, all_options.size()> verbs = {
        "slice", "slice by blocks", "stream packets", "take a collective apart"};
    return verbs[static_cast<std::size_t>(id)];
}

std::optional<std::int64_t> value(const GemmOptions& options, OptionId id) {
    switch (id) {
    case OptionId::slices: return options.slices;
    case OptionId::block: return options.block;
    case OptionId::packets: return options.packets == 0 ? std::nullopt : std::optional(options.packets);
    case OptionId::decomposed: break;
    }
    return options.decomposed ? std::optional(static_cast<std::int64_t>(*options.decomposed)) : std::nullopt;
}

void set_value(GemmOptions& options, OptionId id, std::int64_t value) {
    switch (id) {
    case OptionId::slices: options.slices = value; break;
    case OptionId::block: options.block = value; break;
    case OptionId::packets: options.packets = value; break;
    case OptionId::decomposed: options.decomposed = static_cast<Axis>(value); break;
    }
}

Result<std::vector<std::int64_t>> values_to_try(const OptionSpec& option, const GemmShape& shape,
                                                Dataflow dataflow, const Torus& torus,
                                                const GemmOptions& options,
                                                std::optional<std::int64_t> given) {
    if (given && option.taken == Taken::exactly) {
        return std::vector{*given};
    }
    auto values = option.values(shape, dataflow, torus, options);
    if (values && given) {
        const auto above = std::ranges::upper_bound(*values, *given);
        return std::vector{above == values->begin() ? values->front() : *std::prev(above)};
    }
    return values;
}

} // namespace meshslice
