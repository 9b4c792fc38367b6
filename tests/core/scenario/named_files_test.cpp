// Every reader of a file, and what it refuses: the sentence names the file, and the key or the line.

#include "core/base/embedded_resources.h"
#include "core/calibrate/measurements.h"
#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "core/plan/search/loaded_plan.h"
#include "core/scenario/file/project.h"
#include "core/scenario/plan/plan_fields.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace meshslice {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* file_name = "its-name.json";

/// A reader, and a file that it takes.
struct Reader {
    const char* name;
    Json file;
    std::function<Result<void>(const std::string&)> read;
};

template <class Read>
auto reading(Read read) {
    return [read](const std::string& text) -> Result<void> {
        const auto done = read(text, file_name);
        return done ? Result<void>() : Result<void>(refuse(done.error()));
    };
}

/// Every field that a file may have is in it.
Scenario full_scenario() {
    Scenario scenario = default_scenario();
    scenario.model.hidden = 6144; // no preset any more: written in full
    scenario.model.head_size = 64;
    scenario.hardware.sync.value = Time(123456);
    scenario.mesh = {4, 8};
    scenario.plan.slices = 8;
    scenario.compare = "collective";
    scenario.assume.faults.parts = {*parse_fault("3,5 east 50%"), *parse_fault("0,0 core 80%")};
    scenario.assume.faults.jitter = Time(1000);
    scenario.assume.schedule.chip = ChipModel::roofline;
    scenario.planning.chips = 512;
    scenario.plan.loaded = Plan();
    return scenario;
}

Project full_project() {
    Project project;
    project.variants = {{"one", default_scenario()}, {"two", default_scenario()}};
    project.variants[1].scenario.assume.faults.parts = {*parse_fault("3,5 east 50%")};
    project.current = 1;
    project.pinned = 0;
    project.marks = {{"first wait", Time(5)}};
    return project;
}

std::vector<Reader> readers() {
    const auto scenario = reading([](const auto& text, const char* of) { return read_scenario(text, of); });
    const auto project = reading([](const auto& text, const char* of) { return read_project(text, of); });
    const auto hardware = reading([](const auto& text, const char* of) { return read_machine(text, of); });
    const auto model = reading([](const auto& text, const char* of) { return read_any_model(text, of); });
    const auto plan = reading([](const auto& text, const char* of) { return read_plan(text, of); });
    Scenario gemm = default_scenario();
    gemm.gemm = SingleGemm{{64, 128, 256}, Dataflow::LS};
    return {{"scenario", Json::parse(write_scenario(full_scenario())), scenario},
            {"scenario of a GEMM", Json::parse(write_scenario(gemm)), scenario},
            {"project", Json::parse(write_project(full_project())), project},
            {"TPU", Json::parse(write_machine(*machine_preset("tpu-v4-paper"))), hardware},
            {"GPU", Json::parse(write_machine(presets_that(feeds_rings).front())), hardware},
            {"cluster", Json::parse(write_machine(*machine_preset("h100-nvs8"))), hardware},
            {"model", Json::parse(write_transformer(*model_preset("llama-3-70b"))), model},
            {"config.json",
             Json{{"model_type", "llama"},
                  {"num_hidden_layers", 80},
                  {"hidden_size", 8192},
                  {"num_attention_heads", 64},
                  {"num_key_value_heads", 8},
                  {"intermediate_size", 28672},
                  {"vocab_size", 128256},
                  {"tie_word_embeddings", false}},
             model},
            {"plan", Json::parse(write_plan(Plan())), plan}};
}

/// Every key of an object, and of the objects and lists in it.
void add_pointers(const Json& file, const Json::json_pointer& at, std::vector<Json::json_pointer>& all) {
    for (const auto& [key, value] : file.items()) {
        const Json::json_pointer place = file.is_array() ? at / std::stoul(key) : at / key;
        all.push_back(place);
        if (value.is_structured()) {
            add_pointers(value, place, all);
        }
    }
}

bool is_index(const std::string& token) {
    return token.find_first_not_of("0123456789") == std::string::npos;
}

/// Of what stands in a list, the list's.
std::string key_of(Json::json_pointer pointer) {
    while (is_index(pointer.back())) {
        pointer.pop_back();
    }
    return pointer.back();
}

TEST(NamedFiles, EveryRefusedValueOfEveryKeyNamesTheFileAndTheKey) {
    const std::vector<Json> values = {
        nullptr, -1,   0,    3.5,           1e300,         true,
        "",      "\n", "no", Json::array(), Json{1, "no"}, Json{{"no such key", "at all"}}};
    for (const Reader& reader : readers()) {
        ASSERT_TRUE(reader.read(reader.file.dump())) << reader.name;
        std::vector<Json::json_pointer> pointers;
        add_pointers(reader.file, Json::json_pointer(), pointers);
        ASSERT_GE(pointers.size(), 8u) << reader.name; // config.json has eight numbers
        for (const Json::json_pointer& pointer : pointers) {
            if (pointer.to_string().starts_with("/variants/0/scenario/")) {
                continue; // as in the second variant
            }
            for (const Json& value : values) {
                Json changed = reader.file;
                changed[pointer] = value;
                const Result<void> read = reader.read(changed.dump());
                const std::string what =
                    std::string(reader.name) + " " + pointer.to_string() + " " + value.dump();
                if (read) {
                    // Nothing takes an object with a key of its own.
                    EXPECT_FALSE(value.is_object()) << what;
                    continue;
                }
                EXPECT_THAT(read.error().sentence, StartsWith(file_name)) << what;
                if (value.is_object()) {
                    EXPECT_THAT(read.error().sentence, HasSubstr(key_of(pointer))) << what;
                }
            }
        }
    }
}

