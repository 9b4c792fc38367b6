#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What a claim's number counts.
enum class ClaimKind : std::uint8_t {
    utilisation, ///< share of the cluster's peak FLOP/s
    speed_up,    ///< time of the other over time of this one; 1 where both are as fast
    loss,        ///< share of a utilisation that is lost
    bytes,       ///< that one chip sends
};
[[nodiscard]] std::string_view name(ClaimKind kind); ///< "utilisation", "speed-up", ...

/// A number that a publication states.
struct Claim {
    std::string id;
    std::string section;   ///< where it is stated
    std::string statement; ///< what it is a number of, in our words
    ClaimKind kind = ClaimKind::utilisation;
    double value = 0;

    bool operator==(const Claim&) const = default;
};

/// What a publication states without a number: which of several is ahead.
struct Ordering {
    std::string id;
    std::string section;
    std::string statement;

    bool operator==(const Ordering&) const = default;
};

/// All that a publication claims, with its source.
struct PublishedClaims {
    std::string name;
    std::string title;
    std::string source;
    std::vector<Claim> claims;
    std::vector<Ordering> orderings;

    bool operator==(const PublishedClaims&) const = default;
};

/// Reads the JSON text of one file of claims. `origin` names it in errors.
[[nodiscard]] Result<PublishedClaims> read_published_claims(std::string_view json, const std::string& origin);

/// The evaluation of MeshSlice (Nam et al., ISCA 2025), section 5, and its comparison in section 7; compiled
/// in.
[[nodiscard]] const PublishedClaims& meshslice_paper();

/// A number as its kind is read: "67.4%", "1.14x", "1.60 GB".
[[nodiscard]] std::string claim_text(ClaimKind kind, double value);

} // namespace meshslice
