// What a collective along axes of a torus costs by the scaling book, and how fast that is.

#include "app/command.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "core/base/json_writer.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/cost/collective_costs.h"
#include "core/report/chart/cost_charts.h"
#include "core/report/csv.h"
#include "core/sharding/notation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

std::string_view bound_word(const ExchangeBound& bound) {
    return bound.bound_by_latency() ? "latency" : "bandwidth";
}

/// `meshslice collective OPERATION`.
class CollectiveCost final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Says what a collective along axes of a torus costs, by the scaling book and by our model";
    }

    void declare(CLI::App& flags) override {
        const auto option = [&](const char* flag, std::string& words, const char* help) {
            return flags.add_option(flag, words, help)->type_name("");
        };
        option("operation", operation_,
               "all-gather|reduce-scatter|all-reduce|all-to-all|broadcast|reduce|send-recv")
            ->required();
        option(
            "--bytes", bytes_,
            "34e6 or \"34 MB\": of the whole array over these axes, as it is after an all-gather or before "
            "a reduce-scatter; of send-recv, what every chip sends to the next one")
            ->required();
        option("--axes", axes_, "X=16,Y=4: the axes of chips that take part, up to three")->required();
        option("--slice", slice_,
               "X=16,Y=16: all axes of the slice, where it has more than take part; its size decides which "
               "axes are rings (default: those of --axes)");
        option("--hardware", hardware_,
               "NAME|FILE.json: chips that form a torus, as listed by `meshslice presets` (default tpu-v5e)");
        flags
            .add_flag("--line", line_, "Takes every axis as an open line, also where the hardware closes it")
            ->excludes(flags.add_flag("--ring", ring_,
                                      "Takes every axis as a closed ring, also where the hardware does not "
                                      "close it"));
        flags.add_flag("--one-way", one_way_, "Sends only one way round the rings");
        flags.add_flag("--csv", csv_, "Prints the table of sizes as CSV, and nothing else");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Answer> run() const override {
        const Result<Collective> what = parse_exchange(operation_);
        if (!what) {
            return refuse(what.error());
        }
        const Result<double> bytes = parse_exchange_bytes(bytes_, "--bytes");
        if (!bytes) {
            return refuse(bytes.error());
        }
        const Result<Machine> hardware = named_machine(hardware_);
        if (!hardware) {
            return refuse(hardware.error());
        }
        const Result<std::vector<UsedAxis>> axes = taken_axes(*what, *hardware);
        if (!axes) {
            return refuse(axes.error());
        }
        if (csv_ && json_) {
            return refuse("--csv and --json print the same sizes in two forms; give one of them.");
        }
        const CollectiveCosts costs{*what, *hardware, *axes};
        return Answer{csv_    ? csv(size_table(costs))
                      : json_ ? json_text(costs, *bytes)
                              : words(costs, *bytes)};
    }

  private:
    [[nodiscard]] Result<NamedMesh> mesh_of(const char* flag, const std::string& typed) const {
        Read<NamedMesh> mesh = parse_named_mesh(typed);
        if (!mesh) {
            NotationError error = mesh.error();
            error.begin += std::string_view(flag).size() + 1;
            return refuse(in_text(fmt::format("{} {}", flag, typed), error));
        }
        return *mesh;
    }

    [[nodiscard]] Result<std::vector<UsedAxis>> taken_axes(Collective what, const Machine& hardware) const {
        const Result<NamedMesh> taking_part = mesh_of("--axes", axes_);
        if (!taking_part) {
            return refuse(taking_part.error());
        }
        const Result<NamedMesh> slice = slice_.empty() ? taking_part : mesh_of("--slice", slice_);
        if (!slice) {
            return refuse(slice.error());
        }
        AxesTaken taken;
        taken.one_way = one_way_;
        if (line_ || ring_) {
            taken.rings = ring_;
        }
        Result<std::vector<UsedAxis>> used = used_axes(*taking_part, *slice, hardware, taken);
        const auto wrong = used ? objection(what, *used, taken) : std::nullopt;
        return wrong ? refuse(words(*wrong, hardware)) : used;
    }

    [[nodiscard]] std::string words(const AxesObjection& wrong, const Machine& hardware) const {
        switch (wrong.kind) {
        case AxesObjection::Kind::several_axes:
            return "send-recv goes to the next chip along one axis; --axes X=16 works.";
        case AxesObjection::Kind::one_way_already:
            return "send-recv goes one way already; it works without --one-way.";
        case AxesObjection::Kind::open_line: break;
        }
        return fmt::format(
            "{}={} is an open line{}, and one way along it not every chip is reached; {} works.",
            wrong.axis.name, wrong.axis.axis.chips, line_ ? "" : " on " + hardware.title,
            line_ ? "--line without --one-way" : "--ring, or leaving out --one-way,");
    }

    /// "X: ring of 16 chips, 45 GB/s each way".
    [[nodiscard]] static std::vector<std::string> axis_notes(const CollectiveCosts& costs) {
        std::vector<std::string> notes;
        for (const UsedAxis& one : costs.axes) {
            std::string note =
                fmt::format("{}: {} of {} chips, links of {} each way", one.name,
                            one.axis.ring ? "ring" : "open line", one.axis.chips, text(one.axis.link));
            if (one.axis.one_way) {
                note += ", used one way";
            }
            if (one.axis.ring && !one.closes) {
                note += fmt::format("; {} does not close it, --ring does", costs.hardware.title);
            } else if (!one.axis.ring && !one.closes) {
                note += "; " + why_open(costs.hardware, one);
            } else if (!one.axis.ring) {
                note += fmt::format("; {} closes it, --line opens it", costs.hardware.title);
            }
            notes.push_back(std::move(note));
        }
        return notes;
    }

    [[nodiscard]] static std::string words(const CollectiveCosts& costs, double bytes) {
        const OfSize found = costs.of(bytes);
        std::string out =
            fmt::format("{} of {} on {}\n", name(costs.what), bytes_text(bytes), costs.hardware.title);
        for (const std::string& note : axis_notes(costs)) {
            out += "  " + note + "\n";
        }
        out += fmt::format("\ntime = {}\n     = {}, bound by {}\n", found.bound.formula(),
                           seconds_text(found.bound.seconds()), bound_word(found.bound));
        std::vector<std::vector<std::string>> rows = {
            {"latency", seconds_text(found.bound.latency),
             fmt::format("{} hop{}", found.bound.hops, found.bound.hops == 1 ? "" : "s")},
            {"bandwidth", seconds_text(found.bound.bandwidth),
             fmt::format("bounds above {}",
                         bytes_text(latency_bound_below(costs.what, costs.exchange_axes(), costs.hop())))},
            {"achieved", si_text(found.achieved(), "B/s"), "bytes over the time"}};
        if (found.modelled) {
            rows.push_back({"modelled", seconds_text(*found.modelled),
                            "as plans have it: every step's synchronisation and the launches, no byte that a "
                            "chip has already"});
        }
        out += "\n" + text_table(rows, 1, true);
        out += "\n" + text_table(size_rows(costs), 0);
        return plain_spaces(std::move(out));
    }

    static std::vector<std::vector<std::string>> size_rows(const CollectiveCosts& costs) {
        std::vector<std::vector<std::string>> rows = {{"bytes", "time", "bound by", "achieved"}};
        for (const OfSize& one : costs.sizes({1})) {
            rows.push_back({si_text(one.bytes, "B"), seconds_text(one.bound.seconds()),
                            std::string(bound_word(one.bound)), si_text(one.achieved(), "B/s")});
        }
        return rows;
    }

    [[nodiscard]] static nlohmann::ordered_json json_of(const OfSize& one) {
        nlohmann::ordered_json out = {{"bytes", one.bytes},
                                      {"time_in_s", one.bound.seconds()},
                                      {"bound", bound_word(one.bound)},
                                      {"latency_in_s", one.bound.latency},
                                      {"bandwidth_in_s", one.bound.bandwidth},
                                      {"achieved_in_bytes_per_s", one.achieved()}};
        if (one.modelled) {
            out["modelled_in_s"] = *one.modelled;
        }
        return out;
    }

    [[nodiscard]] static std::string json_text(const CollectiveCosts& costs, double bytes) {
        const OfSize found = costs.of(bytes);
        nlohmann::ordered_json out = {{"operation", name(costs.what)}, {"hardware", costs.hardware.name}};
        for (const UsedAxis& one : costs.axes) {
            out["axes"].push_back({{"name", std::string(1, one.name)},
                                   {"chips", one.axis.chips},
                                   {"ring", one.axis.ring},
                                   {"closed_by_the_hardware", one.closes},
                                   {"one_way", one.axis.one_way},
                                   {"link_in_bytes_per_s", one.axis.link.value()}});
        }
        out.update(json_of(found));
        out["hops"] = found.bound.hops;
        out["hop_in_s"] = costs.hop();
        out["formula"] = plain_spaces(found.bound.formula());
        out["latency_bound_below_in_bytes"] =
            latency_bound_below(costs.what, costs.exchange_axes(), costs.hop());
        for (const OfSize& one : costs.sizes()) {
            out["sizes"].push_back(json_of(one));
        }
        return json_file(out);
    }

    std::string operation_, bytes_, axes_, slice_;
    std::string hardware_ = "tpu-v5e";
    bool line_ = false, ring_ = false, one_way_ = false, csv_ = false, json_ = false;
};

} // namespace

std::unique_ptr<Command> collective_command() {
    return std::make_unique<CollectiveCost>();
}

} // namespace meshslice
