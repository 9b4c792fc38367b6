#include "core/question/catalogue/evidence/trace_memory.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/figure/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_memory_points = 300; ///< of a device
constexpr std::size_t most_memory_lines = 8;    ///< in a chart

/// What nothing else can have.
double taken(const MostHeld& device) {
    return std::max(device.bytes, device.reserved);
}

/// What a trace says of memory, and what that is held against; bytes.
struct TracedMemory {
    std::vector<MostHeld> devices; ///< at least one
    MostHeld most;                 ///< of them
    MostHeld fullest;              ///< the one that has least left, as its allocator may reserve more
    double seconds = 0;            ///< of the stretch
    std::string machine = {};      ///< whose memory counts; empty: the device itself
    double capacity = 0;           ///< 0: not known
    double predicted = 0;          ///< 0: nothing is

    [[nodiscard]] double free() const { return capacity - taken(fullest); }
};

/// As many points as are shown, each the most of its part of the stretch.
std::vector<MemoryPoint> thinned(const std::vector<MemoryPoint>& all) {
    const std::size_t every = (all.size() + most_memory_points - 1) / most_memory_points;
    std::vector<MemoryPoint> points;
    for (std::size_t k = 0; k < all.size(); k += every) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(k);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(k + every, all.size()));
        points.push_back(*std::max_element(
            begin, end, [](const MemoryPoint& a, const MemoryPoint& b) { return a.held < b.held; }));
    }
    return points;
}

std::vector<MemoryPoint> points_of(const ProfiledStep& read, const std::string& device) {
    const auto found = std::ranges::find(read.trace->memory, device, &DeviceMemory::device);
    return thinned(held_in(*found, read.stretch));
}

std::string memory_words(const TracedMemory& memory) {
    const MostHeld& most = memory.most;
    std::string words = say("Memory: {} holds most, {}, {} after the begin", device_words(most.device),
                            bytes_text(most.bytes), seconds_text(in_seconds(most.at)));
    words += most.reserved > 0 ? say("; its allocator reserves {}.", bytes_text(most.reserved)) : said(".");
    if (memory.fullest.device != most.device) {
        words += " " + say("The allocator of {} reserves most, {}.", device_words(memory.fullest.device),
                           bytes_text(memory.fullest.reserved));
    }
    if (memory.capacity > 0) {
        const std::string whose =
            memory.machine.empty() ? device_words(memory.fullest.device) : memory.machine;
        words +=
            " " + (memory.free() >= 0 ? say("Of the {} of {}, {} are free.", bytes_text(memory.capacity),
                                            whose, bytes_text(memory.free()))
                                      : say("That is {} more than the {} of {}.", bytes_text(-memory.free()),
                                            bytes_text(memory.capacity), whose));
    }
    if (memory.predicted > 0) {
        const double more = most.bytes / memory.predicted - 1;
        words += " " + (more >= 0 ? say("The plan predicts {} of arrays; the trace has {} more.",
                                        bytes_text(memory.predicted), percent_text(more))
                                  : say("The plan predicts {} of arrays; the trace has {} less.",
                                        bytes_text(memory.predicted), percent_text(-more)));
    }
    return words;
}

Tree memory_values(const ProfiledStep& read, const TracedMemory& memory) {
    const auto known = [](double value) { return value > 0 ? Tree(value) : Tree(); };
    Tree devices = Tree::array(), curve = Tree::array();
    for (const MostHeld& one : memory.devices) {
        devices.push_back({{"device", one.device},
                           {"peak_bytes", one.bytes},
                           {"peak_at_s", in_seconds(one.at)},
                           {"reserved_bytes", known(one.reserved)}});
    }
    for (const MemoryPoint& one : points_of(read, memory.most.device)) {
        curve.push_back({{"time_s", in_seconds(one.at)}, {"held_bytes", one.held}});
    }
    return {{"peak_bytes", memory.most.bytes},
            {"peak_at_s", in_seconds(memory.most.at)},
            {"peak_device", memory.most.device},
            {"reserved_bytes", known(memory.most.reserved)},
            {"capacity_bytes", known(memory.capacity)},
            {"free_bytes", memory.capacity > 0 ? Tree(memory.free()) : Tree()},
            {"predicted_bytes", known(memory.predicted)},
            {"devices", std::move(devices)},
            {"curve", std::move(curve)}};
}

