#include "core/import/machines/calculon_system.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr double most_rate = 1e9; ///< TFLOP/s or GB/s: of any system
constexpr std::size_t most_networks = Network::most_levels;

/// The efficiency of the largest size, of a list of pairs "from this size on, this share".
std::optional<double> best_efficiency(const nlohmann::json& list) {
    std::optional<double> largest, best;
    for (const nlohmann::json& pair : list.is_array() ? list : nlohmann::json::array()) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) {
            return std::nullopt;
        }
        if (!largest || pair[0].get<double>() > *largest) {
            largest = pair[0].get<double>();
            best = pair[1].get<double>();
        }
    }
    return best && *best > 0 && *best <= 1 ? best : std::nullopt;
}

/// What a part of the processor reaches with one type of numbers.
struct CalculonRate {
    double flop_per_s = 0;
    double efficiency = 1;
};

class CalculonSystem {
  public:
    CalculonSystem(const nlohmann::json& json, const Machine& chip, const std::string& origin)
        : json_(json), reader_(json, origin), source_("Calculon's system " + origin), draft_{chip, {}} {}

    Result<MachineDraft> read() {
        Machine& machine = draft_.machine;
        machine.based_on = {};
        machine.title = source_;
        machine.measured_products = {};
        machine.ring_stores = {};
        read_processor();
        read_memory();
        read_networks();
        if (!reader_.ok()) {
            return refuse(*reader_.finding());
        }
        if (const Result<void> levels = checked_levels(machine.network); !levels) {
            return refuse(levels.error());
        }
        return checked(machine).map([&](Machine sound) {
            return MachineDraft{std::move(sound), std::move(draft_.missing)};
        });
    }

  private:
    /// Of a part, "matrix" or "vector", in the older form without types as in the newer one.
    std::optional<CalculonRate> rate(JsonReader& part, const char* key, const char* type) {
        const nlohmann::json& its = json_.at(key);
        if (part.has("tflops")) {
            if (std::string_view(type) != "float16") {
                return std::nullopt;
            }
            const auto lists = its.find("gflops_efficiency");
            const bool there = lists != its.end() && lists->is_object() && lists->contains(type);
            return rate_of(part, there ? lists->at(type) : nlohmann::json());
        }
        if (!part.has(type)) {
            return std::nullopt;
        }
        JsonReader typed = part.object(type);
        const nlohmann::json& object = its.at(type);
        return rate_of(typed, object.is_object() && object.contains("gflops_efficiency")
                                  ? object.at("gflops_efficiency")
                                  : nlohmann::json());
    }
    static CalculonRate rate_of(JsonReader& reader, const nlohmann::json& efficiencies) {
        constexpr double tera = 1e12;
        CalculonRate made{reader.number("tflops", 1e-6, most_rate) * tera, 1};
        const std::optional<double> best = best_efficiency(efficiencies);
        reader.expect(best.has_value(), "gflops_efficiency",
                      "must be a list of pairs of a size and a share up to 1");
        made.efficiency = best.value_or(1);
        return made;
    }

    void read_processor() {
        Machine& machine = draft_.machine;
        JsonReader matrix = reader_.object("matrix");
        JsonReader vector = reader_.object("vector");
        if (!reader_.ok()) {
            return;
        }
        const auto half = rate(matrix, "matrix", "float16");
        reader_.expect(half.has_value(), "matrix", "must have \"float16\", which bf16 is read as");
        for (const DataType type : all_data_types) {
            machine.peak[type] = {FlopRate(0), source_ + " has none"};
        }
        if (half) {
            machine.peak[DataType::bf16] = {FlopRate(half->flop_per_s), source_ + ", matrix, float16"};
            machine.peak[DataType::fp16] = machine.peak[DataType::bf16];
            machine.effective_fraction = {half->efficiency, source_ + ", efficiency of the largest products"};
        }
        if (const auto quarter = rate(matrix, "matrix", "float8")) {
            machine.peak[DataType::fp8] = {FlopRate(quarter->flop_per_s), source_ + ", matrix, float8"};
        }
        if (const auto of_vectors = rate(vector, "vector", "float16")) {
            machine.vector_rate = {FlopRate(of_vectors->flop_per_s), source_ + ", vector, float16"};
        }
        draft_.missing.push_back(
            say("Efficiencies by size: those of the largest products are taken, {} of the peak.",
                machine.effective_fraction.value));
    }

    void read_memory() {
        Machine& machine = draft_.machine;
        constexpr double giga = 1e9, gibi = 1024.0 * 1024 * 1024;
        JsonReader near = reader_.object("mem1");
        machine.hbm = {Bytes(std::llround(near.number("GiB", 1e-3, 1e9) * gibi)), source_ + ", mem1"};
        machine.hbm_bandwidth = {Bandwidth(near.number("GBps", 1e-3, most_rate) * giga), source_ + ", mem1"};
        draft_.missing.push_back(said("Efficiencies of the memory by size."));
        if (reader_.has("mem2")) {
            JsonReader far = reader_.object("mem2");
            const double rate = far.number("GBps", 1e-3, most_rate);
            machine.pcie = {Bandwidth(rate * giga), source_ + ", mem2"};
            draft_.missing.push_back(
                said("The capacity of the second memory; its bandwidth is that to the host."));
        }
    }

    void read_networks() {
        std::vector<JsonReader> networks = reader_.object_list("networks", most_networks);
        Level like = draft_.machine.network.levels.back();
        std::vector<Level> levels;
        std::int64_t within = 1;
        for (std::size_t k = 0; k < networks.size(); ++k) {
            JsonReader& one = networks[k];
            const std::int64_t size = one.whole("size", 1, 1'000'000'000);
            const bool last = k + 1 == networks.size() && networks.size() > 1; // one alone has an end
            one.expect(size % within == 0 && size > within, "size",
                       "must be a multiple of the network within");
            Level level = like;
            level.kind = LevelKind::switched;
            level.axes.clear();
            level.reduces = false;
            level.units = {last ? 0 : size / std::max<std::int64_t>(within, 1), source_ + ", networks"};
            level.ports = {1, "The bandwidth is that of all links of a chip together"};
            level.bandwidth = {Bandwidth(one.number("bandwidth", 1e-6, most_rate) * 1e9),
                               source_ + ", networks"};
            level.latency = {seconds(one.number("latency", 0, 1)), source_ + ", networks"};
            level.efficiency = {one.number("efficiency", 1e-6, 1), source_ + ", networks"};
            levels.push_back(std::move(level));
            within = std::max<std::int64_t>(size, 1);
        }
        reader_.expect(!levels.empty(), "networks", "must have one network or more");
        if (levels.empty()) {
            return;
        }
        draft_.machine.network.levels = std::move(levels);
        if (networks.size() > 1) {
            draft_.missing.push_back(
                say("The size of the outermost network, {}: here it joins as many as there are.", within));
        }
        draft_.missing.push_back(said("Factors of collectives, the processor's share in them, and whether a "
                                      "network must be filled."));
        draft_.missing.push_back(say("Cores, caches, launches and power: those of {}.", draft_.machine.name));
    }

    const nlohmann::json& json_;
    JsonReader reader_;
    std::string source_;
    MachineDraft draft_;
};

} // namespace

Result<MachineDraft> machine_of_calculon(std::string_view json, const Machine& chip,
                                         const std::string& origin) {
    if (chip.network.torus_axes() > 0) {
        return refuse(say("{} forms a torus; expected a GPU, such as h100.", chip.title));
    }
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    return parsed ? CalculonSystem(*parsed, chip, origin).read() : refuse(parsed.error());
}

} // namespace meshslice
