// How long collectives take on the links of a network of switches, alone and with other traffic, on a tree
// that is oversubscribed, and with a port that is slow or dead.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/cost/collective/collective.h"
#include "core/cost/collective/collective_costs.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/flow_charts.h"
#include "core/simulate/cluster/cluster_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_flow_chips = 4096;

QuestionField flow_exchange_field(std::string key, std::string name, std::string help, std::string flag,
                                  std::string first, bool needed) {
    QuestionField field{.row = {.key = std::move(key),
                                .name = std::move(name),
                                .help = std::move(help),
                                .flag = std::move(flag),
                                .flag_help = "all-gather|reduce-scatter|all-reduce|all-to-all|broadcast|"
                                             "reduce|send-recv",
                                .kind = FieldKind::choice,
                                .from_text = [](std::string_view words) -> Result<FieldValue> {
                                    return parse_exchange(words).map([](Collective one) {
                                        return FieldValue(std::string(meshslice::name(one)));
                                    });
                                }},
                        .needed = needed,
                        .shown = std::move(first)};
    for (const Collective one : all_collectives) {
        field.row.choices.push_back({std::string(meshslice::name(one)), {}});
    }
    return field;
}

QuestionField flow_chips_field(FieldRow row, std::string first, std::string shown) {
    row.kind = FieldKind::whole;
    row.most = most_flow_chips;
    return {.row = std::move(row), .first = std::move(first), .shown = std::move(shown)};
}

void add_first_exchange(std::vector<QuestionField>& fields) {
    fields.push_back(flow_exchange_field("collective", said("Collective"),
                                         said("What the chips of a group exchange"), "operation",
                                         "all-reduce", true));
    fields.push_back(
        {.row = exchange_bytes_row(
             {.key = "bytes",
              .name = said("Size"),
              .label = said("Size"),
              .help = said("Of the whole array of a group, as it is after an all-gather or before a "
                           "reduce-scatter; of send-recv, what every chip sends to the next one"),
              .flag = "--bytes",
              .flag_help = "256e6 or \"256 MB\": of the whole array of a group, as it is after an "
                           "all-gather or before a reduce-scatter; of send-recv, what every chip "
                           "sends to the next one"}),
         .needed = true,
         .shown = "256 MB"});
    fields.push_back(
        flow_chips_field({.key = "group",
                          .name = said("Chips of a group"),
                          .label = said("Group"),
                          .help = said("How many chips exchange with each other; all chips are in groups"),
                          .flag = "--group",
                          .flag_help = "N: how many chips exchange with each other; all chips are in "
                                       "groups (default: all chips are one)",
                          .least = 2},
                         {}, "4"));
    fields.push_back(
        flow_chips_field({.key = "stride",
                          .name = said("Distance between chips of a group"),
                          .label = said("Distance"),
                          .help = said("1: chips next to each other, as a tensor-parallel group; 8: "
                                       "every eighth one, as data-parallel groups around such groups "
                                       "of 8"),
                          .flag = "--stride",
                          .flag_help = "N: 1 for chips next to each other, as a tensor-parallel group; "
                                       "8 for every eighth one, as data-parallel groups around such "
                                       "groups of 8 (default 1)",
                          .least = 1},
                         "1", "8"));
}

void add_second_exchange(std::vector<QuestionField>& fields) {
    fields.push_back(flow_exchange_field("with", said("Other traffic"),
                                         said("A second collective that begins at the same time"), "--with",
                                         {}, false));
    fields.back().row.flag_help =
        "OPERATION: a second collective that begins at the same time, one of the same (default none)";
    fields.back().row.word_label = said("no other traffic");
    fields.back().row.word = "none";
    fields.push_back(
        {.row = exchange_bytes_row({.key = "with_bytes",
                                    .name = said("Size of the other"),
                                    .label = said("Its size"),
                                    .help = said("As the size of the first"),
                                    .flag = "--with-bytes",
                                    .flag_help = "\"64 MB\": as --bytes; default as the first"})});
    fields.push_back(flow_chips_field({.key = "with_group",
                                       .name = said("Chips of a group of the other"),
                                       .label = said("Its group"),
                                       .help = said("Nothing for as many as the first"),
                                       .flag = "--with-group",
                                       .flag_help = "N: as --group; default as the first",
                                       .least = 2},
                                      {}, {}));
    fields.push_back(flow_chips_field({.key = "with_stride",
                                       .name = said("Distance between chips of a group of the other"),
                                       .label = said("Its distance"),
                                       .help = said("As the distance of the first"),
                                       .flag = "--with-stride",
                                       .flag_help = "N: as --stride (default 1)",
                                       .least = 1},
                                      "1", {}));
}

