#pragma once

#include "core/machine/machine.h"
#include "core/scenario/scenario.h"

#include <QString>

namespace meshslice::ui {

/// The layers that a model's training step multiplies, and each number of the model with the key or
/// publication it came from, as rich text.
[[nodiscard]] QString modelFacts(const Transformer& model, std::int64_t tokens);
/// Each number of the hardware with its unit and source, as rich text.
[[nodiscard]] QString hardwareFacts(const Machine& hardware);

} // namespace meshslice::ui
