#include "core/machine/catalogue.h"
#include "core/machine/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json preset_json(const char* name = "tpu-v4-paper") {
    return json::parse(write_machine(machine_preset(name).value()));
}

std::string refusal(const json& file) {
    const Result<Machine> read = read_machine(file.dump(), "chip.json");
    return read ? "accepted" : read.error().sentence;
}

/// The refusal of the paper's chip with one value replaced.
std::string refusal_with(const char* key, const json& value) {
    json file = preset_json();
    file[key]["value"] = value;
    return refusal(file);
}

TEST(HardwarePresets, AreThereInTheOrderOfTheirNames) {
    std::vector<std::string> names;
    for (const Machine& hardware : presets_that(is_plain_torus)) {
        names.push_back(hardware.name);
    }
    EXPECT_THAT(names,
                ElementsAre("inferentia-2", "tpu-v2", "tpu-v3", "tpu-v4-cloud", "tpu-v4-paper", "tpu-v4",
                            "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-v7x", "trainium-1", "trainium-2"));
}

/// The tables of chapter 2 of "How to Scale Your Model".
TEST(HardwarePresets, HaveTheScalingBooksNumbers) {
    struct Row {
        const char* name;
        double bf16, int8;
        std::int64_t hbm;
        double hbm_bandwidth;
        std::int64_t axes;
        double link;
        std::int64_t cores, array;
    };
    const std::vector<Row> rows = {
        {"tpu-v3", 1.4e14, 1.4e14, 32'000'000'000, 9.0e11, 2, 1e11, 2, 128},
        {"tpu-v4", 2.75e14, 2.75e14, 32'000'000'000, 1.2e12, 3, 4.5e10, 2, 128},
        {"tpu-v5e", 1.97e14, 3.94e14, 16'000'000'000, 8.1e11, 2, 4.5e10, 1, 128},
        {"tpu-v5p", 4.59e14, 9.18e14, 96'000'000'000, 2.8e12, 3, 9e10, 2, 128},
        {"tpu-v6e", 9.20e14, 1.84e15, 32'000'000'000, 1.6e12, 2, 9e10, 1, 256},
    };
    for (const Row& row : rows) {
        const Machine chip = machine_preset(row.name).value();
        EXPECT_EQ(chip.peak_rate(DataType::bf16), FlopRate(row.bf16)) << row.name;
        EXPECT_EQ(chip.peak_rate(DataType::int8), FlopRate(row.int8)) << row.name;
        EXPECT_EQ(chip.hbm.value, Bytes(row.hbm)) << row.name;
        EXPECT_EQ(chip.hbm_bandwidth.value, Bandwidth(row.hbm_bandwidth)) << row.name;
        ASSERT_EQ(chip.network.torus_axes(), row.axes) << row.name;
        for (int axis = 0; axis < row.axes; ++axis) {
            EXPECT_EQ(chip.network.torus_links(axis).links.value, 2) << row.name;
            EXPECT_EQ(chip.network.link_bandwidth(axis), Bandwidth(row.link)) << row.name;
        }
        EXPECT_EQ(chip.cores.value, row.cores) << row.name;
        EXPECT_EQ(chip.systolic_array.value, row.array) << row.name;
        // Close to 95% of the peak (chapter 1), and 1 us for a hop.
        EXPECT_NEAR(chip.effective_rate(DataType::bf16).value(), 0.95 * row.bf16, 1e3) << row.name;
        EXPECT_EQ(chip.sync.value, Time(1'000'000)) << row.name;
        // Chapter 3: an all-gather over 4 chips of v5e takes 8 us in practice, three hops of 1 us explain 3;
        // on TPU v4 the authors of MeshSlice measured 13 us. Neither says more, so the others are estimates.
        const bool newer = row.name[5] >= '5';
        EXPECT_EQ(chip.launch_time(Collective::all_gather), seconds(newer ? 5e-6 : 13e-6)) << row.name;
        for (const Collective kind : launched_collectives) {
            const bool measured = row.name == std::string("tpu-v4");
            EXPECT_EQ(chip.launch[kind].source.starts_with("Estimate: "), !measured)
                << row.name << " " << name(kind);
        }
        EXPECT_TRUE(chip.launch.multiply.source.starts_with("Estimate: ")) << row.name;
    }
    EXPECT_EQ(machine_preset("tpu-v5e")->on_chip_memory.value, Bytes(134'217'728)); // 128 MiB
    EXPECT_EQ(machine_preset("tpu-v3")->on_chip_memory.value, Bytes(0));            // not stated
}

/// What the authors measured on a 4x4 slice; the profile of the paper's cluster has the same except for what
/// was fitted, and says so.
TEST(HardwarePresets, HaveThePapersNumbers) {
    const Machine chip = machine_preset("tpu-v4-cloud").value();
    EXPECT_EQ(chip.peak_rate(DataType::bf16), FlopRate(272e12));
    EXPECT_NEAR(chip.effective_rate(DataType::bf16).value(), 2.66e14, 1e3);
    EXPECT_EQ(chip.network.torus_axes(), 2);
    EXPECT_EQ(chip.network.link_bandwidth(0), Bandwidth(45e9));
    EXPECT_EQ(chip.network.link_bandwidth(1), Bandwidth(45e9));
    EXPECT_EQ(chip.sync.value, Time(5'000'000)); // picoseconds
    EXPECT_EQ(chip.launch_time(Collective::all_gather), Time(13'000'000));
    EXPECT_EQ(chip.launch_time(Collective::reduce_scatter), Time(26'000'000));
    EXPECT_EQ(chip.launch_time(Collective::send_receive), Time(13'000'000));
    EXPECT_EQ(chip.launch.multiply.value, Time(0));
    EXPECT_EQ(chip.on_chip_memory.value, Bytes(2 * 64 * 1024 * 1024));
    EXPECT_THAT(chip.sync.source, HasSubstr("github.com/hwnam831/meshslice"));
    EXPECT_THAT(chip.sync.source, HasSubstr("4x4"));

    Machine fitted = machine_preset("tpu-v4-paper").value();
    for (const std::string& source :
         {fitted.sync.source, fitted.launch.send.source, fitted.network.torus_links(0).bandwidth.source}) {
        EXPECT_THAT(source, HasSubstr("meshslice reproduce --fit"));
    }
    fitted.name = chip.name;
    fitted.title = chip.title;
    fitted.sync = chip.sync;
    fitted.launch.send = chip.launch.send;
    fitted.network = chip.network;
    fitted.output_tile = chip.output_tile;
    for (const Collective kind : launched_collectives) {
        EXPECT_EQ(fitted.launch[kind].value, chip.launch[kind].value);
    }
    EXPECT_EQ(fitted.launch.multiply.value, chip.launch.multiply.value);
    EXPECT_EQ(fitted.peak, chip.peak);
    EXPECT_EQ(fitted.effective_fraction.value, 1); // the tiles say what is lost
    EXPECT_EQ(fitted.hbm_bandwidth.value, chip.hbm_bandwidth.value);
}

TEST(HardwarePresets, EveryNumberSaysWhereItComesFrom) {
    for (const Machine& hardware : presets_that(is_plain_torus)) {
        EXPECT_FALSE(hardware.title.empty()) << hardware.name;
        const json file = json::parse(write_machine(hardware));
        for (const auto& [key, field] : file.items()) {
            if (field.is_object()) {
                EXPECT_GE(field["source"].get<std::string>().size(), 20u) << hardware.name << " " << key;
            }
        }
    }
}

/// The book gives a sustained share (chapter 1, in a note): TPUs come close to 95% of their peak.
TEST(HardwarePresets, TheShareOfThePeakIsTheBooksAndSaysSo) {
    for (const char* name : {"tpu-v3", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e"}) {
        const Machine chip = *machine_preset(name);
        EXPECT_EQ(chip.effective_fraction.value, 0.95) << name;
        EXPECT_THAT(chip.effective_fraction.source, HasSubstr("95%")) << name;
    }
}

TEST(HardwarePresets, AnUnknownNameListsTheNames) {
    EXPECT_THAT(machine_preset("tpu-v9").error().sentence,
                HasSubstr("There is no machine \"tpu-v9\"; did you mean tpu-v"));
    EXPECT_THAT(
        machine_preset("abacus").error().sentence,
        testing::AllOf(HasSubstr("There is no machine \"abacus\"; there are a100"),
                       HasSubstr("tpu-v4-paper, tpu-v4, tpu-v5e, tpu-v5p, tpu-v6e"),
                       HasSubstr("Those with a fast domain are also there with -nvs4, -nvs8, -nvs64 or "
                                 "another number of chips in it, such as b200-nvs8.")));
    EXPECT_FALSE(machine_preset(""));
}

TEST(HardwareFile, WriteThenReadIsTheIdentity) {
    std::vector<Machine> all = presets_that(is_plain_torus);
    Machine odd = all.front();
    odd.name = "odd \"chip\" \u00b5";
    odd.sync = {Time(1), ""};                            // one picosecond
    odd.launch.gather = {Time(999'999'999'999), "slow"}; // just below a second
    odd.network.set_link_bandwidth(Bandwidth(1.0e11 / 3.0));
    odd.measured_products = {{{8192, 6144, 768, seconds(604e-6)}}, "measured"};
    odd.output_tile = {256, "chosen"};
    odd.effective_fraction.value = 1.0 / 3.0;
    odd.peak[DataType::int8].value = FlopRate(0); // no int8
    all.push_back(odd);
    for (const Machine& hardware : all) {
        const Result<Machine> read = read_machine(write_machine(hardware), "chip.json");
        ASSERT_TRUE(read) << read.error().sentence;
        EXPECT_EQ(*read, hardware) << hardware.name;
        EXPECT_TRUE(checked(hardware));
    }
}

TEST(HardwareFile, ValuesOutOfRangeAreRefusedByKey) {
    const double infinity = std::numeric_limits<double>::infinity(); // written as null
    struct Row {
        const char* key;
        json value;
    };
    const std::vector<Row> rows = {
        {"peak_bf16_in_flop_per_s", -1},
        {"peak_bf16_in_flop_per_s", 1e30},
        {"peak_bf16_in_flop_per_s", infinity},
        {"effective_fraction_of_peak", 0},
        {"effective_fraction_of_peak", 1.01},
        {"hbm_capacity_in_bytes", 0},
        {"hbm_capacity_in_bytes", 3.2e10}, // bytes are whole
        {"hbm_bandwidth_in_bytes_per_s", 0},
        {"on_chip_memory_in_bytes", -1},
        {"cores", 0},
        {"cores", 2.5},
        {"cores", "2"},
        {"systolic_array_rows", 0},
        {"sync_in_s", -1e-6},
        {"sync_in_s", 2},
        {"launch_all_gather_in_s", true},
    };
    for (const Row& row : rows) {
        const std::string words = refusal_with(row.key, row.value);
        EXPECT_THAT(words, HasSubstr(row.key)) << row.value;
        EXPECT_THAT(words, HasSubstr("chip.json")) << row.value;
    }
    EXPECT_EQ(refusal_with("cores", 0),
              "chip.json: \"/cores/value\" is 0; expected a whole number from 1 to 4096.");
}

TEST(HardwareFile, AChipMustMultiplySomething) {
    EXPECT_EQ(refusal_with("peak_bf16_in_flop_per_s", 5),
              "chip.json: \"/peak_bf16_in_flop_per_s\": The peak in bf16 is 5.00\u2009FLOP/s; expected 0 "
              "(not supported) or at least 1.00\u2009GFLOP/s.");
    json file = preset_json();
    file["peak_bf16_in_flop_per_s"]["value"] = 0;
    EXPECT_EQ(refusal(file), "accepted"); // int8 is left
    file["peak_int8_in_flop_per_s"]["value"] = 0;
    EXPECT_THAT(refusal(file), HasSubstr("must be above 0"));
}

TEST(HardwareFile, KeysMustBeExactlyThese) {
    json file = preset_json();
    file["colour"] = "green";
    EXPECT_EQ(refusal(file), "chip.json has an unknown key \"/colour\".");
    file = preset_json();
    file["cores"]["unit"] = "cores";
    EXPECT_EQ(refusal(file), "chip.json has an unknown key \"/cores/unit\".");
    file = preset_json();
    file.erase("sync_in_s");
    EXPECT_EQ(refusal(file),
              "chip.json lacks \"/sync_in_s\", \"/sync_in_s/value\" and \"/sync_in_s/source\".");
    file = preset_json();
    file["cores"].erase("source");
    EXPECT_EQ(refusal(file), "chip.json lacks \"/cores/source\".");
    file = preset_json();
    file["cores"] = 2;
    EXPECT_THAT(refusal(file), HasSubstr("\"/cores\" is 2; expected an object {...}"));
    file = preset_json();
    file["name"] = "";
    EXPECT_THAT(refusal(file), HasSubstr("The name is empty"));
    file = preset_json();
    file["meshslice_hardware"] = 5;
    EXPECT_THAT(refusal(file), HasSubstr("is 5, but this program reads files up to version 4"));
    EXPECT_THAT(refusal(json::array()), HasSubstr("expected an object {...}"));
}

TEST(Machine, CheckedRefusesEditedNonsense) {
    Machine chip = machine_preset("tpu-v4").value();
    chip.network.torus_links(2).bandwidth.value = Bandwidth(std::numeric_limits<double>::quiet_NaN());
    EXPECT_THAT(checked(chip).error().sentence,
                HasSubstr("The hardware \"tpu-v4\": Level 1 of the network (rings): The link bandwidth is"));
    chip = machine_preset("tpu-v4").value();
    chip.sync.value = Time(-1);
    EXPECT_THAT(checked(chip).error().sentence, HasSubstr("The hardware \"tpu-v4\": The synchronization is"));
}

TEST(DataTypes, HaveNamesAndSizes) {
    EXPECT_EQ(parse_data_type("bf16").value(), DataType::bf16);
    EXPECT_EQ(parse_data_type("int8").value(), DataType::int8);
    EXPECT_EQ(parse_data_type("f32").value(), DataType::fp32);
    EXPECT_EQ(parse_data_type("fp32").value(), DataType::fp32);
    EXPECT_EQ(parse_data_type("f16").value(), DataType::fp16);
    EXPECT_THAT(parse_data_type("fp64").error().sentence,
                HasSubstr("f32, tf32, bf16, f16, fp8, int8, fp4 or int4"));
    EXPECT_FALSE(parse_data_type("f8"));
    EXPECT_FALSE(parse_data_type("fp"));
    EXPECT_EQ(bits(DataType::tf32), 32);
    EXPECT_EQ(bits(DataType::int4), 4);
    EXPECT_EQ(element_bytes(DataType::bf16), 2);
    EXPECT_EQ(element_bytes(DataType::int8), 1);
}

/// A type without a peak of its own is multiplied as one that can hold it: 16 bits as bf16, 8 as int8.
TEST(Machine, MultipliesATypeAtItsOwnPeakWhereItHasOne) {
    Machine chip = *machine_preset("tpu-v5e");
    EXPECT_EQ(chip.multiplies_as(DataType::fp16), DataType::bf16);
    EXPECT_EQ(chip.multiplies_as(DataType::fp8), DataType::int8);
    EXPECT_EQ(chip.multiplies_as(DataType::int4), DataType::int8);
    chip.peak[DataType::fp8] = {FlopRate(4e14), "test"};
    EXPECT_EQ(chip.multiplies_as(DataType::fp8), DataType::fp8);
    const Result<Machine> read = read_machine(write_machine(chip), "chip.json");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(read->peak_rate(DataType::fp8), FlopRate(4e14));
    EXPECT_EQ(read->peak_rate(DataType::fp4), FlopRate(0));
}

/// A broadcast passes chunks on as an all-gather does, a reduction adds up as a reduce-scatter does.
TEST(Collectives, HaveNamesAndAreLaunched) {
    EXPECT_EQ(name(Collective::reduce_scatter), "reduce-scatter");
    EXPECT_EQ(file_name(Collective::reduce_scatter), "reduce_scatter");
    EXPECT_EQ(name(Collective::send_receive), "send-recv");
    EXPECT_EQ(file_name(Collective::send_receive), "send_receive");
    LaunchTimes launch;
    launch[Collective::broadcast].value = seconds(1e-6);
    launch[Collective::reduce].value = seconds(2e-6);
    launch[Collective::send_receive].value = seconds(3e-6);
    EXPECT_EQ(launch[Collective::all_gather].value, seconds(1e-6));
    EXPECT_EQ(launch[Collective::all_to_all].value, seconds(1e-6));
    EXPECT_EQ(launch[Collective::reduce_scatter].value, seconds(2e-6));
    EXPECT_EQ(launch.send.value, seconds(3e-6));
}

} // namespace
} // namespace meshslice
