#pragma once

#include <QString>

#include <cstdint>

namespace meshslice::ui {

/// What a file of measurements holds, as its first bytes show.
enum class MeasuredFile : std::uint8_t {
    none,       ///< nothing that is known, or it cannot be read
    trace,      ///< of a profiler, an execution trace, or a database of Nsight Systems
    training,   ///< a log of a training program
    serving,    ///< what a benchmark of a server saves
    collectives ///< a log of nccl-tests
};
[[nodiscard]] MeasuredFile measuredFileAt(const QString& path);

} // namespace meshslice::ui
