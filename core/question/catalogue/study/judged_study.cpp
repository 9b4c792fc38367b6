#include "core/question/catalogue/study/judged_study.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_plan.h"
#include "core/report/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace meshslice {
namespace {

using PointList = std::vector<SweepPoint>;

std::optional<double> number_at_point(const PointList& points, std::size_t place, const std::string& path) {
    return points[place].runs() ? points[place].number(path) : std::nullopt;
}

JudgedClaim judged(const SweptClaim& claim, const PointList& points) {
    const std::optional<double> at = number_at_point(points, claim.point, claim.number);
    if (!at) {
        return {&claim, {}, points[claim.point].runs() ? NoneOfOurs::lacks_number : NoneOfOurs::does_not_run};
    }
    if (!claim.over) {
        return {&claim, at};
    }
    const std::optional<double> over = number_at_point(points, *claim.over, claim.number);
    if (!over) {
        return {&claim,
                {},
                points[*claim.over].runs() ? NoneOfOurs::over_lacks_number : NoneOfOurs::over_does_not_run};
    }
    return *at > 0 ? JudgedClaim{&claim, *over / *at} : JudgedClaim{&claim, {}, NoneOfOurs::not_above_zero};
}

/// Published numbers of a path, each at its point of a panel: a series for each of the lines that has any.
std::vector<ChartSeries> published_marks(const StudyFile& study, const std::string& path,
                                         const ChartPanel& panel) {
    const SweepPlan plan = sweep_plan(study.sweep);
    const auto numbers = value_numbers(study.sweep.fields[plan.axis]);
    const bool by_value = panel.x.categories.empty() && numbers;
    std::map<std::size_t, ChartSeries> lines;
    for (const SweptClaim& claim : study.claims) {
        if (claim.number != path || claim.over) {
            continue;
        }
        const bool axis_first = plan.axis < plan.lines;
        const std::size_t x = axis_first ? claim.point / plan.across : claim.point % plan.along;
        const std::size_t line = axis_first ? claim.point % plan.across : claim.point / plan.along;
        ChartSeries& series = lines[line];
        series.values.resize(by_value ? 0 : plan.along);
        if (by_value) {
            series.points.push_back({(*numbers)[x], claim.value, {}, claim.statement});
        } else {
            series.values[x] = claim.value;
        }
    }
    std::vector<ChartSeries> all;
    // Next to ours of the same name. Lines that do not run are not in the panel.
    const bool all_run = panel.series.size() == plan.across;
    for (auto& [line, series] : lines) {
        series.name = all_run ? panel.series[line].name : said("published");
        series.role = Role::text;
        series.hollow = true;
        series.source = study.source;
        std::ranges::sort(series.points, {}, &ChartPoint::x);
        all.push_back(std::move(series));
    }
    return all;
}

} // namespace

double JudgedClaim::deviation() const {
    return claim->value != 0 ? *ours / claim->value - 1
           : *ours == 0      ? 0
                             : std::numeric_limits<double>::infinity();
}

std::string JudgedClaim::why_not() const {
    if (holds().value_or(true)) {
        return {};
    }
    const std::string published = claim_text(claim->kind, claim->value);
    const std::string within = fmt::format("{:.4g}%", 100 * *claim->within);
    return !ours ? why_none(published)
                 : say("\"{}\" does not hold: ours is {}, {} from the published {}, and the study allows {}.",
                       claim->statement, claim_text(claim->kind, *ours), deviation_text(deviation()),
                       published, within);
}

