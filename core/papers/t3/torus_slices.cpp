#include "core/base/say.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/papers/t3/runs/simulated_case.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace meshslice {
namespace {

constexpr std::int32_t side_of_torus = 4; ///< of the torus: 16 GPUs
constexpr std::int64_t most_slices = 32;
constexpr std::array torus_launches = {Time(0), Time(2'000'000), Time(5'000'000), Time(10'000'000),
                                       Time(20'000'000)};

struct Contender {
    const char* name;
    std::string_view algorithm;
    RingMode ring;
    Role role;
};
constexpr std::array<Contender, 3> contenders = {
    {{"MeshSlice", "meshslice", RingMode::both_ways, Role::transferHorizontal},
     {"MeshSlice, rings one way", "meshslice", RingMode::one_way, Role::transferVertical},
     {"MeshSlice + T3", "meshslice-t3", RingMode::both_ways, Role::compute}}};

/// The same GPUs with their links divided over two axes.
Machine in_a_torus(const Machine& ring) {
    Machine torus = ring;
    TorusLinks links = ring.network.torus_links(0);
    links.bandwidth.value = Bandwidth(links.bandwidth.value.value() / 2);
    torus.network = torus_network(2, links);
    return torus;
}

/// One GEMM on the torus, by every contender.
struct Question {
    GemmShape shape; ///< of all chips
    Torus torus = *Torus::create({TorusAxis{side_of_torus}, TorusAxis{side_of_torus}});
    std::vector<std::int64_t> slices; ///< ascending
};

Result<Question> question_of(const TensorCase& one, const Machine& hardware) {
    Question asked;
    const GemmShape& own = one.gemm.shape;
    asked.shape = {own.m, own.n, own.k * one.gemm.chips};
    GemmOptions options;
    options.tile = hardware.output_tile.value;
    auto counts = (*algorithm("meshslice"))->slice_counts(asked.shape, Dataflow::LS, asked.torus, options);
    if (!counts) {
        return refuse(counts.error());
    }
    std::erase_if(*counts, [](std::int64_t count) { return count > most_slices; });
    asked.slices = *std::move(counts);
    return asked;
}

Result<double> seconds_of(const Question& asked, const Contender& contender, std::int64_t slices,
                          const Machine& hardware, const RunControl& control) {
    Schedule schedule{.ring = contender.ring, .prefetch = {}};
    schedule.reduction = Reduction::near_memory; // for all, so that the fusion alone makes the difference
    return simulated_seconds({contender.algorithm, asked.shape, asked.torus, slices}, hardware, schedule,
                             control);
}

/// With the slice count that is best for it.
struct BestRun {
    double seconds = std::numeric_limits<double>::infinity();
    std::int64_t slices = 1;
};
Result<BestRun> best_of(const Question& asked, const Contender& contender, const Machine& hardware,
                        const RunControl& control) {
    BestRun best;
    for (const std::int64_t slices : asked.slices) {
        const auto time = seconds_of(asked, contender, slices, hardware, control);
        if (!time) {
            return refuse(time.error());
        }
        if (*time < best.seconds) {
            best = {*time, slices};
        }
    }
    return best;
}

ChartPanel empty_panel(std::string title, std::string along) {
    ChartPanel panel{std::move(title), {std::move(along)}, {said("time"), ChartUnit::seconds}};
    for (const Contender& contender : contenders) {
        panel.series.push_back({said(contender.name), SeriesKind::line});
        panel.series.back().role = contender.role;
    }
    return panel;
}

Result<StudyResult> torus_slices(const StudyInputs& inputs, const RunControl& control) {
    auto cases = tensor_cases(inputs, ModelSize::small);
    if (!cases) {
        return refuse(cases.error());
    }
    const std::string model = cases->front().model; // its sizes have many slice counts
    const std::int64_t ring = cases->front().gemm.chips;
    std::erase_if(*cases, [&](const TensorCase& one) {
        return one.model != model || one.gemm.chips != ring || one.layer->name == "FC-1";
    });
    const Machine torus = in_a_torus(inputs.hardware);
    const auto asked = question_of(cases->back(), torus); // FC-2
    if (!asked) {
        return refuse(asked.error());
    }
    StudyResult result;
    ChartPanel by_slices = empty_panel(say("{}, FC-2", model), said("slices S"));
    for (const std::int64_t slices : asked->slices) {
        by_slices.x.categories.push_back(fmt::to_string(slices));
        for (std::size_t k = 0; k < contenders.size(); ++k) {
            const auto time = seconds_of(*asked, contenders[k], slices, torus, control);
            if (!time) {
                return refuse(time.error());
            }
            by_slices.series[k].values.emplace_back(*time);
        }
    }
    ChartPanel by_launch =
        empty_panel(say("{}, FC-2, best S", model), said("launch of a GEMM or a collective"));
    std::array<std::vector<BestRun>, contenders.size()> best;
    for (const Time launch : torus_launches) {
        by_launch.x.categories.push_back(text(launch));
        by_launch.x.names.emplace_back(in_seconds(launch), text(launch));
        for (std::size_t k = 0; k < contenders.size(); ++k) {
            const auto found = best_of(*asked, contenders[k], with_launches(torus, launch), control);
            if (!found) {
                return refuse(found.error());
            }
            by_launch.series[k].values.emplace_back(found->seconds);
            best[k].push_back(*found);
        }
    }
    ChartPanel by_layer = empty_panel(say("{}, launches of 5 us, best S", model), said("sub-layer"));
    for (const TensorCase& one : *cases) {
        const auto of_layer = question_of(one, torus);
        if (!of_layer) {
            return refuse(of_layer.error());
        }
        by_layer.x.categories.emplace_back(one.layer->name);
        for (std::size_t k = 0; k < contenders.size(); ++k) {
            const auto found =
                best_of(*of_layer, contenders[k], with_launches(torus, torus_launches[2]), control);
            if (!found) {
                return refuse(found.error());
            }
            by_layer.series[k].values.emplace_back(found->seconds);
        }
    }
    const double on_op = *by_layer.series[0].values.front() / *by_layer.series[2].values.front();
    result.panels = {std::move(by_slices), std::move(by_launch), std::move(by_layer)};
    result.table = table("MeshSlice with T3's fusion", result.panels);
    const auto against = [&](std::size_t other, std::size_t launch) {
        return best[other][launch].seconds / best[2][launch].seconds;
    };
    result.finding =
        say("T3's fusion makes MeshSlice {:.2f}× faster on FC-2 with free launches, {:.2f}× with {} each and "
            "{} slices instead of {}; on OP, where links are the limit, it is at {:.2f}×",
            against(0, 0), against(0, torus_launches.size() - 1), text(torus_launches.back()),
            best[2].back().slices, best[0].back().slices, on_op);
    result.note = said(
        "Neither paper has this; all of it is assumed and simulated event by event. Assumed: the T3 "
        "paper's GPU in a torus of 4x4, with the bandwidth of its ring divided over two axes, 75 GB/s a "
        "link each way; near-memory addition for every contender; communication-aware memory; launches as "
        "given; "
        "two buffers for a slice's partial sums and counters for each. A fed reduce-scatter goes one way "
        "round, with half of the links' bandwidth: MeshSlice's own goes both ways, or one way where it says "
        "so. The all-gather of the other axis takes its share of the memory first, and so does the "
        "reduce-scatter that no GEMM feeds. So it gains where few slices leave a long last scatter to hide, "
        "above all "
        "where launches make slices dear, and loses where links bound the run.");
    return result;
}

} // namespace

/// T3's idea in the loop of MeshSlice.
const Study torus_slices_study{"t3-torus-slices",
                               "MeshSlice with T3's fusion",
                               "Where does a GEMM that feeds its ring gain over slicing alone?",
                               "4, in MeshSlice's loop",
                               torus_slices,
                               {true, true, ClustersAsked::none},
                               &t3_evaluation,
                               Reading::simulated};

} // namespace meshslice
