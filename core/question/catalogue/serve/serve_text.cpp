#include "core/question/catalogue/serve/serve_text.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/serve/replica/served_run.h"
#include "core/question/serve/replica/served_step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

std::string token_rate_text(double tokens) {
    return fmt::format("{:.{}f}", tokens, tokens < 100 ? 1 : 0);
}

Table served_step_table(const Served& served, ServedPhase phase) {
    const bool prefill = phase == ServedPhase::prefill;
    const ServedOperations& costs = prefill ? served.prefill : served.decode;
    const double all = seconds_of(costs);
    Table table{prefill ? said("A prefill of all prompts, of one chip") : said("A decode step, of one chip"),
                {"operation", "time_s", "share", "work_flop", "moved_bytes", "compute_s", "memory_s", "bound",
                 "formula"},
                {}};
    for (const ServedOperation& one : costs) {
        table.rows.push_back({std::string(one.name), one.seconds, all > 0 ? one.seconds / all : 0, one.flop,
                              one.bytes, one.compute, one.memory, std::string(name(one.bound)),
                              served_formula(served, phase, one)});
    }
    return table;
}

Paragraph served_step_lines(const Table& table) {
    Paragraph lines{{}, {{"", "time", "share", "FLOP", "bytes", "bound", "by"}}, 1, true};
    const auto number = [](const Table::Cell& cell) { return std::get<double>(cell); };
    const auto word = [](const Table::Cell& cell) { return std::get<std::string>(cell); };
    for (const std::vector<Table::Cell>& row : table.rows) {
        if (number(row[1]) > 0) {
            lines.lines.push_back({word(row[0]), seconds_text(number(row[1])), percent_text(number(row[2])),
                                   si_text(number(row[3]), ""), bytes_text(number(row[4])), word(row[7]),
                                   word(row[8])});
        }
    }
    return lines;
}

Table served_memory_table(const Served& served) {
    Table table{said("Memory of a chip"), {"part", "bytes", "share_of_capacity"}, {}};
    for (const auto& [part, bytes] : served_memory_parts(served.memory)) {
        table.rows.push_back({part, bytes, bytes / served.one.chip.chip.memory});
    }
    return table;
}

Table near_rows_table(const Served& served) {
    Table table{said("The nearest measured rows"),
                {"id", "hardware", "model", "engine", "quantity", "tp", "batch", "input", "output",
                 "measured_s", "predicted_s", "error"},
                {}};
    for (const NearRow& row : served.nearest) {
        table.rows.push_back({row.id, row.hardware, row.model, row.engine, row.quantity, row.tensor,
                              row.batch, row.input, row.output, row.measured, row.predicted, row.error()});
    }
    return table;
}

/// With names of quantities in words.
Table near_rows_for_people(const Served& served) {
    Table table = near_rows_table(served);
    for (std::vector<Table::Cell>& row : table.rows) {
        row[4] = std::get<std::string>(row[4]) == "ttft" ? said("time to first token")
                                                         : said("time per output token");
    }
    return table;
}

Table serving_frontier_table(const Served& served) {
    Table table{said("Tokens/s of a chip and of a user"),
                {"tp", "batch", "ttft_s", "tpot_s", "tokens_per_s_per_user", "tokens_per_s_per_chip",
                 "memory_bytes", "fits", "best"},
                {}};
    for (const ServingPoint& one : served.points) {
        table.rows.push_back({one.tensor, one.batch, one.times.ttft, one.times.tpot, one.times.per_user,
                              one.times.per_chip, one.memory, std::string(one.fits ? "yes" : "no"),
                              std::string(one.best ? "yes" : "no")});
    }
    return table;
}

} // namespace

std::string served_bound_word(ServedBound bound) {
    switch (bound) {
    case ServedBound::compute: return say("arithmetic");
    case ServedBound::memory: return say("memory");
    case ServedBound::link: return say("links");
    case ServedBound::overhead: return say("overhead");
    }
    return {};
}

