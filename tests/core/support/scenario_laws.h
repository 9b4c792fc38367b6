#pragma once

#include "core/scenario/scenario.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What has to hold of every scenario, whatever a user chooses, measured on the simulation.
enum class Law : std::uint8_t {
    faster_parts,  ///< one and a half, twice or four times as much of any part takes no more time
    memory_floor,  ///< no run is faster than HBM can pass the matrices of its GEMMs, where memory counts
    compute_floor, ///< or than the cores can multiply
    automatic_s,   ///< no other slice count is faster than the one that was chosen
    bound_by,      ///< no other part saves more, twice as fast, than the one that is named
    estimate,      ///< the closed form says what the simulation does
    faults_cost,   ///< a slow or dead part, or jitter, makes nothing faster
    faulty_parts,  ///< and with it a faster part takes no more time either
    slower_told,   ///< where a faster part takes more time, the run with it names a slower one that undoes it
};
inline constexpr std::array all_laws = {Law::faster_parts, Law::memory_floor, Law::compute_floor,
                                        Law::automatic_s,  Law::bound_by,     Law::estimate,
                                        Law::faults_cost,  Law::faulty_parts, Law::slower_told};
[[nodiscard]] std::string_view name(Law law);

/// By how much a scenario breaks each law, as a share of its time (0: not at all), and the scenario's words.
struct Breaches {
    struct One {
        Law law;
        double share;
        std::string what; ///< which part, or which slice count
    };
    std::vector<One> all; ///< of the laws that could be asked of it
    std::string algorithm;
    std::string words; ///< to find it again by
};

/// One GEMM on 2 to 32 chips of a preset, some of its numbers four times or a quarter of what they are; any
/// algorithm, rings, chip model, prefetch and data type. The same for the same seed. Draws until one runs.
[[nodiscard]] Breaches drawn_breaches(std::uint32_t seed);

} // namespace meshslice
