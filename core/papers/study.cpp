#include "core/papers/study.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/figure/place_lines.h"
#include "core/torus/torus.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace meshslice {
Result<StudyResult> run_study(const Study& study, const StudyInputs& inputs, const RunControl& control) {
    if (inputs.models.empty() || inputs.chips.empty()) {
        return refuse("A study needs at least one model and one number of chips.");
    }
    for (std::size_t k = 0; k < inputs.chips.size(); ++k) {
        const std::int32_t before = k == 0 ? 0 : inputs.chips[k - 1];
        if (inputs.chips[k] <= before || inputs.chips[k] > Torus::most_chips) {
            return refuse(fmt::format("The numbers of chips have {} after {}; expected whole numbers from 1 "
                                      "to {} in ascending order.",
                                      inputs.chips[k], before, Torus::most_chips));
        }
    }
    for (const Transformer& model : inputs.models) {
        const Result<void> valid = study.evaluation->runs(model, inputs.hardware, control);
        if (!valid) {
            return refuse(valid.error());
        }
    }
    auto result = study.run(inputs, control);
    if (result && !(result->claims.empty() && result->orderings.empty())) {
        result->not_judged = study.evaluation->differs(inputs, study.scope);
    }
    return result;
}

std::string titles_of(const std::vector<Transformer>& models) {
    std::vector<std::string> words;
    for (const Transformer& one : models) {
        words.push_back(one.title);
    }
    return listed(words);
}

std::string why_not_judged(const StudyInputs& asked, const StudyInputs& own, const StudyScope& scope,
                           bool other_chips) {
    std::vector<std::string> differences;
    if (scope.models && asked.models != own.models) {
        differences.push_back(say("of {} instead of {}", titles_of(asked.models), titles_of(own.models)));
    }
    if (other_chips) {
        differences.push_back(say("on up to {} chips instead of {}", asked.chips.back(), own.chips.back()));
    }
    if (scope.hardware && asked.hardware != own.hardware) {
        differences.push_back(say("with {} instead of {}", asked.hardware.title, own.hardware.title));
    }
    return differences.empty() ? std::string()
                               : say("Not judged against the paper: asked {}.", listed(differences));
}

Chart chart(const StudyResult& result) {
    Chart chart{result.finding, {}, {}};
    std::ranges::transform(result.panels, std::back_inserter(chart.panels), place_lines);
    for (const std::string& note : {result.not_judged, result.note, not_running(result.panels)}) {
        if (!note.empty()) {
            chart.notes.push_back(note);
        }
    }
    return chart;
}

Table verdicts(const Publication& publication, const StudyResult& result) {
    Table table;
    table.title = "The paper's statements and ours";
    table.columns = {"statement", "paper", "ours", "deviation", "section", "numbers", "reading"};
    const bool judged = result.not_judged.empty();
    for (const ClaimOutcome& one : result.claims) {
        const auto claim = std::ranges::find(publication.claims, one.id, &Claim::id);
        if (claim != publication.claims.end()) {
            table.rows.push_back({claim->statement, claim_text(claim->kind, claim->value),
                                  claim_text(claim->kind, one.ours),
                                  judged ? deviation_text(one.deviation()) : "not judged", claim->section,
                                  result.not_judged, std::string(name(one.reading))});
        }
    }
    for (const OrderingOutcome& one : result.orderings) {
        const auto ordering = std::ranges::find(publication.orderings, one.id, &Ordering::id);
        if (ordering != publication.orderings.end()) {
            const char* ours = !judged ? "not judged" : one.holds ? "holds" : "does not hold";
            table.rows.push_back({ordering->statement, "holds", ours, "", ordering->section,
                                  result.not_judged + (judged ? "" : " ") + one.numbers,
                                  std::string(name(one.reading))});
        }
    }
    return table;
}

} // namespace meshslice
