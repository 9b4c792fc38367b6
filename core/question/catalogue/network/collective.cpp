// What a collective costs by the scaling book, along axes of a torus (How to Scale Your Model, chapter 3) or
// of chips behind switches (chapter 12), and how fast that is.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/cost/collective/collective_costs.h"
#include "core/evidence/collectives/collective_evidence.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/cost_charts.h"
#include "core/report/words/machine_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_chips = std::int64_t{1} << 24; ///< behind switches

std::vector<QuestionField> collective_fields() {
    std::vector<QuestionField> fields;
    fields.push_back(
        {.row = {.key = "collective",
                 .name = said("Collective"),
                 .help = said("What the chips exchange"),
                 .flag = "operation",
                 .flag_help = "all-gather|reduce-scatter|all-reduce|all-to-all|broadcast|reduce|send-recv",
                 .kind = FieldKind::choice,
                 .from_text = [](std::string_view words) -> Result<FieldValue> {
                     return parse_exchange(words).map(
                         [](Collective one) { return FieldValue(std::string(name(one))); });
                 }},
         .needed = true,
         .shown = "all-gather",
         .said_by_log = true});
    for (const Collective one : all_collectives) {
        fields.back().row.choices.push_back({std::string(name(one)), {}});
    }
    fields.push_back(
        {.row = exchange_bytes_row(
             {.key = "bytes",
              .name = said("Size"),
              .label = said("Size"),
              .help = said("Of the whole array over these axes, as it is after an all-gather or before a "
                           "reduce-scatter; of send-recv, what every chip sends to the next one"),
              .flag = "--bytes",
              .flag_help =
                  "34e6 or \"34 MB\": of the whole array over these axes, as it is after an "
                  "all-gather or before a reduce-scatter; of send-recv, what every chip sends to the "
                  "next one"}),
         .needed = true,
         .shown = "34 MB",
         .said_by_log = true});
    fields.push_back({.row = {.key = "axes",
                              .name = said("Axes that take part"),
                              .label = said("Axes"),
                              .help = said("Up to three, with their chips: X=16, Y=4"),
                              .flag = "--axes",
                              .flag_help = "X=16,Y=4 or 16x4: the axes of chips that take part, up to three"},
                      .shown = "X=16",
                      .aliases = {{"--mesh", {}, {}}}, // as shard calls them
                      .width = 2});
    fields.push_back(
        {.row = {.key = "slice",
                 .name = said("Slice"),
                 .label = said("Slice"),
                 .help =
                     said("All axes of the slice, where it has more than take part: its size decides which "
                          "axes are rings; nothing for the axes that take part"),
                 .flag = "--slice",
                 .flag_help = "X=16,Y=16: all axes of the slice, where it has more than take part; its size "
                              "decides which axes are rings (default: those of --axes)"},
         .width = 2});
    fields.push_back(
        {.row = {.key = "links",
                 .name = said("Rings or lines"),
                 .help = said("Whether the links of an axis close a ring"),
                 .kind = FieldKind::choice,
                 .choices = {{"rings", said("all rings")},
                             {"lines", said("all lines")},
                             {"twisted", said("twisted torus")}},
                 .word_label = said("links as built")},
         .aliases = {{"--line", "lines", "Treats all axes as lines, even if the hardware has rings"},
                     {"--ring", "rings", "Treats all axes as rings, even if the hardware has lines"},
                     {"--twisted", "twisted",
                      "Twists a slice of k x k x 2k or k x 2k x 2k chips, as TPU v4 and v5p can"}}});
    fields.push_back({.row = {.key = "ways",
                              .name = said("Directions"),
                              .help = said("Whether chunks go both ways round a ring, or one way"),
                              .kind = FieldKind::choice,
                              .choices = {{"one-way", said("one way")}},
                              .word_label = said("both ways")},
                      .aliases = {{"--one-way", "one-way", "Sends only one way round the rings"}}});
    fields.push_back(chip_field(ChipsOffered::any, said("Whose links and synchronization count"), 2));
    fields.push_back(
        {.row = {.key = "chips",
                 .name = said("Chips behind switches"),
                 .label = said("Chips"),
                 .help = said("How many take part, next to each other, where switches join them; nothing for "
                              "as many as the axes have"),
                 .flag = "--chips",
                 .flag_help = "N: how many take part, next to each other, where switches join them (default: "
                              "as many as --axes has)",
                 .kind = FieldKind::whole,
                 .least = 2,
                 .most = most_chips}});
    return fields;
}

