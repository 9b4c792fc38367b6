#include "core/machine/launch_kind.h"

#include <cstddef>

namespace meshslice {

std::string_view name(LaunchKind kind) {
    constexpr std::array<std::string_view, all_launch_kinds.size()> names = {"all_gather", "reduce_scatter",
                                                                             "send_receive", "multiply"};
    return names[static_cast<std::size_t>(kind)];
}

} // namespace meshslice
