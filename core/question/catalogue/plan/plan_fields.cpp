#include "core/question/catalogue/plan/plan_fields.h"

#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/plan/search/plan_question.h"
#include "core/question/catalogue/common_fields.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_top = 1'000'000;

std::vector<std::string> parts_between(const std::string& words, char mark) {
    std::vector<std::string> parts(1);
    for (const char letter : words) {
        if (letter == mark) {
            parts.emplace_back();
        } else {
            parts.back() += letter;
        }
    }
    return parts;
}

/// --NAME or --no-NAME, where something else than the scenario says is counted or left out.
QuestionField counted_field(const std::string& name, const std::string& what, const std::string& usual) {
    QuestionField field = text_flag("--count-" + name, {});
    field.row.flag.clear();
    field.row.help = "Whether " + what + " counts.";
    field.row.kind = FieldKind::choice;
    field.row.choices = {{"on", {}}, {"off", {}}};
    field.aliases = {{"--" + name, "on", "Counts " + what + " " + usual},
                     {"--no-" + name, "off", "Leaves out " + what}};
    return field;
}

} // namespace

std::vector<QuestionField> plan_question_fields() {
    return {
        choice_flag("--rules", "exact|reference: right, or as published (default exact)",
                    {"exact", "reference"}),
        text_flag("--placement",
                  "TP1,TP2,DP,PP: of both sides of the tensor grid, of the data-parallel group and of the "
                  "pipeline, the chips in one fast domain; with /, in one unit of each level from the "
                  "inside out (default: the fastest)"),
        whole_flag("--top", "N: plans of a search to show (default 10)", most_top),
        whole_flag(
            "--simulate",
            "N: simulates the pipelines of the first N plans, pass by pass, and shows at least so many",
            most_top),
        switch_flag("--fits-memory", "Only plans that fit into the chips' memory"),
        switch_flag("--fewer-chips", "Takes fewer of the chips where a step is faster with them"),
        switch_flag("--overlap-tensor", "GEMMs hide their tensor-parallel communication"),
        switch_flag("--no-overlap-data", "Nothing hides data-parallel communication"),
        counted_field("ends", "embedding, output head, loss and logits",
                      "(default: they count where the model's vocabulary is known, by the exact rules)"),
        counted_field("optimizer-step", "the optimizer's step", "(default: it counts, by the exact rules)")};
}

Result<PlanModel> model_of_run(const Asked& asked, const Workload& workload) {
    const Result<PlanQuestion> question = plan_question(*asked.scenario);
    if (!question) {
        return refuse(question.error());
    }
    const Result<ModelRules> rules = parse_model_rules(asked.text("rules"));
    if (!rules) {
        return refuse(rules.error());
    }
    Result<TrainingRun> run =
        training_run(question->model, question->sequence,
                     asked.said.has("--batch") ? asked.scenario->batch : question->batch);
    if (!run) {
        return refuse(run.error());
    }
    run->workload = &workload;
    // The published rules leave out what their paper does, unless it is asked for.
    const bool published = *rules != ModelRules::exact;
    const auto counted = [&](const char* key, bool usual) {
        return asked.has(key) ? asked.text(key) == "on" : usual && !published;
    };
    run->ends = counted("count_ends", question->ends);
    run->optimizer_step = counted("count_optimizer_step", question->optimizer_step);
    for (const char* flag :
         {"--gradients", "--optimizer-state", "--logits", "--logit-gradients", "--loss-chunks", "--stages",
          "--memory-reserve", "--recipe", "--lora", "--lora-targets", "--frozen", "--rank"}) {
        if (published && asked.said.has(flag)) {
            return refuse(fmt::format("{} has no effect by published rules; leave it out.", flag));
        }
    }
    if (!published) {
        run->keeps = question->keeps;
        run->uneven_stages = question->uneven_stages;
        run->exchange = question->exchange;
        run->recipe = question->recipe;
        run->adapters = question->adapters;
    }
    if (run->ends && run->model.vocabulary == 0) {
        return refuse(
            fmt::format("{} gives no vocabulary, so its embedding and output head cannot be counted; "
                        "--no-ends works.",
                        run->model.title));
    }
    return PlanModel::of(*run, question->machine, *rules);
}

Result<Placed> placement_asked(const Asked& asked) {
    Placed made;
    if (!asked.has("placement")) {
        return made;
    }
    const std::string words = asked.text("placement");
    const std::vector<std::string> levels = parts_between(words, '/');
    bool sound = levels.size() <= 1 + made.around.size();
    for (std::size_t level = 0; level < levels.size() && sound; ++level) {
        std::vector<std::int64_t> numbers;
        for (const std::string& number : parts_between(levels[level], ',')) {
            const Result<std::int64_t> value = parse_whole(number);
            sound = sound && value && *value >= 1;
            numbers.push_back(value.value_or(0));
        }
        sound = sound && numbers.size() == 4;
        if (sound) {
            (level == 0 ? made.placement : made.around[level - 1]) = {numbers[0], numbers[1], numbers[2],
                                                                      numbers[3]};
        }
    }
    if (!sound) {
        return refuse(fmt::format(
            "{} is \"{}\"; expected how many chips of the two tensor-parallel groups, the "
            "data-parallel group and the pipeline stand in one fast domain, such as 8,1,1,1, or in "
            "one unit of each level, such as 2,1,1,1/8,1,1,1.",
            asked.called("placement"), shortened(words)));
    }
    return made;
}

} // namespace meshslice