/// What was asked, read.
struct AskedCollective {
    Collective what = Collective::all_gather;
    double bytes = 1;
    Machine chip;
    std::vector<UsedAxis> axes;
    std::int64_t chips = 0; ///< behind switches
    std::optional<TwistedTorus> twisted{};

    [[nodiscard]] CollectiveCosts costs() const {
        return {what, chip, axes, chips, twisted ? &*twisted : nullptr};
    }
};

std::string in_the_words_of(const Asked& asked, const AxesObjection& wrong, const Machine& chip) {
    switch (wrong.kind) {
    case AxesObjection::Kind::several_axes:
        return say("send-recv goes to the next chip along one axis; {} works.",
                   asked.setting("axes", "X=16"));
    case AxesObjection::Kind::one_way_already:
        return say("send-recv goes one way already: {} works.", asked.setting("ways", {}));
    case AxesObjection::Kind::open_line: break;
    }
    return asked.text("links") == "lines"
               ? say("{}={} is an open line, and one way along it not every chip is reached: {} works.",
                     wrong.axis.name, wrong.axis.axis.chips, asked.setting("ways", {}))
               : say("{}={} is an open line on {}, and one way along it not every chip is reached: {} works, "
                     "or {}.",
                     wrong.axis.name, wrong.axis.axis.chips, chip.title, asked.setting("links", "rings"),
                     asked.setting("ways", {}));
}

/// Of chips behind switches: as many as are asked for, or as the axes have.
Result<AskedCollective> read_behind_switches(const Asked& asked, Collective what, Machine chip) {
    for (const char* const key : {"slice", "links", "ways"}) {
        if (asked.has(key)) {
            return refuse(say("{} joins its chips by switches, where {} has no meaning.", chip.title,
                              asked.setting(key, asked.text(key))));
        }
    }
    AskedCollective made{what, asked.number("bytes"), std::move(chip), {}, 0};
    if (asked.has("chips")) {
        made.chips = static_cast<std::int64_t>(asked.number("chips"));
    } else if (asked.has("axes")) {
        const Result<NamedMesh> axes = named_mesh_of(asked, "axes");
        if (!axes) {
            return refuse(axes.error());
        }
        made.chips = axes->devices();
    } else {
        return refuse(say("{} joins its chips by switches, and how many take part is not said; {} works.",
                          made.chip.title, asked.setting("chips", "8")));
    }
    return collective_on_levels(made.chip, what, made.bytes, made.chips)
        .map([&](const CollectiveOnLevels& /*found*/) { return std::move(made); });
}

