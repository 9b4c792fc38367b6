#include "core/question/catalogue/plan/plan_text.h"

#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/text_table.h"
#include "core/evidence/memory_evidence.h"
#include "core/gemm/algorithms.h"
#include "core/plan/evaluate/expert_traffic.h"
#include "core/plan/occupied.h"
#include "core/plan/search/advice/context_exchanges.h"
#include "core/plan/search/advice/plan_explanation.h"
#include "core/plan/search/advice/plan_levers.h"
#include "core/plan/search/chosen_plan.h"
#include "core/plan/torus_placement.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_lines.h"
#include "core/report/plan/plan_table.h"
#include "core/report/summary/expected_words.h"
#include "core/report/words/machine_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

std::string parts_text(const std::vector<PlanPart>& parts, std::string (*amount)(double)) {
    std::vector<std::vector<std::string>> rows;
    for (const PlanPart& part : parts) {
        rows.push_back({"  " + part.name, amount(part.amount), percent_text(part.share)});
    }
    return text_table(rows, 1);
}

/// Parts of a step; they come of other laws than those of the ideal step, so that one may be shorter than
/// there.
std::string expected_text(const ExpectedStep& expected) {
    std::vector<std::vector<std::string>> rows;
    for (const ExpectedPart& part : expected_parts(expected)) {
        if (part.seconds > 0) {
            rows.push_back({"  " + part.name, seconds_text(part.seconds),
                            percent_text(part.seconds / expected.seconds)});
        }
    }
    return fmt::format("The expected step, {}, by laws fitted to measured runs:\n{}",
                       seconds_text(expected.seconds), text_table(rows, 1));
}

std::string where_text(const PlanModel& model, const Plan& plan) {
    if (model.torus()) {
        return fmt::format("along the axes of the torus {}", placement_text(plan));
    }
    const std::size_t units = model.units().size();
    std::vector<std::string> levels;
    for (std::size_t level = 0; level < std::max<std::size_t>(units, 1); ++level) {
        const Placement& at = plan.placed(level);
        const std::string unit =
            units > 1 ? title(model.hardware().network.levels[level]) : std::string("fast domain");
        levels.push_back(fmt::format("in one {}: tp {}x{}, dp {}, pp {}", unit, at.tensor1, at.tensor2,
                                     at.data, at.pipeline));
    }
    return fmt::format("{}", fmt::join(levels, "; "));
}

/// "Slices: QKV 4, 4, 2; ...": forward, backward data, backward weight.
std::string slices_text(const PlanModel& model, const Plan& plan) {
    if (plan.algorithm == nullptr || !takes(*plan.algorithm, OptionId::slices)) {
        return {};
    }
    std::vector<std::string> layers;
    const Result<std::vector<TunedLayer>> tuned = model.tuned(plan);
    for (const TunedLayer& one : tuned.value()) {
        layers.push_back(fmt::format("{} {}, {}, {}", one.layer.name, one.gemms[0].options.slices,
                                     one.gemms[1].options.slices, one.gemms[2].options.slices));
    }
    return fmt::format("Slices, forward, backward data and backward weight: {}.\n", fmt::join(layers, "; "));
}

/// A line for each kind of communication that hides.
std::string hidden_text(const PlanModel& model, const Plan& plan) {
    std::string lines;
    for (const std::string& sentence : hidden_words(model, plan)) {
        lines += sentence + "\n";
    }
    return lines;
}

std::string domains_text(const PlanModel& model, const Plan& plan) {
    const std::string note = domains_words(model, plan);
    return note.empty() ? note : note + "\n";
}

/// What splitting sequences and sharing weights in groups cost.
std::string copies_text(const PlanModel& model, const Plan& plan) {
    std::string lines;
    for (const std::string& sentence : context_words(model, plan)) {
        lines += sentence + "\n";
    }
    for (const std::string& sentence : {shard_words(model, plan), offload_words(model, plan)}) {
        lines += sentence.empty() ? sentence : sentence + "\n";
    }
    return lines;
}

