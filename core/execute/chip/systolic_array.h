#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// What one cell of a systolic array has after a cycle.
struct SystolicCell {
    std::int64_t weight = 0;
    bool loaded = false;       ///< whether the weight has arrived
    std::int64_t input = 0;    ///< that came from the left, and goes to the right
    std::int64_t sum = 0;      ///< that came from above plus input times weight, and goes down
    bool works = false;        ///< whether it has multiplied in this cycle
    std::int64_t operand = -1; ///< of the chain, whose row it has multiplied
    std::int64_t row = -1;     ///< of X

    bool operator==(const SystolicCell&) const = default;
};

/// A chain of products X W on an array of n x n cells, each W kept in the cells (How to Scale Your Model,
/// chapter 2, appendix on the systolic array). Weights come from above and inputs from the left, each column
/// and row one cycle after the one before, so that they meet; a sum goes down and is complete below. While
/// one operand is multiplied the weights of the next arrive in a second register of each cell, which takes n
/// cycles, and it follows without a gap if X has n rows or more.
class SystolicRun {
  public:
    /// `inputs`: by operand, row of X and column; `weights`: by operand, row and column of W. All W are n x n
    /// and all X have as many rows and n columns. The cells are kept as they are after cycle `looked_at`, 1
    /// or more; past the last one after the last.
    SystolicRun(std::vector<std::vector<std::vector<std::int64_t>>> inputs,
                std::vector<std::vector<std::vector<std::int64_t>>> weights, std::int64_t looked_at);

    [[nodiscard]] std::int64_t size() const { return size_; }
    /// Cycles until the last sum is complete.
    [[nodiscard]] std::int64_t cycles() const { return static_cast<std::int64_t>(working_.size()); }
    /// That is looked at.
    [[nodiscard]] std::int64_t cycle() const { return std::min(looked_at_, cycles()); }
    /// Row by row, after it.
    [[nodiscard]] const std::vector<SystolicCell>& cells() const { return cells_; }
    /// How many cells multiply in a cycle; the first one is 1.
    [[nodiscard]] std::int64_t working(std::int64_t cycle) const {
        return working_[static_cast<std::size_t>(cycle - 1)];
    }
    /// What has come out below, by operand, row and column.
    [[nodiscard]] const std::vector<std::vector<std::vector<std::int64_t>>>& products() const {
        return products_;
    }
    /// X W, by operand, worked out row by column.
    [[nodiscard]] std::vector<std::vector<std::vector<std::int64_t>>> expected() const;

  private:
    /// The cycle in which an operand's first input enters, counted from 1.
    [[nodiscard]] std::int64_t begins(std::int64_t operand) const;
    [[nodiscard]] std::vector<SystolicCell> step(const std::vector<SystolicCell>& before, std::int64_t cycle,
                                                 std::int64_t operands, std::int64_t rows) const;

    std::int64_t size_ = 1, gap_ = 1, looked_at_ = 1;
    std::vector<std::vector<std::vector<std::int64_t>>> inputs_, weights_, products_;
    std::vector<SystolicCell> cells_;
    std::vector<std::int64_t> working_; ///< by cycle
};

/// Cycles of a chain of `operands` products of `rows` rows on an n x n array, and what part of all cells'
/// cycles multiplies.
struct SystolicTime {
    std::int64_t cycles = 0;
    std::int64_t filling = 0; ///< until the first cell multiplies
    std::int64_t waiting = 0; ///< between operands, for weights that arrive more slowly than rows enter
    double utilization = 0;
};
[[nodiscard]] SystolicTime systolic_time(std::int64_t size, std::int64_t rows, std::int64_t operands);

} // namespace meshslice
