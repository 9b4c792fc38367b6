#include "core/report/words/column_words.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(ColumnWords, LeaveUnitsOutAndSayOfWhat) {
    EXPECT_EQ(words_of_column("ttft_s"), "time to first token");
    EXPECT_EQ(words_of_column("memory/bytes"), "memory");
    EXPECT_EQ(words_of_column("memory/weights_bytes"), "memory: weights");
    EXPECT_EQ(words_of_column("memory_bytes"), "memory");
}

} // namespace
} // namespace meshslice
