#pragma once

#include "core/base/run_control.h"
#include "core/scenario/meshes.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What the autotuner may choose from, in addition to what the scenario gives.
struct TuneRequest {
    std::vector<std::string> algorithms = {}; ///< ids; empty: every one there is
    std::optional<std::vector<std::int32_t>> mesh =
        {}; ///< this one only; none: all of the scenario's chip count
};

/// One algorithm on one mesh, with the best slice counts for every GEMM.
struct Candidate {
    TrainingStep step; ///< an estimated_step()
    std::string title; ///< of the algorithm
    std::optional<Time> simulated;
    /// Whether it was simulated with the scenario's faults of cores and links; none where there are none.
    std::optional<bool> simulated_with_faults;
    std::string not_simulated; ///< why not, where it was asked for
};

/// An algorithm that does not run on a mesh, and the engine's sentence why.
struct Refusal {
    std::string algorithm; ///< id
    std::string title;
    std::vector<std::int32_t> mesh;
    std::string sentence;

    bool operator==(const Refusal&) const = default;
};

struct Tuning {
    /// What fits into a chip's memory, the fastest first; then what does not, the one that needs least first.
    std::vector<Candidate> ranked;
    std::vector<Refusal> refused;

    [[nodiscard]] bool anything_fits() const { return ranked.front().step.fits(); }
};

/// The meshes that the autotuner tries for an algorithm: all of meshes_for(); for algorithms of three axes
/// those of two layers or more; for algorithms of one ring one mesh on which a closed walk passes all chips
/// over the fastest links: every such ring is as good, and the nearest to a square is taken.
[[nodiscard]] std::vector<Mesh> tuned_meshes(const Scenario& scenario, const Algorithm& algorithm);

/// The autotuner (paper, section 3.2): the dataflow of every layer by the largest matrix, then mesh shape and
/// slice counts by exhaustive search over the estimates, for every algorithm asked for; what does not fit
/// into a chip's memory comes last, however fast. Refused where the scenario is not valid, an algorithm is
/// not known, or nothing at all runs. Works on `threads` threads (0: one per core); the result does not
/// depend on how many.
[[nodiscard]] Result<Tuning> autotune(const Scenario& scenario, const TuneRequest& request,
                                      const RunControl& control = {}, unsigned threads = 0);

/// The scenario with a candidate's algorithm and mesh; slice counts, packets and axes as the scenario has
/// them, so that what it left open is the best by estimate, as in the candidate.
[[nodiscard]] Scenario applied(const Scenario& scenario, const Candidate& candidate);

/// Simulates the first `most` candidates, as far as that can be done (`Candidate::not_simulated`): those on
/// the scenario's mesh with its faults, those on others without the faults of cores and links, which name
/// places of that mesh. Refused only when cancelled.
[[nodiscard]] Result<void> simulate_best(Tuning& tuning, const Scenario& scenario, std::size_t most,
                                         const RunControl& control = {});

/// The first of the ranking whose algorithm leaves open which matrix of a layer stays; none where all have a
/// rule of their own.
[[nodiscard]] const Candidate* first_with_open_dataflows(const Tuning& tuning);

} // namespace meshslice
