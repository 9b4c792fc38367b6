#include "tests/parity/simgrid_configure.h"

#include <array>
#include <simgrid/s4u.hpp>
#include <xbt/log.h>

namespace meshslice::parity {

namespace s4u = simgrid::s4u;

/// Named as in SimGrid's manual, "Configuring SimGrid", and in what any SimGrid 3.32 program says to --help.
void configure_simgrid() {
    constexpr std::array settings = {
        // A flow takes latency + bytes / bandwidth as given. The default model, LV08, fits both to TCP.
        "network/model:CM02",
        "network/latency-factor:1",
        "network/bandwidth-factor:1",
        "network/weight-S:0",
        // Acknowledgements take nothing of the opposite link.
        "network/crosstraffic:0",
        // CM02 keeps a flow below TCP-gamma / (2 latency); here, below what no link has.
        "network/TCP-gamma:1e18",
        // Events closer than this are one: a picosecond, the unit of our own clock.
        "surf/precision:1e-12",
        // KiB; there are thousands of actors, and none calls deeply.
        "contexts/stack-size:128",
    };
    xbt_log_control_set("root.thres:critical"); // Else every setting is announced.
    for (const char* setting : settings) {
        s4u::Engine::set_config(setting);
    }
}

} // namespace meshslice::parity
