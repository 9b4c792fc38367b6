#pragma once

#include "core/report/document/scenario_report.h"

#include <string>

namespace meshslice {

/// One document about two answers to a question, A and B: what differs, both answers, whether the difference
/// is larger than what measured runs leave open, both pictures next to each other. The names say what each
/// is: "batch 128". Refuses as report_of() does.
[[nodiscard]] Result<Document> report_of_both(const Reported& a, const Reported& b, const std::string& a_name,
                                              const std::string& b_name);

} // namespace meshslice
