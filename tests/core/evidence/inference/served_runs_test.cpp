#include "core/evidence/inference/served_runs.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// A model of which only its launches take time: 1 s a decode step, 10 s one with prompts.
struct Still {
    InferenceModel model;
    InferenceChip chip;
    InferenceRow row;
    InferenceValues values{};

    Still() {
        model.layers = 1;
        model.hidden = model.heads = model.kv_heads = model.head_size = model.vocabulary = 1;
        model.matrices = 2;
        model.parameters = 102;
        chip.peak_16 = chip.memory_rate = 1e30;
        chip.memory = 1000;
        row.asked.model = &model;
        row.asked.chip = &chip;
        row.asked.input = 8;
        row.asked.output = 3;
        row.load = "aggregated";
        row.clients = 2;
        values.fill(1e-30);
        for (const InferenceConstant one : {InferenceConstant::gemm, InferenceConstant::memory,
                                            InferenceConstant::cache, InferenceConstant::engine_host,
                                            InferenceConstant::engine_prefill, InferenceConstant::bound_power,
                                            InferenceConstant::prefill_attention, InferenceConstant::layer}) {
            values[static_cast<std::size_t>(one)] = 1;
        }
        values[static_cast<std::size_t>(InferenceConstant::prefill_layer)] = 10;
    }
};

TEST(ServedRuns, AreWorkedByHand) {
    const Still still;
    InferenceResults found = served_results(still.row, still.values);
    // Both clients' prompts end at 10 and their third tokens at 12, ten times over.
    EXPECT_NEAR(at(found, InferenceQuantity::ttft), 10, 1e-9);
    EXPECT_NEAR(at(found, InferenceQuantity::tpot), 1, 1e-9);
    EXPECT_NEAR(at(found, InferenceQuantity::e2e), 12, 1e-9);
    EXPECT_NEAR(at(found, InferenceQuantity::throughput), 6 / 12.0, 1e-9);
}

TEST(ServedRuns, GiveTokensFasterWhereDraftsAreTaken) {
    Still still;
    still.row.asked.drafts = 1;
    still.values[static_cast<std::size_t>(InferenceConstant::accepted)] = 3;
    InferenceResults found = served_results(still.row, still.values);
    // A step of one second puts out three tokens.
    EXPECT_NEAR(at(found, InferenceQuantity::ttft), 10, 1e-9);
    InferenceResults steady = steady_results(still.row, still.values);
    EXPECT_LT(at(steady, InferenceQuantity::tpot), 10);
}

TEST(ServedRuns, SendPromptsToServersOfTheirOwn) {
    Still still;
    still.row.load = "disaggregated";
    still.row.prefill = still.row.asked;
    still.row.prefill_servers = 2;
    InferenceResults found = served_results(still.row, still.values);
    // Each client has a server for its prompt, and decode steps take 1 s while others send prompts.
    EXPECT_NEAR(at(found, InferenceQuantity::ttft), 10, 1e-6);
    EXPECT_NEAR(at(found, InferenceQuantity::tpot), 1, 1e-6);
    InferenceResults steady = steady_results(still.row, still.values);
    EXPECT_NEAR(at(steady, InferenceQuantity::tpot), 1, 1e-9);
}

TEST(ServedRuns, HaveRoomForWhatIsNotWeights) {
    const Still still;
    // 100 parameters, embedding and head, two bytes each; half of the rest, four bytes a token.
    EXPECT_NEAR(cache_room(still.row.asked, 0.5, still.values), (1000 - 204) / 2.0 / 4, 1e-6);
}

TEST(ServedRuns, ReplayALogInOneRun) {
    Still still;
    auto log = std::make_shared<ReplayedLog>();
    log->name = "log";
    for (const double arrival : {0.0, 12.5}) {
        ServingRequest request;
        request.arrival = arrival;
        request.input = 8;
        request.output = 3;
        log->requests.push_back(request);
    }
    still.row.log = log;
    RunResults results;
    for (const std::size_t place : {0u, 1u}) {
        still.row.place = place;
        InferenceResults found = results.of(still.row, still.values);
        // The second one comes when the first has left.
        EXPECT_NEAR(at(found, InferenceQuantity::ttft), 10, 1e-9);
        EXPECT_NEAR(at(found, InferenceQuantity::tpot), 1, 1e-9);
        EXPECT_NEAR(at(found, InferenceQuantity::e2e), 12, 1e-9);
    }
}

} // namespace
} // namespace meshslice
