#include "ui/torus/torus_measure.h"

#include "core/base/text.h"
#include "core/simulate/record/timeline.h"
#include "core/simulate/record/usage.h"
#include "ui/look/words.h"
#include "ui/timeline/view/timeline_geometry.h"
#include "ui/torus/torus_frame.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

struct TorusMeasureWords {
    Q_DECLARE_TR_FUNCTIONS(Torus)
};

/// The first row of every chip.
std::vector<std::size_t> firstRows(const std::vector<Row>& rows) {
    std::vector<std::size_t> first;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].is_core) {
            first.push_back(row);
        }
    }
    return first;
}

/// The row of a chip's representative that is like this one.
std::size_t likeRow(const Timeline& timeline, const std::vector<std::size_t>& first, std::size_t row) {
    const Chip chip = timeline.rows()[row].chip;
    const Chip like = timeline.classes().representative(chip);
    return first[static_cast<std::size_t>(like)] + row - first[static_cast<std::size_t>(chip)];
}

/// Calls `visit(row, value)` for every row with what `measure(piece, its row)` says of its representative,
/// one GEMM after the other.
template <class Measure, class Visit>
void overRows(const StepRun& run, TimeRange range, Measure measure, Visit visit) {
    const StepRun::Span span = run.pieces_in(range);
    for (std::size_t k = span.first; k < span.last; ++k) {
        const Piece& piece = run.pieces()[k];
        if (piece.timeline == nullptr) {
            continue;
        }
        const std::vector<std::size_t> first = firstRows(piece.timeline->rows());
        using Value = decltype(measure(piece, std::size_t{0}));
        std::vector<std::optional<Value>> known(piece.timeline->rows().size());
        for (std::size_t row = 0; row < known.size(); ++row) {
            const std::size_t like = likeRow(*piece.timeline, first, row);
            if (!known[like]) {
                known[like] = measure(piece, like);
            }
            visit(row, *known[like]);
        }
    }
}

/// The largest of the links and of the cores.
void takeMost(TorusMeasure& measure, const std::vector<Row>& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        double& most = rows[row].is_core ? measure.most_of_cores : measure.most;
        most = std::max(most, measure.values[row].value_or(0));
    }
}

} // namespace

Result<SlackPtr> slackOf(const SlackRequest& request, const RunControl& control) {
    std::vector<StepSlack> found;
    const auto steps = static_cast<double>(request.runs.size());
    for (std::size_t step = 0; step < request.runs.size(); ++step) {
        auto one = step_slack(*request.runs[step], control.stop);
        if (!one) {
            return refuse(one.error());
        }
        found.push_back(*std::move(one));
        if (control.progress) {
            control.progress->store(static_cast<double>(found.size()) / steps);
        }
    }
    return std::make_shared<const std::vector<StepSlack>>(std::move(found));
}

double TorusMeasure::strength(const Row& row, std::size_t at) const {
    if (difference) {
        const double top = row.is_core ? most_of_cores : most;
        return top > 0 ? std::abs(values[at].value_or(0)) / top : 0;
    }
    const double value = values[at].value_or(0);
    if (shows == TorusShows::load) {
        return std::clamp(value, 0.0, 1.0);
    }
    const double top = shows == TorusShows::bytes && row.is_core ? most_of_cores
                       : shows == TorusShows::slack              ? std::max(most, most_of_cores)
                                                                 : most;
    const double share = top > 0 ? value / top : 0;
    return shows == TorusShows::slack ? (values[at] ? 1 - share : 0) : share;
}

QString TorusMeasure::text(std::size_t at) const {
    if (!values[at]) {
        return {};
    }
    const double value = difference ? std::abs(*values[at]) : *values[at];
    const QString said = words(shows == TorusShows::load    ? percent_text(value)
                               : shows == TorusShows::bytes ? si_text(value, "B")
                                                            : si_text(value, "s"));
    if (!difference || value == 0) {
        return said;
    }
    return (*values[at] > 0 ? QStringLiteral("+") : QStringLiteral("\u2212")) + said;
}

TorusMeasure loadMeasure(const StepRun& run, TimeRange range) {
    TorusMeasure made;
    made.shows = TorusShows::load;
    made.range = range;
    const std::vector<Row>& rows = run.chip_rows();
    for (const double load : loadsIn(run, range)) {
        made.values.push_back(rows[made.values.size()].round ? std::nullopt : std::optional(load));
    }
    made.most = made.most_of_cores = 1;
    return made;
}

QString loadSentence(const StepRun& run, TimeRange range, const TorusMeasure& loads) {
    const std::vector<Row>& rows = run.chip_rows();
    double cores = 0;
    double links = 0;
    std::size_t core_count = 0;
    std::size_t link_count = 0;
    std::optional<std::size_t> busiest;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!loads.values[row]) {
            continue;
        }
        (rows[row].is_core ? cores : links) += *loads.values[row];
        (rows[row].is_core ? core_count : link_count) += 1;
        if (!rows[row].is_core && (!busiest || *loads.values[row] > *loads.values[*busiest])) {
            busiest = row;
        }
    }
    QString sentence =
        TorusMeasureWords::tr("Over %1: cores are busy for %2 of the time on average")
            .arg(words(text(length(range))),
                 words(percent_text(cores / static_cast<double>(std::max<std::size_t>(1, core_count)))));
    if (busiest) {
        sentence += TorusMeasureWords::tr(", links for %1; the busiest is %2 with %3")
                        .arg(words(percent_text(links / static_cast<double>(link_count))),
                             words(part_name(run.torus(), rows[*busiest])),
                             words(percent_text(*loads.values[*busiest])));
    }
    return sentence;
}

