// How long bytes take from chip to chip of a torus, or from all chips or their hosts to one (How to Scale
// Your Model, chapter 2).

#include "core/question/catalogue/network/transfer.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/cost/collective/transfer.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/transfer_chart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

std::vector<QuestionField> transfer_question_fields() {
    std::vector<QuestionField> fields;
    fields.push_back({.row = {.key = "slice",
                              .name = said("Slice"),
                              .label = said("Slice"),
                              .help = said("Its axes, with their chips: X=4, Y=4"),
                              .flag = "--slice",
                              .flag_help = "X=4,Y=4: the axes of the slice, with their chips"},
                      .needed = true,
                      .shown = "X=4, Y=4",
                      .width = 2});
    fields.push_back(
        {.row = {.key = "from",
                 .name = said("Where it is"),
                 .label = said("From"),
                 .help =
                     said("A chip by its place along each axis, 0,0; or chips, where every chip has an equal "
                          "share; or hosts, where the share is in the memory of its host"),
                 .flag = "--from",
                 .flag_help =
                     "0,0: the chip that has it, by its place along each axis; or chips, where every "
                     "chip of the slice has an equal share, or hosts, where the share is in the "
                     "memory of its host"},
         .needed = true,
         .shown = "0,0"});
    fields.push_back({.row = {.key = "to",
                              .name = said("Where it goes"),
                              .label = said("To"),
                              .help = said("The chip that wants all of it, by its place along each axis"),
                              .flag = "--to",
                              .flag_help = "3,3: the chip that wants it"},
                      .needed = true,
                      .shown = "3,3"});
    fields.push_back({.row = exchange_bytes_row({.key = "bytes",
                                                 .name = said("Size"),
                                                 .label = said("Size"),
                                                 .help = said("Of all of it, also where chips have shares"),
                                                 .flag = "--bytes",
                                                 .flag_help = "34e6 or \"34 MB\": all of it"}),
                      .needed = true,
                      .shown = "16.8 MB"});
    fields.push_back(
        {.row = memory_rate_row(
             {.key = "pcie",
              .name = said("Bandwidth of PCIe"),
              .label = said("PCIe"),
              .help =
                  said("Between a chip and its host, where it comes from the hosts, such as 15 GB/s; nothing "
                       "for what the chip has"),
              .flag = "--pcie",
              .flag_help = "\"15 GB/s\": between a chip and its host, with --from hosts (default as the "
                           "hardware has it; where it does not say, 16 GB/s)"})});
    fields.push_back(
        {.row = {
             .key = "gemm",
             .name = said("GEMM of the target"),
             .label = "BxDxF",
             .help = said("What the target multiplies while it comes, [B, D] times [D, F]; nothing for none"),
             .flag = "--gemm",
             .flag_help = "BxDxF: what the target multiplies at its bf16 peak while it comes, [B, D] times "
                          "[D, F]; 8Ki is 8192"}});
    fields.push_back(chip_field(ChipsOffered::tori, said("Whose links, HBM and synchronization count"), 2));
    return fields;
}

/// What was asked, read, and its answer.
struct FoundTransfer {
    TransferAsked asked;
    Machine chip;
    Transfer found;
};

Result<GridPlace> place_at(const Asked& asked, std::string_view key, const NamedMesh& slice) {
    return parse_grid_place(asked.text(key), slice, asked.called(key));
}

Result<FoundTransfer> find_transfer(const Asked& asked) {
    Result<Machine> chip = chip_of(asked);
    if (!chip) {
        return refuse(chip.error());
    }
    const Result<TransferAsked> read = transfer_asked(asked);
    if (!read) {
        return refuse(read.error());
    }
    return transfer(*read, *chip).map([&](const Transfer& found) {
        return FoundTransfer{*read, *std::move(chip), found};
    });
}

Tree values_of(const Asked& asked, const FoundTransfer& one) {
    const Transfer& found = one.found;
    const bool from_chip = one.asked.from == TransferAsked::From::chip;
    Tree values{{"slice", text(one.asked.slice)},
                {"hardware", one.chip.name},
                {"from", from_chip ? Tree(one.asked.source) : Tree(asked.text("from"))},
                {"to", one.asked.target},
                {"bytes", one.asked.bytes},
                {"hops", found.hops},
                {"latency_in_s", found.latency},
                {"time_in_s", found.seconds()},
                {"bound", found.bound()}};
    for (const TransferStage& stage : found.stages) {
        values["stages"].push_back(
            {{"name", stage.name}, {"time_in_s", stage.seconds}, {"formula", plain_spaces(stage.formula)}});
    }
    values["ways"] = found.ways;
    return values;
}

std::string from_words(const TransferAsked& asked) {
    switch (asked.from) {
    case TransferAsked::From::chip: return text(asked.source);
    case TransferAsked::From::chips: return "all chips";
    case TransferAsked::From::hosts: break;
    }
    return "the hosts of all chips";
}

/// "(0, 0) (0, 1) (0, 2) ... (0, 40)".
std::string way_words(const GridWay& way) {
    constexpr std::size_t most = 24;
    std::vector<std::string> places;
    for (std::size_t hop = 0; hop < way.size(); ++hop) {
        if (way.size() <= most || hop + 1 < most || hop + 1 == way.size()) {
            places.push_back(text(way[hop]));
        } else if (hop + 1 == most) {
            places.emplace_back("...");
        }
    }
    return fmt::format("  {}\n", fmt::join(places, " "));
}

