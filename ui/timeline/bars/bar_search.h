#pragma once

#include "ui/timeline/step_runs.h"

#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace meshslice::ui {

/// The bars that words describe: each word is in the name of the bar's row ("chip 3,5", "east"), of its GEMM
/// (its layer, "backward", "weight") or of what it does ("sync", "multiply", "gather A"; of a memory's
/// "write", "read", "update"). Words may be shortened; numbers may not: "3,5" is not a part of "13,5". In the
/// order of rows, of a row in the order of time.
class BarSearch {
  public:
    BarSearch() = default;
    /// In any thread; nothing of it holds if it is stopped.
    BarSearch(StepRuns runs, const QString& words, const std::stop_token& stop = {});

    [[nodiscard]] bool hasWords() const { return !words_.isEmpty(); }
    [[nodiscard]] std::size_t count() const { return count_; }

    struct Match {
        std::size_t step = 0;
        std::size_t row = 0;
        RunSlice bar;
    };
    /// Match `number`, from 0.
    [[nodiscard]] Match at(std::size_t number) const;
    /// How many matches stand before a bar; and whether it is one itself.
    struct Place {
        std::size_t before = 0;
        bool matches = false;
    };
    [[nodiscard]] Place placeOf(std::size_t step, std::size_t row, const RunSlice& bar) const;
    /// Where matches of a row lie in a range of the step's time, ascending; those that are nearer to each
    /// other than `least` are one stretch.
    [[nodiscard]] std::vector<TimeRange> stretches(std::size_t step, std::size_t row, TimeRange range,
                                                   Time least) const;
    /// The rows of a step that have a match, ascending.
    [[nodiscard]] std::vector<std::size_t> rows(std::size_t step) const;

  private:
    using Words = std::uint32_t; ///< a bit for each word

    [[nodiscard]] Words wordsIn(const QStringList& tokens) const;
    /// The words that the bars of a row and a piece have still to match themselves.
    [[nodiscard]] Words lacking(std::size_t step, std::size_t row, const Piece& piece) const;
    [[nodiscard]] bool matches(const Piece& piece, std::size_t row, const Interval& interval,
                               Words lacking) const;
    [[nodiscard]] std::size_t countIn(std::size_t step, std::size_t row, const Piece& piece) const;

    StepRuns runs_;
    QStringList words_;
    Words all_ = 0;
    std::vector<std::vector<Words>> of_row_;  ///< by step and row: which words its name has
    std::vector<std::vector<Words>> of_gemm_; ///< by step and GEMM
    /// By timeline, operation and activity; of a memory by what it is accessed for, or by the operation
    /// alone.
    std::map<const Timeline*, std::vector<Words>> of_kind_;
    std::map<const Timeline*, std::vector<Words>> of_operation_;
    std::array<Words, dram_sources> of_access_{};
    std::vector<std::vector<std::size_t>> before_; ///< by step and row: matches in the rows before it
    std::size_t count_ = 0;
    /// Alike chips have the same bars: by where they are kept and what they lack.
    mutable std::map<std::pair<const Interval*, std::pair<const Timeline*, Words>>, std::size_t> counted_;
};

} // namespace meshslice::ui
