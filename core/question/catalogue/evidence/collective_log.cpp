// How fast collectives were by nccl-tests, size by size, next to what collective says and what measured runs
// let expect.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/calibrate/calibration.h"
#include "core/calibrate/nccl_log.h"
#include "core/cost/collective/collective_costs.h"
#include "core/cost/collective/fitted_collectives.h"
#include "core/evidence/collectives/collective_evidence.h"
#include "core/import/log_readings.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/evidence/predicted_step.h"
#include "core/question/catalogue/questions.h"
#include "core/report/csv.h"
#include "core/report/words/machine_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_collective_log_bytes = 64u << 20;

/// What a chip's links carry of each byte of the size, so that operations compare with the links' bandwidth
/// (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md).
double bus_factor(Collective what, std::int64_t ranks) {
    const auto n = static_cast<double>(ranks);
    switch (what) {
    case Collective::all_reduce: return 2 * (n - 1) / n;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all: return (n - 1) / n;
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::send_receive: break;
    }
    return 1;
}

/// Of one size.
struct LoggedCollective {
    MeasuredCollective row;
    double ours = 0;                        ///< s, as plans count it; 0: not asked
    double expected = 0, low = 0, high = 0; ///< s, by measured runs; 0: nothing is known

    [[nodiscard]] double bus_bytes() const { return row.bytes * bus_factor(row.operation, row.chips); }
};

/// seconds = latency + bytes on a chip's links / bandwidth.
struct LineFit {
    double latency = 0, bandwidth = 0; ///< s, bytes/s
    FitQuality quality;
};

struct CollectiveLog {
    std::string file;
    std::vector<LoggedCollective> rows; ///< by size; at least one
    std::string machine = {};           ///< that it is held against; empty: none
    std::string machine_name = {};
    std::optional<LineFit> measured = {}, ours = {};
    std::string no_fit = {}; ///< why nothing is fitted to what was measured
    std::int64_t servers = 1;
    std::vector<WrongNcclRow> wrong = {}; ///< sizes whose results are wrong, which do not count
    Machine chip = {};                    ///< that it is held against

    [[nodiscard]] Collective what() const { return rows.front().row.operation; }
    [[nodiscard]] std::int64_t ranks() const { return rows.front().row.chips; }
    [[nodiscard]] bool predicted() const { return !machine.empty(); }
    [[nodiscard]] bool expected() const { return rows.back().expected > 0; }
    /// The size with the highest rate.
    [[nodiscard]] const LoggedCollective& fastest() const {
        return *std::ranges::max_element(
            rows, {}, [](const LoggedCollective& one) { return one.bus_bytes() / one.row.seconds; });
    }
};

/// Least squares of the relative deviations: what passes the links like a send and receive of as many bytes.
Result<LineFit> line_fit(const std::vector<LoggedCollective>& rows,
                         double (*seconds)(const LoggedCollective&)) {
    std::vector<MeasuredCollective> sent;
    for (const LoggedCollective& one : rows) {
        sent.push_back({one.row.line, Collective::send_receive, 2, one.bus_bytes(), seconds(one), {}});
    }
    return fit_collectives(sent, RingMode::one_way, 0.0).map([](const CollectiveFit& fit) {
        LineFit made{0, fit.link_bandwidth.value, fit.quality};
        for (const std::optional<Fitted>& launch : fit.launch) {
            made.latency += launch ? launch->value : 0;
        }
        return made;
    });
}

/// Refuses to ask about more or fewer chips than the log has ranks.
Result<void> as_many_as_ranks(const Asked& its, const CollectiveLog& log) {
    const auto judged = [&](const char* key, std::int64_t chips) {
        return chips == log.ranks() ? Result<void>()
                                    : refuse(say("{}: {} chips, where {} has {} ranks; expected as many.",
                                                 its.called(key), chips, log.file, log.ranks()));
    };
    if (its.has("chips")) {
        if (const Result<void> sound = judged("chips", static_cast<std::int64_t>(its.number("chips")));
            !sound) {
            return sound;
        }
    }
    return !its.has("axes") ? Result<void>()
                            : named_mesh_of(its, "axes").and_then([&](const NamedMesh& mesh) {
                                  return judged("axes", mesh.devices());
                              });
}

