#include "core/step/breakdown.h"

#include "core/base/language.h"

#include <algorithm>
#include <iterator>

namespace meshslice {

std::vector<BreakdownRow> breakdown(const std::vector<TrainingStep>& steps) {
    std::vector<BreakdownRow> rows;
    for (const TrainingStep& step : steps) {
        for (const GemmResult& result : step.gemms) {
            rows.push_back({step.algorithm, step.variant, result.title(), false, result.options.slices,
                            result.time, result.usage * result.gemm.copies});
        }
        if (step.gemms.size() > 1) {
            rows.push_back({step.algorithm, step.variant, said("one block"), true, 0, step.time, step.usage});
        }
    }
    return rows;
}

Table table(const std::vector<BreakdownRow>& rows) {
    Table table;
    table.title = "Where the time goes on one chip";
    table.columns = {"algorithm", "gemm",   "slices",     "time_s", "compute_s",
                     "launch_s",  "sync_s", "transfer_s", "copy_s", "exposed_s"};
    for (const BreakdownRow& row : rows) {
        table.rows.push_back({row.algorithm, row.title, row.slices, in_seconds(row.time),
                              in_seconds(row.usage.compute), in_seconds(row.usage.launch),
                              in_seconds(row.usage.sync), in_seconds(row.usage.transfer),
                              in_seconds(row.usage.copy), in_seconds(row.usage.exposed)});
    }
    std::vector<std::string> variants;
    std::ranges::transform(rows, std::back_inserter(variants), &BreakdownRow::variant);
    name_variants(table, variants);
    return table;
}

Table gemm_table(const TrainingStep& step) {
    Table table;
    table.title = "The GEMMs of the step";
    table.columns = {"layer",  "pass",       "dataflow", "m",           "n",         "k",
                     "copies", "slices",     "time_s",   "estimated_s", "compute_s", "launch_s",
                     "sync_s", "transfer_s", "copy_s",   "exposed_s"};
    for (const GemmResult& result : step.gemms) {
        const Gemm& gemm = result.gemm;
        const Usage usage = result.usage * gemm.copies;
        table.rows.push_back({gemm.layer, std::string(name(gemm.pass)), std::string(name(gemm.dataflow)),
                              gemm.shape.m, gemm.shape.n, gemm.shape.k, gemm.copies, result.options.slices,
                              in_seconds(result.time), in_seconds(result.estimated()),
                              in_seconds(usage.compute), in_seconds(usage.launch), in_seconds(usage.sync),
                              in_seconds(usage.transfer), in_seconds(usage.copy), in_seconds(usage.exposed)});
    }
    return table;
}

} // namespace meshslice