std::vector<QuestionField> flow_fields() {
    std::vector<QuestionField> fields;
    add_first_exchange(fields);
    add_second_exchange(fields);
    fields.push_back(chip_field(ChipsOffered::any, said("Whose switches count"), 2));
    fields.back().first = "h100-nvs8"; // The usual chip has no switches.
    fields.back().row.flag_help = "NAME|FILE.json: the chip and its switches (default h100-nvs8)";
    fields.push_back(flow_chips_field({.key = "chips",
                                       .name = said("Chips"),
                                       .label = said("Chips"),
                                       .help = said("Of the cluster, all of which take part"),
                                       .flag = "--chips",
                                       .flag_help = "N: of the cluster, all of which take part (default 32)",
                                       .least = 2},
                                      "32", {}));
    fields.push_back(
        flow_chips_field({.key = "leaf",
                          .name = said("Chips of a leaf switch"),
                          .label = said("Leaf"),
                          .help = said("How many chips' ports meet in one leaf switch; the leaves meet in "
                                       "a spine. Nothing for one switch that joins all"),
                          .flag = "--leaf",
                          .flag_help = "N: how many chips' ports meet in one leaf switch; the leaves "
                                       "meet in a spine (default: one switch joins all)",
                          .least = 1},
                         {}, {}));
    fields.push_back(
        {.row = {.key = "oversubscription",
                 .name = said("Oversubscription"),
                 .label = said("Oversubscribed"),
                 .help = said("Ports of a leaf over its links to the spine: 1 for as many, 4 for a "
                              "quarter"),
                 .flag = "--oversubscription",
                 .flag_help = "F: ports of a leaf over its links to the spine (default 1)",
                 .kind = FieldKind::quantity,
                 .lowest = 1,
                 .highest = most_flow_chips,
                 .range = said("1 or more")},
         .first = "1"});
    fields.push_back(
        {.row = {.key = "wiring",
                 .name = said("Wiring"),
                 .help = said("Which chips a leaf joins: all of neighbouring domains, or one of each "
                              "domain, a rail"),
                 .flag = "--wiring",
                 .flag_help = "domains|rails: a leaf joins all chips of neighbouring domains, or "
                              "one of each domain (default domains)",
                 .kind = FieldKind::choice,
                 .choices = {{"domains", said("leaves join domains")}, {"rails", said("leaves are rails")}}},
         .first = "domains"});
    fields.push_back(
        {.row = {.key = "spine",
                 .name = said("Way to the spine"),
                 .help = said("Whether flows spread over all links of a leaf, or each takes the one "
                              "that its receiver's number names (d-mod-k)"),
                 .flag = "--spine",
                 .flag_help = "spread|destination: flows spread over all links of a leaf, or each "
                              "takes the one that its receiver's number names (default spread)",
                 .kind = FieldKind::choice,
                 .choices = {{"spread", said("flows spread")}, {"destination", said("by destination")}}},
         .first = "spread"});
    fields.push_back(
        {.row = {.key = "ports",
                 .name = said("Slow and dead ports"),
                 .label = said("Slow ports"),
                 .help = said("Chips whose port to the outer network is slow, with the share of its "
                              "rate, or dead: 3=0.5, 5=0"),
                 .flag = "--ports",
                 .flag_help = "3=0.5,5=0: chips whose port to the outer network has half its rate, "
                              "or is dead; a dead port's bytes go by way of the next chip of its "
                              "domain",
                 .word_label = said("all ports whole")},
         .width = 2});
    return fields;
}

/// What was asked, read.
struct AskedFlows {
    Machine machine;
    ClusterWiring wiring;
    std::vector<ClusterExchange> exchanges;
    std::vector<PortFault> faults;
};

