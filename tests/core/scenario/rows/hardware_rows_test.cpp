#include "core/machine/catalogue.h"
#include "core/scenario/fields.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;

Scenario with_hardware(const char* hardware) {
    Scenario scenario = default_scenario();
    scenario.hardware = machine_preset(hardware).value();
    return scenario;
}

Result<void> typed(Scenario& scenario, const char* key, const char* words) {
    const Field<Scenario>& row = scenario_field(key);
    return set_text(row, scenario, words, row.flag);
}

TEST(HardwareRows, TakeValuesUnitsAndFactors) {
    const struct {
        const char* key;
        const char* words;
        double expected;
    } rows[] = {
        {"hbm_bandwidth", "90 GB/s", 90e9},
        {"hbm_bandwidth", "9e10", 90e9},
        {"hbm_bandwidth", "x 0.5", 1.4e12},
        {"hbm_bandwidth", "x2", 5.6e12},
        {"hbm_bandwidth", "0.5x", 1.4e12},
        {"hbm_bandwidth", "\u00d7 1/4", 0.7e12},
        {"hbm_bandwidth", "2*45 GB/s", 90e9},
        {"hbm_capacity", "192 GB", 192e9},
        {"hbm_capacity", "x 1/3", 32e9},
        {"sync", "2us", 2e-6},
        {"sync", "x 3", 3e-6},
        {"links", "45 GB/s", 45e9},
        {"links_horizontal", "x 2", 180e9},
        {"effective_fraction_of_peak", "0.9", 0.9},
        {"launch_all_gather", "500 ns", 0.5e-6},
        {"peak", "x 2", 2 * 459e12},
    };
    for (const auto& row : rows) {
        Scenario scenario = with_hardware("tpu-v5p");
        const Result<void> set = typed(scenario, row.key, row.words);
        ASSERT_TRUE(set) << row.key << " " << row.words << ": " << set.error().sentence;
        EXPECT_NEAR(std::get<double>(scenario_field(row.key).get(scenario)), row.expected,
                    1e-12 * row.expected)
            << row.key << " " << row.words;
        ASSERT_TRUE(typed(scenario, row.key, "x 1"));
        EXPECT_EQ(scenario, with_hardware("tpu-v5p")) << row.key << ": x 1 takes the edit back";
    }
}

TEST(HardwareRows, OfSwitchesHaveNoLinks) {
    Scenario scenario = with_hardware("h100");
    const Result<void> set = typed(scenario, "links_vertical", "x 2");
    ASSERT_FALSE(set);
    EXPECT_THAT(set.error().sentence, HasSubstr("has switches, no links along axes; domain-bandwidth"));
}

TEST(HardwareRows, RefuseWhatTheyCannotBe) {
    const struct {
        const char* key;
        const char* words;
        const char* says;
    } rows[] = {
        {"hbm_bandwidth", "fast", "--hbm-bandwidth: \"fast\" is not a quantity in B/s"},
        {"hbm_bandwidth", "5 B/s",
         "1.00\u2009MB/s to 10.0\u2009PB/s or a factor of the preset's such as x 0.5"},
        {"hbm_bandwidth", "x", "--hbm-bandwidth: \"x\" is not a factor above 0"},
        {"hbm_bandwidth", "x -2", "is not a factor above 0"},
        {"hbm_bandwidth", "x 0", "is not a factor above 0"},
        {"links_third", "x 2", "form a torus of 2 axes"},
        {"cores", "x 3/2", "expected another factor"},
        {"peak", "64nFLOP/s", "or at least 1.00\u2009GFLOP/s"},
        {"peak", "x 1e-9", "or at least 1.00\u2009GFLOP/s"},
    };
    for (const auto& row : rows) {
        Scenario scenario = with_hardware("tpu-v5e");
        const Result<void> set = typed(scenario, row.key, row.words);
        ASSERT_FALSE(set) << row.words;
        EXPECT_THAT(set.error().sentence, HasSubstr(row.says));
        EXPECT_EQ(scenario, with_hardware("tpu-v5e"));
    }
}

/// Of all axes at once, and what is shown where they differ.
TEST(HardwareRows, LinksAreThoseOfAllAxes) {
    Scenario scenario = with_hardware("tpu-v5p");
    ASSERT_TRUE(typed(scenario, "links_vertical", "x 0.5"));
    EXPECT_EQ(text(scenario_field("links"), scenario_field("links").get(scenario)), "by axis");
    ASSERT_TRUE(typed(scenario, "links", "by axis"));
    EXPECT_EQ(scenario.hardware.network.link_bandwidth(0), Bandwidth(45e9)) << "as they are";
    ASSERT_TRUE(typed(scenario, "links", "x 2"));
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(scenario.hardware.network.link_bandwidth(axis), Bandwidth(180e9));
    }
    EXPECT_EQ(scenario.hardware.title, "TPU v5p, link bandwidth x 2");
}

TEST(HardwareRows, ThePeakIsThatOfTheDataType) {
    Scenario scenario = with_hardware("tpu-v5p");
    scenario.assume.schedule.type = DataType::int8;
    ASSERT_TRUE(typed(scenario, "peak", "x 0.5"));
    EXPECT_EQ(scenario.hardware.peak_rate(DataType::int8), FlopRate(459e12));
    EXPECT_EQ(scenario.hardware.peak_rate(DataType::bf16), FlopRate(459e12));
    EXPECT_EQ(scenario.hardware.title, "TPU v5p, peak in int8 x 0.5");
}

TEST(HardwareRows, SayWhenTheyHaveNoEffect) {
    Scenario scenario = with_hardware("tpu-v5p"); // says no tile, so the chip model is roofline
    const auto objection = [&](const char* key) { return scenario_field(key).objection(scenario); };
    EXPECT_EQ(objection("cores"), "The chip model is roofline; only the tiled one counts it.");
    EXPECT_EQ(objection("output_tile_rows"), "") << "with a tile the chip model is tiled";
    scenario.assume.schedule.chip = ChipModel::tiled;
    EXPECT_EQ(objection("cores"), "");
    EXPECT_EQ(objection("on_chip_memory"), "");
    scenario.hardware.output_tile.value = 256;
    EXPECT_EQ(objection("on_chip_memory"), "The hardware says how large the output tile of a core is.");
}

/// A scenario with edited hardware is written in full and read back as the same, which preset it is of
/// included.
TEST(HardwareRows, AScenarioFileKeepsTheEdit) {
    Scenario scenario = with_hardware("tpu-v5p");
    ASSERT_TRUE(typed(scenario, "links", "x 0.5"));
    const std::string file = write_scenario(scenario);
    const auto json = nlohmann::json::parse(file);
    EXPECT_EQ(json["hardware"]["based_on"], "tpu-v5p");
    Result<Scenario> read = read_scenario(file, "edited.json");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, scenario);
    ASSERT_TRUE(typed(*read, "links", "x 1"));
    EXPECT_EQ(nlohmann::json::parse(write_scenario(*read))["hardware"], "tpu-v5p");
}

} // namespace
} // namespace meshslice
