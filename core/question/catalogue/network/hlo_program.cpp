// A whole program of XLA: its memory over time, the arrays that are there at the peak, and its collectives.

#include "core/question/catalogue/network/hlo_program.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/figure/chart.h"
#include "core/import/hlo/hlo_loops.h"
#include "core/import/hlo/hlo_memory.h"
#include "core/import/log_readings.h"
#include "core/question/catalogue/network/hlo_collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_program_bytes = 256u << 20;
constexpr std::size_t arrays_in_words = 12, arrays_in_values = 100, loops_in_words = 12;
constexpr std::size_t arrays_at_mark = 3;

/// Collectives that are alike.
struct ProgramCollective {
    const HloOperation* first = nullptr;
    const HloOperation* among = nullptr; ///< what says which devices take part: of a fusion what it calls
    HloTimes count = {0};                ///< while the program runs once
    std::string axes = {};               ///< empty: not known
    HloCost cost = {};                   ///< of one of them
    double bytes = 0;                    ///< of the arrays that one of them makes on a device; 0: not known

    /// Of all of them, one after the other.
    [[nodiscard]] std::optional<double> seconds() const {
        return cost.seconds ? std::optional(*cost.seconds * static_cast<double>(count.times)) : std::nullopt;
    }
};

struct ReadProgram {
    std::string file;
    HloModule module;
    HloMemory memory;
    std::vector<const HloBuffer*> at_peak = {}; ///< the largest first
    HloRepeats repeats = {};
    std::vector<ProgramCollective> collectives = {};
    std::optional<double> capacity = {}; ///< bytes of a chip's HBM
    std::string machine = {};
    bool with_mesh = false;

    [[nodiscard]] const std::vector<HloLine>& lines() const { return module.main().lines; }
    [[nodiscard]] const HloLine& peak() const { return lines()[memory.peak]; }
    [[nodiscard]] double filled_at_peak() const {
        double bytes = 0;
        for (const HloBuffer* one : at_peak) {
            bytes += one->shape.padded_bytes() - one->shape.bytes();
        }
        return bytes;
    }
    [[nodiscard]] bool fits() const { return !capacity || memory.most() <= *capacity; }
};

/// Computations that collectives call, which are the same collectives once more, each with the collective
/// that it holds; null where it holds none.
using CalledCollectives = std::unordered_map<std::string_view, const HloOperation*>;

CalledCollectives called_by_collectives(const HloModule& module) {
    CalledCollectives called;
    for (const HloComputation& computation : module.computations) {
        for (const HloLine& line : computation.lines) {
            if (!line.operation.collective.empty() && !line.operation.calls.empty()) {
                called.emplace(line.operation.calls, nullptr);
            }
        }
    }
    for (const HloComputation& computation : module.computations) {
        const auto its = called.find(computation.name);
        const auto inside = std::ranges::find_if(
            computation.lines, [](const HloLine& line) { return !line.operation.collective.empty(); });
        if (its != called.end() && inside != computation.lines.end()) {
            its->second = &inside->operation;
        }
    }
    return called;
}

/// The operation itself, or, where it does not say who takes part, the one in what it calls.
const HloOperation& says_who(const HloOperation& one, const CalledCollectives& called) {
    const auto its = one.groups.empty() && one.pairs.empty() ? called.find(one.calls) : called.end();
    return its != called.end() && its->second != nullptr ? *its->second : one;
}

std::vector<ProgramCollective> collectives_of(const HloModule& module, const HloRepeats& repeats,
                                              const std::optional<NamedMesh>& mesh, const HloChip& chip) {
    std::vector<ProgramCollective> all;
    const CalledCollectives called = called_by_collectives(module);
    for (std::size_t k = 0; k < module.computations.size(); ++k) {
        const HloComputation& computation = module.computations[k];
        if (called.contains(computation.name)) {
            continue;
        }
        for (const HloLine& line : computation.lines) {
            const HloOperation& one = line.operation;
            if (one.collective.empty()) {
                continue;
            }
            const HloOperation& among = says_who(one, called);
            const auto known = std::ranges::find_if(all, [&](const ProgramCollective& other) {
                return other.first->collective == one.collective && other.first->results == one.results &&
                       other.among->groups == among.groups && other.among->pairs == among.pairs &&
                       other.first->opcode == one.opcode;
            });
            if (known != all.end()) {
                known->count.add(repeats.computations[k]);
                continue;
            }
            ProgramCollective made{&one, &among, repeats.computations[k]};
            made.bytes = hlo_made_bytes(one);
            if (mesh) {
                made.axes = hlo_axes_of(among, *mesh);
                made.cost = made.axes.empty() ? HloCost{.why_not = why_no_hlo_axes(among, *mesh)}
                                              : hlo_cost(one, *mesh, made.axes, chip);
            }
            all.push_back(std::move(made));
        }
    }
    return all;
}