std::string chips_text(double count) {
    return count == 1 ? said("1 chip") : say("{} chips", number_text(count));
}
std::string requests_text(double count) {
    return count == 1 ? said("1 request") : say("{} requests", number_text(count));
}
std::string tokens_text(double count) {
    constexpr double rounded_from = 1e6;
    const bool whole = count == std::floor(count) && count < rounded_from;
    return count == 1 ? said("1 token")
                      : say("{} tokens", whole ? fmt::format("{:.0f}", count) : number_text(count));
}

namespace {

Paragraph served_lines(const Served& served) {
    Paragraph lines;
    const auto add = [&](std::string what, std::string value, std::string of) {
        lines.lines.push_back({std::move(what), std::move(value), std::move(of)});
    };
    const auto band = [](const std::optional<ServedBand>& one, double value) {
        return one ? fmt::format("; expected from {} to {}, as far as we are off on 8 of 10 measured rows",
                                 seconds_text(value * one->low), seconds_text(value * one->high))
                   : std::string();
    };
    if (served.prefills()) {
        add("first token", seconds_text(served.times.ttft),
            fmt::format("bound by {}{}", served_bound_word(bound_of(served.prefill)),
                        band(served.ttft_band, served.times.ttft)));
    }
    if (served.decodes()) {
        add("next token", seconds_text(served.times.tpot),
            fmt::format("bound by {}{}", served_bound_word(bound_of(served.decode)),
                        band(served.tpot_band, served.times.tpot)));
        add("a user", token_rate_text(served.times.per_user), "tokens/s");
    }
    add("a chip", token_rate_text(served.tokens_per_s_per_chip()),
        fmt::format("tokens/s {}", served.phase != PhaseAsked::prefill ? "out" : "in"));
    if (served.chips > static_cast<std::int64_t>(served.one.chips()) || served.one.chips() > 1) {
        add("all chips", token_rate_text(served.tokens_per_s_per_chip() * static_cast<double>(served.chips)),
            fmt::format("tokens/s {} of {}, {} at once", served.decodes() ? "out" : "in",
                        chips_text(static_cast<double>(served.chips)), requests_text(served.at_once())));
    }
    if (served.phase == PhaseAsked::both) {
        add("whole request", seconds_text(served.times.e2e),
            fmt::format("{} tokens in, {} out", served.asked.input, served.asked.output));
    }
    add("memory", bytes_text(served.memory.total()),
        fmt::format("of {} a chip: {}", bytes_text(served.one.chip.chip.memory),
                    served.fits() ? "fits" : "does not fit"));
    add("most requests", std::to_string(served.most_batch), "of these lengths fit into a replica");
    if (served.critical_batch > 0) {
        add("critical batch", fmt::format("{:.0f}", std::ceil(served.critical_batch)),
            "from here on products of a decode step take longer to compute than to read");
    }
    if (served.price > 0) {
        constexpr double hour = 3600, million = 1e6;
        add("price", fmt::format("{:.3g}", million * served.price / hour / served.tokens_per_s_per_chip()),
            "for a million tokens, prefill and decode in turn");
    }
    return lines;
}

/// The same as a table.
Table main_table(const Paragraph& lines) {
    Table table{said("The answer"), {"what", "value", "remark"}, {}};
    for (const std::vector<std::string>& line : lines.lines) {
        table.rows.push_back({line[0], line[1], line[2]});
    }
    return table;
}

/// Of a static batch.
std::vector<NumberBand> bands_of(const Served& served) {
    std::vector<NumberBand> bands;
    const auto add = [&](const std::optional<ServedBand>& one, const char* path, std::string name,
                         double value) {
        if (one) {
            bands.push_back({std::move(name), path, value, value * one->low, value * one->high});
        }
    };
    if (served.prefills()) {
        add(served.ttft_band, "ttft_s", said("time to first token"), served.times.ttft);
    }
    if (served.decodes()) {
        add(served.tpot_band, "tpot_s", said("time per output token"), served.times.tpot);
    }
    if (served.phase == PhaseAsked::both) {
        add(served.time_band, "e2e_s", said("whole request"), served.times.e2e);
    }
    return bands;
}

void add_serving_goal(const Served& served, Answer& answer) {
    const ServingAdvice& advice = served.advice;
    if (advice.meeting.empty()) {
        return; // the headline says so
    }
    const ServingPoint& first = advice.meeting.front();
    std::string words = say("The fewest chips that meet the goal: {}, with a batch of {}.",
                            served.asked.replica_chips(first.tensor), first.batch);
    if (advice.meeting.size() > 1) {
        const ServingPoint& next = advice.meeting[1];
        words += said(" ") + say("Next: {} with a batch of {}, {} as many tokens/s of a chip.",
                                 chips_of_replica(served, next.tensor), next.batch,
                                 fmt::format("{:.2f}x", next.times.per_chip / first.times.per_chip));
        answer.offers.push_back(
            {say("Use {} a replica and a batch of {}", chips_of_replica(served, next.tensor), next.batch),
             {{"serve", "tp", next.tensor}, {"serve", "batch", next.batch}}});
    }
    answer.words.push_back({words + "\n"});
}

} // namespace

