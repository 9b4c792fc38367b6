#include "ui/commands/tool_pages.h"

#include "core/base/text.h"
#include "core/report/tuning_words.h"
#include "core/search/dataflow_search.h"
#include "core/step/verify_small.h"
#include "ui/look/words.h"
#include "ui/view/finding.h"

#include <QCoreApplication>

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

} // namespace

Result<ToolPage> verifiedPage(const Results& results, const RunControl& control) {
    ToolPage page;
    page.table.title = "Verification";
    page.table.columns = {"algorithm", "GEMM",   "dataflow",      "run as M x N x K",
                          "S",         "result", "largest error", "allowed error"};
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
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            const Result<SmallVerification> ran =
                known ? verify_small(**known, gemm.gemm.shape, gemm.gemm.dataflow, step.torus, gemm.options,
                                     results.scenario_of(k).schedule)
                      : Result<SmallVerification>(refuse(known.error()));
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
            ? ToolWords::tr("All %1 GEMMs are right: chip by chip and hop by hop they give what one "
                            "multiplication of the whole matrices gives.")
                  .arg(count)
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

Result<ToolPage> dataflowPage(const Scenario& scenario, const RunControl& control) {
    const Result<DataflowSearch> search = search_dataflows(scenario, control);
    if (!search) {
        return refuse(search.error());
    }
    ToolPage page;
    page.finding =
        words(finding(*search)) + QLatin1Char(' ') +
        ToolWords::tr("Y-stationary everywhere: %1. By estimate; a transposition costs no time here.")
            .arg(words(text(search->y_everywhere.time)));
    page.table.title = "Dataflows";
    page.table.columns = {"layer",          "largest matrix stays", "its time_s",
                          "fastest of all", "fastest time_s",       "stored, rows x columns"};
    for (std::size_t k = 0; k < search->layers.size(); ++k) {
        page.table.rows.push_back({search->layers[k].name, text(search->heuristic.layers[k]),
                                   in_seconds(search->heuristic.times[k]), text(search->fastest.layers[k]),
                                   in_seconds(search->fastest.times[k]),
                                   storedText(search->fastest.layers[k])});
    }
    return page;
}

} // namespace meshslice::ui
