#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/import/machines/chip_sheet.h"
#include "core/import/machines/machine_files.h"
#include "core/import/machines/plain_yaml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// A dimension of ASTRA-sim's network, from the inside out.
struct NetworkDimension {
    std::string topology; ///< "Ring", "Switch" or "FullyConnected"; empty: the file has only counts
    std::int64_t count = 1;
    double links = 0;           ///< of a chip; 0: as the topology has them
    double gigabytes_per_s = 0; ///< of a link, one way
    double nanoseconds = 0;     ///< of a link

    [[nodiscard]] bool rings() const { return topology == "Ring"; }
    [[nodiscard]] double links_of_a_chip() const {
        return links > 0                      ? links
               : topology == "FullyConnected" ? static_cast<double>(count - 1)
               : rings()                      ? (count > 2 ? 2.0 : 1.0)
                                              : 1.0;
    }
};

class AstraNetwork {
  public:
    AstraNetwork(const nlohmann::json& json, const Machine& chip, const std::string& origin)
        : json_(json)
        , reader_(json, origin)
        , source_("ASTRA-sim's network " + origin)
        , draft_(empty_draft(chip, source_))
        , chip_(chip) {}

    Result<MachineDraft> read() {
        read_dimensions();
        if (!reader_.ok()) {
            return refuse(*reader_.finding());
        }
        std::vector<std::int64_t> counts;
        for (const NetworkDimension& one : dimensions_) {
            counts.push_back(one.count);
        }
        std::erase_if(dimensions_, [](const NetworkDimension& one) { return one.count == 1; });
        if (dimensions_.empty()) {
            return refuse(say("{} joins one chip; expected two or more.", source_));
        }
        draft_.missing.push_back(say("The number of chips, {}: a question has it, as --chips or --mesh.",
                                     fmt::join(counts, " x ")));
        if (dimensions_.front().topology.empty()) {
            if (chip_.network.torus_axes() > 0) {
                return refuse(say("{} has counts without a topology, and {} forms a torus; expected a GPU, "
                                  "such as h100, or a file with topology.",
                                  source_, chip_.title));
            }
            take_counts();
        } else {
            take_levels();
        }
        name_what_is_lost(reader_, {}, draft_);
        draft_.missing.push_back(say("The chip itself, its memory and launches: those of {}.", chip_.title));
        return checked_draft(reader_, std::move(draft_));
    }

  private:
    static constexpr std::size_t most_dimensions = 16;
    static constexpr std::int64_t most_count = 1'000'000;

    /// The numbers of a list, of one for each dimension.
    void numbers(const char* key, double NetworkDimension::*member, double least, double most) {
        const std::vector<double> list = numbers_of(key);
        reader_.expect(list.size() == dimensions_.size(), key,
                       fmt::format("must have {} numbers, as there are dimensions", dimensions_.size()));
        for (std::size_t k = 0; k < std::min(list.size(), dimensions_.size()); ++k) {
            reader_.expect(list[k] >= least && list[k] <= most, key,
                           fmt::format("must have numbers from {} to {:g}", least, most));
            dimensions_[k].*member = list[k];
        }
    }
    /// Of a list of numbers, or of numbers in quotes.
    std::vector<double> numbers_of(const char* key) {
        std::vector<double> list;
        reader_.json_text(key); // so that it counts as read
        const nlohmann::json value = json_.contains(key) ? json_.at(key) : nlohmann::json();
        for (const nlohmann::json& one : value.is_array() ? value : nlohmann::json::array()) {
            if (one.is_number()) {
                list.push_back(one.get<double>());
            } else if (one.is_string()) {
                char* end = nullptr;
                const std::string words = one.get<std::string>();
                list.push_back(std::strtod(words.c_str(), &end));
                reader_.expect(!words.empty() && *end == '\0', key, "must be a list of numbers");
            } else {
                reader_.expect(false, key, "must be a list of numbers");
            }
        }
        reader_.expect(value.is_array(), key, "must be a list of numbers");
        return list;
    }

    void read_dimensions() {
        if (reader_.has("logical-dims")) {
            count(numbers_of("logical-dims"), "logical-dims");
            return;
        }
        const bool older = reader_.has("topologies-per-dim");
        const char* const counts = older ? "units-count" : "npus_count";
        const std::vector<std::string> names = reader_.text_list(older ? "topologies-per-dim" : "topology");
        count(numbers_of(counts), counts);
        reader_.expect(names.size() == dimensions_.size(), counts,
                       fmt::format("must have {} numbers, as there are topologies", names.size()));
        for (std::size_t k = 0; k < std::min(names.size(), dimensions_.size()); ++k) {
            reader_.expect(names[k] == "Ring" || names[k] == "Switch" || names[k] == "FullyConnected",
                           older ? "topologies-per-dim" : "topology",
                           "must have \"Ring\", \"Switch\" or \"FullyConnected\"");
            dimensions_[k].topology = names[k];
        }
        numbers(older ? "link-bandwidth" : "bandwidth", &NetworkDimension::gigabytes_per_s, 1e-6, 1e9);
        numbers(older ? "link-latency" : "latency", &NetworkDimension::nanoseconds, 0, 1e9);
        if (older && reader_.has("links-count")) {
            numbers("links-count", &NetworkDimension::links, 1, 1e6);
        }
    }
    void count(const std::vector<double>& counts, const char* key) {
        reader_.expect(!counts.empty() && counts.size() <= most_dimensions, key,
                       fmt::format("must have 1 to {} numbers", most_dimensions));
        for (const double one : counts) {
            const bool sound = one >= 1 && one <= most_count && one == std::floor(one);
            reader_.expect(sound, key, "must have whole numbers from 1 on");
            dimensions_.push_back({{}, sound ? static_cast<std::int64_t>(one) : 1});
        }
    }

