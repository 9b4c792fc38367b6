// How a layer is best split over many chips, and from which batch on its arithmetic bounds (How to Scale Your
// Model, chapter 5; chapter 12 behind switches).

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/cost/gemm_roofline.h"
#include "core/machine/pod.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/split_charts.h"
#include "core/torus/torus.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// More than any cluster has; every number of them is tried as the tensor group.
constexpr std::int64_t most_split_chips = 1 << 20;

std::vector<QuestionField> split_fields() {
    std::vector<QuestionField> fields;
    fields.push_back({.row = {.key = "layer",
                              .name = said("Layer"),
                              .label = "BxDxF",
                              .help = said("In[B, D] · W_in[D, F] · W_out[F, D]: B the tokens of all chips "
                                           "together, F the hidden width; 8Ki is 8192"),
                              .flag = "--layer",
                              .flag_help = "BxDxF: In[B, D] · W_in[D, F] · W_out[F, D], B the tokens of all "
                                           "chips together, F the hidden width; 8Ki is 8192"},
                      .needed = true,
                      .shown = "128Kix8192x32768",
                      .width = 2});
    fields.push_back(
        {.row = {.key = "mesh",
                 .name = said("Mesh"),
                 .label = said("Mesh"),
                 .help = said("The chips along each axis of a torus; behind switches their number"),
                 .flag = "--mesh",
                 .flag_help = "16x16x16: the chips along each axis of a torus; behind switches "
                              "their number"},
         .needed = true,
         .shown = "16x16"});
    fields.push_back({
        .row = {.key = "sizes",
                .name = said("Split"),
                .label = said("Split"),
                .help = said("Chips that share the tokens x chips that share the hidden width; "
                             "empty: the best"),
                .flag = "--split",
                .flag_help = "256x16: chips that share the tokens x chips that share the hidden "
                             "width (default the best)",
                .word_label = said("best split")},
    });
    fields.push_back(
        {.row = {.key = "weights",
                 .name = said("Weights"),
                 .help = said("Whether chips that share the tokens each keep a part of the weights, "
                              "or all of them"),
                 .flag = "--weights",
                 .flag_help = "sharded|replicated: whether chips that share the tokens each keep a "
                              "part of the weights (FSDP) or all of them (default sharded)",
                 .kind = FieldKind::choice,
                 .choices = {{"sharded", said("weights sharded (FSDP)")},
                             {"replicated", said("weights replicated (DP)")}}},
         .first = "sharded"});
    fields.push_back(
        {.row = {.key = "exchanges",
                 .name = said("Exchanges"),
                 .help = said("Whether exchanges along the two hide each other, or add up"),
                 .flag = "--exchanges",
                 .flag_help = "overlap|add: whether exchanges along the two hide each other, or add "
                              "up, as an earlier edition of the book has it (default overlap)",
                 .kind = FieldKind::choice,
                 .choices = {{"overlap", said("exchanges overlap")}, {"add", said("exchanges add up")}}},
         .first = "overlap"});
    fields.push_back({.row = {.key = "gate",
                              .name = said("Gate"),
                              .help = said("Whether the layer has a second W_in, as SwiGLU does"),
                              .kind = FieldKind::choice,
                              .choices = {{"gated", said("gated layer")}},
                              .word_label = said("layer without a gate")},
                      .aliases = {{"--gated", "gated", "The layer has a second W_in, as SwiGLU does"}}});
    fields.push_back({.row = {.key = "data_type",
                              .name = said("Data type"),
                              .label = said("Data type"),
                              .help = said("Of weights and activations"),
                              .flag = "--data-type",
                              .flag_help = "bf16|int8|fp8: of weights and activations (default bf16)",
                              .kind = FieldKind::choice,
                              .choices = {{"bf16", {}}, {"int8", {}}, {"fp8", {}}}},
                      .first = "bf16"});
    fields.push_back(chip_field(ChipsOffered::planned, said("Whose peak and network count")));
    return fields;
}

