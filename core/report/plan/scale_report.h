#pragma once

#include "core/base/json/tree.h"
#include "core/evidence/scale_log.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"

#include <string>

namespace meshslice {

/// Which of a step's parts a log of scale follows, as shares of the step.
struct ScalePart {
    const char* name; ///< to be said()
    const char* key;  ///< "tensor_share"
    Role role;
    double (*share)(const ScaleRow& row); ///< of a row with a plan
};
[[nodiscard]] const std::vector<ScalePart>& scale_parts();

/// What grows from the fewest chips that have a plan to the most, and what MFU falls by.
[[nodiscard]] std::string scale_finding(const ScaleLog& log);
/// MFU against chips, ideal and expected with its interval, and measured runs of the family; and the shares
/// of communication, bubble and stragglers.
[[nodiscard]] Chart scale_chart(const ScaleLog& log);
[[nodiscard]] Table scale_table(const ScaleLog& log);
[[nodiscard]] Tree scale_values(const ScaleLog& log);
/// "llama3-70b on 512 H100-SXM-80G: 44.1%", one after the other; empty where there is none.
[[nodiscard]] std::string measured_words(const ScaleRow& row);

} // namespace meshslice
