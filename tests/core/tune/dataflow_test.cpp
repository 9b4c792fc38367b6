#include "core/report/words/tuning_words.h"
#include "core/search/dataflow_search.h"
#include "core/step/training_step.h"
#include "core/tune/dataflow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr LayerDataflow Y{Stationary::Y, false}, X{Stationary::X, false}, W{Stationary::W, false};
constexpr LayerDataflow Y_T{Stationary::Y, true}, W_T{Stationary::W, true};

/// Table 1: Y = OS(X, W), Y = LS(X, W^T), Y = RS(X^T, W); and the transposed version of the first,
/// Y^T = OS(W^T, X^T).
TEST(Dataflow, StoresWhatTableOneSays) {
    const StoredTensor x{"X", "tokens", "in"}, x_t{"X^T", "in", "tokens"};
    const StoredTensor w{"W", "in", "out"}, w_t{"W^T", "out", "in"};
    const StoredTensor y{"Y", "tokens", "out"}, y_t{"Y^T", "out", "tokens"};
    EXPECT_THAT(stored_tensors(Y), ElementsAre(x, w, y));
    EXPECT_THAT(stored_tensors(X), ElementsAre(x, w_t, y));
    EXPECT_THAT(stored_tensors(W), ElementsAre(x_t, w, y));
    EXPECT_THAT(stored_tensors(Y_T), ElementsAre(x_t, w_t, y_t));
    EXPECT_THAT(stored_tensors(W_T), ElementsAre(x, w_t, y_t));
}

/// One W-stationary layer after three others turns the activations round: it takes X^T, the one before leaves
/// Y. Transposed it takes X and leaves Y^T for the first of the next block. Either way once: unavoidable.
TEST(Dataflow, FindsWhereActivationsAreTransposed) {
    EXPECT_THAT(transpositions({Y, X, Y, X}), IsEmpty());
    EXPECT_THAT(transpositions({Y, Y, Y, W}), ElementsAre(2u));
    EXPECT_THAT(transpositions({Y, Y, Y, W_T}), ElementsAre(3u));
    EXPECT_THAT(transpositions({Y, W_T, Y_T, W}), IsEmpty());
}

/// By trying all versions: a plan can do without a transposition exactly if an even number of layers is
/// W-stationary.
TEST(Dataflow, AnOddNumberOfWStationaryLayersTransposesUnavoidably) {
    for (int which = 0; which < 81; ++which) {
        std::vector<LayerDataflow> layers;
        for (int rest = which; layers.size() < 4; rest /= 3) {
            layers.push_back({static_cast<Stationary>(rest % 3), false});
        }
        bool avoidable = false;
        for (unsigned versions = 0; versions < 16; ++versions) {
            for (std::size_t k = 0; k < 4; ++k) {
                layers[k].transposed = (versions >> k & 1u) != 0;
            }
            avoidable = avoidable || transpositions(layers).empty();
        }
        EXPECT_EQ(transposition_unavoidable(layers), !avoidable) << which;
    }
}

/// GPT-3 with 262144 tokens: Y, Y (equal to X), Y, X; with one sequence of 1024 tokens the weights are the
/// largest everywhere: W, then transposed W for the Y^T... each takes what the one before leaves.
TEST(Dataflow, TheHeuristicTakesWhatTheLayerBeforeLeaves) {
    const Transformer model = default_scenario().model;
    EXPECT_THAT(heuristic_dataflows(*fully_connected_layers(model, 262144)), ElementsAre(Y, Y, Y, X));
    const auto few = heuristic_dataflows(*fully_connected_layers(model, 1024));
    // W takes X^T, so the transposed version, which takes X and leaves Y^T; then W, which takes X^T and
    // leaves Y; and so on.
    EXPECT_THAT(few, ElementsAre(W_T, W, W_T, W));
    EXPECT_THAT(transpositions(few), IsEmpty());
}

