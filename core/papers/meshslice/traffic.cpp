#include "core/base/text.h"
#include "core/count/count.h"
#include "core/gemm/algorithms.h"
#include "core/papers/meshslice/studies.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

/// What the busiest chip sends, and what the average one does.
struct Sent {
    double busiest = 0;
    double average = 0;
};

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
    return Sent{static_cast<double>(counted.sent_per_chip.value()),
                static_cast<double>(all.value()) / torus->chips()};
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
    ChartPanel panel{text(shape), {"algorithm"}, {"sent by one chip", ChartUnit::bytes}};
    panel.x.categories = {"2.5D 16x16x4", "MeshSlice + DP 32x8x4"};
    panel.series = {{"busiest chip", SeriesKind::points, {layered->busiest, parallel->busiest}},
                    {"average chip", SeriesKind::points, {layered->average, parallel->average}},
                    published("busiest chip")};
    panel.series[2].values = {result.claims[0].paper, result.claims[1].paper};
    emphasise(panel.series[1]);
    result.finding =
        fmt::format("2.5D sends {:.0f}x as much as MeshSlice + DP", layered->busiest / parallel->busiest);
    result.panels = {std::move(panel)};
    result.table = table("Traffic of one product on 1024 chips", result.panels);
    result.note =
        "Every byte on a link is counted, so what a chip forwards too: a skew of 2.5D is up to 8 hops. "
        "The paper counts a skew once, which gives 4 shards of 403 MB, and for MeshSlice P shards per "
        "ring where P - 1 cross a link.";
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
