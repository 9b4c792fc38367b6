// What a lesson file asks the engine.

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/cost/collective_costs.h"
#include "core/cost/gemm_roofline.h"
#include "core/lesson/lesson_reader.h"
#include "core/machine/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr const char* lesson_hardware = "tpu-v5e";

/// Reads the parts of one quantity; notes what is wrong in the reader of its object.
class Asked {
  public:
    Asked(JsonReader& reader, const std::string& origin) : reader_(reader), origin_(origin) {}

    CollectiveQuantity collective() {
        CollectiveQuantity asked;
        const std::string what = reader_.text("collective");
        const Result<Collective> known = parse_exchange(what);
        expect(known.has_value(), "collective", what,
               "all-gather, reduce-scatter, all-reduce, all-to-all, broadcast, reduce or send-recv");
        asked.what = known.value_or(Collective::all_gather);
        asked.bytes = quantity("bytes", "B", 1, most_exchanged_bytes, "34 MB");
        const std::optional<NamedMesh> axes = mesh("axes");
        const std::optional<NamedMesh> slice = reader_.has("slice") ? mesh("slice") : axes;
        const std::optional<Machine> chips = hardware();
        AxesTaken taken;
        for (const char* const way : {"line", "ring"}) {
            if (reader_.has(way) && reader_.flag(way) && !taken.rings) {
                taken.rings = way == std::string_view("ring");
            }
        }
        taken.one_way = reader_.has("one_way") && reader_.flag("one_way");
        asked.key = key(collective_keys());
        if (!reader_.ok() || !axes || !slice || !chips) {
            return asked;
        }
        const Result<std::vector<UsedAxis>> used = used_axes(*axes, *slice, *chips, taken);
        if (!used) {
            note(used.error().sentence);
            return asked;
        }
        if (const std::optional<AxesObjection> wrong = objection(asked.what, *used, taken)) {
            note(wrong->kind == AxesObjection::Kind::open_line
                     ? "an axis is an open line, and one way along it not every chip is reached; \"ring\" or "
                       "no "
                       "\"one_way\" was expected"
                     : "send-recv goes to the next chip along one axis; one axis without \"one_way\" was "
                       "expected");
        }
        const CollectiveCosts costs{asked.what, *chips, *used};
        asked.axes = costs.exchange_axes();
        asked.hop = costs.hop();
        return asked;
    }

    RooflineQuantity roofline() {
        RooflineQuantity asked;
        const std::string sides = reader_.text("roofline");
        const Result<RooflineGemm> read = parse_roofline_gemm(sides, "roofline");
        expect(read.has_value(), "roofline", sides, "three sizes BxDxF, such as 512x8192x32768,");
        asked.gemm = read.value_or(RooflineGemm());
        const DataType all = kind("data_type", DataType::bf16);
        const DataType weights = kind("weights", all);
        asked.gemm.left_bits = asked.gemm.result_bits = bits(all);
        asked.gemm.right_bits = bits(weights);
        const std::optional<Machine> chip = hardware();
        if (chip) {
            const DataType multiplied = chip->multiplies_as(bits(weights) > bits(all) ? weights : all);
            asked.peak = chip->peak_rate(multiplied).value();
            if (!(asked.peak > 0)) {
                note(
                    fmt::format("{} does not multiply {}; bf16 was expected", chip->title, name(multiplied)));
            }
            asked.bandwidth = reader_.has("memory")
                                  ? quantity("memory", "B/s", least_memory_rate, most_memory_rate, "15 GB/s")
                                  : chip->hbm_bandwidth.value.value();
        }
        asked.key = key(roofline_keys());
        return asked;
    }

