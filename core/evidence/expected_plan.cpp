#include "core/evidence/expected_plan.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/evidence/measured_scenario.h"
#include "core/evidence/training/training_amounts.h"
#include "core/evidence/training/training_constants.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/machine/faster.h"
#include "core/plan/search/loaded_plan.h"

#include <boost/container_hash/hash.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t most_near = 5;

double real(std::int64_t number) {
    return static_cast<double>(number);
}

/// Bytes/s of a chip: of a link of a torus, on the average of its axes, or behind the switch that joins so
/// many and no more.
double inside_rate(const Machine& machine) {
    if (const int axes = machine.network.torus_axes(); axes > 0) {
        double all = 0;
        for (int axis = 0; axis < axes; ++axis) {
            all += machine.network.link_bandwidth(axis).value();
        }
        return all / axes;
    }
    const Level* domain = switched_domain(machine.network);
    return domain == nullptr ? 0 : domain->line_rate();
}
double outside_rate(const Machine& machine) {
    const Level* outer = outer_network(machine.network);
    return outer == nullptr ? 0 : outer->line_rate();
}
/// 1 where one of them is not known.
double times_as_much(double number, double of) {
    return number > 0 && of > 0 ? number / of : 1;
}

/// What was measured holds for links as the measured machines have them: those of `machine` are so many times
/// as fast. The shares of peak and links that it says it reaches count in ideal times alone: in expected ones
/// stand those that measured runs reached, and a machine that is fitted to a trace would count them twice.
void scale_to(const Machine& machine, TrainingChip& chip) {
    if (const Machine* usual = usual_machine(chip)) {
        chip.inside_times = times_as_much(inside_rate(machine), inside_rate(*usual));
        chip.outside_times = times_as_much(outside_rate(machine), outside_rate(*usual));
    }
}

TrainingChip with_numbers_of(const Machine& machine, TrainingChip chip) {
    chip.bf16 = machine.peak_rate(DataType::bf16).value();
    chip.fp8 = machine.peak_rate(DataType::fp8).value();
    chip.fp4 = machine.peak_rate(DataType::fp4).value();
    chip.hbm_rate = machine.hbm_bandwidth.value.value();
    chip.capacity = static_cast<double>(machine.hbm.value.value());
    if (const Level* domain = switched_domain(machine.network); domain != nullptr && !chip.torus()) {
        chip.domain = domain->units.value;
    }
    scale_to(machine, chip);
    return chip;
}

constexpr Recompute attention_parts = Recompute::attention | Recompute::core_attention;
constexpr Recompute vector_parts = Recompute::norms | Recompute::activations;

/// The account of measured runs knows vectors, attention, feed-forward networks and all; of several the
/// largest, next to which TrainingRow has the others.
TrainedAgain again_of(Recompute recompute) {
    return recompute == Recompute::full                      ? TrainedAgain::all
           : share_parts(recompute, Recompute::feed_forward) ? TrainedAgain::feed_forward
           : share_parts(recompute, attention_parts)         ? TrainedAgain::attention
           : share_parts(recompute, vector_parts)            ? TrainedAgain::vectors
                                                             : TrainedAgain::none;
}

/// What the blocks of a model are, of those that were measured: attention, all of it or a window, and experts
/// from some layer on.
void set_blocks(const Transformer& model, TrainingRow& row) {
    TrainingModelFacts facts;
    double with_experts = 0;
    for (const KindCount& one : block_kinds(model)) {
        const Mixer& mixer = one.kind.mixer;
        const FeedForward& feed_forward = one.kind.feed_forward;
        row.latent = row.latent || mixer.kind == MixerKind::latent;
        if (feed_forward.experts > 1) {
            with_experts += real(one.blocks);
            row.experts = real(feed_forward.experts);
            row.chosen = real(feed_forward.experts_per_token);
            row.expert_width = real(feed_forward.width);
            facts.shared_experts = feed_forward.shared_width / std::max<std::int64_t>(1, feed_forward.width);
            facts.groups = feed_forward.groups;
            facts.groups_per_token = feed_forward.groups_per_token;
        } else {
            row.width = real(feed_forward.width);
        }
        if (mixer.window > 0) {
            facts.window = real(mixer.window);
            facts.windowed += real(one.blocks);
            facts.windowed_in = real(model.layers);
        }
    }
    if (with_experts > 0) {
        facts.first_dense_layers = model.layers - std::llround(with_experts);
    }
    row.facts = facts;
}

