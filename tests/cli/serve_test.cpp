// Serving, as the command line answers it.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
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
    const nlohmann::json like =
        meshslice_json({"serve", "--model", "llama-3-70b", "--machine", "b200", "--engine", "sglang"});
    EXPECT_THAT(like.at("constants"), HasSubstr("runs of B200 that served, under SGLang"));
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
             {{"--batch", "0"}, "expected a whole number"}}) {
        const Finished finished = meshslice_command(serve(more));
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_THAT(finished.err, HasSubstr(sentence));
    }
    EXPECT_THAT(meshslice_command({"serve", "--model", "vit-32k"}).err, HasSubstr("cannot decode"));
    EXPECT_THAT(meshslice_command({"serve", "--model", "palm-t3"}).err, HasSubstr("gives no vocabulary"));
}

/// 64 heads on 4 x 8 chips: 8 along heads and columns, and four parts that attend to requests of their own.
TEST(CliServe, LaysWeightsCacheAndTokensAsAsked) {
    const auto grid = meshslice_json({"serve", "--model", "llama-3-70b", "--machine", "tpu-v5e", "--tp",
                                      "4x8", "--weights", "int8", "--batch", "64"});
    EXPECT_EQ(grid["tp"], 32);
    EXPECT_EQ(grid["chips"], 32);
    EXPECT_EQ(grid["weights_across"], 4);
    EXPECT_EQ(grid["cache_across"], 4);
    EXPECT_TRUE(grid["tpot_low_s"].is_null()) << "no such row was measured";
    EXPECT_FALSE(grid["nearest"].empty());
    const auto flat = meshslice_json({"serve", "--model", "llama-3-70b", "--machine", "tpu-v5e", "--tp", "32",
                                      "--weights", "int8", "--batch", "64"});
    // Eight heads of the cache: each four times on 32 chips, and once where four parts have their own
    // requests.
    EXPECT_DOUBLE_EQ(grid["memory"]["cache_bytes"].get<double>() * 4,
                     flat["memory"]["cache_bytes"].get<double>());
    EXPECT_FALSE(flat["tpot_low_s"].is_null());
    const auto parts = meshslice_json({"serve", "--model", "llama-3-70b", "--machine", "tpu-v5e", "--tp",
                                       "32", "--cache-across", "4", "--weights", "int8", "--batch", "64"});
    EXPECT_EQ(parts["memory"]["cache_bytes"], grid["memory"]["cache_bytes"]);
    EXPECT_NE(parts["decode"]["exchange"]["time_s"], grid["decode"]["exchange"]["time_s"]);
    const auto groups = meshslice_json({"serve", "--model", "llama-3-70b", "--machine", "h100-nvs8", "--tp",
                                        "8", "--cp", "2", "--batch", "4", "--input", "65536"});
    EXPECT_EQ(groups["chips"], 16);
    EXPECT_EQ(groups["cp"], 2);
    EXPECT_TRUE(groups["ttft_low_s"].is_null());
    EXPECT_THAT(
        meshslice_command({"serve", "--model", "llama-3-70b", "--machine", "tpu-v5e", "--tp", "4x8"}).out,
        HasSubstr("No row of such a layout was measured, so there is no interval."));
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
        {{"--tp", "4x"},
         "--tp is \"4x\"; expected auto, a whole number from 1 to 1048576 or two sides such as 4x8."},
        {{"--tp", "2x4"}, "Weights in two dimensions lie along two axes of a torus"},
        {{"--tp", "8", "--cp", "2", "--cache-across", "2"}, "--cp does not go with --cache-across"},
        {{"--cache-across", "2"}, "--cache-across needs a number of chips in --tp"}};
    for (const auto& [more, sentence] : refused) {
        const Finished finished = meshslice_command(serve(more));
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_THAT(finished.err, HasSubstr(sentence));
    }
}

/// A model of 32 billion numbers fills nearly all of a chip of 80 GB, and what is left holds not one request:
/// such a replica is passed over, and the others are searched.
TEST(CliServe, PassesOverReplicasWithoutRoomForARequest) {
    const std::string file = testing::TempDir() + "/config.json";
    std::ofstream(file)
        << R"({"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "hidden_act": "silu",
        "hidden_size": 5120, "intermediate_size": 27648, "num_hidden_layers": 64, "num_attention_heads": 40,
        "num_key_value_heads": 8, "vocab_size": 152064, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";
    const auto answer =
        meshslice_json({"serve", "--model", file, "--machine", "h100-nvs8", "--chips", "8", "--input", "2000",
                        "--output", "300", "--rate", "10", "--goal", "ttft_p95<1s"});
    ASSERT_TRUE(answer["goal"]["met"].get<bool>());
    EXPECT_LE(answer["goal"]["deployments"][0]["chips"].get<int>(), 8);
    for (const auto& one : answer["goal"]["deployments"]) {
        EXPECT_GT(one["ttft_p95_s"].get<double>(), 0);
    }
}

