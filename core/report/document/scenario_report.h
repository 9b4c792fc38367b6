#pragma once

#include "core/question/question.h"
#include "core/report/document/document.h"
#include "core/report/summary/findings.h"
#include "core/report/summary/summary.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What a report is made of. What is empty or null has no place in it.
struct Reported {
    std::string kind; ///< the question's title
    const Scenario* scenario = nullptr;
    std::vector<std::pair<std::string, std::string>> own;        ///< the question's own values, in words
    std::vector<std::pair<std::string, std::string>> usual = {}; ///< those that are as they begin
    std::vector<std::string> varied = {};                        ///< names of what a sweep goes through
    std::optional<Machine> machine = {};                         ///< whose numbers have sources
    const Answer* answer = nullptr;                              ///< always there
    std::optional<Summary> summary;                              ///< of a step or a plan
    std::vector<std::string> trust;                              ///< what measured runs say to it
    std::vector<Finding> findings;                               ///< what would change it
    std::vector<NamedChart> charts;                              ///< besides those of the answer
    std::string again;                                           ///< the command line that makes it again
    std::string made_by;
};

/// For a review by people who were not there: the question, the answer in a sentence, how far to trust it,
/// where time and memory go, what would change it, the pictures, the tables, what is not counted, where the
/// machine's numbers come from, and how to make it again. Without bars of time and memory the pictures come
/// first. Refuses only where a table has to be computed and
/// cannot.
[[nodiscard]] Result<Document> report_of(const Reported& reported);

} // namespace meshslice
