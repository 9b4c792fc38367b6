#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// What is launched, each kind with a cost of its own (MeshSlice paper, section 3.2.2: t_launch).
enum class LaunchKind : std::uint8_t { all_gather, reduce_scatter, send_receive, multiply };
inline constexpr std::array all_launch_kinds = {LaunchKind::all_gather, LaunchKind::reduce_scatter,
                                                LaunchKind::send_receive, LaunchKind::multiply};
[[nodiscard]] std::string_view name(LaunchKind kind); ///< "all_gather", ...

} // namespace meshslice