std::string in_two_dimensions() {
    return said("No published training run has such tensor parallelism in two dimensions.");
}
std::string experts_not_spread() {
    return said("Published runs of models with experts spread them over data-parallel chips, which this plan "
                "does not do.");
}

bool only_attends(const Transformer& model) {
    return std::ranges::all_of(block_kinds(model), [](const KindCount& one) {
        return one.kind.mixer.attends() && one.kind.second.kind == MixerKind::none;
    });
}

/// Of the bubble of 1F1B: DeepSeek-V3, arXiv 2412.19437, table 2, with as much time for a forward pass as for
/// each half of a backward pass. Of DualPipe as measured runs with it are taken.
double bubble_share(PipelineKind kind) {
    switch (kind) {
    case PipelineKind::zero_bubble: return 1.0 / 3;
    case PipelineKind::dualpipe: return 0.5;
    case PipelineKind::one_f_one_b:
    case PipelineKind::interleaved:
    case PipelineKind::gpipe: break;
    }
    return 1;
}

/// A run as the row of a table of measured runs would have it, for set_plan() to fill in.
TrainingRow row_of(const PlanQuestion& question, const TrainingChip& chip) {
    const Transformer& model = question.model;
    TrainingRow row;
    row.id = row.group = "plan";
    row.hardware = chip.name;
    row.model = model.name;
    row.chip = &chip;
    set_blocks(model, row);
    row.layers = real(model.layers);
    row.hidden = real(model.hidden);
    row.heads = real(model.heads);
    row.kv_heads = real(model.kv_heads);
    // Of latent attention rows say the values' features.
    row.head_size = real(row.latent ? block_kinds(model).front().kind.mixer.values() : model.head_size);
    row.matrices = model.gated ? 3 : 2;
    row.vocabulary = real(model.vocabulary);
    row.parameters = real(layer_parameters(model) + embedding_parameters(model));
    row.per_node = real(chip.domain);
    row.sequence = real(question.sequence);
    row.batch = real(question.batch);
    row.bits = bits(multiplied(question.recipe));
    row.precision = name(question.recipe);
    row.gathered = gathered_bytes(question.recipe);
    row.lora = question.adapters.on();
    row.adapters = question.adapters;
    row.exchange = question.exchange;
    row.again_told = true;
    row.quantity = TrainingQuantity::step_time;
    return row;
}

ExpertOverlap expert_overlap_of(const PlanQuestion& question, const Plan& plan) {
    TrainingRun run;
    run.exchange = question.exchange;
    return expert_overlap(run, plan);
}

void set_plan(const PlanQuestion& question, const Plan& plan, TrainingRow& row) {
    row.stack = row.chip->torus()                      ? TrainingStack::xla
                : plan.zero == 3 && plan.pipeline == 1 ? TrainingStack::fsdp
                                                       : TrainingStack::megatron;
    row.chips = real(plan.chips());
    row.tensor = real(plan.tensor1);
    row.context = real(plan.tensor2);
    row.context_by = plan.context;
    row.pipeline = real(plan.pipeline);
    row.data = real(plan.data);
    row.expert = real(plan.experts);
    row.chunks = real(plan.schedule.chunks);
    row.sums_each_backward = plan.zero == 3 ? plan.sums_each_backward : plan.zero == 2;
    row.sharded = plan.zero == 3 ? real(shard_chips(plan)) : 0;
    row.micro_batch = real(plan.micro_batch);
    row.micro_batches = std::max(1.0, row.batch / row.data / row.micro_batch);
    row.exchange.overlap = expert_overlap_of(question, plan);
    row.bubble_share = bubble_share(plan.schedule.kind);
    row.again = again_of(plan.recompute);
    row.attention_again = share_parts(plan.recompute, attention_parts);
    row.vectors_again = share_parts(plan.recompute, vector_parts);
}

