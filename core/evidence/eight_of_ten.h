#pragma once

namespace meshslice {

/// The share of measured rows that an interval is made to hold. Sentences say it in words, "in eight of ten",
/// so that another number here asks for other words there.
inline constexpr double eight_of_ten = 0.8;

} // namespace meshslice
