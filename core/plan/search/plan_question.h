#pragma once

#include "core/plan/search/advice/batch_that_fills.h"
#include "core/plan/search/advice/chips_taken.h"
#include "core/plan/search/plan_search.h"
#include "core/scenario/scenario.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What a scenario asks of the planner; of two scenarios with the same question the plans are the same.
struct PlanQuestion {
    Transformer model;
    std::int64_t sequence = 1; ///< tokens of one sample
    std::int64_t batch = 1;    ///< samples of one step, all chips together
    Machine machine;
    std::int64_t chips = 1;
    std::optional<std::int64_t> tokens; ///< of the whole training, whose days are said
    SplitAsked split;
    bool ends = false, optimizer_step = false; ///< whether they count
    KeptNumbers keeps = {};
    bool uneven_stages = false;
    ExpertExchange exchange = {};
    NumberRecipe recipe = NumberRecipe::bf16;
    TrainingPrices prices = {};
    Adapters adapters = {};

    bool operator==(const PlanQuestion&) const = default;
};
/// Refuses one GEMM, which is not a training run, and a machine that plans cannot be made for.
[[nodiscard]] Result<PlanQuestion> plan_question(const Scenario& scenario);

/// Where a scenario's plans are for another number of chips than its runs: "These plans are for 1024 chips;
/// the headline and the other views show the 256 chips of the mesh." Empty where they are not.
[[nodiscard]] std::string other_chips_note(const Scenario& scenario);
/// With all strategies where its own does not run on that machine.
[[nodiscard]] SplitAsked runs_on(SplitAsked split, const Machine& on);

struct PlanAnswer {
    PlanQuestion question;
    double capacity = 0; ///< bytes of a chip's memory
    PlanSearch search;
    /// Where nothing fits, what would make it fit: "full recomputation (31.0 GB)".
    std::vector<std::string> would_fit;
    /// The plan that the scenario has loaded, where it has one that suits it; answer() knows none.
    std::optional<RankedPlan> loaded;
    /// Where a run may take fewer of its chips: how many it takes, which are those of `question`.
    std::optional<ChipsTaken> taken = {};
    /// Where the batch is too small for the best plan's chips.
    std::optional<LargerBatch> larger_batch = {};

    [[nodiscard]] bool fits() const { return search.feasible > 0; }
    /// The fastest that fits; where none does, the one that needs least memory.
    [[nodiscard]] const RankedPlan& best() const;
    /// The loaded one; where there is none, the best.
    [[nodiscard]] const RankedPlan& chosen() const { return loaded ? *loaded : best(); }
    /// What charts show: the ranked plans, then the loaded one and those of the frontier that are not among
    /// them.
    [[nodiscard]] std::vector<RankedPlan> plans() const;
    /// Where the loaded one stands among them; none where there is none.
    [[nodiscard]] std::optional<std::size_t> place_of_loaded() const;
};

/// Which plans answer() searches: every schedule, recomputation and level of ZeRO that the question leaves
/// open. Refuses words that are none.
[[nodiscard]] Result<PlanSpace> plan_space(const PlanQuestion& question, const PlanModel& model);

/// Searches by exact rules and keeps the `top` best. Refuses a machine or a model that it cannot
/// plan for, and a number of chips that leaves no plan, with the rule that leaves none. Searches that are
/// given the same `groups` tune only what is new to them, and answer the same. They rank by what `expected`
/// makes where it is given, as search_plans() does.
[[nodiscard]] Result<PlanAnswer> answer(const PlanQuestion& question, std::size_t top,
                                        const RunControl& control = {},
                                        std::shared_ptr<TunedGroups> groups = {},
                                        const MakeExpected& expected = {});

} // namespace meshslice