std::string not_offloaded() {
    return said("No published training run that is known here keeps activations in the host's memory.");
}

/// Why nothing is expected of this plan, whatever its chip and the model's blocks.
std::string why_not_of(const PlanQuestion& question, const TrainingChip& chip, const Plan& plan) {
    if (!chip.torus() && plan.tensor1 > chip.domain) {
        return said("No published training run has tensor-parallel groups that leave a fast domain.");
    }
    if (plan.strategy == TensorStrategy::summa || plan.strategy == TensorStrategy::of_algorithm) {
        return in_two_dimensions();
    }
    if (plan.offload > 0) {
        return not_offloaded();
    }
    return question.model.experts > 1 && plan.experts == 1 ? experts_not_spread() : std::string();
}

/// The expected seconds of a question's plans. Plans that differ in what a measured run has nothing of share
/// one.
class ExpectedOfQuestion {
  public:
    explicit ExpectedOfQuestion(const PlanQuestion& question)
        : question_(question)
        , chip_(with_numbers_of(question.machine, *measured_chip(question.machine)))
        , row_(row_of(question, chip_)) {}
    ExpectedOfQuestion(const ExpectedOfQuestion&) = delete;
    ExpectedOfQuestion& operator=(const ExpectedOfQuestion&) = delete;
    ExpectedOfQuestion(ExpectedOfQuestion&&) = delete;
    ExpectedOfQuestion& operator=(ExpectedOfQuestion&&) = delete;
    ~ExpectedOfQuestion() = default;

    std::optional<double> of(const Plan& plan) {
        if (!why_not_of(question_, chip_, plan).empty()) {
            return std::nullopt;
        }
        const Key key = {plan.tensor1,
                         plan.tensor2,
                         plan.pipeline,
                         plan.data,
                         plan.experts,
                         plan.micro_batch,
                         plan.schedule.chunks,
                         static_cast<std::int64_t>(plan.schedule.kind),
                         static_cast<std::int64_t>(plan.context),
                         static_cast<std::int64_t>(plan.recompute),
                         std::max(plan.zero, 1),
                         plan.shard,
                         plan.sums_each_backward ? 1 : 0,
                         static_cast<std::int64_t>(plan.offload)};
        const auto [at, fresh] = known_.try_emplace(key);
        if (fresh) {
            set_plan(question_, plan, row_);
            const double seconds = predicted_step(decided(row_), fitted_training()).total;
            at->second = seconds > 0 ? std::optional(seconds) : std::nullopt;
        }
        return at->second;
    }

  private:
    /// What a search varies of a plan; the rest is the question's. Used by one thread.
    using Key = std::array<std::int64_t, 14>;

    const PlanQuestion question_;
    const TrainingChip chip_;
    TrainingRow row_;
    std::unordered_map<Key, std::optional<double>, boost::hash<Key>> known_;
};

MeasuredNearby nearby(const TrainingRow& row, double log_error) {
    return {row.id,
            row.model,
            row.hardware,
            row.framework,
            row.source,
            std::llround(row.chips),
            measured_step(row),
            std::expm1(log_error),
            std::llround(row.batch),
            std::llround(row.sequence),
            row.precision,
            row.lora,
            row.fine_tuning,
            row.proxy() ? std::llround(row.layers) : 0};
}

double times_apart(double a, double b) {
    return std::abs(std::log(a / b));
}

