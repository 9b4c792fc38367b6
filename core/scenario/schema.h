#pragma once

#include <string>

namespace meshslice {

/// What a project or scenario file of the current version may hold, as a JSON Schema (draft 2020-12), made
/// from the field table: every key with its type, range, words and help, and which have to be there. Presets
/// that are written out in full (a model, hardware) are objects in it, whose keys their own files explain.
/// What fields demand of each other it cannot say; the program does.
[[nodiscard]] std::string project_schema();

} // namespace meshslice
