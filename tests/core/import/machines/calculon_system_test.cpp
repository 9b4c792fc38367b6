// Files in the forms of Calculon's systems and models, with numbers of their own.

#include "core/import/machines/calculon_system.h"
#include "core/machine/catalogue.h"
#include "core/model/transformer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::Contains;
using testing::HasSubstr;

const std::string system_json = R"({
  "matrix": {"float8": {"tflops": 200, "gflops_efficiency": [[64, 0.8], [0, 0.1]]},
             "float16": {"tflops": 100, "gflops_efficiency": [[0, 0.1], [128, 0.9], [16, 0.5]]}},
  "vector": {"float16": {"tflops": 12, "gflops_efficiency": [[16, 0.95], [0, 0.1]]}},
  "mem1": {"GiB": 40, "GBps": 1500, "MB_efficiency": [[100, 0.9], [0, 0.3]]},
  "mem2": {"GiB": 256, "GBps": 25, "MB_efficiency": [[100, 0.9], [0, 0.3]]},
  "processing_mode": "no_overlap",
  "networks": [
    {"bandwidth": 200, "efficiency": 0.7, "size": 4, "latency": 0.000001,
     "ops": {"p2p": [1.0, null], "reduce_scatter": [1.0, 0], "all_gather": [1.0, 0], "all_reduce": [1.0, 1]},
     "must_be_filled": true, "processor_usage": 0.15},
    {"bandwidth": 20, "efficiency": 0.9, "size": 64, "latency": 0.000002,
     "ops": {"p2p": [1.0, null], "reduce_scatter": [1.0, 0], "all_gather": [1.0, 0], "all_reduce": [1.0, 0]},
     "must_be_filled": false, "processor_usage": 0.02}]})";

std::string with(const std::string& old, const std::string& other) {
    std::string changed = system_json;
    return changed.replace(changed.find(old), old.size(), other);
}

Result<MachineDraft> drafted_of(const std::string& json, const char* chip = "h100") {
    return machine_of_calculon(json, *machine_preset(chip), "mine.json");
}

TEST(CalculonSystems, AreReadAsFarAsTheyMap) {
    const Result<MachineDraft> draft = drafted_of(system_json);
    ASSERT_TRUE(draft) << draft.error().sentence;
    const Machine& machine = draft->machine;
    EXPECT_DOUBLE_EQ(machine.peak_rate(DataType::bf16).value(), 100e12);
    EXPECT_DOUBLE_EQ(machine.peak_rate(DataType::fp8).value(), 200e12);
    EXPECT_DOUBLE_EQ(machine.peak_rate(DataType::int8).value(), 0) << "the file has none";
    EXPECT_DOUBLE_EQ(machine.effective_fraction.value, 0.9) << "of the largest products";
    EXPECT_DOUBLE_EQ(machine.vector_rate.value.value(), 12e12);
    EXPECT_EQ(machine.hbm.value.value(), 40LL << 30);
    EXPECT_DOUBLE_EQ(machine.hbm_bandwidth.value.value(), 1500e9);
    EXPECT_DOUBLE_EQ(machine.pcie.value.value(), 25e9);
    const std::vector<Level>& levels = machine.network.levels;
    ASSERT_EQ(levels.size(), 2U);
    EXPECT_EQ(levels[0].units.value, 4);
    EXPECT_DOUBLE_EQ(levels[0].line_rate(), 200e9);
    EXPECT_DOUBLE_EQ(levels[0].efficiency.value, 0.7);
    EXPECT_EQ(levels[0].latency.value, seconds(1e-6));
    EXPECT_EQ(levels[1].units.value, 0) << "as many as there are";
    EXPECT_EQ(machine.cores, machine_preset("h100")->cores);
    EXPECT_THAT(draft->missing, Contains(HasSubstr("The size of the outermost network, 64")));
}

/// Before types of numbers, a part had one peak, and efficiencies by type.
TEST(CalculonSystems, HaveAnOlderForm) {
    const std::string older = R"({
      "matrix": {"tflops": 50, "gflops_efficiency": {"float16": [[128, 0.6], [0, 0.1]]}},
      "vector": {"tflops": 5, "gflops_efficiency": {"float16": [[128, 0.9]]}},
      "mem1": {"GiB": 16, "GBps": 900}, "networks": [{"bandwidth": 10, "efficiency": 1, "size": 8, "latency": 0}]})";
    const Result<MachineDraft> draft = drafted_of(older);
    ASSERT_TRUE(draft) << draft.error().sentence;
    EXPECT_DOUBLE_EQ(draft->machine.peak_rate(DataType::bf16).value(), 50e12);
    EXPECT_DOUBLE_EQ(draft->machine.effective_fraction.value, 0.6);
    EXPECT_EQ(draft->machine.pcie, machine_preset("h100")->pcie) << "no second memory";
}

/// What was drafted is a machine's file.
TEST(CalculonSystems, AreWrittenAsMachines) {
    Machine machine = drafted_of(system_json)->machine;
    machine.name = "mine";
    const Result<Machine> read = read_machine(write_machine(machine), "written");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(write_machine(*read), write_machine(machine));
}

TEST(CalculonSystems, SayWhatIsWrong) {
    const auto refusal = [](const std::string& json) { return drafted_of(json).error().sentence; };
    EXPECT_THAT(refusal("{}"), HasSubstr("mine.json lacks"));
    EXPECT_THAT(refusal(with("\"size\": 64", "\"size\": 6")),
                HasSubstr("must be a multiple of the network within"));
    EXPECT_THAT(refusal(with("[128, 0.9]", "[128, 1.9]")), HasSubstr("a share up to 1"));
    EXPECT_THAT(refusal(with("\"GBps\": 1500", "\"GBps\": -1")), HasSubstr("GBps"));
    EXPECT_THAT(drafted_of(system_json, "tpu-v5e").error().sentence, HasSubstr("forms a torus"));
}

TEST(CalculonModels, AreModels) {
    const std::string json = R"({"hidden": 512, "feedforward": 2048, "seq_size": 128, "attn_heads": 8,
                                 "attn_size": 64, "num_blocks": 6})";
    const Result<Transformer> model = read_any_model(json, "small-one.json");
    ASSERT_TRUE(model) << model.error().sentence;
    EXPECT_EQ(model->name, "small-one");
    EXPECT_EQ(model->layers, 6);
    EXPECT_EQ(model->kv_heads, 8);
    EXPECT_EQ(model->head_size, 64);
    EXPECT_EQ(model->feed_forward, 2048);
    EXPECT_EQ(model->sequence, 128);
    EXPECT_FALSE(model->gated);
    EXPECT_EQ(model->vocabulary, 0);
    const Result<Transformer> other =
        read_any_model(R"({"num_blocks": 6, "attn_heads": 8, "x": 1})", "a.json");
    EXPECT_THAT(other.error().sentence, HasSubstr("a.json"));
}

} // namespace
} // namespace meshslice