Result<AskedCollective> read_collective(const Asked& asked) {
    const Result<Collective> what = parse_exchange(asked.text("collective"));
    if (!what) {
        return refuse(what.error());
    }
    Result<Machine> chip = chip_of(asked);
    if (!chip) {
        return refuse(chip.error());
    }
    if (chip->network.torus_axes() == 0) {
        return read_behind_switches(asked, *what, *std::move(chip));
    }
    if (asked.has("chips")) {
        return refuse(say("{} forms a torus, whose axes say which chips take part; {} works.", chip->title,
                          asked.setting("chips", {})));
    }
    if (!asked.has("axes")) {
        return refuse(say("{} forms a torus, and which axes take part is not said; {} works.", chip->title,
                          asked.setting("axes", "X=16")));
    }
    const Result<NamedMesh> taking_part = named_mesh_of(asked, "axes");
    if (!taking_part) {
        return refuse(taking_part.error());
    }
    const Result<NamedMesh> slice = asked.has("slice") ? named_mesh_of(asked, "slice") : taking_part;
    if (!slice) {
        return refuse(slice.error());
    }
    const bool twisted = asked.text("links") == "twisted";
    if (twisted && (*what == Collective::send_receive || asked.has("ways") ||
                    taking_part->devices() != slice->devices())) {
        return refuse(
            said("On a twisted torus all chips of the slice exchange, both ways; expected all of its "
                 "axes, both directions and a collective other than send-recv."));
    }
    AxesTaken taken;
    taken.one_way = asked.has("ways");
    if (asked.has("links")) {
        taken.rings = asked.text("links") != "lines";
    }
    Result<std::vector<UsedAxis>> used = used_axes(*taking_part, *slice, *chip, taken);
    if (!used) {
        return refuse(used.error());
    }
    if (const std::optional<AxesObjection> wrong = objection(*what, *used, taken)) {
        return refuse(in_the_words_of(asked, *wrong, *chip));
    }
    AskedCollective made{*what, asked.number("bytes"), *std::move(chip), *std::move(used), 0};
    if (twisted) {
        std::vector<std::int32_t> mesh;
        for (const MeshAxis& axis : slice->axes) {
            mesh.push_back(static_cast<std::int32_t>(axis.size));
        }
        const Result<TwistedTorus> torus = TwistedTorus::create(mesh, made.chip);
        if (!torus) {
            return refuse(torus.error());
        }
        made.twisted = *torus;
    }
    return made;
}

std::string_view bound_word(const ExchangeBound& bound) {
    return bound.bound_by_latency() ? "latency" : "bandwidth";
}

Tree values_of(const OfSize& one) {
    Tree values{{"bytes", one.bytes},
                {"time_in_s", one.bound.seconds()},
                {"bound", bound_word(one.bound)},
                {"latency_in_s", one.bound.latency},
                {"bandwidth_in_s", one.bound.bandwidth},
                {"achieved_in_bytes_per_s", one.bound.achieved()}};
    if (one.modelled) {
        values["modelled_in_s"] = *one.modelled;
    }
    return values;
}

/// By measured runs of NCCL on this preset as it is; nothing where there are none.
std::optional<ExpectedCollective> expected_of(const AskedCollective& asked) {
    if (!asked.axes.empty()) {
        return std::nullopt;
    }
    // nccl-tests counts of an all-to-all what one rank sends.
    const double bytes =
        asked.what == Collective::all_to_all ? asked.bytes / static_cast<double>(asked.chips) : asked.bytes;
    const std::vector<ExpectedCollective> found = expected_collectives(
        asked.chip, asked.what, asked.chips, servers_of(asked.chip, asked.chips), {bytes});
    return found.empty() ? std::nullopt : std::optional(found.front());
}

/// Each level behind which chips take part.
void for_each_level(const AskedCollective& asked,
                    const std::function<void(const Level&, const LevelTakes&, const LevelBound&)>& take) {
    const CollectiveOnLevels on = asked.costs().on_levels(asked.bytes);
    const std::vector<SwitchLevel> switches = on.switches(asked.chip.network);
    for (std::size_t k = 0; k < switches.size(); ++k) {
        take(asked.chip.network.levels[on.levels[k].level], on.levels[k],
             level_bound(asked.what, asked.bytes, asked.chips, switches[k]));
    }
}

/// Links from a chip to another one.
double mean_way(const TwistedTorus& torus) {
    return static_cast<double>(torus.all_ways()) / (torus.chips() - 1);
}

