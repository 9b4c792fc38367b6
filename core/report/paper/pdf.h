#pragma once

#include "core/base/result.h"
#include "core/report/document/document.h"

#include <string>

namespace meshslice {

/// The document as the bytes of a PDF file: A4, letters and pictures as vectors, headings as an outline.
/// Refuses with a sentence where the library that puts it on pages is not installed.
[[nodiscard]] Result<std::string> pdf(const Document& document);

} // namespace meshslice
