#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Whether a text is a study that can be run, as far as its first point that runs says it; where `all` is
/// given, every finding is added to it.
[[nodiscard]] Result<void> check_study_file(std::string_view json, const std::string& origin,
                                            std::vector<std::string>* all = nullptr);

/// The JSON Schema of such files, as text.
[[nodiscard]] std::string study_file_schema();

} // namespace meshslice
