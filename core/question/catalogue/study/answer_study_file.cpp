#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/study/study_file.h"
#include "core/question/catalogue/study/study_trust.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

using PointList = std::vector<SweepPoint>;

/// Why ours has no number: the point, or the one under "over", does not run or does not have it, or
/// there is nothing to divide by.
enum class NoneOfOurs : std::uint8_t {
    does_not_run,
    over_does_not_run,
    lacks_number,
    over_lacks_number,
    not_above_zero
};

struct JudgedClaim {
    const SweptClaim* claim = nullptr;
    std::optional<double> ours = {};
    NoneOfOurs none = NoneOfOurs::does_not_run; ///< where there is none

    /// Of a published 0 none, or infinite.
    [[nodiscard]] double deviation() const {
        return claim->value != 0 ? *ours / claim->value - 1
               : *ours == 0      ? 0
                                 : std::numeric_limits<double>::infinity();
    }
    /// Why it does not hold, as a sentence; empty where it does, and where nothing is judged.
    [[nodiscard]] std::string why_not() const {
        if (holds().value_or(true)) {
            return {};
        }
        const std::string published = claim_text(claim->kind, claim->value);
        const std::string within = fmt::format("{:.4g}%", 100 * *claim->within);
        return !ours ? why_none(published)
                     : say("\"{}\" does not hold: ours is {}, {} from the published {}, and the study allows "
                           "{}.",
                           claim->statement, claim_text(claim->kind, *ours), deviation_text(deviation()),
                           published, within);
    }
    [[nodiscard]] std::string why_none(const std::string& published) const {
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
    /// As a table has it.
    [[nodiscard]] std::string ours_text() const {
        const bool runs = none != NoneOfOurs::does_not_run && none != NoneOfOurs::over_does_not_run;
        return ours ? claim_text(claim->kind, *ours) : runs ? said("not known") : said("does not run");
    }
    /// None where nothing is judged.
    [[nodiscard]] std::optional<bool> holds() const {
        return !claim->within ? std::nullopt
               : !ours        ? std::optional(false)
                              : std::optional(std::abs(deviation()) <= *claim->within);
    }
};

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

/// Of points that run; none where fewer than two have the number.
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

std::string verdict_word(const std::optional<bool>& holds) {
    return !holds ? std::string("-") : *holds ? said("true") : said("false");
}

void add_claims(const std::vector<JudgedClaim>& claims, Answer& answer) {
    Paragraph lines{{}, {{say("claim"), say("published"), say("ours"), say("deviation")}}, 1, false};
    Table table{said("Claims"), {"id", "statement", "published", "ours", "deviation", "holds"}, {}};
    answer.values["claims"] = Tree::array();
    for (const JudgedClaim& one : claims) {
        const SweptClaim& claim = *one.claim;
        const std::string off = one.ours ? deviation_text(one.deviation()) : std::string();
        lines.lines.push_back({claim.statement, claim_text(claim.kind, claim.value), one.ours_text(), off});
        table.rows.push_back({claim.id, claim.statement, claim.value,
                              one.ours ? Table::Cell(*one.ours) : Table::Cell(),
                              one.ours ? Table::Cell(one.deviation()) : Table::Cell(),
                              one.holds() ? Table::Cell(std::int64_t{*one.holds() ? 1 : 0}) : Table::Cell()});
        answer.values["claims"].push_back({{"id", claim.id},
                                           {"statement", claim.statement},
                                           {"published", claim.value},
                                           {"ours", one.ours},
                                           {"deviation", one.ours ? Tree(one.deviation()) : Tree()},
                                           {"holds", one.holds()}});
        if (one.holds()) {
            answer.checks.push_back({claim.statement, one.holds(), one.why_not()});
        }
    }
    if (!claims.empty()) {
        answer.words.push_back({"\n"});
        answer.words.push_back(std::move(lines));
        answer.tables.push_back(NamedTable::of("claims", std::move(table)));
    }
}

void add_orderings(const StudyFile& study, const PointList& points, Answer& answer) {
    answer.values["orderings"] = Tree::array();
    for (const SweptOrdering& one : study.orderings) {
        const std::optional<bool> holds = judged(one, points);
        answer.words.push_back({fmt::format("\n{:5}  {}\n", verdict_word(holds), one.statement)});
        answer.values["orderings"].push_back(
            {{"id", one.id}, {"statement", one.statement}, {"holds", holds}});
    }
}

/// Claims and orderings as a reader judges them.
AnswerTrust trust_of(const StudyFile& study, const std::vector<JudgedClaim>& claims,
                     const PointList& points) {
    std::vector<PublishedNumber> numbers;
    for (const JudgedClaim& one : claims) {
        numbers.push_back({one.claim->statement,
                           claim_text(one.claim->kind, one.claim->value),
                           one.ours_text(),
                           {},
                           one.ours ? std::optional(one.deviation()) : std::nullopt});
    }
    std::vector<PublishedStatement> statements;
    for (const SweptOrdering& one : study.orderings) {
        statements.push_back({one.statement, judged(one, points)});
    }
    AnswerTrust trust = trust_of_published(numbers, statements);
    if (!study.source.empty()) {
        trust.sentences.push_back(say("Published in {}.", study.source));
    }
    return trust;
}

std::string cell_text(const Table::Cell& cell) {
    const auto* const text = std::get_if<std::string>(&cell);
    const auto* const number = std::get_if<double>(&cell);
    return text != nullptr     ? *text
           : number != nullptr ? number_text(*number)
                               : std::to_string(std::get<std::int64_t>(cell));
}

/// The rows that people see: what varies, the numbers that count, and why a point does not run.
Table points_for_people(const Sweep& sweep, const PointList& points) {
    const Table shown = shown_sweep_table(sweep, shown_as(sweep, points), points);
    const auto note =
        static_cast<std::size_t>(std::ranges::find(shown.columns, "note") - shown.columns.begin());
    const bool noted = std::ranges::any_of(
        shown.rows, [&](const auto& row) { return note < row.size() && !cell_text(row[note]).empty(); });
    // Also the number that the study is about, wherever it stands; not what no point has.
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < shown.columns.size(); ++k) {
        const bool varies = k < sweep.fields.size();
        const bool said = k < note + (noted ? 1 : 0) || shown.columns[k] == sweep.number;
        const bool any = std::ranges::any_of(
            shown.rows, [&](const auto& row) { return k < row.size() && !cell_text(row[k]).empty(); });
        if (varies || (said && any)) {
            kept.push_back(k);
        }
    }
    Table few{said("Points"), {}, {}};
    for (const std::size_t k : kept) {
        few.columns.push_back(shown.columns[k]);
    }
    for (const std::vector<Table::Cell>& row : shown.rows) {
        std::vector<Table::Cell>& cells = few.rows.emplace_back();
        for (const std::size_t k : kept) {
            cells.push_back(k < row.size() ? row[k] : Table::Cell(std::string()));
        }
    }
    return few;
}

