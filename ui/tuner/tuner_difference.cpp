#include "ui/tuner/tuner_difference.h"

#include "core/base/text.h"
#include "core/report/chart/landscape_chart.h"
#include "core/report/words/block_words.h"
#include "core/report/words/comparison_words.h"
#include "ui/controls/table_model.h"
#include "ui/look/words.h"
#include "ui/tuner/tuner_words.h"
#include "ui/view/finding.h"

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

/// "12% less time", "1.14 times as long", "the same time".
QString comparedText(Time before, Time after) {
    if (text(before) == text(after)) {
        return TunerWords::tr("the same time");
    }
    return after < before
               ? TunerWords::tr("%1 less time").arg(words(percent_text(ratio(before - after, before))))
               : TunerWords::tr("%1 times as long").arg(words(number_text(ratio(after, before))));
}

QString comparedText(const TunerDifference& difference, std::size_t row) {
    const DifferenceCell cell = difference.cell(row, 0);
    return comparedText(cell.a->time, cell.b->time);
}

/// Which of two variants a candidate's cell is of, in a landscape.
QString sideText(const QString& name, const Landscape& landscape, const LandscapeCell& cell) {
    const QString room = words(room_text(cell.memory, landscape.capacity));
    return QStringLiteral("%1: %2, %3, %4")
        .arg(name, words(text(cell.time)),
             TunerWords::tr("%1 of peak").arg(words(percent_text(cell.utilization))),
             cell.fits ? room : TunerWords::tr("does not fit: %1 per chip").arg(room));
}

/// Why a variant does not run a candidate.
QString objectionText(const QString& name, const Landscape& landscape, std::optional<std::size_t> row,
                      std::optional<std::size_t> column) {
    if (!row) {
        return TunerWords::tr("%1 does not have this mesh").arg(name);
    }
    if (!column) {
        return TunerWords::tr("%1 does not have this slice count").arg(name);
    }
    return QStringLiteral("%1: %2").arg(name, words(landscape.cell(*row, *column).objection));
}

/// Of the meshes on which both run.
QString comparisonOf(const TunerDifference& difference) {
    const DifferenceSummary& all = difference.summary;
    const std::size_t same = all.both - all.faster - all.slower;
    const auto where = [&](std::size_t row) { return meshText(difference, row); };
    if (all.both == 1) {
        const auto only = std::ranges::find_if(
            difference.rows, [&](std::size_t row) { return difference.cell(row, 0).in_both(); });
        return TunerWords::tr("B takes %1 on %2").arg(comparedText(difference, *only), where(*only));
    }
    if (same == all.both) {
        return TunerWords::tr("A and B take the same time on all %1 meshes").arg(all.both);
    }
    const bool faster = all.faster > 0;
    const std::size_t count = faster ? all.faster : all.slower;
    const std::size_t most = faster ? *all.most_faster : *all.most_slower;
    const QString meshes = count == all.both ? TunerWords::tr("all %1").arg(all.both)
                                             : TunerWords::tr("%1 of %2").arg(count).arg(all.both);
    return (faster ? TunerWords::tr("B is faster on %1 meshes; most on %2, %3")
                   : TunerWords::tr("B is slower on %1 meshes; most on %2, %3"))
        .arg(meshes, where(most), comparedText(difference, most));
}

std::int64_t chipsOf(const TunerAnswer& answer) {
    return chips_of(answer.tuning.ranked.front().step.mesh);
}

} // namespace

TunerDifferencePtr tunerDifference(const TunerAnswerPtr& a, const TunerAnswerPtr& b) {
    auto made = std::make_shared<TunerDifference>();
    made->a = a;
    made->b = b;
    made->grid = landscape_difference(a->landscape, b->landscape);
    made->summary = summary(a->landscape, b->landscape, made->grid);
    for (std::size_t row = 0; row < made->grid.meshes.size(); ++row) {
        bool runs = false;
        for (std::size_t column = 0; column < made->grid.slices.size(); ++column) {
            const DifferenceCell cell = made->cell(row, column);
            runs = runs || cell.a != nullptr || cell.b != nullptr;
            if (cell.in_both() && cell.fits()) {
                made->strongest = std::max(made->strongest, std::abs(std::log(cell.times())));
            }
        }
        if (runs) {
            made->rows.push_back(row);
        }
    }
    return made;
}

