#pragma once

#include "core/scenario/file/project.h"

#include <QString>

#include <vector>

namespace meshslice::ui {

/// A project that comes with the program.
struct Example {
    QString
        title; ///< what it is of: "GPT-3 175B, 32 × 8, TPU v4"; of two variants "Sliced or not sliced: ..."
    QString point; ///< what it shows
    Project project;
};
[[nodiscard]] std::vector<Example> examples();

/// A name for a file that says what is in it: "gpt3-175b-32x8-meshslice.json"; of several variants
/// "gpt3-175b-32x8-meshslice.meshslice.json", after the one that is shown.
[[nodiscard]] QString proposedFileName(const Project& project);

} // namespace meshslice::ui