/// What was asked, read.
struct FoundSplit {
    Machine chip;
    SplitLayer layer;
    std::vector<std::int32_t> mesh;
    SharedWeights weights = SharedWeights::sharded;
    bool exchanges_hide = true;
    std::optional<SplitSizes> sizes;

    [[nodiscard]] AskedSplits splits() const { return {layer, {chip, mesh}, weights, exchanges_hide}; }
    [[nodiscard]] LayerSplit shown() const {
        return sizes ? split_of(layer, {chip, mesh}, *sizes, exchanges_hide) : best_of(splits().splits());
    }
};

Result<std::vector<std::int32_t>> read_split_mesh(const Asked& asked, const Machine& chip) {
    Result<std::vector<std::int32_t>> mesh = parse_mesh(asked.text("mesh"));
    if (!mesh) {
        return refuse(mesh.error());
    }
    const std::int64_t chips = SplitChips{chip, *mesh}.count();
    if (chips > most_split_chips) {
        return refuse(
            say("{} has {} chips; expected up to {}.", asked.called("mesh"), chips, most_split_chips));
    }
    const int axes = chip.network.torus_axes();
    if (axes > 0 && static_cast<int>(mesh->size()) > axes) {
        return refuse(say("{} is \"{}\", and the torus of {} has {} axes; {} works.", asked.called("mesh"),
                          asked.text("mesh"), chip.title, axes,
                          asked.setting("mesh", axes == 2 ? "16x16" : "16x16x16")));
    }
    if (axes > 0) {
        return fits_pod(chip.pod, *mesh, chip.title).map([&] { return *mesh; });
    }
    return std::vector<std::int32_t>{static_cast<std::int32_t>(chips)};
}

Result<std::optional<SplitSizes>> read_sizes(const Asked& asked, const FoundSplit& found) {
    if (!asked.has("sizes")) {
        return std::optional<SplitSizes>();
    }
    const std::vector<LayerSplit> all = found.splits().splits();
    if (const auto sizes = parse_mesh(asked.text("sizes")); sizes && sizes->size() == 2) {
        const SplitSizes typed{(*sizes)[0], (*sizes)[1]};
        if (std::ranges::find(all, typed, &LayerSplit::sizes) != all.end()) {
            return std::optional(typed);
        }
    }
    const SplitSizes& some = best_of(all).sizes;
    return refuse(
        say("{} is \"{}\"; expected two numbers whose product is {} chips, with a token and a column "
            "for each, such as {}x{}.",
            asked.called("sizes"), shortened(asked.text("sizes")), SplitChips{found.chip, found.mesh}.count(),
            some.tokens, some.hidden));
}

Result<FoundSplit> read_split(const Asked& asked) {
    const Result<RooflineGemm> sizes = parse_roofline_gemm(asked.text("layer"), asked.called("layer"));
    if (!sizes) {
        return refuse(sizes.error());
    }
    Result<Machine> chip = chip_of(asked);
    if (!chip) {
        return refuse(chip.error());
    }
    const DataType type = element_of(asked, "data_type", DataType::bf16);
    if (!(chip->peak_rate(type).value() > 0)) {
        return refuse(say("{} does not multiply {}; {} works.", chip->title, name(type),
                          asked.setting("data_type", "bf16")));
    }
    Result<std::vector<std::int32_t>> mesh = read_split_mesh(asked, *chip);
    if (!mesh) {
        return refuse(mesh.error());
    }
    FoundSplit found{*std::move(chip),
                     {sizes->rows, sizes->inner, sizes->columns, asked.has("gate") ? 3 : 2, type},
                     *std::move(mesh),
                     asked.text("weights") == "replicated" ? SharedWeights::replicated
                                                           : SharedWeights::sharded,
                     asked.text("exchanges") != "add",
                     {}};
    if (found.splits().splits().empty()) {
        return refuse(say("{} is \"{}\": {} chips need a token or a column for each; fewer chips work.",
                          asked.called("layer"), asked.text("layer"),
                          SplitChips{found.chip, found.mesh}.count()));
    }
    return read_sizes(asked, found).map([&](const std::optional<SplitSizes>& typed) {
        found.sizes = typed;
        return std::move(found);
    });
}