/// Y^T = RS(W^T ..., ...): of LS M x N x K becomes RS N x M x K. The FLOP stay.
TEST(Dataflow, TransposedProductsSwapTheirDirections) {
    const FullyConnectedLayer layer{"FF1", 8, 32, 16, 2};
    const std::vector<Gemm> as_is = training_gemms(layer, X);
    const std::vector<Gemm> turned = training_gemms(layer, {Stationary::X, true});
    EXPECT_EQ(as_is[0].shape, (GemmShape{16, 32, 8}));
    EXPECT_EQ(as_is[0].dataflow, Dataflow::LS);
    EXPECT_EQ(turned[0].shape, (GemmShape{32, 16, 8}));
    EXPECT_EQ(turned[0].dataflow, Dataflow::RS);
    EXPECT_EQ(turned[1].dataflow, Dataflow::OS);
    EXPECT_EQ(turned[2].dataflow, Dataflow::LS);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(flop(turned[k].shape), flop(as_is[k].shape));
        EXPECT_EQ(turned[k].copies, 2);
    }
}

/// The heuristic's time is the training step's; Y everywhere is the step with Y forced; nothing beats the
/// fastest; and on GPT-3 the optimized dataflow is faster than Y everywhere, as the paper's Table 2 has it.
TEST(DataflowSearch, AgreesWithTheTrainingStep) {
    Scenario scenario = default_scenario();
    const auto search = search_dataflows(scenario);
    ASSERT_TRUE(search) << search.error().sentence;
    EXPECT_EQ(search->heuristic.time, training_step(scenario, "meshslice", Depth::estimate)->estimated);
    for (const Stationary all : {Stationary::Y, Stationary::X}) {
        scenario.plan.stationary = all;
        const Time time = training_step(scenario, "meshslice", Depth::estimate)->estimated;
        EXPECT_LE(search->fastest.time, time);
        EXPECT_LE(search->untransposed.time, time); // Neither Y nor X everywhere transposes anything.
        if (all == Stationary::Y) {
            EXPECT_EQ(search->y_everywhere.time, time);
            EXPECT_LT(search->heuristic.time, time);
        }
    }
    EXPECT_LE(search->fastest.time, search->untransposed.time);
    // What a scenario can ask for takes as long as a scenario that asks for it.
    ASSERT_EQ(search->shared.size(), 4u);
    for (const SharedDataflow& one : search->shared) {
        scenario.plan.stationary = one.stationary;
        EXPECT_EQ(one.time, training_step(scenario, "meshslice", Depth::estimate)->estimated);
        EXPECT_GE(one.time, search->shared.front().time);
    }
    EXPECT_EQ(search->algorithm, "meshslice");
    EXPECT_EQ(search->mesh, scenario.mesh);
    EXPECT_THAT(search->untransposed.transpositions, IsEmpty());
    EXPECT_THAT(finding(*search), testing::HasSubstr("The largest matrix of each layer stays: "));
}

/// Estimates assume a healthy machine, so a fault that names a place of another mesh does no harm.
TEST(DataflowSearch, DoesNotAskForFaults) {
    Scenario scenario = default_scenario();
    const auto healthy = search_dataflows(scenario);
    scenario.assume.faults.parts = {{{.chip = {100, 100}, .is_core = true}, 0.5}}; // 32x8 has no such chip.
    const auto search = search_dataflows(scenario);
    ASSERT_TRUE(search) << search.error().sentence;
    EXPECT_EQ(search->fastest, healthy->fastest);
}

TEST(DataflowSearch, RefusesWhereThereIsNothingToSearch) {
    Scenario scenario = default_scenario();
    scenario.plan.algorithm = "fsdp";
    EXPECT_THAT(search_dataflows(scenario).error().sentence, testing::HasSubstr("FSDP says itself"));
    scenario.plan.algorithm = "meshslice";
    scenario.gemm = SingleGemm{{64, 64, 64}, Dataflow::OS};
    EXPECT_THAT(search_dataflows(scenario).error().sentence, testing::HasSubstr("One GEMM"));
}

} // namespace
} // namespace meshslice
