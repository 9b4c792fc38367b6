#pragma once

#include "core/papers/meshslice/setup/paper_setup.h"

#include <map>
#include <string>
#include <vector>

namespace meshslice {

/// The algorithms at one number of chips, by id; those that do not run there are missing.
using Compared = std::map<std::string, TrainingStep>;

/// A study over cluster sizes.
struct Scaling {
    std::vector<std::string> algorithms;      ///< ids, as drawn
    std::vector<std::vector<Compared>> steps; ///< by model, by number of chips, as in the inputs
};
[[nodiscard]] Result<Scaling> scaling(const StudyInputs& inputs, BatchRule rule,
                                      std::vector<std::string> algorithms, const RunControl& control);

/// FLOP utilization over chips, a panel per model.
[[nodiscard]] std::vector<ChartPanel> utilization_panels(const StudyInputs& inputs, const Scaling& scaling);

/// A row per model, number of chips and algorithm: mesh, utilization, and where the time goes.
[[nodiscard]] Table comparison_table(const std::string& title, const StudyInputs& inputs,
                                     const Scaling& scaling);

/// "GPT-3 175B: MeshSlice 82.1%, Wang 74.0%, ...", the fastest first.
[[nodiscard]] std::string ranking(const Transformer& model, const Compared& steps);

/// "MeshSlice" of "meshslice".
[[nodiscard]] std::string title_of(const std::string& algorithm);

/// Whether the first algorithm is faster than the second; false where one of them does not run, so that
/// nothing is said to be ahead of what is not there.
[[nodiscard]] bool ahead(const Compared& steps, const std::string& first, const std::string& second);

} // namespace meshslice
