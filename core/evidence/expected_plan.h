#pragma once

#include "core/evidence/near_ideal.h"
#include "core/evidence/training/step_ratio.h"
#include "core/evidence/training/training_evidence.h"
#include "core/plan/search/plan_question.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// A measured run next to a plan; a step of it takes as long as its own batch and sequence make it.
struct MeasuredNearby {
    std::string id, model, hardware, framework, source;
    std::int64_t chips = 0;
    double measured_s = 0;                ///< of a step
    double error = 0;                     ///< of our prediction, made by constants fitted without it; a share
    std::int64_t batch = 0, sequence = 0; ///< samples of a step, and tokens of a sample
    std::string recipe;                   ///< of numbers, as its source names it: "BF16", "FP8-MX"
    bool adapters = false;                ///< trains adapters (LoRA)
    bool fine_tuning = false;             ///< on packed samples
    std::int64_t cut_layers = 0;          ///< those that are left of a model that was cut; 0: all

    bool operator==(const MeasuredNearby&) const = default;
};

/// What runs, without the machine: two that are equal differ in their machines alone.
struct ExpectedRun {
    PlanQuestion asked; ///< its machine, prices and what was only for the search are as they begin
    Plan plan;

    bool operator==(const ExpectedRun&) const = default;
};

/// What a step of a plan is expected to take, by what measured runs reached: the same parts as the plan has,
/// each by the share of its rate that was measured, and stragglers.
struct ExpectedStep {
    double seconds = 0;
    double low = 0, high = 0;            ///< eight of ten measured runs would lie between
    std::vector<MeasuredNearby> nearest; ///< up to five, the nearest first
    std::string reason;                  ///< why nothing is expected; empty where something is
    StepSeconds parts = {};              ///< together `seconds`
    bool adapters = false;               ///< of a run that trains adapters
    /// The machine's links within a domain, its network and its peak: so many times those of measured
    /// machines.
    double inside_times = 1, outside_times = 1, peak_times = 1;
    double memory_times = 1;             ///< the same of its HBM bandwidth
    double domain_times = 1;             ///< and of the chips that its fast network joins
    double low_peak_times = 1;           ///< and of its peak in the numbers that GEMMs multiply
    StepKind kind = {};                  ///< of the run
    std::optional<ExpectedRun> run = {}; ///< none where nothing is expected
    Machine machine = {};                ///< on which
    double ideal = 0;                    ///< seconds that the machine's own numbers allow; 0: not known
    /// Where the interval would begin by the errors of measured runs alone, below the ideal time, at which it
    /// is cut; 0: it is not cut.
    double low_by_errors = 0;
    /// Where no measured run is known to have come as close to its ideal time: the one that came closest. Not
    /// looked for where the question takes another overlap, or other shares of peak and links, than the ideal
    /// times of measured runs do.
    std::optional<ClosestToIdeal> closest = {};

    [[nodiscard]] bool known() const { return reason.empty(); }
    [[nodiscard]] bool cut() const { return low_by_errors > 0; }
    /// How wide: 0.2 where the interval ends 20% above what is expected. What cuts it leaves that as it is.
    [[nodiscard]] double width() const {
        return seconds > 0 ? (high - (cut() ? low_by_errors : low)) / (2 * seconds) : 0;
    }
    bool operator==(const ExpectedStep&) const = default;
};
/// How well the ratio of two expected times is known; none where too few measured runs are a pair like them,
/// and of two runs on machines whose numbers were edited differently, as no pair is that. One run on two such
/// machines of one chip shares its errors: its ratio is known at least as well as that of two runs that share
/// model, chip, numbers and software, whose spread it gets.
[[nodiscard]] std::optional<StepRatio> ratio_of(const ExpectedStep& a, const ExpectedStep& b);
/// Its kind and what was edited of its machine: the same words of two whose ratio is as well known as that of
/// each to one like itself.
[[nodiscard]] std::string like_words(const ExpectedStep& expected);
/// ln of how far an interval reaches from its value, to the side where that is more.
[[nodiscard]] double half_of(double value, double low, double high);
/// How far the ratio of two expected times may be off: in eight of ten cases by no more than a factor.
struct KnownRatio {
    double times = 1;
    /// By these; none: as if the errors of both had nothing in common, so that the logarithms add as squares
    /// do.
    std::optional<StepRatio> pairs = {};
    /// Whether it is one run on two machines of one chip, of which one at least was edited.
    bool one_run = false;
    /// Of one run: whether each number of the second's machine that differs is slower than the first's, so
    /// that the second cannot take less; or the other way round.
    bool not_less = false, not_more = false;
};
[[nodiscard]] KnownRatio known_ratio(const ExpectedStep& a, const ExpectedStep& b);
/// The same where nothing is known in common.
[[nodiscard]] KnownRatio independent_ratio(double half_of_a, double half_of_b);
/// Whether both may take the same time, as far as measured runs say: their known_ratio() is larger than the
/// ratio of both.
[[nodiscard]] bool may_be_as_fast(const ExpectedStep& a, const ExpectedStep& b);

