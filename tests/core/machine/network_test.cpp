// Networks as levels: what they answer, how a file holds them, and what is refused.

#include "core/base/language.h"
#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/machine/fields.h"
#include "core/machine/machine.h"
#include "core/machine/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <locale>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const TorusLinks links_of_45 = {{2, "wiring"}, {Bandwidth(45e9), "links"}};
const Level domain_of_8 = {LevelKind::switched,
                           {},
                           {8, "box"},
                           {1.0, "all links"},
                           {Bandwidth(450e9), "switch"},
                           {seconds(2.5e-6), "measured"},
                           {0.7, "measured"}};
const Level infiniband = {
    LevelKind::switched, {}, {}, {1.0, "one each"}, {Bandwidth(50e9), "cards"}, {seconds(5e-6), "measured"},
    {0.7, "measured"}};

Level package_of_2() {
    Level level = domain_of_8;
    level.units = {2, "dies"};
    level.bandwidth = {Bandwidth(5e12), "package"};
    return level;
}

Machine with(Network network) {
    Machine hardware = *machine_preset("tpu-v4");
    hardware.name = "own";
    hardware.network = std::move(network);
    return hardware;
}

Network uneven() {
    Network network = torus_network(2, links_of_45);
    network.torus_links(1).bandwidth.value = Bandwidth(90e9);
    return network;
}

std::string network_refusal(const json& file) {
    const Result<Machine> read = read_machine(file.dump(), "chip.json");
    return read ? "accepted" : read.error().sentence;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Network, AnswersForItsTorus) {
    EXPECT_EQ(uneven().torus_axes(), 2);
    EXPECT_EQ(uneven().link_bandwidth(0), Bandwidth(45e9));
    EXPECT_EQ(uneven().link_bandwidth(1), Bandwidth(90e9));
    EXPECT_FALSE(uneven().axes_alike());
    Network alike = uneven();
    alike.set_link_bandwidth(Bandwidth(1e9));
    EXPECT_EQ(alike.link_bandwidth(1), Bandwidth(1e9));
    EXPECT_EQ(alike.torus_links(1).bandwidth.source, "links") << "what is said about it stays";
    EXPECT_TRUE(alike.axes_alike());
    EXPECT_EQ((Network{{domain_of_8, infiniband}}.torus_axes()), 0);
}

TEST(Network, IsSaidInWords) {
    EXPECT_EQ(text(torus_network(1, links_of_45)), "torus of 1 axis, 45.0\u2009GB/s per link, one way");
    EXPECT_EQ(text(torus_network(3, links_of_45)), "torus of 3 axes, 45.0\u2009GB/s per link, one way");
    EXPECT_EQ(text(uneven()), "torus of 2 axes, 45.0\u2009GB/s and 90.0\u2009GB/s per link, one way");
    EXPECT_EQ(text(Network{{domain_of_8, infiniband}}),
              "8 chips behind a switch, 450\u2009GB/s per chip, one way; 1 NIC per chip, 50.0\u2009GB/s "
              "each, one way");
    EXPECT_EQ(text(Network{{package_of_2(), domain_of_8, infiniband}}),
              "2 chips behind a switch, 5.00\u2009TB/s per chip, one way; 8 of these behind a switch, "
              "450\u2009GB/s per chip, one way; 1 NIC per chip, 50.0\u2009GB/s each, one way");
}

TEST(Network, CountsTheChipsOfItsUnits) {
    EXPECT_EQ(unit_chips({{package_of_2(), domain_of_8, infiniband}}), (std::vector<std::int64_t>{2, 16}));
    EXPECT_TRUE(unit_chips({{domain_of_8}}).empty());
    const Network three = {{package_of_2(), domain_of_8, infiniband}};
    EXPECT_EQ(switched_domain(three), &three.levels[1]);
    EXPECT_EQ(outer_network(three), &three.levels[2]);
}

TEST(NetworkFile, WriteThenReadIsTheIdentity) {
    for (const Network& network :
         {uneven(), torus_network(1, links_of_45), Network{{domain_of_8}}, Network{{infiniband}},
          Network{{domain_of_8, infiniband}}, Network{{torus_level(2, links_of_45), infiniband}},
          Network{{package_of_2(), domain_of_8, infiniband}},
          Network{{package_of_2(), torus_level(3, links_of_45)}}}) {
        const Machine hardware = with(network);
        const auto read = read_machine(write_machine(hardware), "chip.json");
        ASSERT_TRUE(read) << read.error().sentence;
        EXPECT_EQ(*read, hardware) << text(network);
        EXPECT_TRUE(checked(hardware)) << text(network);
    }
}

