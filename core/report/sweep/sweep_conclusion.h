#pragma once

#include "core/question/sweep.h"

#include <string>
#include <vector>

namespace meshslice {

/// What a reader takes from a sweep, in short sentences, one line each: which point that fits is the best by
/// the number that matters, and how far the next and the last are from it; of one field of numbers what a
/// doubling brings, where that changes, and how the share that explains it (SweptQuestion::cause) changes
/// with it; of two fields which matters more; and where points stop to fit or to run. The number is a time
/// where all points do the same work, else the first of the measures of which the question says what is
/// better. Where some points, not most, lack it, the others are judged by it, and these are named apart.
[[nodiscard]] std::vector<std::string> sweep_conclusion(const Sweep& sweep,
                                                        const std::vector<SweepPoint>& points);

} // namespace meshslice
