#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The rows of a file of measurements: a header, then cells between commas or tabs, in quotes or not. Names
/// of columns are read in any order and case, and may carry the unit of their numbers: "time_ms", "time
/// (ms)". Empty lines and those that begin with "#" are skipped. What is wrong first is noted with file and
/// line.
class MeasuredRows {
  public:
    /// `header` is what is said to be missing where there is none: "M,N,K,time".
    MeasuredRows(std::string_view text, std::string origin, std::string_view header);

    [[nodiscard]] bool has(std::string_view column) const { return place(column).has_value(); }
    [[nodiscard]] std::size_t columns() const { return names_.size(); }

    /// Goes to the next row; false at the end, and where something was wrong.
    bool next();
    [[nodiscard]] std::int64_t line() const { return line_; }
    /// Empty where there is no such column.
    [[nodiscard]] std::string_view cell(std::string_view column) const;

    std::int64_t whole(std::string_view column, std::int64_t least, std::int64_t most);
    /// In seconds. A number without a unit, in its cell or its column's name, is refused: nobody knows
    /// whether it is seconds or milliseconds.
    double time(std::string_view column);
    /// A number without a unit is bytes.
    double bytes(std::string_view column);

    /// "is \"x\"; expected ...", of the row at hand.
    void wrong(const std::string& what);
    /// Of the file as a whole.
    void refuse_file(const std::string& what);
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    struct Name {
        std::string word; ///< in small letters, without its unit
        std::string unit; ///< "ms"; empty for none
    };

    [[nodiscard]] std::optional<std::size_t> place(std::string_view column) const;
    double quantity(std::string_view column, std::string_view unit, double bare, double least, double most);
    bool next_line(std::string_view& line);
    [[nodiscard]] std::vector<std::string_view> split(std::string_view line) const;

    std::string_view text_;
    std::string origin_;
    char between_ = ',';
    std::vector<Name> names_;
    std::vector<std::string_view> cells_;
    std::size_t at_ = 0; ///< in the text
    std::int64_t line_ = 0;
    std::optional<Error> error_;
};

/// Without spaces, and in small letters.
[[nodiscard]] std::string small_word(std::string_view words);

} // namespace meshslice