/// Version 1 of the file had one bandwidth for all axes of a torus; these are its preset files.
TEST(NetworkFile, Version1ReadsToTheSameNetwork) {
    for (const char* name :
         {"tpu-v3", "tpu-v4-cloud", "tpu-v4-paper", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e"}) {
        const Machine preset = *machine_preset(name);
        const auto old = read_file(std::filesystem::path(MESHSLICE_SOURCE_DIR) /
                                   "tests/core/machine/version_1" / (preset.name + ".json"));
        ASSERT_THAT(old, HasSubstr("\"meshslice_hardware\": 1"));
        const auto read = read_machine(old, preset.name);
        ASSERT_TRUE(read) << read.error().sentence;
        ASSERT_EQ(read->network.torus_axes(), preset.network.torus_axes()) << preset.name;
        for (int axis = 0; axis < preset.network.torus_axes(); ++axis) {
            EXPECT_EQ(read->network.link_bandwidth(axis), preset.network.link_bandwidth(axis)) << preset.name;
        }
        EXPECT_EQ(read->pod, Pod{}) << preset.name; // which the file could not say
    }
}

TEST(NetworkFile, Version1IsReadAsStrictlyAsEver) {
    const json good = json::parse(read_file(std::filesystem::path(MESHSLICE_SOURCE_DIR) /
                                            "tests/core/machine/version_1/tpu-v4-paper.json"));
    const auto with = [&](const char* key, const json& value) {
        json file = good;
        file[key]["value"] = value;
        return network_refusal(file);
    };
    EXPECT_EQ(with("torus_axes", 4),
              "chip.json: \"/torus_axes/value\" is 4; expected a whole number from 1 to 3.");
    EXPECT_THAT(with("links_per_axis", 3), HasSubstr("/links_per_axis/value"));
    EXPECT_THAT(with("link_bandwidth_in_bytes_per_s", nullptr), HasSubstr("/link_bandwidth_in_bytes_per_s"));
    json measured = good;
    measured["measured_products"] = {{"values", {"8192x6144x768 302 us"}}, {"source", "measured"}};
    const auto read = read_machine(measured.dump(), "chip.json");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(read->measured_products.value.size(), 1u);
    json newer = good;
    newer["network"] = json::array();
    EXPECT_EQ(network_refusal(newer), "chip.json has an unknown key \"/network\".");
}

/// What version 3 called a switched domain and an outer network; and torus axes, one by one.
TEST(NetworkFile, Version3ReadsToTheSameNetwork) {
    json domain = {{"level", "switched_domain"},
                   {"chips", {{"value", 8}, {"source", "box"}}},
                   {"chip_bandwidth_in_bytes_per_s", {{"value", 450e9}, {"source", "switch"}}},
                   {"latency_in_s", {{"value", 2.5e-6}, {"source", "measured"}}},
                   {"efficiency", {{"value", 0.7}, {"source", "measured"}}}};
    json outer = {{"level", "outer_network"},
                  {"nics_per_chip", {{"value", 1.0}, {"source", "one each"}}},
                  {"nic_bandwidth_in_bytes_per_s", {{"value", 50e9}, {"source", "cards"}}},
                  {"latency_in_s", {{"value", 5e-6}, {"source", "measured"}}},
                  {"efficiency", {{"value", 0.7}, {"source", "measured"}}}};
    const json axis = {{"level", "torus_axis"},
                       {"links", {{"value", 2}, {"source", "wiring"}}},
                       {"link_bandwidth_in_bytes_per_s", {{"value", 45e9}, {"source", "links"}}}};
    json file = json::parse(write_machine(with(torus_network(1, links_of_45))));
    file["meshslice_hardware"] = 3;
    file.erase("levels");
    file["network"] = {domain, outer};
    Network expected = {{domain_of_8, infiniband}};
    auto read = read_machine(file.dump(), "chip.json");
    ASSERT_TRUE(read) << read.error().sentence;
    expected.levels[0].ports.source = read->network.levels[0].ports.source;
    EXPECT_EQ(read->network, expected);
    file["network"] = {axis, axis};
    read = read_machine(file.dump(), "chip.json");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(read->network, torus_network(2, links_of_45));
    file["network"] = {axis, domain};
    EXPECT_TRUE(read_machine(file.dump(), "chip.json"));
    file["network"] = {{{"level", "mesh"}}};
    EXPECT_THAT(network_refusal(file), HasSubstr("\"mesh\"; expected rings or switch"));
    domain["colour"] = "green";
    file["network"] = {domain, outer};
    EXPECT_THAT(network_refusal(file), HasSubstr("unknown key \"/levels/0/colour\""));
}

TEST(NetworkFile, LevelsAreReadStrictly) {
    const json good = json::parse(write_machine(with({{domain_of_8, infiniband}})));
    struct Row {
        const char* where;
        json value;
        const char* expected;
    };
    const std::vector<Row> rows = {
        {"/levels", json::array(), "The network has no level"},
        {"/levels", "fast", "expected a list of at most 6 objects {...}"},
        {"/levels", {1}, "expected a list of at most 6 objects {...}"},
        {"/levels/0/kind", "mesh", "expected rings or switch"},
        {"/levels/0/units/value", -1,
         "\"/levels/0/units/value\" is -1; expected a whole number from 0 to 65536"},
        {"/levels/0/units/value", 0, "the outermost level"},
        {"/levels/0/efficiency/value", 1.5,
         "\"/levels/0/efficiency/value\" is 1.5; expected a number from 0.001 to 1"},
        {"/levels/0/latency_in_s/value", -1, "/levels/0/latency_in_s/value"},
        {"/levels/1/ports_per_chip/value", 0, "/levels/1/ports_per_chip/value"},
        {"/levels/1/port_bandwidth_in_bytes_per_s/value", 0, "/levels/1/port_bandwidth_in_bytes_per_s/value"},
        {"/levels/1/colour", "green", "unknown key \"/levels/1/colour\""},
    };
    for (const Row& row : rows) {
        json file = good;
        file[json::json_pointer(row.where)] = row.value;
        EXPECT_THAT(network_refusal(file), HasSubstr(row.expected)) << row.where;
        EXPECT_THAT(network_refusal(file), HasSubstr("chip.json")) << row.where;
    }
}

TEST(Network, LevelsStandFromTheInsideOut) {
    for (const Network& network :
         {Network{}, Network{{infiniband, domain_of_8}}, Network{{infiniband, torus_level(1, links_of_45)}},
          Network{{torus_level(1, links_of_45), torus_level(1, links_of_45)}},
          Network{{infiniband, infiniband}}, torus_network(4, links_of_45),
          Network{std::vector<Level>(7, domain_of_8)}}) {
        ASSERT_FALSE(checked(with(network)));
        EXPECT_FALSE(read_machine(write_machine(with(network)), "chip.json")) << text(network);
    }
    EXPECT_THAT(checked(with({{infiniband, domain_of_8}})).error().sentence,
                HasSubstr("the outermost level"));
}

/// Every number of every level just below and just above its range: refused with its name and the range.
template <class Part>
void expect_ranges(const std::vector<Field<Part>>& fields, const Part& part,
                   const std::function<Network(const Part&)>& network) {
    for (const auto& field : fields) {
        if (field.kind == FieldKind::flag) {
            continue;
        }
        const bool whole = field.kind == FieldKind::whole;
        const std::vector<FieldValue> outside =
            whole ? std::vector<FieldValue>{field.least - 1, field.most + 1}
                  : std::vector<FieldValue>{field.lowest - field.highest, field.highest * 1.01};
        for (const FieldValue& value : outside) {
            Part edited = part;
            ASSERT_TRUE(field.set(edited, value));
            const auto refused = checked(with(network(edited)));
            ASSERT_FALSE(refused) << field.key;
            EXPECT_THAT(refused.error().sentence, HasSubstr("The " + field.name + " is "));
            EXPECT_THAT(refused.error().sentence, HasSubstr(expectation(field)));
        }
    }
}

TEST(Network, EveryNumberOutOfItsRangeIsRefused) {
    expect_ranges<TorusLinks>(link_fields(), links_of_45,
                              [](const TorusLinks& links) { return torus_network(1, links); });
    expect_ranges<Level>(switch_fields(), domain_of_8, [](const Level& level) { return Network{{level}}; });
}

TEST(HardwareFields, EveryNumberOutOfItsRangeIsRefused) {
    for (const Field<Machine>& field : machine_fields()) {
        if (field.kind != FieldKind::whole && field.kind != FieldKind::quantity) {
            continue;
        }
        const bool whole = field.kind == FieldKind::whole;
        const std::vector<FieldValue> outside =
            whole ? std::vector<FieldValue>{field.least - 1, field.most + 1}
                  : std::vector<FieldValue>{field.lowest - field.highest, field.highest * 1.01};
        for (const FieldValue& value : outside) {
            Machine edited = *machine_preset("tpu-v4");
            ASSERT_TRUE(field.set(edited, value));
            const auto refused = checked(edited);
            ASSERT_FALSE(refused) << field.key;
            EXPECT_THAT(refused.error().sentence, HasSubstr("The " + field.name + " is "));
            EXPECT_THAT(refused.error().sentence, HasSubstr(expectation(field)));
        }
    }
}

/// Set through the table, got through the table, kept by a file: for every row another value than before.
TEST(HardwareFields, EveryNumberSurvivesAFile) {
    for (const Field<Machine>& field : machine_fields()) {
        Machine edited = *machine_preset("tpu-v4");
        if (field.kind == FieldKind::whole) {
            ASSERT_TRUE(field.set(edited, field.most));
        } else if (field.kind == FieldKind::quantity) {
            ASSERT_TRUE(field.set(edited, field.highest));
        } else if (field.kind == FieldKind::text_list) {
            ASSERT_TRUE(field.set(edited, std::vector<std::string>{"8192x6144x768 302 us"}));
        } else {
            ASSERT_TRUE(field.set(edited, std::string("other")));
        }
        if (field.sourced) {
            field.source(edited) = "of " + field.key;
        }
        EXPECT_NE(edited, *machine_preset("tpu-v4")) << field.key;
        const auto read = read_machine(write_machine(edited), "chip.json");
        ASSERT_TRUE(read) << read.error().sentence;
        EXPECT_EQ(*read, edited) << field.key;
    }
}

TEST(HardwareFields, EveryRowSaysWhatItIs) {
    for (const Field<Machine>& field : machine_fields()) {
        EXPECT_FALSE(field.key.empty());
        EXPECT_FALSE(field.name.empty()) << field.key;
        EXPECT_EQ(field.sourced, !field.label.empty()) << field.key;
    }
}

/// A number of a level is said in one language, and not the level in one and the number in another.
TEST(HardwareFacts, AreSaidInOneLanguage) {
    ASSERT_TRUE(set_language("zh_CN"));
    std::string all;
    for (const char* const name : {"tpu-v5e", "h100"}) {
        for (const MachineFact& fact : facts(*machine_preset(name))) {
            all += said(fact.label) + "\n";
        }
    }
    std::locale::global(std::locale::classic());
    for (const char* const english : {"axes", "outer", "link", "latency", "share", "bandwidth"}) {
        EXPECT_THAT(all, testing::Not(testing::HasSubstr(english)));
    }
}

TEST(HardwareFacts, ShowEqualAxesOnceAndOthersByThemselves) {
    const auto labels = [](const Network& network) {
        std::vector<std::string> found;
        for (const MachineFact& fact : facts(with(network))) {
            if (fact.label.find("one link") != std::string::npos ||
                fact.label.find("one port, one way") != std::string::npos) {
                found.push_back(fact.label + " = " + fact.value);
            }
        }
        return found;
    };
    using testing::ElementsAre;
    EXPECT_THAT(labels(torus_network(3, links_of_45)),
                ElementsAre("torus, 3 axes: bandwidth of one link, one way = 45.0\u2009GB/s"));
    EXPECT_THAT(labels(uneven()),
                ElementsAre("torus, vertical axis: bandwidth of one link, one way = 45.0\u2009GB/s",
                            "torus, horizontal axis: bandwidth of one link, one way = 90.0\u2009GB/s"));
    EXPECT_THAT(labels({{domain_of_8, infiniband}}),
                ElementsAre("switch of 8: bandwidth of one port, one way = 450\u2009GB/s",
                            "outer network: bandwidth of one port, one way = 50.0\u2009GB/s"));
}

TEST(HardwareFacts, SayWhatZeroMeans) {
    Machine chip = *machine_preset("tpu-v3");
    chip.peak[DataType::int8].value = FlopRate(0);
    const auto all = facts(chip);
    const auto value = [&](const std::string& label) {
        const auto found = std::ranges::find(all, label, &MachineFact::label);
        return found == all.end() ? std::string("left out") : found->value;
    };
    EXPECT_EQ(value("peak, dense, int8"), "not supported");
    EXPECT_EQ(value("on-chip memory, all cores"), "not known");
    EXPECT_EQ(value("rows of a core's output tile"), "left out");
    EXPECT_EQ(value("HBM bandwidth"), "900\u2009GB/s");
}

} // namespace
} // namespace meshslice
