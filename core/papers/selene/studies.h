#pragma once

#include "core/papers/selene/efficiency_fit.h"

namespace meshslice {

/// The studies of what was measured on Selene (arXiv 2205.05198), each in its own file.
#define STUDY(name) extern const Study name##_study;
#include "core/papers/selene/studies.def"
#undef STUDY

/// What they have in common: A100 in servers of eight; the models are those that were measured.
extern const Evaluation selene_evaluation;

} // namespace meshslice
