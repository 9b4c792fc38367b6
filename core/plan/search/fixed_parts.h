#pragma once

#include "core/plan/search/plan_question.h"

#include <array>
#include <string>
#include <string_view>

namespace meshslice {

/// The parts of a plan that a scenario may fix, by the keys of their fields: "planning.dp", in the order in
/// which they are said.
inline constexpr std::array<std::string_view, 9> fixed_part_fields = {
    "planning.dp",       "planning.pp",        "planning.tp",   "planning.ep",    "planning.micro_batch",
    "planning.schedule", "planning.recompute", "planning.zero", "planning.panels"};

/// With none of them fixed; strategy, experts, overlap and what a search leaves out stay.
[[nodiscard]] SplitAsked freed(const SplitAsked& split);
/// "dp 8, micro-batch 2, ZeRO 1": what is fixed; empty where nothing is.
[[nodiscard]] std::string fixed_words(const SplitAsked& split);
/// With all of them fixed as a plan has them that `field` is changed of, but it; and where it is one of the
/// sizes of the split, but the other sizes, which have to make up for it.
[[nodiscard]] SplitAsked fixed_around(const SplitAsked& split, const Plan& plan, std::string_view field);
/// Refuses parts that no plan has, with what plans have. Quick: nothing is searched.
[[nodiscard]] Result<void> check_fixed_parts(const PlanQuestion& question);

} // namespace meshslice
