#pragma once

#include "core/plan/search/plan_search.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace meshslice {

/// A whole number of a flag in a range, or a sentence with what was expected.
[[nodiscard]] Result<std::int64_t> number_after(const char* flag, const std::string& words,
                                                std::int64_t least, std::int64_t most);
/// "8x1", or "8" of a grid of one side; a side that is open, "8xany", is 0.
[[nodiscard]] Result<TensorGrid> parse_grid(const std::string& words);
/// "8,1,1,1"
[[nodiscard]] Result<Placement> parse_placement(const std::string& words);

/// The flags of `meshslice plan` as typed; empty where one was not given.
struct PlanFlags {
    std::string scenario_, variant_;
    std::string model_, tokens_, sequence_, cluster_, chips_, batch_, strategy_, rules_ = "exact", top_, csv_,
                                                                                 simulate_, trace_, open_;
    std::string data_, pipeline_, tensor_, micro_batch_, panels_, placement_;
    std::string schedule_, recompute_, zero_;
    std::optional<Transformer> scenario_model_; ///< of the scenario's file
    std::optional<Plan> loaded_;                ///< likewise, where nothing else is asked for
    bool fits_ = false, json_ = false, tensor_overlap_ = false, no_data_overlap_ = false, ends_ = false,
         optimizer_step_ = false;

    void declare(CLI::App& flags);
    /// No flag says what to plan.
    [[nodiscard]] bool asks_for_no_other() const;
    /// Tokens of the whole training; 0 where they are not said.
    [[nodiscard]] Result<double> tokens() const;
    [[nodiscard]] Result<PlanModel> model() const;
    /// What is not said is any of a search by exact rules, and as published of others and of one plan.
    [[nodiscard]] Result<PlanChoices> choices(bool one) const;
    /// A space with the strategies that were asked for, and nothing else.
    [[nodiscard]] Result<PlanSpace> strategies(const PlanModel& model) const;
    /// The parts of a split that were said; 0: any.
    [[nodiscard]] Result<FixedSplit> fixed_split() const;
};

} // namespace meshslice
