#pragma once

#include "core/papers/transformers/plan_setup.h"

namespace meshslice {

/// The studies of "Comprehensive Performance Modeling and System Design Insights for Foundation Models"
/// (arXiv 2410.00273), each in its own file. All are by the closed form, by both rules.
#define STUDY(name) extern const Study name##_study;
#include "core/papers/transformers/studies.def"
#undef STUDY

} // namespace meshslice
