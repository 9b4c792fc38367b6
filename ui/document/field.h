#pragma once

#include <QString>

#include <cstdint>

namespace meshslice::ui {

/// The parts of a scenario that a user edits one at a time. Edits of the same field in one sitting are one
/// undo step, and a refused edit is explained beside its field.
enum class Field : std::uint8_t {
    model,
    hardware,
    mesh,
    wraps,
    batch,
    sequence,
    workload, ///< a model's training step, or one product
    product,  ///< size and dataflow of the one product
    algorithm,
    compare,
    stationary,
    slices,
    block,
    packets,
    decomposed,
    prefetch,
    ring,
    chip, ///< the model of it
    dataType,
    faults, ///< what is slow, dead or late
};

/// The name of an undo step: "Change the mesh".
[[nodiscard]] QString editText(Field field);

} // namespace meshslice::ui