double Served::time() const {
    return phase == PhaseAsked::prefill ? times.ttft : phase == PhaseAsked::decode ? times.tpot : times.e2e;
}
double Served::tokens_per_s_per_chip() const {
    return phase == PhaseAsked::prefill  ? times.prompt_per_chip
           : phase == PhaseAsked::decode ? times.decode_per_chip
                                         : times.per_chip;
}

std::string served_headline(const Served& served) {
    if (served.rated) {
        return rated_headline(*served.rated, served.load ? served.load->load.rate : 0);
    }
    if (served.load) {
        return load_headline(*served.load);
    }
    if (!served.limits.empty() && served.advice.meeting.empty()) {
        return say("Nothing that fits meets the goal; closest: {} with a batch of {}, where {} is "
                   "farthest off",
                   chips_of_replica(served, served.advice.nearest.tensor), served.advice.nearest.batch,
                   served.advice.missed);
    }
    if (!served.fits()) {
        return say("{} does not fit on {} x {}: {} are needed of {} a chip", served.one.model.title,
                   served.one.chips(), served.asked.machine.title, bytes_text(served.memory.total()),
                   bytes_text(served.one.chip.chip.memory));
    }
    if (served.phase == PhaseAsked::both && !served.decodes()) {
        return say("The only token after {}, bound by {}: {} requests/s of a chip",
                   seconds_text(served.times.ttft), served_bound_word(bound_of(served.prefill)),
                   number_text(served.times.per_chip / served.one.output));
    }
    if (served.phase == PhaseAsked::prefill) {
        return say("First token after {}, bound by {}: {} prompts' tokens/s of a chip",
                   seconds_text(served.times.ttft), served_bound_word(bound_of(served.prefill)),
                   token_rate_text(served.times.prompt_per_chip));
    }
    if (served.phase == PhaseAsked::decode) {
        return say("A token every {}, bound by {}: {} tokens/s of a user, {} of a chip",
                   seconds_text(served.times.tpot), served_bound_word(bound_of(served.decode)),
                   token_rate_text(served.times.per_user), token_rate_text(served.times.decode_per_chip));
    }
    return say(
        "First token after {}, then one every {}: {} tokens/s of a user, {} of a chip; decode is bound by {}",
        seconds_text(served.times.ttft), seconds_text(served.times.tpot),
        token_rate_text(served.times.per_user), token_rate_text(served.times.per_chip),
        served_bound_word(bound_of(served.decode)));
}