std::string JudgedClaim::why_none(const std::string& published) const {
    switch (none) {
    case NoneOfOurs::does_not_run: break;
    case NoneOfOurs::over_does_not_run:
        return say("\"{}\" does not hold: the point under \"over\" does not run, where {} was published.",
                   claim->statement, published);
    case NoneOfOurs::lacks_number:
        return say("\"{}\" does not hold: its point does not have \"{}\", where {} was published.",
                   claim->statement, claim->number, published);
    case NoneOfOurs::over_lacks_number:
        return say("\"{}\" does not hold: the point under \"over\" does not have \"{}\", where {} was "
                   "published.",
                   claim->statement, claim->number, published);
    case NoneOfOurs::not_above_zero:
        return say("\"{}\" does not hold: \"{}\" of its point is not above 0, so nothing can be over it, "
                   "where {} was published.",
                   claim->statement, claim->number, published);
    }
    return say("\"{}\" does not hold: its point does not run, where {} was published.", claim->statement,
               published);
}

std::string JudgedClaim::ours_text() const {
    const bool runs = none != NoneOfOurs::does_not_run && none != NoneOfOurs::over_does_not_run;
    return ours ? claim_text(claim->kind, *ours) : runs ? said("not known") : said("does not run");
}

std::optional<bool> JudgedClaim::holds() const {
    return !claim->within ? std::nullopt
           : !ours        ? std::optional(false)
                          : std::optional(std::abs(deviation()) <= *claim->within);
}

std::vector<JudgedClaim> judged_claims(const StudyFile& study, const PointList& points) {
    std::vector<JudgedClaim> claims;
    std::ranges::transform(study.claims, std::back_inserter(claims),
                           [&](const SweptClaim& one) { return judged(one, points); });
    return claims;
}

std::optional<bool> judged(const SweptOrdering& ordering, const PointList& points) {
    std::vector<double> numbers;
    for (const SweepPoint& one : points) {
        if (const std::optional<double> number = one.runs() ? one.number(ordering.number) : std::nullopt) {
            numbers.push_back(*number);
        }
    }
    if (numbers.size() < 2) {
        return std::nullopt;
    }
    const std::optional<double> at = number_at_point(points, ordering.point, ordering.number);
    switch (ordering.shape) {
    case SweptShape::rises: return std::ranges::is_sorted(numbers);
    case SweptShape::falls: return std::ranges::is_sorted(numbers, std::greater());
    case SweptShape::least_at: return at && *at <= std::ranges::min(numbers);
    case SweptShape::most_at: return at && *at >= std::ranges::max(numbers);
    }
    return std::nullopt;
}

std::string numbers_of(const StudyFile& study, const SweptOrdering& ordering, const PointList& points) {
    std::string words;
    for (const SweepPoint& one : points) {
        if (const std::optional<double> number = one.runs() ? one.number(ordering.number) : std::nullopt) {
            words += (words.empty() ? "" : ", ") +
                     fmt::format("{}: {}", point_words(study.sweep, one), number_text(*number));
        }
    }
    return words;
}

/// Refused where none of the points runs, or the first that does lacks a number that the study asks for.
Result<void> checked_points(const StudyFile& study, const PointList& points) {
    const auto first = std::ranges::find_if(points, &SweepPoint::runs);
    if (first == points.end()) {
        return refuse(say("No point of {} runs. {}", study.name, points.front().objection));
    }
    std::vector<std::string> asked = {study.sweep.number};
    std::ranges::transform(study.claims, std::back_inserter(asked), &SweptClaim::number);
    std::ranges::transform(study.orderings, std::back_inserter(asked), &SweptOrdering::number);
    for (const std::string& path : asked) {
        if (!path.empty() && !first->number(path)) {
            return refuse(
                say("\"{}\" is not a number of a point; {}", shortened(path), unknown_number(*first, path)));
        }
    }
    return {};
}

Chart study_chart(const StudyFile& study, const PointList& points) {
    Chart chart = sweep_chart(study.sweep, points, finding_in_a_line(study.sweep, points));
    const std::vector<Measure> measures = shown_as(study.sweep, points).measures;
    for (std::size_t k = 0; k < std::min(chart.panels.size(), measures.size()); ++k) {
        std::vector<ChartSeries>& series = chart.panels[k].series;
        std::ranges::move(published_marks(study, measures[k].path, chart.panels[k]),
                          std::back_inserter(series));
    }
    return chart;
}

} // namespace meshslice
