#include "core/count/count.h"
#include "core/draw/stepping.h"
#include "core/lesson/stepper_example.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace meshslice {
namespace {

using SteppingPtr = std::shared_ptr<const Stepping>;

SteppingPtr stepped(const StepperExample& example) {
    const auto stepping = step_through(example);
    EXPECT_TRUE(stepping) << (stepping ? "" : stepping.error().sentence);
    return stepping ? *stepping : nullptr;
}

/// A B by the definition, in a loop of our own.
DenseMatrix<double> plain(const DenseMatrix<double>& a, const DenseMatrix<double>& b) {
    DenseMatrix<double> c(a.rows, b.columns);
    for (std::int64_t row = 0; row < c.rows; ++row) {
        for (std::int64_t column = 0; column < c.columns; ++column) {
            for (std::int64_t k = 0; k < a.columns; ++k) {
                c.at(row, column) += a.at(row, k) * b.at(k, column);
            }
        }
    }
    return c;
}

/// Every algorithm, dataflow, mesh, slice count and ring mode that is offered ends with the plain product,
/// and its links have carried what counting says.
TEST(Stepping, EveryAlgorithmEndsWithTheProduct) {
    std::map<std::string, int> runs;
    for (const Algorithm& algorithm : all_algorithms()) {
        StepperExample example;
        example.algorithm = algorithm.id;
        for (const Dataflow dataflow : algorithm.dataflows) {
            example.dataflow = dataflow;
            for (const auto& mesh : stepper_meshes(example)) {
                example.mesh = mesh;
                for (const std::int64_t slices : stepper_slices(example)) {
                    example.slices = slices;
                    for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                        example.ring = ring;
                        const SteppingPtr stepping = stepped(example);
                        ASSERT_NE(stepping, nullptr) << algorithm.id;
                        EXPECT_EQ(stepping->product, plain(stepping->a, stepping->b)) << algorithm.id;
                        EXPECT_TRUE(stepping->right()) << algorithm.id;
                        const Count counted = count(stepping->program, stepping->schedule);
                        std::vector<std::int64_t> elements;
                        for (const LinkTraffic& link : counted.links) {
                            elements.push_back(link.bytes.value() / 2);
                        }
                        EXPECT_EQ(stepping->moments.back().carried, elements) << algorithm.id;
                        ++runs[example.algorithm];
                    }
                }
            }
        }
    }
    EXPECT_EQ(runs.size(), all_algorithms().size());
    for (const auto& [id, count] : runs) {
        EXPECT_GE(count, 6) << id;
    }
}

/// A moment is made of the one before and of what is said to have happened: from the first one forward, every
/// value that a line does not write stays, and every link has carried more by what crossed it.
TEST(Stepping, EveryMomentFollowsFromTheOneBefore) {
    for (const char* algorithm : {"meshslice", "cannon", "summa", "wang"}) {
        StepperExample example;
        example.algorithm = algorithm;
        const SteppingPtr stepping = stepped(example);
        ASSERT_NE(stepping, nullptr);
        EXPECT_FALSE(stepping->moments.front().line);
        for (std::size_t k = 1; k < stepping->moments.size(); ++k) {
            const Moment& now = stepping->moments[k];
            const Moment& before = stepping->moments[k - 1];
            ASSERT_TRUE(now.line);
            std::vector<std::int64_t> carried = before.carried;
            for (const LinkMessage<double>& crossing : now.crossed) {
                for (std::size_t link = 0; link < stepping->links.size(); ++link) {
                    if (stepping->links[link] == crossing.link) {
                        carried[link] += static_cast<std::int64_t>(crossing.numbers.size());
                    }
                }
            }
            EXPECT_EQ(now.carried, carried) << algorithm << ' ' << k;
            for (ValueId id = 0; id < now.values.size(); ++id) {
                if (id != writes(stepping->program.operations[*now.line]) && before.values[id] != nullptr) {
                    EXPECT_EQ(now.values[id], before.values[id]) << algorithm << ' ' << k;
                }
            }
            EXPECT_LE(now.hop, now.hops);
            EXPECT_EQ(now.hops > 0, !now.crossed.empty()) << algorithm << ' ' << k;
        }
    }
}