double peak_of(const TrainingChip& chip, DataType type) {
    return type == DataType::bf16 ? chip.bf16 : type == DataType::fp8 ? chip.fp8 : chip.fp4;
}

/// The plan says what the search chose.
ExpectedRun run_of(PlanQuestion asked, const Plan& plan) {
    SplitAsked split;
    split.tensor_overlap = asked.split.tensor_overlap;
    split.data_overlap = asked.split.data_overlap;
    asked.split = std::move(split);
    asked.machine = {};
    asked.prices = {};
    asked.tokens.reset();
    return {std::move(asked), plan};
}

bool same_shares(const Machine& one, const Machine& other) {
    const auto of_links = [](const Level& level) { return level.efficiency.value; };
    return one.effective_fraction.value == other.effective_fraction.value &&
           one.attention_fraction.value == other.attention_fraction.value &&
           one.measured_products.value == other.measured_products.value &&
           std::ranges::equal(one.network.levels, other.network.levels, {}, of_links, of_links);
}

/// Whether the ideal times of a question are put as closest_to_ideal() puts those of measured runs: with the
/// overlaps of a question that says none, on a machine with the shares that it comes with.
bool ideal_as_of_measured(const PlanQuestion& question) {
    const SplitAsked usual;
    const std::optional<Machine> preset = origin(question.machine);
    return question.split.tensor_overlap == usual.tensor_overlap &&
           question.split.data_overlap == usual.data_overlap && !question.exchange.overlap && preset &&
           same_shares(question.machine, *preset);
}

ExpectedStep unknown(std::string reason) {
    ExpectedStep made;
    made.reason = std::move(reason);
    return made;
}

} // namespace

/// Why nothing is expected of any plan of a model on a machine.
static std::string why_not_on(const PlanQuestion& question) {
    if (measured_chip(question.machine) == nullptr) {
        return say("No published training run on {}, or on a chip like it, is known here.",
                   question.machine.title);
    }
    return only_attends(question.model)
               ? std::string()
               : said("No published training run of a model with such blocks is known here.");
}

std::string why_none_expected(const PlanQuestion& question) {
    if (std::string why = why_not_on(question); !why.empty()) {
        return why;
    }
    const std::string& strategy = question.split.strategy;
    if (strategy != "all" && strategy != "1d" && strategy != "2d") {
        return in_two_dimensions();
    }
    if (question.split.offload > 0) {
        return not_offloaded();
    }
    const bool spread = question.split.experts != 1 && !is_torus(question.machine);
    return question.model.experts > 1 && !spread ? experts_not_spread() : std::string();
}

ExpectedSeconds ranked_by(const PlanQuestion& question) {
    if (question.split.rank == PlanOrder::ideal || !why_none_expected(question).empty()) {
        return {};
    }
    return [all = std::make_shared<ExpectedOfQuestion>(question)](const Plan& plan) { return all->of(plan); };
}

MakeExpected ranks_by(const PlanQuestion& question) {
    return [question] { return ranked_by(question); };
}