Paragraph lines_of(const Table& table, std::size_t left) {
    Paragraph lines{{}, {table.columns}, left, false};
    for (const std::vector<Table::Cell>& row : table.rows) {
        std::vector<std::string>& words = lines.lines.emplace_back();
        std::ranges::transform(row, std::back_inserter(words), cell_text);
    }
    return lines;
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

} // namespace

Result<void> check_points(const StudyFile& study, const RunControl& control) {
    PointList points;
    std::stop_source enough; // one point that runs shows all that is asked of it
    const std::stop_callback also(control.stop, [&] { enough.request_stop(); });
    const auto take = [&](const SweepPoint& point) {
        points.push_back(point);
        if (point.runs()) {
            enough.request_stop();
        }
    };
    const Result<void> ran = run_sweep(study.sweep, take, 0, {enough.get_token(), control.progress}, 1);
    const bool found = std::ranges::any_of(points, &SweepPoint::runs);
    return ran || found ? checked_points(study, points) : ran;
}

Result<Answer> answer_study_file(const StudyFile& study, const RunControl& control) {
    PointList points;
    const auto take = [&](const SweepPoint& point) { points.push_back(point); };
    if (const Result<void> ran = run_sweep(study.sweep, take, 0, control); !ran) {
        return refuse(ran.error());
    }
    if (const Result<void> sound = checked_points(study, points); !sound) {
        return refuse(sound.error());
    }
    std::vector<JudgedClaim> claims;
    std::ranges::transform(study.claims, std::back_inserter(claims),
                           [&](const SweptClaim& one) { return judged(one, points); });
    const std::string finding = sweep_finding(study.sweep, points);
    Answer answer{
        {{"study", study.name}, {"title", study.title}, {"points", sweep_values(study.sweep, points)}},
        finding.empty() ? study.title : finding,
        study.title};
    Table shown = points_for_people(study.sweep, points);
    answer.words = {{study.title + "\n" + study.question + "\n\n"},
                    lines_of(shown, study.sweep.fields.size()),
                    {"\n" + finding + "\n"}};
    answer.tables.push_back(
        NamedTable::of("points", sweep_table(study.sweep, points)).shown_as(std::move(shown)));
    add_claims(claims, answer);
    add_orderings(study, points, answer);
    answer.trust = trust_of(study, claims, points);
    if (!claims.empty()) { // the same numbers, for people
        NamedTable& numbers = answer.tables.back();
        numbers = std::move(numbers).as(TableKind::evidence).shown_as(std::move(answer.trust.tables.front()));
        answer.trust.tables.erase(answer.trust.tables.begin());
    }
    if (!study.source.empty()) {
        answer.words.push_back({"\n" + say("Published in {}.", study.source) + "\n"});
    }
    for (const Check& check : answer.checks) {
        if (!check.because.empty()) {
            answer.words.push_back({"\n" + check.because + "\n"});
        }
    }
    answer.charts.push_back({study.name, sweep_chart(study.sweep, points, finding), study.question});
    return answer;
}

} // namespace meshslice