std::string overlap_text(const ExpertTraffic& traffic) {
    const double hidden = std::max(traffic.whole - traffic.exposed, 0.0);
    const char* by = traffic.overlap == ExpertOverlap::shared        ? "The shared expert"
                     : traffic.overlap == ExpertOverlap::micro_batch ? "Another micro-batch"
                                                                     : nullptr;
    return by == nullptr
               ? fmt::format("Nothing hides their {} of a step; --expert-overlap says what could.\n",
                             seconds_text(traffic.whole))
               : fmt::format("{} hides {} of their {} of a step, with 112 of 132 cores left to it.\n", by,
                             seconds_text(hidden), seconds_text(traffic.whole));
}

/// How experts lie on chips, what is sent to them, and what of that is not counted.
std::string experts_text(const PlanModel& model, const Plan& plan) {
    const TrainingRun& run = model.run();
    const std::int64_t experts = common_experts(run.model);
    if (experts == 0) {
        return {};
    }
    if (plan.experts == 1) {
        return "Experts are split like the rest of a layer, and every data-parallel copy has all of them; "
               "--ep "
               "spreads them over data-parallel chips (expert parallelism).\n";
    }
    const ExpertTraffic traffic = expert_traffic(model, plan);
    const ExpertExchange& exchange = run.exchange;
    std::string words = fmt::format(
        "Experts: {} data-parallel chips have an equal part of them each. A token goes to experts on {:.2f} "
        "chips in {:.2f} fast domains on average, {}; {} there, bf16 back.\n",
        plan.experts, traffic.chips_of_token, traffic.domains_of_token,
        exchange.once ? "once to each" : "once for each expert",
        exchange.dispatch == DataType::fp8 ? "fp8 with scales" : "bf16");
    std::vector<std::vector<std::string>> rows = {{"", "dispatch", "combine"}};
    for (const ExpertLevel& one : traffic.levels) {
        rows.push_back(
            {"  across " + level_name(model, one.level), bytes_text(one.dispatch), bytes_text(one.combine)});
    }
    words += text_table(rows, 1) + overlap_text(traffic);
    if (traffic.work > 1) {
        words += fmt::format("The fullest chip's experts get {:.3g} times the tokens of the mean chip's.\n",
                             traffic.work);
    }
    return words + fmt::format("Not counted: {}buffers of what is sent, and the rate that many small GEMMs "
                               "lose.\n",
                               traffic.work > 1
                                   ? ""
                                   : "imbalance (as many tokens go to every expert; --expert-balance says "
                                     "how many the fullest get), ");
}

/// What a run has and these times and bytes have not.
std::string left_out_text(const PlanModel& model, const Plan& plan) {
    const TrainingRun& run = model.run();
    const bool copies = data_chips(plan) > 1;
    std::vector<std::string> parts;
    if (!run.ends) {
        parts.push_back(
            run.model.vocabulary > 0
                ? "embedding, output head, loss and logits"
                : "embedding, output head, loss and logits, as the model's vocabulary is not known");
    }
    if (run.ends && !run.keeps.logits) {
        parts.emplace_back("logits");
    }
    if (run.ends && copies) {
        parts.emplace_back("what copies exchange of the embedding's and the head's weights and gradients");
    }
    if (!run.optimizer_step) {
        parts.emplace_back("the optimizer's step");
    }
    for (const Tower& tower : run.model.towers) {
        parts.push_back(fmt::format("the encoder \"{}\" of {} blocks", tower.name, tower.blocks));
    }
    if (run.model.predictors > 0) {
        parts.emplace_back("blocks that predict further tokens");
    }
    const std::size_t kinds = block_kinds(run.model).size();
    const std::string mean =
        kinds > 1 ? fmt::format("Its blocks are of {} kinds: a layer is their mean, and every stage has as "
                                "much of each.\n",
                                kinds)
                  : "";
    return mean + experts_text(model, plan) +
           (parts.empty() ? std::string() : fmt::format("Left out: {}.\n", fmt::join(parts, "; ")));
}

