#pragma once

#include <cstdint>

namespace meshslice {

/// A ring whose chips all make the same chunk of a GEMM's output at the same time, chunk after chunk and in
/// stages; links send piece after piece, and nothing shares a memory. Times in seconds.
struct UnstaggeredRing {
    std::int64_t chips = 2;  ///< as many chunks
    std::int64_t pieces = 1; ///< of a chunk
    std::int64_t stages = 1; ///< in which all pieces are made, those of a stage together at its end
    double stage = 0;
    double transfer = 0; ///< of a piece
    double flight = 0;   ///< of its last byte
};

/// When the last piece has arrived: each sets out from the chip after its chunk's owner as soon as it is made
/// and goes round the ring to it, and every link serves in the order of arrival. What a stage makes of a
/// chunk goes together. A long ring, and many stages, are taken as a shorter one with fewer, of the same
/// bytes and latency, so that it takes milliseconds.
[[nodiscard]] double unstaggered_end(const UnstaggeredRing& ring);

} // namespace meshslice