/// A quiet hour with a burst in the middle: servers that start for it hold fewer chips on average than those
/// that are always there.
TEST(CliServe, SearchesDeploymentsThatScale) {
    const std::string file = testing::TempDir() + "/burst.csv";
    {
        std::ofstream rows(file);
        rows << "arrival_s,input_tokens,output_tokens\n";
        for (int k = 0; k < 3000; ++k) { // one every 2 s, and ten in a second from 1200 s on for 240 s
            const double at = k < 600 ? 2.0 * k : 1200 + 0.1 * (k - 600);
            rows << at << ",1024,256\n";
        }
        for (int k = 0; k < 1080; ++k) {
            rows << 1440 + 2.0 * k << ",1024,256\n";
        }
    }
    const std::vector<std::string> asked = {
        "serve", "--model",       "llama-3-8b", "--machine", "l40s", "--tp",   "1",           "--engine",
        "vllm",  "--arrivals",    file,         "--batch",   "16",   "--goal", "e2e_p95<60s", "--autoscale",
        "8",     "--start-delay", "20s"};
    const auto answer = meshslice_json(asked);
    ASSERT_TRUE(answer["goal"]["met"].get<bool>());
    const auto& first = answer["goal"]["deployments"][0];
    EXPECT_FALSE(first["most_replicas"].is_null());
    EXPECT_GT(first["chips_held"].get<double>(), first["chips"].get<double>());
    for (const auto& other : answer["goal"]["deployments"]) {
        EXPECT_GE(other["met"].get<bool>() ? other["chips_held"].get<double>() : 1e9,
                  first["chips_held"].get<double>());
    }
    EXPECT_THAT(meshslice_command(asked).out, HasSubstr("on average can serve"));
}

/// Two chips of 86 GB hold 141 GB of weights, and no request next to them where a tenth is left alone.
TEST(CliServe, SearchesOnlyWhatHasRoomForARequest) {
    const auto answer = meshslice_json({"serve", "--model", "llama-3-70b", "--machine", "h100-nvs8", "--rate",
                                        "5", "--requests", "200", "--goal", "ttft<1s,tpot<40ms"});
    ASSERT_TRUE(answer["goal"]["met"].get<bool>());
    for (const auto& one : answer["goal"]["deployments"]) {
        EXPECT_GE(one["tp"], 4);
    }
}

/// Servers that fail take more chips, or the answer says that none did.
TEST(CliServe, SearchesDeploymentsWhoseServersFail) {
    const std::vector<std::string> asked = {
        "serve", "--model",       "llama-3-8b", "--machine", "h100", "--rate", "5",           "--engine",
        "vllm",  "--price",       "3",          "--batch",   "32",   "--goal", "ttft_p95<2s", "--fail-every",
        "2 min", "--start-delay", "30s"};
    const auto answer = meshslice_json(asked);
    const auto& first = answer["goal"]["deployments"][0];
    EXPECT_DOUBLE_EQ(answer["goal"]["cost_per_hour"].get<double>(), 3 * first["chips_held"].get<double>());
    const double tokens = answer["simulated"]["tokens_per_s"];
    EXPECT_NEAR(answer["goal"]["cost_per_million_output_tokens"].get<double>(),
                1e6 * 3 * first["chips_held"].get<double>() / 3600 / tokens, 0.05);
    EXPECT_GT(first["failures"], 0);
    EXPECT_THAT(meshslice_command(asked).out, HasSubstr("times in the simulation."));
    std::vector<std::string> sound(asked.begin(), asked.end() - 4);
    EXPECT_LE(meshslice_json(sound)["goal"]["deployments"][0]["chips"], first["chips"]);
}

