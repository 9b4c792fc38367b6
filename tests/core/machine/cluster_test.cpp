#include "core/machine/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Clusters, AreThereWithThreeSizesOfTheirDomains) {
    std::vector<std::string> names;
    for (const Machine& one : cluster_presets()) {
        names.push_back(one.name);
        EXPECT_EQ(one, cluster(one.name).value());
        EXPECT_TRUE(checked(one)) << one.name;
        EXPECT_EQ(read_machine(write_machine(one), "cluster.json").value(), one) << one.name;
        EXPECT_FALSE(hardware_preset(one.name)) << "the window's menus are of tori";
    }
    EXPECT_THAT(names,
                ElementsAre("a100-nvs4", "a100-nvs8", "a100-nvs64", "b200-nvs4", "b200-nvs8", "b200-nvs64",
                            "h100-nvs4", "h100-nvs8", "h100-nvs64", "h200-nvs4", "h200-nvs8", "h200-nvs64"));
}

/// arXiv 2410.00273, table of systems, and NVIDIA's data sheet of H100.
TEST(Clusters, HaveThePublishedNumbers) {
    struct Row {
        const char* name;
        double matrix, vector, memory, capacity, inside, outside;
    };
    const std::vector<Row> rows = {{"a100", 312e12, 78e12, 1.555e12, 80e9, 300e9, 25e9},
                                   {"h100", 989.4e12, 133.8e12, 3.35e12, 80e9, 450e9, 50e9},
                                   {"h200", 989.4e12, 133.8e12, 4.8e12, 141e9, 450e9, 50e9},
                                   {"b200", 2500e12, 339e12, 8e12, 192e9, 900e9, 100e9}};
    for (const Row& row : rows) {
        const Machine one = cluster(row.name).value();
        EXPECT_EQ(one.peak_rate(DataType::bf16), FlopRate(row.matrix)) << row.name;
        EXPECT_EQ(one.vector_rate.value, FlopRate(row.vector)) << row.name;
        EXPECT_EQ(one.effective_fraction.value, 0.8);
        EXPECT_EQ(one.launch_time(LaunchKind::multiply), seconds(20e-6));
        EXPECT_EQ(one.hbm_bandwidth.value, Bandwidth(row.memory)) << row.name;
        EXPECT_EQ(static_cast<double>(one.hbm.value.value()), row.capacity) << row.name;
        ASSERT_NE(switched_domain(one.network), nullptr);
        ASSERT_NE(outer_network(one.network), nullptr);
        EXPECT_EQ(switched_domain(one.network)->chips.value, 8);
        EXPECT_EQ(switched_domain(one.network)->bandwidth.value, Bandwidth(row.inside)) << row.name;
        EXPECT_EQ(switched_domain(one.network)->latency.value, seconds(2.5e-6));
        EXPECT_EQ(outer_network(one.network)->bandwidth.value, Bandwidth(row.outside)) << row.name;
        EXPECT_EQ(outer_network(one.network)->latency.value, seconds(5e-6));
        EXPECT_EQ(outer_network(one.network)->nics.value, 1);
    }
}

TEST(Clusters, OfAnyDomainHaveANameForIt) {
    const Machine of_72 = cluster("b200-nvs72").value();
    EXPECT_EQ(of_72.name, "b200-nvs72");
    EXPECT_EQ(of_72.title, "NVIDIA B200, domains of 72");
    EXPECT_EQ(switched_domain(of_72.network)->chips.value, 72);
    EXPECT_EQ(cluster("h100")->title, "NVIDIA H100 SXM, domains of 8"); // as its file has it
    EXPECT_EQ(cluster("h100")->name, "h100");
    EXPECT_EQ(switched_domain(hardware_preset("tpu-v5p")->network), nullptr);
    EXPECT_EQ(outer_network(hardware_preset("tpu-v5p")->network), nullptr);
}

TEST(Clusters, ATorusIsOne) {
    EXPECT_EQ(cluster("tpu-v5p").value(), hardware_preset("tpu-v5p").value());
    EXPECT_FALSE(cluster("tpu-v5p-nvs8"));
}

/// A rate of 1e-300 would make every time infinite.
TEST(Clusters, AVectorRateIsOneOrNone) {
    Machine chip = cluster("h100").value();
    chip.vector_rate.value = FlopRate(1e-300);
    const auto refused = checked(chip);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("0 (not known) or at least 1.00\u2009MFLOP/s"));
    chip.vector_rate.value = FlopRate(0);
    EXPECT_TRUE(checked(chip));
}

TEST(Clusters, UnknownOnesAreRefusedWithWhatThereIs) {
    const auto refusal = [](const char* name) {
        const auto found = cluster(name);
        return found ? std::string("accepted") : found.error().sentence;
    };
    EXPECT_EQ(refusal("v100-nvs8"),
              "There is no cluster called \"v100-nvs8\"; there are a100, b200, h100 and h200, each also with "
              "-nvs4, "
              "-nvs8, -nvs64 or another number of chips in its fast domain, such as b200-nvs8, and the torus "
              "of a TPU, such as tpu-v5p.");
    EXPECT_THAT(refusal(""), HasSubstr("a100, b200"));
    EXPECT_THAT(refusal("b200-nvs1"),
                HasSubstr("a whole number from 2 to 65536 was expected, such as b200-nvs8"));
    EXPECT_THAT(refusal("b200-nvs"), HasSubstr("whole number"));
    EXPECT_THAT(refusal("b200-nvs8x"), HasSubstr("\"8x\""));
}

} // namespace
} // namespace meshslice
