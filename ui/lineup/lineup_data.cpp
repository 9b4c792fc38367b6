#include "ui/lineup/lineup_data.h"

#include "core/base/text.h"
#include "core/count/count.h"
#include "core/scenario/choices.h"
#include "ui/lineup/lineup_words.h"
#include "ui/look/words.h"
#include "ui/view/finding.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

/// Less than this share apart is not worth a sentence.
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

/// The place in A's training step of the GEMM that has the same name; none where A is not shown, or has none.
std::optional<std::size_t> gemmOfA(const LineupRequest& request) {
    if (!request.reference) {
        return std::nullopt;
    }
    const auto own = products(request.scenario, request.scenario.plan.algorithm);
    const auto others = products(*request.reference, request.reference->plan.algorithm);
    if (!own || !others || request.gemm >= own->size()) {
        return std::nullopt;
    }
    const auto found = std::ranges::find_if(*others, [&](const Gemm& gemm) {
        return gemm.layer == (*own)[request.gemm].layer && gemm.pass == (*own)[request.gemm].pass;
    });
    return found == others->end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(found - others->begin()));
}

/// The first in an order that is of this side; null where none is.
const LineupRun* firstOf(const Lineup& lineup, const std::vector<std::size_t>& order, const char* side) {
    for (const std::size_t index : order) {
        if (lineup.runs[index].side == QLatin1String(side)) {
            return &lineup.runs[index];
        }
    }
    return nullptr;
}

/// Of what each chip has of C at the end; 1 where the program is not kept.
double shareOfC(const Lineup& lineup, const LineupRun& run) {
    const auto& program = lineup.result(run).program;
    return program ? share_of_output(*program) : 1;
}

/// "; 1D tensor parallel leaves each chip 1/8 of C, T3 all of it": the fastest has not done all that another
/// has. Empty where every chip ends with as much.
QString lessOfC(const Lineup& lineup, const std::vector<std::size_t>& order) {
    const LineupRun& first = lineup.runs[order.front()];
    const double share = shareOfC(lineup, first);
    for (const std::size_t index : order) {
        const LineupRun& other = lineup.runs[index];
        const double more = shareOfC(lineup, other);
        if (more > share) {
            const auto part = [](double one) {
                return one < 1 ? LineupWords::tr("1/%1 of C").arg(std::llround(1 / one))
                               : LineupWords::tr("all of C");
            };
            return LineupWords::tr("; %1 leaves each chip %2, %3 %4")
                .arg(first.title, part(share), other.title, part(more));
        }
    }
    return {};
}

QString findingOf(const Lineup& lineup) {
    const std::vector<std::size_t> order = fastestFirst(lineup);
    if (order.empty()) {
        return LineupWords::tr("None of the algorithms runs this GEMM here");
    }
    const LineupRun* of_a = firstOf(lineup, order, "A");
    const LineupRun* of_b = firstOf(lineup, order, "B");
    if (of_a != nullptr && of_b != nullptr) {
        const Time a = lineup.step(*of_a).time;
        const Time b = lineup.step(*of_b).time;
        return LineupWords::tr("Fastest of A: %1, %2; of B: %3, %4 (%5)")
            .arg(of_a->title, words(text(a)), of_b->title, words(text(b)), timesText(a, b));
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
                   .arg(first.title, words(text(least)), second.title, words(percent_text(times - 1))) +
               lessOfC(lineup, order);
    }
    return LineupWords::tr("%1 is fastest: %2, %3 takes %4 times as long")
               .arg(first.title, words(text(least)), second.title, words(number_text(times))) +
           lessOfC(lineup, order);
}

} // namespace

QString LineupRun::name() const {
    return side.isEmpty() ? title : side + QStringLiteral("  ") + title;
}

Result<LineupPtr> computeLineup(const LineupRequest& request, const RunControl& control) {
    Result<std::vector<LineupEntry>> entries = lineup(request.scenario, request.gemm, control);
    if (!entries) {
        return refuse(entries.error());
    }
    std::vector<LineupEntry> of_a;
    if (const auto gemm = gemmOfA(request)) {
        Result<std::vector<LineupEntry>> others = lineup(*request.reference, *gemm, control);
        if (!others) {
            return refuse(others.error());
        }
        of_a = *std::move(others);
    }
    return makeLineup(request, std::move(*entries), std::move(of_a));
}

