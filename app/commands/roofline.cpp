// What bounds one product on one chip: its arithmetic, its memory, or what a network has to bring.

#include "app/command.h"
#include "app/element_type.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "core/base/json_writer.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/cost/gemm_roofline.h"
#include "core/machine/catalogue.h"
#include "core/sharding/shards.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

/// "256 tokens", "none": from how large a batch on the arithmetic bounds.
std::string critical_text(const GemmRoofline& roofline) {
    if (!roofline.critical_rows) {
        return "none";
    }
    // Whole tokens: fewer are bound by the transfer, so many are not.
    return *roofline.critical_rows > 0 ? fmt::format("{:.0f}", std::ceil(*roofline.critical_rows)) : "any";
}

/// `meshslice roofline`.
class RooflineOfGemm final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Says what bounds one GEMM on one chip: arithmetic, memory or network, and from which batch "
               "on";
    }

    void declare(CLI::App& flags) override {
        const auto option = [&](const char* flag, std::string& words, const char* help) {
            return flags.add_option(flag, words, help)->type_name("");
        };
        option("--gemm", gemm_,
               "BxDxF: [B, D] times [D, F], B the batch of one chip in tokens; 8Ki is 8192. Not the MxNxK of "
               "simulate: its M is B, its N is F, its K is D")
            ->required();
        option("--hardware", hardware_, "NAME|FILE.json: the chip and its network (default tpu-v5e)");
        option("--data-type", type_,
               "f32|bf16|f16|int8|fp8|int4: of the operands and the result (default bf16)");
        option("--weights", weights_, "The same of [D, F] alone, where it is stored in another type");
        option("--compute", compute_,
               "bf16|int8: what is multiplied (default int8 where no operand is wider, else bf16)");
        option("--memory", memory_,
               "\"15 GB/s\": where the matrices come from, such as a host's memory over PCIe or a chip's own "
               "VMEM (default the chip's HBM)");
        flags.add_flag("--weights-of-each-row", each_row_, "Every row meets a D x F of its own");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Answer> run() const override {
        const Result<RooflineGemm> gemm = read_gemm();
        if (!gemm) {
            return refuse(gemm.error());
        }
        const Result<Machine> hardware = named_machine(hardware_);
        if (!hardware) {
            return refuse(hardware.error());
        }
        const bool narrow = gemm->left_bits <= 8 && gemm->right_bits <= 8;
        const Result<DataType> compute = compute_.empty()
                                             ? Result<DataType>(narrow ? DataType::int8 : DataType::bf16)
                                             : parse_data_type(compute_);
        if (!compute) {
            return refuse("--compute: " + compute.error().sentence);
        }
        const double peak = hardware->peak_rate(*compute).value();
        if (!(peak > 0)) {
            return refuse(fmt::format("{} does not multiply {}; --compute bf16 works.", hardware->title,
                                      name(*compute)));
        }
        const Result<double> memory = memory_.empty() ? Result<double>(hardware->hbm_bandwidth.value.value())
                                                      : parse_memory_rate(memory_, "--memory");
        if (!memory) {
            return refuse(memory.error());
        }
        const Answered answered{
            *gemm,
            *hardware,
            *compute,
            peak,
            {memory_.empty() ? "HBM" : "memory", *memory, gemm_roofline(*gemm, peak, *memory)},
            network_levels(*gemm, *hardware, peak)};
        return Answer{json_ ? json_text(answered) : words(answered)};
    }

  private:
    struct Answered {
        RooflineGemm gemm;
        const Machine& hardware;
        DataType compute = DataType::bf16;
        double peak = 0; ///< FLOP/s
        RooflineLevel memory;
        std::vector<RooflineLevel> networks;
    };

    [[nodiscard]] Result<RooflineGemm> read_gemm() const {
        const Result<RooflineGemm> read = parse_roofline_gemm(gemm_, "--gemm");
        if (!read) {
            return refuse(read.error());
        }
        const Result<DataType> all = element_type("--data-type", type_);
        if (!all) {
            return refuse(all.error());
        }
        const Result<DataType> weights = weights_.empty() ? all : element_type("--weights", weights_);
        if (!weights) {
            return refuse(weights.error());
        }
        return RooflineGemm{read->rows,     read->inner, read->columns, bits(*all),
                            bits(*weights), bits(*all),  each_row_};
    }

    static std::string bound_text(const RooflineLevel& level) {
        return level.roofline.bound_by_compute() ? "compute" : level.name;
    }

    [[nodiscard]] std::string words(const Answered& answered) const {
        const GemmRoofline& chip = answered.memory.roofline;
        const RooflineGemm& gemm = answered.gemm;
        std::string out =
            fmt::format("[{:.0f}, {:.0f}] x [{}{:.0f}, {:.0f}] on one chip of {}: {}; {} through {}\n",
                        gemm.rows, gemm.inner, each_row_ ? fmt::format("{:.0f}, ", gemm.rows) : std::string(),
                        gemm.inner, gemm.columns, answered.hardware.title, si_text(gemm.flop(), "FLOP"),
                        bytes_text(chip.bytes), answered.memory.name);
        out += fmt::format("operands and result {}{}, multiplied as {} at {} peak\n\n", type_,
                           weights_.empty() ? std::string() : fmt::format(", weights {}", weights_),
                           name(answered.compute), si_text(answered.peak, "FLOP/s"));
        out += text_table(
            {{"intensity", number_text(chip.intensity), "FLOP per byte"},
             {"ridge", number_text(chip.ridge),
              fmt::format("FLOP per byte: {} / {}", si_text(answered.peak, "FLOP/s"),
                          si_text(answered.memory.bytes_per_s, "B/s"))},
             {"critical batch", critical_text(chip),
              !chip.critical_rows        ? answered.memory.name + " bounds every batch of this D and F"
              : *chip.critical_rows == 0 ? std::string("compute bounds every batch of this D and F")
                                         : "tokens; fewer are bound by " + answered.memory.name},
             {"bound by", bound_text(answered.memory),
              fmt::format("by {}x", number_text(chip.bound_by_compute() ? chip.intensity / chip.ridge
                                                                        : chip.ridge / chip.intensity))},
             {"reached", si_text(chip.flop_per_s, "FLOP/s"),
              percent_text(chip.flop_per_s / answered.peak) + " of the peak"},
             {"compute", seconds_text(chip.compute_s), ""},
             {answered.memory.name, seconds_text(chip.transfer_s), ""},
             {"time", seconds_text(chip.least_s()),
              fmt::format("with all transfers hidden, {} with none", seconds_text(chip.most_s()))}},
            1, true);
        if (!answered.networks.empty()) {
            std::vector<std::vector<std::string>> rows = {{"weights gathered over", "peak bandwidth", "ridge",
                                                           "critical batch", "transfer", "bound by"}};
            for (const RooflineLevel& level : answered.networks) {
                rows.push_back({level.name, si_text(level.bytes_per_s, "B/s"),
                                number_text(level.roofline.ridge), critical_text(level.roofline),
                                seconds_text(level.roofline.transfer_s),
                                level.roofline.bound_by_compute() ? "compute" : "network"});
            }
            out += "\n" + text_table(rows, 1, true);
        }
        return plain_spaces(std::move(out));
    }

    static nlohmann::ordered_json json_of(const RooflineLevel& level) {
        const GemmRoofline& its = level.roofline;
        nlohmann::ordered_json out = {{"name", level.name},
                                      {"bandwidth_in_bytes_per_s", level.bytes_per_s},
                                      {"bytes", its.bytes},
                                      {"intensity_in_flop_per_byte", its.intensity},
                                      {"ridge_in_flop_per_byte", its.ridge},
                                      {"critical_batch", nullptr},
                                      {"critical_batch_in_whole_rows", nullptr},
                                      {"bound", its.bound_by_compute() ? "compute" : "transfer"},
                                      {"reached_in_flop_per_s", its.flop_per_s},
                                      {"transfer_in_s", its.transfer_s},
                                      {"least_in_s", its.least_s()},
                                      {"most_in_s", its.most_s()}};
        if (its.critical_rows) {
            out["critical_batch"] = *its.critical_rows;
            out["critical_batch_in_whole_rows"] = *its.critical_whole_rows();
        }
        return out;
    }

    [[nodiscard]] std::string json_text(const Answered& answered) const {
        nlohmann::ordered_json out = {
            {"gemm",
             {static_cast<std::int64_t>(answered.gemm.rows), static_cast<std::int64_t>(answered.gemm.inner),
              static_cast<std::int64_t>(answered.gemm.columns)}},
            {"weights_of_each_row", each_row_},
            {"hardware", answered.hardware.name},
            {"data_type", type_},
            {"weights", weights_.empty() ? type_ : weights_},
            {"compute", name(answered.compute)},
            {"flop", answered.gemm.flop()},
            {"peak_in_flop_per_s", answered.peak},
            {"compute_in_s", answered.memory.roofline.compute_s},
            {"memory", json_of(answered.memory)},
            {"weights_gathered_over", nlohmann::ordered_json::array()}};
        for (const RooflineLevel& level : answered.networks) {
            out["weights_gathered_over"].push_back(json_of(level));
        }
        return json_file(out);
    }

    std::string gemm_, weights_, compute_, memory_;
    std::string hardware_ = "tpu-v5e", type_ = "bf16";
    bool each_row_ = false, json_ = false;
};

} // namespace

std::unique_ptr<Command> roofline_command() {
    return std::make_unique<RooflineOfGemm>();
}

} // namespace meshslice
