#include "core/papers/meshslice/study.h"

#include "core/base/text.h"
#include "core/papers/meshslice/paper_studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

std::string column(const std::string& name, PanelUnit unit) {
    switch (unit) {
    case PanelUnit::share: return name + "_share";
    case PanelUnit::ratio: return name + "_ratio";
    case PanelUnit::seconds: return name + "_s";
    case PanelUnit::bytes: return name + "_bytes";
    }
    return name;
}

Table::Cell cell(const std::vector<std::optional<double>>& values, std::size_t k) {
    return k < values.size() && values[k] ? Table::Cell(*values[k]) : Table::Cell(std::string());
}

} // namespace

const std::vector<Study>& studies() {
    constexpr StudyScope over_clusters{true, true, ClustersAsked::all};
    constexpr StudyScope one_cluster{true, true, ClustersAsked::largest};
    constexpr StudyScope one_mesh{true, true, ClustersAsked::none};
    constexpr StudyScope models_alone{true, false, ClustersAsked::none};
    constexpr StudyScope nothing_asked{false, false, ClustersAsked::none};
    static const std::vector<Study> all = {
        {"weak-scaling", "Weak scaling", "How much of the peak is left when cluster and batch grow together?",
         "5.1.1, Figure 9", weak_scaling, over_clusters},
        {"communication", "Communication by cause",
         "What is communication made of, beside the time of the multiplications?", "5.1.2, Figure 10",
         communication_share, one_cluster},
        {"product-shapes", "Product by product", "Which algorithm is fastest on each product of a step?",
         "5.1.4, Figure 11", product_shapes, one_cluster},
        {"strong-scaling", "Strong scaling", "What is left when only the cluster grows?", "5.1.3, Figure 12",
         strong_scaling, over_clusters},
        {"dataflows", "Dataflow", "What does it gain to keep the largest matrix of each layer where it is?",
         "5.2, Table 2", dataflows, one_cluster},
        {"mesh-shapes", "Mesh shape", "Which mesh is fastest, and do estimate and simulation agree?",
         "5.2, Figure 13", mesh_shapes, one_cluster},
        {"slice-counts", "Slice count", "How finely should be sliced, and do both agree?", "5.2, Figure 14",
         slice_count_study, one_cluster},
        {"real-cluster", "A real cluster", "What do 16 real chips reach, whose links work one way?",
         "5.3.1, Table 3", real_cluster, models_alone},
        {"layer-communication", "Communication by layer",
         "How long does each layer communicate on 4x4 chips, hidden or not?", "5.3.2, Figure 15",
         layer_communication, one_mesh},
        {"end-to-end", "Whole blocks", "How much is left of the speed-up when attention and norms count too?",
         "5.1.1", end_to_end, one_cluster},
        {"traffic", "Traffic on three axes", "What does a chip send with 2.5D and with MeshSlice + DP?", "7",
         traffic, nothing_asked},
    };
    return all;
}

Result<const Study*> study(std::string_view id) {
    std::string ids;
    for (const Study& one : studies()) {
        if (one.id == id) {
            return &one;
        }
        ids += fmt::format("{}{}", ids.empty() ? "" : ", ", one.id);
    }
    return refuse(fmt::format("There is no study called \"{}\"; the names are {}.", shortened(id), ids));
}

Result<StudyResult> run_study(const Study& study, const StudyInputs& inputs, const RunControl& control) {
    if (inputs.models.empty() || inputs.chips.empty()) {
        return refuse("A study needs at least one model and one number of chips.");
    }
    for (std::size_t k = 0; k < inputs.chips.size(); ++k) {
        const std::int32_t before = k == 0 ? 0 : inputs.chips[k - 1];
        if (inputs.chips[k] <= before || inputs.chips[k] > Torus::most_chips) {
            return refuse(fmt::format("The numbers of chips have {} after {}; whole numbers from 1 to {} in "
                                      "ascending order were expected.",
                                      inputs.chips[k], before, Torus::most_chips));
        }
    }
    for (const Transformer& model : inputs.models) {
        const auto valid = checked(paper_scenario(model, 1, inputs.hardware));
        if (!valid) {
            return refuse(valid.error());
        }
    }
    auto result = study.run(inputs, control);
    if (result && !(result->claims.empty() && result->orderings.empty())) {
        result->not_judged = not_the_papers(inputs, study.scope);
    }
    return result;
}

ClaimOutcome outcome(const std::string& id, double ours) {
    const std::vector<Claim>& claims = meshslice_paper().claims;
    const auto claim = std::ranges::find(claims, id, &Claim::id);
    return {id, claim == claims.end() ? std::nullopt : std::optional(claim->value), ours};
}

Table table(const std::string& title, const std::vector<Panel>& panels) {
    Table table;
    table.title = title;
    if (panels.empty()) {
        return table;
    }
    table.columns = {"panel", panels.front().category_name};
    for (const Series& series : panels.front().series) {
        table.columns.push_back(column(series.name, panels.front().unit));
    }
    // A column of published values where any panel has some: the same columns for all rows.
    std::vector<std::size_t> published;
    for (std::size_t s = 0; s < panels.front().series.size(); ++s) {
        const bool any = std::ranges::any_of(
            panels, [&](const Panel& panel) { return !panel.series[s].published.empty(); });
        if (any) {
            published.push_back(s);
            table.columns.push_back(
                column(panels.front().series[s].name + " published", panels.front().unit));
        }
    }
    for (const Panel& panel : panels) {
        for (std::size_t k = 0; k < panel.categories.size(); ++k) {
            std::vector<Table::Cell> row = {panel.title, panel.categories[k]};
            for (const Series& series : panel.series) {
                row.push_back(cell(series.values, k));
            }
            for (const std::size_t s : published) {
                row.push_back(cell(panel.series[s].published, k));
            }
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

Table verdicts(const StudyResult& result) {
    Table table;
    table.title = "The paper's statements and ours";
    table.columns = {"statement", "paper", "ours", "deviation", "section", "numbers"};
    const PublishedClaims& paper = meshslice_paper();
    const bool judged = result.not_judged.empty();
    for (const ClaimOutcome& one : result.claims) {
        const auto claim = std::ranges::find(paper.claims, one.id, &Claim::id);
        if (claim != paper.claims.end()) {
            table.rows.push_back({claim->statement, claim_text(claim->kind, claim->value),
                                  claim_text(claim->kind, one.ours),
                                  judged ? fmt::format("{:+.1f}%", 100 * one.deviation()) : "not judged",
                                  claim->section, result.not_judged});
        }
    }
    for (const OrderingOutcome& one : result.orderings) {
        const auto ordering = std::ranges::find(paper.orderings, one.id, &Ordering::id);
        if (ordering != paper.orderings.end()) {
            const char* ours = !judged ? "not judged" : one.holds ? "holds" : "does not hold";
            table.rows.push_back({ordering->statement, "holds", ours, "", ordering->section,
                                  result.not_judged + (judged ? "" : " ") + one.numbers});
        }
    }
    return table;
}

} // namespace meshslice