/// What the pace of the fullest chip costs, where groups or stages are not even; else nothing.
std::string uneven_text(const PlanModel& model, const Plan& plan) {
    const TrainingRun& run = model.run();
    std::vector<std::string> parts;
    if (model.rules().has(Slip::rounding_down)) {
        return {};
    }
    if (run.model.layers % plan.pipeline != 0) {
        parts.push_back(fmt::format("{} layers on {} stages, at most {} on one", run.model.layers,
                                    plan.pipeline, most_stage_layers(run, plan)));
    }
    const auto shared = [&](std::int64_t count, const char* what, std::int64_t by) {
        if (count % by != 0) {
            parts.push_back(
                fmt::format("{} {} on {} chips, at most {} on one", count, what, by, (count + by - 1) / by));
        }
    };
    shared(run.model.heads, "heads", plan.tensor1);
    shared(run.model.feed_forward, "features of the feed-forward width", plan.tensor1);
    shared(run.sequence, "tokens", plan.splits_both_ways() ? plan.tensor2 : plan.tensor1 * plan.tensor2);
    return parts.empty() ? std::string()
                         : fmt::format("Not even: {}. The fullest sets the pace.\n", fmt::join(parts, "; "));
}

/// Which part of the peak GEMMs reach differs from chip to chip, and so does who says it.
/// Papers differ in it, and with long sequences by much.
std::string attention_text(const PlanModel& model) {
    return model.run().causal ? "Of peak: attention counts the scores of tokens that a token sees, about "
                                "half of all; papers "
                                "that count all of them state a higher MFU.\n"
                              : "Of peak: attention counts the scores of all tokens.\n";
}

std::string rates_text(const PlanModel& model, const Plan& plan) {
    const Machine& chip = model.hardware();
    const std::string& source = chip.vector_rate.source;
    const std::string guess = source.starts_with("Estimate")
                                  ? fmt::format("The rate of vector operations, {}, is not published. {}\n",
                                                si_text(chip.vector_rate.value.value(), "FLOP/s"), source)
                                  : std::string();
    std::string recipe;
    for (const std::string& sentence : recipe_words(model, plan)) {
        recipe += sentence + "\n";
    }
    return guess + attention_text(model) + recipe +
           fmt::format("Large GEMMs are assumed to reach {} of the peak of {} (source: {}).\n",
                       percent_text(chip.effective_fraction.value),
                       si_text(chip.peak_rate(DataType::bf16).value(), "FLOP/s"),
                       chip.effective_fraction.source);
}

std::vector<std::string> simulated_row(std::size_t rank, const RankedPlan& plan, const SimulatedTime& its) {
    const auto part = [&](double time) {
        return fmt::format("{:.1f}%", its.total > 0 ? 100 * time / its.total : 0.0);
    };
    const double estimate = plan.reading.time.total;
    const double beyond = 100 * (its.total / estimate - 1);
    return {fmt::to_string(rank),   seconds_text(its.total),
            seconds_text(estimate), std::abs(beyond) < 0.005 ? "0.00%" : fmt::format("{:+.2f}%", beyond),
            part(its.passes),       part(its.data),
            part(its.pipeline),     part(its.bubble),
            bytes_text(its.memory)};
}

} // namespace

