// What bounds one product on one chip: its arithmetic, its memory, or what a network has to bring (How to
// Scale Your Model, chapter 1).

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/cost_charts.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

std::vector<QuestionField> roofline_fields() {
    std::vector<QuestionField> fields;
    fields.push_back(
        {.row = {.key = "gemm",
                 .name = said("GEMM of one chip"),
                 .label = "BxDxF",
                 .help = said("[B, D] times [D, F]: B is the batch of one chip in tokens; 8Ki is 8192"),
                 .flag = "--gemm",
                 .flag_help =
                     "BxDxF: [B, D] times [D, F], B the batch of one chip in tokens; 8Ki is 8192. Not "
                     "the MxNxK of simulate: its M is B, its N is F, its K is D"},
         .needed = true,
         .shown = "256x8192x32768",
         .width = 2});
    fields.push_back(element_field(
        {.key = "data_type",
         .name = said("Elements"),
         .label = said("Elements"),
         .help = said("The type of the operands and of the result"),
         .flag = "--data-type",
         .flag_help = "f32|bf16|f16|int8|fp8|int4: of the operands and the result (default bf16)"}));
    fields.back().first = "bf16";
    fields.push_back(element_field({.key = "weights",
                                    .name = said("Elements of the weights"),
                                    .help = said("The type of [D, F], where it is stored in another one"),
                                    .flag = "--weights",
                                    .flag_help = "data type of the weights [D, F], where it differs",
                                    .word_label = said("weights: same type")}));
    for (FieldChoice& one : fields.back().row.choices.edit()) {
        one.label = say("weights {}", one.word);
    }
    fields.push_back(
        {.row = {.key = "compute",
                 .name = said("Multiplied as"),
                 .help = said("What the matrix units multiply, whose peak counts"),
                 .flag = "--compute",
                 .flag_help =
                     "bf16|int8: what is multiplied (default int8 where no operand is wider, else bf16)",
                 .kind = FieldKind::choice,
                 .choices = {{"bf16", say("{} peak", "bf16")}, {"int8", say("{} peak", "int8")}},
                 .word_label = said("peak of the operands")},
         .shown = "bf16"});
    fields.push_back(
        {.row = {.key = "rows",
                 .name = said("Weights of the rows"),
                 .help = said("Whether all rows meet the same D x F, or every row one of its own, as in "
                              "attention"),
                 .kind = FieldKind::choice,
                 .choices = {{"each", said("own weights of each row")}},
                 .word_label = said("shared weights")},
         .aliases = {{"--weights-of-each-row", "each", "Each row has its own weights D x F"}}});
    fields.push_back(
        {.row = memory_rate_row(
             {.key = "memory",
              .name = said("Other memory"),
              .label = said("Other memory"),
              .help =
                  said("A second memory that the matrices may come from, such as a host's over PCIe, by its "
                       "bandwidth; nothing for none"),
              .flag = "--memory",
              .flag_help =
                  "\"15 GB/s\": where the matrices come from, such as a host's memory over PCIe or a "
                  "chip's own VMEM (default the chip's HBM)"}),
         .shown = "15 GB/s"});
    fields.push_back(chip_field(ChipsOffered::planned, said("Whose peak, HBM and network count")));
    return fields;
}

/// What was asked, read.
struct FoundRoofline {
    RooflineGemm gemm;
    Machine chip;
    DataType compute = DataType::bf16;
    std::string type, weights; ///< as they were given; empty: the same
    RooflineLevel memory;
    std::vector<RooflineLevel> networks;

    [[nodiscard]] double peak() const { return chip.peak_rate(compute).value(); } ///< FLOP/s
};

