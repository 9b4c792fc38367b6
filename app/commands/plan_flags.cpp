#include "app/commands/plan_flags.h"

#include "app/scenario_options.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/scenario/planning.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace meshslice {

Result<std::int64_t> number_after(const char* flag, const std::string& words, std::int64_t least,
                                  std::int64_t most) {
    const Result<std::int64_t> value = parse_count(words);
    if (!value || *value < least || *value > most) {
        return refuse(fmt::format("{} is \"{}\"; a whole number from {} to {} was expected.", flag,
                                  shortened(words), least, most));
    }
    return value;
}

Result<TensorGrid> parse_grid(const std::string& words) {
    const std::size_t by = words.find('x');
    const auto side = [](const std::string& its) {
        const Result<std::int64_t> chips = its == "any" ? Result<std::int64_t>(0) : parse_whole(its);
        const bool sound = chips && *chips <= most_planned_chips && (*chips >= 1 || its == "any");
        return sound ? *chips : std::int64_t{-1};
    };
    const std::int64_t first = side(words.substr(0, by));
    const std::int64_t second = by == std::string::npos ? 1 : side(words.substr(by + 1));
    if (first < 0 || second < 0) {
        return refuse(
            fmt::format("--tp is \"{}\"; the sides of a tensor-parallel grid were expected, such as 8x1, or "
                        "8xany where a search leaves one open.",
                        shortened(words)));
    }
    return TensorGrid{first, second};
}

Result<Placement> parse_placement(const std::string& words) {
    std::array<std::int64_t, 4> near{};
    std::size_t begin = 0;
    bool sound = true;
    for (std::size_t k = 0; k < near.size(); ++k) {
        const std::size_t end = words.find(',', begin);
        const bool last = k + 1 == near.size();
        const Result<std::int64_t> value = parse_whole(words.substr(begin, end - begin));
        sound = sound && value && *value >= 1 && last == (end == std::string::npos);
        near[k] = value.value_or(0);
        begin = end == std::string::npos ? words.size() : end + 1;
    }
    if (!sound) {
        return refuse(
            fmt::format("--placement is \"{}\"; how many chips of the two tensor-parallel groups, the "
                        "data-parallel group and the pipeline stand in one fast domain was expected, such "
                        "as 8,1,1,1.",
                        shortened(words)));
    }
    return Placement{near[0], near[1], near[2], near[3]};
}

void PlanFlags::declare(CLI::App& flags) {
    const auto option = [&](const char* flag, std::string& words, const char* help) {
        flags.add_option(flag, words, help)->type_name("");
    };
    option("--scenario", scenario_,
           "FILE: a scenario or project file, whose run is planned; the other flags change it. A plan that "
           "it has loaded is read, where no flag asks for others");
    option("--variant", variant_,
           "NAME|N|A|B: which variant of a project file; else the one that was shown last");
    option("--model", model_, "NAME|FILE.json: the model (default gpt3-1t)");
    option("--sequence", sequence_, "N: tokens of one sample (default: the model's own)");
    option("--cluster", cluster_, "NAME|FILE.json: chips and network (default b200-nvs8)");
    option("--chips", chips_, "N: chips (default 1024, or those of one plan)");
    option("--batch", batch_, "N: samples of one step, of all chips (default 4096)");
    option("--strategy", strategy_,
           "1d|2d|summa|all: how GEMMs are split over a group; on a torus 1d|meshslice|wang|collective|"
           "summa|cannon|all (default all)");
    option("--tokens", tokens_, "N: of a whole training, such as 1T or 300e9: says its days too");
    option("--rules", rules_, "exact|reference: right, or as published (default exact)");
    option("--top", top_, "N: plans of a search to show (default 10)");
    flags.add_flag("--fits-memory", fits_, "Only plans that fit into the chips' memory");
    option("--csv", csv_, "FILE: writes the shown plans as CSV");
    flags.add_flag("--json", json_, "Prints JSON for programs");
    option("--simulate", simulate_,
           "N: simulates the pipelines of the first N plans, pass by pass, and shows at least so many");
    option("--trace", trace_, "FILE: writes the pipeline of the first plan for Perfetto (Chrome trace)");
    option("--open", open_,
           "PATH: --trace writes what is inside a bar instead, such as \"stage 1 forward 0/layer 1/norm "
           "1/all-gather\"");
    option("--dp", data_,
           "N: data-parallel size. --dp, --pp and --tp together are one plan, which is read instead of a "
           "search; some of them narrow the search down (default any)");
    option("--pp", pipeline_, "N: pipeline stages, likewise (default any)");
    option("--tp", tensor_,
           "M1xM2: tensor-parallel grid, likewise; 8xany and anyx4 fix one of its sides (default any)");
    option("--micro-batch", micro_batch_, "N: samples of a micro-batch of one plan (default 1)");
    option("--panels", panels_, "N: panels of one SUMMA plan (default: the fastest)");
    option("--placement", placement_,
           "TP1,TP2,DP,PP: of both sides of the tensor grid, of the data-parallel group and of the "
           "pipeline, "
           "the chips in one fast domain (default: the fastest)");
    option("--schedule", schedule_,
           "any, or a list of 1f1b|interleaved|interleaved:V|gpipe: of the pipeline; interleaved tries "
           "every number V of chunks, any this and 1f1b (default any; of one plan or by published rules "
           "1f1b)");
    option("--recompute", recompute_,
           "any, or a list of none|attention|full: in the backward pass (default any; else none)");
    option("--zero", zero_,
           "any, or a list of 0|1|2|3: what data-parallel chips share (default any; else 1)");
    flags.add_flag("--overlap-tensor", tensor_overlap_, "GEMMs hide their tensor-parallel communication");
    flags.add_flag("--no-overlap-data", no_data_overlap_, "Nothing hides data-parallel communication");
    flags.add_flag("--ends", ends_, "Counts embedding, output head and loss too");
    flags.add_flag("--optimizer-step", optimizer_step_, "Counts the optimizer's step too");
}

