#include "core/report/plan/scale_report.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/report/plan/plan_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

double of_step(const ScaleRow& row, double PlanTime::*part) {
    const PlanTime& time = row.best->reading.time;
    return time.*part / time.total;
}

double of_expected(const ScaleRow& row, double seconds) {
    return row.expected.known() && row.expected.seconds > 0 ? seconds / row.expected.seconds : 0;
}

/// Rows with a plan that fits.
std::vector<const ScaleRow*> planned_rows(const ScaleLog& log) {
    std::vector<const ScaleRow*> rows;
    for (const ScaleRow& row : log.rows) {
        if (row.best && row.best->reading.fits) {
            rows.push_back(&row);
        }
    }
    return rows;
}

std::string batch_words(const ScaleLog& log) {
    return log.batch == ScaledBatch::per_chip
               ? say("as many samples for each chip, {} on {} chips", log.question.batch, log.question.chips)
               : say("a batch of {} on all numbers of chips", log.question.batch);
}

} // namespace

const std::vector<ScalePart>& scale_parts(bool expected) {
    static const std::vector<ScalePart> of_ideal = {
        {"tensor-parallel communication", "tensor", "ideal_tensor_share", part_of(&PlanTime::tensor).role,
         [](const ScaleRow& row) { return of_step(row, &PlanTime::tensor); }},
        {"data-parallel communication", "data", "ideal_data_share", part_of(&PlanTime::data).role,
         [](const ScaleRow& row) { return of_step(row, &PlanTime::data); }},
        {"transfers between stages", "stages", "ideal_pipeline_share", part_of(&PlanTime::pipeline).role,
         [](const ScaleRow& row) { return of_step(row, &PlanTime::pipeline); }},
        {"expert dispatch and combine", "experts", "ideal_experts_share", part_of(&PlanTime::experts).role,
         [](const ScaleRow& row) { return of_step(row, &PlanTime::experts); }},
        {"pipeline bubble", "bubble", "ideal_bubble_share", part_of(&PlanTime::bubble).role,
         [](const ScaleRow& row) { return of_step(row, &PlanTime::bubble); }}};
    static const std::vector<ScalePart> of_measured = {
        {"tensor- and context-parallel exchanges", "exchanges", "expected_exchanges_share",
         Role::transferHorizontal,
         [](const ScaleRow& row) { return of_expected(row, row.expected.parts.exchanges); }},
        {"gathers of weights and sums of gradients", "weights", "expected_weights_share", Role::transferThird,
         [](const ScaleRow& row) {
             return of_expected(row, row.expected.parts.gathers + row.expected.parts.data);
         }},
        {"transfers that fill and drain the pipeline", "fill", "expected_fill_share", Role::transferVertical,
         [](const ScaleRow& row) { return of_expected(row, row.expected.parts.transfers); }},
        {"experts' GEMMs, dispatch and combine", "experts", "expected_experts_share", Role::backward,
         [](const ScaleRow& row) { return of_expected(row, row.expected.parts.experts); }},
        {"pipeline bubble", "bubble", "expected_bubble_share", Role::sync,
         [](const ScaleRow& row) { return of_expected(row, row.expected.parts.bubble); }},
        {"stragglers", "stragglers", "expected_stragglers_share", Role::exposed,
         [](const ScaleRow& row) { return of_expected(row, row.expected.parts.stragglers); }}};
    return expected ? of_measured : of_ideal;
}

bool shows_expected(const ScaleLog& log) {
    const auto planned = [](const ScaleRow& row) { return row.best.has_value(); };
    return std::ranges::any_of(log.rows, planned) && std::ranges::all_of(log.rows, [&](const ScaleRow& row) {
               return !planned(row) || row.expected.known();
           });
}

