#pragma once

#include "core/program/program.h"
#include "core/simulate/record/timeline.h"
#include "ui/session/selection.h"

#include <QString>

#include <cstddef>
#include <optional>

namespace meshslice::ui {

/// The stretch before bar `next` of a core's row in which the core waits, from the GEMM's start; where
/// `next` is how many bars there are, the stretch after the last.
[[nodiscard]] TimeRange waitBefore(const Timeline& timeline, std::size_t row, std::size_t next);

/// The transfer whose end ends a wait.
struct WaitCause {
    std::size_t row = 0; ///< of the link
    std::size_t index = 0;
    bool arrives = true; ///< comes in from a neighbour; else this chip sends it
};
/// An operation is over for a chip when all it sends and all it gets has crossed its links, so the last
/// transfer to end within the wait, on the chip's own links or on its neighbours' links towards it, is what
/// the core waited for. Of several that end at once, the slice that is multiplied next, then what comes in.
/// None where no transfer of this chip ends in the wait.
[[nodiscard]] std::optional<WaitCause> causeOf(const Timeline& timeline, std::size_t row, std::size_t next);

/// "waits for gather A along the row, slice 2: its last byte arrives from chip 0,3 on the west link at 168
/// us", for a GEMM that begins at `start`. Says after the last bar what the GEMM still does.
[[nodiscard]] QString waitSentence(const Program& program, const Timeline& timeline, std::size_t row,
                                   std::size_t next, Time start);

} // namespace meshslice::ui
