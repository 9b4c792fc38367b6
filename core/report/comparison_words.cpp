#include "core/report/comparison_words.h"

#include "core/base/text.h"
#include "core/explain/slicing_cost.h"
#include "core/explain/why.h"
#include "core/gemm/algorithms.h"

#include <fmt/format.h>

#include <string_view>

namespace meshslice {

std::string comparison_words(const TrainingStep& own, const TrainingStep& other, const Scenario& scenario) {
    if (own.time == other.time) {
        return "Both take the same time";
    }
    const bool faster = own.time < other.time;
    const Result<const Algorithm*> algorithm = meshslice::algorithm(own.algorithm);
    const std::string_view title = algorithm ? (*algorithm)->title : std::string_view(own.algorithm);
    const Time difference = faster ? other.time - own.time : own.time - other.time;
    std::string words = fmt::format("{} takes {} {} time", title, percent_text(ratio(difference, other.time)),
                                    faster ? "less" : "more");
    const Time slicing = slicing_cost(faster ? other : own, scenario);
    if (ratio(slicing, other.time) >= worth_telling) {
        words += fmt::format("; {} slices make the GEMM{} {} slower", faster ? "the other's" : "its",
                             own.gemms.size() == 1 ? "" : "s", text(slicing));
    }
    return words;
}

} // namespace meshslice
