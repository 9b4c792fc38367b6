#include "core/scenario/plan/plan_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/scenario/plan/planning.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace meshslice {
namespace {

constexpr std::string_view any_word = "any";
constexpr std::string_view interleaved_word = "interleaved";
constexpr int most_zero = 3;

std::vector<std::string_view> comma_parts(std::string_view words) {
    std::vector<std::string_view> all;
    for (std::size_t begin = 0;;) {
        const std::size_t end = words.find(',', begin);
        all.push_back(words.substr(begin, end - begin));
        if (end == std::string_view::npos) {
            return all;
        }
        begin = end + 1;
    }
}

template <class T>
void add_once(std::vector<T>& all, const T& one) {
    if (std::ranges::find(all, one) == all.end()) {
        all.push_back(one);
    }
}

Result<void> set_schedules(PlanChoices& choices, std::string_view words) {
    choices.schedules.clear();
    for (const std::string_view part : comma_parts(words)) {
        if (part == any_word || part == interleaved_word) {
            choices.interleaved = true;
        }
        if (part == interleaved_word) {
            continue;
        }
        const Result<PipelineSchedule> one =
            part == any_word ? Result<PipelineSchedule>(PipelineSchedule{}) : parse_pipeline_schedule(part);
        if (!one) {
            return refuse(say(
                "The schedule is \"{}\"; expected any, 1f1b, gpipe, zero-bubble, dualpipe, interleaved or "
                "interleaved:V, V chunks of each stage from 2 on.",
                shortened(part)));
        }
        add_once(choices.schedules, *one);
    }
    return {};
}

Result<void> set_recomputes(PlanChoices& choices, std::string_view words) {
    choices.recomputes.clear();
    for (const std::string_view part : comma_parts(words)) {
        if (part == any_word) {
            for (const Recompute one : {Recompute::none, Recompute::attention, Recompute::full}) {
                add_once(choices.recomputes, one);
            }
            continue;
        }
        const Result<Recompute> one = parse_recompute(part);
        if (!one) {
            return refuse(one.error());
        }
        add_once(choices.recomputes, *one);
    }
    return {};
}

Result<void> set_zero_levels(PlanChoices& choices, std::string_view words) {
    choices.zero_levels.clear();
    for (const std::string_view part : comma_parts(words)) {
        const Result<std::int64_t> level =
            part == any_word ? Result<std::int64_t>(most_zero) : parse_whole(part);
        // One digit, as a schema can say it.
        if (!level || *level < 0 || *level > most_zero || (part != any_word && part.size() > 1)) {
            return refuse(say("The ZeRO level is \"{}\"; expected a whole number from 0 to {}, several with "
                              "commas between them, or any.",
                              shortened(words), most_zero));
        }
        for (int one = part == any_word ? 0 : static_cast<int>(*level); one <= *level; ++one) {
            add_once(choices.zero_levels, one);
        }
    }
    return {};
}

} // namespace

Result<PlanChoices> plan_choices(const ChoiceWords& words) {
    PlanChoices choices;
    for (const auto& set : {set_schedules(choices, words.schedule), set_recomputes(choices, words.recompute),
                            set_zero_levels(choices, words.zero)}) {
        if (!set) {
            return refuse(set.error());
        }
    }
    return choices;
}

/// The exchange that other programs name so: DeepSpeed, and Megatron-LM's --cp-comm-type; empty: none.
static std::string_view exchange_meant(std::string_view typed) {
    return typed == "ulysses" || typed == "a2a" || typed == "alltoall" || typed == "all_to_all" ? "all-to-all"
           : typed == "p2p" || typed == "ring-attention" || typed == "ring_attention"           ? "ring"
           : typed == "allgather" || typed == "all_gather" || typed == "all-gather"             ? "gather"
                                                                                                : "";
}

Result<std::vector<ContextExchange>> parse_context_exchanges(std::string_view words) {
    std::vector<ContextExchange> all;
    for (const std::string_view part : comma_parts(words)) {
        bool known = false;
        for (const ContextExchange one : all_context_exchanges) {
            if (part == any_word || part == name(one)) {
                add_once(all, one);
                known = true;
            }
        }
        if (const std::string_view ours = exchange_meant(part); !known && !ours.empty()) {
            return refuse(
                say("The exchange of a split sequence is \"{}\"; did you mean {}?", shortened(part), ours));
        }
        if (!known) {
            return refuse(say("The exchange of a split sequence is \"{}\"; expected any, gather, ring or "
                              "all-to-all.",
                              shortened(part)));
        }
    }
    return all;
}

Result<GridSides> parse_grid(std::string_view words) {
    if (words == any_word || words == "auto") {
        return GridSides{};
    }
    constexpr std::int64_t wrong = -1;
    const auto side = [](std::string_view its) {
        if (its == any_word) {
            return std::int64_t{0};
        }
        const Result<std::int64_t> chips = parse_whole(its);
        return chips && *chips >= 1 && *chips <= most_planned_chips ? *chips : wrong;
    };
    const std::size_t by = words.find('x');
    const GridSides grid{side(words.substr(0, by)),
                         by == std::string_view::npos ? 1 : side(words.substr(by + 1))};
    if (grid.first == wrong || grid.second == wrong) {
        return refuse(say("The tensor-parallel grid is \"{}\"; expected its sides, such as 8x1, or 8xany "
                          "where a search leaves one open.",
                          shortened(words)));
    }
    return grid;
}

std::string text(const GridSides& grid) {
    const auto side = [](std::int64_t its) { return its == 0 ? std::string(any_word) : std::to_string(its); };
    return grid == GridSides{} ? std::string(any_word) : side(grid.first) + "x" + side(grid.second);
}

} // namespace meshslice