TorusMeasure bytesIn(const StepRun& run, TimeRange range) {
    const std::vector<Row>& rows = run.chip_rows();
    const std::vector<std::size_t> first = firstRows(rows);
    TorusMeasure made;
    made.shows = TorusShows::bytes;
    made.range = range;
    made.values.resize(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].round) {
            made.values[row] = 0.0;
        }
    }
    const StepRun::Span span = run.pieces_in(range);
    for (std::size_t k = span.first; k < span.last; ++k) {
        const Piece& piece = run.pieces()[k];
        if (piece.timeline == nullptr) {
            continue;
        }
        const std::vector<double> carried =
            carried_bytes(*piece.timeline, {range.begin - piece.start, range.end - piece.start});
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (made.values[row] && !rows[row].is_core) {
                *made.values[row] += carried[row];
                *made.values[first[static_cast<std::size_t>(rows[row].chip)]] += carried[row];
            }
        }
    }
    takeMost(made, rows);
    return made;
}

TorusMeasure slackIn(const StepRun& run, TimeRange range, const StepSlack& slack) {
    const std::vector<Row>& rows = run.chip_rows();
    TorusMeasure made;
    made.shows = TorusShows::slack;
    made.range = range;
    made.values.resize(rows.size());
    const auto least = [&](const Piece& piece, std::size_t row) {
        std::optional<double> found;
        const auto& of_gemm = slack.gemms[piece.gemm];
        if (!of_gemm || of_gemm->rows[row].empty()) {
            return found;
        }
        const StepRun::Span span = StepRun::intervals_in(piece, row, range);
        for (std::size_t k = span.first; k < span.last; ++k) {
            if (const auto& one = of_gemm->rows[row][k]) {
                found = std::min(found.value_or(in_seconds(*one)), in_seconds(*one));
            }
        }
        return found;
    };
    overRows(run, range, least, [&](std::size_t row, const std::optional<double>& value) {
        if (value) {
            made.values[row] = std::min(made.values[row].value_or(*value), *value);
        }
    });
    takeMost(made, rows);
    return made;
}

TorusMeasure differenceOf(const TorusMeasure& a, const TorusMeasure& b, const std::vector<Row>& rows) {
    TorusMeasure made;
    made.shows = b.shows;
    made.range = b.range;
    made.difference = true;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const bool both = a.values[row] && b.values[row];
        made.values.push_back(both ? std::optional(*b.values[row] - *a.values[row]) : std::nullopt);
        double& most = rows[row].is_core ? made.most_of_cores : made.most;
        most = std::max(most, std::abs(made.values[row].value_or(0)));
    }
    return made;
}

QString differenceSentence(const StepRun& run, const TorusMeasure& difference) {
    const std::vector<Row>& rows = run.chip_rows();
    int more = 0;
    int less = 0;
    std::optional<std::size_t> largest;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto& value = difference.values[row];
        if (rows[row].is_core || !value) {
            continue;
        }
        more += *value > 0 ? 1 : 0;
        less += *value < 0 ? 1 : 0;
        largest = !largest || std::abs(*value) > std::abs(*difference.values[*largest]) ? row : *largest;
    }
    if (more + less == 0) {
        return TorusMeasureWords::tr("B against A: no link differs");
    }
    return TorusMeasureWords::tr("B against A: %1 links have more, %2 less; the largest difference: %3, %4")
        .arg(QString::number(more), QString::number(less), difference.text(*largest),
             words(part_name(run.torus(), rows[*largest])));
}

Result<MeasuresPtr> measuresOf(const MeasureRequest& request, const RunControl& control) {
    std::vector<TorusMeasure> found;
    for (const auto& [step, range] : request.over) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const StepRun& run = *request.runs[step];
        found.push_back(request.shows == TorusShows::load    ? loadMeasure(run, range)
                        : request.shows == TorusShows::bytes ? bytesIn(run, range)
                                                             : slackIn(run, range, (*request.slack)[step]));
    }
    return std::make_shared<const std::vector<TorusMeasure>>(std::move(found));
}

QString measureSentence(const StepRun& run, TimeRange range, const TorusMeasure& measure) {
    const std::vector<Row>& rows = run.chip_rows();
    const QString over = words(text(length(range)));
    std::optional<std::size_t> most;  // link
    std::optional<std::size_t> least; // link
    double all = 0;
    std::size_t critical = 0;
    std::size_t measured = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto& value = measure.values[row];
        if (!value) {
            continue;
        }
        ++measured;
        critical += *value == 0 ? 1 : 0;
        if (!rows[row].is_core) {
            all += *value;
            most = !most || *value > *measure.values[*most] ? row : *most;
            least = !least || *value < *measure.values[*least] ? row : *least;
        }
    }
    if (measure.shows == TorusShows::slack) {
        if (measured > 0 && critical == measured) {
            return TorusMeasureWords::tr(
                       "Over %1: each of %2 cores and links has no slack at some time; mark a "
                       "shorter stretch to tell them apart")
                .arg(over)
                .arg(measured);
        }
        return measured == 0
                   ? TorusMeasureWords::tr("Over %1: nothing runs").arg(over)
                   : TorusMeasureWords::tr("Over %1: %2 of %3 cores and links have no slack: they set "
                                           "the pace")
                         .arg(over)
                         .arg(critical)
                         .arg(measured);
    }
    if (!most || all == 0) {
        return TorusMeasureWords::tr("Over %1: the links carry nothing").arg(over);
    }
    const Torus& torus = run.torus();
    return TorusMeasureWords::tr("Over %1: the links carry %2, between %3 and %4 each; the most: %5")
        .arg(over, words(si_text(all, "B")), measure.text(*least), measure.text(*most),
             words(part_name(torus, rows[*most])));
}

} // namespace meshslice::ui
