#include "core/calibrate/measured_rows.h"

#include "core/base/text.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace meshslice {
namespace {

/// Times are counted in picoseconds, up to 2^63 of them; a measurement of a day is none of one operation.
constexpr double least_seconds = 1e-12;
constexpr double most_seconds = 86'400;
constexpr double least_bytes = 1;
constexpr double most_bytes = 1e18;

std::string_view without_spaces_around(std::string_view words) {
    constexpr std::string_view spaces = " \t\r";
    const std::size_t first = words.find_first_not_of(spaces);
    return first == std::string_view::npos ? std::string_view()
                                           : words.substr(first, words.find_last_not_of(spaces) - first + 1);
}

/// Without the byte order mark that some spreadsheets put first.
std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// As numbers are typed; empty where the word is not a unit of times or bytes.
std::string known_unit(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> units = {{{"s", "s"},
                                                                                      {"ms", "ms"},
                                                                                      {"us", "us"},
                                                                                      {"\u00b5s", "us"},
                                                                                      {"ns", "ns"},
                                                                                      {"b", "B"},
                                                                                      {"kib", "KiB"},
                                                                                      {"mib", "MiB"},
                                                                                      {"gib", "GiB"},
                                                                                      {"mb", "MB"},
                                                                                      {"gb", "GB"}}};
    const auto* const found = std::ranges::find(units, word, [](const auto& one) { return one.first; });
    return found == units.end() ? std::string() : std::string(found->second);
}

} // namespace

std::string small_word(std::string_view words) {
    std::string small(without_spaces_around(words));
    std::ranges::transform(small, small.begin(), [](unsigned char letter) { return std::tolower(letter); });
    return small;
}

MeasuredRows::MeasuredRows(std::string_view text, std::string origin, std::string_view header)
    : text_(without_mark(text)), origin_(std::move(origin)) {
    std::string_view line;
    if (!next_line(line)) {
        refuse_file(fmt::format("is empty; expected a header line \"{}\"", header));
        return;
    }
    between_ = line.find('\t') != std::string_view::npos ? '\t' : ',';
    for (const std::string_view cell : split(line)) {
        Name name{small_word(cell), {}};
        if (name.word.find("_ms_") != std::string::npos) { // "step_time_ms_p50"
            name.unit = "ms";
        }
        const std::size_t open = name.word.find_first_of("([");
        const std::size_t low = name.word.rfind('_');
        if (open != std::string::npos && name.word.find_first_of(")]") == name.word.size() - 1) {
            name.unit = known_unit(name.word.substr(open + 1, name.word.size() - open - 2));
            name.word = small_word(std::string_view(name.word).substr(0, open));
        } else if (low != std::string::npos && !known_unit(name.word.substr(low + 1)).empty()) {
            name.unit = known_unit(name.word.substr(low + 1));
            name.word.resize(low);
            if (name.word.ends_with("_in")) {
                name.word.resize(name.word.size() - 3);
            }
        }
        names_.push_back(std::move(name));
    }
}

bool MeasuredRows::next_line(std::string_view& line) {
    while (!error_ && at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        line = text_.substr(at_, end - at_);
        at_ = end + 1;
        ++line_;
        const std::string_view words = without_spaces_around(line);
        if (!words.empty() && words.front() != '#') {
            return true;
        }
    }
    return false;
}

std::vector<std::string_view> MeasuredRows::split(std::string_view line) const {
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        std::size_t end = begin;
        bool quoted = false;
        while (end < line.size() && (quoted || line[end] != between_)) {
            quoted = quoted != (line[end] == '"');
            ++end;
        }
        std::string_view cell = without_spaces_around(line.substr(begin, end - begin));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
            cell = without_spaces_around(cell.substr(1, cell.size() - 2));
        }
        cells.push_back(cell);
        begin = end + 1;
    }
    return cells;
}

bool MeasuredRows::next() {
    std::string_view line;
    if (!next_line(line)) {
        return false;
    }
    cells_ = split(line);
    if (cells_.size() != names_.size()) {
        wrong(fmt::format("found {} cells, expected {}", cells_.size(), names_.size()));
        return false;
    }
    return true;
}

std::optional<std::size_t> MeasuredRows::place(std::string_view column) const {
    const auto found = std::ranges::find(names_, column, &Name::word);
    return found == names_.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - names_.begin()));
}

std::string_view MeasuredRows::cell(std::string_view column) const {
    const std::optional<std::size_t> at = place(column);
    return at ? cells_[*at] : std::string_view();
}

std::int64_t MeasuredRows::whole(std::string_view column, std::int64_t least, std::int64_t most) {
    const auto value = parse_whole(cell(column));
    if (!value || *value < least || *value > most) {
        wrong(fmt::format("{} is \"{}\"; expected a whole number from {} to {}", column,
                          shortened(cell(column)), least, most));
        return least;
    }
    return *value;
}

double MeasuredRows::quantity(std::string_view column, std::string_view unit, double bare, double least,
                              double most) {
    const auto value = parse_quantity(cell(column), unit, bare);
    if (!value || *value < least || *value > most) {
        wrong(fmt::format("{} is \"{}\"; expected {:g} to {:g} {}", column, shortened(cell(column)), least,
                          most, unit));
        return 1;
    }
    return *value;
}

double MeasuredRows::time(std::string_view column) {
    const std::optional<std::size_t> at = place(column);
    const std::string unit = at ? names_[*at].unit : std::string();
    const auto bare = unit.empty() ? Result<double>(1.0) : parse_quantity("1 " + unit, "s");
    if (!bare) {
        wrong(fmt::format("the times are in \"{}\"; expected s, ms, us or ns", unit));
        return 1;
    }
    const bool number = parse_quantity(cell(column), "").has_value();
    if (unit.empty() && number) {
        wrong(fmt::format("{} is {}, which has no unit; expected one, such as \"{} us\" or a column {}_us",
                          column, shortened(cell(column)), shortened(cell(column)), column));
        return 1;
    }
    return quantity(column, "s", *bare, least_seconds, most_seconds);
}

double MeasuredRows::bytes(std::string_view column) {
    const std::optional<std::size_t> at = place(column);
    const std::string unit = at ? names_[*at].unit : std::string();
    const auto bare = unit.empty() ? Result<double>(1.0) : parse_quantity("1 " + unit, "B");
    if (!bare) {
        wrong(fmt::format("{} are in \"{}\"; expected B, KiB, MiB or GiB", column, unit));
        return 1;
    }
    return quantity(column, "B", *bare, least_bytes, most_bytes);
}

void MeasuredRows::wrong(const std::string& what) {
    if (!error_) {
        error_ = Error{fmt::format("{}, line {}: {}.", origin_, line_, what)};
    }
}

void MeasuredRows::refuse_file(const std::string& what) {
    if (!error_) {
        error_ = Error{fmt::format("{} {}.", origin_, what)};
    }
}

} // namespace meshslice
