#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace meshslice {

/// Reads the part of YAML that hardware files use: mappings by indentation, lists of plain values, lists and
/// mappings in brackets, comments. Also a dictionary as Python has it, `systems = {'a': {'Flops': 312}}`: the
/// first one that a line gives a name. Numbers become numbers; true, false and null are known in the words of
/// both. Refuses anchors, tags, texts of several lines and repeated keys, and names the line.
[[nodiscard]] Result<nlohmann::json> parse_plain_yaml(std::string_view text, const std::string& origin);
/// JSON where it is JSON, else the above.
[[nodiscard]] Result<nlohmann::json> parse_json_or_yaml(std::string_view text, const std::string& origin);

} // namespace meshslice