std::string headline_of(const ReadProgram& read) {
    const std::string words =
        say("{} operations hold at most {} of HBM, at operation {}, {}", read.lines().size(),
            bytes_text(read.memory.most()), read.memory.peak + 1, read.peak().operation.name);
    if (!read.capacity) {
        return words + said(".");
    }
    const double left = *read.capacity - read.memory.most();
    return left >= 0 ? say("{}; {} leaves {} of {} free.", words, read.machine, bytes_text(left),
                           bytes_text(*read.capacity))
                     : say("{}; that is {} more than {} has.", words, bytes_text(-left), read.machine);
}

std::string memory_words(const ReadProgram& read) {
    const double filled = read.filled_at_peak();
    std::string words = say("Parameters and constants hold {} all the time.", bytes_text(read.memory.inputs));
    if (filled > 0) {
        words += " " + say("At the peak, {} fill up tiles.", bytes_text(filled));
    }
    if (const double within = read.memory.within[read.memory.peak]; within > 0) {
        words += " " + say("{} of it are held within that operation.", bytes_text(within));
    }
    return words + "\n";
}

Paragraph array_lines(const ReadProgram& read) {
    Paragraph lines{{},
                    {{say("at the peak"), say("array"), say("bytes"), say("with tiles filled"),
                      say("from line"), say("to line")}},
                    2,
                    false};
    for (std::size_t k = 0; k < std::min(arrays_in_words, read.at_peak.size()); ++k) {
        const HloBuffer& one = *read.at_peak[k];
        lines.lines.push_back({shortened(one.name), shortened(text(one.shape)), bytes_text(one.shape.bytes()),
                               bytes_text(one.shape.padded_bytes()), std::to_string(one.first_line),
                               std::to_string(one.last_line)});
    }
    return lines;
}

/// Its arrays, one after the other.
std::string made_text(const HloOperation& operation) {
    std::string words;
    for (const HloShape& one : hlo_made(operation)) {
        words += (words.empty() ? "" : ", ") + text(one);
    }
    return shortened(words);
}

/// "6", "at most 6", "1, unknown trips once".
std::string count_words(const HloTimes& count) {
    const std::string times = std::to_string(count.times);
    return !count.trips_known             ? say("{}, unknown trips once", times)
           : count.conditional            ? say("at most {}", times)
           : count.times < HloTimes::most ? times
                                          : say("{} or more", times);
}

Paragraph collective_lines(const ReadProgram& read) {
    Paragraph lines{{}, {{say("collective"), say("count"), say("makes"), say("axes")}}, 4, true};
    const bool timed = read.with_mesh && !read.machine.empty();
    if (timed) {
        lines.lines.front().insert(lines.lines.front().end(), {say("one takes"), say("all take")});
    }
    lines.lines.front().push_back(timed ? say("by") : say("costs"));
    for (const ProgramCollective& one : read.collectives) {
        std::vector<std::string> words = {one.first->collective, count_words(one.count),
                                          made_text(*one.first), one.axes};
        for (const std::optional<double>& seconds : {one.cost.seconds, one.seconds()}) {
            if (timed) {
                words.push_back(seconds ? seconds_text(*seconds) : std::string());
            }
        }
        words.push_back(one.cost.why_not.empty() ? one.cost.command : one.cost.why_not);
        lines.lines.push_back(std::move(words));
    }
    return lines;
}

/// What all collectives take whose time is known, one after the other; 0: none is.
double collective_seconds(const ReadProgram& read) {
    double sum = 0;
    for (const ProgramCollective& one : read.collectives) {
        sum += one.seconds().value_or(0);
    }
    return sum;
}

/// Whether that sum is of counts that are known; else it may be more or less.
bool knows_collective_seconds(const ReadProgram& read) {
    return std::ranges::all_of(read.collectives, [](const ProgramCollective& one) {
        return !one.cost.seconds.has_value() || one.count.known();
    });
}

/// The sum, and what is not in it.
std::string collective_sum_words(const ReadProgram& read) {
    const auto timed = std::ranges::count_if(
        read.collectives, [](const ProgramCollective& one) { return one.cost.seconds.has_value(); });
    if (timed == 0) {
        return {};
    }
    const std::string seconds = seconds_text(collective_seconds(read));
    const std::string sum = knows_collective_seconds(read)
                                ? say("One after the other the collectives take {} on {} by their closed "
                                      "forms, where links carry "
                                      "nothing else.",
                                      seconds, read.machine)
                                : say("Counted as in the table, the collectives take {} on {} one after the "
                                      "other by their closed "
                                      "forms, where links carry nothing else.",
                                      seconds, read.machine);
    const auto rest = std::ssize(read.collectives) - timed;
    return (rest == 0 ? sum : sum + " " + say("Lines without a time are not in it.")) + "\n";
}