/// By the peaks, HBM, domain and links of the question's machine, edits included, and the constants of the
/// measured chip of its name; the shares that the machine says it reaches have no part in it. Says why there
/// is none of a chip without measured relatives, and of tensor parallelism in two dimensions, which no
/// published run has.
[[nodiscard]] ExpectedStep expected_step(const PlanQuestion& question, const Plan& plan);
/// The same of a plan that was read. Nothing is expected below its ideal time, what it takes by the machine's
/// own numbers and the overlap that is asked for: there the fit is far from what was measured. An interval
/// that begins below it is cut there.
[[nodiscard]] ExpectedStep expected_of(const PlanQuestion& question, const RankedPlan& plan);
/// The same of a plan that is read first; of one that does not suit its question expected_step(), as it has
/// no ideal time.
[[nodiscard]] ExpectedStep expected_of(const PlanQuestion& question, const Plan& plan);
/// Cuts an interval that begins below the ideal time of a plan there. One whose expected time is below it, as
/// a user's own measurement may have it, stays as it is: that measurement refutes the ideal time.
void cut_at_ideal(ExpectedStep& expected);
/// FLOP utilization of a plan in the time that is expected of it.
[[nodiscard]] double expected_utilization(const RankedPlan& plan, const ExpectedStep& expected);

/// Why nothing is expected of any plan of a question; empty where something may be expected of some.
[[nodiscard]] std::string why_none_expected(const PlanQuestion& question);
/// The seconds of expected_step() alone, which takes a hundredth of the time; none where plans are ranked by
/// ideal times, or nothing is expected of this one.
[[nodiscard]] std::optional<double> expected_seconds(const PlanQuestion& question, const Plan& plan);

/// expected_step()'s seconds of the question's plans, for a search to rank by; empty where there are none,
/// and where the question asks for the order of ideal times.
[[nodiscard]] ExpectedSeconds ranked_by(const PlanQuestion& question);
/// The same, a new one for each search.
[[nodiscard]] MakeExpected ranks_by(const PlanQuestion& question);

/// FLOP of a step and chip as a convention of MFU counts them.
struct CountedFlop {
    std::string name; ///< "MFU, attention half (Megatron-Bridge)", in the reader's language
    std::string key;  ///< "half_attention"
    double flop = 0;
};
/// By each named convention; of the recomputed forward pass where the plan computes whole layers again. None
/// of a model with other blocks than attention and feed-forward network.
[[nodiscard]] std::vector<CountedFlop> counted_flop(const PlanQuestion& question, const Plan& plan);

/// The measured runs that are most like so many weights on so many chips of a machine: on the same chip
/// before others of its family, and of these the nearest in weights and in chips, both within `near_times`;
/// of one model on one number of chips one run. Empty where there is none.
[[nodiscard]] std::vector<MeasuredNearby> near_measured(double parameters, const Machine& machine,
                                                        std::int64_t chips, std::size_t most);
inline constexpr double near_times = 16;

} // namespace meshslice
