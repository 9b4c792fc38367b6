#include "core/base/say.h"
#include "core/base/text.h"
#include "core/count/count.h"
#include "core/gemm/algorithms.h"
#include "core/papers/meshslice/product_shapes.h"
#include "core/papers/meshslice/studies.h"
#include "core/program/ring_schedule.h"
#include "core/scenario/choices.h"
#include "core/scenario/meshes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// How far the ratio of the rule is from balance on a mesh, as a logarithm: (P_r - 1) / (P_c - 1) against the
/// size of the matrix that is sent horizontally over that of the one sent vertically.
double imbalance(const Gemm& gemm, const Mesh& mesh) {
    const auto [m, n, k] = std::tuple(gemm.shape.m, gemm.shape.n, gemm.shape.k);
    const std::int64_t vertical = gemm.dataflow == Dataflow::RS ? m * n : k * n;
    const std::int64_t horizontal = gemm.dataflow == Dataflow::LS ? m * n : m * k;
    return std::abs(std::log(static_cast<double>(mesh[0] - 1) / (mesh[1] - 1) *
                             static_cast<double>(vertical) / static_cast<double>(horizontal)));
}

/// Of the meshes on which the GEMM runs: the one with the least traffic on its busiest link, by count, and
/// the one that the rule names.
struct BestMeshes {
    Mesh counted, by_rule;
};

Result<BestMeshes> best_meshes(const Gemm& gemm, const std::vector<Mesh>& meshes) {
    const Algorithm& collective = **algorithm("collective");
    BestMeshes best;
    Bytes least(std::numeric_limits<std::int64_t>::max());
    double nearest = std::numeric_limits<double>::infinity();
    for (const Mesh& mesh : meshes) {
        const auto torus = Torus::create(mesh);
        if (!torus || mesh[0] == 1 || mesh[1] == 1) {
            continue; // on one axis there is nothing to balance
        }
        const auto program = collective.write(gemm.shape, gemm.dataflow, *torus, {});
        if (!program) {
            continue;
        }
        if (const Bytes busiest = count(*program, {}).busiest_link; busiest < least) {
            least = busiest;
            best.counted = mesh;
        }
        if (const double off = imbalance(gemm, mesh); off < nearest) {
            nearest = off;
            best.by_rule = mesh;
        }
    }
    return best.counted.empty() ? Result<BestMeshes>(refuse("The GEMM runs on no mesh of two axes."))
                                : Result<BestMeshes>(best);
}

/// The synchronizations of a chip in one direction of one GEMM on side x side chips, one way round.
Result<std::int64_t> synchronizations(const char* id, std::int32_t side) {
    const auto torus = Torus::create({side, side});
    if (!torus) {
        return refuse(torus.error());
    }
    GemmOptions options;
    options.slices = side;
    options.packets = side;
    const GemmShape shape{4096, 4096, 4096};
    const auto program = (*algorithm(id))->write(shape, Dataflow::OS, *torus, options);
    if (!program) {
        return refuse(program.error());
    }
    std::int64_t steps = 0;
    for (OperationId k = 0; k < program->operations.size(); ++k) {
        if (place(program->operations[k]) == Place::horizontal_links) {
            const auto moves = communication(*program, program->operations[k], RingMode::one_way);
            steps += moves ? moves->ring.steps() * moves->repeats * program->runs(k) : 0;
        }
    }
    return steps;
}

Result<StudyResult> rules(const StudyInputs& inputs, const RunControl& control) {
    const std::int32_t cluster = inputs.chips.back();
    StudyResult result;
    OrderingOutcome least{"rule-best-mesh", true, {}, Reading::counted};
    int alike = 0;
    int all = 0;
    std::string unlike;
    for (const Transformer& model : inputs.models) {
        const Scenario scenario = paper_scenario(model, batch(BatchRule::weak, cluster), inputs.hardware);
        const auto gemms = products(scenario, "collective");
        if (!gemms) {
            return refuse(gemms.error());
        }
        const auto meshes = meshes_for(inputs.hardware, **algorithm("collective"), cluster);
        for (const Gemm& gemm : distinct_products(*gemms)) {
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            const auto best = best_meshes(gemm, meshes);
            if (!best) {
                return refuse(best.error());
            }
            ++all;
            alike += best->counted == best->by_rule ? 1 : 0;
            if (best->counted != best->by_rule) {
                unlike = say("; not on {} of {}: least on {}, by the rule {}", text(gemm.shape), model.title,
                             fmt::join(best->counted, "x"), fmt::join(best->by_rule, "x"));
            }
        }
    }
    least.holds = alike == all;
    least.numbers = say("on {} of {} GEMMs on {} chips{}", alike, all, cluster, unlike);

    constexpr std::array<std::int32_t, 4> sides = {4, 8, 16, 32};
    ChartPanel panel{
        said("Synchronizations of a chip along one axis"), {said("side of the mesh")}, {said("steps")}};
    panel.series = {{"SUMMA", SeriesKind::line}, {"Collective", SeriesKind::line}};
    for (const std::int32_t side : sides) {
        const auto summa = synchronizations("summa", side);
        const auto collective = synchronizations("collective", side);
        if (!summa || !collective) {
            return refuse(!summa ? summa.error() : collective.error());
        }
        panel.x.categories.push_back(std::to_string(side));
        panel.series[0].values.emplace_back(static_cast<double>(*summa));
        panel.series[1].values.emplace_back(static_cast<double>(*collective));
    }
    // From the third side to the fourth, which is twice as long.
    const double summa = *panel.series[0].values[3] / *panel.series[0].values[2];
    const double collective = *panel.series[1].values[3] / *panel.series[1].values[2];
    result.orderings = {least,
                        {"rule-summa-synchronizes", summa > 3.5 && collective < 2.5,
                         say("from 16x16 to 32x32 chips, as many packets as chips in a ring: SUMMA "
                             "{:.0f} to {:.0f}, Collective {:.0f} to {:.0f}",
                             *panel.series[0].values[2], *panel.series[0].values[3],
                             *panel.series[1].values[2], *panel.series[1].values[3]),
                         Reading::counted}};
    result.finding = say("The rule names the mesh with the least traffic {}; twice the side takes SUMMA "
                         "{:.1f}x and Collective {:.1f}x the synchronizations",
                         least.numbers, summa, collective);
    result.panels = {std::move(panel)};
    result.table = table("Synchronizations by the side of the mesh", result.panels);
    result.note = said(
        "A broadcast of D packets on a ring of P chips takes P + D - 2 steps here where all go one way, and "
        "P/2 + D - 1 where each chip is served by the shorter way; the paper counts P + D - 1.");
    return result;
}

} // namespace

/// The two rules of thumb of section 2.3, by counting.
const Study rules_study{"rules",
                        "Rules of 2D GEMMs",
                        "Which mesh has the least traffic, and how often do chips synchronize?",
                        "2.3.1 and 2.3.3",
                        rules,
                        {true, true, ClustersAsked::largest},
                        &meshslice_evaluation,
                        Reading::counted};

} // namespace meshslice
