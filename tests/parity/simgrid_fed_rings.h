#pragma once

#include "tests/parity/simgrid_torus.h"

#include <optional>

namespace meshslice::parity {

/// GEMMs that feed the reduce-scatter of their slice, on one ring of GPUs, on SimGrid's S4U; none where some
/// actor waits for ever. For programs that have a GEMM and the collective that it feeds, in a loop or not,
/// then at most an all-gather, one way round, and nothing else that takes time; with two buffers; for memory
/// that is ideal, or shared communication-aware: max-min fair is SimGrid's own rule. That a GEMM stands still
/// while another stream is served (round robin) is none, and strict priority is none.
/// - The HBM and the forward link of a chip are SimGrid links. A stage computes as a flow over the HBM held
/// to
///   the rate at which it reads, then writes as a flow that nothing holds; pieces are read and added as
///   flows, one after the other. An ideal memory is a link for each stream.
/// - A GEMM, what reads pieces ahead of the link, the link, and what adds pieces are actors of every chip; a
///   piece in flight is an actor that sleeps.
/// - A slow core computes for longer, and a slow link is a flow that is held to its rate. Either order of
///   chunks: what may go on is queued as it becomes complete.
/// Stages, tiles and costs follow from the hardware by this file's own arithmetic. Once per process.
[[nodiscard]] std::optional<Outcome> outcome_of_fed_rings(const Program& program, const Settings& settings);

} // namespace meshslice::parity