bool PlanFlags::asks_for_no_other() const {
    const std::string* const flags[] = {
        &model_,    &sequence_, &cluster_,     &chips_,  &batch_,     &strategy_, &top_,       &data_,
        &pipeline_, &tensor_,   &micro_batch_, &panels_, &placement_, &schedule_, &recompute_, &zero_};
    return std::ranges::all_of(flags, [](const std::string* words) { return words->empty(); }) &&
           !tensor_overlap_ && !no_data_overlap_;
}

Result<double> PlanFlags::tokens() const {
    constexpr double most = 1e18;
    if (tokens_.empty()) {
        return 0;
    }
    const Result<double> value = parse_quantity(tokens_, "");
    if (!value || !(*value >= 1) || *value > most) {
        return refuse(fmt::format("--tokens is \"{}\"; a number from 1 to 1E was expected, such as 1T.",
                                  shortened(tokens_)));
    }
    return value;
}

Result<PlanModel> PlanFlags::model() const {
    const Result<ModelRules> rules = parse_model_rules(rules_);
    const Result<Transformer> model = !rules ? refuse(rules.error())
                                      : scenario_model_ && model_.empty()
                                          ? Result<Transformer>(*scenario_model_)
                                          : named_model(model_.empty() ? "gpt3-1t" : model_);
    const Result<Machine> cluster =
        model ? named_machine(cluster_.empty() ? "b200-nvs8" : cluster_) : refuse(model.error());
    const Result<std::int64_t> sequence =
        !cluster            ? refuse(cluster.error())
        : sequence_.empty() ? Result<std::int64_t>(0)
                            : number_after("--sequence", sequence_, 1, std::int64_t{1} << 31);
    const Result<std::int64_t> batch =
        sequence ? number_after("--batch", batch_.empty() ? "4096" : batch_, 1, std::int64_t{1} << 24)
                 : refuse(sequence.error());
    if (!batch) {
        return refuse(batch.error());
    }
    Result<TrainingRun> run = training_run(*model, *sequence, *batch);
    if (!run) {
        return refuse(fmt::format("{}{}", run.error().sentence,
                                  *sequence == 0 && model->sequence == 0 ? " --sequence says it." : ""));
    }
    run->ends = ends_;
    run->optimizer_step = optimizer_step_;
    if (ends_ && run->model.vocabulary == 0) {
        return refuse(
            fmt::format("{} gives no vocabulary, which --ends needs; without --ends it can be planned.",
                        run->model.title));
    }
    return PlanModel::of(*run, *cluster, *rules);
}

Result<PlanChoices> PlanFlags::choices(bool one) const {
    const bool any = !one && rules_ == name(ModelRules::exact);
    const auto words = [&](const std::string& given, const char* published) {
        return !given.empty() ? given : std::string(any ? "any" : published);
    };
    return plan_choices({words(schedule_, "1f1b"), words(recompute_, "none"), words(zero_, "1")});
}

Result<PlanSpace> PlanFlags::strategies(const PlanModel& model) const {
    PlanSpace space;
    if (const auto set = set_strategies(space, strategy_.empty() ? "all" : strategy_, model.torus()); !set) {
        return refuse(set.error());
    }
    return space;
}

Result<FixedSplit> PlanFlags::fixed_split() const {
    const auto number = [](const char* flag, const std::string& words) {
        return words.empty() ? Result<std::int64_t>(0) : number_after(flag, words, 1, most_planned_chips);
    };
    const auto data = number("--dp", data_);
    const auto pipeline = data ? number("--pp", pipeline_) : data;
    const auto grid = !pipeline         ? Result<TensorGrid>(refuse(pipeline.error()))
                      : tensor_.empty() ? Result<TensorGrid>(TensorGrid{0, 0})
                                        : parse_grid(tensor_);
    return grid.map([&](const TensorGrid& sides) {
        return FixedSplit{*data, *pipeline, sides.tensor1, sides.tensor2};
    });
}

} // namespace meshslice
