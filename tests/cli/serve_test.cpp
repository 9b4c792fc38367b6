// Serving, as the command line answers it.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

std::vector<std::string> serve(const std::vector<std::string>& more) {
    std::vector<std::string> all = {"serve",     "--model",   "llama-3-70b", "--machine",
                                    "h100-nvs8", "--weights", "fp8"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST(CliServe, SaysWhatABatchComesTo) {
    const nlohmann::json answer =
        meshslice_json(serve({"--chips", "16", "--tp", "8", "--batch", "32", "--price", "2.5"}));
    const double ttft = answer.at("ttft_s"), tpot = answer.at("tpot_s");
    // A token at the end of prefill, 255 more; two replicas of 32 requests.
    EXPECT_DOUBLE_EQ(answer.at("e2e_s"), ttft + 255 * tpot);
    EXPECT_EQ(answer.at("replicas"), 2);
    EXPECT_NEAR(answer.at("tokens_per_s"), 2 * 32 * 256 / (ttft + 255 * tpot), 1e-6);
    EXPECT_NEAR(answer.at("tokens_per_s_per_chip"), answer.at("tokens_per_s").get<double>() / 16, 1e-6);
    EXPECT_DOUBLE_EQ(answer.at("tokens_per_s_per_user"), 1 / tpot);
    EXPECT_TRUE(answer.at("fits").get<bool>());
    EXPECT_GE(answer.at("most_batch").get<int>(), 32);
    EXPECT_LT(answer.at("time_low_s"), answer.at("e2e_s"));
    EXPECT_GT(answer.at("time_high_s"), answer.at("e2e_s"));
    EXPECT_GT(answer.at("nearest").size(), 0U);
    // 2.5 an hour for a chip that puts out so many tokens a second.
    EXPECT_NEAR(answer.at("cost_per_million_tokens"),
                2.5 / 3600 * 1e6 / answer.at("tokens_per_s_per_chip").get<double>(), 1e-9);
    double parts = 0;
    for (const char* part : {"products", "output_head", "attention", "vectors", "exchange", "overhead"}) {
        parts += answer.at("decode").at(part).at("time_s").get<double>();
    }
    EXPECT_NEAR(parts, tpot, 1e-9 * tpot);
    EXPECT_THAT(answer.at("constants"), HasSubstr("measured rows of H100-SXM-80G"));
}

TEST(CliServe, SaysWhoseConstantsItTakes) {
    const std::vector<std::string> words = {"serve", "--model",   "gpt-oss-120b", "--machine",
                                            "b200",  "--weights", "fp4",          "--cache",
                                            "fp8",   "--output",  "1024",         "--engine"};
    const auto under = [&](const char* engine) {
        std::vector<std::string> all = words;
        all.emplace_back(engine);
        return meshslice_json(all);
    };
    const nlohmann::json served = under("vllm");
    EXPECT_EQ(served.at("constants"), "Constants fitted to runs of B200 that served, under vLLM.");
    // A run of 32 clients had 7.93 ms a token, resources/measured/serving.csv S2926.
    EXPECT_LT(served.at("tpot_low_s"), 7.93e-3);
    EXPECT_GT(served.at("tpot_high_s"), 7.93e-3);
    EXPECT_EQ(served.at("nearest").at(0).at("engine"), "vLLM");
    EXPECT_NE(under("sglang").at("tpot_s"), served.at("tpot_s"));
    // Another one under TensorRT-LLM had 8.26 ms (S3033).
    const nlohmann::json tensorrt = under("tensorrt-llm");
    EXPECT_LT(tensorrt.at("tpot_low_s"), 8.26e-3);
    EXPECT_GT(tensorrt.at("tpot_high_s"), 8.26e-3);
    // Where no run of the chip is known the interval is wider than on one where runs are.
    const auto width = [](const char* machine) {
        const nlohmann::json one =
            meshslice_json({"serve", "--model", "llama-3-8b", "--machine", machine, "--engine", "vllm"});
        return one.at("tpot_high_s").get<double>() / one.at("tpot_low_s").get<double>();
    };
    EXPECT_GT(width("l40s"), width("h100"));
    const nlohmann::json ideal = meshslice_json(serve({"--efficiency", "ideal"}));
    EXPECT_THAT(ideal.at("constants"), HasSubstr("data sheet"));
    EXPECT_TRUE(ideal.at("time_low_s").is_null());
    EXPECT_EQ(ideal.at("decode").at("overhead").at("time_s"), 0);
}

TEST(CliServe, AnswersOnePhase) {
    const nlohmann::json decode = meshslice_json(serve({"--phase", "decode"}));
    EXPECT_TRUE(decode.at("ttft_s").is_null());
    EXPECT_FALSE(decode.contains("prefill"));
    EXPECT_DOUBLE_EQ(decode.at("time_s"), decode.at("tpot_s"));
    const nlohmann::json prefill = meshslice_json(serve({"--phase", "prefill"}));
    EXPECT_TRUE(prefill.at("tpot_s").is_null());
    EXPECT_FALSE(prefill.contains("decode"));
}

TEST(CliServe, TakesTheFewestChipsThatHoldIt) {
    // 141 GB of weights in bf16: one H100 of 86 GB holds half of them, and not the runtime next to it.
    const nlohmann::json answer = meshslice_json({"serve", "--model", "llama-3-70b", "--machine", "h100"});
    EXPECT_EQ(answer.at("tp"), 4);
    EXPECT_EQ(answer.at("chips"), 4);
    const nlohmann::json tight =
        meshslice_json({"serve", "--model", "llama-3-70b", "--machine", "h100", "--tp", "1", "--batch", "1"});
    EXPECT_FALSE(tight.at("fits").get<bool>());
    EXPECT_EQ(tight.at("most_batch"), 0);
}

TEST(CliServe, DrawsTheFrontierAndMeetsGoals) {
    const nlohmann::json frontier = meshslice_json(serve({"--frontier", "--chips", "8"}));
    ASSERT_GT(frontier.at("frontier").size(), 20U);
    const nlohmann::json goal = meshslice_json(serve({"--goal", "ttft_p95<2s,tpot<30ms", "--chips", "8"}));
    ASSERT_TRUE(goal.at("goal").at("met").get<bool>());
    EXPECT_EQ(goal.at("tp"), goal.at("goal").at("deployments").at(0).at("tp"));
    EXPECT_LE(goal.at("ttft_s").get<double>(), 2);
    EXPECT_LE(goal.at("tpot_s").get<double>(), 0.03);
    const nlohmann::json none = meshslice_json(serve({"--goal", "tpot<1us"}));
    EXPECT_FALSE(none.at("goal").at("met").get<bool>());
}

TEST(CliServe, RefusesWhatCannotBe) {
    for (const auto& [more, sentence] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--tp", "3"}, "64 query heads cannot be split over 3 chips."},
             {{"--chips", "12", "--tp", "8"}, "12 chips cannot be shared by replicas of 8; --tp auto works."},
             {{"--goal", "speed<3"}, "\"speed<3\" is not a limit"},
             {{"--batch", "0"}, "expected a whole number"},
             {{"--dp", "2"}, "--dp has no effect: Llama 3 70B has no experts"},
             {{"--pp", "100"}, "80 layers"},
             {{"--pp", "2", "--rate", "1"}, "--pp has no effect"},
             {{"--acceptance", "0.5"}, "--acceptance has no effect"},
             {{"--prefix", "1"}, "expected less than 1"},
             {{"--prefixes", "2"}, "--prefixes has no effect"},
             {{"--routing", "round-robin"}, "--routing has no effect"},
             {{"--prefill-chips", "8"}, "go together"},
             {{"--prefill-chips", "8", "--decode-chips", "8", "--chips", "8"}, "--chips has no effect"}}) {
        const Finished finished = meshslice_command(serve(more));
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_THAT(finished.err, HasSubstr(sentence));
    }
    EXPECT_THAT(meshslice_command({"serve", "--model", "vit-32k"}).err, HasSubstr("cannot decode"));
    EXPECT_THAT(meshslice_command({"serve", "--model", "palm-t3"}).err, HasSubstr("gives no vocabulary"));
}

TEST(CliServe, ServesByTwoPools) {
    const nlohmann::json answer =
        meshslice_json(serve({"--tp", "8", "--prefill-chips", "8", "--decode-chips", "16"}));
    const nlohmann::json& pools = answer.at("pools");
    const double prefilled = pools.at("prefill_requests_per_s"), decoded = pools.at("decode_requests_per_s");
    // Two servers with 32 requests each that need 255 steps; the slower pool says how many are served.
    EXPECT_NEAR(decoded, 2 * 32 / (255 * answer.at("tpot_s").get<double>()), 1e-9 * decoded);
    EXPECT_NEAR(answer.at("tokens_per_s"), 256 * std::min(prefilled, decoded), 1e-6 * decoded);
    EXPECT_EQ(pools.at("bound"), prefilled < decoded ? "prefill" : "decode");
    // 2 x 8 heads x 128 numbers of two bytes in 80 layers, for 1024 tokens; an adapter for each of 8 chips.
    EXPECT_GT(pools.at("transfer_s").get<double>(), 1024 * 80 * 2 * 8 * 128 * 2 / (8 * 50e9));
}

TEST(CliServe, IsSwept) {
    const Finished words = meshslice_command(
        {"sweep", "--of", "serve", "--vary", "batch=1,2", "--model", "llama-3-8b", "--machine", "h100"});
    EXPECT_THAT(words.out, HasSubstr("next token"));
    EXPECT_THAT(words.out, testing::Not(HasSubstr("none")));
    const Finished swept = meshslice_command({"sweep", "--of", "serve", "--vary", "batch=1,2,4", "--model",
                                              "llama-3-8b", "--machine", "h100", "--csv"});
    EXPECT_EQ(swept.exit_code, 0) << swept.err;
    EXPECT_THAT(swept.out, HasSubstr("tokens_per_s_per_chip"));
    EXPECT_EQ(std::ranges::count(swept.out, '\n'), 4);
}

TEST(CliServe, SimulatesRequestsThatCome) {
    const std::vector<std::string> words = {"serve", "--model",  "llama-3-8b", "--machine", "h100",
                                            "--tp",  "1",        "--rate",     "4",         "--requests",
                                            "300",   "--engine", "vllm"};
    const nlohmann::json found = meshslice_json(words).at("simulated");
    EXPECT_EQ(found.at("finished"), 300);
    EXPECT_LE(found.at("ttft").at("p50_s"), found.at("ttft").at("p95_s"));
    EXPECT_FALSE(found.at("saturated").get<bool>());
    EXPECT_EQ(meshslice_json(words).at("simulated"), found) << "the same seed";
    const Finished read = meshslice_command(words);
    EXPECT_THAT(read.out, HasSubstr("At 4 requests/s, of the "));

    const TemporaryFolder folder;
    const std::string list =
        folder.file("list.csv", "arrival_s,input_tokens,output_tokens\n0,100,5\n1,200,7\n");
    const nlohmann::json replayed =
        meshslice_json({"serve", "--model", "llama-3-8b", "--machine", "h100", "--arrivals", list});
    EXPECT_EQ(replayed.at("simulated").at("finished"), 2);
    const std::string wrong = folder.file("wrong.csv", "arrival_s,input_tokens\n0,100\n");
    const Finished refused =
        meshslice_command({"serve", "--model", "llama-3-8b", "--machine", "h100", "--arrivals", wrong});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("output_tokens"));

    // More than can be served, of which too few come to see a queue grow.
    EXPECT_TRUE(meshslice_json({"serve", "--model", "llama-3-8b", "--machine", "h100", "--rate", "1e6",
                                "--requests", "1"})
                    .at("simulated")
                    .at("saturated")
                    .get<bool>());
    EXPECT_EQ(meshslice_json({"serve", "--model", "llama-3-8b", "--machine", "h100", "--arrivals", list,
                              "--requests", "1"})
                  .at("simulated")
                  .at("requests"),
              1);
    // A goal of a user's tokens is asked of every request; what does not fit is said as without a rate.
    EXPECT_EQ(meshslice_json({"serve", "--model", "llama-3-8b", "--machine", "h100", "--rate", "1",
                              "--requests", "50", "--goal", "tokens_per_s_per_user>1000000"})
                  .at("simulated")
                  .at("good_share"),
              0);
    EXPECT_THAT(meshslice_command(
                    {"serve", "--model", "deepseek-v3", "--machine", "h200", "--chips", "8", "--rate", "1"})
                    .out,
                HasSubstr("does not fit"));
}

} // namespace
} // namespace meshslice::test
