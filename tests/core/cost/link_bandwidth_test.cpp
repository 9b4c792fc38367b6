// Axes of different bandwidth: which links count for an operation, a ring and a memory.

#include "core/cost/link_bandwidth.h"
#include "core/cost/operation_cost.h"
#include "core/program/ring_schedule.h"
#include "core/scenario/choices.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// On axes of 1, 4 and 2 GB/s.
Network network_of(int axes) {
    Network network = torus_network(axes, {{2, "test"}, {Bandwidth(1e9), "test"}});
    const std::array rates = {1e9, 4e9, 2e9};
    for (int axis = 0; axis < axes; ++axis) {
        network.torus_links(axis).bandwidth.value = Bandwidth(rates[static_cast<std::size_t>(axis)]);
    }
    return network;
}

double on(int machine_axes, const std::vector<std::int32_t>& mesh, Axis axis, const char* id = "meshslice") {
    Scenario scenario = default_scenario();
    scenario.mesh = mesh;
    const Result<Torus> torus = torus_of(scenario, **algorithm(id));
    EXPECT_TRUE(torus);
    return link_bandwidth(network_of(machine_axes), *torus, axis).value() / 1e9;
}

TEST(LinkBandwidth, EachAxisOfAMeshHasTheMachines) {
    EXPECT_EQ(on(2, {4, 2}, Axis::vertical), 1);
    EXPECT_EQ(on(2, {4, 2}, Axis::horizontal), 4);
    EXPECT_EQ(on(2, {1, 8}, Axis::horizontal), 4);
    EXPECT_EQ(on(3, {2, 2, 2}, Axis::third), 2);
    EXPECT_EQ(on(3, {8, 1}, Axis::vertical), 1);
}

TEST(LinkBandwidth, AMachineOfFewerAxesGivesThemInTurn) {
    EXPECT_EQ(on(1, {8, 1}, Axis::vertical), 1);
    EXPECT_EQ(on(1, {1, 8}, Axis::horizontal), 1);
    EXPECT_EQ(on(2, {4, 1, 2}, Axis::vertical), 1);
    EXPECT_EQ(on(2, {4, 1, 2}, Axis::third), 4);
}

TEST(LinkBandwidth, ARingThroughAllChipsIsAsFastAsItsSlowestAxis) {
    EXPECT_EQ(on(2, {4, 2}, Axis::vertical, "fsdp"), 1) << "through both axes";
    EXPECT_EQ(on(2, {8, 1}, Axis::vertical, "fsdp"), 1);
    EXPECT_EQ(on(2, {1, 8}, Axis::vertical, "fsdp"), 4) << "through the horizontal one alone";
    EXPECT_EQ(on(1, {1, 8}, Axis::vertical, "fsdp"), 1);
    EXPECT_EQ(on(3, {1, 2, 2}, Axis::vertical, "fsdp"), 2) << "through the second and the third";
}

const Operation& operation_of(const Program& program, Collective kind) {
    for (const Operation& operation : program.operations) {
        const auto moves = communication(program, operation, RingMode::both_ways);
        if (moves && moves->ring.collective() == kind) {
            return operation;
        }
    }
    ADD_FAILURE() << "no " << name(kind);
    return program.operations.front();
}

/// C = A B^T gathers B along the columns, over links of 1 GB/s, and scatters C along the rows, over links of
/// 4 GB/s, which reads every byte twice. A memory with nothing else to do reads and writes both ways of one
/// axis: a quarter of it for each way of the gather, a sixth for each of the scatter.
TEST(LinkBandwidth, AMemoryServesEachAxisWhatItWantsAsLongAsItLasts) {
    const Program program = written("collective", {400, 6000, 8000}, Dataflow::LS, *Torus::create({2, 2}));
    Schedule schedule;
    schedule.chip = ChipModel::tiled;
    const auto rate = [&](double memory, Collective kind) {
        Machine hardware = uneven_hardware();
        hardware.systolic_array.value = 100;
        hardware.output_tile.value = 200;
        hardware.hbm_bandwidth.value = Bandwidth(memory);
        return operation_cost(program, operation_of(program, kind), hardware, schedule).rate[0].value() / 1e9;
    };
    EXPECT_DOUBLE_EQ(rate(1e12, Collective::all_gather), 1);
    EXPECT_DOUBLE_EQ(rate(1e12, Collective::reduce_scatter), 4);
    EXPECT_DOUBLE_EQ(rate(21e9, Collective::all_gather), 1);
    EXPECT_DOUBLE_EQ(rate(21e9, Collective::reduce_scatter), 3.5);
    EXPECT_DOUBLE_EQ(rate(3e9, Collective::all_gather), 0.75);
    EXPECT_DOUBLE_EQ(rate(3e9, Collective::reduce_scatter), 0.5);
}

/// Parts that fit 64 bits of picoseconds one by one, but not together.
TEST(OperationCost, ATimeThatPicosecondsCannotCountIsTheLongest) {
    OperationCost cost;
    cost.compute = Time(std::int64_t{1} << 62);
    cost.transfer = {Time(std::int64_t{1} << 62), Time(0)};
    cost.steps = 3;
    EXPECT_EQ(cost.total(), OperationCost::longest);
    cost.transfer = {};
    cost.sync = seconds(1);
    cost.steps = 65'535;
    cost.launches = 65'536; // 4.3 x 10^9 s of synchronization
    EXPECT_EQ(cost.total(), OperationCost::longest);
    OperationCost second;
    second.compute = seconds(1);
    EXPECT_EQ(second.total(), seconds(1));
    EXPECT_EQ(second.total(86'400), seconds(86'400));
    EXPECT_EQ(second.total(std::int64_t{1} << 40), OperationCost::longest);
}

} // namespace
} // namespace meshslice
