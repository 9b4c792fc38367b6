#pragma once

#include "core/papers/study.h"
#include "core/plan/search/fastest_plans.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// "Comprehensive Performance Modeling and System Design Insights for Foundation Models" (Subramanian et al.,
/// 2024, arXiv 2410.00273): the figures of section 4 and appendix B.
[[nodiscard]] const Publication& transformers_paper();
/// What its studies have in common. Its own question: GPT-3 1T and ViT-64K, a batch of 4096, 32 to 16,384
/// B200 in domains of 8. Where a study is of one model, it is of the first of the inputs, or of the last
/// where the paper has its vision transformer.
extern const Evaluation transformers_evaluation;
[[nodiscard]] StudyInputs transformers_inputs(const Machine& hardware);

/// Plans are read by both rules: as the published implementation has them, and as is right
/// (resources/docs/plan-rules.md). Statements hold or not by the exact ones, in which SUMMA's panels stay
/// free: its 20 microseconds for every operation are an assumption of the paper, which states nothing of
/// GEMMs cut into panels of their own.
inline constexpr std::array rule_sets = {ModelRules::reference, ModelRules::exact.with(Slip::free_panels)};
inline constexpr std::size_t by_published = 0, by_exact = 1;
template <class T>
using ByRules = std::array<T, rule_sets.size()>;

/// A step of 4096 samples of the model's own sequence length, or of 2048 tokens where it says none. `blocks`
/// where other clusters are searched for plans of the same model by the same rules.
[[nodiscard]] Result<PlanModel> plan_model(const Transformer& model, const Machine& cluster, ModelRules rules,
                                           std::shared_ptr<ChipBlocks> blocks = {});
/// What searches of one model share.
using BlocksByRules = ByRules<std::shared_ptr<ChipBlocks>>;
[[nodiscard]] BlocksByRules no_blocks_yet();
/// The same cluster with fast domains of so many chips.
[[nodiscard]] Machine in_domains(const Machine& cluster, std::int64_t chips);

/// A plan at one place of a chart's axis.
struct PlanMark {
    std::string place;
    std::optional<RankedPlan> plan; ///< none where none fits
};
using PlanMarks = std::vector<PlanMark>;

/// The fastest plan that fits; none where none does, or none is legal.
[[nodiscard]] Result<std::optional<RankedPlan>> best_plan(const PlanModel& model, TensorStrategy strategy,
                                                          std::int64_t chips, const RunControl& control);
/// The same on each of these numbers of chips.
[[nodiscard]] Result<PlanMarks> best_plans(const PlanModel& model, TensorStrategy strategy,
                                           const std::vector<std::int32_t>& chips, const RunControl& control);
/// The plan in its fastest placement, and with the fastest of these panel counts; none where the batch or the
/// layers do not divide, or no placement is legal.
[[nodiscard]] std::optional<RankedPlan> best_placed(const PlanModel& model, Plan plan,
                                                    const std::vector<std::int64_t>& panels = {1});

/// Days for a whole training: 10^12 tokens of a causal model (section 3.2); else 28 million samples, 40
/// years of hours of ERA5 for 80 epochs.
[[nodiscard]] double training_days(const TrainingRun& run, double step);

/// Bars of what a step's time goes to by the exact rules, one for each place, on one chip or, so that numbers
/// of chips can be compared, of all chips added up. Tooltips have the plans of both rules. The same places in
/// both; `before` stands before a place: "tp".
[[nodiscard]] ChartPanel time_panel(std::string title, const std::string& before,
                                    const ByRules<PlanMarks>& marks, double capacity, bool all_chips);

/// A table with a row for each plan.
class PlanTable {
  public:
    explicit PlanTable(std::string title);

    void add(const std::string& what, const ByRules<PlanMarks>& marks, const TrainingRun& run);
    void add(const std::string& what, std::string_view rules, const PlanMark& mark, const TrainingRun& run);
    [[nodiscard]] Table table() && { return std::move(table_); }

  private:
    Table table_;
};

/// What a statement comes to by one set of rules.
struct Judgement {
    bool holds = false;
    std::string numbers;
};
/// A statement of the paper by both rules: it holds where it does by the exact ones. The numbers say both.
[[nodiscard]] OrderingOutcome judged(std::string id, const ByRules<Judgement>& found);

/// "dp 32, pp 64, tp 8" or "dp 32, pp 64, tp 2x4".
[[nodiscard]] std::string split_words(const Plan& plan);
/// "3.23 s".
[[nodiscard]] std::string step_words(double seconds);
/// "41.6 GB".
[[nodiscard]] std::string memory_words(double bytes);
/// Whether values only fall up to their least and only rise from there.
[[nodiscard]] bool falls_then_rises(const std::vector<double>& values);
/// The place of the fastest plan of all, or of those that fit; none where there is none.
[[nodiscard]] std::optional<std::size_t> fastest(const PlanMarks& marks, bool that_fit);
[[nodiscard]] double middle(std::vector<double> values); ///< their median; 0 of none
/// Sets the share that is done.
void done(const RunControl& control, std::size_t some, std::size_t all);

} // namespace meshslice