Result<std::vector<PortFault>> read_slow_ports(const Asked& asked) {
    std::vector<PortFault> faults;
    const std::string words = asked.text("ports");
    for (std::size_t from = 0; from < words.size();) {
        const std::size_t comma = std::min(words.find(',', from), words.size());
        const std::string one = words.substr(from, comma - from);
        const std::size_t equals = one.find('=');
        const auto chip = parse_whole(one.substr(0, equals));
        const auto speed = parse_quantity(equals == std::string::npos ? "" : one.substr(equals + 1), "");
        if (!chip || !speed || !(*speed == 0 || (*speed >= least_port_speed && *speed <= 1))) {
            return refuse(say("{} has \"{}\"; expected a chip's number and the share of its rate, {} to 1 or "
                              "0 for a dead port, such as 3=0.5.",
                              asked.called("ports"), shortened(one), least_port_speed));
        }
        faults.push_back({*chip, *speed});
        from = comma + 1;
    }
    return faults;
}

Result<AskedFlows> read_flows(const Asked& asked) {
    Result<Machine> machine = chip_of(asked);
    if (!machine) {
        return refuse(machine.error());
    }
    const auto whole = [&](const char* key) { return static_cast<std::int64_t>(asked.number(key)); };
    AskedFlows made{*std::move(machine), {}, {}, {}};
    made.wiring = {
        whole("chips"), whole("leaf"), asked.number("oversubscription"), asked.text("wiring") == "rails",
        asked.text("spine") == "destination" ? SpineRouting::by_destination : SpineRouting::spread};
    for (const char* key : {"oversubscription", "wiring", "spine"}) {
        if (made.wiring.leaf == 0 && asked.text(key) != "domains" && asked.text(key) != "spread" &&
            asked.number(key) != 1) {
            return refuse(
                say("{} is about leaf switches, and how many chips one joins is not said; {} works.",
                    asked.called(key), asked.setting("leaf", "16")));
        }
    }
    for (const char* key : {"with_bytes", "with_group", "with_stride"}) {
        const bool first = key == std::string_view("with_stride") ? asked.number(key) == 1 : !asked.has(key);
        if (asked.text("with").empty() && !first) {
            return refuse(say("{} is about the other traffic, and its collective is not said; {} works.",
                              asked.called(key), asked.setting("with", name(Collective::all_gather))));
        }
    }
    const auto exchange = [&](const std::string& before, std::string_view what) -> Result<ClusterExchange> {
        return parse_exchange(what).map([&](Collective one) {
            const auto own = [&](const char* key) {
                return asked.has(before + key) ? asked.number(before + key) : asked.number(key);
            };
            const double group = own("group");
            return ClusterExchange{one, own("bytes"),
                                   group > 0 ? static_cast<std::int64_t>(group) : made.wiring.chips,
                                   whole((before + "stride").c_str())};
        });
    };
    for (const auto& [before, key] :
         {std::pair(std::string(), "collective"), std::pair(std::string("with_"), "with")}) {
        if (asked.text(key).empty()) {
            continue;
        }
        const Result<ClusterExchange> one = exchange(before, asked.text(key));
        if (!one) {
            return refuse(one.error());
        }
        made.exchanges.push_back(*one);
    }
    const Result<std::vector<PortFault>> faults = read_slow_ports(asked);
    if (!faults) {
        return refuse(faults.error());
    }
    made.faults = *faults;
    return made;
}

/// Seconds as plans count an exchange: alone, on a network that is whole and not oversubscribed.
double planned_seconds(const AskedFlows& asked, const ClusterExchange& exchange) {
    ChipGroup group;
    group.chips = exchange.group;
    const std::vector<std::int64_t> units = unit_chips(asked.machine.network);
    for (std::size_t k = 0; k < group.within.size(); ++k) {
        group.within[k] = k + 1 < asked.machine.network.levels.size()
                              ? members_in_domain(exchange, std::min(units[k], asked.wiring.chips))
                              : 1;
    }
    return LevelLaws::of(asked.machine, ModelRules::exact)
        .value()
        .seconds(exchange.what, exchange.bytes, group);
}

std::string flow_exchange_text(const ClusterExchange& one) {
    return one.stride == 1 ? say("{} of {} among {}", name(one.what), bytes_text(one.bytes), one.group)
                           : say("{} of {} among {} at distances of {}", name(one.what),
                                 bytes_text(one.bytes), one.group, one.stride);
}