std::vector<std::string> served_notes(const Served& served) {
    std::vector<std::string> notes = {served.one.chip.constants};
    if (served.time_band && served.phase == PhaseAsked::both && !served.load) {
        const double time = served.time();
        notes.push_back(say("A whole request is expected to take from {} to {}, as far as we are off on "
                            "eight of ten measured rows.",
                            seconds_text(time * served.time_band->low),
                            seconds_text(time * served.time_band->high)));
    }
    if (served.asked.tensor == 0 && served.one.tensor > 1) {
        const double chips = served.one.tensor * served.one.context();
        notes.push_back(served.fits()
                            ? say("{} chips share a replica, the fewest powers of two that hold it.", chips)
                            : say("{} chips share a replica, and even they do not hold it.", chips));
    }
    if (const ServingLayout& layout = served.one.layout; !layout.plain()) {
        notes.push_back(
            layout.context > 1
                ? said("No row of servers that divide the tokens of a request was measured, so there is no "
                       "interval. Each group has all weights and a part of the tokens; keys and values of "
                       "prompts move while the chips attend, and what decode moves is waited for.")
                : said("No row of such a layout was measured, so there is no interval. What its chips "
                       "exchange "
                       "takes as much more or less than fitted all-reduces as the laws of the network have "
                       "it."));
    }
    if (served.load) {
        const PromptPolicy prompts = prompts_of(served.one, served.asked.engine);
        notes.push_back(
            served.asked.apart()             ? said("Prompts are taken whole, in a pool of their own.")
            : prompts == PromptPolicy::alone ? said("Prompts are taken whole, and decode waits for them.")
            : prompts == PromptPolicy::whole
                ? said("Prompts are taken whole next to requests that decode.")
                : said(
                      "Prompts come in chunks of at most 8192 tokens a step, next to requests that decode."));
    } else {
        notes.push_back(
            say("A static batch: all prompts at once, then all requests token by token. Queues, arrivals and "
                "chunked prefill are not counted."));
    }
    if (served.one.stages > 1) {
        notes.push_back(said("Stages each have a part of the batch while the others have the other parts; a "
                             "prompt comes in as many parts as there are stages."));
    }
    if (served.ttft_band && (served.one.stages > 1 || served.one.shared > 0 || served.asked.apart())) {
        notes.push_back(said("Intervals are those of measured rows of servers that do both phases, without "
                             "stages and without prefixes."));
    }
    if (served.one.expert_groups > 1) {
        notes.push_back(said("Every expert gets as many tokens as the others."));
    }
    if (served.one.drafts > 0) {
        notes.push_back(
            say("A step checks {} drafts of each request and puts out {} tokens; making them takes "
                "nothing.",
                served.one.drafts, number_text(served.one.accepted)));
    }
    if (served.one.shared > 0 && !served.load) {
        notes.push_back(say("{} tokens of each prompt are in the cache already.", served.one.shared));
    }
    if (served.one.efficiency == Efficiency::ideal) {
        notes.push_back(
            say("Memory has weights and cache alone; vectors, launches and latencies take nothing."));
    }
    notes.insert(notes.end(), served.one.model.notes.begin(), served.one.model.notes.end());
    return notes;
}

namespace {

constexpr std::int64_t bytes_of_traced_bar = 250;

/// What the servers did, or what a step consists of.
void add_served_runs(const Served& served, Answer& answer) {
    const auto replica =
        std::make_shared<const ReplicaOnMachine>(ReplicaOnMachine{served.one, served.asked.machine});
    const auto add = [&](std::string name, RunPtr run) {
        const auto bars = static_cast<std::int64_t>(run->slice_count());
        answer.runs.push_back({std::move(name), std::move(run), bars * bytes_of_traced_bar});
    };
    if (served.load && served.load->result != nullptr) {
        const std::int64_t prefill =
            served.asked.apart() ? static_cast<std::int64_t>(static_cast<double>(served.asked.prefill_chips) /
                                                             served.one.chips())
                                 : 0;
        add("servers", std::make_shared<const ServedRun>(
                           served.load->result, prefill, served.load->kept,
                           [replica](const ServerStretch& step) -> std::optional<RunKey> {
                               const StepBatch batch = {
                                   static_cast<double>(step.prompt_tokens), step.prompt_keys,
                                   static_cast<double>(step.prompts),       static_cast<double>(step.prompts),
                                   static_cast<double>(step.decoding),      step.cached};
                               return served_step_key(replica, batch,
                                                      step.steps > 1
                                                          ? say("the first of {} steps", step.steps)
                                                          : said("a step"));
                           }));
    }
    if (!served.load && served.decodes() && served.prefills()) {
        add("batch",
            served_batch_run(replica, served.asked.apart() ? 1 : served.one.batch, served.transfer_s(),
                             said("A batch from its prompts to its last tokens")));
    }
    if (served.decodes()) {
        add("decode",
            served_step_run(replica, phase_batch(served.one, ServedPhase::decode, middle_context(served.one)),
                            said("A decode step, of one chip")));
    }
    if (served.prefills()) {
        Replica prompts = served.one;
        prompts.batch = served.asked.apart() ? 1 : prompts.batch;
        add("prefill", served_step_run(replica, phase_batch(prompts, ServedPhase::prefill, 0),
                                       said("A prefill of all prompts, of one chip")));
    }
}

} // namespace