Tree values_of(const LayerSplit& one) {
    return {{"tokens_over", one.sizes.tokens},
            {"hidden_over", one.sizes.hidden},
            {"token_axes", one.token_axes},
            {"hidden_axes", one.hidden_axes},
            {"compute_in_s", one.compute_s},
            {"weights_bytes", one.weight_bytes},
            {"weights_in_s", one.weights_s},
            {"activations_bytes", one.activation_bytes},
            {"activations_in_s", one.activations_s},
            {"communication_in_s", one.communication_s()},
            {"compute_over_communication", one.ratio() ? Tree(*one.ratio()) : Tree()},
            {"bound", one.bound_by_compute() ? "compute" : "communication"},
            {"forward_in_s", one.seconds()}};
}

Tree values_of(const FoundSplit& found) {
    const AskedSplits asked = found.splits();
    Tree splits = Tree::array();
    for (const LayerSplit& one : asked.splits()) {
        splits.push_back(values_of(one));
    }
    Tree steps = Tree::array();
    for (const SplitStep& step : steps_of(found.layer, found.shown(), found.weights)) {
        steps.push_back({{"pass", step.backward ? "backward" : "forward"},
                         {"step", step.what},
                         {"block", step.result},
                         {"bytes", step.bytes},
                         {"in_s", step.seconds},
                         {"waits", step.waits}});
    }
    Tree bounds;
    if (const auto its = split_bounds(found.layer, asked.chips, found.exchanges_hide)) {
        bounds = {{"alpha_in_flop_per_byte", its->alpha},
                  {"tokens_alone_tokens_per_chip", its->token_share},
                  {"hidden_alone_chips_per_axis", its->hidden_chips},
                  {"mixed_tokens_per_chip", its->mixed_share > 0 ? Tree(its->mixed_share) : Tree()},
                  {"best_tokens_over", its->best_tokens > 0 ? Tree(its->best_tokens) : Tree()}};
    }
    const auto pod = tokens_of_a_pod(found.layer, found.chip);
    const double chips = static_cast<double>(asked.chips.count());
    return {{"hardware", found.chip.name},
            {"chips", asked.chips.count()},
            {"tokens", found.layer.tokens},
            {"tokens_per_chip", found.layer.tokens / chips},
            {"flop_per_chip", found.layer.forward_flop() / chips},
            {"split", values_of(found.shown())},
            {"best", values_of(best_of(asked.splits()))},
            {"bounds", std::move(bounds)},
            {"between_pods_tokens_per_pod", pod ? Tree(*pod) : Tree()},
            {"splits", std::move(splits)},
            {"steps", std::move(steps)}};
}

std::string whole_text(double number) {
    return fmt::format("{:.0f}", number);
}

std::string verdict(const LayerSplit& one) {
    return !one.ratio() ? std::string("nothing is exchanged")
                        : fmt::format("{}x, bound by {}", number_text(*one.ratio()),
                                      one.bound_by_compute() ? "compute" : "communication");
}

Paragraph time_lines(const LayerSplit& one, bool sharded) {
    const auto bytes = [](double all, int axes) {
        return all == 0 ? std::string()
                        : bytes_text(all) +
                              (axes > 0 ? fmt::format(" over {}", axes == 1 ? std::string("1 axis")
                                                                            : fmt::format("{} axes", axes))
                                        : std::string(" into each chip"));
    };
    return {{},
            {{"compute", seconds_text(one.compute_s), ""},
             {sharded ? "gathered weights" : "half of summing gradients", seconds_text(one.weights_s),
              bytes(one.weight_bytes, one.token_axes)},
             {"exchanged activations", seconds_text(one.activations_s),
              bytes(one.activation_bytes, one.hidden_axes)},
             {"compute / communication", one.ratio() ? number_text(*one.ratio()) : "none",
              one.exchanges_hide ? "the longer exchange counts" : "both exchanges count"},
             {"time", seconds_text(one.seconds()),
              one.bound_by_compute() ? "bound by compute" : "bound by communication"}}};
}

