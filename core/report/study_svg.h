#pragma once

#include "core/papers/meshslice/study.h"

#include <string>

namespace meshslice {

/// The charts of a study as one SVG picture in the light theme, about 1000 pixels wide: the panels that the
/// window shows, with the study's finding as title. The same answer gives the same bytes.
[[nodiscard]] std::string study_svg(const Study& study, const StudyResult& result);

} // namespace meshslice
