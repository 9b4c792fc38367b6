#pragma once

#include "core/base/quantity.h"
#include "core/base/sourced.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {

/// What the chips of a group do together (How to Scale Your Model, chapter 3).
enum class Collective : std::uint8_t {
    all_gather,
    reduce_scatter,
    all_reduce,
    all_to_all,
    broadcast,
    reduce,
    send_receive
};
inline constexpr std::array all_collectives = {
    Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce,  Collective::all_to_all,
    Collective::broadcast,  Collective::reduce,         Collective::send_receive};
/// "all-gather", as the command line has it.
[[nodiscard]] std::string_view name(Collective what);
/// "all_gather", as files have it.
[[nodiscard]] std::string file_name(Collective what);

/// Those that have a launch of their own; every other is launched as one of these.
inline constexpr std::array launched_collectives = {Collective::all_gather, Collective::reduce_scatter,
                                                    Collective::send_receive};
/// A broadcast and an all-to-all as an all-gather, a reduction as a reduce-scatter; an all-reduce is a
/// reduce-scatter and an all-gather, each launched by itself.
[[nodiscard]] constexpr Collective launched_as(Collective what) {
    switch (what) {
    case Collective::reduce_scatter:
    case Collective::reduce: return Collective::reduce_scatter;
    case Collective::send_receive: return what;
    default: return Collective::all_gather;
    }
}

/// What a launch takes, once per operation (MeshSlice paper, section 3.2.2: t_launch).
struct LaunchTimes {
    Sourced<Time> gather, scatter, send, multiply;

    [[nodiscard]] const Sourced<Time>& operator[](Collective what) const {
        switch (launched_as(what)) {
        case Collective::reduce_scatter: return scatter;
        case Collective::send_receive: return send;
        default: return gather;
        }
    }
    [[nodiscard]] Sourced<Time>& operator[](Collective what) {
        return const_cast<Sourced<Time>&>(static_cast<const LaunchTimes&>(*this)[what]);
    }
    [[nodiscard]] std::array<Sourced<Time>*, 4> all() { return {&gather, &scatter, &send, &multiply}; }
    bool operator==(const LaunchTimes&) const = default;
};

} // namespace meshslice