/// 1024 and 256 tokens are 80 pages of 16, of which half of the prompt is shared: 32 pages, kept once.
TEST(CliServe, SaysWhatACacheHoldsAndWhichLayoutIsQuickest) {
    const auto cache = meshslice_json({"serve", "--model", "llama-3-8b", "--machine", "tpu-v5e", "--tp", "2",
                                       "--efficiency", "ideal", "--prefix", "0.5", "--show", "cache"});
    EXPECT_EQ(cache["kv_cache"]["pages_of_request"], 80 - 32);
    EXPECT_EQ(cache["kv_cache"]["pages_of_prefix"], 32);
    EXPECT_EQ(cache["kv_cache"]["contexts"].back()["requests_that_fit"], 0);
    const auto layouts = meshslice_json(
        {"serve", "--model", "llama-3-8b", "--machine", "h100-nvs8", "--chips", "8", "--show", "shardings"});
    EXPECT_EQ(layouts["shardings"]["chips"], 8);
    std::size_t plain = 0;
    for (const auto& one : layouts["shardings"]["decode"]) {
        plain += one["cp"] == 1 ? 1 : 0;
    }
    EXPECT_EQ(plain, 4u) << "1, 2, 4 and 8 chips a replica";
    EXPECT_TRUE(layouts["shardings"]["exchanges"].empty()) << "a switch has no axes";
    const auto load = meshslice_json({"serve", "--model", "llama-3-8b", "--machine", "h100-nvs8", "--rate",
                                      "4", "--requests", "200", "--engine", "vllm"});
    const auto& steady = load["simulated"]["steady"];
    EXPECT_LT(steady["from_s"], steady["to_s"]);
    EXPECT_NEAR(steady["requests_per_s"].get<double>(), 4, 0.8);
    EXPECT_NEAR(steady["tokens_per_s"].get<double>(), 256 * 4, 256 * 0.8);
}

TEST(CliServe, IsSwept) {
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

/// A run of 32 clients with 1024 and 1024 tokens had 7.93 ms a token.
TEST(CliServe, HasAnIntervalAroundWhatWasMeasuredUnderTheEngine) {
    const nlohmann::json answer =
        meshslice_json({"serve", "--model", "gpt-oss-120b", "--machine", "b200", "--weights", "fp4",
                        "--engine", "vllm", "--batch", "32", "--input", "1024", "--output", "1024"});
    EXPECT_LT(answer.at("tpot_low_s"), 0.00793);
    EXPECT_GT(answer.at("tpot_high_s"), 0.00793);
}

/// The fewest chips: one replica less does not meet the goal, and what is answered is what was found.
TEST(CliServe, FindsTheCheapestDeploymentForARate) {
    const std::vector<std::string> words = {
        "serve", "--model",    "llama-3-8b", "--machine", "h100-nvs8",
        "--tp",  "1",          "--engine",   "vllm",      "--rate",
        "20",    "--requests", "300",        "--goal",    "ttft_p95<300ms,tpot<15ms"};
    const nlohmann::json answer = meshslice_json(words);
    const nlohmann::json& goal = answer.at("goal");
    ASSERT_TRUE(goal.at("met").get<bool>());
    EXPECT_TRUE(goal.at("cost_per_hour").is_null()) << "no price was said";
    const nlohmann::json& first = goal.at("deployments").at(0);
    EXPECT_EQ(first.at("chips"), answer.at("chips"));
    EXPECT_LE(first.at("ttft_p95_s").get<double>(), 0.3);
    EXPECT_LE(first.at("tpot_p95_s").get<double>(), 0.015);
    EXPECT_LT(first.at("one_fewer").at("chips"), first.at("chips"));
    EXPECT_FALSE(first.at("one_fewer").at("met").get<bool>());
    EXPECT_FALSE(answer.at("simulated").at("saturated").get<bool>());
    ASSERT_EQ(goal.at("deployments").size(), 2U) << "one pool, and two";
    EXPECT_GE(goal.at("deployments").at(1).at("chips"), first.at("chips"));
    ASSERT_EQ(goal.at("changes").size(), 4U);
    for (const nlohmann::json& change : goal.at("changes")) {
        EXPECT_LE(change.at("chips_at_twice"), first.at("chips"));
    }
    std::vector<std::string> impossible = words;
    impossible.back() = "tpot<1us";
    EXPECT_THAT(meshslice_command(impossible).out, HasSubstr("No deployment that was tried meets the goal"));
}

/// Half of the prompt is there already; three drafts of which all are taken make four tokens; the slower pool
/// bounds both.
TEST(CliServe, SharesPrefixesChecksDraftsAndHasPools) {
    const std::vector<std::string> words = {"--engine", "vllm", "--tp", "8", "--batch", "8"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return meshslice_json(serve(more));
    };
    const nlohmann::json plain = with({}), prefix = with({"--prefix", "0.5"}),
                         drafts = with({"--drafts", "3", "--acceptance", "1"});
    EXPECT_LT(prefix.at("ttft_s").get<double>(), 0.75 * plain.at("ttft_s").get<double>());
    EXPECT_EQ(prefix.at("tpot_s"), plain.at("tpot_s"));
    EXPECT_EQ(drafts.at("tokens_per_step"), 4);
    EXPECT_LT(drafts.at("tpot_s").get<double>(), plain.at("tpot_s").get<double>());
    const nlohmann::json pools = with({"--prefill-chips", "8", "--decode-chips", "16"});
    EXPECT_EQ(pools.at("chips"), 24);
    EXPECT_GT(pools.at("pools").at("transfer_s").get<double>(), 0);
    const nlohmann::json& its = pools.at("pools");
    EXPECT_NEAR(pools.at("tokens_per_s").get<double>() / 256,
                std::min(its.at("prefill_requests_per_s").get<double>(),
                         its.at("decode_requests_per_s").get<double>()),
                1e-9);
    const nlohmann::json stages = with({"--pp", "2"});
    EXPECT_EQ(stages.at("chips"), 16);
    // Of 70.55e9 parameters all but the embedding and the head of 128256 x 8192, a byte each on 8 chips: half
    // of them lie in the other stage.
    EXPECT_NEAR(plain.at("memory").at("weights_bytes").get<double>() -
                    stages.at("memory").at("weights_bytes").get<double>(),
                (70.55e9 - 2 * 128256.0 * 8192) / 2 / 8, 1e7);
    for (const auto& [more, sentence] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--ep", "2"}, "has no experts"},
             {{"--acceptance", "0.5"}, "--acceptance has no effect"},
             {{"--prefill-chips", "8"}, "go together"},
             {{"--pp", "2", "--rate", "1"}, "--pp has no effect"},
             {{"--routing", "round-robin"}, "--routing has no effect"}}) {
        const Finished finished = meshslice_command(serve(more));
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_THAT(finished.err, HasSubstr(sentence));
    }
}

