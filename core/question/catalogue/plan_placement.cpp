#include "core/question/catalogue/plan_placement.h"

#include "core/base/parse.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {
namespace {

std::vector<std::string> parts_between(const std::string& words, char mark) {
    std::vector<std::string> parts(1);
    for (const char letter : words) {
        if (letter == mark) {
            parts.emplace_back();
        } else {
            parts.back() += letter;
        }
    }
    return parts;
}

} // namespace

Result<Placed> placement_asked(const Asked& asked) {
    Placed made;
    if (!asked.has("placement")) {
        return made;
    }
    const std::string words = asked.text("placement");
    const std::vector<std::string> levels = parts_between(words, '/');
    bool sound = levels.size() <= 1 + made.around.size();
    for (std::size_t level = 0; level < levels.size() && sound; ++level) {
        std::vector<std::int64_t> numbers;
        for (const std::string& number : parts_between(levels[level], ',')) {
            const Result<std::int64_t> value = parse_whole(number);
            sound = sound && value && *value >= 1;
            numbers.push_back(value.value_or(0));
        }
        sound = sound && numbers.size() == 4;
        if (sound) {
            (level == 0 ? made.placement : made.around[level - 1]) = {numbers[0], numbers[1], numbers[2],
                                                                      numbers[3]};
        }
    }
    if (!sound) {
        return refuse(fmt::format(
            "{} is \"{}\"; expected how many chips of the two tensor-parallel groups, the "
            "data-parallel group and the pipeline stand in one fast domain, such as 8,1,1,1, or in "
            "one unit of each level, such as 2,1,1,1/8,1,1,1.",
            asked.called("placement"), shortened(words)));
    }
    return made;
}

} // namespace meshslice
