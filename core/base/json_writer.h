#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshslice {

/// The text of a file of ours: members in the order they were added, indented by two spaces, ends with a
/// newline. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_file(const nlohmann::ordered_json& json);

} // namespace meshslice
