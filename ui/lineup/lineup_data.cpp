#include "ui/lineup/lineup_data.h"

#include "core/base/text.h"
#include "core/scenario/choices.h"
#include "ui/lineup/lineup_words.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshslice::ui {
namespace {

/// Less than this share apart is no difference worth a sentence.
constexpr double alike = 0.0005;

/// Those that run, fastest first; the earlier listed first where two take as long.
std::vector<std::size_t> fastestFirst(const Lineup& lineup) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < lineup.runs.size(); ++k) {
        if (lineup.runs[k].step) {
            order.push_back(k);
        }
    }
    std::ranges::stable_sort(order, {},
                             [&](std::size_t index) { return lineup.step(lineup.runs[index]).time; });
    return order;
}

} // namespace

Result<LineupPtr> computeLineup(const LineupRequest& request, const RunControl& control) {
    Result<std::vector<LineupEntry>> entries = lineup(request.scenario, request.gemm, control);
    if (!entries) {
        return refuse(entries.error());
    }
    return makeLineup(request, std::move(*entries));
}

LineupPtr makeLineup(const LineupRequest& request, std::vector<LineupEntry> entries) {
    auto made = std::make_shared<Lineup>();
    made->gemm = request.gemm;
    // The study runs the GEMM on its own; here it keeps the name it has in the training step.
    Gemm named;
    if (const auto all = products(request.scenario, request.scenario.algorithm);
        all && request.gemm < all->size()) {
        named = (*all)[request.gemm];
        made->product = words(title(named));
    }
    auto results = std::make_shared<Results>();
    results->scenario = request.scenario;
    for (LineupEntry& entry : entries) {
        LineupRun run{entry.algorithm, words(entry.title), words(entry.objection), {}};
        if (entry.objection.empty() && !entry.step.gemms.empty()) {
            Gemm& gemm = entry.step.gemms.front().gemm;
            gemm.layer = named.layer;
            gemm.pass = named.pass;
            run.step = results->steps.size();
            results->steps.push_back(std::move(entry.step));
        }
        made->runs.push_back(std::move(run));
    }
    made->model = TimelineModel(std::move(results));
    return made;
}

std::vector<std::size_t> inOrder(const Lineup& lineup, LineupOrder order) {
    std::vector<std::size_t> indices = fastestFirst(lineup);
    if (order == LineupOrder::asListed) {
        std::ranges::sort(indices);
    }
    for (std::size_t k = 0; k < lineup.runs.size(); ++k) {
        if (!lineup.runs[k].step) {
            indices.push_back(k);
        }
    }
    return indices;
}

QString lineupFinding(const Lineup& lineup) {
    const std::vector<std::size_t> order = fastestFirst(lineup);
    if (order.empty()) {
        return LineupWords::tr("None of the algorithms runs this GEMM here");
    }
    const LineupRun& first = lineup.runs[order[0]];
    const Time least = lineup.step(first).time;
    if (order.size() == 1) {
        return LineupWords::tr("Only %1 runs here: %2").arg(first.title, words(text(least)));
    }
    const LineupRun& second = lineup.runs[order[1]];
    const double times = ratio(lineup.step(second).time, least);
    if (times < 1 + alike) {
        return LineupWords::tr("%1 and %2 are the fastest, both %3")
            .arg(first.title, second.title, words(text(least)));
    }
    if (number_text(times) == number_text(1)) {
        return LineupWords::tr("%1 is fastest: %2, %3 takes %4 more time")
            .arg(first.title, words(text(least)), second.title, words(percent_text(times - 1)));
    }
    return LineupWords::tr("%1 is fastest: %2, %3 takes %4 times as long")
        .arg(first.title, words(text(least)), second.title, words(number_text(times)));
}

QString comparedWithFastest(const Lineup& lineup, const LineupRun& run) {
    const std::vector<std::size_t> order = fastestFirst(lineup);
    const Time least = lineup.step(lineup.runs[order.front()]).time;
    const double times = ratio(lineup.step(run).time, least);
    if (times < 1 + alike) {
        return LineupWords::tr("fastest");
    }
    if (number_text(times) == number_text(1)) {
        return QStringLiteral("+%1").arg(words(percent_text(times - 1)));
    }
    return LineupWords::tr("%1×").arg(words(number_text(times)));
}

TimeRange openingRange(const Lineup& lineup) {
    const std::vector<std::size_t> order = fastestFirst(lineup);
    Time end = lineup.model.whole().end;
    if (!order.empty()) {
        const Time least = lineup.step(lineup.runs[order.front()]).time;
        for (const std::size_t index : order) {
            const Time time = lineup.step(lineup.runs[index]).time;
            end = ratio(time, least) <= longest_told ? time : end;
        }
    }
    return {Time(0), end};
}

std::vector<LineupPhase> phasesOf(const GemmResult& result) {
    const Estimate& by = result.estimate;
    const std::int64_t times = std::max<std::int64_t>(0, result.program->iterations - 1);
    std::vector<LineupPhase> phases;
    Time at;
    const auto add = [&](LineupPhase::Kind kind, Time each, std::int64_t count) {
        if (count > 0 && each > Time(0)) {
            phases.push_back({kind, {at, at + each * count}, count});
            at += each * count;
        }
    };
    add(LineupPhase::Kind::prologue, by.prologue, 1);
    add(LineupPhase::Kind::steady, by.steady, times);
    add(LineupPhase::Kind::epilogue, by.epilogue, 1);
    return phases;
}

Chip tellingChip(const Torus& torus) {
    Chip chip = 0;
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        chip = torus.along(chip, axis, (torus.size(axis) - 1) / 2);
    }
    return chip;
}

std::vector<LineupLane> lanesOf(const Timeline& timeline, Chip chip) {
    const std::vector<Row>& rows = timeline.rows();
    const Chip shown = std::min(chip, timeline.torus().chips() - 1);
    std::vector<LineupLane> lanes;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].chip == shown && rows[row].is_core) {
            lanes.push_back({row, rows[row]});
        }
    }
    for (const Axis axis : {Axis::horizontal, Axis::vertical, Axis::third}) {
        std::optional<std::size_t> speaks;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const bool ours = rows[row].chip == shown && !rows[row].is_core && rows[row].axis == axis;
            if (ours && (!speaks || timeline.intervals(*speaks).empty())) {
                speaks = !speaks || !timeline.intervals(row).empty() ? row : *speaks;
            }
        }
        if (speaks) {
            lanes.push_back({*speaks, rows[*speaks]});
        }
    }
    return lanes;
}

Table lineupTable(const Lineup& lineup) {
    Table table;
    table.title = "algorithms";
    table.columns = {"algorithm",  "objection",  "time_s",    "estimated_s", "prologue_s",
                     "steady_s",   "epilogue_s", "compute_s", "launch_s",    "sync_s",
                     "transfer_s", "copy_s",     "exposed_s", "overlapped_s"};
    for (const LineupRun& run : lineup.runs) {
        std::vector<Table::Cell> row{run.algorithm, run.objection.toStdString()};
        if (run.step) {
            const GemmResult& result = lineup.result(run);
            const Estimate& by = result.estimate;
            const Usage& usage = result.usage;
            for (const Time time :
                 {result.time, result.estimated(), by.prologue, by.steady, by.epilogue, usage.compute,
                  usage.launch, usage.sync, usage.transfer, usage.copy, usage.exposed, usage.overlapped}) {
                row.emplace_back(in_seconds(time));
            }
        }
        row.resize(table.columns.size(), std::string());
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace meshslice::ui