Result<FoundRoofline> read_roofline(const Asked& asked) {
    Result<RooflineGemm> gemm = parse_roofline_gemm(asked.text("gemm"), asked.called("gemm"));
    if (!gemm) {
        return refuse(gemm.error());
    }
    const DataType all = element_of(asked, "data_type", DataType::bf16);
    gemm->left_bits = gemm->result_bits = bits(all);
    gemm->right_bits = bits(element_of(asked, "weights", all));
    gemm->weights_of_each_row = asked.has("rows");
    Result<Machine> chip = chip_of(asked);
    if (!chip) {
        return refuse(chip.error());
    }
    const bool narrow = gemm->left_bits <= 8 && gemm->right_bits <= 8;
    FoundRoofline read{*gemm,
                       *std::move(chip),
                       narrow ? DataType::int8 : DataType::bf16,
                       asked.text("data_type"),
                       asked.text("weights"),
                       {},
                       {}};
    if (asked.has("compute")) {
        read.compute = element_of(asked, "compute", DataType::bf16);
    }
    if (!(read.peak() > 0)) {
        return refuse(say("{} does not multiply {}; {} works.", read.chip.title, name(read.compute),
                          asked.setting("compute", "bf16")));
    }
    const bool other = asked.has("memory");
    const double rate = other ? asked.number("memory") : read.chip.hbm_bandwidth.value.value();
    read.memory = {other ? "memory" : "HBM", rate, gemm_roofline(*gemm, read.peak(), rate)};
    read.networks = network_levels(*gemm, read.chip, read.peak());
    return read;
}

Tree values_of(const RooflineLevel& level) {
    const GemmRoofline& its = level.roofline;
    return {{"name", level.name},
            {"bandwidth_in_bytes_per_s", level.bytes_per_s},
            {"bytes", its.bytes},
            {"intensity_in_flop_per_byte", its.intensity},
            {"ridge_in_flop_per_byte", its.ridge},
            {"critical_batch", its.critical_rows},
            {"critical_batch_in_whole_rows", its.critical_whole_rows()},
            {"bound", its.bound_by_compute() ? "compute" : "transfer"},
            {"reached_in_flop_per_s", its.flop_per_s},
            {"transfer_in_s", its.transfer_s},
            {"least_in_s", its.least_s()},
            {"most_in_s", its.most_s()}};
}

Tree values_of(const FoundRoofline& roofline) {
    const RooflineGemm& gemm = roofline.gemm;
    Tree networks = Tree::array();
    for (const RooflineLevel& level : roofline.networks) {
        networks.push_back(values_of(level));
    }
    return {{"gemm", Tree::array({static_cast<std::int64_t>(gemm.rows), static_cast<std::int64_t>(gemm.inner),
                                  static_cast<std::int64_t>(gemm.columns)})},
            {"weights_of_each_row", gemm.weights_of_each_row},
            {"hardware", roofline.chip.name},
            {"data_type", roofline.type},
            {"weights", roofline.weights.empty() ? roofline.type : roofline.weights},
            {"compute", name(roofline.compute)},
            {"flop", gemm.flop()},
            {"peak_in_flop_per_s", roofline.peak()},
            {"compute_in_s", roofline.memory.roofline.compute_s},
            {"memory", values_of(roofline.memory)},
            {"weights_gathered_over", std::move(networks)}};
}

/// "256", "none": from how large a batch on the arithmetic bounds.
std::string critical_text(const GemmRoofline& roofline) {
    if (!roofline.critical_rows) {
        return "none";
    }
    // Whole tokens: fewer are bound by the transfer, so many are not.
    return *roofline.critical_rows > 0 ? fmt::format("{:.0f}", std::ceil(*roofline.critical_rows)) : "any";
}

Paragraph chip_lines(const FoundRoofline& roofline) {
    const RooflineLevel& memory = roofline.memory;
    const GemmRoofline& chip = memory.roofline;
    return {{},
            {{"intensity", number_text(chip.intensity), "FLOP per byte"},
             {"ridge", number_text(chip.ridge),
              fmt::format("FLOP per byte: {} / {}", si_text(roofline.peak(), "FLOP/s"),
                          si_text(memory.bytes_per_s, "B/s"))},
             {"critical batch", critical_text(chip),
              !chip.critical_rows        ? memory.name + " bounds every batch of this D and F"
              : *chip.critical_rows == 0 ? std::string("compute bounds every batch of this D and F")
                                         : "tokens; fewer are bound by " + memory.name},
             {"bound by", chip.bound_by_compute() ? "compute" : memory.name,
              fmt::format("by {}x", number_text(chip.bound_by_compute() ? chip.intensity / chip.ridge
                                                                        : chip.ridge / chip.intensity))},
             {"reached", si_text(chip.flop_per_s, "FLOP/s"),
              percent_text(chip.flop_per_s / roofline.peak()) + " of the peak"},
             {"compute", seconds_text(chip.compute_s), ""},
             {memory.name, seconds_text(chip.transfer_s), ""},
             {"time", seconds_text(chip.least_s()),
              fmt::format("with all transfers hidden, {} with none", seconds_text(chip.most_s()))}}};
}