Result<FoundFlows> find_flows(const AskedFlows& asked, const RunControl& control) {
    const Result<ClusterLinks> links = ClusterLinks::of(asked.machine, asked.wiring, asked.faults);
    if (!links) {
        return refuse(links.error());
    }
    const auto run = [&](const std::vector<ClusterExchange>& exchanges,
                         std::vector<ClusterFlow>& flows) -> Result<ClusterOutcome> {
        Result<std::vector<ClusterFlow>> made = cluster_flows(exchanges, asked.wiring.chips, links->domain());
        if (!made) {
            return refuse(made.error());
        }
        flows = *std::move(made);
        return run_cluster(*links, flows, control);
    };
    FoundFlows found;
    std::vector<ClusterFlow> flows;
    Result<ClusterOutcome> together = run(asked.exchanges, flows);
    if (!together) {
        return refuse(together.error());
    }
    std::vector<std::string> names;
    for (std::size_t k = 0; k < asked.exchanges.size(); ++k) {
        const ClusterExchange& one = asked.exchanges[k];
        FoundFlows::Exchange its{flow_exchange_text(one), one, 0, in_seconds(together->exchange_ends[k]),
                                 planned_seconds(asked, one)};
        its.alone_s = its.together_s;
        if (asked.exchanges.size() > 1) {
            std::vector<ClusterFlow> own;
            const Result<ClusterOutcome> alone = run({one}, own);
            if (!alone) {
                return refuse(alone.error());
            }
            its.alone_s = in_seconds(alone->end);
        }
        names.push_back(its.name);
        found.exchanges.push_back(std::move(its));
    }
    found.flows = flows.size();
    for (std::size_t k = 0; k < links->all().size(); ++k) {
        const ClusterLink& link = links->all()[k];
        if (together->bytes[k] > 0) {
            found.links.push_back({link.place, link.name, link.tier, link.rate, together->bytes[k],
                                   in_seconds(together->busy[k]), together->use(link, k)});
        }
    }
    for (const Level& level : asked.machine.network.levels) {
        found.tiers.push_back(title(level));
    }
    found.tiers.push_back(said("leaf to spine"));
    found.seconds = in_seconds(together->end);
    found.timeline = cluster_timeline(*links, flows, *together, names,
                                      say("{} chips of {}", asked.wiring.chips, asked.machine.title));
    return found;
}

Tree values_of(const AskedFlows& asked, const FoundFlows& found) {
    Tree values{{"hardware", asked.machine.name}, {"chips", asked.wiring.chips}, {"flows", found.flows},
                {"time_in_s", found.seconds},     {"exchanges", Tree::array()},  {"levels", Tree::array()}};
    for (const FoundFlows::Exchange& one : found.exchanges) {
        values["exchanges"].push_back({{"operation", name(one.asked.what)},
                                       {"bytes", one.asked.bytes},
                                       {"group", one.asked.group},
                                       {"stride", one.asked.stride},
                                       {"time_in_s", one.together_s},
                                       {"alone_in_s", one.alone_s},
                                       {"slower_ratio", one.together_s / one.alone_s},
                                       {"planned_in_s", one.planned_s}});
    }
    for (std::size_t tier = 0; tier < found.tiers.size(); ++tier) {
        if (const FoundFlows::Link* busiest = found.busiest(static_cast<int>(tier))) {
            values["levels"].push_back({{"name", found.tiers[tier]},
                                        {"mean_use_share", found.mean_use(static_cast<int>(tier))},
                                        {"busiest", busiest->place + ", " + busiest->name},
                                        {"busiest_use_share", busiest->use}});
        }
    }
    return values;
}

std::vector<Paragraph> words_of(const AskedFlows& asked, const FoundFlows& found) {
    const bool several = found.exchanges.size() > 1;
    std::vector<Paragraph> words = {
        {fmt::format("{} chips of {}: {} flows\n\n", asked.wiring.chips, asked.machine.title, found.flows)}};
    Paragraph times;
    times.lines.push_back(
        {"exchange", several ? "together" : "time", several ? "alone" : "", "as plans count it"});
    for (const FoundFlows::Exchange& one : found.exchanges) {
        times.lines.push_back({one.name, seconds_text(one.together_s),
                               several ? seconds_text(one.alone_s) : std::string(),
                               seconds_text(one.planned_s)});
    }
    times.words_last = false;
    words.push_back(std::move(times));
    words.push_back({"\n"});
    Paragraph use;
    use.lines.push_back({"links", "mean use", "busiest", ""});
    for (std::size_t tier = 0; tier < found.tiers.size(); ++tier) {
        if (const FoundFlows::Link* busiest = found.busiest(static_cast<int>(tier))) {
            use.lines.push_back({found.tiers[tier], percent_text(found.mean_use(static_cast<int>(tier))),
                                 percent_text(busiest->use), busiest->place + ", " + busiest->name});
        }
    }
    words.push_back(std::move(use));
    return words;
}

