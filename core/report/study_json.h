#pragma once

#include "core/papers/meshslice/study.h"

#include <string>
#include <vector>

namespace meshslice {

/// A study and its answer.
struct StudyRun {
    const Study* study = nullptr; ///< one of studies()
    StudyResult result;
};

/// Studies as JSON for other programs: per study its finding, claims (paper, ours, deviation; null where the
/// paper states no number), orderings and table; units in the names. Where the question is not the paper's,
/// "not_judged" says why, and deviations and what holds are null.
[[nodiscard]] std::string study_json(const std::vector<StudyRun>& runs, const Hardware& hardware);

} // namespace meshslice