std::string scale_finding(const ScaleLog& log) {
    const std::vector<const ScaleRow*> rows = planned_rows(log);
    if (rows.empty()) {
        return say("{} fits on none of these numbers of chips", log.question.model.title);
    }
    const ScaleRow &first = *rows.front(), &last = *rows.back();
    if (rows.size() == 1) {
        return say("Of these numbers of chips, {} has a plan that fits on {} only", log.question.model.title,
                   first.chips);
    }
    const bool expected = shows_expected(log);
    const std::vector<ScalePart>& parts = scale_parts(expected);
    const auto grown = [&](const ScalePart& part) { return part.share(last) - part.share(first); };
    const auto most = std::ranges::max_element(parts, {}, grown);
    const auto shown = [&](const ScaleRow& row) {
        return percent_text(expected ? row.expected_utilization() : row.best->reading.utilization);
    };
    const std::string finding = expected ? say("From {} to {} chips the expected MFU goes from {} to {}",
                                               first.chips, last.chips, shown(first), shown(last))
                                         : say("From {} to {} chips the ideal MFU goes from {} to {}",
                                               first.chips, last.chips, shown(first), shown(last));
    if (!(grown(*most) > 0)) {
        return finding;
    }
    const std::string from = percent_text(most->share(first)), to = percent_text(most->share(last));
    return finding + said("; ") +
           (expected ? say("what grows most is {}, {} to {} of the expected step", said(most->name), from, to)
                     : say("what grows most is {}, {} to {} of the ideal step", said(most->name), from, to));
}

std::string measured_words(const ScaleRow& row) {
    std::string words;
    for (const MeasuredAtScale& one : row.measured) {
        words += (words.empty() ? std::string() : said("; ")) +
                 (one.precision.empty() ? say("{} on {} {}: {}", one.model, one.chips, one.hardware,
                                              percent_text(one.utilization))
                                        : say("{} in {} on {} {}: {}", one.model, one.precision, one.chips,
                                              one.hardware, percent_text(one.utilization)));
    }
    return words;
}

Chart scale_chart(const ScaleLog& log) {
    ChartPanel rates, shares;
    rates.x = {said("number of chips"), ChartUnit::none};
    rates.x.logarithmic = true;
    rates.y = {"MFU", ChartUnit::share};
    const bool by_expected = shows_expected(log);
    const std::vector<ScalePart>& parts = scale_parts(by_expected);
    shares.y = {by_expected ? said("share of the expected step") : said("share of the ideal step"),
                ChartUnit::share};
    shares.x.label = said("number of chips");
    shares.x.where = said("on {} chips");
    ChartSeries ideal{said("ideal"), SeriesKind::line}, expected{said("expected"), SeriesKind::line};
    ChartSeries low{{}, SeriesKind::rule}, high{{}, SeriesKind::rule};
    ChartSeries measured{said("measured, of the same family"), SeriesKind::points};
    ideal.role = Role::quietText;
    expected.role = Role::compute;
    low.role = high.role = Role::compute;
    low.dashed = high.dashed = true;
    measured.role = Role::exposed;
    for (const ScalePart& part : parts) {
        ChartSeries stack{said(part.name), SeriesKind::stack};
        stack.role = part.role;
        shares.series.push_back(std::move(stack));
    }
    for (const ScaleRow& row : log.rows) {
        const auto chips = static_cast<double>(row.chips);
        rates.x.names.emplace_back(chips, std::to_string(row.chips));
        for (const MeasuredAtScale& one : row.measured) {
            measured.points.push_back({static_cast<double>(one.chips),
                                       one.utilization,
                                       {},
                                       one.model + " " + one.hardware + " " + one.precision});
        }
        if (!row.best) {
            continue;
        }
        const std::string plan = text(row.best->plan);
        ideal.points.push_back({chips, row.best->reading.utilization, {}, plan});
        ideal.points.back().open = !row.best->reading.fits;
        if (const double its = row.expected_utilization(); its > 0) {
            expected.points.push_back({chips, its, {}, plan});
            low.points.push_back({chips, its * row.expected.seconds / row.expected.high});
            high.points.push_back({chips, its * row.expected.seconds / row.expected.low});
        }
        shares.x.categories.push_back(std::to_string(row.chips));
        for (std::size_t k = 0; k < parts.size(); ++k) {
            shares.series[k].values.emplace_back(parts[k].share(row));
        }
    }
    for (ChartSeries* one : {&low, &high, &ideal, &expected, &measured}) {
        if (one->points.size() > (one->kind == SeriesKind::rule ? 1 : 0)) {
            rates.series.push_back(std::move(*one));
        }
    }
    std::erase_if(shares.series, [](const ChartSeries& one) {
        return std::ranges::all_of(one.values, [](const auto& value) { return !value || *value == 0; });
    });
    if (!log.rows.empty()) {
        rates.x.low = static_cast<double>(log.rows.front().chips) / 1.3;
        rates.x.high = static_cast<double>(log.rows.back().chips) * 1.3;
    }
    Chart chart{scale_finding(log), {}, {batch_words(log) + said(".")}};
    if (!ideal.name.empty() || !rates.series.empty()) {
        chart.panels.push_back(std::move(rates));
    }
    if (!shares.series.empty()) {
        chart.panels.push_back(std::move(shares));
    }
    return chart;
}

