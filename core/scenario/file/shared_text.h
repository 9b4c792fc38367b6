#pragma once

#include "core/base/result.h"
#include "core/scenario/file/project.h"

#include <string>
#include <string_view>

namespace meshslice {

/// A project in one text that fits into a message or a link: "meshslice:1:5d3c1f0a:eNrt...". That is the
/// version of this form, the CRC-32 of the file's compressed bytes, and these bytes (zlib), in base64 with
/// the letters for addresses (RFC 4648, section 5) and no "=".
[[nodiscard]] std::string shared_text(const Project& project);

/// Whether words are, or are meant to be, such a text.
[[nodiscard]] bool is_shared_text(std::string_view words);
/// The text of the project or scenario file that it stands for. Spaces and ends of lines, which mails put in,
/// do not matter. Refuses another version, and a text that is damaged or cut.
[[nodiscard]] Result<std::string> file_of_shared_text(std::string_view words);

} // namespace meshslice