TEST(CliServe, WritesServersAndTheirRequestsAsATrace) {
    const TemporaryFolder folder;
    const std::string file = folder.path("served.json");
    const std::vector<std::string> asked =
        serve({"--tp", "8", "--rate", "4", "--requests", "60", "--trace", file});
    EXPECT_EQ(meshslice_command(asked).exit_code, 0);
    const nlohmann::json trace = nlohmann::json::parse(file_content(file));
    std::set<std::string> threads;
    std::map<std::int64_t, double> decodes; // s, by request
    for (const nlohmann::json& event : trace.at("traceEvents")) {
        if (event.at("name") == "thread_name") {
            threads.insert(event.at("args").at("name").get<std::string>());
        } else if (event.at("ph") == "X" && event.at("cat") == "decode") {
            decodes[event.at("args").at("request").get<std::int64_t>()] +=
                event.at("dur").get<double>() / 1e6;
        }
    }
    EXPECT_TRUE(threads.contains("steps"));
    EXPECT_TRUE(threads.contains("slot 1"));
    EXPECT_EQ(decodes.size(), 60U); // each has 255 tokens after the first
    const nlohmann::json same = meshslice_json(serve({"--tp", "8", "--rate", "4", "--requests", "60"}));
    double sum = 0;
    for (const auto& [request, seconds] : decodes) {
        sum += seconds / 255 / 60;
    }
    EXPECT_NEAR(sum, same.at("simulated").at("tpot").at("mean_s").get<double>(), 1e-3 * sum);
}

TEST(CliServe, OpensAStepDownToTheLinks) {
    const TemporaryFolder folder;
    const std::string file = folder.path("step.json");
    const std::vector<std::string> asked =
        serve({"--tp", "8", "--phase", "decode", "--trace", file, "--open", "layer 1: all-reduce"});
    EXPECT_EQ(meshslice_command(asked).exit_code, 0);
    EXPECT_THAT(file_content(file), HasSubstr("chip 8 of 8"));
}

