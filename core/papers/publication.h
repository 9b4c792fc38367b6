#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What a claim's number counts.
enum class ClaimKind : std::uint8_t {
    utilization, ///< share of the cluster's peak FLOP/s
    speed_up,    ///< time of the other over time of this one; 1 where both are as fast
    loss,        ///< share of a utilization that is lost
    bytes,       ///< that one chip sends or keeps
    time,        ///< seconds
    share,       ///< of a whole
    count,       ///< of tokens, sequences, chips and the like
    rate,        ///< bytes a second
};
[[nodiscard]] std::string_view name(ClaimKind kind); ///< "utilization", "speed-up", ...

/// A number that a publication states.
struct Claim {
    std::string id;
    std::string section;   ///< where it is stated
    std::string statement; ///< what it is a number of, in our words
    ClaimKind kind = ClaimKind::utilization;
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

/// What a publication states and no study asks again, and why not.
struct NotReproduced {
    std::string section;
    std::string statement;
    std::string reason; ///< a sentence

    bool operator==(const NotReproduced&) const = default;
};

/// A publication and all that it claims.
struct Publication {
    std::string name; ///< by which the program knows it: "meshslice-paper"
    std::string title;
    std::string citation; ///< short: "MeshSlice, ISCA 2025"
    std::string source;
    std::vector<Claim> claims;
    std::vector<Ordering> orderings;
    std::vector<NotReproduced> not_reproduced;
    bool has_chapters = false; ///< a book's sections are called so

    bool operator==(const Publication&) const = default;
};

/// "section 5.1, Figure 9", "sections 4.1 and 4.4", and of a book "chapters 5 and 12".
[[nodiscard]] std::string section_words(const Publication& publication, std::string_view section);

/// Reads the JSON text of one file of claims. `origin` names it in errors.
[[nodiscard]] Result<Publication> read_publication(std::string_view json, const std::string& origin);

/// A publication that is compiled in, by its name; the error lists the names there are. The pointer stays
/// valid.
[[nodiscard]] Result<const Publication*> publication(std::string_view name);

/// How a number of ours is got.
enum class Reading : std::uint8_t {
    estimated, ///< by the closed form
    simulated, ///< every core and every link
    both,      ///< an estimate next to a simulation
    counted,   ///< bytes: no time is needed
};
[[nodiscard]] std::string_view name(Reading reading); ///< "estimated", "estimated and simulated", ...

/// A number of a publication next to ours. Without `paper` it is one that the publication draws but does
/// not state.
struct ClaimOutcome {
    std::string id; ///< of the claim in its publication
    std::optional<double> paper;
    double ours = 0;
    Reading reading = Reading::estimated;

    /// (ours - paper) / paper; 0 without a published number.
    [[nodiscard]] double deviation() const { return paper ? (ours - *paper) / *paper : 0.0; }
    bool operator==(const ClaimOutcome&) const = default;
};
/// Our number for a claim, with the published one where there is one.
[[nodiscard]] ClaimOutcome outcome(const Publication& publication, const std::string& id, double ours,
                                   Reading reading);

/// "utilization, speed-up, ... or rate": what a file may say.
[[nodiscard]] std::string claim_kind_names();
/// What a file calls it; none where it is not one of those.
[[nodiscard]] std::optional<ClaimKind> claim_kind(std::string_view name);
/// A number as its kind is read: "67.4%", "1.14x", "1.60 GB", "2550".
[[nodiscard]] std::string claim_text(ClaimKind kind, double value);

} // namespace meshslice