/// All but the sizes around.
Tree values_alone(const AskedCollective& asked) {
    const CollectiveCosts costs = asked.costs();
    const OfSize found = costs.of(asked.bytes);
    Tree values{{"operation", name(asked.what)}, {"hardware", asked.chip.name}};
    for (const UsedAxis& one : asked.axes) {
        values["axes"].push_back({{"name", std::string(1, one.name)},
                                  {"chips", one.axis.chips},
                                  {"ring", one.axis.ring},
                                  {"closed_by_the_hardware", one.closes},
                                  {"one_way", one.axis.one_way},
                                  {"link_in_bytes_per_s", one.axis.link.value()}});
    }
    if (asked.axes.empty()) {
        values["chips"] = asked.chips;
        for_each_level(asked, [&](const Level& level, const LevelTakes& takes, const LevelBound& bound) {
            values["levels"].push_back({{"name", title(level)},
                                        {"places", takes.places},
                                        {"chip_in_bytes_per_s", level.line_rate()},
                                        {"efficiency", level.efficiency.value},
                                        {"reduces", level.reduces},
                                        {"formula", plain_spaces(bound.formula)},
                                        {"bandwidth_in_s", bound.seconds},
                                        {"modelled_transfer_in_s", takes.transfer},
                                        {"steps", takes.steps},
                                        {"latency_in_s", takes.waits}});
        });
    }
    if (asked.twisted) {
        values["twisted"] = {{"longest_way_in_links", asked.twisted->longest_way()},
                             {"mean_way_in_links", mean_way(*asked.twisted)},
                             {"all_to_all_gain", asked.twisted->all_to_all_gain()}};
    }
    values.update(values_of(found));
    if (const std::optional<ExpectedCollective> expected = expected_of(asked)) {
        values.update({{"expected_in_s", expected->seconds},
                       {"expected_from_s", expected->low},
                       {"expected_to_s", expected->high}});
    }
    values["hops"] = found.bound.hops;
    if (!asked.axes.empty()) {
        values["hop_in_s"] = costs.hop();
    }
    values["formula"] = plain_spaces(found.bound.formula());
    values["latency_bound_below_in_bytes"] = costs.latency_bound_below();
    return values;
}

Tree values_of(const AskedCollective& asked) {
    Tree values = values_alone(asked);
    for (const OfSize& one : asked.costs().sizes()) {
        values["sizes"].push_back(values_of(one));
    }
    return values;
}

/// "X: ring of 16 chips, links of 45 GB/s each way".
std::string axis_note(const UsedAxis& one, const Machine& chip) {
    std::string note = fmt::format("{}: {} of {} chips, links of {} each way", one.name,
                                   one.axis.ring ? "ring" : "open line", one.axis.chips, text(one.axis.link));
    if (one.axis.one_way) {
        note += ", used one way";
    }
    if (one.axis.ring && !one.closes) {
        note += fmt::format("; {} does not close it, --ring does", chip.title);
    } else if (!one.axis.ring && !one.closes) {
        note += "; " + why_open(chip, one);
    } else if (!one.axis.ring) {
        note += fmt::format("; {} closes it, --line opens it", chip.title);
    }
    return note;
}