/// Asks `over` about each size.
Result<void> add_ours(const Question& over, Asked its, CollectiveLog& log, const RunControl& control) {
    const auto say_it = [&](const char* key, const std::string& words) -> Result<void> {
        const QuestionField* const field = its.question.field(key);
        return parse_own(its.question, *field, words, its.speech).map([&](const FieldValue& value) {
            its.own[key] = value;
        });
    };
    const Result<Machine> machine = chip_of(its);
    if (!machine) {
        return refuse(machine.error());
    }
    log.machine = machine->title;
    log.machine_name = machine->name;
    log.chip = *machine;
    Result<void> taken = as_many_as_ranks(its, log);
    taken = taken ? say_it("collective", std::string(name(log.what()))) : taken;
    if (taken && machine->network.torus_axes() == 0 && !its.has("chips") && !its.has("axes")) {
        taken = say_it("chips", std::to_string(log.ranks()));
    }
    if (!taken) {
        return taken;
    }
    for (LoggedCollective& one : log.rows) {
        const double all = one.row.operation == Collective::all_to_all
                               ? one.row.bytes * static_cast<double>(one.row.chips)
                               : one.row.bytes;
        const Result<void> bytes = say_it("bytes", fmt::format("{:.0f}", all));
        const Result<Tree> numbers = bytes ? over.numbers(its, control) : Result<Tree>(refuse(bytes.error()));
        if (!numbers) {
            return refuse(numbers.error());
        }
        const std::optional<double> modelled = number_at(*numbers, "modelled_in_s");
        one.ours = modelled ? *modelled : number_at(*numbers, "time_in_s").value_or(0);
    }
    if (machine->network.torus_axes() == 0) {
        log.servers = servers_of(*machine, log.ranks());
    }
    return {};
}

/// With the columns of resources/measured/collectives.csv.
Table collective_rows(const CollectiveLog& log) {
    Table table{said("Measured rows"),
                {"id", "hardware", "op", "nodes", "gpus_per_node", "n", "bytes", "time_us", "library"},
                {}};
    constexpr double us = 1e-6;
    for (const LoggedCollective& one : log.rows) {
        table.rows.push_back({fmt::format("{}:{}", log.file, one.row.line), log.machine_name,
                              std::string(file_name(one.row.operation)), log.servers,
                              one.row.chips / log.servers, one.row.chips,
                              static_cast<std::int64_t>(one.row.bytes), one.row.seconds / us,
                              std::string("NCCL")});
    }
    return table;
}

/// What measured runs of other people let expect of such chips; nothing where none is known, or where the
/// chips are others than those.
void add_expected(CollectiveLog& log) {
    std::vector<double> bytes;
    for (const LoggedCollective& one : log.rows) {
        bytes.push_back(one.row.bytes);
    }
    const std::vector<ExpectedCollective> found =
        expected_collectives(log.chip, log.what(), log.ranks(), log.servers, bytes);
    for (std::size_t k = 0; k < found.size(); ++k) {
        log.rows[k].expected = found[k].seconds;
        log.rows[k].low = found[k].low;
        log.rows[k].high = found[k].high;
    }
}

std::string headline_of(const CollectiveLog& log) {
    const LoggedCollective& best = log.fastest();
    const std::string words =
        say("Measured: {} among {} ranks reaches {} on the bus at {}", name(log.what()), log.ranks(),
            si_text(best.bus_bytes() / best.row.seconds, "B/s"), bytes_text(best.row.bytes));
    if (!log.predicted()) {
        return words + said(".");
    }
    return log.expected() ? say("{}; ours reaches {}, and by measured runs {} ({} to {}) is expected.", words,
                                si_text(best.bus_bytes() / best.ours, "B/s"),
                                si_text(best.bus_bytes() / best.expected, "B/s"),
                                si_text(best.bus_bytes() / best.high, "B/s"),
                                si_text(best.bus_bytes() / best.low, "B/s"))
                          : say("{}; ours reaches {}.", words, si_text(best.bus_bytes() / best.ours, "B/s"));
}

std::string fit_words(const CollectiveLog& log) {
    if (!log.measured) {
        return say("No latency and bandwidth are fitted: {}", log.no_fit);
    }
    const LineFit& its = *log.measured;
    std::string words = say(
        "As latency + bytes / bandwidth it takes {} and {} on the bus; a size is {} off on average, {} at "
        "most.",
        seconds_text(its.latency), si_text(its.bandwidth, "B/s"), percent_text(its.quality.mean_deviation),
        percent_text(its.quality.largest_deviation));
    if (log.ours) {
        words += " " + say("Our times on {} are {} and {}.", log.machine, seconds_text(log.ours->latency),
                           si_text(log.ours->bandwidth, "B/s"));
    }
    return words;
}