QString tunerFinding(const TunerDifference& difference) {
    const DifferenceSummary& all = difference.summary;
    if (all.both == 0) {
        const std::int64_t a = chipsOf(*difference.a);
        const std::int64_t b = chipsOf(*difference.b);
        return a == b ? TunerWords::tr("There is no mesh on which both A and B run")
                      : TunerWords::tr("There is no mesh of both: A has %1 chips, B %2").arg(a).arg(b);
    }
    QString finding =
        comparisonOf(difference) + words(work_words(difference.b->tuning.ranked.front().step.flop,
                                                    difference.a->tuning.ranked.front().step.flop));
    const auto add = [&](std::size_t count, const QString& said) {
        finding += count > 0 ? translated("; ") + said.arg(count) : QString();
    };
    add(all.only_a, TunerWords::tr("only A runs on %1 more"));
    add(all.only_b, TunerWords::tr("only B runs on %1 more"));
    add(all.misfits, TunerWords::tr("on %1 of these, A or B does not fit"));
    return finding;
}

QString meshText(const TunerDifference& difference, std::size_t row) {
    const InBoth& mesh = difference.grid.meshes[row];
    return mesh.b ? meshText(*difference.b, *mesh.b) : meshText(*difference.a, *mesh.a);
}

QString columnText(const TunerDifference& difference, std::size_t column) {
    const InBoth& slices = difference.grid.slices[column];
    if (column == 0 && difference.grid.slices.size() > 1) {
        return TunerWords::tr("best S of each");
    }
    return slices.b ? columnText(*difference.b, *slices.b) : columnText(*difference.a, *slices.a);
}

QString columnName(const TunerDifference& difference, std::size_t column) {
    const InBoth& slices = difference.grid.slices[column];
    const auto& count =
        slices.b ? difference.b->landscape.slices[*slices.b] : difference.a->landscape.slices[*slices.a];
    return count                                ? QString::number(*count)
           : difference.grid.slices.size() == 1 ? columnText(difference, column)
                                                : TunerWords::tr("best");
}

QStringList cellLines(const TunerDifference& difference, const TunerPlace& place) {
    const DifferenceCell cell = difference.cell(place.first, place.second);
    const InBoth& mesh = difference.grid.meshes[place.first];
    const InBoth& slices = difference.grid.slices[place.second];
    QStringList lines{QStringLiteral("%1, %2").arg(meshText(difference, place.first),
                                                   columnText(difference, place.second))};
    const Landscape& a = difference.a->landscape;
    const Landscape& b = difference.b->landscape;
    lines << (cell.a != nullptr ? sideText(QStringLiteral("A"), a, *cell.a)
                                : objectionText(QStringLiteral("A"), a, mesh.a, slices.a));
    lines << (cell.b != nullptr ? sideText(QStringLiteral("B"), b, *cell.b)
                                : objectionText(QStringLiteral("B"), b, mesh.b, slices.b));
    if (cell.in_both()) {
        lines << TunerWords::tr("B takes %1").arg(comparedText(cell.a->time, cell.b->time));
    }
    lines << (b.depth == Depth::simulate ? TunerWords::tr("simulated") : TunerWords::tr("by estimate"));
    return cell.b != nullptr ? lines << TunerWords::tr("Click or Enter loads it into B") : lines;
}

std::optional<TunerPlace> placeOfB(const TunerDifference& difference, const TunerPlace& place) {
    const auto of = [](const std::vector<InBoth>& all, std::size_t b) {
        return static_cast<std::size_t>(std::ranges::find(all, std::optional(b), &InBoth::b) - all.begin());
    };
    const TunerPlace found{of(difference.grid.meshes, place.first), of(difference.grid.slices, place.second)};
    return found.first < difference.grid.meshes.size() && found.second < difference.grid.slices.size()
               ? std::optional(found)
               : std::nullopt;
}

