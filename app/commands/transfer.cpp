// How long bytes take from chip to chip of a torus, or from all chips or their hosts to one.

#include "app/command.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/cost/transfer_words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

/// `meshslice transfer`.
class TransferCost final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Says how long bytes take from one chip of a torus to another, or from all chips or their "
               "hosts to one, "
               "and which part of the way is the slowest";
    }

    void declare(CLI::App& flags) override {
        const auto option = [&](TransferField field, const char* help) {
            const std::size_t place = place_of(field);
            return flags.add_option(names()[place], typed_[place], help)->type_name("");
        };
        option(TransferField::slice, "X=4,Y=4: the axes of the slice, with their chips")->required();
        option(TransferField::from, "0,0: the chip that has it, by its place along each axis; or chips, "
                                    "where every chip of the slice has "
                                    "an equal share, or hosts, where the share is in the memory of its host")
            ->required();
        option(TransferField::to, "3,3: the chip that wants it")->required();
        option(TransferField::bytes, "34e6 or \"34 MB\": all of it")->required();
        option(TransferField::pcie, "\"15 GB/s\": between a chip and its host, with --from hosts (default as "
                                    "the hardware has it; where it "
                                    "does not say, 16 GB/s)");
        option(TransferField::gemm, "BxDxF: what the target multiplies at its bf16 peak while it comes, [B, "
                                    "D] times [D, F]; 8Ki is 8192");
        flags
            .add_option("--hardware", hardware_,
                        "NAME|FILE.json: chips that form a torus, as listed by `meshslice presets` (default "
                        "tpu-v5e)")
            ->type_name("");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Answer> run() const override {
        const Result<Machine> hardware = named_machine(hardware_);
        if (!hardware) {
            return refuse(hardware.error());
        }
        const auto asked = read_transfer(typed_, names());
        if (!asked) {
            return refuse(asked.error().error);
        }
        if (!typed_[place_of(TransferField::pcie)].empty() && asked->from != TransferAsked::From::hosts) {
            return refuse("--pcie has no effect: PCIe is between a chip and its host; --from hosts works.");
        }
        return transfer(*asked, *hardware).map([&](const Transfer& found) {
            return Answer{json_ ? json_text(*asked, found, *hardware) : words(*asked, found, *hardware)};
        });
    }

  private:
    static const TransferTexts& names() {
        static const TransferTexts all = {"--slice", "--from", "--to", "--bytes", "--pcie", "--gemm"};
        return all;
    }

    [[nodiscard]] static std::string from_words(const TransferAsked& asked) {
        switch (asked.from) {
        case TransferAsked::From::chip: return text(asked.source);
        case TransferAsked::From::chips: return "all chips";
        case TransferAsked::From::hosts: break;
        }
        return "the hosts of all chips";
    }

    /// "(0, 0) (0, 1) (0, 2) ... (0, 40)".
    [[nodiscard]] static std::string way_words(const GridWay& way) {
        constexpr std::size_t most = 24;
        std::vector<std::string> places;
        for (std::size_t hop = 0; hop < way.size(); ++hop) {
            if (way.size() <= most || hop + 1 < most || hop + 1 == way.size()) {
                places.push_back(text(way[hop]));
            } else if (hop + 1 == most) {
                places.emplace_back("...");
            }
        }
        return fmt::format("  {}\n", fmt::join(places, " "));
    }

    [[nodiscard]] static std::string words(const TransferAsked& asked, const Transfer& found,
                                           const Machine& hardware) {
        const bool one_source = asked.from == TransferAsked::From::chip;
        std::string out =
            fmt::format("{} from {} to {} of {}, {}\n\n", bytes_text(asked.bytes), from_words(asked),
                        text(asked.target), text(asked.slice), hardware.title);
        out += fmt::format("{} {} x {} = {}\nlast byte after {} + {} = {}, bound by {}\n\n",
                           one_source ? "first byte after" : "longest way", found.hops,
                           seconds_text(in_seconds(hardware.sync.value)), seconds_text(found.latency),
                           seconds_text(found.latency), seconds_text(found.slowest().seconds),
                           seconds_text(found.seconds()), found.bound());
        std::vector<std::vector<std::string>> rows = {{"part of the way", "time", "of"}};
        for (const TransferStage& stage : found.stages) {
            rows.push_back({stage.name, seconds_text(stage.seconds), stage.formula});
        }
        out += text_table(rows, 1, true) + "All parts work at the same time; the slowest counts.\n";
        if (one_source) {
            out += found.ways.size() == 1
                       ? std::string("\nThe shortest way:\n")
                       : fmt::format("\n{} shortest ways, which share no link:\n", found.ways.size());
        }
        for (const GridWay& way : found.ways) {
            out += way_words(way);
        }
        return plain_spaces(std::move(out));
    }

    [[nodiscard]] std::string json_text(const TransferAsked& asked, const Transfer& found,
                                        const Machine& hardware) const {
        nlohmann::ordered_json out = {{"slice", text(asked.slice)},
                                      {"hardware", hardware.name},
                                      {"from", typed_[place_of(TransferField::from)]},
                                      {"to", asked.target},
                                      {"bytes", asked.bytes},
                                      {"hops", found.hops},
                                      {"latency_in_s", found.latency},
                                      {"time_in_s", found.seconds()},
                                      {"bound", found.bound()}};
        if (asked.from == TransferAsked::From::chip) {
            out["from"] = asked.source;
        }
        for (const TransferStage& stage : found.stages) {
            out["stages"].push_back({{"name", stage.name},
                                     {"time_in_s", stage.seconds},
                                     {"formula", plain_spaces(stage.formula)}});
        }
        out["ways"] = found.ways;
        return json_file(out);
    }

    TransferTexts typed_;
    std::string hardware_ = "tpu-v5e";
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> transfer_command() {
    return std::make_unique<TransferCost>();
}

} // namespace meshslice
