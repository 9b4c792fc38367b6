#pragma once

#include "core/cost/collective/fitted_collectives.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// One collective, or one dispatch or combine of experts, that somebody timed.
struct CollectiveRow {
    std::string id; ///< of its source's own; else "file.csv:12"
    std::string hardware, operation, library;
    /// Rows of one configuration that differ in their size alone: one curve.
    std::string group;
    std::int64_t chips = 0, servers = 1;
    double bytes = 0;   ///< as `AchievedAsked::bytes`
    double seconds = 0; ///< measured; 0: not said
    AchievedAsked asked;
    /// Why it cannot be predicted or is not scored; empty: it can.
    std::string reason;
    bool scored = true; ///< of one with a reason: whether a better model could predict it
};

/// Reads rows as resources/measured/collectives.csv has them: a header, then any of the columns id, trust,
/// hardware, op, nodes, gpus_per_node, n, bytes, time_us, tokens_per_rank, hidden, topk, sms, library and
/// version, in any order; others are passed over. hardware, op and n have to be there. Empty cells are not
/// known. Refuses what is not such a file; a row that cannot be expressed says why.
[[nodiscard]] Result<std::vector<CollectiveRow>> read_collective_rows(std::string_view csv,
                                                                      const std::string& origin);
/// Those of resources/measured/collectives.csv.
[[nodiscard]] const std::vector<CollectiveRow>& measured_collectives();

} // namespace meshslice
