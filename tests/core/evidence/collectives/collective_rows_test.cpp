#include "core/evidence/collectives/collective_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;

constexpr const char* header =
    "id,trust,hardware,op,nodes,gpus_per_node,n,bytes,time_us,tokens_per_rank,hidden,"
    "topk,experts,sms,library,version\n";

std::vector<CollectiveRow> read(const std::string& lines) {
    const auto rows = read_collective_rows(header + lines, "mine.csv");
    EXPECT_TRUE(rows) << (rows ? "" : rows.error().sentence);
    return rows.value_or(std::vector<CollectiveRow>());
}

TEST(CollectiveRows, HaveTheirFabricTheirStackAndBaseUnits) {
    const auto rows = read("R1,A,H100-SXM-80G,all_reduce,1,8,8,1048576,42.5,,,,,,NCCL,2.29\n"
                           "R2,B,A100-SXM-80G,all_reduce,2,4,8,2048,63,,,,,,NCCL via torch,2024\n"
                           ",A,GB200,all_gather,2,4,8,512,12,,,,,,NCCL,\n");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].reason, "");
    EXPECT_EQ(rows[0].asked.inside->name, "nvlink4");
    EXPECT_EQ(rows[0].asked.stack, "nccl");
    EXPECT_DOUBLE_EQ(rows[0].seconds, 42.5e-6);
    EXPECT_DOUBLE_EQ(rows[0].bytes, 1048576);
    EXPECT_EQ(rows[1].asked.outside->name, "hdr");
    EXPECT_EQ(rows[1].asked.stack, "torch");
    EXPECT_EQ(rows[1].asked.servers, 2);
    // Two trays of one NVLink domain of 72 are one server to its switches; a row without a name has its line.
    EXPECT_EQ(rows[2].asked.servers, 1);
    EXPECT_EQ(rows[2].id, "mine.csv:4");
}

TEST(CollectiveRows, OfExpertsSayTheirBytesByTokens) {
    const auto rows =
        read("R1,B,H100-SXM-80G,moe_dispatch_low_latency,1,8,8,,20,128,7168,8,256,,DeepEP low latency,V1\n"
             "R2,B,H100-SXM-80G,moe_combine_low_latency,1,8,8,,20,128,7168,8,256,,DeepEP low latency,V1\n"
             "R3,B,GB200,moe_dispatch_normal,1,1,1,,20,128,7168,8,256,12,DeepEP normal,\n");
    // 128 tokens to 8 experts: fp8 with 4 bytes of scale for each 128 values, and bf16 on the way back.
    EXPECT_DOUBLE_EQ(rows[0].bytes, 128.0 * 8 * (7168 + 224));
    EXPECT_DOUBLE_EQ(rows[1].bytes, 128.0 * 8 * 7168 * 2);
    EXPECT_EQ(rows[0].asked.stack, "deepep");
    // Of a normal kernel a chip gets a token once, however many of its experts the token goes to.
    EXPECT_DOUBLE_EQ(rows[2].bytes, 128.0 * 7392);
    EXPECT_DOUBLE_EQ(rows[2].asked.cores, 12);
}

TEST(CollectiveRows, SayWhyTheyCannotBePredicted) {
    const auto rows = read("a,C,L40S-48G,all_reduce,1,8,8,512,42,,,,,,NCCL,\n"
                           "b,A,abacus,all_reduce,1,8,8,512,42,,,,,,NCCL,\n"
                           "c,A,H100,shout,1,8,8,512,42,,,,,,NCCL,\n"
                           "d,A,H100,all_reduce,1,8,8,,42,,,,,,NCCL,\n"
                           "e,A,H100,all_reduce,,,,512,42,,,,,,NCCL,\n"
                           "f,A,H100,all_reduce,1,8,8,512,,,,,,,NCCL,\n");
    EXPECT_THAT(rows[0].reason, HasSubstr("trust is C"));
    EXPECT_FALSE(rows[0].scored);
    EXPECT_THAT(rows[1].reason, HasSubstr("abacus"));
    EXPECT_TRUE(rows[1].scored);
    EXPECT_THAT(rows[2].reason, HasSubstr("shout"));
    EXPECT_THAT(rows[3].reason, HasSubstr("how much"));
    EXPECT_THAT(rows[4].reason, HasSubstr("how many chips"));
    EXPECT_THAT(rows[5].reason, HasSubstr("no time"));
    EXPECT_FALSE(rows[5].scored);
}

TEST(CollectiveRows, AreRefusedWithoutTheirColumns) {
    const auto rows = read_collective_rows("hardware,bytes\nH100,5\n", "mine.csv");
    ASSERT_FALSE(rows);
    EXPECT_THAT(rows.error().sentence, HasSubstr("\"op\""));
    EXPECT_FALSE(read_collective_rows("", "mine.csv"));
}

TEST(CollectiveRows, ThatComeWithTheProgramCanBePredictedWhereTheyHaveATime) {
    for (const CollectiveRow& row : measured_collectives()) {
        EXPECT_EQ(row.reason.empty(), row.seconds > 0) << row.id << ": " << row.reason;
    }
}

} // namespace
} // namespace meshslice
