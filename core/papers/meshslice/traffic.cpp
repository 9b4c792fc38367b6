#include "core/base/say.h"
#include "core/base/text.h"
#include "core/count/count.h"
#include "core/gemm/algorithms.h"
#include "core/papers/meshslice/studies.h"
#include "core/program/dependencies.h"
#include "core/program/ring_schedule.h"

namespace meshslice {
namespace {

/// What a chip sends of one GEMM, counted in several ways.
struct Sent {
    double busiest = 0;     ///< the busiest chip, every byte on every link
    double average = 0;     ///< the average chip
    double once = 0;        ///< as if a shift took one hop, however far it goes
    double sums = 0;        ///< of `once`: scattering sums over the third axis
    double whole_rings = 0; ///< as if collectives on a ring of P chips sent P shards instead of P - 1
};

/// A chip's own part in one communication, all its runs, were it a single hop.
double own_bytes(const Program& program, OperationId id, Bytes value) {
    const Operation& operation = program.operations[id];
    if (std::holds_alternative<Shift>(operation)) {
        return static_cast<double>((value * program.runs(id)).value());
    }
    const auto moves = communication(program, operation, RingMode::both_ways);
    if (!moves) {
        return 0;
    }
    const Bytes step = moves->step_bytes(Direction::forward, DataType::bf16) +
                       moves->step_bytes(Direction::backward, DataType::bf16);
    return static_cast<double>((step * (moves->ring.steps() * moves->repeats * program.runs(id))).value());
}

Result<Sent> sent(const char* id, const GemmShape& shape, Dataflow dataflow, std::vector<std::int32_t> mesh,
                  const GemmOptions& options) {
    const auto chosen = algorithm(id);
    const auto torus = Torus::create(std::move(mesh));
    if (!chosen || !torus) {
        return refuse(!chosen ? chosen.error() : torus.error());
    }
    const auto program = (*chosen)->write(shape, dataflow, *torus, options);
    if (!program) {
        return refuse(program.error());
    }
    const Count counted = count(*program, {});
    Bytes all;
    for (const LinkTraffic& link : counted.links) {
        all += link.bytes;
    }
    Sent found{static_cast<double>(counted.sent_per_chip.value()),
               static_cast<double>(all.value()) / torus->chips()};
    for (OperationId k = 0; k < program->operations.size(); ++k) {
        const Operation& operation = program->operations[k];
        if (engine_of(operation) >= core_engine) {
            continue;
        }
        const ReadValues sources = reads(operation);
        const Bytes value(program->values[*sources.begin()].elements() * element_bytes(DataType::bf16));
        const double own = own_bytes(*program, k, value);
        const double chips = torus->size(static_cast<Axis>(place(operation)));
        found.once += own;
        found.sums += place(operation) == Place::third_links ? own : 0;
        found.whole_rings += own * chips / (chips - 1);
    }
    return found;
}

Result<StudyResult> traffic(const StudyInputs& /*inputs*/, const RunControl& /*control*/) {
    const GemmShape shape{1024 * 1024, 12 * 1024, 48 * 1024};
    const auto layered = sent("2.5d", shape, Dataflow::OS, {16, 16, 4}, {});
    const auto parallel = sent("meshslice-dp", shape, Dataflow::LS, {32, 8, 4}, {16, 8});
    if (!layered || !parallel) {
        return refuse(!layered ? layered.error() : parallel.error());
    }
    StudyResult result;
    result.claims = {outcome("section7-2.5d-traffic", layered->busiest, Reading::counted),
                     outcome("section7-meshslice-dp-traffic", parallel->busiest, Reading::counted)};
    ChartPanel panel{text(shape), {said("algorithm")}, {said("sent by one chip"), ChartUnit::bytes}};
    panel.x.categories = {"2.5D 16x16x4", "MeshSlice + DP 32x8x4"};
    panel.series = {{said("busiest chip"), SeriesKind::points, {layered->busiest, parallel->busiest}},
                    {said("average chip"), SeriesKind::points, {layered->average, parallel->average}},
                    published(said("busiest chip"))};
    panel.series[2].values = {result.claims[0].paper, result.claims[1].paper};
    emphasize(panel.series[1]);
    // What the paper counts is found by counting in other ways, its units among them.
    const auto against = [](double ours, double paper) { return deviation_text((ours - paper) / paper); };
    constexpr double binary_giga = 1024.0 * 1024 * 1024 / 1e9;
    constexpr double binary_mega = 1024.0 * 1024 / 1e6;
    const double of_layered = *result.claims[0].paper;
    const double of_parallel = *result.claims[1].paper;
    result.finding =
        say("2.5D sends {:.0f}x as much as MeshSlice + DP", layered->busiest / parallel->busiest);
    const std::string closing =
        say("The paper's {} for 2.5D comes out if a skew counts as one hop ({}, in GiB {}), not by "
            "the average chip "
            "({}) or without the sums over the layers ({}); its {} for MeshSlice + DP if a ring of "
            "P chips sends P "
            "shards ({}, in MiB {}). ",
            claim_text(ClaimKind::bytes, of_layered), against(layered->once, of_layered),
            against(layered->once, of_layered * binary_giga), against(layered->average, of_layered),
            against(layered->busiest - layered->sums, of_layered), claim_text(ClaimKind::bytes, of_parallel),
            against(parallel->whole_rings, of_parallel),
            against(parallel->whole_rings, of_parallel * binary_mega));
    result.panels = {std::move(panel)};
    result.table = table("Traffic of one GEMM on 1024 chips", result.panels);
    result.note = closing + said("Every byte on a link is counted, also what a chip passes on: a skew of "
                                 "2.5D is up to 8 hops, and "
                                 "P - 1 of a ring's P shards cross a link.");
    return result;
}

} // namespace

/// What a chip sends with 2.5D and with MeshSlice + DP. Needs no hardware.
const Study traffic_study{"traffic",
                          "Traffic on three axes",
                          "What does a chip send with 2.5D and with MeshSlice + DP?",
                          "7",
                          traffic,
                          {false, false, ClustersAsked::none},
                          &meshslice_evaluation,
                          Reading::counted};

} // namespace meshslice
