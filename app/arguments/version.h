#pragma once

#include <string>

namespace meshslice {

/// "meshslice 0.1.0 (commit 807e15739e)"; without a commit where the sources had none when they were built.
[[nodiscard]] std::string version_text(const std::string& program);

} // namespace meshslice
