#pragma once

#include "core/papers/study.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The studies of all publications, in the order of the publications and of their figures; those that are
/// files come last.
[[nodiscard]] const std::vector<Study>& studies();
/// Which there are, each with its publication, in that order; found without reading their files, which needs
/// all questions.
struct StudyName {
    std::string publication, id;
};
[[nodiscard]] std::vector<StudyName> study_names();
/// By id; the error lists the ids there are. The pointer stays valid.
[[nodiscard]] Result<const Study*> study(std::string_view id);

} // namespace meshslice