/// How often each loop goes around, and who says so.
Paragraph loop_lines(const ReadProgram& read) {
    Paragraph lines{{}, {{say("loop"), say("line"), say("trips"), say("from")}}, 3, true};
    for (std::size_t k = 0; k < std::min(loops_in_words, read.repeats.loops.size()); ++k) {
        const HloLoop& one = read.repeats.loops[k];
        lines.lines.push_back(
            {shortened(one.line->operation.name), std::to_string(one.line->line),
             one.trips ? std::to_string(*one.trips) : say("counted once: trip count unknown"),
             one.written ? "known_trip_count"
             : one.trips ? said("its condition")
                         : said("neither known_trip_count nor a condition that compares a counter with a "
                                "constant")});
    }
    return lines;
}

/// As many points as a chart shows, each the most of its stretch.
std::vector<ChartPoint> curve(const ReadProgram& read) {
    constexpr std::size_t most = 600;
    const std::vector<double>& held = read.memory.held;
    const std::size_t every = (held.size() + most - 1) / most;
    std::vector<ChartPoint> points;
    for (std::size_t k = 0; k < held.size(); k += every) {
        const auto begin = held.begin() + static_cast<std::ptrdiff_t>(k);
        const auto end = held.begin() + static_cast<std::ptrdiff_t>(std::min(k + every, held.size()));
        const auto highest = std::max_element(begin, end);
        points.push_back({static_cast<double>(highest - held.begin() + 1), *highest});
    }
    return points;
}

/// "big 4.10 kB, wo 1.02 kB": the largest arrays at the peak.
std::string largest_at_peak(const ReadProgram& read) {
    std::string words;
    for (std::size_t k = 0; k < std::min(arrays_at_mark, read.at_peak.size()); ++k) {
        const HloBuffer& one = *read.at_peak[k];
        words += fmt::format("{}{} {}", k == 0 ? "" : ", ", shortened(one.name),
                             bytes_text(one.shape.padded_bytes()));
    }
    return words;
}

/// Where the peak is.
ChartSeries peak_mark(const ReadProgram& read) {
    ChartSeries made{said("at the peak"), SeriesKind::points};
    made.role = Role::text;
    made.points.push_back(
        {static_cast<double>(read.memory.peak + 1), read.memory.most(), {}, largest_at_peak(read)});
    return made;
}

Chart memory_chart(const ReadProgram& read) {
    ChartPanel panel;
    panel.x.label = said("operation");
    panel.y = {.label = said("held in HBM"), .unit = ChartUnit::bytes};
    const auto last = static_cast<double>(read.memory.held.size());
    panel.x.low = 0;
    panel.x.high = last;
    panel.series.push_back(rule(said("all arrays"), Role::compute, curve(read)));
    panel.series.push_back(rule(said("parameters and constants"), Role::quietText,
                                {{0, read.memory.inputs}, {last, read.memory.inputs}}, true));
    if (read.capacity) {
        panel.series.push_back(rule(say("HBM of {}", read.machine), Role::text,
                                    {{0, *read.capacity}, {last, *read.capacity}}, true));
    }
    panel.series.push_back(peak_mark(read));
    return {headline_of(read),
            {std::move(panel)},
            {say("The largest arrays at the peak: {}.", largest_at_peak(read))}};
}

Table memory_table(const ReadProgram& read) {
    Table table{said("Memory"), {"operation", "line", "name", "opcode", "held_bytes"}, {}};
    for (std::size_t k = 0; k < read.lines().size(); ++k) {
        const HloLine& one = read.lines()[k];
        table.rows.push_back({static_cast<std::int64_t>(k + 1), one.line, one.operation.name,
                              one.operation.opcode, read.memory.held[k]});
    }
    return table;
}

