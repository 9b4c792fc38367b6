#include "core/cost/workgroup_product.h"
#include "core/machine/catalogue.h"
#include "core/papers/t3/runs/fused_fluid.h"
#include "core/papers/t3/speed_up_chart.h"
#include "core/papers/t3/studies.h"
#include "core/question/catalogue/study/studies.h"
#include "tests/support/own_results.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace meshslice {
namespace {

using testing::HasSubstr;

StudyInputs asked_of_t3() {
    return t3_inputs(*machine_preset("tpu-v4")); // which makes no ring, so the paper's
}

std::vector<const Study*> studies_of_t3() {
    std::vector<const Study*> some;
    for (const Study& one : studies()) {
        if (one.evaluation == &t3_evaluation) {
            some.push_back(&one);
        }
    }
    return some;
}

const std::map<std::string, StudyResult>& t3_results() {
    static const std::map<std::string, StudyResult> results = [] {
        std::map<std::string, StudyResult> all;
        for (const Study* one : studies_of_t3()) {
            all[std::string(one->id)] = test::own_result(*one);
        }
        return all;
    }();
    return results;
}

/// What a reference model of the paper, made apart from this one, has: microseconds and speed-ups.
struct ReferenceCase {
    const char* model;
    std::int64_t chips;
    const char* layer;
    double gemm, scatter, near_memory, gather, ideal, ideal_near_memory, t3, t3_mca;
};
constexpr ReferenceCase reference_cases[] = {
    {"mega-gpt-2", 8, "OP", 315.4, 631.7, 590.7, 590.7, 1.258, 1.302, 1.246, 1.299},
    {"mega-gpt-2", 8, "IP", 744.9, 631.7, 590.7, 590.7, 1.473, 1.473, 1.182, 1.382},
    {"mega-gpt-2", 8, "FC-2", 959.7, 631.7, 590.7, 590.7, 1.407, 1.407, 1.161, 1.341},
    {"mega-gpt-2", 16, "OP", 208.0, 657.2, 636.6, 636.6, 1.161, 1.179, 1.183, 1.183},
    {"mega-gpt-2", 16, "IP", 422.8, 657.2, 636.6, 636.6, 1.327, 1.348, 1.205, 1.330},
    {"mega-gpt-2", 16, "FC-2", 530.2, 657.2, 636.6, 636.6, 1.410, 1.432, 1.191, 1.347},
    {"t-nlg", 8, "OP", 275.8, 438.7, 410.3, 410.3, 1.325, 1.371, 1.234, 1.357},
    {"t-nlg", 8, "IP", 688.0, 438.7, 410.3, 410.3, 1.399, 1.399, 1.161, 1.337},
    {"t-nlg", 8, "FC-2", 894.1, 438.7, 410.3, 410.3, 1.336, 1.336, 1.139, 1.286},
    {"t-nlg", 16, "OP", 172.8, 457.5, 443.3, 443.3, 1.192, 1.211, 1.215, 1.215},
    {"t-nlg", 16, "IP", 378.9, 457.5, 443.3, 443.3, 1.421, 1.443, 1.190, 1.350},
    {"t-nlg", 16, "FC-2", 481.9, 457.5, 443.3, 443.3, 1.495, 1.495, 1.173, 1.371},
    {"gpt3-175b", 32, "OP", 157.7, 345.7, 340.6, 340.6, 1.230, 1.239, 1.217, 1.257},
    {"gpt3-175b", 32, "IP", 372.5, 345.7, 340.6, 340.6, 1.485, 1.485, 1.166, 1.371},
    {"gpt3-175b", 32, "FC-2", 479.8, 345.7, 340.6, 340.6, 1.421, 1.421, 1.149, 1.335},
    {"palm-t3", 32, "OP", 317.1, 510.8, 503.1, 503.1, 1.313, 1.323, 1.199, 1.322},
    {"palm-t3", 32, "IP", 800.3, 510.8, 503.1, 503.1, 1.392, 1.392, 1.138, 1.317},
    {"palm-t3", 32, "FC-2", 1041.9, 510.8, 503.1, 503.1, 1.331, 1.331, 1.119, 1.269},
    {"megatron-nlg-530b", 32, "OP", 382.1, 565.8, 557.3, 557.3, 1.340, 1.351, 1.195, 1.329},
    {"megatron-nlg-530b", 32, "IP", 978.7, 565.8, 557.3, 557.3, 1.368, 1.368, 1.132, 1.301},
    {"megatron-nlg-530b", 32, "FC-2", 1276.9, 565.8, 557.3, 557.3, 1.308, 1.308, 1.113, 1.254},
};

const std::vector<CaseTimes>& t3_cases() {
    static const std::vector<CaseTimes> cases =
        case_times(*tensor_cases(asked_of_t3(), ModelSize::any), asked_of_t3().hardware, {}).value();
    return cases;
}

const CaseTimes& case_of(const ReferenceCase& reference) {
    const auto found = std::ranges::find_if(t3_cases(), [&](const CaseTimes& one) {
        return one.of.model == model_preset(reference.model)->title && one.of.gemm.chips == reference.chips &&
               one.of.layer->name == reference.layer;
    });
    EXPECT_NE(found, t3_cases().end()) << reference.model << reference.layer;
    return *found;
}

/// Times, and speed-ups without a fluid, to a thousandth; T3 to 2%, T3-MCA to 3%. FC-1 is FC-2 again: 28
/// cases.
TEST(T3, MeetsTheReferenceModelInAllCases) {
    EXPECT_EQ(t3_cases().size(), 28u);
    double worst_t3 = 0, worst_mca = 0, worst_time = 0;
    for (const ReferenceCase& one : reference_cases) {
        const CaseTimes& ours = case_of(one);
        const auto time = [&](double seconds, double microseconds) {
            worst_time = std::max(worst_time, std::abs(seconds * 1e6 / microseconds - 1));
            EXPECT_NEAR(seconds * 1e6 / microseconds, 1, 1e-3) << text(ours.of);
        };
        time(ours.parts.gemm, one.gemm);
        time(ours.parts.scatter, one.scatter);
        time(ours.parts.scatter_near_memory, one.near_memory);
        time(ours.parts.gather, one.gather);
        EXPECT_NEAR(ours.speed_up(ours.parts.overlapped()), one.ideal, 1e-3) << text(ours.of);
        EXPECT_NEAR(ours.speed_up(ours.parts.overlapped_near_memory()), one.ideal_near_memory, 1e-3);
        const double t3 = ours.speed_up(ours.t3) / one.t3 - 1,
                     mca = ours.speed_up(ours.t3_mca) / one.t3_mca - 1;
        worst_t3 = std::max(worst_t3, std::abs(t3));
        worst_mca = std::max(worst_mca, std::abs(mca));
        EXPECT_LT(std::abs(t3), 0.02) << text(ours.of);
        EXPECT_LT(std::abs(mca), 0.03) << text(ours.of);
        std::printf("%-42s T3 %.3f (%+.2f%%), T3-MCA %.3f (%+.2f%%)\n", text(ours.of).c_str(),
                    ours.speed_up(ours.t3), 100 * t3, ours.speed_up(ours.t3_mca), 100 * mca);
    }
    std::printf("Worst: times %.3f%%, T3 %.2f%%, T3-MCA %.2f%%\n", 100 * worst_time, 100 * worst_t3,
                100 * worst_mca);
}

/// The closed forms: T3 within 2% of the events, T3-MCA up to 6% above them.
TEST(T3, HasClosedFormsCloseToTheEvents) {
    double worst_t3 = 0, worst_mca = 0;
    for (const CaseTimes& one : t3_cases()) {
        const double t3 =
            *fused_time(one.of.gemm, asked_of_t3().hardware, MemoryPolicy::round_robin) / one.t3;
        const double mca =
            *fused_time(one.of.gemm, asked_of_t3().hardware, MemoryPolicy::communication_aware) / one.t3_mca;
        const double ideal =
            *fused_time(one.of.gemm, asked_of_t3().hardware, MemoryPolicy::ideal) - one.parts.gather;
        worst_t3 = std::max(worst_t3, std::abs(t3 - 1));
        worst_mca = std::max(worst_mca, std::abs(mca - 1));
        EXPECT_NEAR(t3, 1, 0.02) << text(one.of);
        EXPECT_GT(mca, 0.98) << text(one.of);
        EXPECT_LT(mca, 1.06) << text(one.of);
        const double longer = std::max(one.parts.gemm, one.parts.scatter_near_memory);
        EXPECT_GT(ideal / longer, 0.98 - 1e-3) << text(one.of);
        EXPECT_LT(ideal / longer, 1.03) << text(one.of);
    }
    std::printf("Closed forms against the events, worst: T3 %.2f%%, T3-MCA %.2f%%\n", 100 * worst_t3,
                100 * worst_mca);
}

/// Two simulations that share nothing but the hardware: events chip by chip, which the studies ask, and one
/// chip's memory as a fluid in steps of 50 ns.
TEST(T3, IsTheSameAsEventsAndAsAFluid) {
    double worst = 0;
    for (const CaseTimes& one : t3_cases()) {
        for (const auto& [policy, events] : {std::pair(MemoryPolicy::round_robin, one.t3),
                                             std::pair(MemoryPolicy::communication_aware, one.t3_mca)}) {
            const auto run = fused_fluid(one.of.gemm, asked_of_t3().hardware, policy);
            ASSERT_TRUE(run) << run.error().sentence;
            const double off = (run->end + one.parts.gather) / events - 1;
            worst = std::max(worst, std::abs(off));
            EXPECT_LT(std::abs(off), 0.02) << text(one.of) << ' ' << name(policy);
        }
    }
    std::printf("Fluid against events, worst: %.2f%%\n", 100 * worst);
}

/// Every byte that the fluid moves is one that is counted, in every case and by both policies. It never ends
/// before computation or ring, and is the same every time.
TEST(T3, MovesWhatIsCounted) {
    for (const CaseTimes& one : t3_cases()) {
        const DramTraffic counted = dram_traffic(one.of.gemm, Reduction::fused);
        for (const MemoryPolicy policy : {MemoryPolicy::round_robin, MemoryPolicy::communication_aware}) {
            const auto run = fused_fluid(one.of.gemm, asked_of_t3().hardware, policy);
            ASSERT_TRUE(run);
            const double write = run->moved[static_cast<std::size_t>(DramStream::gemm_write)];
            const double read = run->moved[static_cast<std::size_t>(DramStream::scatter_read)];
            const double update = run->moved[static_cast<std::size_t>(DramStream::scatter_update)];
            EXPECT_NEAR(write / (2 * counted.of(DramSource::gemm_write)), 1, 1e-9) << text(one.of);
            EXPECT_NEAR(read / counted.of(DramSource::scatter_read), 1, 1e-9) << text(one.of);
            EXPECT_NEAR(update / (2 * counted.of(DramSource::scatter_write)), 1, 1e-9) << text(one.of);
            EXPECT_GE(run->end, one.parts.compute);
            EXPECT_GE(run->end,
                      one.of.gemm.chunk_bytes() * static_cast<double>(one.of.gemm.chips - 1) / 150e9);
        }
    }
    const AllReducedGemm& any = t3_cases().front().of.gemm;
    EXPECT_EQ(fused_fluid(any, asked_of_t3().hardware, MemoryPolicy::round_robin)->end,
              fused_fluid(any, asked_of_t3().hardware, MemoryPolicy::round_robin)->end);
}

/// Two chips: the first chunk goes out, the other is kept, and nothing is read to be sent. With memory that
/// is a thousand times as fast nothing is in the way: computation, then a chunk's flight.
TEST(T3, RunsOnTwoChipsAndWithoutContention) {
    const AllReducedGemm two = {{8192, 4256, 2128}, 2, DataType::bf16};
    const auto run = fused_fluid(two, asked_of_t3().hardware, MemoryPolicy::communication_aware);
    EXPECT_EQ(run->moved[static_cast<std::size_t>(DramStream::scatter_read)], 0);
    Machine fast = asked_of_t3().hardware;
    fast.hbm_bandwidth.value = Bandwidth(1e15);
    const AllReducedGemm eight = {{8192, 4256, 2128}, 8, DataType::bf16};
    for (const MemoryPolicy policy : {MemoryPolicy::round_robin, MemoryPolicy::communication_aware}) {
        // A stage of 1/28 of 69.7 MB takes 16.6 us of the link; all after the last stage but one is sent.
        EXPECT_NEAR(fused_fluid(eight, fast, policy)->end * 1e6, 824.37, 824.37 * 0.003);
    }
}

/// The GEMM alone writes as much as its output has, and takes its closed form's time.
TEST(T3, RunsTheGemmAloneAsItsClosedForm) {
    const AllReducedGemm gemm = {{8192, 4256, 2128}, 8, DataType::bf16};
    const auto run = gemm_alone(gemm, asked_of_t3().hardware, 1e-6);
    EXPECT_NEAR(run->end * 1e6, 894.10, 0.1);
    EXPECT_NEAR(run->moved[static_cast<std::size_t>(DramStream::gemm_write)], 69'730'304, 1);
    EXPECT_GT(run->samples.size(), 800u);
    // 28 bursts of writes: samples with writes after samples without.
    int bursts = 0;
    bool writing = false;
    for (std::size_t k = 1; k < run->samples.size(); ++k) {
        const bool now = run->samples[k].moved[1] > run->samples[k - 1].moved[1];
        bursts += now && !writing ? 1 : 0;
        writing = now;
    }
    EXPECT_EQ(bursts, 28);
}

/// What the paper states, and how far from it ours may be: absolute, as it was set before this was written.
struct Allowed {
    const char* claim;
    double within;
    bool judged; ///< else printed with its deviation
};
constexpr Allowed allowed[] = {
    {"t3-speedup-geomean", 0.04, true},
    {"t3-data-movement-mean", 0.03, true},
    {"t3-large-geomean", 0.04, true},
    {"t3-large-max", 0.05, true},
    {"fig6-relative-72-8", 0.03, true},
    {"fig6-relative-64-16", 0.03, true},
    {"fig6-gemm-slowdown-64", 0.03, true},
    {"ideal-geomean", 0.03, true},
    {"ideal-max", 0.03, true},
    {"ideal-min", 0.03, true},
    {"nmc-rs-tp8", 0.015, true},
    {"nmc-rs-tp16", 0.01, true},
    {"nmc-extra-max", 0.015, true},
    {"t3-mca-below-ideal", 0.03, true},
    {"dram-rs-reads-ratio-tp8", 1e-9, true},
    {"dram-rs-reads-ratio-tp16", 0.02, true},
    {"dram-rs-reads-ratio", 0.05, true},
    {"dram-writes-ratio-tp8", 0.005, true},
    {"dram-writes-ratio-tp16", 0.005, true},
    {"dram-writes-ratio", 0.006, true},
    {"fig6-ideal", 0.15, true},
    {"fig6-72-8", 0.08, true},
    {"fig6-64-16", 0.12, true},
    {"fig6-ar-slowdown-8", 0.02, true},
    {"fig6-ar-slowdown-16", 0.06, true},
    {"t3-rr-geomean", 0.04, true},
    {"t3-speedup-max", 0.10, true},
    {"t3-mca-over-t3-geomean", 0.05, true},
    {"train-t3-max", 0.03, true},
    {"training-speedup-max", 0.03, true},
    {"infer-t3-max", 0.03, true},
    {"inference-speedup-max", 0.03, true},
    {"train-t3-geomean", 0.03, true},
    {"train-mca-geomean", 0.03, true},
    {"infer-t3-geomean", 0.03, true},
    {"infer-mca-geomean", 0.03, true},
    {"t3-data-movement-max", 0, false},
    {"t3-rr-max", 0, false},
    {"t3-mca-over-t3-max", 0, false},
};

TEST(T3, MeetsWhatThePaperStates) {
    std::map<std::string, ClaimOutcome> found;
    for (const auto& [id, result] : t3_results()) {
        for (const ClaimOutcome& one : result.claims) {
            EXPECT_TRUE(found.emplace(one.id, one).second) << one.id << " is judged twice";
        }
    }
    EXPECT_EQ(found.size(), std::size(allowed));
    double worst = 0;
    for (const Allowed& one : allowed) {
        ASSERT_TRUE(found.contains(one.claim)) << one.claim;
        const ClaimOutcome& ours = found[one.claim];
        ASSERT_TRUE(ours.paper) << one.claim;
        const double off = ours.ours - *ours.paper;
        std::printf("%-26s paper %.3f, ours %.4f, %+.4f%s\n", one.claim, *ours.paper, ours.ours, off,
                    one.judged ? "" : " (not judged)");
        if (one.judged) {
            worst = std::max(worst, std::abs(off) / one.within);
            EXPECT_LE(std::abs(off), one.within) << one.claim;
        }
    }
    std::printf("Worst: %.0f%% of its tolerance\n", 100 * worst);
}

/// Each statement is judged by one study, and all hold except one: that FC-2 of every model gains more from
/// twice the units. An ideal overlap of GEMM g and reduce-scatter 1 gains (g + 2) / (max(g, 1) + 1), which
/// rises when g is halved only where g is above about 1.6; it is in 3 of the 7 cases.
TEST(T3, FindsThePapersOrderings) {
    std::multiset<std::string> judged, stated;
    for (const auto& [id, result] : t3_results()) {
        for (const OrderingOutcome& one : result.orderings) {
            judged.insert(one.id);
            EXPECT_EQ(one.holds, one.id != "gpu-2x-fc2") << one.id << ": " << one.numbers;
            EXPECT_NE(one.numbers, "") << one.id;
        }
    }
    for (const Ordering& one : t3_paper().orderings) {
        stated.insert(one.id);
    }
    EXPECT_EQ(judged, stated);
    EXPECT_EQ(t3_paper().claims.size(), std::size(allowed));
}

/// An ordering can fail: with memory that is never in the way T3 is near the ideal on FC, too, and with
/// matrix units of a tenth of the rate OP is bound by them, so that twice as many help it.
TEST(T3, DoesNotFindOrderingsOnOtherGpus) {
    StudyInputs other = asked_of_t3();
    other.hardware.hbm_bandwidth.value = Bandwidth(1e15);
    const auto fast = run_study(**study("t3-speed-ups"), other);
    ASSERT_TRUE(fast) << fast.error().sentence;
    const auto holds = [&](const char* id) {
        return std::ranges::find(fast->orderings, id, &OrderingOutcome::id)->holds;
    };
    EXPECT_FALSE(holds("t3-fc-far"));
    EXPECT_THAT(fast->not_judged, HasSubstr("instead of"));
    other.hardware = asked_of_t3().hardware;
    other.hardware.peak[DataType::bf16].value = FlopRate(1.8e13);
    const auto slow = run_study(**study("t3-twice-the-units"), other);
    ASSERT_TRUE(slow) << slow.error().sentence;
    EXPECT_FALSE(std::ranges::find(slow->orderings, "gpu-2x-op", &OrderingOutcome::id)->holds);
}

/// Links of 1 MB/s take hours: in steps of 50 ns that is more than a machine remembers.
TEST(T3, RefusesWhatWouldTakeTooManySteps) {
    StudyInputs slow = asked_of_t3();
    slow.hardware.network.torus_links(0).bandwidth.value = Bandwidth(1e6);
    EXPECT_THAT(run_study(**study("t3-dram-over-time"), slow).error().sentence,
                HasSubstr("up to 200\u2009ms can be followed"));
}

/// Table 2's rings for its models; another model is asked about on those of its size. Rings that do not
/// divide it are left out.
TEST(T3, AsksOtherModelsTheSame) {
    StudyInputs other = asked_of_t3();
    other.models = {*model_preset("llama-3-8b")};
    const auto cases = tensor_cases(other, ModelSize::small);
    ASSERT_TRUE(cases);
    EXPECT_EQ(cases->size(), 2 * sub_layers.size()); // 8 and 16
    EXPECT_EQ(cases->front().gemm.shape, (GemmShape{2048, 4096, 512}));
    EXPECT_EQ(tensor_cases(other, ModelSize::large)->size(), cases->size()); // there is no other
    for (const Study* one : studies_of_t3()) {
        const auto result = run_study(*one, other);
        ASSERT_TRUE(result) << one->id << ": " << result.error().sentence;
        const StudyResult& own = t3_results().at(std::string(one->id));
        const bool judges = !own.claims.empty() || !own.orderings.empty(); // else nothing is left unjudged
        EXPECT_EQ(result->not_judged.find("Llama 3 8B") != std::string::npos, one->scope.models && judges)
            << one->id;
    }
    other.chips = {3, 7};
    EXPECT_THAT(tensor_cases(other, ModelSize::any).error().sentence, HasSubstr("none of the rings"));
}

/// On hardware that comes with the program and on one that makes no ring.
TEST(T3, RunsOnRingsOfGpusAlone) {
    for (const Machine& one : presets_that(feeds_rings)) {
        if (one.network.torus_axes() > 1) { // no ring: the paper's is asked instead
            EXPECT_EQ(t3_inputs(one).hardware, t3_machine());
            continue;
        }
        const StudyInputs of = t3_inputs(one);
        EXPECT_EQ(of.hardware, one);
        const auto result = run_study(**study("t3-speed-ups"), of);
        ASSERT_TRUE(result);
        EXPECT_EQ(result->not_judged.empty(), one.name == "t3-paper") << one.name;
    }
    StudyInputs tpu = asked_of_t3();
    tpu.hardware = *machine_preset("tpu-v4");
    EXPECT_THAT(run_study(**study("t3-sub-layers"), tpu).error().sentence, HasSubstr("not a ring of GPUs"));
    StudyInputs few = asked_of_t3();
    few.hardware.cores.value = 16;
    EXPECT_THAT(run_study(**study("t3-unit-split"), few).error().sentence, HasSubstr("has 16 compute units"));
}

/// The GEMM first starves the ring that bounds output projections (see the digest's 10.6), so that it loses
/// to round robin on each of the four; no contention is the best of all everywhere.
TEST(T3, ComparesMemoryPolicies) {
    const StudyResult& result = t3_results().at("t3-policies");
    int op = 0;
    for (const ChartPanel& panel : result.panels) {
        ASSERT_EQ(panel.series.size(), 4u);
        for (std::size_t k = 0; k < panel.x.categories.size(); ++k) {
            const auto gain = [&](std::size_t series) { return *panel.series[series].values[k]; };
            EXPECT_GE(gain(3), gain(2) * (1 - 1e-9)) << panel.title << panel.x.categories[k];
            EXPECT_GE(gain(2), gain(1) * (1 - 1e-9)) << panel.title << panel.x.categories[k];
            if (panel.x.categories[k].ends_with("OP")) {
                EXPECT_LT(gain(0), gain(2)) << panel.title << panel.x.categories[k];
                ++op;
            }
        }
    }
    EXPECT_EQ(op, 4);
}

/// The longer launches take, the less is left of an overlap that launches every step; T3 launches as often as
/// one after the other does. Compute units of its own cost the software more.
TEST(T3, IsComparedWithSoftware) {
    const StudyResult& result = t3_results().at("t3-against-software");
    ASSERT_FALSE(result.panels.empty());
    for (const ChartPanel& panel : result.panels) {
        const auto& software = panel.series[0].values;
        const auto& on_units = panel.series[1].values;
        const auto& t3_mca = panel.series[3].values;
        for (std::size_t k = 0; k < software.size(); ++k) {
            EXPECT_LT(*on_units[k], *software[k]) << panel.title;
        }
        EXPECT_LT(*software.back(), *software.front() - 0.1) << panel.title;
        EXPECT_GT(*t3_mca.back(), *software.back()) << panel.title;
        EXPECT_NEAR(*t3_mca.back(), *t3_mca.front(), 0.05) << panel.title;
    }
}

/// Fed, one slice saves its scatter: 16384 x 3072 / 4 x 3 / 4 x 2 bytes both ways at 150 GB/s, 126 us, of
/// which the GEMM's updates cost some. In 16 slices there is little left to save, and one way round takes
/// longer. OP is bound by its links. Longer launches make slices dear, so that fusion is worth more.
TEST(T3, IsAskedOfMeshSlice) {
    const StudyResult& result = t3_results().at("t3-torus-slices");
    ASSERT_EQ(result.panels.size(), 3u);
    const ChartPanel& by_slices = result.panels[0];
    const auto saved = [](const ChartPanel& panel, std::size_t at) {
        return *panel.series[0].values[at] - *panel.series[2].values[at];
    };
    ASSERT_EQ(by_slices.x.categories[0], "1");
    ASSERT_EQ(by_slices.x.categories[7], "16");
    EXPECT_NEAR(saved(by_slices, 0), 115e-6, 12e-6);
    EXPECT_LT(saved(by_slices, 7), 0);
    const ChartPanel& by_launch = result.panels[1];
    for (std::size_t k = 1; k < by_launch.x.categories.size(); ++k) {
        EXPECT_GT(saved(by_launch, k), saved(by_launch, k - 1)) << by_launch.x.categories[k];
    }
    EXPECT_LT(saved(result.panels[2], 0), 0);
    EXPECT_GT(saved(result.panels[2], 2), 0);
    EXPECT_THAT(result.note, HasSubstr("Assumed"));
}

/// By hand: 3 x (MB / 600 GB/s + 0.5 us), and by compute units 3 x MB / 4 at 0.92 TB/s more.
TEST(T3, TimesAReduceScatterByItself) {
    const auto alone = (*study("t3-rs-validation"))->run(t3_inputs(t3_machine()), {});
    ASSERT_TRUE(alone);
    ASSERT_EQ(alone->panels.size(), 1U);
    const std::vector<ChartSeries>& series = alone->panels[0].series; // by units, its form, near memory, its
    ASSERT_EQ(series.size(), 4U);
    EXPECT_NE(series[1].role, series[3].role);
    // 3 x (6 MB / 600 GB/s + 0.5 us) = 31.5 us, 961.5 of 192 MB; 4.9 and 156.5 us more by compute units.
    EXPECT_EQ(
        alone->finding.substr(0, alone->finding.rfind(" to ")),
        "A reduce-scatter of 6 to 192 MB on 4 chips (GPU, as in the T3 paper) takes 36.4 to 1118 µs added up "
        "by compute units and 31.5 to 962 µs near memory; simulation and closed form agree");
    const std::vector<double> sizes = {6e6, 12e6, 24e6, 48e6, 96e6, 192e6};
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const double near = 3 * (sizes[k] / 600e9 + 0.5e-6);
        const double units = near + 3 * sizes[k] / 4 / 0.92e12;
        for (const std::size_t by : {0U, 1U}) {
            EXPECT_NEAR(series[by].values[k].value_or(0), units, 5e-12) << sizes[k];
            EXPECT_NEAR(series[2 + by].values[k].value_or(0), near, 5e-12) << sizes[k];
        }
    }
}

/// Whole panels and tables, and stopped when asked.
TEST(T3, DrawsWholePanels) {
    for (const auto& [id, result] : t3_results()) {
        EXPECT_FALSE(result.panels.empty()) << id;
        EXPECT_FALSE(result.finding.empty()) << id;
        std::size_t points = 0;
        for (const ChartPanel& panel : result.panels) {
            for (const ChartSeries& series : panel.series) {
                EXPECT_EQ(series.values.size(), panel.categories().categories.size()) << id << series.name;
                EXPECT_NE(series.values.empty(), series.points.empty()) << id << series.name;
                points += series.points.size();
            }
        }
        EXPECT_LT(points, 2000u) << id;
        for (const auto& row : result.table.rows) {
            EXPECT_EQ(row.size(), result.table.columns.size()) << id;
        }
    }
    std::stop_source stop;
    stop.request_stop();
    for (const Study* one : studies_of_t3()) {
        EXPECT_EQ(run_study(*one, asked_of_t3(), {stop.get_token(), nullptr}).error().kind,
                  Error::Kind::cancelled)
            << one->id;
    }
}

} // namespace
} // namespace meshslice
