#pragma once

#include <string>

namespace meshslice {

/// What a project or scenario file of the current version may hold, as a JSON Schema (draft 2020-12), made
/// from the field tables: every key with its type, range, words and help, and which have to be there, also of
/// a model and of hardware that are written out in full. What fields demand of each other it cannot say; the
/// program does. It reads models and hardware of older versions, too, which are not described.
[[nodiscard]] std::string project_schema();

} // namespace meshslice
