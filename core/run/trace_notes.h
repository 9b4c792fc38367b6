#pragma once

#include <string_view>

/// What this program writes about the runs of a trace file, and knows again when it reads one.
namespace meshslice::trace_notes {

inline constexpr std::string_view writer = "written_by";
inline constexpr std::string_view program = "MeshSlice Explorer";
inline constexpr std::string_view runs = "runs";
inline constexpr std::string_view prediction = "predicted";
inline constexpr std::string_view measurement = "measured";

} // namespace meshslice::trace_notes
