#include "core/serve/arrivals_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(ArrivalsFile, HasColumnsInAnyOrder) {
    const auto found = read_arrivals("output_tokens,other,arrival_s, input_tokens,priority\r\n"
                                     "20,x,7.5,200,1\r\n"
                                     "10,,5,100,-1\r\n\r\n",
                                     "a.csv");
    ASSERT_TRUE(found.has_value()) << found.error().sentence;
    ASSERT_EQ(found->size(), 2u);
    // In the order of their arrival, from 0 on.
    EXPECT_DOUBLE_EQ((*found)[0].arrival, 0);
    EXPECT_EQ((*found)[0].input, 100);
    EXPECT_EQ((*found)[0].output, 10);
    EXPECT_EQ((*found)[0].priority, -1);
    EXPECT_DOUBLE_EQ((*found)[1].arrival, 2.5);
    EXPECT_EQ(read_arrivals("arrival_ms,input_tokens,output_tokens\n1,1,1\n2,1,1", "a.csv")->at(1).arrival,
              0.001);
}

TEST(ArrivalsFile, ReadsAzuresTraces) {
    const auto found = read_arrivals("TIMESTAMP,ContextTokens,GeneratedTokens\n"
                                     "2023-12-31 23:59:59.5000000,4808,10\n"
                                     "2024-01-01 00:00:00.750000+00:00,3180,8\n",
                                     "a.csv");
    ASSERT_TRUE(found.has_value()) << found.error().sentence;
    EXPECT_EQ((*found)[0].input, 4808);
    EXPECT_NEAR((*found)[1].arrival, 1.25, 1e-6);
}

TEST(ArrivalsFile, SaysWhatItCannotRead) {
    const auto error = [](std::string_view csv) {
        const auto found = read_arrivals(csv, "a.csv");
        return found ? std::string() : found.error().sentence;
    };
    using testing::HasSubstr;
    EXPECT_THAT(error(""), HasSubstr("no requests"));
    EXPECT_THAT(error("arrival_s,input_tokens\n"), HasSubstr("a.csv has no column output_tokens"));
    const std::string header = "arrival_s,input_tokens,output_tokens\n";
    EXPECT_THAT(error(header), HasSubstr("no requests"));
    EXPECT_EQ(error(header + "0,1,1\nsoon,1,1\n"),
              "a.csv, line 3: arrival_s is \"soon\"; expected a number of seconds.");
    EXPECT_THAT(error(header + "nan,1,1\n"), HasSubstr("a number of seconds"));
    EXPECT_THAT(error(header + "0,0,1\n"),
                HasSubstr("input_tokens is \"0\"; expected a whole number from 1"));
    EXPECT_THAT(error(header + "0,1\n"), HasSubstr("output_tokens is \"\""));
    EXPECT_THAT(error("TIMESTAMP,input_tokens,output_tokens\n2024-02-30 00:00:00,1,1\n"),
                HasSubstr("a time such as"));
}

} // namespace
} // namespace meshslice