std::vector<Paragraph> bound_paragraphs(const FoundSplit& found) {
    const AskedSplits asked = found.splits();
    const double share = found.layer.tokens / static_cast<double>(asked.chips.count());
    Paragraph lines;
    if (const auto its = split_bounds(found.layer, asked.chips, found.exchanges_hide)) {
        lines.lines.push_back(
            {"tokens alone", fmt::format("{:.0f}", its->token_share),
             fmt::format("tokens of a chip: {} FLOP per byte of an axis, {}", number_text(its->alpha),
                         share > its->token_share ? "met" : "not met")});
        lines.lines.push_back({"hidden width alone", fmt::format("{:.1f}", its->hidden_chips),
                               "chips along an axis at most, whatever the batch"});
        if (its->mixed_share > 0) {
            lines.lines.push_back(
                {"the best of both", fmt::format("{:.0f}", its->mixed_share),
                 fmt::format("tokens of a chip, {}; best with {} chips sharing tokens",
                             share > its->mixed_share ? "met" : "not met", number_text(its->best_tokens))});
        }
    }
    const std::vector<LayerSplit> all = asked.splits();
    if (const LayerSplit& alone = all.front();
        asked.chips.axis_rate() == 0 && alone.sizes.hidden == 1 && alone.weights_s > 0) {
        const double from =
            share * alone.weights_s / alone.compute_s; // the gather takes as long for any batch
        lines.lines.push_back({"tokens alone", fmt::format("{:.0f}", from),
                               fmt::format("tokens of a chip, {}", share > from ? "met" : "not met")});
    }
    if (const auto pod = tokens_of_a_pod(found.layer, found.chip)) {
        lines.lines.push_back(
            {"pods that share the batch", fmt::format("{:.0f}", *pod),
             fmt::format("tokens of a pod, {}", found.layer.tokens > *pod ? "met" : "not met")});
    }
    if (lines.lines.empty()) {
        return {};
    }
    return {
        {fmt::format("\nBound by compute from where on ({} tokens of a chip here)\n", number_text(share))},
        std::move(lines)};
}

/// Whether a step holds up the next product.
std::string when_words(const SplitStep& step) {
    return step.bytes == 0 ? std::string()
           : step.waits    ? said("the next product waits")
                           : said("ahead or behind");
}

Table step_table(const FoundSplit& found) {
    Table table{said("Steps"), {"pass", "step", "block_of_a_chip", "received_bytes", "time_s", "when"}, {}};
    for (const SplitStep& step : steps_of(found.layer, found.shown(), found.weights)) {
        table.rows.push_back({step.backward ? said("backward") : said("forward"), step.what, step.result,
                              step.bytes, step.seconds, when_words(step)});
    }
    return table;
}

Table split_table(const FoundSplit& found) {
    Table table{said("All splits"),
                {"tokens_over", "hidden_over", "compute_s", "weights_s", "activations_s",
                 "compute_over_communication", "time_s"},
                {}};
    for (const LayerSplit& one : found.splits().splits()) {
        table.rows.push_back(
            {one.sizes.tokens, one.sizes.hidden, one.compute_s, one.weights_s, one.activations_s,
             one.ratio() ? Table::Cell(*one.ratio()) : Table::Cell(std::string()), one.seconds()});
    }
    return table;
}

