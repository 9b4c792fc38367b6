#include "core/import/machines/topology_matrix.h"
#include "core/machine/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Two pairs under NVLink bridges, joined by PCIe; one NIC near the first pair. The header is underlined.
const std::string pairs = "\t\x1b[4mGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\x1b[0m\n"
                          "GPU0\t X \tNV12\tNODE\tSYS\tPIX\t0-31\t0\n"
                          "GPU1\tNV12\t X \tSYS\tSYS\tPXB\t0-31\t0\n"
                          "GPU2\tNODE\tSYS\t X \tNV12\tSYS\t32-63\t1\n"
                          "GPU3\tSYS\tSYS\tNV12\t X \tSYS\t32-63\t1\n"
                          "NIC0\tPIX\tPXB\tSYS\tSYS\t X \n\nLegend:\n  X    = Self\n";

TEST(TopologyMatrix, IsReadAsItIsPrinted) {
    const auto matrix = read_topology_matrix(pairs, "topo.txt");
    ASSERT_TRUE(matrix) << matrix.error().sentence;
    EXPECT_EQ(matrix->gpus, 4);
    EXPECT_EQ(matrix->nics, 1);
    EXPECT_EQ(matrix->links(0, 1), 12);
    EXPECT_EQ(matrix->links(0, 2), 0);
    EXPECT_THAT(matrix->domains(), ElementsAre(2, 2));
    EXPECT_THAT(matrix->near, ElementsAre(1, 1, 0, 0));
}

TEST(TopologyMatrix, OfPairsIsTwoLevelsWithinTheNetwork) {
    const auto draft =
        machine_of(*read_topology_matrix(pairs, "topo.txt"), *machine_preset("h100-pcie"), "topo.txt");
    ASSERT_TRUE(draft) << draft.error().sentence;
    const std::vector<Level>& levels = draft->machine.network.levels;
    ASSERT_EQ(levels.size(), 3u);
    EXPECT_EQ(levels[0].units.value, 2);
    EXPECT_EQ(levels[1].units.value, 2);
    // One NIC for four GPUs.
    EXPECT_DOUBLE_EQ(levels[2].ports.value, 0.25);
    EXPECT_EQ(draft->missing.size(), 4u);
    // What is written is read again.
    EXPECT_TRUE(read_machine(write_machine(draft->machine), "mine.json"));
}

TEST(TopologyMatrix, IsRefusedWhereItIsNotOne) {
    const auto refusal = [](const std::string& text) {
        const auto matrix = read_topology_matrix(text, "topo.txt");
        return matrix ? std::string("accepted") : matrix.error().sentence;
    };
    EXPECT_THAT(refusal(""), HasSubstr("nvidia-smi topo -m"));
    EXPECT_THAT(refusal("\tGPU0\tGPU1\nGPU0\t X \n"), HasSubstr("line 2"));
    EXPECT_THAT(refusal("\tGPU0\tGPU1\nGPU0\t X \tNV4\n"), HasSubstr("1 rows"));
    const auto uneven = read_topology_matrix("\tGPU0\tGPU1\tGPU2\nGPU0\t X \tNV4\tSYS\nGPU1\tNV4\t X \tSYS\n"
                                             "GPU2\tSYS\tSYS\t X \n",
                                             "topo.txt");
    ASSERT_TRUE(uneven);
    const auto draft = machine_of(*uneven, *machine_preset("h100"), "topo.txt");
    ASSERT_FALSE(draft);
    EXPECT_THAT(draft.error().sentence, HasSubstr("groups of 1 and of 2"));
    EXPECT_FALSE(machine_of(*uneven, *machine_preset("tpu-v5p"), "topo.txt"));
}

} // namespace
} // namespace meshslice
