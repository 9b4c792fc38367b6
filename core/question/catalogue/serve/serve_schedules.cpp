// The same requests in batches, interleaved, in chunks and in a pool for each phase.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/serve/serve_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

std::string schedule_words(ServingSchedule schedule) {
    switch (schedule) {
    case ServingSchedule::batched: return said("batches");
    case ServingSchedule::interleaved: return said("interleaved prompts");
    case ServingSchedule::chunked: return said("prompts in chunks");
    case ServingSchedule::apart: return said("a pool for each phase");
    }
    return {};
}

Table schedules_table(const ComparedSchedules& compared) {
    Table table{said("The same requests under several schedules"),
                {"schedule", "ttft_mean_s", "ttft_longest_s", "tpot_mean_s", "tpot_longest_s", "end_s"},
                {}};
    for (const ScheduledRequests& one : compared.all) {
        table.rows.push_back({schedule_words(one.schedule), one.mean_ttft(), one.longest_ttft(),
                              one.mean_tpot(), one.longest_tpot(), one.end()});
    }
    return table;
}

/// A bar for each request: when it comes, how long it waits for its prompt, that, and its tokens.
ChartPanel schedule_panel(const ScheduledRequests& one, double end) {
    ChartPanel panel{schedule_words(one.schedule)};
    panel.x = {said("time"), ChartUnit::seconds};
    panel.x.high = end;
    panel.y.label = said("request");
    for (std::size_t k = 0; k < one.requests.size(); ++k) {
        panel.y.categories.push_back(std::to_string(k + 1));
    }
    using Part = double (*)(const RequestOutcome&);
    for (const auto& [what, role, part] :
         {std::tuple(said("not yet there"), Role::background,
                     Part([](const RequestOutcome& of) { return of.arrival; })),
          std::tuple(said("waits"), Role::waits, Part([](const RequestOutcome& of) { return of.queue(); })),
          std::tuple(said("prefill"), Role::compute,
                     Part([](const RequestOutcome& of) { return of.first - of.started; })),
          std::tuple(said("decode"), Role::backward,
                     Part([](const RequestOutcome& of) { return of.last - of.first; }))}) {
        ChartSeries series{what, SeriesKind::stack};
        series.role = role;
        for (const RequestOutcome& of : one.requests) {
            series.values.emplace_back(std::max(part(of), 0.0));
            series.details.push_back(
                say("server {}: {} tokens in, {} out", of.server + 1, of.input, of.output));
        }
        panel.series.push_back(std::move(series));
    }
    return panel;
}

const ScheduledRequests& quickest_first_tokens(const ComparedSchedules& compared) {
    return *std::ranges::min_element(compared.all, {}, &ScheduledRequests::mean_ttft);
}

Chart schedules_chart(const ComparedSchedules& compared) {
    const ScheduledRequests& best = quickest_first_tokens(compared);
    Chart chart{say("First tokens come soonest with {}: after {} on average, with batches after {}",
                    schedule_words(best.schedule), seconds_text(best.mean_ttft()),
                    seconds_text(compared.all.front().mean_ttft())),
                {}};
    double end = 0;
    for (const ScheduledRequests& one : compared.all) {
        end = std::max(end, one.end());
    }
    for (const ScheduledRequests& one : compared.all) {
        chart.panels.push_back(schedule_panel(one, end));
    }
    return chart;
}

} // namespace

void add_schedules(const Served& served, Answer& answer) {
    const ComparedSchedules& compared = *served.schedules;
    Table table = schedules_table(compared);
    Paragraph lines{{}, {{"", "first token", "longest", "next token", "longest", "all done"}}, 1, true};
    for (const std::vector<Table::Cell>& row : table.rows) {
        const auto time = [&](std::size_t k) { return seconds_text(std::get<double>(row[k])); };
        lines.lines.push_back({std::get<std::string>(row[0]), time(1), time(2), time(3), time(4), time(5)});
    }
    answer.words.push_back({"\n" +
                            say("Twelve requests, {} in a second, on two servers of four places each:",
                                number_text(compared.rate)) +
                            "\n"});
    answer.words.push_back(std::move(lines));
    if (!compared.not_apart.empty()) {
        answer.words.push_back({compared.not_apart + "\n"});
    }
    answer.tables.push_back(NamedTable::of("schedules", std::move(table)).as(TableKind::alternatives));
    answer.charts.push_back({"schedules", schedules_chart(compared)});
}

Tree schedules_tree(const ComparedSchedules& compared) {
    Tree all = Tree::array();
    for (const ScheduledRequests& one : compared.all) {
        Tree requests = Tree::array();
        for (const RequestOutcome& of : one.requests) {
            requests.push_back({{"arrival_s", of.arrival},
                                {"started_s", of.started},
                                {"first_s", of.first},
                                {"last_s", of.last},
                                {"output", of.output},
                                {"server", of.server + 1}});
        }
        all.push_back({{"schedule", name(one.schedule)},
                       {"ttft_mean_s", one.mean_ttft()},
                       {"ttft_longest_s", one.longest_ttft()},
                       {"tpot_mean_s", one.mean_tpot()},
                       {"tpot_longest_s", one.longest_tpot()},
                       {"end_s", one.end()},
                       {"requests", std::move(requests)}});
    }
    return {{"rate", compared.rate}, {"schedules", std::move(all)}};
}

} // namespace meshslice