Table scale_table(const ScaleLog& log) {
    Table table{"Log of scale",
                {"chips", "batch", "plan", "time_s", "utilization", "expected_s", "time_low_s", "time_high_s",
                 "expected_utilization"},
                {}};
    for (const bool expected : {true, false}) {
        for (const ScalePart& part : scale_parts(expected)) {
            table.columns.emplace_back(part.key);
        }
    }
    table.columns.insert(table.columns.end(), {"memory_bytes", "fits", "measured", "objection"});
    for (const ScaleRow& row : log.rows) {
        std::vector<Table::Cell> cells = {row.chips, row.batch};
        const auto number = [&](bool known, double value) {
            cells.push_back(known ? Table::Cell(value) : Table::Cell(std::string()));
        };
        const bool has = row.best.has_value(), known = has && row.expected.known();
        cells.emplace_back(has ? text(row.best->plan) : std::string());
        number(has, has ? row.best->reading.time.total : 0);
        number(has, has ? row.best->reading.utilization : 0);
        number(known, row.expected.seconds);
        number(known, row.expected.low);
        number(known, row.expected.high);
        number(known, row.expected_utilization());
        for (const bool expected : {true, false}) {
            for (const ScalePart& part : scale_parts(expected)) {
                number(expected ? known : has, has ? part.share(row) : 0);
            }
        }
        number(has, has ? std::round(row.best->reading.memory.total()) : 0);
        cells.emplace_back(has ? (row.best->reading.fits ? said("yes") : said("no")) : std::string());
        cells.emplace_back(measured_words(row));
        cells.emplace_back(row.objection);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Tree scale_values(const ScaleLog& log) {
    Tree rows = Tree::array();
    for (const ScaleRow& row : log.rows) {
        Tree its = {{"chips", row.chips}, {"batch", row.batch}};
        if (row.best) {
            its["plan"] = text(row.best->plan);
            its["time_s"] = row.best->reading.time.total;
            its["utilization"] = row.best->reading.utilization;
            its["memory_bytes"] = row.best->reading.memory.total();
            its["fits"] = row.best->reading.fits;
            for (const bool expected : {true, false}) {
                for (const ScalePart& part : scale_parts(expected)) {
                    if (!expected || row.expected.known()) {
                        its[part.key] = part.share(row);
                    }
                }
            }
        } else {
            its["objection"] = row.objection;
        }
        if (row.best && row.expected.known()) {
            its["expected_s"] = row.expected.seconds;
            its["time_low_s"] = row.expected.low;
            its["time_high_s"] = row.expected.high;
            if (row.expected.cut()) {
                its["time_low_by_errors_s"] = row.expected.low_by_errors;
            }
            its["expected_utilization"] = row.expected_utilization();
        } else if (row.best) {
            its["not_expected"] = row.expected.reason;
        }
        its["measured"] = Tree::array();
        for (const MeasuredAtScale& one : row.measured) {
            its["measured"].push_back({{"id", one.id},
                                       {"model", one.model},
                                       {"hardware", one.hardware},
                                       {"precision", one.precision},
                                       {"chips", one.chips},
                                       {"utilization", one.utilization}});
        }
        rows.push_back(std::move(its));
    }
    return {{"model", log.question.model.name},
            {"machine", log.question.machine.name},
            {"keep", log.batch == ScaledBatch::per_chip ? "batch-per-chip" : "batch"},
            {"rows", std::move(rows)}};
}

} // namespace meshslice
