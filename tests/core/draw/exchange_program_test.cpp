#include "core/count/count.h"
#include "core/draw/exchange_program.h"
#include "core/lesson/stepper_example.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/round_hardware.h"

#include <gtest/gtest.h>

#include <cmath>

namespace meshslice {
namespace {

/// What the chips begin with and end with.
struct Ends {
    const Stepping* run;
    [[nodiscard]] const DenseMatrix<double>& source(Chip chip) const {
        return (*run->moments.front().values[left_value])[static_cast<std::size_t>(chip)];
    }
    [[nodiscard]] const DenseMatrix<double>& result(Chip chip) const {
        return (*run->moments.back().values[output_value])[static_cast<std::size_t>(chip)];
    }
    [[nodiscard]] std::int64_t down(Chip chip) const {
        return run->program.torus.coordinate(chip, Axis::vertical);
    }
    [[nodiscard]] std::int64_t across(Chip chip) const {
        return run->program.torus.coordinate(chip, Axis::horizontal) * run->program.torus.size(Axis::third) +
               run->program.torus.coordinate(chip, Axis::third);
    }
};

/// What stands at a place of a chip's result, by the definition of the exchange; NaN: not there.
double by_definition(const Ends& ends, Collective what, Chip chip, std::int64_t row, std::int64_t column) {
    const DenseMatrix<double>& own = ends.source(chip);
    const Torus& torus = ends.run->program.torus;
    const auto sum_at = [&](std::int64_t at_row, std::int64_t at_column) {
        double sum = 0;
        for (Chip one = 0; one < torus.chips(); ++one) {
            sum += ends.source(one).at(at_row, at_column);
        }
        return sum;
    };
    switch (what) {
    case Collective::all_gather:
        for (Chip from = 0; from < torus.chips(); ++from) {
            if (ends.down(from) == row / own.rows && ends.across(from) == column / own.columns) {
                return ends.source(from).at(row % own.rows, column % own.columns);
            }
        }
        return -1;
    case Collective::reduce_scatter: {
        // The third axis cuts what the second has left.
        const DenseMatrix<double>& got = ends.result(chip);
        const std::int64_t part = torus.coordinate(chip, Axis::horizontal) * torus.size(Axis::third) +
                                  torus.coordinate(chip, Axis::third);
        return sum_at(ends.down(chip) * got.rows + row, part * got.columns + column);
    }
    case Collective::all_reduce: return sum_at(row, column);
    case Collective::all_to_all: {
        const auto from = static_cast<Chip>(row / own.rows);
        return ends.source(from).at(row % own.rows, chip * ends.result(chip).columns + column);
    }
    case Collective::broadcast: return ends.source(0).at(row, column);
    case Collective::reduce: return chip == 0 ? sum_at(row, column) : std::nan("");
    case Collective::send_receive:
        return ends.source((chip + torus.chips() - 1) % torus.chips()).at(row, column);
    }
    return -1;
}

/// Every exchange on rings and lines of 2 to 16 chips, on two and three axes, one way and both ways: what
/// every chip has in the end is what the exchange is defined to leave there, the links have carried what
/// counting says, and the same program is simulated.
TEST(ExchangeProgram, DoesWhatItsNameSays) {
    const Machine hardware = round_hardware();
    int runs = 0;
    for (const Collective what : all_collectives) {
        StepperExample example;
        example.exchange = what;
        for (const bool rings : {true, false}) {
            example.rings = rings;
            const auto meshes = stepper_meshes(example);
            EXPECT_EQ(meshes.empty(), !rings && what == Collective::send_receive) << name(what);
            for (const auto& mesh : meshes) {
                example.mesh = mesh;
                for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                    example.ring = ring;
                    const auto stepping = step_through(example);
                    ASSERT_TRUE(stepping) << stepping.error().sentence;
                    const Ends ends{stepping->get()};
                    const Program& program = (*stepping)->program;
                    for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
                        const DenseMatrix<double>& got = ends.result(chip);
                        for (std::int64_t row = 0; row < got.rows; ++row) {
                            for (std::int64_t column = 0; column < got.columns; ++column) {
                                const double expected = by_definition(ends, what, chip, row, column);
                                const double is = got.at(row, column);
                                EXPECT_TRUE(is == expected || (std::isnan(is) && std::isnan(expected)))
                                    << name(what) << " on " << shape_text(program.torus) << " chip " << chip
                                    << " at " << row << ',' << column << ": " << is << " for " << expected;
                            }
                        }
                    }
                    const Count counted = count(program, (*stepping)->schedule);
                    std::vector<std::int64_t> elements;
                    for (const LinkTraffic& link : counted.links) {
                        elements.push_back(link.bytes.value() / 2);
                    }
                    EXPECT_EQ((*stepping)->moments.back().carried, elements) << name(what);
                    EXPECT_TRUE(simulate(program, hardware, (*stepping)->schedule)) << name(what);
                    ++runs;
                }
            }
        }
    }
    EXPECT_GT(runs, 300);
}

/// By hand: eight shards of 2 x 2 round a ring, both ways: 7 steps of half a shard, so each link carries 14
/// numbers; on the open line an inner link carries the whole shards of all chips behind it.
TEST(ExchangeProgram, LinksCarryWhatIsWorkedByHand) {
    StepperExample example;
    example.exchange = Collective::all_gather;
    example.mesh = {8};
    const auto ring = step_through(example);
    ASSERT_TRUE(ring);
    EXPECT_EQ((*ring)->moments.size(), 8U);
    for (const std::int64_t carried : (*ring)->moments.back().carried) {
        EXPECT_EQ(carried, 14);
    }
    example.rings = false;
    const auto line = step_through(example);
    ASSERT_TRUE(line);
    for (std::size_t k = 0; k < (*line)->links.size(); ++k) {
        const Link& link = (*line)->links[k];
        const std::int64_t behind = link.direction == Direction::forward ? link.chip + 1 : 8 - link.chip;
        EXPECT_EQ((*line)->moments.back().carried[k], 4 * behind) << link.chip;
    }
}

TEST(ExchangeProgram, SaysWhatDoesNotFit) {
    const Torus ring = *Torus::create(std::vector<std::int32_t>{4});
    const auto scatter = exchange_program(Collective::reduce_scatter, ring, 3, 2);
    ASSERT_FALSE(scatter);
    EXPECT_EQ(scatter.error().sentence, "3 rows do not divide by 4 chips.");
    const Torus square = *Torus::create(std::vector<std::int32_t>{2, 2});
    const auto send = exchange_program(Collective::send_receive, square, 2, 2);
    ASSERT_FALSE(send);
    EXPECT_EQ(send.error().sentence, "A send-receive goes round one closed ring; the mesh 2x2 is none.");
    EXPECT_FALSE(exchange_program(Collective::all_gather, Torus(), 2, 2));
}

} // namespace
} // namespace meshslice
