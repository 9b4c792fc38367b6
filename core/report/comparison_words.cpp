#include "core/report/comparison_words.h"

#include "core/base/text.h"
#include "core/explain/why.h"
#include "core/gemm/algorithms.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace meshslice {

std::string comparison_words(const TrainingStep& own, const TrainingStep& other, Time slicing) {
    if (text(own.time) == text(other.time)) { // Else the difference would be 0.0%.
        return "Both take the same time";
    }
    const bool faster = own.time < other.time;
    const Result<const Algorithm*> algorithm = meshslice::algorithm(own.algorithm);
    const std::string_view title = algorithm ? (*algorithm)->title : std::string_view(own.algorithm);
    std::string words =
        faster ? fmt::format("{} takes {} less time", title,
                             percent_text(ratio(other.time - own.time, other.time)))
               : fmt::format("{} takes {} times as long", title, number_text(ratio(own.time, other.time)));
    const Time gap = faster ? other.time - own.time : own.time - other.time;
    if (ratio(slicing, std::max(own.time, other.time)) >= worth_telling &&
        4 * slicing.value() >= gap.value()) {
        words += fmt::format("; {} slices make the GEMM{} {} slower", faster ? "the other's" : "its",
                             own.gemms.size() == 1 ? "" : "s", text(slicing));
    }
    return words;
}

} // namespace meshslice