ExpectedStep expected_step(const PlanQuestion& question, const Plan& plan) {
    std::string why = why_not_on(question);
    if (why.empty()) {
        why = why_not_of(question, with_numbers_of(question.machine, *measured_chip(question.machine)), plan);
    }
    if (!why.empty()) {
        return unknown(std::move(why));
    }
    const TrainingChip chip = with_numbers_of(question.machine, *measured_chip(question.machine));
    std::vector<TrainingRow> asked = {row_of(question, chip)};
    set_plan(question, plan, asked.front());
    const std::vector<PredictedTraining> predicted =
        predicted_training(fitted_training(), measured_training(), asked);
    const PredictedTraining& one = predicted.front();
    if (one.predicted <= 0) {
        return unknown(one.row().reason.empty() ? said("This run cannot be put as measured runs are.")
                                                : one.row().reason);
    }
    ExpectedStep made{one.predicted, one.low, one.high, {}, {}, one.step, question.adapters.on()};
    made.inside_times = chip.inside_times;
    made.outside_times = chip.outside_times;
    const TrainingChip& usual = *measured_chip(question.machine);
    made.peak_times = times_as_much(chip.bf16, usual.bf16);
    made.memory_times = times_as_much(chip.hbm_rate, usual.hbm_rate);
    made.domain_times = times_as_much(real(chip.domain), real(usual.domain));
    const DataType multiplies = multiplied(question.recipe);
    made.low_peak_times = times_as_much(peak_of(chip, multiplies), peak_of(usual, multiplies));
    made.kind = kind_of(one.row());
    made.kind.nearest = one.distance;
    made.run = run_of(question, plan);
    made.machine = question.machine;
    for (const NearTraining& near : one.nearest) {
        if (made.nearest.size() == most_near) {
            break;
        }
        made.nearest.push_back(nearby(*near.row, near.log_error));
    }
    return made;
}

namespace {

/// How the numbers of its machine stand to those of the measured ones.
std::array<double, 6> edits_of(const ExpectedStep& one) {
    return {one.inside_times, one.outside_times,  one.peak_times,
            one.memory_times, one.low_peak_times, one.domain_times};
}

constexpr double alike = 1e-3; ///< two sources may round a chip's number differently

bool edited_alike(const ExpectedStep& a, const ExpectedStep& b) {
    return std::ranges::equal(edits_of(a), edits_of(b),
                              [](double one, double other) { return times_apart(one, other) < alike; });
}

/// On two machines of one chip, which differ in numbers and not in how many chips a fast domain joins.
bool is_one_run(const ExpectedStep& a, const ExpectedStep& b) {
    return a.run && a.run == b.run && a.kind.chip == b.kind.chip && a.kind.stack == b.kind.stack &&
           times_apart(a.domain_times, b.domain_times) < alike;
}

} // namespace

std::optional<StepRatio> ratio_of(const ExpectedStep& a, const ExpectedStep& b) {
    const bool share = edited_alike(a, b) || is_one_run(a, b);
    return a.known() && b.known() && share ? step_ratio(a.kind, b.kind) : std::nullopt;
}

std::string like_words(const ExpectedStep& expected) {
    const StepKind& kind = expected.kind;
    return fmt::format("{}, {}, {}, {}{}; machine x {:.4g}", kind.model, kind.chip, kind.numbers,
                       static_cast<int>(kind.stack), kind.adapters ? ", adapters" : "",
                       fmt::join(edits_of(expected), ", "));
}

double half_of(double value, double low, double high) {
    return std::max(std::log(high / value), std::log(value / low));
}

KnownRatio independent_ratio(double half_of_a, double half_of_b) {
    return {std::exp(std::hypot(half_of_a, half_of_b))};
}

KnownRatio known_ratio(const ExpectedStep& a, const ExpectedStep& b) {
    const std::optional<StepRatio> pairs = ratio_of(a, b);
    KnownRatio made =
        pairs ? KnownRatio{pairs->least_times(), pairs}
              : independent_ratio(half_of(a.seconds, a.low, a.high), half_of(b.seconds, b.low, b.high));
    if (a.machine == b.machine || !is_one_run(a, b)) {
        return made;
    }
    const MachineAgainst second = against(b.machine, a.machine);
    made.one_run = second != MachineAgainst::same;
    made.not_less = second == MachineAgainst::no_faster;
    made.not_more = second == MachineAgainst::no_slower;
    return made;
}

bool may_be_as_fast(const ExpectedStep& a, const ExpectedStep& b) {
    return std::max(a.seconds, b.seconds) <= std::min(a.seconds, b.seconds) * known_ratio(a, b).times;
}

