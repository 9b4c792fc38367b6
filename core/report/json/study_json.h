#pragma once

#include "core/base/json/tree.h"
#include "core/papers/study.h"

#include <string>
#include <vector>

namespace meshslice {

/// A study and its answer.
struct StudyRun {
    const Study* study = nullptr; ///< one of studies()
    StudyResult result;
};

/// Studies of one publication.
struct PublishedRuns {
    const Publication* publication = nullptr;
    std::vector<StudyRun> runs;
    std::string hardware; ///< its name; empty where the studies are not about one
};

/// Studies of a publication for other programs: per study its finding, claims (paper, ours,
/// deviation; null where the publication states no number), orderings and table; how each number is got;
/// units in the names; and what of the publication no study covers. Where the question is not the paper's,
/// "not_judged" says why, and deviations and what holds are null.
[[nodiscard]] Tree study_values(const Publication& publication, const std::vector<StudyRun>& runs,
                                const Machine& hardware);
/// Of several: the first as above, and the others under "other_publications", each likewise.
[[nodiscard]] Tree study_values(const std::vector<PublishedRuns>& all);

} // namespace meshslice