LineupPtr makeLineup(const LineupRequest& request, std::vector<LineupEntry> entries,
                     std::vector<LineupEntry> entries_of_a) {
    auto made = std::make_shared<Lineup>();
    made->gemm = request.gemm;
    made->side = words(request.side);
    // The study runs the GEMM on its own; here it keeps the name it has in the training step.
    Gemm named;
    if (const auto all = products(request.scenario, request.scenario.plan.algorithm);
        all && request.gemm < all->size()) {
        named = (*all)[request.gemm];
        made->product = words(title(named));
    }
    made->mesh = request.scenario.torus().value_or(Torus());
    const auto add = [&](LineupEntry& entry, const QString& side) {
        LineupRun run{entry.algorithm, words(entry.title), words(entry.objection), {}, side};
        if (entry.objection.empty() && !entry.step.gemms.empty()) {
            Gemm& gemm = entry.step.gemms.front().gemm;
            gemm.layer = named.layer;
            gemm.pass = named.pass;
            run.step = made->steps.size();
            made->steps.push_back(std::make_shared<const StepRun>(
                std::make_shared<const TrainingStep>(std::move(entry.step)),
                step_conditions(side == QLatin1String("A") ? request.reference.value_or(request.scenario)
                                                           : request.scenario)));
        }
        made->runs.push_back(std::move(run));
    };
    for (LineupEntry& entry : entries) {
        const auto other = std::ranges::find(entries_of_a, entry.algorithm, &LineupEntry::algorithm);
        const bool two =
            other != entries_of_a.end() && (entry.objection.empty() || other->objection != entry.objection);
        if (two) {
            add(*other, QStringLiteral("A"));
        }
        add(entry, two ? QStringLiteral("B") : QString());
    }
    return made;
}

const LineupRun* inA(const Lineup& lineup, const LineupRun& run) {
    for (const LineupRun& other : lineup.runs) {
        if (run.side == QLatin1String("B") && other.side == QLatin1String("A") && other.step &&
            other.algorithm == run.algorithm) {
            return &other;
        }
    }
    return nullptr;
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
    const QString found = findingOf(lineup);
    return lineup.side.isEmpty() ? found : lineup.side + translated(": ") + found;
}

QString comparedWithFastest(const Lineup& lineup, const LineupRun& run) {
    if (!run.side.isEmpty()) {
        const LineupRun* of_a = inA(lineup, run);
        if (of_a == nullptr) {
            return {};
        }
        const QString by = timesText(lineup.step(*of_a).time, lineup.step(run).time);
        return by == QLatin1String("=") ? QStringLiteral("= A") : LineupWords::tr("%1 vs A").arg(by);
    }
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
    Time end = wholeOf(lineup.steps).end;
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

std::vector<std::size_t> lanesOf(const StepRun& run, Chip chip) {
    std::vector<std::size_t> lanes;
    if (run.timeline() == nullptr) {
        return lanes;
    }
    const std::vector<Row>& rows = run.chip_rows();
    const Chip shown = std::min(chip, run.torus().chips() - 1);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].chip == shown && rows[row].is_core) {
            lanes.push_back(row);
        }
    }
    const auto busy = [&](std::size_t row) { return total(run.timeline()->busy(row)); };
    for (const Axis axis : {Axis::horizontal, Axis::vertical, Axis::third}) {
        std::optional<std::size_t> speaks;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const bool ours = rows[row].chip == shown && !rows[row].is_core && rows[row].axis == axis;
            if (ours && (!speaks || busy(row) > busy(*speaks))) {
                speaks = row;
            }
        }
        if (speaks) {
            lanes.push_back(*speaks);
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
    std::vector<std::string> variants;
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
        variants.push_back(run.side.toStdString());
    }
    name_variants(table, variants);
    return table;
}

} // namespace meshslice::ui