/// "+12%" of measured over another time.
std::string more_words(double measured, double other) {
    return fmt::format("{:+.0f}%", 100 * (measured / other - 1));
}

Paragraph size_lines(const CollectiveLog& log) {
    Paragraph lines{{}, {{say("size"), say("time"), say("size over time"), say("on the bus")}}, 0, false};
    std::vector<std::string>& heads = lines.lines.front();
    if (log.predicted()) {
        heads.insert(heads.end(), {say("ours"), say("measured against it")});
    }
    if (log.expected()) {
        heads.insert(heads.end(), {say("expected"), say("from"), say("to"), std::string()});
    }
    for (const LoggedCollective& one : log.rows) {
        const double time = one.row.seconds;
        std::vector<std::string>& words = lines.lines.emplace_back(std::vector<std::string>{
            bytes_text(one.row.bytes), seconds_text(time), si_text(one.row.bytes / time, "B/s"),
            si_text(one.bus_bytes() / time, "B/s")});
        if (log.predicted()) {
            words.insert(words.end(), {seconds_text(one.ours), more_words(time, one.ours)});
        }
        if (log.expected()) {
            words.insert(words.end(),
                         {seconds_text(one.expected), seconds_text(one.low), seconds_text(one.high),
                          time >= one.low && time <= one.high ? say("inside") : say("outside")});
        }
    }
    return lines;
}

Table size_table(const CollectiveLog& log) {
    Table table{said("Logged collectives"),
                {"bytes", "time_s", "algbw_bytes_per_s", "busbw_bytes_per_s", "predicted_s", "expected_s",
                 "low_s", "high_s"},
                {}};
    const auto known = [](double value) { return value > 0 ? Table::Cell(value) : Table::Cell(); };
    for (const LoggedCollective& one : log.rows) {
        table.rows.push_back({one.row.bytes, one.row.seconds, one.row.bytes / one.row.seconds,
                              one.bus_bytes() / one.row.seconds, known(one.ours), known(one.expected),
                              known(one.low), known(one.high)});
    }
    return table;
}

Chart rate_chart(const CollectiveLog& log) {
    ChartPanel panel{{},
                     {said("size"), ChartUnit::bytes, true},
                     {said("bytes on a chip's links over time"), ChartUnit::byte_rate, true}};
    const auto add = [&](const std::string& called, Role role, SeriesKind kind,
                         double (*seconds)(const LoggedCollective&)) {
        ChartSeries series{called, kind};
        series.role = role;
        for (const LoggedCollective& one : log.rows) {
            if (seconds(one) > 0) {
                series.points.push_back(
                    {one.row.bytes, one.bus_bytes() / seconds(one), {}, seconds_text(seconds(one))});
            }
        }
        panel.series.push_back(std::move(series));
    };
    add(say("measured"), Role::compute, SeriesKind::points,
        [](const LoggedCollective& one) { return one.row.seconds; });
    if (log.predicted()) {
        add(say("ours"), Role::transferHorizontal, SeriesKind::line,
            [](const LoggedCollective& one) { return one.ours; });
    }
    if (log.expected()) {
        add(say("expected by measured runs"), Role::quietText, SeriesKind::line,
            [](const LoggedCollective& one) { return one.expected; });
    }
    return {headline_of(log), {std::move(panel)}};
}

Tree fit_values(const std::optional<LineFit>& fit) {
    return fit ? Tree{{"latency_s", fit->latency},
                      {"bandwidth_bytes_per_s", fit->bandwidth},
                      {"mean_deviation", fit->quality.mean_deviation},
                      {"largest_deviation", fit->quality.largest_deviation}}
               : Tree();
}

Tree wrong_bytes(const CollectiveLog& log) {
    Tree all = Tree::array();
    for (const WrongNcclRow& one : log.wrong) {
        all.push_back(one.bytes);
    }
    return all;
}

