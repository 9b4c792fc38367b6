#pragma once

#include "core/report/document/scenario_report.h"

#include <string>
#include <vector>

namespace meshslice {

/// The parts of which reports about one answer, or about two, are made.

/// What everybody asks first, and what is not as it is at first.
[[nodiscard]] DocumentTable question_table(const Reported& reported);
/// "5.20 s to 6.80 s".
[[nodiscard]] std::string band_words(const NumberBand& band);
/// The answer in a sentence or two, with how far off it may be.
[[nodiscard]] std::string answer_words(const Reported& reported);
/// Where time and memory go.
[[nodiscard]] std::vector<DocumentBlock> bars_of(const Summary& summary);
/// What was measured or published next to it; where nothing was, that.
[[nodiscard]] Result<DocumentSection> trust_section(const Reported& reported);
/// What is not counted; no blocks where nothing is said.
[[nodiscard]] DocumentSection left_out_section(const Reported& reported);
/// What would change it, with a picture of the machine's numbers where there is one.
[[nodiscard]] DocumentSection changes_section(const Reported& reported);
/// How the main numbers come about; no blocks where nothing says so.
[[nodiscard]] DocumentSection formulas_section(const Reported& reported);
/// Every number of a machine with its source.
[[nodiscard]] DocumentSection numbers_section(const Machine& machine);
/// The tables of one kind, as people read them.
[[nodiscard]] Result<void> add_tables(DocumentSection& section, const Answer& answer, TableKind kind);

} // namespace meshslice
