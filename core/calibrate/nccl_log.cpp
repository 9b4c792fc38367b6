#include "core/calibrate/nccl_log.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_ranks = 65'536;

std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view spaces = " \t\r";
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(spaces); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(spaces, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(spaces, end);
    }
    return words;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        constexpr std::string_view tag = ">:"; // "[1,0]<stdout>:", of mpirun
        if (const std::size_t tagged = line.find(tag); line.starts_with('[') && tagged < line.find(' ')) {
            line.remove_prefix(tagged + tag.size());
        }
        lines.push_back(line);
        at = end + 1;
    }
    return lines;
}

/// Of a word such as "./build/all_reduce_perf"; none of another.
std::optional<std::string_view> program_in(std::string_view word) {
    const std::size_t end = word.find("_perf");
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t slash = word.substr(0, end).rfind('/');
    const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
    return word.substr(begin, end - begin);
}

/// The number that follows a word; 0 where there is none, and at most 1e9, so that two of them can be
/// multiplied.
std::int64_t number_after(const std::vector<std::string_view>& words, std::string_view word) {
    const auto found = std::ranges::find(words, word);
    const auto number = found == words.end() || found + 1 == words.end() ? Result<std::int64_t>(0)
                                                                         : parse_whole(*(found + 1));
    return std::clamp<std::int64_t>(number.value_or(0), 0, 1'000'000'000);
}

/// What the lines before the rows say.
struct LogHead {
    std::string_view program;
    std::int64_t ranks = 0;
    std::optional<std::size_t> time; ///< which word of a row; its first is the size
    std::vector<std::size_t> wrong;  ///< words that count wrong values: out of place, in place
    std::int64_t out_of_bounds = 0;  ///< values, of all rows
    std::size_t tables = 0;          ///< whose columns it names
    std::size_t second = 0;          ///< the line at which another one begins, from 1
};

LogHead log_head(const std::vector<std::string_view>& lines) {
    LogHead head;
    std::int64_t started = 0; // threads x GPUs, of one process
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::vector<std::string_view> words = words_of(lines[k]);
        for (const std::string_view word : words) {
            if (const auto program = program_in(word); program && head.program.empty()) {
                head.program = *program;
            }
        }
        if (words.empty() || words.front() != "#") {
            continue;
        }
        if (words.size() > 2 && words[1] == "Rank") {
            head.ranks = std::max(head.ranks, number_after(words, "Rank") + 1);
        }
        if (const std::int64_t threads = number_after(words, "nThread"); threads > 0) {
            started = threads * number_after(words, "nGpus");
        }
        const auto size = std::ranges::find(words, "size");
        const auto time = std::ranges::find(words, "time");
        const bool columns = size != words.end() && time > size && time != words.end();
        if (columns && !head.time) {
            head.time = static_cast<std::size_t>(time - size);
            for (auto wrong = time; wrong != words.end(); ++wrong) {
                if (*wrong == "#wrong") {
                    head.wrong.push_back(static_cast<std::size_t>(wrong - size));
                }
            }
        }
        head.tables += columns ? 1 : 0;
        head.second = columns && head.tables == 2 ? k + 1 : head.second;
        if (lines[k].find("Out of bounds values") != std::string_view::npos) {
            head.out_of_bounds += number_after(words, ":");
        }
    }
    head.ranks = head.ranks > 0 ? head.ranks : started;
    return head;
}

