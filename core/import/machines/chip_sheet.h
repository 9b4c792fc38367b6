#pragma once

#include "core/base/json/json_reader.h"
#include "core/import/machines/machine_draft.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshslice {

/// Whether it is one chip or several by name: of GenZ (Flops, Memory_BW), or of LLM-Viewer (bandwidth, FP16).
[[nodiscard]] bool holds_chip_sheets(const nlohmann::json& file, bool genz);

/// The chip as a draft of a machine to be filled from a file: without what was measured on the chip itself.
[[nodiscard]] MachineDraft empty_draft(const Machine& chip, const std::string& source);
/// Names the keys that no getter has asked for: "gpu: a, b". `part` is empty for the file itself.
void name_what_is_lost(const JsonReader& reader, const std::string& part, MachineDraft& draft);
/// The draft, where it is a machine that a file may hold.
[[nodiscard]] Result<MachineDraft> checked_draft(const JsonReader& reader, MachineDraft draft);

} // namespace meshslice
