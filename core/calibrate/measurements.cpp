#include "core/calibrate/measurements.h"

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/machine/measured_products.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

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
std::string_view without_mark(std::string_view csv) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return csv.starts_with(mark) ? csv.substr(mark.size()) : csv;
}

std::vector<std::string_view> split(std::string_view words, char between) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= words.size();) {
        const std::size_t end = std::min(words.find(between, begin), words.size());
        parts.push_back(without_spaces_around(words.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

/// The rows of a file whose header has exactly the given columns, in any order.
class Rows {
  public:
    Rows(std::string_view csv, std::string origin, std::vector<std::string_view> columns)
        : lines_(split(without_mark(csv), '\n')), origin_(std::move(origin)), columns_(std::move(columns)) {}

    /// Goes to the next row; false at the end, and where something was wrong.
    bool next() {
        while (!error && at_ < lines_.size()) {
            const std::string_view line = lines_[at_++];
            if (line.empty() || line.front() == '#') {
                continue;
            }
            std::vector<std::string_view> cells = split(line, ',');
            if (places_.empty()) {
                read_header(cells);
                continue;
            }
            if (cells.size() != columns_.size()) {
                wrong(fmt::format("expected {} cells, found {}", columns_.size(), cells.size()));
                return false;
            }
            cells_ = std::move(cells);
            return true;
        }
        if (!error && places_.empty()) {
            error = Error{fmt::format("{} is empty; expected a header line \"{}\".", origin_,
                                      fmt::join(columns_, ","))};
        }
        return false;
    }

    [[nodiscard]] std::int64_t line() const { return static_cast<std::int64_t>(at_); }
    [[nodiscard]] std::string_view cell(std::size_t column) const { return cells_[places_[column]]; }

    std::int64_t whole(std::size_t column, std::int64_t least, std::int64_t most) {
        const auto value = parse_whole(cell(column));
        if (!value || *value < least || *value > most) {
            wrong(fmt::format("{} is \"{}\"; expected a whole number from {} to {}", columns_[column],
                              shortened(cell(column)), least, most));
            return least;
        }
        return *value;
    }

    double quantity(std::size_t column, std::string_view unit, double least, double most) {
        const auto value = parse_quantity(cell(column), unit);
        if (!value || *value < least || *value > most) {
            wrong(fmt::format("{} is \"{}\"; expected a number from {:g} to {:g}, in {} or with a unit",
                              columns_[column], shortened(cell(column)), least, most, unit));
            return 1;
        }
        return *value;
    }

    double time(std::size_t column) { return quantity(column, "s", least_seconds, most_seconds); }

    void wrong(const std::string& what) {
        if (!error) {
            error = Error{fmt::format("{}, line {}: {}.", origin_, line(), what)};
        }
    }

    std::optional<Error> error;

  private:
    void read_header(const std::vector<std::string_view>& names) {
        for (const std::string_view column : columns_) {
            const auto place = std::ranges::find(names, column);
            if (place == names.end() || names.size() != columns_.size()) {
                wrong(fmt::format("expected the columns {}, separated by commas", fmt::join(columns_, ", ")));
                return;
            }
            places_.push_back(static_cast<std::size_t>(place - names.begin()));
        }
    }

    std::vector<std::string_view> lines_;
    std::string origin_;
    std::vector<std::string_view> columns_;
    std::vector<std::size_t> places_; ///< by column, where it stands in a line
    std::vector<std::string_view> cells_;
    std::size_t at_ = 0;
};

Collective read_operation(Rows& rows, std::size_t column) {
    for (const Collective kind : launched_collectives) {
        if (rows.cell(column) == file_name(kind)) {
            return kind;
        }
    }
    rows.wrong(fmt::format("operation is \"{}\"; expected all_gather, reduce_scatter or send_receive",
                           shortened(rows.cell(column))));
    return Collective::all_gather;
}

} // namespace

Result<std::vector<MeasuredCollective>> read_collectives(std::string_view csv, const std::string& origin) {
    Rows rows(csv, origin, {"operation", "chips", "bytes", "time"});
    std::vector<MeasuredCollective> all;
    while (rows.next()) {
        all.push_back({rows.line(), read_operation(rows, 0), rows.whole(1, 2, 65'536),
                       rows.quantity(2, "B", least_bytes, most_bytes), rows.time(3)});
    }
    if (rows.error) {
        return refuse(*rows.error);
    }
    return all;
}

Result<std::vector<MeasuredGemm>> read_gemms(std::string_view csv, const std::string& origin) {
    Rows rows(csv, origin, {"M", "N", "K", "time"});
    std::vector<MeasuredGemm> all;
    while (rows.next()) {
        const GemmShape shape{rows.whole(0, 1, most_dimension), rows.whole(1, 1, most_dimension),
                              rows.whole(2, 1, most_dimension)};
        if (const auto fits = checked(shape); !fits) {
            rows.wrong(fmt::format("the GEMM {} is larger than is counted", text(shape)));
        }
        all.push_back({rows.line(), shape, rows.time(3)});
    }
    if (rows.error) {
        return refuse(*rows.error);
    }
    return all;
}

Result<Sourced<std::vector<MeasuredProduct>>> measured_products(const std::vector<MeasuredGemm>& gemms,
                                                                const std::string& origin,
                                                                const Machine& hardware) {
    if (gemms.empty()) {
        return refuse(fmt::format("{} has a header and no GEMMs; expected at least one.", origin));
    }
    if (gemms.size() > most_measured_gemms) {
        return refuse(fmt::format(
            "{} has {} GEMMs; expected up to {}, because every GEMM of a run is compared with all of them.",
            origin, gemms.size(), most_measured_gemms));
    }
    Sourced<std::vector<MeasuredProduct>> table{{}, origin};
    for (const MeasuredGemm& gemm : gemms) {
        table.value.push_back({gemm.shape.m, gemm.shape.n, gemm.shape.k, seconds(gemm.seconds)});
        const FlopRate reached = rate(table.value.back());
        const FlopRate peak = hardware.peak_rate(DataType::bf16);
        if (reached > peak) {
            return refuse(fmt::format(
                "{}, line {}: the GEMM {} in {} ran at {}, above the peak of {}, {}; expected a longer time.",
                origin, gemm.line, text(gemm.shape), text(seconds(gemm.seconds)), text(reached),
                hardware.title, text(peak)));
        }
    }
    return table;
}

} // namespace meshslice