namespace {

/// The headline of a step of so many seconds, `step` in words.
std::string headline_of(const PlanModel& model, const RankedPlan& read, double seconds,
                        const std::string& step, const std::string& more, double tokens) {
    const std::string days =
        tokens > 0 ? fmt::format(", {} for {}", days_text(days_for_tokens(model.run(), seconds, tokens)),
                                 si_text(tokens, "") + " tokens")
                   : std::string();
    const NumberRecipe recipe = model.run().recipe;
    const double whole = model.hardware().peak_rate(DataType::bf16).value();
    const double peak = model.hardware().peak_rate(multiplied(recipe)).value();
    const double utilization = read.reading.utilization * read.reading.time.total / seconds;
    // Of what the recipe multiplies in too: a share of the bf16 peak alone may be above one.
    const std::string of =
        recipe == NumberRecipe::bf16 || !(peak > 0)
            ? "peak"
            : fmt::format("the bf16 peak (MFU), {} of the {} peak", percent_text(utilization * whole / peak),
                          name(multiplied(recipe)));
    return fmt::format(
        "{} on {} x {}: {} a step of {} of {}{}, {} of {}{}", model.run().model.title, read.plan.chips(),
        model.cluster_name(), step, count_text(model.run().batch, "sample", "samples"),
        count_text(model.run().sequence, "token", "tokens"), more, percent_text(utilization), of, days);
}

/// The runs whose memory was measured are of GPUs.
std::string memory_text(const PlanModel& model) {
    return model.torus() ? std::string() : plain_spaces(measured_memory_words()) + "\n";
}

} // namespace

std::string plan_headline(const PlanModel& model, const RankedPlan& read, double tokens) {
    const double seconds = read.reading.time.total;
    return headline_of(model, read, seconds, seconds_text(seconds), ", ideal", tokens);
}

std::string expected_headline(const PlanModel& model, const RankedPlan& read, const ExpectedStep& expected,
                              double tokens) {
    return headline_of(model, read, expected.seconds, seconds_text(expected.seconds),
                       fmt::format(" expected, {} to {} in eight of ten", seconds_text(expected.low),
                                   seconds_text(expected.high)),
                       tokens);
}

std::string ideal_line(const RankedPlan& read) {
    return fmt::format("Ideal, as the machine's numbers allow: {}, {} of the bf16 peak.\n",
                       seconds_text(read.reading.time.total), percent_text(read.reading.utilization));
}

std::string days_note(const PlanModel& model, double tokens) {
    if (tokens <= 0) {
        return {};
    }
    const double step = static_cast<double>(model.run().batch) * static_cast<double>(model.run().sequence);
    const double steps = std::ceil(tokens / step);
    return fmt::format("Days: {:.0f} {} one after the other, without failures, restarts, evaluations or "
                       "checkpoints.\n",
                       steps, steps == 1 ? "step" : "steps");
}

std::string plan_details(const PlanModel& model, const RankedPlan& read, const ExpectedStep* expected) {
    const PlanReading& reading = read.reading;
    const std::string edited = edited_note(model.hardware());
    return fmt::format(
        "\n{}, {}; {}\n{}{}The ideal step, {}:\n{}{}{}Memory of a chip: {} of {}{}\n{}{}", text(read.plan),
        count_text(reading.micro_batches, "micro-batch", "micro-batches"), where_text(model, read.plan),
        slices_text(model, read.plan), expected != nullptr ? expected_text(*expected) : std::string(),
        seconds_text(reading.time.total), parts_text(time_parts(read), seconds_text),
        hidden_text(model, read.plan), bounds_words(model, read) + "\n", bytes_text(reading.memory.total()),
        bytes_text(model.capacity()), reading.fits ? "" : ", which does not fit",
        parts_text(memory_parts(reading), bytes_text) + memory_text(model),
        copies_text(model, read.plan) + domains_text(model, read.plan) + uneven_text(model, read.plan) +
            left_out_text(model, read.plan) + (edited.empty() ? edited : plain_spaces(edited) + "\n") +
            rates_text(model, read.plan));
}

std::string placements_text(const PlanModel& model) {
    if (model.torus()) {
        return joins_tori(model.hardware())
                   ? "chips of each group along the axes of a torus; 2 x (...) where a network joins two tori"
                   : "chips of each group along the axes of the torus";
    }
    return model.units().size() > 1
               ? "chips of tp1, tp2, dp and pp in one unit of each level, from the inside out"
               : "chips of tp1, tp2, dp and pp in one fast domain";
}

