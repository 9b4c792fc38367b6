#pragma once

#include "core/scenario/scenario.h"

#include <QString>

namespace meshslice::ui {

/// What a scenario runs and on which chips: "GPT-3 175B, batch 128 x 2048 tokens, bf16; 256 chips: TPU v4, as
/// in the MeshSlice paper".
[[nodiscard]] QString subject(const Scenario& scenario);

/// The same of the whole training run: "GPT-3 175B, batch 128 x 2048 tokens; training run on 256 chips: ...".
[[nodiscard]] QString trainingSubject(const Scenario& scenario);

} // namespace meshslice::ui
