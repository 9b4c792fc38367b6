#include "app/command.h"
#include "app/output_file.h"
#include "app/scenario_options.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/calibrate/calibration.h"
#include "core/machine/catalogue.h"
#include "core/report/calibration_json.h"
#include "core/report/chart/calibration_chart.h"
#include "core/report/chart/chart_svg.h"
#include "core/report/csv.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
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

/// `meshslice calibrate`: the constants of a machine from what was measured on it.
class Calibrate final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Fits the constants of a machine to what was measured on it: time = launch + steps x sync + "
               "bytes moved / bandwidth, and FLOP over a rate";
    }

    void declare(CLI::App& flags) override {
        const auto option = [&flags](const char* flag, std::string& into, const char* meaning) {
            flags.add_option(flag, into, meaning)->type_name("");
        };
        option("--collectives", collectives_,
               "FILE.csv: columns operation (all_gather, reduce_scatter, send_receive), chips, bytes (of the "
               "whole that is gathered or summed; of a send_receive the message that each chip sends), time");
        option("--gemms", gemms_, "FILE.csv: columns M, N, K, time, of GEMMs on one chip");
        option("--hardware", hardware_,
               "NAME|FILE.json: what is not fitted is taken from it (default tpu-v4-paper)");
        option("--ring", ring_, "both|one-way: how the measured collectives used a ring (default both)");
        option("--data-type", data_type_, "bf16|int8: of the measured GEMMs (default bf16)");
        option("--name", name_, "NAME: of the fitted hardware (default: the file's that --out writes)");
        option("--out", out_, "FILE.json: writes the fitted hardware there");
        option("--residuals", residuals_, "FILE.csv: writes every measured and fitted time there");
        option("--svg", svg_, "FILE.svg: draws how far the fit is from each measured time there");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Printed> run() const override {
        if (collectives_.empty() && gemms_.empty()) {
            return refuse("calibrate needs measurements: --collectives FILE.csv, --gemms FILE.csv or both.");
        }
        if (const auto kept = keeps_what_is_read({collectives_, gemms_, hardware_}, {out_, residuals_, svg_});
            !kept) {
            return refuse(kept.error());
        }
        const Result<Machine> base = named_machine(hardware_);
        const Result<RingMode> mode = parse_ring_mode(ring_);
        const Result<DataType> type = parse_data_type(data_type_);
        if (!base || !mode || !type) {
            return refuse(!base ? base.error() : !mode ? mode.error() : type.error());
        }
        if (!collectives_.empty() && !is_torus(*base)) {
            return refuse(
                fmt::format("{} forms no torus, and --collectives fits the links of one; --hardware "
                            "tpu-v5p works.",
                            base->title));
        }
        Result<Measurements> measured = read_measurements(collectives_, gemms_);
        if (!measured) {
            return refuse(measured.error());
        }
        measured->ring = *mode;
        measured->type = *type;
        Result<Calibration> fit = calibrate(*std::move(measured), *base);
        if (!fit) {
            return refuse(fit.error());
        }
        std::string quality;
        if (fit->collectives) {
            quality += quality_text(fit->collectives->quality, "collectives",
                                    residuals(fit->measured.collectives, *fit->collectives));
        }
        if (fit->gemms) {
            quality +=
                quality_text(fit->gemms->quality, "GEMMs", residuals(fit->measured.gemms, *fit->gemms));
        }
        fit->hardware.name = !name_.empty() ? name_
                             : out_.empty() ? base->name
                                            : std::filesystem::path(out_).stem().string();
        const Chart chart = svg_.empty() ? Chart() : calibration_chart(*fit);
        for (const auto& [path, content] :
             {std::pair(out_, write_machine(fit->hardware)), std::pair(residuals_, csv(residuals(*fit))),
              std::pair(svg_, svg_.empty() ? std::string() : chart_svg(chart, chart.title))}) {
            if (!path.empty()) {
                const auto written =
                    write_file(path, [&content = content](std::ostream& stream) { stream << content; });
                if (!written) {
                    return refuse(written.error());
                }
            }
        }
        return Printed{json_ ? calibration_json(*fit)
                             : fmt::format("{}\n{}",
                                           constants_text(fitted_constants(fit->collectives, fit->gemms)),
                                           quality)};
    }

  private:
    std::string collectives_, gemms_; ///< CSV files; at least one
    std::string hardware_ = "tpu-v4-paper";
    std::string ring_ = "both";
    std::string data_type_ = "bf16";
    std::string out_, name_, residuals_, svg_; ///< empty: no file, the base's name, no files
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> calibrate_command() {
    return std::make_unique<Calibrate>();
}

} // namespace meshslice
