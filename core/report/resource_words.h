#pragma once

#include "core/program/program.h"
#include "core/torus/torus.h"

#include <string_view>

namespace meshslice {

/// A resource as the subject of a sentence: "compute", "the vertical links", "the ring's links" where there
/// is one axis.
[[nodiscard]] std::string_view resource_words(Place place, const Torus& torus);

} // namespace meshslice
