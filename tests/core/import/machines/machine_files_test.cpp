// Files in the forms of other programs, with numbers of their own.

#include "core/base/json/json_reader.h"
#include "core/import/machines/machine_files.h"
#include "core/machine/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string seed(const std::string& name) {
    return read_text_file(std::string(MESHSLICE_SOURCE_DIR) + "/tests/fuzz/seeds/evidence/" + name).value();
}
Machine preset(const char* name) {
    return machine_preset(name).value();
}

TEST(MachineFiles, AreKnownByWhatTheyHold) {
    const auto writer = [](const std::string& name) { return *writer_of_machine(seed(name), name); };
    EXPECT_EQ(writer("eight-gpus.txt"), MachineWriter::topology);
    EXPECT_EQ(writer("calculon.json"), MachineWriter::calculon);
    EXPECT_EQ(writer("astra-network.yml"), MachineWriter::astra_network);
    EXPECT_EQ(writer("astra-system.json"), MachineWriter::astra_system);
    EXPECT_EQ(writer("aiconfigurator.yaml"), MachineWriter::aiconfigurator);
    EXPECT_EQ(writer("genz.py"), MachineWriter::genz);
    EXPECT_EQ(writer("llm-viewer.json"), MachineWriter::llm_viewer);
    EXPECT_THAT(writer_of_machine("{\"a\": 1}", "a.json").error().sentence,
                AllOf(HasSubstr("a.json: expected"), HasSubstr("ASTRA-sim")));
}

TEST(AstraNetworks, AreSwitchesFromTheInsideOut) {
    const auto draft = machine_of_astra_network(seed("astra-network.yml"), preset("h100"), "net.yml");
    ASSERT_TRUE(draft) << draft.error().sentence;
    const std::vector<Level>& levels = draft->machine.network.levels;
    ASSERT_EQ(levels.size(), 2U);
    EXPECT_EQ(levels[0].units.value, 4);
    EXPECT_DOUBLE_EQ(levels[0].line_rate(), 300e9);
    EXPECT_EQ(levels[0].latency.value, seconds(800e-9)) << "to the switch and from it";
    EXPECT_DOUBLE_EQ(levels[0].efficiency.value, 1);
    EXPECT_EQ(levels[1].units.value, 0) << "as many as there are";
    EXPECT_DOUBLE_EQ(levels[1].line_rate(), 25e9) << "a ring of two has one link for each";
    EXPECT_EQ(levels[1].latency.value, seconds(2e-6));
    EXPECT_EQ(draft->machine.peak, preset("h100").peak);
    EXPECT_THAT(draft->missing, AllOf(Contains(HasSubstr("4 x 2")), Contains(HasSubstr("as Ring"))));
}

TEST(AstraNetworks, WithRingsInsideAreTori) {
    const auto draft = machine_of_astra_network("topology: [Ring, Ring, Switch]\nnpus_count: [4, 8, "
                                                "3]\nbandwidth: [80, 70, 5]\nlatency: [500, 700, 1000]\n",
                                                preset("tpu-v5e"), "net.yml");
    ASSERT_TRUE(draft) << draft.error().sentence;
    const Machine& machine = draft->machine;
    EXPECT_EQ(machine.network.torus_axes(), 2);
    EXPECT_DOUBLE_EQ(machine.network.link_bandwidth(0).value(), 80e9);
    EXPECT_DOUBLE_EQ(machine.network.link_bandwidth(1).value(), 70e9);
    EXPECT_EQ(machine.sync.value, seconds(700e-9));
    EXPECT_EQ(machine.pod.chips.value, 0) << "any mesh";
    EXPECT_EQ(machine.network.levels.size(), 2U);
}

/// The older form has links by number; chips that are all linked have one to each other.
TEST(AstraNetworks, HaveOtherForms) {
    const auto older = machine_of_astra_network(
        R"({"topologies-per-dim": ["FullyConnected", "Switch"], "units-count": [8, 4], "links-count": [7, 2],
            "link-latency": [500, 600], "link-bandwidth": [25, 12.5], "hbm-bandwidth": [370, 370]})",
        preset("h100"), "net.json");
    ASSERT_TRUE(older) << older.error().sentence;
    EXPECT_DOUBLE_EQ(older->machine.network.levels[0].line_rate(), 7 * 25e9);
    EXPECT_EQ(older->machine.network.levels[0].latency.value, seconds(500e-9));
    EXPECT_DOUBLE_EQ(older->machine.network.levels[1].line_rate(), 2 * 12.5e9);
    EXPECT_THAT(older->missing, Contains(HasSubstr("no counterpart here: hbm-bandwidth")));

    const auto logical =
        machine_of_astra_network(R"({"logical-dims": ["4", "2"]})", preset("h100"), "logical.json");
    ASSERT_TRUE(logical) << logical.error().sentence;
    EXPECT_EQ(logical->machine.network.levels[0].units.value, 4);
    EXPECT_DOUBLE_EQ(logical->machine.network.levels[0].line_rate(), 450e9) << "the chip's own";
    EXPECT_DOUBLE_EQ(logical->machine.network.levels[1].line_rate(), 50e9);
    const auto torus =
        machine_of_astra_network(R"({"logical-dims": ["4", "2"]})", preset("tpu-v5e"), "logical.json");
    ASSERT_FALSE(torus) << "its rings would be lost";
    EXPECT_THAT(torus.error().sentence, HasSubstr("TPU v5e forms a torus; expected a GPU"));
}

