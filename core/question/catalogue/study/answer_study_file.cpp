#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/study/judged_study.h"
#include "core/question/catalogue/study/study_trust.h"
#include "core/report/document/document.h"
#include "core/report/sweep/sweep_table.h"
#include "core/report/words/column_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <sstream>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

using PointList = std::vector<SweepPoint>;

std::string verdict_word(const std::optional<bool>& holds) {
    return !holds ? std::string("-") : *holds ? said("true") : said("false");
}

void add_claims(const std::vector<JudgedClaim>& claims, bool judged, Answer& answer) {
    Paragraph lines{{}, {{say("claim"), say("published"), say("ours"), say("deviation")}}, 1, false};
    Table table{said("Claims"), {"id", "statement", "published", "ours", "deviation", "holds"}, {}};
    answer.values["claims"] = Tree::array();
    for (const JudgedClaim& one : claims) {
        const SweptClaim& claim = *one.claim;
        const std::optional<double> deviation =
            judged && one.ours ? std::optional(one.deviation()) : std::nullopt;
        const std::string off = !judged     ? said("not judged")
                                : deviation ? deviation_text(*deviation)
                                            : std::string();
        lines.lines.push_back({claim.statement, claim_text(claim.kind, claim.value), one.ours_text(), off});
        table.rows.push_back({claim.id, claim.statement, claim.value,
                              one.ours ? Table::Cell(*one.ours) : Table::Cell(),
                              deviation ? Table::Cell(*deviation) : Table::Cell(),
                              one.holds() ? Table::Cell(std::int64_t{*one.holds() ? 1 : 0}) : Table::Cell()});
        answer.values["claims"].push_back({{"id", claim.id},
                                           {"statement", claim.statement},
                                           {"published", claim.value},
                                           {"ours", one.ours},
                                           {"deviation", deviation},
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
        const std::optional<bool> holds =
            study.not_judged.empty() ? judged(one, points) : std::optional<bool>();
        answer.words.push_back({fmt::format("\n{:5}  {}\n", verdict_word(holds), one.statement)});
        answer.values["orderings"].push_back(
            {{"id", one.id}, {"statement", one.statement}, {"holds", holds}});
    }
}

/// Claims and orderings as a reader judges them.
AnswerTrust trust_of(const StudyFile& study, const std::vector<JudgedClaim>& claims,
                     const PointList& points) {
    const bool is_judged = study.not_judged.empty();
    std::vector<PublishedNumber> numbers;
    for (const JudgedClaim& one : claims) {
        numbers.push_back({one.claim->statement,
                           claim_text(one.claim->kind, one.claim->value),
                           one.ours_text(),
                           {},
                           is_judged && one.ours ? std::optional(one.deviation()) : std::nullopt});
    }
    std::vector<PublishedStatement> statements;
    for (const SweptOrdering& one : study.orderings) {
        statements.push_back({one.statement, is_judged ? judged(one, points) : std::optional<bool>()});
    }
    AnswerTrust trust = trust_of_published(numbers, statements);
    if (const std::string& sentence = is_judged ? study.note : study.not_judged; !sentence.empty()) {
        trust.sentences.push_back(sentence);
    }
    if (!study.source.empty()) {
        trust.sentences.push_back(say("Published in {}.", study.source));
    }
    return trust;
}

bool is_empty(const Table::Cell& cell) {
    const auto* const text = std::get_if<std::string>(&cell);
    return text != nullptr && text->empty();
}

/// The rows that people see: what varies, the numbers that count, and why a point does not run.
Table points_for_people(const Sweep& sweep, const PointList& points) {
    const Table shown = shown_sweep_table(sweep, shown_as(sweep, points), points);
    const auto note =
        static_cast<std::size_t>(std::ranges::find(shown.columns, "note") - shown.columns.begin());
    const bool noted = std::ranges::any_of(
        shown.rows, [&](const auto& row) { return note < row.size() && !is_empty(row[note]); });
    // Also the number that the study is about, wherever it stands; not what no point has.
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < shown.columns.size(); ++k) {
        const bool varies = k < sweep.fields.size();
        const bool said = k < note + (noted ? 1 : 0) || shown.columns[k] == sweep.number;
        const bool any = std::ranges::any_of(
            shown.rows, [&](const auto& row) { return k < row.size() && !is_empty(row[k]); });
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

/// With units, as other tables have them.
Paragraph lines_of(const Table& table, std::size_t left) {
    Paragraph lines{{}, {{}}, left, false};
    std::ranges::transform(table.columns, std::back_inserter(lines.lines.front()), words_of_column);
    for (const std::vector<Table::Cell>& row : table.rows) {
        std::vector<std::string>& words = lines.lines.emplace_back();
        for (std::size_t k = 0; k < row.size(); ++k) {
            words.push_back(words_of_cell(table.columns[k], row[k]));
        }
    }
    return lines;
}

/// A number as such, all else in words.
Tree value_of(const StudyValue& one) {
    const auto* const whole = std::get_if<std::int64_t>(&one.value);
    const auto* const quantity = std::get_if<double>(&one.value);
    const auto* const name = std::get_if<std::string>(&one.value);
    return whole != nullptr      ? Tree(*whole)
           : quantity != nullptr ? Tree(*quantity)
           : name != nullptr     ? Tree(*name)
                                 : Tree(one.words);
}

std::vector<std::string> sentences_of(const std::string& finding) {
    std::vector<std::string> lines;
    std::istringstream rest(finding);
    for (std::string line; std::getline(rest, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// What it is about, for reports and programs, and in a line: "model Llama 3 8B, sequence length 8192".
std::string add_asked(const StudyFile& study, Answer& answer) {
    std::string line;
    for (const StudyValue& one : values_of_all_points(study)) {
        line += (line.empty() ? std::string() : said("; ")) + one.name + " " + one.words;
        answer.asked.emplace_back(one.name, one.words);
        answer.values["asked"][one.key] = value_of(one);
    }
    return line.empty() ? line : capitalized(line) + said(".") + "\n";
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

Result<std::vector<SweepPoint>> run_points(const StudyFile& study, const RunControl& control) {
    PointList points;
    const auto take = [&](const SweepPoint& point) { points.push_back(point); };
    return run_sweep(study.sweep, take, 0, control)
        .and_then([&] { return checked_points(study, points); })
        .map([&] { return points; });
}

Result<Answer> answer_study_file(const StudyFile& study, const RunControl& control) {
    const Result<PointList> ran = run_points(study, control);
    if (!ran) {
        return refuse(ran.error());
    }
    const PointList& points = *ran;
    const std::vector<JudgedClaim> claims = judged_claims(study, points);
    const std::string finding = sweep_finding(study.sweep, points);
    const std::vector<std::string> lines = sentences_of(finding);
    Answer answer{
        {{"study", study.name}, {"title", study.title}, {"points", sweep_values(study.sweep, points)}},
        lines.empty() ? study.title : lines.front(),
        study.title};
    answer.further.assign(lines.begin() + (lines.empty() ? 0 : 1), lines.end());
    Table shown = points_for_people(study.sweep, points);
    answer.words = {{study.title + "\n" + study.question + "\n" + add_asked(study, answer) + "\n"},
                    lines_of(shown, study.sweep.fields.size()),
                    {"\n" + finding + "\n"}};
    answer.tables.push_back(
        NamedTable::of("points", sweep_table(study.sweep, points)).shown_as(std::move(shown)));
    const bool is_judged = study.not_judged.empty();
    add_claims(claims, is_judged, answer);
    add_orderings(study, points, answer);
    answer.trust = trust_of(study, claims, points);
    if (!claims.empty()) { // the same numbers, for people
        NamedTable& numbers = answer.tables.back();
        numbers = std::move(numbers).as(TableKind::evidence).shown_as(std::move(answer.trust.tables.front()));
        answer.trust.tables.erase(answer.trust.tables.begin());
    }
    const std::string published =
        study.source.empty() ? std::string() : say("Published in {}.", study.source);
    for (const std::string& sentence : {is_judged ? study.note : study.not_judged, published}) {
        if (!sentence.empty()) {
            answer.words.push_back({"\n" + sentence + "\n"});
        }
    }
    for (const Check& check : answer.checks) {
        if (!check.because.empty()) {
            answer.words.push_back({"\n" + check.because + "\n"});
        }
    }
    answer.charts.push_back({study.name, study_chart(study, points), study.question});
    return answer;
}

} // namespace meshslice
