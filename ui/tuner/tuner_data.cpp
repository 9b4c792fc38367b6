#include "ui/tuner/tuner_data.h"

#include "core/base/text.h"
#include "core/report/chart/landscape_chart.h"
#include "core/report/words/block_words.h"
#include "core/report/words/headline.h"
#include "core/report/words/tuning_words.h"
#include "core/scenario/choices.h"
#include "ui/look/words.h"
#include "ui/tuner/tuner_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshslice::ui {
namespace {

/// "one block 44.5 ms"; of a GEMM on its own the time alone.
QString timeText(const TunerAnswer& answer, Time time) {
    const bool block = answer.tuning.ranked.front().step.blocks > 0;
    return block ? TunerWords::tr("one block %1").arg(words(text(time))) : words(text(time));
}

QString meshName(const std::vector<std::int32_t>& mesh, bool ring) {
    if (ring) {
        const auto torus =
            Torus::create(std::vector<std::int32_t>{static_cast<std::int32_t>(chips_of(mesh))});
        return torus ? words(mesh_text(*torus)) : QString();
    }
    QStringList sizes;
    for (const std::int32_t size : mesh) {
        sizes += QString::number(size);
    }
    return sizes.join(QLatin1Char('x'));
}

} // namespace

TunerRequest tunerRequest(const Scenario& scenario, Depth depth) {
    TunerRequest request{scenario, depth};
    request.scenario.mesh = {static_cast<std::int32_t>(chips_of(scenario.mesh)), 1};
    request.scenario.plan.slices.reset();
    request.scenario.compare.clear();
    request.scenario.assume.faults = {};
    return request;
}

Result<TunerAnswerPtr> computeTuner(const TunerRequest& request, const RunControl& control) {
    auto cells = landscape(request.scenario, request.depth, control);
    if (!cells) {
        return refuse(cells.error());
    }
    auto tuning = autotune(request.scenario, {}, {control.stop, nullptr});
    if (!tuning) {
        return refuse(tuning.error());
    }
    auto answer = std::make_shared<TunerAnswer>();
    answer->landscape = *std::move(cells);
    answer->tuning = *std::move(tuning);
    const std::vector<Candidate>& ranked = answer->tuning.ranked;
    for (std::size_t k = 0; k < ranked.size(); ++k) {
        const bool seen = std::ranges::any_of(answer->leaders, [&](std::size_t leader) {
            return ranked[leader].step.algorithm == ranked[k].step.algorithm;
        });
        if (!seen) {
            answer->leaders.push_back(k);
        }
    }
    const Landscape& land = answer->landscape;
    for (std::size_t row = 0; row < land.meshes.size(); ++row) {
        for (std::size_t column = 0; column < land.slices.size(); ++column) {
            if (land.cell(row, column).runs()) {
                answer->rows.push_back(row);
                break;
            }
        }
    }
    return TunerAnswerPtr(std::move(answer));
}

QString meshText(const TunerAnswer& answer, std::size_t row) {
    const auto algorithm = meshslice::algorithm(answer.landscape.algorithm);
    return meshName(answer.landscape.meshes[row], algorithm && (*algorithm)->torus_axes == 1);
}

QString columnText(const TunerAnswer& answer, std::size_t column) {
    const auto& slices = answer.landscape.slices[column];
    if (slices) {
        return TunerWords::tr("S = %1").arg(*slices);
    }
    return answer.landscape.slices.size() == 1 ? TunerWords::tr("not sliced")
                                               : TunerWords::tr("best S of each");
}

QString tunerFinding(const TunerAnswer& answer) {
    const Landscape& land = answer.landscape;
    const LandscapeCell& best = land.cell(land.best->first, land.best->second);
    const auto algorithm = meshslice::algorithm(land.algorithm);
    const QString title = algorithm ? words((*algorithm)->title) : words(land.algorithm);
    const std::int64_t slices = best.products.front().slices;
    const bool alike = std::ranges::all_of(
        best.products, [&](const LandscapeProduct& product) { return product.slices == slices; });
    const auto& column = land.slices[land.best->second];
    const QString how = land.slices.size() == 1 ? QString() // does not slice
                        : column || alike       ? TunerWords::tr(" with S = %1").arg(column.value_or(slices))
                                                : TunerWords::tr(" with each GEMM's best S");
    const QString mesh = meshText(answer, land.best->first);
    const QString room = words(room_text(best.memory, land.capacity));
    return best.fits ? TunerWords::tr("Best for %1: %2%3, %4 of peak, %5")
                           .arg(title, mesh, how, words(percent_text(best.utilization)), room)
                     : TunerWords::tr("Nothing fits with %1; %2%3 needs the least: %4 per chip")
                           .arg(title, mesh, how, room);
}