TEST(AstraNetworks, SayWhatIsWrong) {
    const auto refusal = [](const std::string& text) {
        const auto draft = machine_of_astra_network(text, preset("h100"), "net.yml");
        return draft ? std::string("taken") : draft.error().sentence;
    };
    const std::string rest = "bandwidth: [1, 1]\nlatency: [1, 1]\n";
    EXPECT_THAT(refusal("topology: [Ring, Mesh]\nnpus_count: [2, 2]\n" + rest),
                HasSubstr("\"FullyConnected\""));
    EXPECT_THAT(refusal("topology: [Ring]\nnpus_count: [2, 2]\n" + rest), HasSubstr("there are topologies"));
    EXPECT_THAT(refusal("topology: [Ring, Ring]\nnpus_count: [2.5, 2]\n" + rest), HasSubstr("whole numbers"));
    EXPECT_THAT(refusal("topology: [Ring]\nnpus_count: [2]\n" + rest), HasSubstr("bandwidth"));
    EXPECT_THAT(refusal("topology: [Ring]\nnpus_count: [1]\nbandwidth: [1]\nlatency: [1]\n"),
                HasSubstr("joins one chip"));
}

TEST(AstraSystems, HaveAPeakAndABandwidth) {
    const auto draft = machine_of_astra_system(seed("astra-system.json"), preset("h100"), "system.json");
    ASSERT_TRUE(draft) << draft.error().sentence;
    EXPECT_DOUBLE_EQ(draft->machine.effective_rate(DataType::bf16).value(), 250e12);
    EXPECT_DOUBLE_EQ(draft->machine.hbm_bandwidth.value.value(), 1200e9);
    EXPECT_EQ(draft->machine.network, preset("h100").network);
    EXPECT_THAT(draft->missing, Contains(AllOf(HasSubstr("endpoint-delay"), HasSubstr("roofline-enabled"))));
}

