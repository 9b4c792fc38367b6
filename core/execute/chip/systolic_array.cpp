#include "core/execute/chip/systolic_array.h"

#include <algorithm>
#include <utility>

namespace meshslice {

SystolicTime systolic_time(std::int64_t size, std::int64_t rows, std::int64_t operands) {
    SystolicTime time;
    time.filling = size;
    time.waiting = (operands - 1) * std::max<std::int64_t>(size - rows, 0);
    const std::int64_t last = size + (operands - 1) * std::max(rows, size);
    time.cycles = last + rows + 2 * (size - 1);
    time.utilization = static_cast<double>(operands * rows) / static_cast<double>(time.cycles);
    return time;
}

SystolicRun::SystolicRun(std::vector<std::vector<std::vector<std::int64_t>>> inputs,
                         std::vector<std::vector<std::vector<std::int64_t>>> weights, std::int64_t looked_at)
    : size_(static_cast<std::int64_t>(weights.front().size()))
    , gap_(std::max(static_cast<std::int64_t>(inputs.front().size()), size_))
    , looked_at_(looked_at)
    , inputs_(std::move(inputs))
    , weights_(std::move(weights)) {
    const auto operands = static_cast<std::int64_t>(inputs_.size());
    const auto rows = static_cast<std::int64_t>(inputs_.front().size());
    products_.assign(inputs_.size(),
                     std::vector<std::vector<std::int64_t>>(
                         inputs_.front().size(), std::vector<std::int64_t>(static_cast<std::size_t>(size_))));
    std::int64_t left = operands * rows * size_; // sums that are not complete
    std::vector<SystolicCell> now(static_cast<std::size_t>(size_ * size_));
    for (std::int64_t cycle = 1; left > 0; ++cycle) {
        now = step(now, cycle, operands, rows);
        working_.push_back(std::ranges::count(now, true, &SystolicCell::works));
        if (cycle <= looked_at_) {
            cells_ = now;
        }
        for (std::int64_t column = 0; column < size_; ++column) {
            const SystolicCell& below = now[static_cast<std::size_t>((size_ - 1) * size_ + column)];
            if (below.works) {
                products_[static_cast<std::size_t>(below.operand)][static_cast<std::size_t>(below.row)]
                         [static_cast<std::size_t>(column)] = below.sum;
                --left;
            }
        }
    }
}

std::vector<std::vector<std::vector<std::int64_t>>> SystolicRun::expected() const {
    std::vector<std::vector<std::vector<std::int64_t>>> all = products_;
    for (std::size_t k = 0; k < all.size(); ++k) {
        for (std::size_t row = 0; row < all[k].size(); ++row) {
            for (std::size_t column = 0; column < all[k][row].size(); ++column) {
                std::int64_t sum = 0;
                for (std::size_t inner = 0; inner < weights_[k].size(); ++inner) {
                    sum += inputs_[k][row][inner] * weights_[k][inner][column];
                }
                all[k][row][column] = sum;
            }
        }
    }
    return all;
}

std::int64_t SystolicRun::begins(std::int64_t operand) const {
    return size_ + operand * gap_ + 1;
}

std::vector<SystolicCell> SystolicRun::step(const std::vector<SystolicCell>& before, std::int64_t cycle,
                                            std::int64_t operands, std::int64_t rows) const {
    std::vector<SystolicCell> now(before.size());
    const auto at = [&](std::int64_t row, std::int64_t column) {
        return static_cast<std::size_t>(row * size_ + column);
    };
    for (std::int64_t row = 0; row < size_; ++row) {
        for (std::int64_t column = 0; column < size_; ++column) {
            SystolicCell& cell = now[at(row, column)];
            cell.weight = before[at(row, column)].weight;
            cell.loaded = before[at(row, column)].loaded;
            // The weights of an operand are in place in the cycle before its first input could arrive.
            for (std::int64_t operand = 0; operand < operands; ++operand) {
                if (cycle == begins(operand) - 1 + row + column) {
                    cell.weight = weights_[static_cast<std::size_t>(operand)][static_cast<std::size_t>(row)]
                                          [static_cast<std::size_t>(column)];
                    cell.loaded = true;
                }
            }
            if (column == 0) { // from the edge, row by row a cycle later
                for (std::int64_t operand = 0; operand < operands; ++operand) {
                    const std::int64_t of_x = cycle - begins(operand) - row;
                    if (of_x >= 0 && of_x < rows) {
                        cell.works = true;
                        cell.operand = operand;
                        cell.row = of_x;
                        cell.input = inputs_[static_cast<std::size_t>(operand)]
                                            [static_cast<std::size_t>(of_x)][static_cast<std::size_t>(row)];
                    }
                }
            } else {
                const SystolicCell& left = before[at(row, column - 1)];
                cell.works = left.works;
                cell.operand = left.operand;
                cell.row = left.row;
                cell.input = left.input;
            }
            if (cell.works) {
                // A cell multiplies by what it had when the input arrived.
                const std::int64_t above = row == 0 ? 0 : before[at(row - 1, column)].sum;
                cell.sum = above + cell.input * before[at(row, column)].weight;
            }
        }
    }
    return now;
}

} // namespace meshslice
