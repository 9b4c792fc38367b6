#include "ui/commands/tool_pages.h"

#include "core/base/text.h"
#include "core/report/words/tuning_words.h"
#include "core/scenario/examples.h"
#include "core/search/dataflow_search.h"
#include "core/step/verify_small.h"
#include "ui/look/words.h"
#include "ui/view/finding.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct ToolWords {
    Q_DECLARE_TR_FUNCTIONS(Tools)
};

std::string storedText(const LayerDataflow& dataflow) {
    std::string all;
    for (const StoredTensor& tensor : stored_tensors(dataflow)) {
        all += (all.empty() ? "" : ", ") + tensor.name + " " + tensor.rows + " x " + tensor.columns;
    }
    return all;
}

QString dataflowWords(std::optional<Stationary> stationary) {
    return stationary ? ToolWords::tr("%1 stationary").arg(words(name(*stationary)))
                      : ToolWords::tr("the largest matrix stays");
}

} // namespace

Result<ToolPage> verifiedPage(const Results& results, const RunControl& control) {
    ToolPage page;
    page.table.title = "Verification";
    page.table.columns = {results.reference ? "variant" : "algorithm",
                          "GEMM",
                          "dataflow",
                          "M x N x K that ran",
                          "slices S",
                          "result",
                          "largest difference",
                          "allowed difference"};
    page.caption = ToolWords::tr(
        "Each GEMM ran on matrices of whole numbers, every chip with its own blocks and every hop of every "
        "block; each element of the result is compared with that of one multiplication of the whole "
        "matrices. "
        "Whole numbers are not rounded, so no difference is allowed.");
    std::size_t count = 0;
    for (const TrainingStep& step : results.steps) {
        count += step.gemms.size();
    }
    std::size_t right = 0;
    bool shrunk = false;
    for (std::size_t k = 0; k < results.steps.size(); ++k) {
        const TrainingStep& step = results.steps[k];
        const Result<const Algorithm*> known = algorithm(step.algorithm);
        for (const GemmResult& gemm : step.gemms) {
            const Result<SmallVerification> ran =
                known ? verify_small(**known, gemm.gemm.shape, gemm.gemm.dataflow, step.torus, gemm.options,
                                     results.scenario_of(k).assume.schedule, 1, control.stop)
                      : Result<SmallVerification>(refuse(known.error()));
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            std::vector<Table::Cell> row = {stepTitle(step).toStdString(), gemm.title(),
                                            std::string(name(gemm.gemm.dataflow))};
            if (ran) {
                const bool correct = ran->verification.correct;
                right += correct ? 1 : 0;
                shrunk = shrunk || ran->shape != gemm.gemm.shape;
                row.insert(row.end(),
                           {text(ran->shape), gemm.options.slices, std::string(correct ? "right" : "WRONG"),
                            ran->verification.largest_error, ran->verification.tolerance});
            } else {
                row.insert(row.end(), {std::string(), gemm.options.slices, ran.error().sentence,
                                       std::string(), std::string()});
            }
            page.table.rows.push_back(std::move(row));
            if (control.progress != nullptr) {
                control.progress->store(static_cast<double>(page.table.rows.size()) /
                                        static_cast<double>(count));
            }
        }
    }
    page.finding =
        right == count
            ? ToolWords::tr("All %1 GEMMs give the exact result, chip by chip and hop by hop.").arg(count)
            : ToolWords::tr("%1 of %2 GEMMs are right; the table says what the others are.")
                  .arg(right)
                  .arg(count);
    if (shrunk) {
        page.finding += QLatin1Char(' ') +
                        ToolWords::tr("Large ones ran on small matrices that are cut alike: the same mesh, "
                                      "dataflow and slice count.");
    }
    return page;
}

Result<ToolPage> dataflowPage(const std::vector<Variant>& variants, const RunControl& control) {
    ToolPage page;
    page.table.title = "Dataflows";
    page.table.columns = {"layer",          "largest matrix stays", "its time_s",
                          "fastest of all", "fastest time_s",       "stored, rows x columns"};
    const bool several = variants.size() > 1;
    if (several) {
        page.table.columns.insert(page.table.columns.begin(), "variant");
    }
    QStringList findings;
    std::optional<Error> refusal;
    for (const Variant& variant : variants) {
        const Result<DataflowSearch> search = search_dataflows(variant.scenario, control);
        const QString who = several ? words(shown_name(variant.name)) + QStringLiteral(": ") : QString();
        if (!search) {
            if (search.error().kind == Error::Kind::cancelled) {
                return refuse(search.error());
            }
            refusal = refusal ? refusal : search.error();
            findings << who + words(search.error().sentence);
            continue;
        }
        QString said =
            who + words(finding(*search)) + QLatin1Char(' ') +
            ToolWords::tr("Y-stationary everywhere: %1. By estimate; a transposition costs no time "
                          "here.")
                .arg(words(text(search->y_everywhere.time)));
        const SharedDataflow& best = search->shared.front();
        const auto own =
            std::ranges::find(search->shared, variant.scenario.plan.stationary, &SharedDataflow::stationary);
        if (own->time > best.time) {
            said += QLatin1Char(' ') +
                    ToolWords::tr("What a scenario can ask for is the same for all layers: %1 takes %2, %3 "
                                  "as now takes %4.")
                        .arg(dataflowWords(best.stationary), words(text(best.time)),
                             dataflowWords(own->stationary), words(text(own->time)));
            const QString title = ToolWords::tr("Take \u201c%1\u201d").arg(dataflowWords(best.stationary));
            page.offers.push_back(
                {several ? ToolWords::tr("%1 in %2").arg(title, words(shown_name(variant.name))) : title,
                 variant.name, variant.scenario, best.stationary});
        } else {
            said += QLatin1Char(' ') + ToolWords::tr("The scenario has the fastest that it can ask for: %1.")
                                           .arg(dataflowWords(own->stationary));
        }
        findings << said;
        for (std::size_t k = 0; k < search->layers.size(); ++k) {
            std::vector<Table::Cell> row = {search->layers[k].name,
                                            text(search->heuristic.layers[k]),
                                            in_seconds(search->heuristic.times[k]),
                                            text(search->fastest.layers[k]),
                                            in_seconds(search->fastest.times[k]),
                                            storedText(search->fastest.layers[k])};
            if (several) {
                row.insert(row.begin(), variant.name);
            }
            page.table.rows.push_back(std::move(row));
        }
    }
    if (refusal && page.table.rows.empty()) {
        return refuse(*refusal);
    }
    page.finding = findings.join(QLatin1Char('\n'));
    page.caption = ToolWords::tr(
        "A layer is Y = X W in the forward pass; backward data and backward weight follow from it. "
        "Y-, X- or W-stationary says which of the three never moves. The times are of all three "
        "passes, by estimate.");
    return page;
}

} // namespace meshslice::ui