Tree values_of(const CollectiveLog& log) {
    Tree values = {{"writer", "nccl-tests"},
                   {"operation", std::string(name(log.what()))},
                   {"ranks", log.ranks()},
                   {"wrong_sizes", log.wrong.size()},
                   {"wrong_bytes", wrong_bytes(log)},
                   {"fit", fit_values(log.measured)},
                   {"sizes", Tree::array()}};
    if (log.predicted()) {
        values["predicted_fit"] = fit_values(log.ours);
    }
    const auto known = [](double value) { return value > 0 ? Tree(value) : Tree(); };
    for (const LoggedCollective& one : log.rows) {
        values["sizes"].push_back({{"bytes", one.row.bytes},
                                   {"time_s", one.row.seconds},
                                   {"algbw_bytes_per_s", one.row.bytes / one.row.seconds},
                                   {"busbw_bytes_per_s", one.bus_bytes() / one.row.seconds},
                                   {"predicted_s", known(one.ours)},
                                   {"expected_s", known(one.expected)},
                                   {"low_s", known(one.low)},
                                   {"high_s", known(one.high)}});
    }
    return values;
}

} // namespace

Result<Answer> collective_log_answer(const Asked& asked, const Question* over, const RunControl& control) {
    using namespace measured_file_keys;
    const std::string path = asked.text(file);
    if (over != nullptr && over->id != collective_question().id) {
        return refuse(say("{} is a log of nccl-tests, which is held against a collective; expected {}.", path,
                          "--of collective"));
    }
    if (asked.said.has("--trace")) {
        return refuse(say("{} has no effect: a log of nccl-tests says times alone.", "--trace"));
    }
    std::optional<Collective> operation;
    if (asked.has(measured_file_keys::operation)) {
        const Result<Collective> said = parse_exchange(asked.text(measured_file_keys::operation));
        if (!said) {
            return refuse(said.error());
        }
        operation = *said;
    }
    const Result<NcclLog> read =
        read_log_text(path, most_collective_log_bytes, said("what nccl-tests print"), control)
            .and_then([&](const std::string& text) { return read_nccl_log(text, path, operation); });
    if (!read) {
        return refuse(read.error());
    }
    if (read->rows.empty()) {
        return refuse(say("{} has no row with a time.", path));
    }
    CollectiveLog log{path, {}};
    log.wrong = read->wrong;
    for (const MeasuredCollective& row : read->rows) {
        log.rows.push_back({row});
    }
    std::ranges::stable_sort(log.rows, {}, [](const LoggedCollective& one) { return one.row.bytes; });
    Result<LineFit> measured =
        line_fit(log.rows, [](const LoggedCollective& one) { return one.row.seconds; });
    log.no_fit = measured ? std::string() : measured.error().sentence;
    log.measured = measured ? std::optional(*std::move(measured)) : std::nullopt;
    if (over != nullptr) {
        const Result<void> added =
            add_ours(*over, asked_over(asked, *over, measured_file_keys::own), log, control);
        if (!added) {
            return refuse(added.error());
        }
        const Result<LineFit> ours = line_fit(log.rows, [](const LoggedCollective& one) { return one.ours; });
        log.ours = ours ? std::optional(*ours) : std::nullopt;
        add_expected(log);
    }
    Answer answer{values_of(log), headline_of(log), say("{}, a log of {}", path, "nccl-tests"),
                  Confidence::exact};
    if (!log.wrong.empty()) {
        answer.notes.push_back(say("Wrong results at {} of {} sizes (#wrong in the log) are left out: {}.",
                                   log.wrong.size(), log.wrong.size() + log.rows.size(),
                                   wrong_nccl_rows(log.wrong)));
    }
    if (std::string edited = log.predicted() ? edited_note(log.chip) : std::string(); !edited.empty()) {
        answer.notes.push_back(std::move(edited));
    }
    answer.words = {{answer.headline + "\n"}, {fit_words(log) + "\n\n"}, size_lines(log)};
    for (const std::string& note : answer.notes) {
        answer.words.push_back({(&note == &answer.notes.front() ? "\n" : "") + note + "\n"});
    }
    answer.tables.push_back(NamedTable::of("sizes", size_table(log)));
    answer.charts.push_back({"rates", rate_chart(log)});
    answer.texts.push_back({"row", [row = collective_rows(log)](std::ostream& out) {
                                out << csv(row);
                                return Result<void>();
                            }});
    return answer;
}

} // namespace meshslice
