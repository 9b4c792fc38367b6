#pragma once

#include "core/papers/t3/tensor_cases.h"

namespace meshslice {

/// The studies of the T3 paper (ASPLOS 2024), each in its own file.
#define STUDY(name) extern const Study name##_study;
#include "core/papers/t3/studies.def"
#undef STUDY

/// What they have in common: GPUs in a ring, sub-layers that end in an all-reduce, the models of Table 2.
extern const Evaluation t3_evaluation;

} // namespace meshslice
