#pragma once

#include "core/base/json/tree.h"
#include "core/evidence/scale_log.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"

#include <string>

namespace meshslice {

/// Which of a step's parts a log of scale follows, as shares of that step.
struct ScalePart {
    const char* name;    ///< to be said()
    const char* heading; ///< "tensor", of a column of a few letters
    const char* key;     ///< "ideal_tensor_share"
    Role role;
    double (*share)(
        const ScaleRow& row); ///< of a row with a plan, and with an expected time where it is of it
};
/// Those of the expected step, or of the ideal one.
[[nodiscard]] const std::vector<ScalePart>& scale_parts(bool expected);
/// Whether it shows shares of the expected step, next to the expected MFU: where something is expected of
/// every plan. Else those of the ideal step, next to the ideal MFU.
[[nodiscard]] bool shows_expected(const ScaleLog& log);

/// What grows from the fewest chips that have a plan to the most, and what MFU falls by; both of one step.
[[nodiscard]] std::string scale_finding(const ScaleLog& log);
/// MFU against chips, ideal and expected with its interval, and measured runs of the family; and the shares
/// that scale_parts() has of the step that it shows.
[[nodiscard]] Chart scale_chart(const ScaleLog& log);
[[nodiscard]] Table scale_table(const ScaleLog& log);
[[nodiscard]] Tree scale_values(const ScaleLog& log);
/// "llama3-70b on 512 H100-SXM-80G: 44.1%", one after the other; empty where there is none.
[[nodiscard]] std::string measured_words(const ScaleRow& row);

} // namespace meshslice