std::optional<TunerPlace> placeInB(const TunerDifference& difference, const TunerPlace& place) {
    const auto row = difference.grid.meshes[place.first].b;
    const auto column = difference.grid.slices[place.second].b;
    return row && column ? std::optional(TunerPlace{*row, *column}) : std::nullopt;
}

std::optional<Chart> cellChart(const TunerDifference& difference, const TunerPlace& place) {
    const DifferenceCell cell = difference.cell(place.first, place.second);
    std::vector<NamedCell> cells;
    if (cell.a != nullptr) {
        cells.push_back({&difference.a->landscape, cell.a, "A"});
    }
    if (cell.b != nullptr) {
        cells.push_back({&difference.b->landscape, cell.b, "B"});
    }
    if (cells.empty()) {
        return std::nullopt;
    }
    QString title = QStringLiteral("%1, %2: ")
                        .arg(meshText(difference, place.first), columnText(difference, place.second));
    if (cell.in_both()) {
        title += QStringLiteral("A %1, B %2, %3")
                     .arg(words(text(cell.a->time)), words(text(cell.b->time)),
                          timesText(cell.a->time, cell.b->time));
    } else {
        title += (cell.a != nullptr ? TunerWords::tr("only A runs, %1") : TunerWords::tr("only B runs, %1"))
                     .arg(words(text(cells.front().cell->time)));
    }
    return cells_chart(cells, title.toStdString());
}

Table tunerTable(const TunerDifference& difference) {
    const Landscape& a = difference.a->landscape;
    const Landscape& b = difference.b->landscape;
    const std::string time = b.depth == Depth::simulate ? "simulated_s" : "estimated_s";
    Table table{"tuner",
                {"mesh", "slices", "A " + time, "B " + time, difference_column + time,
                 std::string(difference_column) + "share", "A flop_utilization", "B flop_utilization",
                 "A memory_bytes", "B memory_bytes", "A fits", "B fits", "A objection", "B objection"},
                {}};
    const Table::Cell none = std::string();
    for (std::size_t row = 0; row < difference.grid.meshes.size(); ++row) {
        for (std::size_t column = 0; column < difference.grid.slices.size(); ++column) {
            const DifferenceCell cell = difference.cell(row, column);
            const InBoth& mesh = difference.grid.meshes[row];
            const InBoth& slices = difference.grid.slices[column];
            const auto& count = slices.b ? b.slices[*slices.b] : a.slices[*slices.a];
            const auto both = [&](const auto& value_of) {
                return std::pair(cell.a != nullptr ? Table::Cell(value_of(*cell.a)) : none,
                                 cell.b != nullptr ? Table::Cell(value_of(*cell.b)) : none);
            };
            const auto times = both([](const LandscapeCell& one) { return in_seconds(one.time); });
            const auto shares = both([](const LandscapeCell& one) { return one.utilization; });
            const auto bytes = both([](const LandscapeCell& one) { return one.memory.value(); });
            const auto fits =
                both([](const LandscapeCell& one) { return std::string(one.fits ? "yes" : "no"); });
            const auto said = [&](const LandscapeCell* own, const Landscape& of, const char* name,
                                  const auto& at, const auto& in) {
                return own != nullptr
                           ? none
                           : Table::Cell(objectionText(QLatin1String(name), of, at, in).toStdString());
            };
            table.rows.push_back(
                {meshText(difference, row).toStdString(),
                 count ? Table::Cell(*count) : Table::Cell(std::string("best")), times.first, times.second,
                 cell.in_both() ? Table::Cell(in_seconds(cell.b->time) - in_seconds(cell.a->time)) : none,
                 cell.in_both() ? Table::Cell(cell.times() - 1) : none, shares.first, shares.second,
                 bytes.first, bytes.second, fits.first, fits.second, said(cell.a, a, "A", mesh.a, slices.a),
                 said(cell.b, b, "B", mesh.b, slices.b)});
        }
    }
    return table;
}

} // namespace meshslice::ui
