// What a collective along axes of a torus costs by the scaling book, and how fast that is.

#include "core/cost/collective.h"

#include "app/command.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "core/base/json_writer.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/cost/exchange_bound.h"
#include "core/cost/mesh_links.h"
#include "core/figure/table.h"
#include "core/report/csv.h"
#include "core/sharding/notation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
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

/// An axis that takes part, and what the hardware has there.
struct UsedAxis {
    char name = 'X';
    ExchangeAxis axis;
    bool closes = true; ///< whether the hardware closes it in this slice
};

/// One row of the table of sizes.
struct OfSize {
    double bytes = 0;
    ExchangeBound bound;
    std::optional<double> modelled; ///< s
};

std::string_view bound_word(const ExchangeBound& bound) {
    return bound.bound_by_latency() ? "latency" : "bandwidth";
}

std::string exchange_names() {
    std::vector<std::string_view> names;
    std::ranges::transform(all_exchanges, std::back_inserter(names), [](Exchange one) { return name(one); });
    return fmt::format("{}", fmt::join(names, ", "));
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
        const auto* const what = std::ranges::find(all_exchanges, std::string_view(operation_),
                                                   [](Exchange one) { return name(one); });
        if (what == all_exchanges.end()) {
            return refuse(
                fmt::format("\"{}\" is no collective; {} are.", shortened(operation_), exchange_names()));
        }
        const Result<double> bytes = parse_quantity(bytes_, "B");
        if (!bytes || !(*bytes >= 1) || *bytes > 1e18) {
            return refuse(
                fmt::format("--bytes is \"{}\"; 1 B to 1 EB was expected, such as 34e6 or \"34 MB\".",
                            shortened(bytes_)));
        }
        const Result<Hardware> hardware = named_cluster(hardware_);
        if (!hardware) {
            return refuse(hardware.error());
        }
        const Result<std::vector<UsedAxis>> axes = used_axes(*what, *hardware);
        if (!axes) {
            return refuse(axes.error());
        }
        if (csv_ && json_) {
            return refuse("--csv and --json print the same sizes in two forms; give one of them.");
        }
        const Costs costs{*what, *hardware, *axes};
        return Answer{csv_    ? csv(size_table(costs))
                      : json_ ? json_text(costs, *bytes)
                              : words(costs, *bytes)};
    }

  private:
    /// What takes time: an operation, along axes, on hardware.
    struct Costs {
        Exchange what;
        const Hardware& hardware;
        const std::vector<UsedAxis>& axes;

        [[nodiscard]] double hop() const { return in_seconds(hardware.sync.value); }
        [[nodiscard]] std::vector<ExchangeAxis> exchange_axes() const {
            std::vector<ExchangeAxis> all;
            std::ranges::transform(axes, std::back_inserter(all), &UsedAxis::axis);
            return all;
        }
        /// By the law of the simulation and the planner; none for what they do not have.
        [[nodiscard]] std::optional<double> modelled(double bytes) const {
            const std::optional<Collective> group = group_collective(what);
            const Result<GroupNetwork> network = GroupNetwork::of(hardware, ModelRules::exact);
            if (!group || !network) {
                return std::nullopt;
            }
            ChipGroup chips;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const ExchangeAxis& axis = axes[k].axis;
                // One way round a ring takes as long as along a line.
                chips.along[k] = {static_cast<std::int32_t>(axis.chips), 1, axis.ring && !axis.one_way};
                chips.chips *= axis.chips;
            }
            chips.near = chips.chips;
            return network->seconds(*group, bytes, chips);
        }
        [[nodiscard]] OfSize of(double bytes) const {
            return {bytes, exchange_bound(what, bytes, exchange_axes(), hop()), modelled(bytes)};
        }
        /// 1 kB to 10 GB: these digits of every decade.
        [[nodiscard]] std::vector<OfSize> sizes(const std::vector<double>& digits = {1, 2, 5}) const {
            std::vector<OfSize> all;
            for (double decade = 1e3; decade < 1e10; decade *= 10) {
                for (const double digit : digits) {
                    all.push_back(of(digit * decade));
                }
            }
            all.push_back(of(1e10));
            return all;
        }
    };

    [[nodiscard]] Result<NamedMesh> mesh_of(const char* flag, const std::string& typed) const {
        Read<NamedMesh> mesh = parse_named_mesh(typed);
        if (!mesh) {
            NotationError error = mesh.error();
            error.begin += std::string_view(flag).size() + 1;
            return refuse(in_text(fmt::format("{} {}", flag, typed), error));
        }
        return *mesh;
    }

    /// The axes of more than one chip, on the machine's axes in turn.
    [[nodiscard]] Result<std::vector<UsedAxis>> used_axes(Exchange what, const Hardware& hardware) const {
        const Result<NamedMesh> taking_part = mesh_of("--axes", axes_);
        if (!taking_part) {
            return refuse(taking_part.error());
        }
        const Result<NamedMesh> slice = slice_.empty() ? taking_part : mesh_of("--slice", slice_);
        if (!slice) {
            return refuse(slice.error());
        }
        for (const MeshAxis& axis : taking_part->axes) {
            if (std::ranges::find(slice->axes, axis) == slice->axes.end()) {
                return refuse(fmt::format("--axes has {}={}, and the slice {} has no such axis.", axis.name,
                                          axis.size, text(*slice)));
            }
        }
        if (taking_part->devices() == 1) {
            return refuse(
                fmt::format("--axes {} is one chip, which has nothing to exchange; X=16 has 16.", axes_));
        }
        const Result<std::vector<MeshLinks>> links = links_of(*slice, hardware);
        if (!links) {
            return refuse(links.error());
        }
        std::vector<UsedAxis> used;
        for (std::size_t k = 0; k < slice->axes.size(); ++k) {
            const MeshAxis& axis = slice->axes[k];
            if (axis.size == 1 || std::ranges::find(taking_part->axes, axis) == taking_part->axes.end()) {
                continue;
            }
            const MeshLinks& found = (*links)[k];
            const bool ring = (found.closes || ring_) && !line_;
            used.push_back({axis.name, {axis.size, ring, ring && one_way_, found.along.link}, found.closes});
        }
        return checked(what, hardware, std::move(used));
    }

    [[nodiscard]] Result<std::vector<UsedAxis>> checked(Exchange what, const Hardware& hardware,
                                                        std::vector<UsedAxis> used) const {
        if (what == Exchange::send_receive && used.size() > 1) {
            return refuse("send-recv goes to the next chip along one axis; --axes X=16 works.");
        }
        if (what == Exchange::send_receive && one_way_) {
            return refuse("send-recv goes one way already; it works without --one-way.");
        }
        for (const UsedAxis& one : used) {
            if (one_way_ && !one.axis.ring) {
                return refuse(fmt::format(
                    "{}={} is an open line{}, and one way along it not every chip is reached; {} works.",
                    one.name, one.axis.chips, line_ ? "" : " on " + hardware.title,
                    line_ ? "--line without --one-way" : "--ring, or leaving out --one-way,"));
            }
        }
        return used;
    }

    /// "X: ring of 16 chips, 45 GB/s each way".
    [[nodiscard]] static std::vector<std::string> axis_notes(const Costs& costs) {
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

    static std::string why_open(const Hardware& hardware, const UsedAxis& one) {
        const std::int64_t side = hardware.pod.ring_axis.value;
        return side > 0 && one.axis.chips % side != 0
                   ? fmt::format("{} closes axes of a multiple of {} chips", hardware.title, side)
                   : fmt::format(
                         "{} closes the axes of slices of a multiple of {} chips, which --slice can give",
                         hardware.title, hardware.pod.ring_mesh.value);
    }

    [[nodiscard]] static std::string words(const Costs& costs, double bytes) {
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
            {"achieved", si_text(bytes / found.bound.seconds(), "B/s"), "bytes over the time"}};
        if (found.modelled) {
            rows.push_back({"modelled", seconds_text(*found.modelled),
                            "as plans have it: every step's synchronisation and the launches, no byte that a "
                            "chip has already"});
        }
        out += "\n" + text_table(rows, 1, true);
        out += "\n" + text_table(size_rows(costs), 0);
        return plain_spaces(std::move(out));
    }

    static std::vector<std::vector<std::string>> size_rows(const Costs& costs) {
        std::vector<std::vector<std::string>> rows = {{"bytes", "time", "bound by", "achieved"}};
        for (const OfSize& one : costs.sizes({1})) {
            rows.push_back({si_text(one.bytes, "B"), seconds_text(one.bound.seconds()),
                            std::string(bound_word(one.bound)),
                            si_text(one.bytes / one.bound.seconds(), "B/s")});
        }
        return rows;
    }

    static Table size_table(const Costs& costs) {
        Table table{fmt::format("{} on {}", name(costs.what), costs.hardware.title),
                    {"bytes", "time_s", "bound", "achieved_bytes_per_s", "modelled_s"},
                    {}};
        for (const OfSize& one : costs.sizes()) {
            const Table::Cell modelled =
                one.modelled ? Table::Cell(*one.modelled) : Table::Cell(std::string());
            table.rows.push_back({one.bytes, one.bound.seconds(), std::string(bound_word(one.bound)),
                                  one.bytes / one.bound.seconds(), modelled});
        }
        return table;
    }

    [[nodiscard]] static nlohmann::ordered_json json_of(const OfSize& one) {
        nlohmann::ordered_json out = {{"bytes", one.bytes},
                                      {"time_in_s", one.bound.seconds()},
                                      {"bound", bound_word(one.bound)},
                                      {"latency_in_s", one.bound.latency},
                                      {"bandwidth_in_s", one.bound.bandwidth},
                                      {"achieved_in_bytes_per_s", one.bytes / one.bound.seconds()}};
        if (one.modelled) {
            out["modelled_in_s"] = *one.modelled;
        }
        return out;
    }

    [[nodiscard]] static std::string json_text(const Costs& costs, double bytes) {
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