TEST(AiconfiguratorSystems, AreGpusAndServers) {
    const auto draft = machine_of_aiconfigurator(seed("aiconfigurator.yaml"), preset("h100"), "own.yaml");
    ASSERT_TRUE(draft) << draft.error().sentence;
    const Machine& machine = draft->machine;
    EXPECT_DOUBLE_EQ(machine.peak_rate(DataType::bf16).value(), 250e12);
    EXPECT_DOUBLE_EQ(machine.peak_rate(DataType::fp8).value(), 500e12);
    EXPECT_DOUBLE_EQ(machine.peak_rate(DataType::int8).value(), 0) << "the file has none";
    EXPECT_EQ(machine.hbm.value.value(), 48'000'000'000);
    EXPECT_DOUBLE_EQ(machine.power.value, 350);
    ASSERT_EQ(machine.network.levels.size(), 2U);
    EXPECT_EQ(machine.network.levels[0].units.value, 4);
    EXPECT_DOUBLE_EQ(machine.network.levels[0].line_rate(), 300e9);
    EXPECT_EQ(machine.network.levels[0].latency.value, seconds(3e-6));
    EXPECT_DOUBLE_EQ(machine.network.levels[1].line_rate(), 25e9);
    EXPECT_THAT(draft->missing,
                AllOf(Contains(HasSubstr("gpu/mem_bw_empirical_scaling_factor, gpu/sm_version")),
                      Contains(HasSubstr("data_dir, misc"))));
}

/// What its file does not have is named, and no sum in a switch is taken over from the chip.
TEST(AiconfiguratorSystems, SumNothingInSwitches) {
    std::string text = seed("aiconfigurator.yaml");
    text.erase(text.find("  p2p_latency"), std::string("  p2p_latency: 0.000003\n").size());
    const Machine chip = preset("gb200-nvl72");
    ASSERT_TRUE(chip.network.levels[0].reduces);
    const auto draft = machine_of_aiconfigurator(text, chip, "own.yaml");
    ASSERT_TRUE(draft) << draft.error().sentence;
    EXPECT_FALSE(draft->machine.network.levels[0].reduces);
    EXPECT_THAT(draft->missing, AllOf(Contains("Whether switches add up an all-reduce: here none does."),
                                      Contains("Latencies: those of " + chip.title + ".")));
}

TEST(AiconfiguratorSystems, HaveAnOlderForm) {
    std::string text = seed("aiconfigurator.yaml");
    text.replace(text.find("bfloat16_tc_flops"), std::string("bfloat16").size(), "float16");
    const auto draft = machine_of_aiconfigurator(text, preset("h100"), "own.yaml");
    ASSERT_TRUE(draft) << draft.error().sentence;
    EXPECT_DOUBLE_EQ(draft->machine.peak_rate(DataType::bf16).value(), 250e12);
    EXPECT_DOUBLE_EQ(draft->machine.peak_rate(DataType::fp16).value(), 250e12);
    EXPECT_THAT(draft->missing, Not(Contains(HasSubstr("float16_tc_flops"))));
}

TEST(AiconfiguratorSystems, HaveRacks) {
    std::string text = seed("aiconfigurator.yaml");
    text.replace(text.find("  inter_node_bw"), 0, "  num_gpus_per_rack: 72\n  inter_rack_bw: 5e10\n");
    const auto draft = machine_of_aiconfigurator(text, preset("h100"), "own.yaml");
    ASSERT_TRUE(draft) << draft.error().sentence;
    const std::vector<Level>& levels = draft->machine.network.levels;
    ASSERT_EQ(levels.size(), 3U);
    EXPECT_EQ(levels[1].units.value, 18) << "servers of a rack";
    EXPECT_DOUBLE_EQ(levels[1].line_rate(), 25e9);
    EXPECT_DOUBLE_EQ(levels[2].line_rate(), 50e9);
}

TEST(ChipSheets, AreOneOfSeveral) {
    const auto read = [](const char* file, const std::string& entry) {
        return machine_of_chip_sheet(seed(file), preset("h100"), file, entry);
    };
    const auto large = read("genz.py", "Large_GPU");
    ASSERT_TRUE(large) << large.error().sentence;
    EXPECT_DOUBLE_EQ(large->machine.peak_rate(DataType::bf16).value(), 250e12);
    EXPECT_EQ(large->machine.hbm.value.value(), 48'000'000'000);
    EXPECT_DOUBLE_EQ(large->machine.hbm_bandwidth.value.value(), 1200e9);
    EXPECT_DOUBLE_EQ(large->machine.network.levels[0].line_rate(), 300e9);
    EXPECT_EQ(large->machine.network.levels[0].latency.value, seconds(2e-6));
    EXPECT_THAT(large->missing, Contains(HasSubstr("release_year")));
    EXPECT_THAT(read("genz.py", "").error().sentence, HasSubstr("Large_GPU and Small_GPU"));
    EXPECT_THAT(read("genz.py", "H1").error().sentence, HasSubstr("has no chip \"H1\""));

    const auto viewer = read("llm-viewer.json", "");
    ASSERT_TRUE(viewer) << viewer.error().sentence;
    EXPECT_DOUBLE_EQ(viewer->machine.peak_rate(DataType::int8).value(), 500e12);
    EXPECT_DOUBLE_EQ(viewer->machine.hbm_bandwidth.value.value(), 1200e9);
    EXPECT_EQ(viewer->machine.on_chip_memory.value.value(), 30'000'000);
}

TEST(MachineFiles, AreWrittenAsMachines) {
    const auto written = [](const Result<MachineDraft>& draft) {
        Machine machine = draft.value().machine;
        machine.name = "mine";
        const Result<Machine> read = read_machine(write_machine(machine), "written");
        return read ? std::string() : read.error().sentence;
    };
    EXPECT_EQ(written(machine_of_astra_network(seed("astra-network.yml"), preset("h100"), "n")), "");
    EXPECT_EQ(written(machine_of_astra_network(
                  "topology: [Ring]\nnpus_count: [8]\nbandwidth: [50]\nlatency: [500]", preset("h100"), "n")),
              "");
    EXPECT_EQ(written(machine_of_astra_system(seed("astra-system.json"), preset("h100"), "n")), "");
    EXPECT_EQ(written(machine_of_aiconfigurator(seed("aiconfigurator.yaml"), preset("h100"), "n")), "");
    EXPECT_EQ(written(machine_of_chip_sheet(seed("genz.py"), preset("h100"), "n", "Small_GPU")), "");
}

} // namespace
} // namespace meshslice