std::optional<TunerPlace> placeOf(const TunerAnswer& answer, const Scenario& scenario) {
    const Landscape& land = answer.landscape;
    const auto mesh = std::ranges::find(land.meshes, scenario.mesh);
    const auto slices = std::ranges::find(land.slices, scenario.plan.slices);
    if (mesh == land.meshes.end() || slices == land.slices.end() ||
        scenario.plan.algorithm != land.algorithm) {
        return std::nullopt;
    }
    return TunerPlace{static_cast<std::size_t>(mesh - land.meshes.begin()),
                      static_cast<std::size_t>(slices - land.slices.begin())};
}

QStringList cellLines(const TunerAnswer& answer, const TunerPlace& place) {
    const LandscapeCell& cell = answer.landscape.cell(place.first, place.second);
    QStringList lines{meshText(answer, place.first) + translated(", ") + columnText(answer, place.second)};
    if (!cell.runs()) {
        return lines << words(cell.objection);
    }
    const LandscapeCell& best =
        answer.landscape.cell(answer.landscape.best->first, answer.landscape.best->second);
    lines << TunerWords::tr("%1, %2 of peak, %3")
                 .arg(timeText(answer, cell.time), words(percent_text(cell.utilization)),
                      answer.landscape.depth == Depth::simulate ? TunerWords::tr("simulated")
                                                                : TunerWords::tr("by estimate"));
    const QString room = words(room_text(cell.memory, answer.landscape.capacity));
    lines << (cell.fits ? TunerWords::tr("memory of a chip: %1").arg(room)
                        : TunerWords::tr("does not fit: %1 per chip").arg(room));
    if (place == *answer.landscape.best) {
        lines << (cell.fits ? TunerWords::tr("the best of all")
                            : TunerWords::tr("nothing fits; this needs the least memory"));
    } else if (!best.fits) {
        lines << TunerWords::tr("the least is %1").arg(words(text(best.memory)));
    } else if (cell.time == best.time || (cell.fits && cell.time < best.time)) {
        lines << TunerWords::tr("as fast as the best");
    } else if (cell.time < best.time) {
        lines << TunerWords::tr("takes %1 less time than the best that fits")
                     .arg(words(percent_text(ratio(best.time - cell.time, best.time))));
    } else {
        lines << TunerWords::tr("takes %1 longer than the best")
                     .arg(words(percent_text(ratio(cell.time - best.time, best.time))));
    }
    return lines << TunerWords::tr("Click or Enter loads it");
}

QStringList leaderLines(const TunerAnswer& answer, std::size_t leader) {
    const Candidate& one = answer.tuning.ranked[answer.leaders[leader]];
    QStringList lines{words(one.title) + translated(", ") + words(mesh_text(one.step.torus)),
                      TunerWords::tr("%1, %2 of peak, by estimate")
                          .arg(timeText(answer, one.step.time), words(percent_text(one.step.utilization)))};
    if (const std::string slices = slices_text(one.step); !slices.empty()) {
        lines << words(slices);
    }
    if (one.step.fits()) {
        lines << TunerWords::tr("memory of a chip: %1").arg(words(fit_words(one.step)));
    }
    if (const std::string why = reason(answer.tuning, one); !why.empty()) {
        lines << (one.step.fits() ? TunerWords::tr("behind the first: %1").arg(words(why)) : words(why));
    }
    return lines << TunerWords::tr("A click loads it");
}

std::optional<Chart> cellChart(const TunerAnswer& answer, const TunerPlace& place) {
    const LandscapeCell& cell = answer.landscape.cell(place.first, place.second);
    if (!cell.runs()) {
        return std::nullopt;
    }
    const QString title = meshText(answer, place.first) + translated(", ") +
                          columnText(answer, place.second) + translated(": ") + timeText(answer, cell.time);
    return cell_chart(answer.landscape, cell, title.toStdString());
}

Table tunerTable(const TunerAnswer& answer) {
    const Landscape& land = answer.landscape;
    Table table{"tuner",
                {"algorithm", "mesh", "slices", land.depth == Depth::simulate ? "simulated_s" : "estimated_s",
                 "flop_utilization", "memory_bytes", "fits", "objection"},
                {}};
    for (std::size_t row = 0; row < land.meshes.size(); ++row) {
        for (std::size_t column = 0; column < land.slices.size(); ++column) {
            const LandscapeCell& cell = land.cell(row, column);
            const Table::Cell slices =
                land.slices[column] ? Table::Cell(*land.slices[column]) : Table::Cell(std::string("best"));
            const Table::Cell none = std::string();
            table.rows.push_back({land.algorithm, meshText(answer, row).toStdString(), slices,
                                  cell.runs() ? Table::Cell(in_seconds(cell.time)) : none,
                                  cell.runs() ? Table::Cell(cell.utilization) : none,
                                  cell.runs() ? Table::Cell(cell.memory.value()) : none,
                                  cell.runs() ? Table::Cell(std::string(cell.fits ? "yes" : "no")) : none,
                                  cell.objection});
        }
    }
    return table;
}

} // namespace meshslice::ui