Table memory_table(const ProfiledStep& read, const TracedMemory& memory) {
    Table table{said("Memory"), {"device", "time_s", "held_bytes", "reserved_bytes"}, {}};
    for (const MostHeld& device : memory.devices) {
        for (const MemoryPoint& one : points_of(read, device.device)) {
            table.rows.push_back({device.device, in_seconds(one.at), one.held,
                                  one.reserved > 0 ? Table::Cell(one.reserved) : Table::Cell()});
        }
    }
    return table;
}

/// A value lasts until the next one.
std::vector<ChartPoint> steps_of(const std::vector<MemoryPoint>& points, double seconds) {
    std::vector<ChartPoint> made;
    for (const MemoryPoint& one : points) {
        if (!made.empty()) {
            made.push_back({in_seconds(one.at), made.back().y});
        }
        made.push_back({in_seconds(one.at), one.held});
    }
    made.push_back({seconds, made.back().y});
    return made;
}

Chart memory_chart(const ProfiledStep& read, const TracedMemory& memory) {
    ChartPanel panel;
    panel.x = {.label = said("time"), .unit = ChartUnit::seconds};
    panel.y = {.label = said("memory held"), .unit = ChartUnit::bytes};
    panel.x.low = 0;
    panel.x.high = memory.seconds;
    static constexpr std::array roles = {Role::compute, Role::transferHorizontal, Role::update,
                                         Role::backward};
    const auto add = [&](std::string name, Role role, std::vector<ChartPoint> points, bool dashed) {
        panel.series.push_back(rule(std::move(name), role, std::move(points), dashed));
    };
    for (std::size_t k = 0; k < std::min(most_memory_lines, memory.devices.size()); ++k) {
        const std::string& device = memory.devices[k].device;
        add(device_words(device), roles[k % roles.size()], steps_of(points_of(read, device), memory.seconds),
            false);
    }
    if (memory.predicted > 0) {
        add(said("predicted, arrays"), Role::quietText,
            {{0, memory.predicted}, {memory.seconds, memory.predicted}}, true);
    }
    if (memory.capacity > 0) {
        add(memory.machine.empty() ? said("memory of the device") : say("HBM of {}", memory.machine),
            Role::text, {{0, memory.capacity}, {memory.seconds, memory.capacity}}, true);
    }
    Chart chart{memory_words(memory), {std::move(panel)}};
    if (memory.devices.size() > most_memory_lines) {
        chart.notes.push_back(say("The first {} of {} devices.", most_memory_lines, memory.devices.size()));
    }
    return chart;
}

} // namespace

std::string add_memory(const ProfiledStep& read, const PredictedStep* predicted, Answer& answer) {
    TracedMemory memory{most_held(*read.trace, read.stretch), {}, {}};
    if (memory.devices.empty()) {
        return {};
    }
    memory.most = *std::ranges::max_element(memory.devices, {}, &MostHeld::bytes);
    memory.seconds = in_seconds(read.stretch.end - read.stretch.begin);
    const MostHeld& fullest = *std::ranges::max_element(memory.devices, {}, taken);
    memory.fullest = taken(fullest) > taken(memory.most) ? fullest : memory.most;
    memory.capacity = memory.fullest.capacity;
    if (predicted != nullptr) {
        memory.machine = predicted->question.machine.title;
        memory.capacity = static_cast<double>(predicted->question.machine.hbm.value.value());
        memory.predicted = predicted->arrays;
    }
    answer.values["memory"] = memory_values(read, memory);
    answer.tables.push_back(NamedTable::of("memory", memory_table(read, memory)));
    answer.charts.push_back({"memory", memory_chart(read, memory)});
    return memory_words(memory) + "\n";
}

} // namespace meshslice
