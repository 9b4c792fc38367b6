#include "core/papers/transformers/plan_setup.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/plan/evaluate/step_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

namespace meshslice {
namespace {

constexpr std::string_view papers_cluster = "b200-nvs8";
constexpr std::int64_t papers_batch = 4096;
constexpr double seconds_a_day = 86'400;

std::string not_its_question(const StudyInputs& inputs, const StudyScope& scope) {
    const StudyInputs paper = transformers_inputs(*machine_preset(papers_cluster));
    const bool largest = scope.clusters == ClustersAsked::largest;
    const bool other_chips = largest ? inputs.chips.back() != paper.chips.back()
                                     : scope.clusters == ClustersAsked::all && inputs.chips != paper.chips;
    return why_not_judged(inputs, paper, scope, other_chips);
}

/// The paper's runs have no other ones.
const std::span<const StepPart> drawn_parts(step_parts.data(), parts_of_every_run);

} // namespace

const Publication& transformers_paper() {
    const Result<const Publication*> paper = publication("transformers-paper");
    assert(paper && "the paper's claims come with the program");
    return **paper;
}

StudyInputs transformers_inputs(const Machine& hardware) {
    StudyInputs inputs{{}, {}, has_domains(hardware) ? hardware : *machine_preset(papers_cluster)};
    for (const char* name : {"gpt3-1t", "vit-64k"}) {
        inputs.models.push_back(*model_preset(name));
    }
    for (std::int32_t chips = 32; chips <= 16'384; chips *= 2) {
        inputs.chips.push_back(chips);
    }
    return inputs;
}

const Evaluation transformers_evaluation{
    transformers_paper,
    transformers_inputs,
    [](const Transformer& model, const Machine& hardware, const RunControl& /*control*/) -> Result<void> {
        return plan_model(model, hardware, ModelRules::exact).map([](const PlanModel&) {});
    },
    not_its_question,
    has_domains,
    papers_cluster,
    "GPT-3 1T and ViT-64K",
    "statements hold or not by the exact rules of a plan"};

Result<PlanModel> plan_model(const Transformer& model, const Machine& cluster, ModelRules rules,
                             std::shared_ptr<ChipBlocks> blocks) {
    constexpr std::int64_t usual_sequence = 2048;
    return training_run(model, model.sequence == 0 ? usual_sequence : 0, papers_batch)
        .and_then([&](const TrainingRun& run) {
            return PlanModel::of(run, cluster, rules, {}, std::move(blocks));
        });
}

BlocksByRules no_blocks_yet() {
    BlocksByRules made;
    for (std::shared_ptr<ChipBlocks>& one : made) {
        one = std::make_shared<ChipBlocks>();
    }
    return made;
}

Machine in_domains(const Machine& cluster, std::int64_t chips) {
    Machine base = cluster;
    base.name = base.name.substr(0, base.name.rfind("-nvs"));
    base.title = base.title.substr(0, base.title.rfind(", domains of "));
    return with_domain(base, chips);
}

Result<std::optional<RankedPlan>> best_plan(const PlanModel& model, TensorStrategy strategy,
                                            std::int64_t chips, const RunControl& control) {
    return best_plans(model, strategy, {static_cast<std::int32_t>(chips)}, control).map([](PlanMarks marks) {
        return std::move(marks.front().plan);
    });
}

Result<PlanMarks> best_plans(const PlanModel& model, TensorStrategy strategy,
                             const std::vector<std::int32_t>& chips, const RunControl& control) {
    FastestPlans search(model);
    PlanSpace space;
    space.strategies = {strategy};
    PlanMarks marks;
    for (const std::int32_t count : chips) {
        space.chips = count;
        auto found = search.within({model.capacity()}, space, {control.stop});
        if (!found) {
            return refuse(found.error());
        }
        marks.push_back({fmt::to_string(count), std::move(found->front())});
    }
    return marks;
}

std::optional<RankedPlan> best_placed(const PlanModel& model, Plan plan,
                                      const std::vector<std::int64_t>& panels) {
    const TrainingRun& run = model.run();
    if (plan.data < 1 || run.batch % plan.data != 0 || run.batch / plan.data % plan.micro_batch != 0 ||
        run.model.layers % plan.pipeline != 0) {
        return std::nullopt;
    }
    std::optional<RankedPlan> best;
    for (const std::int64_t count : panels) {
        plan.panels = count;
        for (const Placed& at : placements(plan, model.units(), plan.chips(), model.rules())) {
            at.put(plan);
            const PlanReading reading = model.reading(plan, model.layer(plan));
            if (!best || reading.time.total < best->reading.time.total) {
                best = {plan, reading};
            }
        }
    }
    return best;
}

double training_days(const TrainingRun& run, double step) {
    const double samples = run.causal ? 1e12 / static_cast<double>(run.sequence) : 350'000.0 * 80;
    return samples / static_cast<double>(run.batch) * step / seconds_a_day;
}

ChartPanel time_panel(std::string title, const std::string& before, const ByRules<PlanMarks>& marks,
                      double capacity, bool all_chips) {
    constexpr double room_for_sums = 1.25;
    ChartPanel panel;
    panel.title = std::move(title);
    panel.x = {all_chips ? said("time of a step, all chips added up") : said("time of a step"),
               ChartUnit::seconds};
    for (const StepPart& part : drawn_parts) {
        ChartSeries series{said(part.name), SeriesKind::stack};
        series.role = part.role;
        panel.series.push_back(std::move(series));
    }
    double longest = 0;
    for (std::size_t k = 0; k < marks[by_exact].size(); ++k) {
        const auto& [place, plan] = marks[by_exact][k];
        const std::optional<RankedPlan>& other = marks[by_published][k].plan;
        const double times = plan && all_chips ? static_cast<double>(plan->plan.chips()) : 1;
        panel.y.categories.push_back(before.empty() ? place : fmt::format("{} {}", before, place));
        if (!plan) {
            panel.y.remarks.emplace_back();
            panel.y.details.push_back(said("no plan fits"));
        } else {
            const double memory = plan->reading.memory.total();
            panel.y.remarks.push_back(fmt::format(
                ", {}{}", memory_words(memory), memory <= capacity ? std::string() : said(", does not fit")));
            panel.y.details.push_back(say("{}: {} and {} a chip", text(plan->plan),
                                          step_words(plan->reading.time.total), memory_words(memory)));
            longest = std::max(longest, plan->reading.time.total * times);
        }
        if (other) {
            panel.y.details.back() += "\n" + say("by the published rules: {}, {} and {} a chip",
                                                 text(other->plan), step_words(other->reading.time.total),
                                                 memory_words(other->reading.memory.total()));
        }
        for (std::size_t p = 0; p < drawn_parts.size(); ++p) {
            panel.series[p].values.push_back(
                plan ? std::optional(plan->reading.time.*drawn_parts[p].time * times) : std::nullopt);
        }
    }
    panel.x.high = longest * room_for_sums;
    return panel;
}

PlanTable::PlanTable(std::string title) {
    table_.title = std::move(title);
    table_.columns = {"of",
                      "at",
                      "rules",
                      "strategy",
                      "dp",
                      "pp",
                      "tp",
                      "micro_batch",
                      "panels",
                      "placement",
                      "time_s",
                      "compute_s",
                      "memory_exposed_s",
                      "tensor_s",
                      "data_s",
                      "pipeline_s",
                      "bubble_s",
                      "memory_bytes",
                      "fits",
                      "days"};
}

void PlanTable::add(const std::string& what, const ByRules<PlanMarks>& marks, const TrainingRun& run) {
    for (std::size_t r = 0; r < marks.size(); ++r) {
        for (const PlanMark& mark : marks[r]) {
            add(what, r == by_exact ? "exact" : "reference", mark, run);
        }
    }
}

void PlanTable::add(const std::string& what, std::string_view rules, const PlanMark& mark,
                    const TrainingRun& run) {
    std::vector<Table::Cell> row = {what, mark.place, std::string(rules)};
    if (!mark.plan) {
        row.resize(table_.columns.size(), std::string());
        table_.rows.push_back(std::move(row));
        return;
    }
    const Plan& plan = mark.plan->plan;
    const PlanTime& time = mark.plan->reading.time;
    row.insert(row.end(),
               {std::string(name(plan.strategy)), plan.data, plan.pipeline, grid_text(plan), plan.micro_batch,
                plan.panels, placement_text(plan), time.total, time.compute, time.memory_exposed, time.tensor,
                time.data, time.pipeline, time.bubble, mark.plan->reading.memory.total(),
                std::string(mark.plan->reading.fits ? "yes" : "no"), training_days(run, time.total)});
    table_.rows.push_back(std::move(row));
}

OrderingOutcome judged(std::string id, const ByRules<Judgement>& found) {
    const Judgement& published = found[by_published];
    const Judgement& exact = found[by_exact];
    if (published.holds == exact.holds && published.numbers == exact.numbers) {
        return {std::move(id), exact.holds, exact.numbers, Reading::estimated};
    }
    const auto verdict = [](const Judgement& one) { return one.holds ? said("true") : said("false"); };
    return {std::move(id), exact.holds,
            say("{} by the exact rules ({}); {} by the published ones ({})", verdict(exact), exact.numbers,
                verdict(published), published.numbers),
            Reading::estimated};
}

std::string split_words(const Plan& plan) {
    return fmt::format("dp {}, pp {}, tp {}", plan.data, plan.pipeline,
                       plan.strategy == TensorStrategy::one_d ? fmt::to_string(plan.tensor1)
                                                              : grid_text(plan));
}

std::string step_words(double seconds) {
    return si_text(seconds, "s");
}

std::string memory_words(double bytes) {
    return si_text(bytes, "B");
}

bool falls_then_rises(const std::vector<double>& values) {
    const auto least = std::ranges::min_element(values);
    return std::is_sorted(values.begin(), least, std::greater<>()) && std::is_sorted(least, values.end());
}

std::optional<std::size_t> fastest(const PlanMarks& marks, bool that_fit) {
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < marks.size(); ++k) {
        const auto& plan = marks[k].plan;
        if (plan && (!that_fit || plan->reading.fits) &&
            (!best || plan->reading.time.total < marks[*best].plan->reading.time.total)) {
            best = k;
        }
    }
    return best;
}

double middle(std::vector<double> values) {
    if (values.empty()) {
        return 0;
    }
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void done(const RunControl& control, std::size_t some, std::size_t all) {
    if (control.progress != nullptr) {
        *control.progress = static_cast<double>(some) / static_cast<double>(all);
    }
}

} // namespace meshslice
