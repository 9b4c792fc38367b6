#pragma once

#include "core/papers/study.h"
#include "core/question/catalogue/study/study_file.h"

#include <vector>

namespace meshslice {

/// The studies that come with the program as files, in the order of their names: those of a publication are
/// in resources/studies in a folder of its name. What they state is stated by the publication.
[[nodiscard]] const std::vector<Study>& file_studies();

/// What a study of a file finds. Claims without a number of ours are left out.
[[nodiscard]] Result<StudyResult> study_result(StudyFile study, const RunControl& control = {});

} // namespace meshslice