    /// A logical topology has no rates: those of the chip's own levels.
    void take_counts() {
        const std::vector<Level> own = draft_.machine.network.levels;
        std::vector<Level> levels;
        for (std::size_t k = 0; k < dimensions_.size(); ++k) {
            const bool last = k + 1 == dimensions_.size();
            Level level = last && k > 0 ? own.back() : own[std::min(k, own.size() - 1)];
            level.units = {last && k > 0 ? 0 : dimensions_[k].count, source_ + ", logical-dims"};
            levels.push_back(std::move(level));
        }
        draft_.machine.network.levels = std::move(levels);
        draft_.missing.push_back(say("Bandwidths and latencies: those of {}.", chip_.title));
    }

    void take_levels() {
        std::size_t first = 0;
        while (first < dimensions_.size() && dimensions_[first].rings()) {
            ++first;
        }
        std::vector<Level> levels;
        if (first > 0) {
            levels.push_back(torus_of(first));
        }
        for (std::size_t k = first; k < dimensions_.size(); ++k) {
            levels.push_back(switch_of_dimension(dimensions_[k], k + 1 == dimensions_.size() && k > 0));
        }
        draft_.machine.network.levels = std::move(levels);
        draft_.missing.push_back(
            said("Collectives of each dimension, and what else the traffic does to a link: ours are used."));
    }

    Level torus_of(std::size_t axes) {
        Level level;
        level.kind = LevelKind::rings;
        double slowest = 0;
        for (std::size_t k = 0; k < axes; ++k) {
            level.axes.push_back(
                {{2, source_ + ", a ring"},
                 {Bandwidth(dimensions_[k].gigabytes_per_s * 1e9), source_ + ", bandwidth"}});
            slowest = std::max(slowest, dimensions_[k].nanoseconds);
        }
        draft_.machine.sync = {seconds(slowest * 1e-9), source_ + ", latency of a ring's link"};
        draft_.machine.pod = {};
        if (std::ranges::any_of(dimensions_.begin(), dimensions_.begin() + static_cast<std::ptrdiff_t>(axes),
                                [&](const NetworkDimension& one) { return one.nanoseconds < slowest; })) {
            draft_.missing.push_back(say("Latencies of the other rings: the longest, {}, is taken for all.",
                                         seconds_text(slowest * 1e-9)));
        }
        return level;
    }

    Level switch_of_dimension(const NetworkDimension& one, bool last) {
        Level level;
        level.kind = LevelKind::switched;
        level.units = {last ? 0 : one.count, source_ + ", npus_count"};
        level.ports = {one.links_of_a_chip(), fmt::format("{}, {}", source_, one.topology)};
        level.bandwidth = {Bandwidth(one.gigabytes_per_s * 1e9), source_ + ", bandwidth"};
        const double links = one.topology == "Switch" ? 2 : 1; // to the switch, and from it
        level.latency = {seconds(links * one.nanoseconds * 1e-9), source_ + ", latency"};
        level.efficiency = {1, source_ + ": a transfer reaches the whole bandwidth"};
        if (one.topology != "Switch") {
            draft_.missing.push_back(
                say("How {} chips are linked, as {}: here a switch with the bandwidth of "
                    "a chip's links.",
                    one.count, one.topology));
        }
        if (last) {
            draft_.missing.push_back(
                say("The size of the outermost network, {}: here it joins as many as there are.", one.count));
        }
        return level;
    }

    const nlohmann::json& json_;
    JsonReader reader_;
    std::string source_;
    MachineDraft draft_;
    const Machine& chip_;
    std::vector<NetworkDimension> dimensions_;
};

} // namespace

Result<MachineDraft> machine_of_astra_network(std::string_view text, const Machine& chip,
                                              const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json_or_yaml(text, origin);
    return parsed ? AstraNetwork(*parsed, chip, origin).read() : refuse(parsed.error());
}

Result<MachineDraft> machine_of_astra_system(std::string_view text, const Machine& chip,
                                             const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json_or_yaml(text, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    const std::string source = "ASTRA-sim's system " + origin;
    MachineDraft draft = empty_draft(chip, source);
    if (reader.has("local-mem-bw")) {
        draft.machine.hbm_bandwidth = {Bandwidth(reader.number("local-mem-bw", 1e-3, 1e9) * 1e9),
                                       source + ", local-mem-bw"};
    }
    if (reader.has("peak-perf")) {
        const Sourced<FlopRate> peak = {FlopRate(reader.number("peak-perf", 1e-6, 1e9) * 1e12),
                                        source + ", peak-perf"};
        for (const DataType type : all_data_types) {
            draft.machine.peak[type] = {FlopRate(0), source + " has none"};
        }
        draft.machine.peak[DataType::bf16] = draft.machine.peak[DataType::fp16] = peak;
        draft.machine.effective_fraction = {1, source + ": its roofline reaches peak-perf"};
    } else {
        draft.missing.push_back(say("The peak: that of {}.", chip.title));
    }
    name_what_is_lost(reader, {}, draft);
    draft.missing.push_back(say("The network, the memory's capacity and launches: those of {}.", chip.title));
    return checked_draft(reader, std::move(draft));
}

} // namespace meshslice
