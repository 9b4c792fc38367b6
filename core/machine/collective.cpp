#include "core/machine/collective.h"

#include <algorithm>
#include <cstddef>

namespace meshslice {

std::string_view name(Collective what) {
    constexpr std::array<std::string_view, all_collectives.size()> names = {
        "all-gather", "reduce-scatter", "all-reduce", "all-to-all", "broadcast", "reduce", "send-recv"};
    return names[static_cast<std::size_t>(what)];
}

std::string file_name(Collective what) {
    if (what == Collective::send_receive) {
        return "send_receive";
    }
    std::string words(name(what));
    std::ranges::replace(words, '-', '_');
    return words;
}

} // namespace meshslice
