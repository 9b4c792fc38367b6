#pragma once

#include <string>

namespace meshslice {

/// The JSON Schema of lesson files, as text.
[[nodiscard]] std::string lesson_schema();

} // namespace meshslice
