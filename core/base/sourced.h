#pragma once

#include <string>

namespace meshslice {

/// A number and where it comes from: a publication with its section, a measurement, or the assumption made.
template <class T>
struct Sourced {
    T value{};
    std::string source;

    bool operator==(const Sourced&) const = default;
};

} // namespace meshslice