std::vector<Paragraph> words_of(const FoundTransfer& one) {
    const TransferAsked& asked = one.asked;
    const Transfer& found = one.found;
    const bool one_source = asked.from == TransferAsked::From::chip;
    std::string first = fmt::format("{} from {} to {} of {}, {}\n\n", bytes_text(asked.bytes),
                                    from_words(asked), text(asked.target), text(asked.slice), one.chip.title);
    first += fmt::format("{} {} x {} = {}\nlast byte after {} + {} = {}, bound by {}\n\n",
                         one_source ? "first byte after" : "longest way", found.hops,
                         seconds_text(in_seconds(one.chip.sync.value)), seconds_text(found.latency),
                         seconds_text(found.latency), seconds_text(found.slowest().seconds),
                         seconds_text(found.seconds()), found.bound());
    Paragraph stages{{}, {{"part of the way", "time", "of"}}};
    for (const TransferStage& stage : found.stages) {
        stages.lines.push_back({stage.name, seconds_text(stage.seconds), stage.formula});
    }
    std::string last = "All parts work at the same time; the slowest counts.\n";
    if (one_source) {
        last += found.ways.size() == 1
                    ? std::string("\nThe shortest way:\n")
                    : fmt::format("\n{} shortest ways, which share no link:\n", found.ways.size());
    }
    for (const GridWay& way : found.ways) {
        last += way_words(way);
    }
    return {{std::move(first)}, std::move(stages), {std::move(last)}};
}

Answer answer_of(const Asked& asked, const FoundTransfer& one) {
    Answer answer{values_of(asked, one),
                  say("{} from {} takes {}, bound by {}", bytes_text(one.asked.bytes), ends_text(one.asked),
                      seconds_text(one.found.seconds()), one.found.bound()),
                  say("{} from {} of {} on {}", bytes_text(one.asked.bytes), ends_text(one.asked),
                      text(one.asked.slice), one.chip.title)};
    answer.words = words_of(one);
    answer.tables.push_back(NamedTable::of("stages", transfer_table(one.asked, one.found)));
    if (one.asked.slice.devices() <= most_chips_drawn) {
        answer.charts.push_back({"ways", transfer_chart(one.asked, one.found, one.chip)});
    } else {
        answer.notes.push_back(say("{} has {} chips; at most {} are drawn. The command line takes more.",
                                   text(one.asked.slice), one.asked.slice.devices(), most_chips_drawn));
    }
    return answer;
}

} // namespace

Result<TransferAsked> transfer_asked(const Asked& asked) {
    TransferAsked read;
    const Result<NamedMesh> slice = named_mesh_of(asked, "slice");
    if (!slice) {
        return refuse(slice.error());
    }
    read.slice = *slice;
    const std::string from = asked.text("from");
    if (from == "chips" || from == "hosts") {
        read.from = from == "chips" ? TransferAsked::From::chips : TransferAsked::From::hosts;
    } else {
        const Result<GridPlace> source = place_at(asked, "from", *slice);
        if (!source) {
            return refuse(source.error().sentence +
                          said(" Or \"chips\", where every chip has a share, or \"hosts\", where it is in "
                               "their memory."));
        }
        read.source = *source;
    }
    const Result<GridPlace> target = place_at(asked, "to", *slice);
    if (!target) {
        return refuse(target.error());
    }
    read.target = *target;
    read.bytes = asked.number("bytes");
    if (read.from == TransferAsked::From::chip && read.source == read.target) {
        return refuse(say("{} and {} are the same chip, {}.", asked.called("from"), asked.called("to"),
                          shortened(asked.text("to"))));
    }
    if (asked.has("pcie") && read.from != TransferAsked::From::hosts) {
        return refuse(say("{} has no effect: PCIe is between a chip and its host; {} works.",
                          asked.called("pcie"), asked.setting("from", "hosts")));
    }
    read.pcie = Bandwidth(asked.number("pcie"));
    if (asked.has("gemm")) {
        const Result<RooflineGemm> gemm = parse_roofline_gemm(asked.text("gemm"), asked.called("gemm"));
        if (!gemm) {
            return refuse(gemm.error());
        }
        read.flop = gemm->flop();
    }
    return read;
}

Question transfer_question() {
    Question question{
        "transfer",
        said("Transfers"),
        "transfers",
        said("Says how long bytes take from one chip of a torus to another, or from all chips or their hosts "
             "to one, and which part of the way is the slowest"),
        {},
        transfer_question_fields(),
        [](const Asked& asked, const RunControl& /*control*/) {
            return find_transfer(asked).map([&](const FoundTransfer& one) { return values_of(asked, one); });
        },
        [](const Asked& asked, const RunControl& /*control*/) {
            return find_transfer(asked).map([&](const FoundTransfer& one) { return answer_of(asked, one); });
        }};
    question.files = {{AnswerFile::Of::chart, "ways", "--svg",
                       "FILE.svg: draws the ways through the slice, and how long each part takes"}};
    question.examples = {"--slice X=4,Y=4 --from 0,0 --to 3,3 --bytes 17e6",
                         "--slice 4x4 --from chips --to 0,0 --bytes \"1 GB\"",
                         "--slice 4x4 --from hosts --to 0,0 --bytes \"17 GB\" --pcie \"15 GB/s\""};
    return question;
}

} // namespace meshslice