TEST(CliServe, LetsServersFailAndStart) {
    const std::vector<std::string> load = {"--tp", "8", "--rate", "12", "--requests", "2000"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.end(), load.begin(), load.end());
        return meshslice_json(serve(more)).at("simulated");
    };
    const nlohmann::json steady = with({}), failing = with({"--fail-every", "40s", "--start-delay", "10s"}),
                         scaled = with({"--autoscale", "3", "--start-delay", "1s"});
    EXPECT_EQ(steady.at("failures"), 0);
    EXPECT_DOUBLE_EQ(steady.at("servers"), 1);
    EXPECT_GT(failing.at("failures"), 0);
    EXPECT_GT(failing.at("restarts"), 0);
    EXPECT_LT(failing.at("servers"), 1); // it is away now and then
    EXPECT_GT(failing.at("ttft").at("p99_s"), steady.at("ttft").at("p99_s"));
    EXPECT_GT(scaled.at("servers"), 1);
    EXPECT_LE(scaled.at("servers"), 3);
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--fail-every", "40s"},
          {"--rate", "4", "--start-delay", "1s"},
          {"--rate", "4", "--span", "9:3"},
          {"--rate", "4", "--requests", "10", "--span", "1000:2000"},
          {"--rate", "4", "--chips", "16", "--tp", "8", "--autoscale", "1"}}) {
        const auto refused = meshslice_command(serve(wrong));
        EXPECT_NE(refused.exit_code, 0) << testing::PrintToString(wrong);
        EXPECT_THAT(refused.err, HasSubstr(wrong.size() == 2 ? wrong[0] : wrong[wrong.size() - 2]));
    }
}

/// A project's deployment is asked as flags say it: the example has two H200s for 64 requests of 2048 and 512
/// tokens. A flag overrides it; a training project has the model and the machine.
TEST(CliServe, TakesTheDeploymentOfAProject) {
    const std::string file = source_file("resources/examples/serve-llama-3-70b.meshslice.json");
    const std::vector<std::string> flags = {"serve",     "--model",  "llama-3-70b", "--machine",
                                            "h200-nvs8", "--batch",  "64",          "--input",
                                            "2048",      "--output", "512"};
    EXPECT_EQ(printed({"serve", "--scenario", file}), printed(flags));
    std::vector<std::string> fewer = flags;
    fewer[6] = "32";
    EXPECT_EQ(printed({"serve", "--scenario", file, "--batch", "32"}), printed(fewer));
    EXPECT_THAT(
        printed({"serve", "--scenario", source_file("resources/examples/train-llama-3-70b.meshslice.json")}),
        HasSubstr("Llama 3 70B, weights in bf16, on 4 x NVIDIA H100 SXM, domains of 8, 32 requests"));
    EXPECT_THAT(printed({"sweep", "--scenario", file, "--vary", "batch=32,64"}),
                HasSubstr("tokens/s of a user"));
    EXPECT_THAT(meshslice_command({"serve", "--machine", "h100"}).err,
                HasSubstr("--model is needed, or --scenario FILE; "));
    EXPECT_THAT(meshslice_command({"serve", "--model", "llama-3-8b", "--variant", "A"}).err,
                HasSubstr("--variant needs --scenario FILE."));
    const TemporaryFolder folder;
    std::string wrong = file_content(file);
    wrong.replace(wrong.find("\"output\""), 8, "\"outpt\"");
    const std::string its = folder.file("wrong.json", wrong);
    EXPECT_THAT(meshslice_command({"serve", "--scenario", its}).err,
                HasSubstr(its + ": Serving has no field \"outpt\""));
}

TEST(CliServe, SweepsASimulationByItsMedians) {
    const nlohmann::json one = meshslice_json(serve({"--tp", "8", "--rate", "12", "--requests", "300"}));
    const nlohmann::json swept =
        meshslice_json({"sweep", "--of", "serve", "--model", "llama-3-70b", "--machine", "h100-nvs8",
                        "--weights", "fp8", "--tp", "8", "--requests", "300", "--vary", "rate=1,12"});
    EXPECT_NE(swept.dump().find(one.at("simulated").at("ttft").at("p50_s").dump()), std::string::npos);
}

TEST(CliServe, SaysOneTokenAndOneChipInTheSingular) {
    const std::string words = meshslice_command(serve({"--batch", "1", "--output", "1"})).out;
    EXPECT_THAT(words, HasSubstr("The only token after"));
    EXPECT_THAT(words, HasSubstr("1 request of 1024 and 1 token\n"));
    EXPECT_THAT(words, testing::Not(HasSubstr("next token")));
    EXPECT_THAT(words, testing::Not(HasSubstr("1 requests")));
}

} // namespace
} // namespace meshslice::test