std::vector<Paragraph> words_of(const FoundRoofline& roofline) {
    const RooflineGemm& gemm = roofline.gemm;
    std::vector<Paragraph> words;
    words.push_back({fmt::format(
        "[{:.0f}, {:.0f}] x [{}{:.0f}, {:.0f}] on one chip of {}: {}; {} through {}\n"
        "operands and result {}{}, multiplied as {} at {} peak\n\n",
        gemm.rows, gemm.inner, gemm.weights_of_each_row ? fmt::format("{:.0f}, ", gemm.rows) : std::string(),
        gemm.inner, gemm.columns, roofline.chip.title, si_text(gemm.flop(), "FLOP"),
        bytes_text(roofline.memory.roofline.bytes), roofline.memory.name, roofline.type,
        roofline.weights.empty() ? std::string() : fmt::format(", weights {}", roofline.weights),
        name(roofline.compute), si_text(roofline.peak(), "FLOP/s"))});
    words.push_back(chip_lines(roofline));
    if (!roofline.networks.empty()) {
        Paragraph networks;
        networks.lines.push_back(
            {"weights gathered over", "peak bandwidth", "ridge", "critical batch", "transfer", "bound by"});
        for (const RooflineLevel& level : roofline.networks) {
            networks.lines.push_back({level.name, si_text(level.bytes_per_s, "B/s"),
                                      number_text(level.roofline.ridge), critical_text(level.roofline),
                                      seconds_text(level.roofline.transfer_s),
                                      level.roofline.bound_by_compute() ? "compute" : "network"});
        }
        words.push_back({"\n"});
        words.push_back(std::move(networks));
    }
    return words;
}

Answer answer_of(const Asked& asked, const FoundRoofline& roofline) {
    RooflineOnChip on{
        roofline.gemm, roofline.chip, roofline.compute, {{"HBM", roofline.chip.hbm_bandwidth.value.value()}}};
    if (asked.has("memory")) {
        on.memories.emplace_back(said("other memory"), roofline.memory.bytes_per_s);
    }
    Chart chart = batch_chart(on);
    Answer answer{values_of(roofline), chart.title,
                  say("{} of {}, multiplied as {}, on one chip of {}", asked.text("gemm"), roofline.type,
                      name(roofline.compute), roofline.chip.title)};
    answer.words = words_of(roofline);
    answer.tables.push_back(NamedTable::of("levels", level_table(on)));
    answer.charts.push_back({"batches", std::move(chart)});
    return answer;
}

} // namespace

Question roofline_question() {
    Question question{
        "roofline",
        said("Rooflines"),
        "rooflines",
        said("Says what bounds one GEMM on one chip: arithmetic, memory or network, and from which batch on"),
        {},
        roofline_fields(),
        [](const Asked& asked, const RunControl& /*control*/) {
            return read_roofline(asked).map([](const FoundRoofline& one) { return values_of(one); });
        },
        [](const Asked& asked, const RunControl& /*control*/) {
            return read_roofline(asked).map([&](const FoundRoofline& one) { return answer_of(asked, one); });
        }};
    question.files = {{AnswerFile::Of::chart, "batches", "--svg",
                       "FILE.svg: draws FLOP/s against the batch, with the bounds of memory and networks"}};
    question.examples = {"--gemm 128x8192x32768", "--gemm 512x8192x32768 --machine h100",
                         "--gemm 128x4096x16384 --data-type int8 --memory \"15 GB/s\""};
    return question;
}

} // namespace meshslice