ExpectedStep expected_of(const PlanQuestion& question, const RankedPlan& plan) {
    ExpectedStep made = expected_step(question, plan.plan);
    if (made.known() && made.seconds < plan.reading.time.total) {
        return unknown(
            say("By measured runs {} would be expected, less than the {} that the machine's own numbers "
                "allow: too little like this plan was measured.",
                seconds_text(made.seconds), seconds_text(plan.reading.time.total)));
    }
    if (made.known()) {
        made.ideal = plan.reading.time.total;
        cut_at_ideal(made);
        if (!made.adapters && ideal_as_of_measured(question)) {
            made.closest = closest_above(made.seconds / made.ideal, question.model.experts > 1);
        }
    }
    return made;
}

ExpectedStep expected_of(const PlanQuestion& question, const Plan& plan) {
    const Result<RankedPlan> read = read_chosen_plan({question, plan});
    return read ? expected_of(question, *read) : expected_step(question, plan);
}

void cut_at_ideal(ExpectedStep& expected) {
    if (expected.low < expected.ideal && expected.ideal <= expected.seconds) {
        expected.low_by_errors = expected.low;
        expected.low = expected.ideal;
    }
}

std::optional<double> expected_seconds(const PlanQuestion& question, const Plan& plan) {
    const ExpectedSeconds expects = ranked_by(question);
    return expects ? expects(plan) : std::nullopt;
}

double expected_utilization(const RankedPlan& plan, const ExpectedStep& expected) {
    return plan.reading.utilization * plan.reading.time.total / expected.seconds;
}

std::vector<CountedFlop> counted_flop(const PlanQuestion& question, const Plan& plan) {
    if (!only_attends(question.model) || question.model.vocabulary == 0) {
        return {};
    }
    const TrainingChip chip = with_numbers_of(question.machine, {});
    TrainingRow row = row_of(question, chip);
    set_plan(question, plan, row);
    std::vector<CountedFlop> made;
    const auto add = [&](std::string name, const char* key, FlopCount count) {
        row.count = count;
        made.push_back({std::move(name), key, counted_flop(row)});
    };
    add(said("MFU, attention half (Megatron-Bridge)"), "half_attention", FlopCount::half_attention);
    add(said("MFU, attention whole (PaLM, llm-foundry)"), "whole_attention", FlopCount::whole_attention);
    add(said("MFU, with the embedding too (MaxText, older)"), "both_ends", FlopCount::both_ends);
    if (plan.recompute == Recompute::full) {
        add(said("HFU, with what is computed again (BLOOM)"), "recomputed", FlopCount::recomputed);
    }
    return made;
}

std::vector<MeasuredNearby> near_measured(double parameters, const Machine& machine, std::int64_t chips,
                                          std::size_t most) {
    const TrainingChip* chip = measured_chip(machine);
    struct Ranked {
        bool other_chip;
        double apart;
        const TrainingRow* row;
    };
    std::vector<Ranked> ranked;
    for (const TrainingRow& row : measured_training()) {
        if (chip == nullptr || row.chip == nullptr || row.chip->family() != chip->family() ||
            !fitted_training().left_out.contains(row.id)) {
            continue;
        }
        const double weights = times_apart(row.parameters, parameters);
        const double count = times_apart(row.chips, real(chips));
        if (std::max(weights, count) <= std::log(near_times)) {
            ranked.push_back({row.chip != chip, weights + count, &row});
        }
    }
    std::ranges::stable_sort(ranked, {},
                             [](const Ranked& one) { return std::make_pair(one.other_chip, one.apart); });
    std::vector<MeasuredNearby> near;
    for (const Ranked& one : ranked) {
        const bool again = std::ranges::any_of(near, [&](const MeasuredNearby& other) {
            return other.model == one.row->model && other.hardware == one.row->hardware &&
                   other.chips == std::llround(one.row->chips);
        });
        if (near.size() < most && !again) {
            near.push_back(nearby(*one.row, fitted_training().left_out.at(one.row->id)));
        }
    }
    return near;
}

} // namespace meshslice
