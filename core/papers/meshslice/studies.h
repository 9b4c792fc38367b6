#pragma once

#include "core/papers/meshslice/setup/paper_setup.h"

namespace meshslice {

/// The studies of the MeshSlice paper (ISCA 2025), each in its own file. Where a study is of one cluster it
/// is of the largest of the inputs (the paper's 256 chips); claims are judged where model and cluster are the
/// paper's. All are by estimate where nothing else is said.
#define STUDY(name) extern const Study name##_study;
#include "core/papers/meshslice/studies.def"
#undef STUDY

} // namespace meshslice
