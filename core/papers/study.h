#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"
#include "core/papers/publication.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What may be changed about a study: the models, the clusters and the hardware.
struct StudyInputs {
    std::vector<Transformer> models;
    std::vector<std::int32_t> chips; ///< of the clusters that are compared, ascending
    Machine hardware;

    bool operator==(const StudyInputs&) const = default;
};

/// Which clusters a study's answer is about.
enum class ClustersAsked : std::uint8_t { none, largest, all };

/// Which of its inputs a study's answer depends on.
struct StudyScope {
    bool models = true;
    bool hardware = true;
    ClustersAsked clusters = ClustersAsked::largest;
};

/// Whether what the publication says about who is ahead holds here; judged only where StudyResult::not_judged
/// is empty.
struct OrderingOutcome {
    std::string id; ///< of the ordering in its publication
    bool holds = false;
    std::string numbers; ///< ours, by which it was judged
    Reading reading = Reading::estimated;

    bool operator==(const OrderingOutcome&) const = default;
};

/// A study's answer: its charts, its table, and the published claims that it can judge with these inputs.
struct StudyResult {
    std::string finding; ///< one sentence, with numbers
    std::vector<ChartPanel> panels;
    Table table;
    std::vector<ClaimOutcome> claims;
    std::vector<OrderingOutcome> orderings;
    std::string note; ///< what is not as in the paper; empty where nothing is
    /// Why claims and orderings are not judged: the question is not the paper's. A sentence; empty where it
    /// is.
    std::string not_judged;

    bool operator==(const StudyResult&) const = default;
};

/// A publication's evaluation: what it asks, and how a question differs from its own.
struct Evaluation {
    std::function<const Publication&()> publication;
    /// The publication's own, on this hardware where its kind is one that its studies run on, else on its
    /// own.
    std::function<StudyInputs(const Machine& hardware)> inputs;
    /// Refuses a model that does not run on the hardware.
    std::function<Result<void>(const Transformer& model, const Machine& hardware, const RunControl& control)>
        runs;
    /// Why a question is not the publication's, as a sentence; empty where it is.
    std::function<std::string(const StudyInputs& inputs, const StudyScope& scope)> differs;
    /// Whether its studies are about such machines; among the presets there is the publication's own.
    std::function<bool(const Machine& machine)> suits;
    std::string_view machine; ///< the publication's own, by name
    std::string_view models;  ///< its models, in words: "GPT-3 and Megatron-NLG"
    /// How its statements are judged, after the publication's name; empty where nothing is to be said.
    std::string_view judged{};
};

/// A question of a publication's evaluation that can be asked again.
struct Study {
    std::string_view id;       ///< "weak-scaling"
    std::string_view title;    ///< "Weak scaling"
    std::string_view question; ///< one sentence
    std::string_view section;  ///< of the publication: "5.1.1, Figure 9"
    std::function<Result<StudyResult>(const StudyInputs& inputs, const RunControl& control)> run;
    StudyScope scope;
    const Evaluation* evaluation;
    Reading reading; ///< of what it finds

    [[nodiscard]] const Publication& publication() const { return evaluation->publication(); }
};

/// Runs a study. Refused before it begins where there is no model or no number of chips, where the numbers of
/// chips are not whole numbers from 1 on in ascending order, and where a model does not run on the hardware.
[[nodiscard]] Result<StudyResult> run_study(const Study& study, const StudyInputs& inputs,
                                            const RunControl& control = {});

/// "GPT-3 and Megatron-NLG".
[[nodiscard]] std::string titles_of(const std::vector<Transformer>& models);
/// "Not judged against the paper: asked of ..., with ...": why a question is not the publication's own, which
/// asks `own`; empty where it is. `other_chips` says whether its numbers of chips count as others.
[[nodiscard]] std::string why_not_judged(const StudyInputs& asked, const StudyInputs& own,
                                         const StudyScope& scope, bool other_chips);

/// The study's panels under its finding, with what is not as in the publication and what does not run.
[[nodiscard]] Chart chart(const StudyResult& result);

/// What the publication says next to what is found here, as text: a row per claim and per ordering. Where
/// they are not judged, because the question is not the publication's, the row says so. Columns: statement,
/// paper, ours, deviation, section, numbers, reading.
[[nodiscard]] Table verdicts(const Publication& publication, const StudyResult& result);

} // namespace meshslice