void add_served(const Served& served, Answer& answer) {
    const Replica& one = served.one;
    answer.about = say("{}, weights in {}, on {} x {}, {} of {} and {}", one.model.title, served.weights,
                       served.chips, served.asked.machine.title, requests_text(one.batch), served.asked.input,
                       tokens_text(static_cast<double>(served.asked.output)));
    if (one.data > 1 || one.expert_groups > 1 || one.stages > 1) {
        answer.about += said(", ") + say("a replica with tp {}, dp {}, ep {} and pp {}", one.tensor, one.data,
                                         one.expert_groups, one.stages);
    }
    if (!one.layout.plain()) {
        answer.about += said(", ") + layout_words(one.layout);
    }
    if (served.asked.apart()) {
        answer.about += said(", ") + say("{} chips prefill and {} decode", served.asked.prefill_chips,
                                         served.asked.decode_chips);
    }
    answer.notes = served_notes(served);
    answer.words = {{answer.headline + "\n" + answer.about + "\n"}};
    if (served.load) {
        if (served.rated) {
            Table deployments = rated_table(*served.rated);
            Paragraph found{{},
                            {{"chips", "tp", "batch", "prefill", "decode", "first", "next", "of limit", ""}},
                            0,
                            false};
            for (const std::vector<Table::Cell>& one : deployments.rows) {
                const auto number = [&](std::size_t k) { return std::get<double>(one[k]); };
                const auto word = [&](std::size_t k) { return std::get<std::string>(one[k]); };
                found.lines.push_back({number_text(number(0)), number_text(number(1)), number_text(number(2)),
                                       number_text(number(3)),
                                       number(10) > number(4)
                                           ? say("{} to {}", number_text(number(4)), number_text(number(10)))
                                           : number_text(number(4)),
                                       seconds_text(number(5)), seconds_text(number(6)),
                                       percent_text(number(7)), word(8) + ": " + word(9)});
            }
            answer.words.push_back({"\n"});
            answer.words.push_back(std::move(found));
            answer.words.push_back({"\n" + rated_lines(served)});
            Table shown = deployments;
            answer.tables.push_back(NamedTable::of("deployments", std::move(deployments))
                                        .as(TableKind::alternatives)
                                        .shown_as(std::move(shown), rated_words(served)));
            answer.changes = rated_changes(served);
        }
        answer.words.push_back({"\n" + load_lines(served)});
        Table table = served_load_table(*served.load);
        answer.words.push_back(load_times(table));
        answer.words.push_back(
            {"\n" + (served.asked.apart()
                         ? said("Of one prompt on a server of prompts, and of full servers that decode:")
                         : said("As a static batch, all prompts at once:"))});
        Table shown = table;
        answer.tables.push_back(
            NamedTable::of("load", std::move(table)).shown_as(std::move(shown), load_lines(served)));
    }
    answer.words.push_back({"\n"});
    const Paragraph main = served_lines(served);
    answer.words.push_back(main);
    if (!served.limits.empty() && !served.load) {
        answer.words.push_back({"\n"});
        add_serving_goal(served, answer);
    }
    if (!served.points.empty()) {
        Table frontier = serving_frontier_table(served);
        if (served.frontier) {
            Paragraph lines{
                {}, {{"tp", "batch", "first token", "next token", "a user", "a chip", "memory"}}, 0, false};
            for (const ServingPoint& point : served.points) {
                if (point.best) {
                    lines.lines.push_back({std::to_string(point.tensor), std::to_string(point.batch),
                                           seconds_text(point.times.ttft), seconds_text(point.times.tpot),
                                           token_rate_text(point.times.per_user),
                                           token_rate_text(point.times.per_chip), bytes_text(point.memory)});
                }
            }
            answer.words.push_back({"\n"});
            answer.words.push_back(std::move(lines));
        }
        answer.tables.push_back(NamedTable::of("frontier", std::move(frontier)).as(TableKind::alternatives));
        answer.charts.push_back({"frontier", serving_frontier_chart(served)});
    }
    if (served.schedules) {
        add_schedules(served, answer);
    }
    if (served.shardings) {
        add_shardings(served, answer);
    }
    if (served.cache_layout) {
        add_cache_words(served, answer);
        answer.tables.push_back(NamedTable::of("contexts", contexts_table(served)));
        answer.tables.push_back(NamedTable::of("pages", pages_table(served)));
        answer.charts.push_back({"cache", cache_chart(served)});
    }
    if (served.decodes()) {
        Table table = served_step_table(served, ServedPhase::decode);
        answer.words.push_back({"\n" + table.title + ":\n"});
        answer.words.push_back(served_step_lines(table));
        answer.tables.push_back(NamedTable::of("decode", std::move(table)));
    }
    if (served.prefills()) {
        Table table = served_step_table(served, ServedPhase::prefill);
        answer.words.push_back({"\n" + table.title + ":\n"});
        answer.words.push_back(served_step_lines(table));
        answer.tables.push_back(NamedTable::of("prefill", std::move(table)));
    }
    Paragraph memory{{}, {}};
    for (const auto& [part, bytes] : served_memory_parts(served.memory)) {
        memory.lines.push_back({part, bytes_text(bytes), percent_text(bytes / one.chip.chip.memory)});
    }
    answer.words.push_back({"\n" + said("Memory of a chip") + ":\n"});
    answer.words.push_back(std::move(memory));
    answer.tables.push_back(NamedTable::of("memory", served_memory_table(served)));
    if (!served.nearest.empty()) {
        Paragraph near{
            {},
            {{"measured near by", "model", "tp", "batch", "in", "out", "", "theirs", "ours", "off"}},
            2,
            false};
        for (const NearRow& row : served.nearest) {
            near.lines.push_back({row.hardware, row.model, fmt::format("{:.0f}", row.tensor),
                                  fmt::format("{:.0f}", row.batch), fmt::format("{:.0f}", row.input),
                                  fmt::format("{:.0f}", row.output), row.quantity, seconds_text(row.measured),
                                  seconds_text(row.predicted), fmt::format("{:+.0f}%", 100 * row.error())});
        }
        answer.words.push_back({"\n"});
        answer.words.push_back(std::move(near));
        answer.tables.push_back(NamedTable::of("nearest", near_rows_table(served))
                                    .as(TableKind::evidence)
                                    .shown_as(near_rows_for_people(served)));
    }
    std::string notes = "\n";
    for (const std::string& note : answer.notes) {
        notes += note + "\n";
    }
    answer.words.push_back({notes});
    answer.charts.push_back({"steps", served_step_chart(served)});
    answer.charts.push_back({"memory", served_memory_chart(served)});
    if (served.decodes()) {
        answer.charts.push_back({"batches", step_by_batch(served)});
        answer.tables.push_back(NamedTable::of("batches", batches_table(served)));
    }
    if (served.decodes() && served.one.drafts > 0) {
        answer.charts.push_back({"drafts", drafts_chart(served)});
    }
    answer.tables.push_back(NamedTable::of("summary", main_table(main)));
    if (served.load) { // of which no measured row says anything
        if (const std::vector<NumberBand> bands = bands_of(served); !bands.empty()) {
            answer.trust.tables.push_back(band_table(
                bands, said("As a static batch, and between what eight of ten measured cases lie")));
            if (const ServingSummary& simulated = served.load->summary; !simulated.saturated) {
                answer.trust.sentences.push_back(say(
                    "The answer's times are those of simulated requests that come one by one: half of them "
                    "have their first token after {}, and then a token every {}.",
                    seconds_text(simulated.ttft.p50), seconds_text(simulated.tpot.p50)));
            }
            answer.trust.sentences.push_back(say(
                "The next table shows a static batch of {}, whose prompts all begin at once, as measured "
                "rows have it. It says how far off the steps are that simulated requests are made of, too.",
                requests_text(served.one.batch)));
        }
    } else {
        answer.trust.bands = bands_of(served);
        answer.changes = changed_step_words(served);
    }
    add_served_runs(served, answer);
    answer.fits = [fits = served.fits()] { return fits; };
}

} // namespace meshslice