Tree values_of(const ReadProgram& read) {
    Tree values = {{"name", read.module.name},
                   {"scheduled", read.module.scheduled},
                   {"operations", read.lines().size()},
                   {"peak_bytes", read.memory.most()},
                   {"peak_operation", read.memory.peak + 1},
                   {"peak_line", read.peak().line},
                   {"inputs_bytes", read.memory.inputs},
                   {"filled_bytes", read.filled_at_peak()},
                   {"within_bytes", read.memory.within[read.memory.peak]},
                   {"arrays", Tree::array()},
                   {"collectives", Tree::array()},
                   {"loops", Tree::array()}};
    if (read.capacity) {
        values["free_bytes"] = *read.capacity - read.memory.most();
        values["fits"] = read.fits();
    }
    for (std::size_t k = 0; k < std::min(arrays_in_values, read.at_peak.size()); ++k) {
        const HloBuffer& one = *read.at_peak[k];
        values["arrays"].push_back({{"name", one.name},
                                    {"array", text(one.shape)},
                                    {"bytes", one.shape.bytes()},
                                    {"padded_bytes", one.shape.padded_bytes()},
                                    {"from_line", one.first_line},
                                    {"to_line", one.last_line}});
    }
    for (const ProgramCollective& one : read.collectives) {
        values["collectives"].push_back(
            {{"collective", one.first->collective},
             {"count", one.count.times},
             {"count_known", one.count.known()},
             {"bytes", one.bytes},
             {"axes", one.axes.empty() ? Tree() : Tree(one.axes)},
             {"time_in_s", Tree(one.cost.seconds)},
             {"all_in_s", Tree(one.seconds())},
             {"why_no_axes", one.axes.empty() && !one.cost.why_not.empty() ? Tree(one.cost.why_not) : Tree()},
             {"why_no_costs",
              one.axes.empty() || one.cost.why_not.empty() ? Tree() : Tree(one.cost.why_not)}});
    }
    if (const double seconds = collective_seconds(read); seconds > 0 && knows_collective_seconds(read)) {
        values["collectives_in_s"] = seconds;
    }
    for (const HloLoop& one : read.repeats.loops) {
        values["loops"].push_back({{"name", one.line->operation.name},
                                   {"line", one.line->line},
                                   {"trips", one.trips ? Tree(*one.trips) : Tree()}});
    }
    return values;
}

Answer answer_of(const ReadProgram& read) {
    Answer answer{values_of(read), headline_of(read), say("{}, a program of XLA", read.file)};
    if (!read.module.scheduled) {
        answer.notes.push_back(
            say("The program is not scheduled: the order of the text counts, and XLA may choose another."));
    }
    answer.notes.push_back(
        say("A result that XLA puts where an operand was is counted twice, and gaps between arrays are not "
            "counted."));
    if (!std::ranges::all_of(read.collectives, [](const auto& one) { return one.count.trips_known; })) {
        answer.notes.push_back(
            say("Collectives of a loop whose trip count is unknown are counted once for it."));
    }
    if (std::ranges::any_of(read.collectives, [](const auto& one) { return one.count.conditional; })) {
        answer.notes.push_back(
            say("Collectives in a branch of a conditional are counted as if it ran every time."));
    }
    answer.words = {{answer.headline + "\n"}, {memory_words(read) + "\n"}, array_lines(read)};
    if (!read.collectives.empty()) {
        answer.words.push_back({"\n"});
        answer.words.push_back(collective_lines(read));
        answer.words.push_back({collective_sum_words(read)});
        if (!read.with_mesh) {
            answer.words.push_back({say("--mesh X=2,Y=4 names their axes and what they cost.") + "\n"});
        } else if (read.machine.empty()) {
            answer.words.push_back({say("--machine NAME says how long they take.") + "\n"});
        }
    }
    if (!read.repeats.loops.empty()) {
        answer.words.push_back({"\n"});
        answer.words.push_back(loop_lines(read));
        if (const std::size_t more = read.repeats.loops.size(); more > loops_in_words) {
            answer.words.push_back({say("and {} more loops", more - loops_in_words) + "\n"});
        }
    }
    answer.words.push_back({"\n"});
    for (const std::string& note : answer.notes) {
        answer.words.push_back({note + "\n"});
    }
    answer.tables.push_back(NamedTable::of("memory", memory_table(read)));
    answer.charts.push_back({"memory", memory_chart(read)});
    if (read.capacity) {
        answer.fits = [fits = read.fits()] { return fits; };
    }
    return answer;
}

} // namespace

Result<Answer> hlo_program_answer(const std::string& path, const std::optional<NamedMesh>& mesh,
                                  const HloChip& chip, const RunControl& control) {
    return read_log_text(path, most_program_bytes, said("what XLA dumps of a program"), control)
        .and_then([&](const std::string& text) { return read_hlo_module(text, path, control); })
        .and_then([&](HloModule module) -> Result<Answer> {
            if (module.main().lines.empty()) {
                return refuse(say("{} has no operation in {}.", path, module.main().name));
            }
            ReadProgram read{path, std::move(module), {}};
            read.memory = hlo_memory(read.module);
            for (const HloBuffer& one : read.memory.at_peak) {
                read.at_peak.push_back(&one);
            }
            std::ranges::stable_sort(read.at_peak, std::ranges::greater(),
                                     [](const HloBuffer* one) { return one->shape.padded_bytes(); });
            read.with_mesh = mesh.has_value();
            read.repeats = hlo_repeats(read.module);
            read.collectives = collectives_of(read.module, read.repeats, mesh, chip);
            if (chip.machine) {
                read.machine = chip.machine->title;
                read.capacity = static_cast<double>(chip.machine->hbm.value.value());
            }
            return answer_of(read);
        });
}

} // namespace meshslice
