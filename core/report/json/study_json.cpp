#include "core/report/json/study_json.h"

#include <algorithm>
#include <variant>

namespace meshslice {
namespace {

using Json = Tree;

Json written(const Publication& publication, const ClaimOutcome& outcome, bool judged) {
    Json claim = {{"id", outcome.id}, {"statement", nullptr}, {"kind", nullptr}, {"paper", nullptr}};
    const auto& claims = publication.claims;
    if (const auto known = std::ranges::find(claims, outcome.id, &Claim::id); known != claims.end()) {
        claim["statement"] = known->statement;
        claim["kind"] = std::string(name(known->kind));
    }
    claim["ours"] = outcome.ours;
    claim["reading"] = std::string(name(outcome.reading));
    claim["deviation"] = nullptr;
    if (outcome.paper) {
        claim["paper"] = *outcome.paper;
        claim["deviation"] = judged ? Json(outcome.deviation()) : Json(nullptr);
    }
    return claim;
}

Json written(const Publication& publication, const OrderingOutcome& outcome, bool judged) {
    const auto& orderings = publication.orderings;
    const auto known = std::ranges::find(orderings, outcome.id, &Ordering::id);
    return {{"id", outcome.id},
            {"statement", known == orderings.end() ? std::string() : known->statement},
            {"holds", judged ? Json(outcome.holds) : Json(nullptr)},
            {"numbers", outcome.numbers},
            {"reading", std::string(name(outcome.reading))}};
}

Json written(const Table& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json cells = Json::array();
        for (const Table::Cell& cell : row) {
            std::visit([&](const auto& value) { cells.push_back(value); }, cell);
        }
        rows.push_back(std::move(cells));
    }
    return {{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

Json written(const PublishedRuns& of) {
    const Publication& publication = *of.publication;
    Json out = {{"publication", publication.title},
                {"source", publication.source},
                {"hardware", of.hardware.empty() ? Json(nullptr) : Json(of.hardware)},
                {"studies", Json::array()},
                {"not_reproduced", Json::array()}};
    for (const StudyRun& run : of.runs) {
        const bool judged = run.result.not_judged.empty();
        Json claims = Json::array();
        for (const ClaimOutcome& one : run.result.claims) {
            claims.push_back(written(publication, one, judged));
        }
        Json orderings = Json::array();
        for (const OrderingOutcome& one : run.result.orderings) {
            orderings.push_back(written(publication, one, judged));
        }
        out["studies"].push_back({{"id", std::string(run.study->id)},
                                  {"title", std::string(run.study->title)},
                                  {"section", std::string(run.study->section)},
                                  {"finding", run.result.finding},
                                  {"reading", std::string(name(run.study->reading))},
                                  {"not_judged", judged ? Json(nullptr) : Json(run.result.not_judged)},
                                  {"claims", std::move(claims)},
                                  {"orderings", std::move(orderings)},
                                  {"table", written(run.result.table)},
                                  {"note", run.result.note}});
    }
    for (const NotReproduced& one : publication.not_reproduced) {
        out["not_reproduced"].push_back(
            {{"section", one.section}, {"statement", one.statement}, {"reason", one.reason}});
    }
    return out;
}

} // namespace

Tree study_values(const Publication& publication, const std::vector<StudyRun>& runs,
                  const Machine& hardware) {
    return study_values({{&publication, runs, hardware.name}});
}

Tree study_values(const std::vector<PublishedRuns>& all) {
    Json out = written(all.front());
    for (std::size_t k = 1; k < all.size(); ++k) {
        out["other_publications"].push_back(written(all[k]));
    }
    return out;
}

} // namespace meshslice
