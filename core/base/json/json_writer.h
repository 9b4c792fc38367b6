#pragma once

#include "core/base/json/tree.h"

#include <string>

namespace meshslice {

/// The text of a file of ours: members in the order they were added, indented by two spaces, ends with a
/// newline. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_file(const Tree& tree);
/// The same in one line, without its end.
[[nodiscard]] std::string json_line(const Tree& tree);
/// The values of a JSON text that we wrote ourselves.
[[nodiscard]] Tree tree_of_json(const std::string& json);

} // namespace meshslice