/// What is wrong only next to other values: the file and the key.
TEST(NamedFiles, WhatDoesNotGoTogetherNamesTheFileAndTheKey) {
    const auto scenario = [](const char* key, const Json& value, const char* mesh_or_none = nullptr) {
        Json file = Json::parse(write_scenario(default_scenario()));
        file[Json::json_pointer(key)] = value;
        if (mesh_or_none) {
            file["mesh"] = Json::parse(mesh_or_none);
        }
        const auto read = read_scenario(file.dump(), file_name);
        return read ? std::string("accepted") : read.error().sentence;
    };
    const auto starts = [](const char* key) {
        return StartsWith(std::string(file_name) + ": \"" + key + "\": ");
    };
    const auto faults = [&](const char* words) {
        Json part = {{"parts", Json::array({words})}, {"jitter_s", 0.0}, {"seed", 1}};
        return scenario("/faults", part);
    };
    EXPECT_EQ(faults("3,5 east 50%"), "accepted");
    for (const char* bad :
         {"", "3,5 east", "3,5 left 50%", "3,5 east half", "a,b east 50%", "3,5 core dead", "3,5 east 120%",
          "99,0 east 50%", "3,5,1 east 50%", "3,5 up 50%", "3,5 east 50% now"}) {
        EXPECT_THAT(faults(bad), starts("/faults/parts")) << bad;
    }
    EXPECT_THAT(scenario("/mesh", Json{4, 4, 4}), starts("/mesh")); // links along two axes
    EXPECT_THAT(scenario("/hardware", "abacus"), AllOf(starts("/hardware"), HasSubstr("\"abacus\"")));
    EXPECT_THAT(scenario("/model", "gpt9"), AllOf(starts("/model"), HasSubstr("\"gpt9\"")));
    EXPECT_THAT(scenario("/planning", Json{{"zero", "9"}}), starts("/planning/zero"));

    Json cluster_file = Json::parse(write_machine(*machine_preset("h100-nvs8")));
    std::swap(cluster_file["levels"][0], cluster_file["levels"][1]);
    EXPECT_THAT(read_machine(cluster_file.dump(), file_name).error().sentence, starts("/levels"));
    Json chip = Json::parse(write_machine(*machine_preset("tpu-v5e")));
    chip["measured_products"] = {{"value", Json::array({"8192x6144x768 302 us", "8192x6144x768 1 ns"})},
                                 {"source", "mine"}};
    EXPECT_THAT(read_machine(chip.dump(), file_name).error().sentence,
                AllOf(starts("/measured_products"), HasSubstr("above the peak")));
    chip["measured_products"]["value"][1] = "8192x6144 1 ms";
    EXPECT_THAT(read_machine(chip.dump(), file_name).error().sentence,
                AllOf(starts("/measured_products/value"), HasSubstr("is not a measured GEMM")));

    // In a project the variant is named too, and in a part of it the part.
    Json project = Json::parse(write_project(full_project()));
    project["variants"][1]["scenario"]["faults"]["parts"][0] = "99,0 east 50%";
    EXPECT_THAT(read_project(project.dump(), file_name).error().sentence,
                StartsWith("its-name.json, variant \"two\": \"/faults/parts\": "));
    project["variants"][1]["scenario"]["hardware"] = chip;
    EXPECT_THAT(read_project(project.dump(), file_name).error().sentence,
                StartsWith("its-name.json, variant \"two\" (hardware): \"/measured_products/value\": "));
}

/// A table of measurements: the line.
TEST(NamedFiles, EveryWrongCellNamesTheFileAndTheLine) {
    const auto gemm = [](const std::string& row) {
        const auto read = read_gemms("M,N,K,time\n64,64,64,1 ms\n" + row + "\n", "gemms.csv");
        return read ? std::string("accepted") : read.error().sentence;
    };
    EXPECT_EQ(gemm("64,64,64,1 ms"), "accepted");
    for (const char* row :
         {"64,64,64", "64,64,64,1 ms,1", "0,64,64,1 ms", "-1,64,64,1 ms", "64,x,64,1 ms", "64,64,1e3,1 ms",
          "64,64,64,1 m", "64,64,64,-1 s", "64,64,64,", "64,64,64,1e300 s", "64,64,64,1e-3",
          "1099511627776,1099511627776,1099511627776,1 ms"}) {
        EXPECT_THAT(gemm(row), StartsWith("gemms.csv, line 3: ")) << row;
    }
    const auto collective = [](const std::string& row) {
        const auto read =
            read_collectives("operation,chips,bytes,time\nall_gather,4,1 MB,1 ms\n" + row + "\n", "c.csv");
        return read ? std::string("accepted") : read.error().sentence;
    };
    EXPECT_EQ(collective("send_receive,2,1,1 s"), "accepted");
    for (const char* row :
         {"broadcast,4,1 MB,1 ms", ",4,1 MB,1 ms", "all_gather,1,1 MB,1 ms", "all_gather,4.5,1 MB,1 ms",
          "all_gather,4,0,1 ms", "all_gather,4,1e19,1 ms", "all_gather,4,1 MB,0 s", "all_gather,4,1 MB"}) {
        EXPECT_THAT(collective(row), StartsWith("c.csv, line 3: ")) << row;
    }
}

} // namespace
} // namespace meshslice
