// The traces of all chips of a plan fit each other: what one sends another receives, and groups agree.

#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "core/plan/inside/pass_run.h"
#include "core/report/plan/step_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const PlanModel> model_of(const char* machine, std::int64_t batch) {
    const auto run = training_run(*model_preset("llama-2-7b"), 4096, batch);
    return std::make_shared<const PlanModel>(
        PlanModel::of(*run, *machine_preset(machine), ModelRules::exact).value());
}

/// Two stages of two tensor-parallel and two data-parallel chips, on two NVLink domains of four.
Plan eight_chips() {
    Plan plan;
    plan.data = plan.pipeline = plan.tensor1 = 2;
    plan.placement = {2, 1, 2, 1};
    return plan;
}

TEST(RankOrders, BeginWithTheChipsOfOneUnit) {
    const RankOrder order(eight_chips(), false);
    EXPECT_THAT(order.levels(), ElementsAre(4, 2));
    EXPECT_EQ(order.rank({1, 0, 0, 0}), 1);
    EXPECT_EQ(order.rank({0, 0, 1, 0}), 2);
    EXPECT_EQ(order.rank({0, 0, 0, 1}), 4);
    for (std::int64_t rank = 0; rank < 8; ++rank) {
        EXPECT_EQ(order.rank(order.place(rank)), rank);
    }
}

TEST(StepGraphs, FitEachOther) {
    const auto model = model_of("h100-nvs8", 8);
    const Result<StepGraph> graph = StepGraph::of(model, eight_chips());
    ASSERT_TRUE(graph) << graph.error().sentence;
    using Message = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;
    std::multiset<Message> sent, received;
    std::map<std::string, std::vector<std::vector<std::uint64_t>>> of_groups;
    double flop = 0;
    for (std::int64_t rank = 0; rank < 8; ++rank) {
        std::map<std::string, std::vector<std::uint64_t>> collectives;
        std::set<std::uint64_t> before;
        for (const ChakraNode& node : graph->nodes(rank)) {
            for (const std::uint64_t id : node.after) {
                EXPECT_TRUE(before.contains(id));
            }
            before.insert(node.id);
            flop += static_cast<double>(node.flop);
            if (node.kind == ChakraKind::send) {
                EXPECT_EQ(node.from, rank);
                sent.emplace(node.from, node.to, node.tag, node.sent_bytes);
            } else if (node.kind == ChakraKind::receive) {
                EXPECT_EQ(node.to, rank);
                received.emplace(node.from, node.to, node.tag, node.sent_bytes);
            } else if (node.kind == ChakraKind::collective) {
                const auto& group = graph->groups()[std::stoul(node.group) - 1];
                EXPECT_THAT(group, testing::Contains(rank));
                collectives[node.group].push_back(node.sent_bytes);
            }
        }
        for (const auto& [group, sizes] : collectives) {
            of_groups[group].push_back(sizes);
        }
    }
    EXPECT_EQ(sent, received);
    EXPECT_EQ(sent.size(), 2U * 4 * 4) << "4 micro-batches, both ways, between 4 pairs";
    EXPECT_EQ(std::set<Message>(sent.begin(), sent.end()).size(), sent.size()) << "tags are not used twice";
    for (const auto& [group, ranks] : of_groups) {
        EXPECT_EQ(ranks.size(), graph->groups()[std::stoul(group) - 1].size());
        for (const auto& sizes : ranks) {
            EXPECT_EQ(sizes, ranks.front()) << "group " << group;
        }
    }
    // By the model: every layer, forward and backward, for each of 8 samples, whichever chip does it.
    const LayerCost layer = model->layer(eight_chips());
    const double all =
        (layer.forward.flop + layer.backward.flop) * 32 * 4 * 4; // layers, micro-batches, chips
    EXPECT_NEAR(flop / all, 1, 1e-6);
}

/// The bytes of a gather are those that a chip begins with, a part of the layer's weights in bf16.
TEST(StepGraphs, GatherWeightsBeforeEveryPassUnderZero3) {
    Plan plan;
    plan.data = 8;
    plan.placement = {1, 1, 8, 1};
    plan.zero = 3;
    const auto model = model_of("h100-nvs8", 16);
    const Result<StepGraph> graph = StepGraph::of(model, plan);
    ASSERT_TRUE(graph) << graph.error().sentence;
    EXPECT_EQ(graph->groups().size(), 1U);
    std::size_t gathers = 0, scatters = 0;
    for (const ChakraNode& node : graph->nodes(3)) {
        if (node.kind == ChakraKind::collective && node.collective == ChakraCollective::all_gather) {
            ++gathers;
            // 4096 x 4096 of four attention matrices, 4096 x 11008 of three, and two norms
            const double weights = 2.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008 + 2.0 * 4096);
            EXPECT_NEAR(static_cast<double>(node.sent_bytes) / (weights / 8), 1, 1e-3);
        }
        scatters += node.collective == ChakraCollective::reduce_scatter ? 1U : 0U;
    }
    EXPECT_EQ(gathers, 2U * 2 * 32) << "two micro-batches, forward and backward";
    EXPECT_EQ(scatters, 2U * 32);
}

TEST(StepGraphs, SayWhatTheyCannotHave) {
    const auto model = model_of("h100-nvs8", 8);
    Plan zero_bubble = eight_chips();
    zero_bubble.schedule.kind = PipelineKind::zero_bubble;
    Plan summa = eight_chips();
    summa.strategy = TensorStrategy::summa;
    EXPECT_THAT(StepGraph::of(model, zero_bubble).error().sentence, HasSubstr("not written as nodes"));
    EXPECT_THAT(StepGraph::of(model, summa).error().sentence, HasSubstr("splits both sides"));
}

} // namespace
} // namespace meshslice
