#include "core/report/words/comparison_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/explain/why.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {

std::string work_words(Flop own, Flop other) {
    const double times =
        other.value() > 0 ? static_cast<double>(own.value()) / static_cast<double>(other.value()) : 1.0;
    const std::string words = number_text(times);
    return words == number_text(1.0) ? std::string() : say(" for {} times the FLOP", words);
}

std::string comparison_words(const TrainingStep& own, const TrainingStep& other, Time slicing) {
    const std::string work = work_words(own.flop, other.flop);
    if (text(own.time) == text(other.time)) { // Else the difference would be 0.0%.
        return said("Both take the same time") + work;
    }
    const bool faster = own.time < other.time;
    std::string words =
        faster
            ? say("{} takes {} less time", title(own), percent_text(ratio(other.time - own.time, other.time)))
            : say("{} takes {} times as long", title(own), number_text(ratio(own.time, other.time)));
    const Time gap = faster ? other.time - own.time : own.time - other.time;
    words += work;
    if (ratio(slicing, std::max(own.time, other.time)) >= worth_telling &&
        4 * slicing.value() >= gap.value()) {
        words += own.gemms.size() == 1
                     ? (faster ? say("; the other's slices make the GEMM {} slower", text(slicing))
                               : say("; its slices make the GEMM {} slower", text(slicing)))
                     : (faster ? say("; the other's slices make the GEMMs {} slower", text(slicing))
                               : say("; its slices make the GEMMs {} slower", text(slicing)));
    }
    return words;
}

} // namespace meshslice
