#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/figure/table.h"
#include "core/papers/meshslice/paper_claims.h"
#include "core/papers/meshslice/paper_setup.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Whether what the paper says about who is ahead holds here; judged only where StudyResult::not_judged is
/// empty.
struct OrderingOutcome {
    std::string id; ///< of the ordering in meshslice_paper()
    bool holds = false;
    std::string numbers; ///< ours, by which it was judged

    bool operator==(const OrderingOutcome&) const = default;
};

/// One line of a chart: a value per category of its panel.
struct Series {
    std::string name;
    std::vector<std::optional<double>> values;    ///< none where it does not run
    std::vector<std::optional<double>> published; ///< as many, or none at all

    bool operator==(const Series&) const = default;
};

/// What the values of a panel count; their base unit.
enum class PanelUnit : std::uint8_t { share, ratio, seconds, bytes };

/// One chart of a study as plain data: series over categories.
struct Panel {
    std::string title; ///< "GPT-3 175B"
    std::string category_name;
    std::vector<std::string> categories;
    std::string value_name;
    PanelUnit unit = PanelUnit::share;
    bool stacked = false; ///< whether the series add up to one bar
    std::vector<Series> series;

    bool operator==(const Panel&) const = default;
};

/// A study's answer: its charts, its table, and the claims of the paper that it can judge with these inputs.
struct StudyResult {
    std::string finding; ///< one sentence, with numbers
    std::vector<Panel> panels;
    Table table;
    std::vector<ClaimOutcome> claims;
    std::vector<OrderingOutcome> orderings;
    std::string note; ///< what is not as in the paper; empty where nothing is
    /// Why claims and orderings are not judged: the question is not the paper's. A sentence; empty where it
    /// is.
    std::string not_judged;

    bool operator==(const StudyResult&) const = default;
};

/// A question of the paper's evaluation that can be asked anew.
struct Study {
    std::string_view id;       ///< "weak-scaling"
    std::string_view title;    ///< "Weak scaling"
    std::string_view question; ///< one sentence
    std::string_view section;  ///< of the paper: "5.1.1, Figure 9"
    Result<StudyResult> (*run)(const StudyInputs& inputs, const RunControl& control);
    StudyScope scope;
};

/// The study of Figure 9, of Figure 10 and so on, in the paper's order.
[[nodiscard]] const std::vector<Study>& studies();
/// By id; the error lists the ids there are. The pointer stays valid.
[[nodiscard]] Result<const Study*> study(std::string_view id);

/// Asks a study. Refused before it begins where there is no model or no number of chips, where the numbers of
/// chips are not whole numbers from 1 on in ascending order, and where the hardware runs no bf16.
[[nodiscard]] Result<StudyResult> run_study(const Study& study, const StudyInputs& inputs,
                                            const RunControl& control = {});

/// Our number for a claim, with the paper's beside it where it states one.
[[nodiscard]] ClaimOutcome outcome(const std::string& id, double ours);

/// The panels as one table: a row per category, a column per series, and one per series that has published
/// values. The unit is in the column's name.
[[nodiscard]] Table table(const std::string& title, const std::vector<Panel>& panels);

/// What the paper says beside what is found here, as text: a row per claim and per ordering. Where they are
/// not judged, because the question is not the paper's, the row says so. Columns: statement, paper, ours,
/// deviation, section, numbers.
[[nodiscard]] Table verdicts(const StudyResult& result);

} // namespace meshslice
