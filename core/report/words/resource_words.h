#pragma once

#include "core/cost/schedule.h"
#include "core/program/program.h"
#include "core/simulate/record/timeline.h"
#include "core/step/bottleneck.h"
#include "core/torus/torus.h"

#include <string>
#include <string_view>

namespace meshslice {

/// A resource as the subject of a sentence: "compute", "the vertical links", "the ring's links" where there
/// is one axis.
[[nodiscard]] std::string resource_words(Place place, const Torus& torus);

/// The same of a part: also "memory" and "latency".
[[nodiscard]] std::string part_words(Part part, const Torus& torus);

/// "bound by the vertical links"; "no overlap, waits mostly for the vertical links"; "balanced (latency
/// matters most)".
[[nodiscard]] std::string bound_words(const Bottleneck& bottleneck, const Torus& torus);

/// What was tried: "twice the bandwidth of the vertical links would save 31% of the time". Empty where no
/// part would save anything.
[[nodiscard]] std::string saving_words(const Bottleneck& bottleneck, const Torus& torus);

/// What a link carries in an interval, in words: "slice 3 of 8, A from chip 0,1"; of partial sums whose they
/// will be: "C for chip 0,1". Empty where nothing travels. `row`: the link. `pieces`: in which a chunk
/// crosses it, one step each (see OperationLabel).
[[nodiscard]] std::string shard_words(const Program& program, RingMode mode, const Row& row,
                                      const Interval& interval, std::int64_t pieces = 1);

} // namespace meshslice