    LessonQuantity sharding() {
        const std::string words = reader_.text("sharding");
        const std::optional<NamedMesh> devices = mesh("mesh");
        const std::string typed_sizes = reader_.text("sizes");
        const Result<DimensionSizes> sizes = parse_dimension_sizes(typed_sizes);
        if (!sizes && reader_.ok()) {
            note(sizes.error().sentence);
        }
        const DataType type = kind("data_type", DataType::bf16);
        const bool gemm = words.find("->") != std::string::npos;
        const std::string plan = gemm && reader_.has("plan") ? reader_.text("plan") : std::string();
        const std::optional<Machine> chips = gemm ? hardware() : std::nullopt;
        const std::string wanted = key(gemm ? plan_keys() : shards_keys());
        if (!reader_.ok() || !devices || !sizes) {
            return {};
        }
        if (gemm) {
            const Read<ShardedGemm> read = parse_sharded_gemm(words, *devices);
            if (!read) {
                note(in_text(words, read.error()).sentence);
                return {};
            }
            return {PlanQuantity{*read, *devices, *sizes, type, chips.value_or(Machine()), plan, wanted}, {}};
        }
        const Read<ShardedArray> read = parse_sharded_array(words, *devices);
        if (!read) {
            note(in_text(words, read.error()).sentence);
            return {};
        }
        return {ShardsQuantity{*read, *devices, *sizes, bits(type), wanted}, {}};
    }

  private:
    void note(const std::string& sentence) {
        reader_.note({fmt::format("{}: {}{}", origin_, sentence, sentence.ends_with('.') ? "" : ".")});
    }
    void expect(bool holds, const char* key, const std::string& found, std::string_view expected) {
        reader_.expect(holds, key, fmt::format("is \"{}\"; {} was expected", shortened(found), expected));
    }

    double quantity(const char* key, const char* unit, double least, double most, const char* example) {
        const std::string typed = reader_.text(key);
        const Result<double> read = parse_quantity(typed, unit);
        expect(read && *read >= least && *read <= most, key, typed,
               fmt::format("{} to {}, such as \"{}\",", si_text(least, unit), si_text(most, unit), example));
        return read.value_or(least);
    }

    std::optional<NamedMesh> mesh(const char* key) {
        const std::string typed = reader_.text(key);
        const Read<NamedMesh> read = parse_named_mesh(typed);
        if (!read) {
            if (reader_.ok()) {
                note(in_text(typed, read.error()).sentence);
            }
            return std::nullopt;
        }
        return *read;
    }

    std::optional<Machine> hardware() {
        const std::string wanted = reader_.has("hardware") ? reader_.text("hardware") : lesson_hardware;
        const Result<Machine> known = machine_preset(wanted);
        if (!known) {
            note(known.error().sentence);
            return std::nullopt;
        }
        return *known;
    }

    DataType kind(const char* key, DataType usual) {
        if (!reader_.has(key)) {
            return usual;
        }
        const std::string typed = reader_.text(key);
        const Result<DataType> known = parse_data_type(typed);
        expect(known.has_value(), key, typed, data_type_names());
        return known.value_or(usual);
    }

    std::string key(const std::vector<std::string_view>& known) {
        std::string wanted = reader_.text("key");
        expect(std::ranges::find(known, wanted) != known.end(), "key", wanted,
               fmt::format("one of {}", fmt::join(known, ", ")));
        return wanted;
    }

    JsonReader& reader_;
    const std::string& origin_;
};

} // namespace

std::optional<LessonQuantity> read_lesson_quantity(JsonReader& reader, const std::string& origin,
                                                   const Scenario& scenario) {
    const std::optional<std::string> of = reader.first_of({"run", "collective", "roofline", "sharding"});
    if (!of) {
        reader.note({fmt::format("{} does not say what the engine is asked; \"run\", \"collective\", "
                                 "\"roofline\" or \"sharding\" was expected.",
                                 origin)});
        return std::nullopt;
    }
    LessonQuantity quantity;
    Asked asked(reader, origin);
    if (*of == "run") {
        RunQuantity run{scenario, reader.text("run"), reader.has("with")};
        if (run.another) {
            read_lesson_fields(reader, "with", origin, run.scenario);
        }
        quantity.of = std::move(run);
    } else if (*of == "collective") {
        quantity.of = asked.collective();
    } else if (*of == "roofline") {
        quantity.of = asked.roofline();
    } else {
        quantity = asked.sharding();
    }
    if (reader.has("over") && reader.ok()) {
        JsonReader lower = reader.object("over");
        reader.expect(!lower.has("over"), "over", "is divided again; one division was expected");
        if (reader.ok()) {
            if (std::optional<LessonQuantity> read = read_lesson_quantity(lower, origin, scenario)) {
                quantity.over.push_back(*std::move(read));
            }
            lower.no_other_keys();
        }
    }
    return reader.ok() ? std::optional(std::move(quantity)) : std::nullopt;
}

} // namespace meshslice
