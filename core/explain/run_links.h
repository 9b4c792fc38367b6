#pragma once

#include "core/scenario/scenario.h"
#include "core/simulate/path/direct_dependencies.h"
#include "core/step/training_step.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace meshslice {

/// What arrives: an interval of a link, and the first interval that waited for it on the chip at its other
/// end.
struct RunFlow {
    BarPlace from;
    BarPlace to;

    bool operator==(const RunFlow&) const = default;
};

/// A stretch in which a core waits, between two multiplications or before the first one; and what ends last
/// before it goes on: none where that is not known.
struct RunWait {
    std::size_t row = 0; ///< of the core
    Time start;
    Time end;
    std::optional<BarPlace> until;

    bool operator==(const RunWait&) const = default;
};

/// What connects the bars of one GEMM on the chosen chips (ascending).
struct RunLinks {
    std::vector<RunFlow> flows; ///< both ends on chosen chips
    std::size_t left_out = 0;   ///< flows that arrive on a chosen chip from one that is not
    std::vector<RunWait> waits;
};

/// Of a GEMM of a step of this scenario. Where the program of its run is not known, waits have no reason and
/// there are no flows. Takes time and memory in proportion to the intervals stored and to those of the chosen
/// chips.
[[nodiscard]] RunLinks run_links(const GemmResult& gemm, const std::string& algorithm,
                                 const Scenario& scenario, const std::vector<Chip>& chips,
                                 const std::stop_token& stop = {});

} // namespace meshslice
