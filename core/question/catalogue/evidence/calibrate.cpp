// The constants of a machine from what was measured on it.

#include "core/base/json/json_reader.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/calibrate/calibration.h"
#include "core/machine/catalogue.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/calibration_chart.h"
#include "core/report/json/calibration_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string constants_text(const std::vector<FittedConstant>& constants) {
    Rows rows = {{"constant", "fitted", "standard error"}};
    for (const auto& [name, fitted, unit] : constants) {
        rows.push_back({name, si_text(fitted.value, unit), standard_error_text(fitted, unit)});
    }
    return text_table(rows, 1);
}

/// The rows that the fit meets worst, a few of them.
std::string worst_text(const Table& table) {
    constexpr std::size_t shown = 3;
    Table sorted = table;
    const auto deviation = [](const std::vector<Table::Cell>& row) {
        return std::abs(std::get<double>(row.back()));
    };
    std::ranges::stable_sort(sorted.rows, std::ranges::greater(), deviation);
    Rows rows = {{"worst at line", "measured", "fitted", "deviation"}};
    for (std::size_t k = 0; k < std::min(shown, sorted.rows.size()); ++k) {
        const auto& row = sorted.rows[k];
        const std::size_t last = row.size() - 1;
        rows.push_back({std::to_string(std::get<std::int64_t>(row[0])),
                        si_text(std::get<double>(row[last - 2]), "s"),
                        si_text(std::get<double>(row[last - 1]), "s"),
                        fmt::format("{:+.2f}%", 100 * std::get<double>(row[last]))});
    }
    return text_table(rows, 1);
}

/// How well a fit meets its rows.
std::string quality_text(const FitQuality& quality, const char* what, const Table& table) {
    const std::string doubt = warning(quality, what);
    return fmt::format("{} {}: {}\n{}{}", table.rows.size(), what, text(quality),
                       doubt.empty() ? "" : fmt::format("Warning: {}\n", doubt), worst_text(table));
}

/// How well both fits meet their rows.
std::string fits_text(const Calibration& fit) {
    std::string words;
    if (fit.collectives && fit.collectives->sync_known) {
        words += fmt::format(
            "All rings have {} chips, which does not tell launch from sync: sync is {}, up to "
            "that of {}, and the launches have the rest.\n",
            fit.measured.collectives.front().chips, text(seconds(fit.collectives->sync.value)), fit.base);
    }
    if (fit.collectives) {
        words += quality_text(fit.collectives->quality, "collectives",
                              residuals(fit.measured.collectives, *fit.collectives));
    }
    if (fit.gemms) {
        words += quality_text(fit.gemms->quality, "GEMMs", residuals(fit.measured.gemms, *fit.gemms));
    }
    return words;
}

JsonPart file_of(const Asked& asked, std::string_view key) {
    const auto* part = std::get_if<JsonPart>(&asked.value(key));
    return part == nullptr ? JsonPart() : *part;
}

Result<Calibration> fitted(const Asked& asked) {
    if (!asked.has("collectives") && !asked.has("gemms")) {
        return refuse("calibrate needs measurements: --collectives FILE.csv, --gemms FILE.csv or both.");
    }
    for (const char* key : {"collectives", "gemms"}) {
        if (asked.has(key) && !std::holds_alternative<JsonPart>(asked.value(key))) {
            return refuse(
                fmt::format("{} is a file, which only a command line can read.", asked.called(key)));
        }
    }
    const Result<Machine> base = chip_of(asked);
    if (!base) {
        return refuse(base.error());
    }
    if (asked.has("collectives") && !is_torus(*base)) {
        return refuse(fmt::format("\"{}\" is not a torus, and {} fits the links of one; {} is a torus.",
                                  base->title, asked.called("collectives"),
                                  asked.setting("hardware", "tpu-v5p")));
    }
    Result<Measurements> measured = measurements_in(file_of(asked, "collectives"), file_of(asked, "gemms"));
    if (!measured) {
        return refuse(measured.error());
    }
    measured->ring = *parse_ring_mode(asked.text("ring"));
    measured->type = *parse_data_type(asked.text("data_type"));
    Result<Calibration> fit = calibrate(*std::move(measured), *base);
    if (fit) {
        const std::string file = asked.said.words("--out");
        const std::string stem = std::filesystem::path(file).stem().string();
        fit->hardware.name = asked.has("name") ? asked.text("name") : check_name(stem) ? stem : base->name;
        if (const Result<void> named = check_name(fit->hardware.name); !named) {
            return refuse(fmt::format("{} {}.", asked.called("name"), named.error().sentence));
        }
    }
    return fit;
}

Answer answer_of(const Calibration& fit) {
    Chart chart = calibration_chart(fit);
    Answer answer{calibration_values(fit), chart.title, fit.base};
    answer.words = {{fmt::format("{}\n{}", constants_text(fitted_constants(fit.collectives, fit.gemms)),
                                 fits_text(fit))}};
    answer.tables.push_back(NamedTable::of("residuals", residuals(fit)));
    answer.charts.push_back({"deviations", std::move(chart)});
    answer.texts.push_back({"machine", [file = write_machine(fit.hardware)](std::ostream& out) {
                                out << file;
                                return Result<void>();
                            }});
    return answer;
}

} // namespace

Question calibrate_question() {
    QuestionField machine = chip_field(ChipsOffered::any, {});
    machine.row.flag_help = "NAME|FILE.json: what is not fitted is taken from it (default tpu-v4-paper)";
    machine.first = "tpu-v4-paper";
    Question question{
        "calibrate",
        "Calibration",
        "",
        "Fits the constants of a machine to what was measured on it: time = launch + steps x sync + bytes "
        "moved / bandwidth, and FLOP over a rate",
        {},
        {file_flag("--collectives",
                   "FILE: a CSV with the columns operation (all_gather, reduce_scatter, all_reduce, "
                   "send_receive), chips, bytes (of "
                   "the whole that is gathered or summed; of a send_receive the message that each chip "
                   "sends) and time (with its unit, or a column time_us), and axis (X, Y, Z) where axes "
                   "differ; or a log of "
                   "nccl-tests, or a table of JAX's micro-benchmarks"),
         file_flag("--gemms",
                   "FILE.csv: columns M, N, K, time (with its unit, or time_us), of GEMMs on one chip"),
         std::move(machine),
         choice_flag("--ring", "both|one-way: how the measured collectives used a ring (default both)",
                     {"both", "one-way"}),
         choice_flag("--data-type", "bf16|int8: of the measured GEMMs (default bf16)", {"bf16", "int8"}),
         text_flag("--name", "NAME: of the fitted machine (default: the file's that --out writes)")},
        {},
        [](const Asked& asked, const RunControl& /*control*/) {
            return fitted(asked).map([](const Calibration& fit) { return answer_of(fit); });
        },
        {},
        {{AnswerFile::Of::text, "machine", "--out", "FILE.json: writes the fitted machine there"},
         {AnswerFile::Of::table, "residuals", "--residuals",
          "FILE.csv: writes every measured and fitted time there"},
         {AnswerFile::Of::chart, "deviations", "--svg",
          "FILE.svg: draws how far the fit is from each measured time there"}}};
    question.examples = {"--gemms gemms.csv --machine tpu-v5e",
                         "--collectives ring.csv --gemms gemms.csv --machine tpu-v5e --out mine.json",
                         "--collectives ring.csv --ring one-way --svg fit.svg"};
    return question;
}

} // namespace meshslice