std::optional<Collective> operation_of_program(std::string_view program) {
    constexpr std::array<std::pair<std::string_view, Collective>, 7> programs = {
        {{"all_reduce", Collective::all_reduce},
         {"all_gather", Collective::all_gather},
         {"reduce_scatter", Collective::reduce_scatter},
         {"sendrecv", Collective::send_receive},
         {"alltoall", Collective::all_to_all},
         {"broadcast", Collective::broadcast},
         {"reduce", Collective::reduce}}};
    const auto* const found = std::ranges::find(programs, program, [](const auto& one) { return one.first; });
    return found == programs.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

std::string wrong_nccl_rows(const std::vector<WrongNcclRow>& wrong) {
    constexpr std::size_t most = 6;
    std::string words;
    for (std::size_t k = 0; k < std::min(most, wrong.size()); ++k) {
        words += (k == 0 ? "" : ", ") + say("{:.0f} B (line {})", wrong[k].bytes, wrong[k].line);
    }
    return wrong.size() > most ? say("{} and {} more", words, wrong.size() - most) : words;
}

bool is_nccl_log(std::string_view text) {
    const std::vector<std::string_view> lines = lines_of(text);
    return std::ranges::any_of(lines, [](std::string_view line) {
        return line.starts_with('#') && line.find("busbw") != std::string_view::npos;
    });
}

namespace {

Result<Collective> operation_of(const LogHead& head, const std::string& origin,
                                std::optional<Collective> asked) {
    const std::optional<Collective> logged = operation_of_program(head.program);
    if (!logged && !head.program.empty()) {
        return refuse(fmt::format("{} is a log of {}_perf; expected all_reduce_perf, all_gather_perf, "
                                  "reduce_scatter_perf, sendrecv_perf, alltoall_perf, broadcast_perf or "
                                  "reduce_perf.",
                                  origin, shortened(head.program)));
    }
    if (logged && asked && *logged != *asked) {
        return refuse(
            say("{} is a log of {}; expected {}, as was asked.", origin, name(*logged), name(*asked)));
    }
    if (!logged && !asked) {
        return refuse(say("{} is a log of nccl-tests that does not say its operation; add --operation "
                          "all-reduce, or a line \"# all_reduce_perf\" to the log, or another one's name.",
                          origin));
    }
    return logged ? *logged : *asked;
}

/// Whether a row says that values were wrong: out of place, or in place.
bool has_wrong_values(const std::vector<std::string_view>& words, const LogHead& head) {
    return std::ranges::any_of(head.wrong, [&](std::size_t at) {
        return at < words.size() && parse_whole(words[at]).value_or(0) > 0;
    });
}

} // namespace

Result<NcclLog> read_nccl_log(std::string_view text, const std::string& origin,
                              std::optional<Collective> operation) {
    const std::vector<std::string_view> lines = lines_of(text);
    const LogHead head = log_head(lines);
    const Result<Collective> what = operation_of(head, origin, operation);
    if (!what) {
        return refuse(what.error());
    }
    if (head.ranks < 2 || head.ranks > most_ranks || !head.time) {
        return refuse(
            fmt::format("{} is a log of nccl-tests with {} ranks; expected 2 to {}, as in \"# nThread "
                        "1 nGpus 8\", and a column time.",
                        origin, head.ranks, most_ranks));
    }
    if (head.second > 0) {
        return refuse(
            say("{}, line {}: a second table begins; expected the log of one run.", origin, head.second));
    }
    NcclLog all;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::vector<std::string_view> words = words_of(lines[k]);
        if (words.size() <= *head.time ||
            words.front().find_first_not_of("0123456789") != std::string_view::npos) {
            continue; // what the library says between the rows
        }
        const auto bytes = parse_whole(words.front());
        const auto time = parse_quantity(words[*head.time], "", 1e-6);
        if (words[*head.time] == "N/A" || (bytes && *bytes == 0)) {
            continue;
        }
        constexpr double a_day = 86'400; // seconds; one operation is shorter
        if (!bytes || !time || *time <= 0 || *time > a_day) {
            return refuse(fmt::format("{}, line {}: the time is \"{}\"; expected microseconds.", origin,
                                      k + 1, shortened(words[*head.time])));
        }
        if (has_wrong_values(words, head)) {
            all.wrong.push_back({static_cast<std::int64_t>(k) + 1, static_cast<double>(*bytes)});
            continue;
        }
        all.rows.push_back(
            {static_cast<std::int64_t>(k) + 1, *what, head.ranks, static_cast<double>(*bytes), *time, {}});
    }
    if (all.wrong.empty() && head.out_of_bounds > 0) {
        return refuse(say("{} counts {} out of bounds values and does not say at which sizes; expected a log "
                          "whose results are right.",
                          origin, head.out_of_bounds));
    }
    if (!all.wrong.empty() && all.rows.empty()) {
        return refuse(say("{} has wrong results at all of its sizes (#wrong); expected one whose results are "
                          "right.",
                          origin));
    }
    return all;
}

} // namespace meshslice