Table flow_link_table(const FoundFlows& found) {
    Table table{said("Links"), {"place", "link", "rate_bytes_per_s", "bytes", "busy_s", "use_share"}, {}};
    for (const FoundFlows::Link& one : found.links) {
        table.rows.push_back({one.place, one.name, one.rate, one.bytes, one.busy_s, one.use});
    }
    return table;
}

Table flow_exchange_table(const FoundFlows& found) {
    Table table{said("Exchanges"), {"exchange", "time_s", "alone_s", "planned_s"}, {}};
    for (const FoundFlows::Exchange& one : found.exchanges) {
        table.rows.push_back({one.name, one.together_s, one.alone_s, one.planned_s});
    }
    return table;
}

Answer answer_of(const AskedFlows& asked, const FoundFlows& found) {
    Chart chart = flow_time_chart(found);
    Answer answer{
        values_of(asked, found), chart.title,
        say("{} on {} chips of {}", found.exchanges.front().name, asked.wiring.chips, asked.machine.title)};
    answer.words = words_of(asked, found);
    answer.tables.push_back(NamedTable::of("exchanges", flow_exchange_table(found)));
    answer.tables.push_back(NamedTable::of("links", flow_link_table(found)));
    answer.charts.push_back({"times", std::move(chart), {}, said("Times")});
    answer.charts.push_back({"use", flow_use_chart(found), {}, said("Use of links")});
    answer.runs.push_back({"flows", found.timeline});
    answer.notes = {
        said("Rings through all domains, as many as a group has chips in each; bytes in flight and "
             "the copies of a chip take no time of their own, and each step waits for its latency.")};
    const bool adds = std::ranges::any_of(asked.machine.network.levels, &Level::reduces);
    if (adds && std::ranges::any_of(asked.exchanges, [](const ClusterExchange& one) {
            return one.what == Collective::all_reduce;
        })) {
        answer.notes.push_back(said("Switches that add up an all-reduce are counted in plans; the simulation "
                                    "has rings alone."));
    }
    return answer;
}

} // namespace

Question flows_question() {
    Question question{
        "flows",
        said("Flows on switches"),
        "flows",
        said("Simulates collectives as flows on the links of switches: with other traffic, oversubscribed, "
             "with slow or dead ports"),
        {},
        flow_fields(),
        [](const Asked& asked, const RunControl& control) {
            return read_flows(asked).and_then([&](const AskedFlows& one) {
                return find_flows(one, control).map([&](const FoundFlows& found) {
                    return values_of(one, found);
                });
            });
        },
        [](const Asked& asked, const RunControl& control) {
            return read_flows(asked).and_then([&](const AskedFlows& one) {
                return find_flows(one, control).map([&](const FoundFlows& found) {
                    return answer_of(one, found);
                });
            });
        }};
    question.files = {
        {AnswerFile::Of::runs, {}, "--trace", "FILE: writes what each link does as Chrome trace JSON"},
        {AnswerFile::Of::table, "links", "--csv-links", "FILE.csv: writes bytes and use of each link"},
        {AnswerFile::Of::chart, "times", "--svg", "FILE.svg: draws the times"},
        {AnswerFile::Of::chart, "use", "--svg-use", "FILE.svg: draws the use of the links"}};
    question.examples = {"all-reduce --bytes \"256 MB\" --group 4 --stride 8 --machine h100",
                         "all-reduce --bytes \"256 MB\" --group 2 --stride 16 --with all-gather --with-group "
                         "16 --machine h100 "
                         "--leaf 16 --oversubscription 4",
                         "all-to-all --bytes \"64 MB\" --chips 64 --leaf 8 --wiring rails --ports 3=0.5 "
                         "--machine h100 --json"};
    return question;
}

} // namespace meshslice