std::vector<Paragraph> words_of(const AskedCollective& asked) {
    const CollectiveCosts costs = asked.costs();
    const OfSize found = costs.of(asked.bytes);
    const bool behind_switches = asked.axes.empty();
    std::string first =
        fmt::format("{} of {} {}on {}\n", name(asked.what), bytes_text(asked.bytes),
                    behind_switches ? fmt::format("among {} chips ", asked.chips) : "", asked.chip.title);
    for (const UsedAxis& one : asked.axes) {
        first += "  " + axis_note(one, asked.chip) + "\n";
    }
    if (const std::optional<TwistedTorus>& torus = asked.twisted) {
        first += fmt::format("  twisted: {:.3g} links from chip to chip on average, {} at most; without the "
                             "twist {:.3g}\n"
                             "      an all-to-all takes {:.3g}x as long without it\n",
                             mean_way(*torus), torus->longest_way(),
                             static_cast<double>(torus->all_straight_ways()) / (torus->chips() - 1),
                             torus->all_to_all_gain());
    }
    if (behind_switches) {
        for_each_level(asked, [&](const Level& level, const LevelTakes& takes, const LevelBound& bound) {
            first +=
                fmt::format("  {}\n      {} = {}; as plans count it {}\n", level_words(level, takes.places),
                            bound.formula, seconds_text(bound.seconds), seconds_text(takes.transfer));
        });
    }
    first += fmt::format("\ntime = {}\n     = {}, bound by {}\n\n", found.bound.formula(),
                         seconds_text(found.bound.seconds()), bound_word(found.bound));
    Paragraph parts{
        {},
        {{"latency", seconds_text(found.bound.latency),
          fmt::format("{} {}{}", found.bound.hops, behind_switches ? "step" : "hop",
                      found.bound.hops == 1 ? "" : "s")},
         {"bandwidth", seconds_text(found.bound.bandwidth),
          fmt::format("bounds above {}", bytes_text(costs.latency_bound_below()))},
         {"achieved", si_text(found.bound.achieved(), "B/s"), "bytes on a chip's links over the time"}}};
    if (found.modelled) {
        parts.lines.push_back({"modelled", seconds_text(*found.modelled),
                               behind_switches ? "as plans count it: the slowest level at the bandwidth it "
                                                 "reaches, then the latency of all steps"
                                               : "as plans count it: with launches and every step's "
                                                 "synchronization, without bytes that a chip already has"});
    }
    if (const std::optional<ExpectedCollective> expected = expected_of(asked)) {
        parts.lines.push_back({"expected", seconds_text(expected->seconds),
                               fmt::format("by measured runs of NCCL; eight of ten from {} to {}",
                                           seconds_text(expected->low), seconds_text(expected->high))});
    }
    Paragraph sizes{{}, {{"bytes", "time", "bound by", "achieved"}}, 0, false};
    for (const OfSize& one : costs.sizes({1})) {
        sizes.lines.push_back({si_text(one.bytes, "B"), seconds_text(one.bound.seconds()),
                               std::string(bound_word(one.bound)), si_text(one.bound.achieved(), "B/s")});
    }
    return {{std::move(first)}, std::move(parts), {"\n"}, std::move(sizes)};
}

Answer answer_of(const Asked& asked, const AskedCollective& read) {
    Chart chart = achieved_chart(read.costs(), read.bytes);
    Answer answer{values_of(read), chart.title,
                  read.axes.empty()
                      ? say("{} among {} chips on {}", name(read.what), read.chips, read.chip.title)
                      : say("{} along {} on {}", name(read.what), asked.text("axes"), read.chip.title)};
    if (const std::optional<ExpectedCollective> expected = expected_of(read)) {
        answer.headline =
            say("{}; by measured runs {} ({} to {}) is expected", answer.headline,
                seconds_text(expected->seconds), seconds_text(expected->low), seconds_text(expected->high));
        answer.trust.bands.push_back(
            {said("time"), "expected_in_s", expected->seconds, expected->low, expected->high});
    }
    answer.words = words_of(read);
    answer.tables.push_back(NamedTable::of("sizes", size_table(read.costs())));
    answer.charts.push_back({"sizes", std::move(chart)});
    return answer;
}

} // namespace

Question collective_question() {
    Question question{
        "collective",
        said("Collectives"),
        "collectives",
        said("Says what a collective costs along axes of a torus or behind switches, by the scaling book "
             "and by our model"),
        {},
        collective_fields(),
        [](const Asked& asked, const RunControl& /*control*/) {
            return read_collective(asked).map([](const AskedCollective& one) { return values_of(one); });
        },
        [](const Asked& asked, const RunControl& /*control*/) {
            return read_collective(asked).map(
                [&](const AskedCollective& one) { return answer_of(asked, one); });
        }};
    question.files = {{AnswerFile::Of::chart, "sizes", "--svg",
                       "FILE.svg: draws the rate that is achieved against the size"}};
    question.examples = {"all-gather --bytes \"34 MB\" --axes X=16",
                         "all-reduce --bytes 64e6 --mesh 4x4 --machine tpu-v5p",
                         "all-to-all --bytes 64e6 --axes 4x4x8 --twisted --machine tpu-v4",
                         "all-reduce --bytes 1.6e9 --chips 16 --machine h100"};
    return question;
}

} // namespace meshslice