/// MeshSlice on 2 x 2 chips with two slices: 4 x 8 by 8 x 4. By hand: two slices, then two gathers of one
/// step, then the multiplication, twice; and the beginning.
TEST(Stepping, MeshSliceStepByStep) {
    const SteppingPtr stepping = stepped({});
    ASSERT_NE(stepping, nullptr);
    EXPECT_EQ(stepping->a.rows, 4);
    EXPECT_EQ(stepping->a.columns, 8);
    EXPECT_EQ(stepping->b.columns, 4);
    ASSERT_EQ(stepping->moments.size(), 1U + 2 * 5);
    const Program& program = stepping->program;
    EXPECT_EQ(text(program, program.operations[*stepping->moments[1].line]), "A_s = slice_col(A, 2, s)");
    // The first slice of chip 0's four columns is columns 0 and 2, the second 1 and 3.
    const ValueId slice = writes(program.operations[*stepping->moments[1].line]);
    for (const std::size_t s : {0U, 1U}) {
        const DenseMatrix<double>& got = stepping->moments[1 + 5 * s].values[slice]->front();
        ASSERT_EQ(got.columns, 2);
        for (std::int64_t row = 0; row < got.rows; ++row) {
            EXPECT_EQ(got.at(row, 0), stepping->a.at(row, static_cast<std::int64_t>(s)));
            EXPECT_EQ(got.at(row, 1), stepping->a.at(row, static_cast<std::int64_t>(s) + 2));
        }
    }
    // Between two chips of a row both halves cross: 8 messages of half a slice (2 of its 4 numbers).
    const Moment& gathered = stepping->moments[3];
    EXPECT_EQ(gathered.hops, 1);
    EXPECT_EQ(gathered.crossed.size(), 8U);
    for (const LinkMessage<double>& crossing : gathered.crossed) {
        EXPECT_EQ(crossing.link.axis, Axis::horizontal);
        EXPECT_EQ(crossing.numbers.size(), 2U);
    }
    // After the first slice C holds a partial sum, after the second the product.
    EXPECT_NE(stepping->moments[5].values[output_value], stepping->moments[10].values[output_value]);
    const std::vector<bool> changed = stepping->changed(10, output_value, 0);
    EXPECT_EQ(changed.size(), 4U);
}

/// What has not arrived is not there: on a ring of four that goes one way, a chip has two of four shards
/// after one step, and all after three.
TEST(Stepping, ChunksArriveOneByOne) {
    StepperExample example;
    example.exchange = Collective::all_gather;
    example.mesh = {4};
    example.ring = RingMode::one_way;
    const SteppingPtr stepping = stepped(example);
    ASSERT_NE(stepping, nullptr);
    ASSERT_EQ(stepping->moments.size(), 4U);
    for (std::size_t k = 1; k < 4; ++k) {
        const DenseMatrix<double>& got = stepping->moments[k].values[output_value]->front();
        const auto there = std::ranges::count_if(got.data, [](double one) { return !std::isnan(one); });
        EXPECT_EQ(there, static_cast<std::ptrdiff_t>(4 * (k + 1)));
    }
}

/// Contiguous slices in one direction alone do not fit those of the other, and the product is wrong; in both
/// directions they do on a square mesh, and do not on 2 x 4 chips.
TEST(Stepping, ContiguousSlicesInOneDirectionSpoilTheProduct) {
    for (const Dataflow dataflow : all_dataflows) {
        StepperExample example;
        example.dataflow = dataflow;
        const std::array<bool, 3> which = sliced(*program_of(example));
        EXPECT_EQ(std::ranges::count(which, true), 2) << name(dataflow);
        for (std::size_t one = 0; one < which.size(); ++one) {
            if (which[one]) {
                example.contiguous = {};
                example.contiguous[one] = true;
                const SteppingPtr wrong = stepped(example);
                ASSERT_NE(wrong, nullptr);
                EXPECT_FALSE(wrong->right()) << name(dataflow) << one;
                EXPECT_EQ(wrong->expected, plain(wrong->a, wrong->b));
            }
        }
        example.contiguous = which;
        EXPECT_TRUE(stepped(example)->right()) << name(dataflow);
        example.mesh = {2, 4};
        EXPECT_FALSE(stepped(example)->right()) << name(dataflow);
        example.contiguous = {};
        EXPECT_TRUE(stepped(example)->right()) << name(dataflow);
    }
}

} // namespace
} // namespace meshslice
