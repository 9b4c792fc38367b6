#include "core/plan/plan.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/parse.h"
#include "core/gemm/algorithms.h"
#include "core/plan/occupied.h"
#include "core/scenario/plan/planning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>

namespace meshslice {
namespace {

constexpr std::int64_t most_group = most_planned_chips;
constexpr std::int64_t most_batch = std::int64_t{1} << 24; ///< samples of one step

Result<void> divides(std::int64_t count, const std::string& what, std::int64_t by) {
    if (by >= 1 && count % by == 0) {
        return {};
    }
    if (count == 1) {
        return refuse(say("Of the {} there is one, which does not divide by {}; 1 works.", what, by));
    }
    return refuse(say("{} {} do not divide by {}; {} do (the nearest sizes that work).", count, what, by,
                      divisors_near(count, by)));
}

Result<void> within(const std::string& what, std::int64_t value) {
    if (value >= 1 && value <= most_group) {
        return {};
    }
    return refuse(say("The {} is {}; expected a whole number from 1 to {}.", what, value, most_group));
}

Result<void> check_sizes(const Plan& plan) {
    const std::pair<std::string, std::int64_t> sizes[] = {
        {said("data-parallel size"), plan.data},
        {said("pipeline depth"), plan.pipeline},
        {said("first side of the tensor grid"), plan.tensor1},
        {said("second side of the tensor grid"), plan.tensor2},
        {said("expert-parallel size"), plan.experts},
        {said("micro-batch"), plan.micro_batch},
        {said("panel count"), plan.panels},
        {said("chunk count"), plan.schedule.chunks}};
    for (const auto& [what, value] : sizes) {
        if (const Result<void> sound = within(what, value); !sound) {
            return sound;
        }
    }
    if (plan.zero < 0 || plan.zero > 3) {
        return refuse(say("The ZeRO level is {}; expected 0, 1, 2 or 3.", plan.zero));
    }
    if ((plan.algorithm != nullptr) != (plan.strategy == TensorStrategy::of_algorithm)) {
        return refuse(said("A plan names an algorithm where its strategy is of one, and only there."));
    }
    if (plan.strategy == TensorStrategy::one_d && plan.tensor2 != 1) {
        return refuse(
            say("A 1D plan has a tensor-parallel grid of one side, and {} has two; {}x1 is one, or 2d and "
                "summa take the grid.",
                grid_text(plan), plan.tensor1 * plan.tensor2));
    }
    if (plan.strategy != TensorStrategy::summa && plan.panels != 1) {
        return refuse(say("Only a SUMMA plan has panels, and {} were given.", plan.panels));
    }
    return {};
}

/// In one unit of a level, which holds so many chips; `within`: of the level further in, or ones.
Result<void> check_placement(const Plan& plan, const Placement& at, const Placement& within,
                             std::int64_t unit) {
    const std::tuple<std::string, std::int64_t, std::int64_t> groups[] = {
        {said("chips of the first tensor-parallel group"), plan.tensor1, at.tensor1},
        {said("chips of the second tensor-parallel group"), plan.tensor2, at.tensor2},
        {said("chips of the data-parallel group"), plan.data, at.data},
        {said("stages of the pipeline"), plan.pipeline, at.pipeline}};
    for (const auto& [what, chips, together] : groups) {
        if (together < 1 || chips % together != 0) {
            return divides(chips, what, together);
        }
    }
    const bool nested = at.tensor1 % within.tensor1 == 0 && at.tensor2 % within.tensor2 == 0 &&
                        at.data % within.data == 0 && at.pipeline % within.pipeline == 0;
    if (!nested) {
        return refuse(say(
            "The placement {},{},{},{} does not divide by {},{},{},{}, that of the level within.", at.tensor1,
            at.tensor2, at.data, at.pipeline, within.tensor1, within.tensor2, within.data, within.pipeline));
    }
    const double product = static_cast<double>(at.tensor1) * static_cast<double>(at.tensor2) *
                           static_cast<double>(at.data) * static_cast<double>(at.pipeline);
    if (product > static_cast<double>(unit)) {
        return refuse(say("The placement {},{},{},{} puts {} chips into a fast domain of {}; expected a "
                          "product of at most that.",
                          at.tensor1, at.tensor2, at.data, at.pipeline, product, unit));
    }
    return {};
}

/// A tensor-parallel group's part of the model, where all chips have as much.
Result<void> check_even_groups(const TrainingRun& run, const Plan& plan) {
    const Transformer& model = run.model;
    const std::int64_t m1 = plan.tensor1, m2 = plan.tensor2;
    const bool both = plan.splits_both_ways();
    const std::tuple<std::int64_t, std::string, std::int64_t> parts[] = {
        {model.heads, said("heads"), m1},
        {model.hidden, said("features of the hidden width"), m1},
        {model.feed_forward, said("features of the feed-forward width"), m1},
        {run.sequence, said("tokens of the sequence"), both ? m2 : m1 * m2},
        {model.hidden, said("features of the hidden width"), both ? m2 : 1},
        {model.feed_forward, said("features of the feed-forward width"), both ? m2 : 1}};
    for (const auto& [count, what, by] : parts) {
        if (const Result<void> sound = divides(count, what, by); !sound) {
            return sound;
        }
    }
    return {};
}

/// Refuses where some of a group get nothing.
Result<void>
check_some_for_each(std::initializer_list<std::tuple<std::int64_t, std::string, std::int64_t>> parts) {
    for (const auto& [count, what, by] : parts) {
        if (count < by) {
            return refuse(say("{} {} leave nothing for each of {}; at most {} can share them.", count,
                              said(what), by, count));
        }
    }
    return {};
}

/// A tensor-parallel group's part of the model, where the fullest chip may have more than others.
Result<void> check_a_part_for_each(const TrainingRun& run, const Plan& plan) {
    return check_some_for_each(
        {{run.model.heads, said("heads"), plan.tensor1},
         {run.model.feed_forward, said("features of the feed-forward width"), plan.tensor1},
         {run.sequence, said("tokens of the sequence"), plan.tensor1 * plan.tensor2}});
}

/// What has to divide, of the model.
Result<void> check_model_divides(const TrainingRun& run, const Plan& plan) {
    const Transformer& model = run.model;
    const std::int64_t m1 = plan.tensor1, m2 = plan.tensor2;
    const Result<void> groups =
        plan.splits_both_ways() ? check_even_groups(run, plan) : check_a_part_for_each(run, plan);
    if (!groups) {
        return groups;
    }
    if (run.uneven_stages && plan.pipeline > model.layers) {
        return refuse(say("{} pipeline stages are more than {} layers; at most {} work.", plan.pipeline,
                          model.layers, model.layers));
    }
    if (!takes_stages(run, plan.pipeline)) {
        return divides(model.layers, said("layers"), plan.pipeline);
    }
    if (plan.algorithm != nullptr) {
        return divides(model.kv_heads, said("key-value heads"), m1);
    }
    if (model.kv_heads % m1 != 0 && m1 % model.kv_heads != 0 && model.kv_heads != model.heads) {
        return refuse(
            say("{} key-value heads cannot be shared by {} chips or divided over them; with {} they can.",
                model.kv_heads, m1, divisors_near(model.kv_heads, m1)));
    }
    if (plan.strategy == TensorStrategy::summa) {
        for (const std::int64_t width : {model.hidden, model.feed_forward}) {
            if (const Result<void> sound =
                    divides(width, said("features, which the panels split,"), plan.panels);
                !sound) {
                return sound;
            }
        }
        if (plan.panels % m1 != 0 || plan.panels % m2 != 0) {
            return refuse(say("{} panels do not divide by both sides of the grid {}; {} do.", plan.panels,
                              grid_text(plan), std::lcm(m1, m2)));
        }
    }
    return {};
}

/// Under the published rules parts are rounded down, but something must be left.
Result<void> check_something_is_left(const TrainingRun& run, const Plan& plan) {
    const Transformer& model = run.model;
    const std::int64_t longer = std::max(plan.tensor1, plan.tensor2);
    return check_some_for_each({{model.heads, said("heads"), plan.tensor1},
                                {model.hidden, said("features of the hidden width"), longer},
                                {model.feed_forward, said("features of the feed-forward width"), longer},
                                {run.sequence, said("tokens of the sequence"), plan.tensor1 * plan.tensor2},
                                {model.layers, said("layers"), plan.pipeline}});
}

/// Chips that share the experts, of a data-parallel group.
Result<void> check_experts(const TrainingRun& run, const Plan& plan) {
    if (plan.experts == 1) {
        return {};
    }
    const std::int64_t experts = common_experts(run.model);
    if (experts == 0) {
        return refuse(say("{} has no experts that {} chips could share; an expert-parallel size of 1 works.",
                          run.model.title.empty() ? run.model.name : run.model.title, plan.experts));
    }
    if (plan.splits_both_ways()) {
        return refuse(
            say("Expert-parallel groups are planned for the strategies 1d and 2d, and the plan's is "
                "{}; there an expert-parallel size of 1 works.",
                strategy_name(plan)));
    }
    if (const Result<void> sound = divides(experts, said("experts"), plan.experts); !sound) {
        return sound;
    }
    return divides(plan.data, said("chips of the data-parallel group"), plan.experts);
}

/// How a split sequence is exchanged.
Result<void> check_context(const TrainingRun& run, const Plan& plan) {
    if (plan.context == ContextExchange::gather) {
        return {};
    }
    if (!plan.splits_context()) {
        return refuse(
            say("Only a 2D plan with a second side of 2 or more exchanges keys and values, and {} is "
                "said of how it does; gather works.",
                name(plan.context)));
    }
    if (plan.context == ContextExchange::all_to_all && !takes_all_to_all(run, plan.tensor1, plan.tensor2)) {
        return refuse(
            say("An all-to-all gives each chip whole heads, and {} heads on a grid of {} are not as "
                "many for each; ring and gather take any.",
                run.model.heads, grid_text(plan)));
    }
    return {};
}

/// Chips that share weights, of those that hold the same.
Result<void> check_shard(const Plan& plan) {
    if (plan.shard == 0) {
        return {};
    }
    const std::int64_t copies = plan.data * (plan.strategy == TensorStrategy::two_d ? plan.tensor2 : 1);
    if (plan.zero == 0) {
        return refuse(say("Groups of {} chips share weights, gradients or optimizer state, and at ZeRO 0 "
                          "nothing is shared; 1, 2 or 3 work.",
                          plan.shard));
    }
    if (plan.shard % plan.experts != 0) {
        return refuse(say("Groups of {} chips that share weights do not divide by {} that share experts; a "
                          "multiple of {} works.",
                          plan.shard, plan.experts, plan.experts));
    }
    return divides(copies, said("chips that hold the same weights"), plan.shard);
}

Result<void> check_dualpipe(const TrainingRun& run, const Plan& plan) {
    if (!takes_dualpipe(run, plan)) {
        return refuse(
            say("DualPipe feeds micro-batches from both ends of a pipeline: it needs an even number "
                "of stages and of micro-batches, two for each stage or more, and the plan has {} "
                "and {}; 1f1b takes any number.",
                plan.pipeline, run.batch / plan.data / plan.micro_batch));
    }
    return {};
}

Result<void> check_schedule(const TrainingRun& run, const Plan& plan) {
    const std::int64_t chunks = plan.schedule.chunks;
    const bool interleaved = plan.schedule.kind == PipelineKind::interleaved;
    if (plan.schedule.kind == PipelineKind::dualpipe) {
        return check_dualpipe(run, plan);
    }
    if (!interleaved && chunks != 1) {
        return refuse(say("Only the interleaved schedule has chunks, and {} were given.", chunks));
    }
    if (!interleaved) {
        return {};
    }
    if (plan.pipeline < 2) {
        return refuse(
            said("The interleaved schedule needs a pipeline of at least 2 stages; 1f1b takes one."));
    }
    const std::int64_t layers = interleaved_layers(run, plan.pipeline);
    if (layers == 0) {
        return refuse(say("The interleaved schedule needs as many layers in each stage, or one less in the "
                          "first and the last, and {} do not divide by {}; 1f1b takes any number.",
                          run.model.layers, plan.pipeline));
    }
    if (const Result<void> sound = divides(layers, said("layers of a stage"), chunks); !sound) {
        return sound;
    }
    const std::int64_t micro_batches = run.batch / plan.data / plan.micro_batch;
    if (micro_batches % plan.pipeline != 0) {
        return refuse(
            say("The interleaved schedule takes micro-batches in rounds of {} stages, and {} do not divide "
                "by that; 1f1b takes any number.",
                plan.pipeline, micro_batches));
    }
    return {};
}

} // namespace

std::string text(const Plan& plan) {
    std::string words = fmt::format(
        "dp {} x pp {} x tp {} ({}){}{}, micro-batch {}", plan.data, plan.pipeline, grid_text(plan),
        strategy_name(plan), plan.experts > 1 ? fmt::format(", ep {}", plan.experts) : "",
        plan.context != ContextExchange::gather ? fmt::format(", {}", name(plan.context)) : "",
        plan.micro_batch);
    if (plan.strategy == TensorStrategy::summa) {
        words += fmt::format(", {} panels", plan.panels);
    }
    if (plan.schedule.kind != PipelineKind::one_f_one_b) {
        words += ", " + text(plan.schedule);
    }
    if (plan.recompute != Recompute::none) {
        words += fmt::format(", {} recomputation", name(plan.recompute));
    }
    if (plan.offload > 0) {
        words += fmt::format(", {}% of activations offloaded", plan.offload);
    }
    if (plan.zero != 1 && shares_weights(plan)) {
        words += fmt::format(", ZeRO {}", plan.zero);
    }
    if (plan.shard > 0) {
        words += fmt::format(", shared by {}", plan.shard);
        words += plan.sums_each_backward ? ", groups summed each backward" : "";
    }
    return words;
}

std::int64_t stage_layers(const TrainingRun& run, const Plan& plan, std::int64_t stage) {
    const std::int64_t each = run.model.layers / plan.pipeline, over = run.model.layers % plan.pipeline;
    if (!run.uneven_stages) {
        return each;
    }
    const std::int64_t before_last = plan.pipeline - 2 - stage; // stages between it and the last one
    const bool in_middle = stage > 0 && before_last >= 0;
    const bool first = stage == 0 && plan.pipeline > 1;
    return each + ((in_middle && before_last < over) || (first && over == plan.pipeline - 1) ? 1 : 0);
}

std::int64_t most_stage_layers(const TrainingRun& run, const Plan& plan) {
    return (run.model.layers + (run.uneven_stages ? plan.pipeline - 1 : 0)) / plan.pipeline;
}

std::int64_t interleaved_layers(const TrainingRun& run, std::int64_t stages) {
    const std::int64_t with_ends = run.model.layers + 2;
    return run.model.layers % stages == 0 ? run.model.layers / stages
           : run.uneven_stages && run.ends && stages > 2 && with_ends % stages == 0 ? with_ends / stages
                                                                                    : 0;
}

bool ends_have_places(const TrainingRun& run, const Plan& plan) {
    return plan.schedule.chunks > 1 && run.model.layers % plan.pipeline != 0;
}

std::int64_t chunk_layers(const TrainingRun& run, const Plan& plan, std::int64_t stage, std::int64_t chunk) {
    const std::int64_t chunks = plan.schedule.chunks;
    const bool places = ends_have_places(run, plan);
    const std::int64_t layers = places ? most_stage_layers(run, plan) : stage_layers(run, plan, stage);
    const bool an_end = (stage == 0 && chunk == 0) || (stage + 1 == plan.pipeline && chunk + 1 == chunks);
    return layers * (chunk + 1) / chunks - layers * chunk / chunks - (places && an_end ? 1 : 0);
}

bool takes_stages(const TrainingRun& run, std::int64_t stages) {
    return run.uneven_stages ? stages <= run.model.layers : run.model.layers % stages == 0;
}

std::int64_t common_experts(const Transformer& model) {
    std::int64_t common = 0;
    for (const KindCount& one : block_kinds(model)) {
        const std::int64_t experts = one.kind.feed_forward.experts;
        common = one.blocks > 0 && experts > 1 ? std::gcd(common, experts) : common;
    }
    return common;
}

bool takes_all_to_all(const TrainingRun& run, std::int64_t tensor1, std::int64_t tensor2) {
    return std::ranges::all_of(block_kinds(run.model), [&](const KindCount& one) {
        const std::int64_t of_keys = std::max<std::int64_t>(1, one.kind.mixer.kv_heads / tensor1);
        return !one.kind.mixer.attends() || (one.kind.mixer.heads % (tensor1 * tensor2) == 0 &&
                                             (of_keys % tensor2 == 0 || tensor2 % of_keys == 0));
    });
}

bool takes_dualpipe(const TrainingRun& run, const Plan& plan) {
    const std::int64_t micro_batches = run.batch / plan.data / plan.micro_batch;
    return plan.pipeline % 2 == 0 && micro_batches % 2 == 0 && micro_batches >= 2 * plan.pipeline;
}

ExpertOverlap expert_overlap(const TrainingRun& run, const Plan& plan) {
    if (plan.experts == 1) {
        return ExpertOverlap::none;
    }
    return run.exchange.overlap.value_or(
        plan.schedule.kind == PipelineKind::dualpipe ? ExpertOverlap::micro_batch : ExpertOverlap::none);
}

ExpertRouting expert_routing(const Transformer& model) {
    for (const KindCount& one : block_kinds(model)) {
        const FeedForward& its = one.kind.feed_forward;
        if (one.blocks > 0 && its.experts > 1) {
            return {static_cast<double>(its.experts), static_cast<double>(its.experts_per_token),
                    static_cast<double>(its.groups), static_cast<double>(its.groups_per_token)};
        }
    }
    return {};
}

std::string no_experts_on_torus() {
    return said("Expert-parallel groups are planned for fast domains and not for a torus, where an "
                "expert-parallel size of 1 works.");
}

std::string no_adapters_in_panels() {
    return said(
        "Adapters are planned for the strategies 1d and 2d, whose chips have whole columns or rows of a "
        "matrix.");
}

std::string no_way_to_host(const Machine& machine) {
    return say("The bandwidth between a chip of {} and its host is not known, so its activations cannot be "
               "offloaded; PCIe of a chip in its machine says it.",
               machine.title);
}

std::string no_shard_on_torus() {
    return said("Weights that a part of the copies share are planned for fast domains and not for a torus, "
                "where all copies share them.");
}

bool shares_weights(const Plan& plan) {
    return plan.data > 1 || (plan.strategy == TensorStrategy::two_d && plan.tensor2 > 1);
}

Result<TrainingRun> training_run(const Transformer& model, std::int64_t sequence, std::int64_t batch) {
    if (const Result<Transformer> sound = checked(model); !sound) {
        return refuse(sound.error());
    }
    TrainingRun run;
    run.model = model;
    run.sequence = sequence == 0 ? model.sequence : sequence;
    run.batch = batch;
    run.causal = model.causal;
    if (run.sequence == 0) {
        return refuse(say("{} gives no sequence length, so one is needed, such as 8192.",
                          model.title.empty() ? model.name : model.title));
    }
    if (run.sequence < 1 || run.sequence > most_dimension) {
        return refuse(say("The sequence has {} tokens; expected a whole number from 1 to {}.", run.sequence,
                          most_dimension));
    }
    if (run.batch < 1 || run.batch > most_batch) {
        return refuse(say("The batch is {}; expected a whole number from 1 to {}.", run.batch, most_batch));
    }
    return run;
}

Result<void> check_plan(const TrainingRun& run, const Plan& plan, const std::vector<std::int64_t>& units,
                        ModelRules rules) {
    if (const Result<void> sound = check_sizes(plan); !sound) {
        return sound;
    }
    const Result<void> of_model =
        rules.has(Slip::rounding_down) ? check_something_is_left(run, plan) : check_model_divides(run, plan);
    if (!of_model) {
        return of_model;
    }
    if (const Result<void> sound = check_experts(run, plan); !sound) {
        return sound;
    }
    if (run.adapters.on() && plan.splits_both_ways()) {
        return refuse(no_adapters_in_panels());
    }
    for (const Result<void>& sound : {check_context(run, plan), check_shard(plan)}) {
        if (!sound) {
            return sound;
        }
    }
    if (const Result<void> sound = divides(run.batch, said("samples of the batch"), plan.data); !sound) {
        return sound;
    }
    if (const Result<void> sound =
            divides(run.batch / plan.data, said("samples of a data-parallel copy"), plan.micro_batch);
        !sound) {
        return sound;
    }
    const std::size_t levels = std::max<std::size_t>(units.size(), 1);
    if (plan.placed_levels() > levels) {
        return refuse(say("The placement {} is for {} levels of units; the network has {}.",
                          placement_text(plan), plan.placed_levels(), levels));
    }
    for (std::size_t level = 0; level < levels; ++level) {
        const Result<void> sound =
            check_placement(plan, plan.placed(level), level == 0 ? Placement{} : plan.placed(level - 1),
                            units.empty() ? 1 : units[level]);
        if (!sound) {
            return sound;
        }
    }
    if (!occupied(plan, units)) {
        return refuse(say("The placement {} does not fit into the units of the network: chips that stand "
                          "together do not break, so a domain of 16 chips in nodes of 4 holds 4 groups of 3.",
                          placement_text(plan)));
    }
    if (run.ends && run.model.vocabulary == 0) {
        return refuse(
            say("{} gives no vocabulary, so its embedding and output head cannot be counted; without them "
                "it can be planned.",
                run.model.title.empty() ? run.model.name : run.model.title));
    }
    return check_schedule(run, plan);
}

std::vector<std::int64_t> divisors(std::int64_t value) {
    std::vector<std::int64_t> low, high;
    for (std::int64_t k = 1; k * k <= value; ++k) {
        if (value % k == 0) {
            low.push_back(k);
            if (k != value / k) {
                high.push_back(value / k);
            }
        }
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

std::string divisors_near(std::int64_t value, std::int64_t wanted) {
    const std::vector<std::int64_t> all = divisors(value);
    const auto above = std::ranges::upper_bound(all, wanted);
    std::vector<std::string> shown;
    for (auto at = above - std::min<std::ptrdiff_t>(2, above - all.begin());
         at != above + (above == all.end() ? 0 : 1); ++at) {
        shown.push_back(fmt::to_string(*at));
    }
    return fmt::format("{}", fmt::join(shown, ", "));
}

bool groups_divide(const TrainingRun& run, const Plan& plan) {
    const std::int64_t by = plan.splits_both_ways() ? plan.tensor2 : plan.tensor1 * plan.tensor2;
    return run.model.heads % plan.tensor1 == 0 && run.model.feed_forward % plan.tensor1 == 0 &&
           run.sequence % by == 0;
}

} // namespace meshslice
