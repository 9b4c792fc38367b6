#pragma once

#include "core/cost/schedule.h"
#include "core/machine/machine.h"
#include "core/program/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace meshslice {

/// The parts of a machine that a faster one could have instead.
enum class Part : std::uint8_t {
    compute,
    memory,
    vertical_links,
    horizontal_links,
    third_links,
    latency,
    links ///< of all axes together: where two axes are equally slow, neither alone makes a difference
};
inline constexpr std::array all_parts = {
    Part::compute,     Part::memory,  Part::vertical_links, Part::horizontal_links,
    Part::third_links, Part::latency, Part::links};
inline constexpr std::size_t part_count = all_parts.size();
/// "compute", "memory", "vertical_links", "horizontal_links", "third_links", "latency", "links"
[[nodiscard]] std::string_view id(Part part);
/// The part of the mesh that a part of the program's torus is: a ring that winds through the mesh has links
/// of one of its axes, or of several.
[[nodiscard]] Part of_mesh(Part part, const Torus& torus);
[[nodiscard]] bool is_links(Part part);

/// What a part's saving counts next to others': that of the links of all axes half, for they are several
/// parts.
[[nodiscard]] double counted(Part part, double saves);
/// The part whose saving counts most, of shares by part; the first of equals, none where no part saves
/// anything.
[[nodiscard]] std::optional<Part> largest(const std::array<double, part_count>& saves);

/// Where twice the bottleneck would save less than this share of the time, several parts hold it back alike.
inline constexpr double balanced_below = 0.1;

/// What bounds a run: the part that would save most time if it were twice as fast (latency: if launches and
/// synchronizations took half as long). Found by that experiment with the closed form, on a healthy machine.
struct Bottleneck {
    std::optional<Part> part;      ///< none where no part saves anything
    bool nothing_overlaps = false; ///< communication and multiplications take turns
    /// By part: the share of the time that it would save, 0 to 1/2.
    std::array<double, part_count> saves{};
    /// By axis: the share of the time that its links work, launches and synchronizations included; of a
    /// simulation the share that is waited for them.
    std::array<double, core_engine> links_busy{};

    /// The links that are waited for longest, for where nothing overlaps.
    [[nodiscard]] Part largest_wait() const;
    /// Whether no part saves enough alone to be called what bounds the run.
    [[nodiscard]] bool balanced() const { return most() < balanced_below; }
    [[nodiscard]] double most() const { return part ? saves[static_cast<std::size_t>(*part)] : 0; }
    bool operator==(const Bottleneck&) const = default;
};

/// The machine with one part so many times as fast. Where that are links: those of the machine's axes over
/// which the torus sends along that axis of its own.
[[nodiscard]] Machine with_times(const Machine& hardware, const Torus& torus, Part part, double times);
[[nodiscard]] Machine with_twice(const Machine& hardware, const Torus& torus, Part part);

/// Whether a part could make any difference to the program: a torus of two axes has no third links.
[[nodiscard]] bool has_part(const Torus& torus, Part part);

[[nodiscard]] Bottleneck bottleneck(const Program& program, const Machine& hardware,
                                    const Schedule& schedule);

/// Of runs one after the other, each with its time.
struct TimedBottleneck {
    Bottleneck bottleneck;
    Time time;
};
[[nodiscard]] Bottleneck together(const std::vector<TimedBottleneck>& runs);

} // namespace meshslice
