#pragma once

#include "core/papers/study.h"

namespace meshslice::test {

/// What a study finds when it asks what its publication asks, on the publication's machine; made once in a
/// process, as the studies of all publications take half a minute. Fails the test where the study refuses.
[[nodiscard]] const StudyResult& own_result(const Study& study);

} // namespace meshslice::test