std::string plan_misfit(const PlanModel& model, const RankedPlan& smallest,
                        const std::vector<std::string>& ways) {
    const std::string found =
        fmt::format("needs {} and a chip has {}", bytes_text(smallest.reading.memory.total()),
                    bytes_text(model.capacity()));
    const std::string would = ways.empty() ? "" : fmt::format("; what would fit: {}", listed(ways, "or"));
    return plain_spaces(fmt::format("{}, {}, {}{}.", "Nothing fits: the plan that needs least memory",
                                    text(smallest.plan), found, would));
}

std::string ranked_plans(const PlanModel& model, const PlanSearch& found,
                         const std::vector<ExpectedStep>& expected, bool by_expected) {
    std::vector<std::vector<std::string>> rows = {
        {"", "strategy", "dp", "pp", "tp", "ep", "micro-batch", "panels", "placement", "occupied", "schedule",
         "recompute", "ZeRO", by_expected ? "ideal" : "time", "expected", "memory", "why it is behind"}};
    const bool idle = !model.torus() && std::ranges::any_of(found.ranked, [&](const RankedPlan& one) {
        return idle_chips(one.plan, model.units()) > 0;
    });
    for (std::size_t k = 0; k < found.ranked.size(); ++k) {
        const RankedPlan& one = found.ranked[k];
        const Plan& plan = one.plan;
        rows.push_back({one.reading.fits ? fmt::to_string(k + 1) : "-", std::string(strategy_name(plan)),
                        fmt::to_string(plan.data), fmt::to_string(plan.pipeline), grid_text(plan),
                        fmt::to_string(plan.experts), fmt::to_string(plan.micro_batch),
                        plan.strategy == TensorStrategy::summa ? fmt::to_string(plan.panels) : "",
                        placement_text(plan), idle ? occupied_text(plan, model.units()) : std::string(),
                        text(plan.schedule), name(plan.recompute),
                        shares_weights(plan) ? fmt::to_string(plan.zero) : "",
                        seconds_text(one.reading.time.total),
                        k < expected.size() && expected[k].known() ? seconds_text(expected[k].seconds) : "",
                        bytes_text(one.reading.memory.total()),
                        by_expected ? why_behind_expected(found.ranked.front(), expected.front(), one,
                                                          expected[k], model.capacity())
                                    : why_behind(found.ranked.front(), one, model.capacity())});
    }
    if (by_expected) {
        constexpr std::size_t ideal = 13;
        for (std::vector<std::string>& row : rows) {
            std::swap(row[ideal], row[ideal + 1]);
        }
    }
    // Columns that say the same of all, and that it is as usual, say nothing.
    for (const auto& [column, usual] :
         {std::pair(14, ""), std::pair(12, "1"), std::pair(11, "none"), std::pair(10, "1f1b"),
          std::pair(9, ""), std::pair(7, ""), std::pair(5, "1")}) {
        const auto at = static_cast<std::size_t>(column);
        if (std::all_of(rows.begin() + 1, rows.end(), [&, word = usual](const std::vector<std::string>& row) {
                return row[at].empty() || row[at] == word;
            })) {
            for (std::vector<std::string>& row : rows) {
                row.erase(row.begin() + column);
            }
        }
    }
    return text_table(rows, 2, true);
}

std::string simulated_text(const std::vector<RankedPlan>& plans,
                           const std::vector<Result<SimulatedTime>>& simulated) {
    std::vector<std::vector<std::string>> rows = {{"", "simulated", "estimate", "difference", "passes",
                                                   "exposed data", "exposed sends", "waits", "memory"}};
    std::string refused;
    for (std::size_t k = 0; k < simulated.size(); ++k) {
        if (simulated[k]) {
            rows.push_back(simulated_row(k + 1, plans[k], *simulated[k]));
        } else {
            refused += fmt::format("{}: {}\n", k + 1, simulated[k].error().sentence);
        }
    }
    const char* note = "waits: share of the step in which a stage waits for others, their transfers and "
                       "exchanges included; the estimate's bubble is to fill and drain the pipeline, without "
                       "those.\n";
    return (rows.size() > 1 ? text_table(rows, 1, true) + note : std::string()) + refused;
}

} // namespace meshslice
