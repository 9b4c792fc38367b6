#pragma once

#include <cmath>
#include <cstdint>

namespace meshslice {

/// Random draws of a seed and a stream that are the same with every compiler and library, which
/// `std::*_distribution` are not: xoshiro256** begun by SplitMix64 (Blackman and Vigna, "Scrambled Linear
/// Pseudorandom Number Generators", 2021). Streams of one seed are independent of each other.
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t stream) {
        std::uint64_t at = seed + stream * 0xD1B54A32D192ED03U; // odd, so that no two streams begin alike
        for (std::uint64_t& word : state_) {
            at += 0x9E3779B97F4A7C15U;
            std::uint64_t mixed = at;
            mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
            mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
            word = mixed ^ (mixed >> 31U);
        }
    }

    [[nodiscard]] std::uint64_t bits() {
        const std::uint64_t result = turned(state_[1] * 5, 7) * 9;
        const std::uint64_t moved = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= moved;
        state_[3] = turned(state_[3], 45);
        return result;
    }
    /// 0 to below 1.
    [[nodiscard]] double uniform() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
    /// Of mean 1.
    [[nodiscard]] double exponential() { return -std::log1p(-uniform()); }
    /// Of mean 0 and deviation 1, by Marsaglia's polar method.
    [[nodiscard]] double normal() {
        double x = 0, square = 0;
        do {
            x = 2 * uniform() - 1;
            const double y = 2 * uniform() - 1;
            square = x * x + y * y;
        } while (square >= 1 || square == 0);
        return x * std::sqrt(-2 * std::log(square) / square);
    }

  private:
    static std::uint64_t turned(std::uint64_t word, unsigned bits) {
        return (word << bits) | (word >> (64U - bits));
    }

    std::uint64_t state_[4] = {};
};

} // namespace meshslice