std::vector<Paragraph> words_of(const FoundSplit& found) {
    const LayerSplit shown = found.shown();
    std::vector<Paragraph> words;
    words.push_back({fmt::format(
        "{0} of {1}, {2} tokens in {3}: {4} chips share the tokens, {5} the hidden width; forward\n\n",
        fmt::join(found.mesh, "x"), found.chip.title, whole_text(found.layer.tokens), name(found.layer.type),
        shown.sizes.tokens, shown.sizes.hidden)});
    words.push_back(time_lines(shown, found.weights == SharedWeights::sharded));
    for (Paragraph& one : bound_paragraphs(found)) {
        words.push_back(std::move(one));
    }
    Paragraph splits{.left_aligned = 1, .words_last = true};
    splits.lines.push_back({"tokens x hidden", "weights", "activations", "time", "compute / communication"});
    for (const LayerSplit& one : found.splits().splits()) {
        splits.lines.push_back({fmt::format("{} x {}", one.sizes.tokens, one.sizes.hidden),
                                seconds_text(one.weights_s), seconds_text(one.activations_s),
                                seconds_text(one.seconds()), verdict(one)});
    }
    words.push_back({"\n"});
    words.push_back(std::move(splits));
    Paragraph steps{.left_aligned = 3, .words_last = true};
    steps.lines.push_back({"pass", "step", "block of a chip", "received", "time", ""});
    for (const SplitStep& step : steps_of(found.layer, shown, found.weights)) {
        steps.lines.push_back({step.backward ? "backward" : "forward", step.what, step.result,
                               step.bytes > 0 ? bytes_text(step.bytes) : "", seconds_text(step.seconds),
                               when_words(step)});
    }
    words.push_back({"\n"});
    words.push_back(std::move(steps));
    return words;
}

Answer answer_of(const FoundSplit& found) {
    const AskedSplits asked = found.splits();
    const LayerSplit shown = found.shown();
    Chart chart = split_chart(asked, shown);
    Answer answer{values_of(found), chart.title,
                  say("{} tokens, {} × {}, on {} of {}", whole_text(found.layer.tokens),
                      whole_text(found.layer.width), whole_text(found.layer.hidden),
                      fmt::format("{}", fmt::join(found.mesh, "x")), found.chip.title)};
    answer.words = words_of(found);
    answer.tables.push_back(NamedTable::of("splits", split_table(found)));
    answer.tables.push_back(NamedTable::of("steps", step_table(found)));
    answer.charts.push_back({"splits", std::move(chart), {}, said("By the split")});
    answer.charts.push_back({"ratio", split_ratio_chart(asked), {}, said("By the tokens of a chip")});
    answer.charts.push_back({"batches", split_batch_chart(asked, shown), {}, said("By the batch")});
    answer.notes = {said("Attention, launches and latency are not counted, links run at their peak, and all "
                         "exchanges hide behind arithmetic; a tensor group's do so only in pieces."),
                    said("Every axis and every part of one counts as a ring; an axis that both groups use is "
                         "the tensor group's.")};
    if (asked.chips.axis_rate() == 0) {
        answer.notes.pop_back();
    }
    return answer;
}

} // namespace

Question split_question() {
    Question question{"split",
                      said("Splits of a layer"),
                      "splits",
                      said("Says how a layer is best split over many chips, by tokens and by its hidden "
                           "width, and from which "
                           "batch on arithmetic bounds"),
                      {},
                      split_fields(),
                      [](const Asked& asked, const RunControl& /*control*/) {
                          return read_split(asked).map([](const FoundSplit& one) { return values_of(one); });
                      },
                      [](const Asked& asked, const RunControl& /*control*/) {
                          return read_split(asked).map([](const FoundSplit& one) { return answer_of(one); });
                      }};
    question.files = {
        {AnswerFile::Of::chart, "splits", "--svg",
         "FILE.svg: draws the times against the chips that share the tokens"},
        {AnswerFile::Of::chart, "ratio", "--svg-ratio",
         "FILE.svg: draws arithmetic over communication against the tokens of a chip"},
        {AnswerFile::Of::chart, "batches", "--svg-batches", "FILE.svg: draws the time against the batch"}};
    question.examples = {"--layer 4Mix8192x32768 --mesh 16x16x16 --machine tpu-v5p",
                         "--layer 1Mix8192x28672 --gated --mesh 16x16 --split 64x4",
                         "--layer 2Mix8192x28672 --gated --mesh 1024 --machine h100 --json"};
    return question;
}

} // namespace meshslice
